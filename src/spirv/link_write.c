/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "hook_check.h"
#include "link_parts.h"

/* ---- Equal instructions ---- */

/* Whether an instruction can stand for an equal one. SPIR-V allows no second one of most types.
 * Structs are never the same, since their members may be decorated. */
static bool can_merge(uint32_t opcode)
{
    return opcode == SpvOpCapability || opcode == SpvOpExtension || opcode == SpvOpExtInstImport ||
           (opcode >= SpvOpTypeVoid && opcode <= SpvOpTypeArray) || opcode == SpvOpTypePointer ||
           opcode == SpvOpTypeFunction ||
           (opcode >= SpvOpConstantTrue && opcode <= SpvOpConstantComposite) ||
           opcode == SpvOpConstantNull;
}

enum { MAX_PROBES = 64 };

static bool are_equal(const uint32_t *a, const uint32_t *b)
{
    const uint32_t result = vkr_result_word(vkr_opcode_of(a));
    if (a[0] != b[0])
        return false;
    for (uint32_t k = 1; k < vkr_length_of(a); k++)
        if (k != result && a[k] != b[k])
            return false;
    return true;
}

static uint32_t hash_of(const uint32_t *w)
{
    const uint32_t result = vkr_result_word(vkr_opcode_of(w));
    uint32_t hash = 2166136261u;
    for (uint32_t k = 0; k < vkr_length_of(w); k++)
        hash = (hash ^ (k == result && k > 0 ? 0 : w[k])) * 16777619u;
    return hash ^ hash >> 15;
}

/* Returns the instruction that stands for one that has just been written: an equal one, or else
 * that one itself from now on. */
static const uint32_t *find_equal(vkr_linker *l, const uint32_t *w)
{
    uint32_t slot = hash_of(w) & l->table.mask;
    for (uint32_t probes = 0; probes < MAX_PROBES; probes++) {
        const uint32_t *other = l->start + l->table.slots[slot];
        if (l->table.slots[slot] == 0) {
            l->table.slots[slot] = (uint32_t)(w - l->start);
            return w;
        }
        if (are_equal(other, w))
            return other;
        slot = (slot + 1) & l->table.mask;
    }
    /* Only a module that was made for this has so many neighbours. Its constants may have equals,
     * but nothing else may. */
    const uint32_t opcode = vkr_opcode_of(w);
    l->out.fails |= opcode < SpvOpConstantTrue || opcode > SpvOpConstantNull;
    return w;
}

/* ---- Globals ---- */

bool vkr_is_decoration(uint32_t opcode)
{
    return opcode == SpvOpDecorate || opcode == SpvOpMemberDecorate || opcode == SpvOpDecorateId ||
           opcode == SpvOpDecorateString || opcode == SpvOpMemberDecorateString;
}

bool vkr_is_unlinked(const vkr_link_module *module, const uint32_t *w)
{
    switch (vkr_opcode_of(w)) {
    case SpvOpCapability:
        return w[1] == SpvCapabilityLinkage;
    case SpvOpExtension:
        return vkr_is_idle_extension((const char *)(w + 1));
    case SpvOpDecorate:
        return !(module->flags[w[1]] & VKR_LINK_NEEDED) || w[2] == SpvDecorationLinkageAttributes;
    case SpvOpMemberDecorate:
        return !(module->flags[w[1]] & VKR_LINK_NEEDED);
    default: {
        const uint32_t result = vkr_result_of(w);
        return result == 0 || !(module->flags[result] & VKR_LINK_NEEDED);
    }
    }
}

void vkr_write_kernels(vkr_linker *l, const uint32_t *w)
{
    const uint32_t result = vkr_result_of(w);
    const uint32_t *to = vkr_write(&l->out, w, vkr_length_of(w));
    if (to && can_merge(vkr_opcode_of(w)) && !(l->flags[result] & VKR_LINK_DECORATED))
        (void)find_equal(l, to);
}

uint32_t vkr_write_shared(vkr_linker *l, const uint32_t *words, uint32_t count)
{
    uint32_t *to = vkr_write(&l->out, words, count);
    if (!to)
        return 0;
    to[0] = vkr_first_word(words[0], count);
    to[vkr_result_word(words[0])] = l->next_id++;
    const uint32_t *equal = find_equal(l, to);
    if (equal != to) {
        l->out.to -= count;
        l->out.room += count;
    }
    return vkr_result_of(equal);
}

/* Writes an instruction with new ids, and returns where, or NULL. */
static uint32_t *write_mapped(vkr_linker *l, const vkr_link_module *module, const uint32_t *w)
{
    uint32_t *to = vkr_write(&l->out, w, vkr_length_of(w));
    vkr_operands o;
    vkr_start_module_operands(&o, &module->hooks->module, w);
    for (vkr_word word; to && (word = vkr_next_word(&o)) > VKR_WORD_UNKNOWN;) {
        if (word == VKR_WORD_LITERAL)
            continue;
        to[o.at - 1] = module->map[w[o.at - 1]];
        l->out.fails |= to[o.at - 1] == 0;
    }
    return to;
}

void vkr_write_users(vkr_linker *l, const vkr_link_module *module, const uint32_t *w)
{
    const uint32_t result = vkr_result_of(w), length = vkr_length_of(w);
    const uint32_t *to = write_mapped(l, module, w);
    if (!to || !can_merge(vkr_opcode_of(w)) || module->flags[result] & VKR_LINK_DECORATED)
        return;
    const uint32_t *equal = find_equal(l, to);
    if (equal == to)
        return;
    l->out.to -= length;
    l->out.room += length;
    if (result)
        module->map[result] = vkr_result_of(equal);
}

/* ---- Functions ---- */

/* Stores the initial values of a function's variables, starting at its OpFunction. They have none
 * of their own any more, since inlining could not keep these. */
static void write_initials(vkr_linker *l, const vkr_link_module *module, const uint32_t *w)
{
    for (; vkr_opcode_of(w) != SpvOpFunctionEnd; w += vkr_length_of(w))
        if (vkr_opcode_of(w) == SpvOpVariable && vkr_length_of(w) > 4)
            VKR_WRITE(&l->out, SpvOpStore, module->map[w[2]], module->map[w[4]]);
}

static void write_function(vkr_linker *l, const vkr_link_module *module, const uint32_t *w)
{
    const vkr_module *m = &module->hooks->module;
    const uint32_t *function = w;
    bool in_block = false, has_initials = false;
    for (; vkr_opcode_of(w) != SpvOpFunctionEnd; w += vkr_length_of(w)) {
        const uint32_t opcode = vkr_opcode_of(w);
        if (vkr_is_left_out(m, w))
            continue;
        if (in_block && opcode != SpvOpVariable && !has_initials) {
            write_initials(l, module, function);
            has_initials = true;
        }
        in_block |= opcode == SpvOpLabel;
        uint32_t *to = write_mapped(l, module, w);
        if (to && opcode == SpvOpVariable && vkr_length_of(w) > 4) {
            to[0] = vkr_first_word(SpvOpVariable, 4);
            l->out.to -= 1;
            l->out.room += 1;
        }
    }
    vkr_write(&l->out, w, 1);
}

void vkr_write_functions(vkr_linker *l, const vkr_link_module *module)
{
    const vkr_module *m = &module->hooks->module;
    for (size_t at = module->hooks->code; at < m->count; at += vkr_length_of(m->words + at)) {
        const uint32_t *w = m->words + at;
        if (vkr_opcode_of(w) == SpvOpFunction && module->flags[w[2]] & VKR_LINK_NEEDED)
            write_function(l, module, w);
    }
}
