/* SPDX-License-Identifier: MIT */
/* Follows what the functions of the links use. The ids to look at are a list, which is chained
 * through `map` until the ids get their new ones. */
#include "hook_check.h"
#include "link_parts.h"

enum { END = VKR_SPIRV_MAX_BOUND + 1 }; /* of the list; ids are less */

typedef struct needs {
    vkr_link_module *module;
    uint32_t first; /* of the list */
} needs;

static void need(needs *n, uint32_t id)
{
    if (n->module->flags[id] & VKR_LINK_NEEDED)
        return;
    n->module->flags[id] |= VKR_LINK_NEEDED;
    n->module->map[id] = n->first;
    n->first = id;
}

/* An instruction of a function needs its operands, and its result needs an id. */
static void need_operands(needs *n, const uint32_t *w)
{
    const vkr_module *m = &n->module->hooks->module;
    vkr_operands o;
    if (vkr_is_left_out(m, w))
        return;
    vkr_start_module_operands(&o, m, w);
    for (vkr_word word; (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;)
        if (word != VKR_WORD_LITERAL)
            need(n, w[o.at - 1]);
}

static void need_definition(needs *n, uint32_t id)
{
    const vkr_module *m = &n->module->hooks->module;
    const uint32_t *w = m->words + m->definitions[id];
    if (m->definitions[id] > n->module->hooks->code && vkr_opcode_of(w) != SpvOpFunction)
        return;
    need_operands(n, w);
    if (vkr_opcode_of(w) != SpvOpFunction)
        return;
    for (; vkr_opcode_of(w) != SpvOpFunctionEnd; w += vkr_length_of(w))
        need_operands(n, w);
}

static void mark_decorated(vkr_link_module *module)
{
    const uint32_t *words = module->hooks->module.words;
    for (uint32_t at = VKR_SPIRV_HEADER; at < module->hooks->code; at += vkr_length_of(words + at))
        if (vkr_is_decoration(vkr_opcode_of(words + at)))
            module->flags[words[at + 1]] |= VKR_LINK_DECORATED;
}

void vkr_mark_needs(vkr_linker *l, vkr_link_module *module)
{
    const vkr_module *m = &module->hooks->module;
    needs n = {module, END};
    for (uint32_t i = 0; i < l->info->link_count; i++)
        if (l->info->links[i].hook.hooks == module->hooks)
            need(&n, l->info->links[i].hook.function);
    while (n.first != END) {
        const uint32_t id = n.first;
        n.first = module->map[id];
        need_definition(&n, id);
    }
    for (size_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        const uint32_t result = vkr_result_of(m->words + at);
        if (result && module->flags[result] & VKR_LINK_NEEDED)
            module->map[result] = l->next_id++;
    }
    mark_decorated(module);
}
