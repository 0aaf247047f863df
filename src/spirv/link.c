/* SPDX-License-Identifier: MIT */
/* Writes the sections of a module in their order: each has the kernel's instructions first, and
 * then the users'. */
#include <string.h>

#include "link_parts.h"

enum {
    VERSION = 1,            /* the word of a module's header */
    VERSION_1_4 = 0x10400,  /* entry points list all variables since then */
    BODY_WORDS = 256,       /* a new body has fewer */
    WORD_BODY_WORDS = 2048, /* one that moves a state by words has fewer */
    MIN_SLOTS = 64          /* of the table */
};

/* Sections of a module. */
typedef enum section {
    CAPABILITIES,
    EXTENSIONS,
    IMPORTS,
    MEMORY_MODEL,
    ENTRY_POINTS,
    MODES,
    NAMES,
    DECORATIONS,
    DECLARATIONS,
    SECTIONS
} section;

static section section_of(uint32_t opcode)
{
    switch (opcode) {
    case SpvOpCapability:
        return CAPABILITIES;
    case SpvOpExtension:
        return EXTENSIONS;
    case SpvOpExtInstImport:
        return IMPORTS;
    case SpvOpMemoryModel:
        return MEMORY_MODEL;
    case SpvOpEntryPoint:
        return ENTRY_POINTS;
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
        return MODES;
    case SpvOpString:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpModuleProcessed:
        return NAMES;
    default:
        return vkr_is_decoration(opcode) ? DECORATIONS : DECLARATIONS;
    }
}

/* ---- The kernel ---- */

/* The kernel's function of this name, or 0. */
static uint32_t find_weak(const vkr_linker *l, const char *wanted)
{
    const size_t length = strlen(wanted);
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        const char *name = (const char *)(w + 2);
        if (vkr_opcode_of(w) == SpvOpName && strncmp(name, wanted, length) == 0 &&
            (name[length] == '\0' || name[length] == '(') &&
            vkr_defined_by(&l->kernel, w[1]) == SpvOpFunction)
            return w[1];
    }
    return 0;
}

/* Finds the weak functions, each of which may be linked only once. */
static bool find_all_weak(vkr_linker *l)
{
    for (uint32_t i = 0; i < l->info->link_count; i++) {
        l->weak[i] = find_weak(l, l->info->links[i].weak);
        for (uint32_t j = 0; j < i; j++)
            if (l->weak[i] == l->weak[j])
                return false;
        if (l->weak[i] == 0)
            return false;
    }
    return true;
}

/* The number of the link that a function of the kernel gets; link_count if it gets none. */
static uint32_t link_of(const vkr_linker *l, uint32_t function)
{
    uint32_t i = 0;
    while (i < l->info->link_count && l->weak[i] != function)
        i++;
    return i;
}

/* Marks what the body of a function defines, which does not stay. */
static void mark_gone(vkr_linker *l, uint32_t function)
{
    const uint32_t *w = l->kernel.words + l->kernel.definitions[function];
    bool in_body = false;
    for (; vkr_opcode_of(w) != SpvOpFunctionEnd; w += vkr_length_of(w)) {
        in_body |= vkr_opcode_of(w) == SpvOpLabel;
        if (in_body)
            l->flags[vkr_result_of(w)] |= VKR_LINK_GONE;
    }
    l->flags[0] = 0;
}

static void mark_all_gone(vkr_linker *l)
{
    for (uint32_t i = 0; i < l->info->link_count; i++)
        mark_gone(l, l->weak[i]);
    for (uint32_t i = 0; i < l->state.function_count; i++)
        mark_gone(l, l->state.functions[i].function);
    if (l->state.counter)
        mark_gone(l, l->state.counter);
}

static void mark_decorated(vkr_linker *l)
{
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w))
        if (vkr_is_decoration(vkr_opcode_of(w)))
            l->flags[w[1]] |= VKR_LINK_DECORATED;
}

/* Marks what must follow the state's type. */
static void mark_late(vkr_linker *l)
{
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    l->flags[l->state.placeholder] |= VKR_LINK_LATE;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        const uint32_t result = vkr_result_of(w);
        vkr_operands o;
        vkr_start_module_operands(&o, &l->kernel, w);
        for (vkr_word word; result && (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
            if (word != VKR_WORD_LITERAL)
                l->flags[result] |= l->flags[w[o.at - 1]] & VKR_LINK_LATE;
    }
}

/* ---- Writing ---- */

/* Writes the ids of all variables that an entry point does not list yet. */
static void write_interface(vkr_linker *l, const uint32_t *entry)
{
    vkr_operands o;
    vkr_start_operands(&o, entry);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
        if (word == VKR_WORD_ID)
            l->flags[entry[o.at - 1]] |= VKR_LINK_LISTED;
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w))
        if (vkr_opcode_of(w) == SpvOpVariable && !(l->flags[w[2]] & VKR_LINK_LISTED))
            vkr_write(&l->out, &w[2], 1);
    for (uint32_t i = 0; i < l->module_count; i++) {
        const vkr_link_module *module = &l->modules[i];
        w = module->hooks->module.words + VKR_SPIRV_HEADER;
        for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w))
            if (vkr_opcode_of(w) == SpvOpVariable && module->map[w[2]] != 0)
                vkr_write(&l->out, &module->map[w[2]], 1);
    }
}

