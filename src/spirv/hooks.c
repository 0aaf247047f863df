/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hook_check.h"
#include "hook_say.h"
#include "hook_type.h"
#include "layout.h"

enum {
    VERSION = 1, /* words of a module's header */
    SCHEMA = 4,
    OTHER_ENDIAN = 0x03022307, /* the magic number, with its bytes the other way round */
    MIN_FUNCTION = 6,          /* words of a function */
    NAME_WORDS = 2             /* before the name in OpName */
};

/* ---- The header ---- */

static bool is_version(uint32_t version)
{
    return (version & 0xff0000ffu) == 0 && version >> 16 == 1 && version <= 0x10600;
}

static void say_version(vkr_sentence *s, uint32_t version)
{
    vkr_say_number(s, version >> 16);
    vkr_say(s, ".");
    vkr_say_number(s, version >> 8 & 0xff);
}

static bool has_header(const uint32_t *words, size_t count)
{
    return count >= VKR_SPIRV_HEADER && count <= VKR_MAX_HOOK_WORDS && words[0] == SpvMagicNumber &&
           is_version(words[VERSION]) && words[VKR_SPIRV_BOUND] - 1 < VKR_MAX_HOOK_BOUND &&
           words[SCHEMA] == 0;
}

/* Writes what is wrong with a header. */
static void say_header(vkr_sentence *s, const uint32_t *words, size_t count)
{
    vkr_say(s, "the module ");
    if (count < VKR_SPIRV_HEADER) {
        vkr_say(s, "has ");
        vkr_say_number(s, count);
        vkr_say(s, " words, fewer than a header has");
    } else if (words[0] != SpvMagicNumber) {
        vkr_say(s, words[0] == OTHER_ENDIAN ? "has its bytes in the other order"
                                            : "is not SPIR-V: it lacks the magic number");
    } else if (count > VKR_MAX_HOOK_WORDS) {
        vkr_say(s, "has more than 4 MiB");
    } else if (!is_version(words[VERSION])) {
        vkr_say(s, "has SPIR-V's version ");
        say_version(s, words[VERSION]);
        vkr_say(s, ", but must have 1.0 to 1.6");
    } else if (words[VKR_SPIRV_BOUND] - 1 >= VKR_MAX_HOOK_BOUND) {
        vkr_say(s, "has an id bound of ");
        vkr_say_number(s, words[VKR_SPIRV_BOUND]);
        vkr_say(s, ", but must have 1 to 1048576");
    } else {
        vkr_say(s, "has a schema, which must be 0");
    }
}

/* ---- The list of functions ---- */

/* Adds a function to the list under the name that starts at word `first` of an instruction. */
static void add_function(vkr_hooks *h, const uint32_t *w, uint32_t first)
{
    const char *name = (const char *)(w + first);
    const uint32_t room = (vkr_length_of(w) - first) * (uint32_t)sizeof *w;
    uint32_t length = 0;
    while (length < room && name[length] != '\0' && name[length] != '(')
        length++;
    uint8_t *flags = &h->ids[w[1]].flags;
    if (vkr_defined_by(&h->module, w[1]) != SpvOpFunction || length == 0 ||
        *flags & (VKR_HOOK_LISTED | VKR_HOOK_ENTRY))
        return;
    *flags |= VKR_HOOK_LISTED;
    h->functions[h->function_count++] = (vkr_hook_function){name, length, w[1]};
}

static void list_exports(vkr_hooks *h)
{
    const uint32_t *words = h->module.words;
    for (uint32_t at = VKR_SPIRV_HEADER; at < h->code; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at, length = vkr_length_of(w);
        if (vkr_opcode_of(w) == SpvOpDecorate && length > 4 &&
            w[2] == SpvDecorationLinkageAttributes && w[length - 1] == SpvLinkageTypeExport)
            add_function(h, w, 3);
    }
}

static void list_names(vkr_hooks *h)
{
    const uint32_t *words = h->module.words;
    for (uint32_t at = VKR_SPIRV_HEADER; at < h->code; at += vkr_length_of(words + at))
        if (vkr_opcode_of(words + at) == SpvOpName)
            add_function(h, words + at, NAME_WORDS);
}

/* ---- Reading ---- */

size_t vkr_hooks_size(const uint32_t *words, size_t count)
{
    if (!has_header(words, count))
        return 64;
    return (count / MIN_FUNCTION + 1) * sizeof(vkr_hook_function) +
           words[VKR_SPIRV_BOUND] * (sizeof(vkr_hook_id) + sizeof(uint32_t));
}

bool vkr_read_hooks(const uint32_t *words, size_t count, void *memory, vkr_hooks *hooks,
                    char *sentence, size_t room)
{
    vkr_sentence s = vkr_start_sentence(sentence, room);
    *hooks = (vkr_hooks){.functions = memory};
    if (!has_header(words, count)) {
        say_header(&s, words, count);
        return false;
    }
    hooks->version = words[VERSION];
    hooks->ids = (vkr_hook_id *)(hooks->functions + count / MIN_FUNCTION + 1);
    uint32_t *definitions = (uint32_t *)(hooks->ids + words[VKR_SPIRV_BOUND]);
    memset(memory, 0, vkr_hooks_size(words, count));
    if (!vkr_read_module(words, count, definitions, &hooks->module)) {
        vkr_say_unread(&s, &hooks->module);
        return false;
    }
    vkr_mark_hooks(hooks);
    list_exports(hooks);
    if (hooks->function_count == 0)
        list_names(hooks);
    return true;
}