static void write_entry_point(vkr_linker *l, const uint32_t *w)
{
    uint32_t *entry = vkr_write(&l->out, w, vkr_length_of(w));
    if (l->version >= VERSION_1_4)
        write_interface(l, w);
    const size_t length = entry ? (size_t)(l->out.to - entry) : 0;
    l->out.fails |= length > UINT16_MAX;
    if (entry)
        entry[0] = vkr_first_word(SpvOpEntryPoint, (uint32_t)length);
}

static void write_kernels(vkr_linker *l, section wanted, uint32_t late)
{
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        const uint32_t opcode = vkr_opcode_of(w);
        if (section_of(opcode) != wanted || (l->flags[vkr_result_of(w)] & VKR_LINK_LATE) != late)
            continue;
        const bool annotates = opcode == SpvOpName || vkr_is_decoration(opcode);
        if (opcode == SpvOpEntryPoint)
            write_entry_point(l, w);
        else if (late && w[1] == l->state.placeholder && opcode == SpvOpTypeStruct)
            VKR_WRITE(&l->out, SpvOpTypeStruct, w[1], l->state.module->map[l->state.layout.type]);
        else if (!annotates || !(l->flags[w[1]] & VKR_LINK_GONE))
            vkr_write_kernels(l, w);
    }
}

/* Whether a decoration says how a result is rounded. */
static bool is_of_rounding(const uint32_t *w)
{
    return vkr_opcode_of(w) == SpvOpDecorate &&
           (w[2] == SpvDecorationNoContraction || w[2] == SpvDecorationRelaxedPrecision);
}

/* Writes such decorations for all arithmetic of users' functions. */
static void write_exact(vkr_linker *l)
{
    for (uint32_t i = 0; i < l->module_count; i++) {
        const vkr_link_module *module = &l->modules[i];
        const vkr_module *m = &module->hooks->module;
        for (size_t at = module->hooks->code; at < m->count; at += vkr_length_of(m->words + at)) {
            const uint32_t *w = m->words + at, opcode = vkr_opcode_of(w);
            if (opcode >= SpvOpFNegate && opcode <= SpvOpDot &&
                module->flags[w[2]] & VKR_LINK_NEEDED)
                VKR_WRITE(&l->out, SpvOpDecorate, module->map[w[2]], SpvDecorationNoContraction);
        }
    }
}

static void write_users(vkr_linker *l, section wanted)
{
    for (uint32_t i = 0; i < l->module_count; i++) {
        const uint32_t *w = l->modules[i].hooks->module.words + VKR_SPIRV_HEADER;
        for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w))
            if (section_of(vkr_opcode_of(w)) == wanted && !vkr_is_unlinked(&l->modules[i], w) &&
                !(l->info->exact && is_of_rounding(w)))
                vkr_write_users(l, &l->modules[i], w);
    }
}

static void write_functions(vkr_linker *l)
{
    const uint32_t *words = l->kernel.words;
    uint32_t link;
    bool in_functions = false, in_body = false;
    for (size_t at = VKR_SPIRV_HEADER; at < l->kernel.count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        if (vkr_opcode_of(w) == SpvOpFunction) {
            in_functions = true;
            link = link_of(l, w[2]);
            in_body = link < l->info->link_count;
            if (in_body)
                vkr_write_body(l, link);
            else
                in_body = vkr_write_word_body(l, w);
        }
        if (in_functions && !in_body)
            vkr_write(&l->out, w, vkr_length_of(w));
    }
    for (uint32_t i = 0; i < l->module_count; i++)
        vkr_write_functions(l, &l->modules[i]);
}

static void write_all(vkr_linker *l)
{
    static const bool are_shared[SECTIONS] = {
        [CAPABILITIES] = true, [EXTENSIONS] = true,   [IMPORTS] = true,
        [DECORATIONS] = true,  [DECLARATIONS] = true,
    };
    uint32_t *header = vkr_write(&l->out, l->kernel.words, VKR_SPIRV_HEADER);
    for (uint32_t s = 0; s < SECTIONS; s++) {
        write_kernels(l, (section)s, 0);
        if (are_shared[s])
            write_users(l, (section)s);
        if (s == DECORATIONS && l->info->exact)
            write_exact(l);
        if (s == DECLARATIONS) {
            vkr_write_word_types(l);
            vkr_write_bit_types(l);
            write_kernels(l, DECLARATIONS, VKR_LINK_LATE);
        }
    }
    write_functions(l);
    if (l->out.fails)
        return;
    header[VERSION] = l->version;
    header[VKR_SPIRV_BOUND] = l->next_id;
}

/* ---- Memory ---- */

/* Whether the module of a link is that of an earlier one. */
static bool is_again(const vkr_link_info *info, uint32_t link)
{
    for (uint32_t i = 0; i < link; i++)
        if (info->links[i].hook.hooks == info->links[link].hook.hooks)
            return true;
    return false;
}

/* The number of words, or the sum of the bounds, of the kernel and of all users' modules. */
static size_t sum_of(size_t kernel, const vkr_link_info *info, bool bounds)
{
    for (uint32_t i = 0; i < info->link_count; i++) {
        const vkr_module *m = &info->links[i].hook.hooks->module;
        if (!is_again(info, i))
            kernel += bounds ? m->bound : m->count;
    }
    return kernel;
}

static size_t slots_for(size_t words)
{
    size_t slots = MIN_SLOTS;
    while (slots < words)
        slots *= 2;
    return slots;
}

/* The longest output for this number of words: variables with initial values get longer, and
 * decorations of arithmetic are added. */
static size_t room_for(size_t words, const vkr_link_info *info)
{
    size_t room = words + (info->exact ? words : words / 2) + info->link_count * BODY_WORDS;
    for (uint32_t i = 0; i < info->link_count; i++)
        if (info->links[i].hook.state != 0)
            return room + (VKR_MAX_WORD_FUNCTIONS + 1) * WORD_BODY_WORDS;
    return room;
}

size_t vkr_link_size(const uint32_t *kernel, size_t count, const vkr_link_info *info)
{
    const size_t ids = sum_of(vkr_bound_of(kernel, count), info, true);
    const size_t words = sum_of(count, info, false);
    return (room_for(words, info) + slots_for(words) + ids) * sizeof(uint32_t) + ids;
}

/* Divides the memory. */
static void prepare(vkr_linker *l, const uint32_t *kernel, size_t count, void *memory)
{
    const uint32_t bound = vkr_bound_of(kernel, count);
    const size_t ids = sum_of(bound, l->info, true), words = sum_of(count, l->info, false);
    const size_t room = room_for(words, l->info), slots = slots_for(words);
    memset(memory, 0, vkr_link_size(kernel, count, l->info));
    l->start = memory;
    l->out = (vkr_writer){.to = memory, .room = room};
    l->table = (vkr_link_table){l->start + room, (uint32_t)slots - 1};
    l->kernel.definitions = l->table.slots + slots;
    l->flags = (uint8_t *)(l->kernel.definitions + ids);
    uint32_t *map = l->kernel.definitions + bound;
    uint8_t *flags = l->flags + bound;
    for (uint32_t i = 0; i < l->info->link_count; i++) {
        const vkr_hooks *hooks = l->info->links[i].hook.hooks;
        if (is_again(l->info, i))
            continue;
        l->modules[l->module_count++] = (vkr_link_module){hooks, map, flags};
        l->version = hooks->version > l->version ? hooks->version : l->version;
        map += hooks->module.bound;
        flags += hooks->module.bound;
    }
}

const uint32_t *vkr_link(const uint32_t *kernel, size_t *count, const vkr_link_info *info,
                         void *memory)
{
    vkr_linker l = {.info = info};
    const uint32_t bound = vkr_bound_of(kernel, *count);
    if (bound == 0 || info->link_count > VKR_MAX_LINKS)
        return NULL;
    l.version = kernel[VERSION];
    l.next_id = bound;
    prepare(&l, kernel, *count, memory);
    if (!vkr_read_module(kernel, *count, l.kernel.definitions, &l.kernel) || !find_all_weak(&l))
        return NULL;
    if (!vkr_find_state(&l))
        return NULL;
    mark_all_gone(&l);
    mark_decorated(&l);
    if (l.state.module)
        mark_late(&l);
    for (uint32_t i = 0; i < l.module_count; i++)
        vkr_mark_needs(&l, &l.modules[i]);
    write_all(&l);
    if (l.out.fails || l.next_id > VKR_SPIRV_MAX_BOUND)
        return NULL;
    *count = (size_t)(l.out.to - l.start);
    return l.start;
}