/* ---- What a module declares ---- */

static bool is_among(uint32_t number, const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

static bool is_extension(const vkr_hook_support *support, const char *name)
{
    bool is = support->any_extension || vkr_is_idle_extension(name) ||
              strcmp(name, "SPV_KHR_storage_buffer_storage_class") == 0;
    for (uint32_t i = 0; i < support->extension_count && !is; i++)
        is = strcmp(support->extensions[i], name) == 0;
    return is;
}

/* Returns false if the context does not support what an instruction declares, and says so. */
static bool check_declaration(const vkr_hook_support *support, const uint32_t *w, vkr_sentence *s)
{
    switch (vkr_opcode_of(w)) {
    case SpvOpCapability:
        if (w[1] <= SpvCapabilityShader || w[1] == SpvCapabilityLinkage ||
            is_among(w[1], support->capabilities, support->capability_count))
            return true;
        vkr_say(s, "the module needs SPIR-V's capability ");
        vkr_say_capability(s, w[1]);
        vkr_say(s, ", which the context lacks");
        return false;
    case SpvOpExtension: {
        const char *name = (const char *)(w + 1);
        if (is_extension(support, name))
            return true;
        vkr_say(s, "the module needs ");
        vkr_say_name(s, name, strlen(name));
        vkr_say(s, ", which the context lacks");
        return false;
    }
    case SpvOpMemoryModel:
        if (w[1] == SpvAddressingModelLogical && w[2] == SpvMemoryModelGLSL450)
            return true;
        vkr_say(s, "the module must have logical addresses and the memory model of GLSL");
        return false;
    default:
        return true;
    }
}

bool vkr_check_hooks(const vkr_hooks *h, const vkr_hook_support *support, char *sentence,
                     size_t room)
{
    vkr_sentence s = vkr_start_sentence(sentence, room);
    if (h->version > support->version) {
        vkr_say(&s, "the module has SPIR-V's version ");
        say_version(&s, h->version);
        vkr_say(&s, ", but the context supports up to ");
        say_version(&s, support->version);
        return false;
    }
    for (uint32_t at = VKR_SPIRV_HEADER; at < h->code; at += vkr_length_of(h->module.words + at))
        if (!check_declaration(support, h->module.words + at, &s))
            return false;
    return true;
}

/* ---- Finding ---- */

/* Writes which functions there are, as far as there is room. */
static void say_functions(vkr_sentence *s, const vkr_hooks *h, const char *wanted)
{
    enum { MOST = 6 };
    const uint32_t count = h->function_count < MOST ? h->function_count : MOST;
    vkr_say(s, "the module has no function ");
    vkr_say_name(s, wanted, strlen(wanted));
    if (count == 0) {
        vkr_say(s, ", nor any other name of one: compile without -O, or with --no-link");
        return;
    }
    vkr_say(s, count == 1 ? ", only " : ": its functions are ");
    for (uint32_t i = 0; i < count; i++) {
        const bool is_last = i + 1 == h->function_count;
        vkr_say(s, i == 0 ? "" : is_last ? " and " : ", ");
        vkr_say_name(s, h->functions[i].name, h->functions[i].name_length);
    }
    vkr_say(s, count < h->function_count ? ", .." : "");
}

bool vkr_find_hook(const vkr_hooks *h, const char *name, const vkr_signature *signature,
                   vkr_hook *hook, char *sentence, size_t room)
{
    vkr_sentence s = vkr_start_sentence(sentence, room);
    const size_t length = strlen(name);
    const vkr_hook_function *found = NULL;
    *hook = (vkr_hook){.hooks = h};
    for (uint32_t i = 0; i < h->function_count && hook->function == 0; i++) {
        const vkr_hook_function *f = &h->functions[i];
        if (f->name_length != length || memcmp(f->name, name, length) != 0)
            continue;
        if (vkr_has_signature(h, f->id, signature, &hook->state))
            hook->function = f->id;
        if (!found || hook->function)
            found = f;
    }
    if (!found) {
        say_functions(&s, h, name);
        return false;
    }
    if (hook->function == 0) {
        vkr_say_signature(&s, h, found, signature);
        return false;
    }
    vkr_state state;
    if (hook->state && !vkr_state_of(h, hook->state, &state, NULL, 0)) {
        char why[VKR_HOOK_SENTENCE];
        (void)vkr_state_of(h, hook->state, &state, why, sizeof why);
        vkr_say_name(&s, name, length);
        vkr_say(&s, " is about a type T that cannot be a state: ");
        vkr_say(&s, why);
        return false;
    }
    const vkr_hook_id *id = &h->ids[hook->function];
    if (id->wrong || id->calls > VKR_MAX_HOOK_CALLS) {
        vkr_say_wrong(&s, h, found);
        return false;
    }
    return true;
}
