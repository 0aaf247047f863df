/* SPDX-License-Identifier: MIT */
/* Numbers as their bits. A weak function can have a uvec4 where the user's function has a number or
 * a vector of numbers: as its first parameter, and as its result, which can also be a bool. */
#include "link_parts.h"

enum { WORDS = 4 }; /* of a uvec4 */

/* ---- Types ---- */

bool vkr_is_bits(const vkr_linker *l, uint32_t type)
{
    const uint32_t *w = l->kernel.words + l->kernel.definitions[type];
    if (vkr_defined_by(&l->kernel, type) != SpvOpTypeVector || w[3] != WORDS)
        return false;
    const uint32_t *component = l->kernel.words + l->kernel.definitions[w[2]];
    return vkr_opcode_of(component) == SpvOpTypeInt && component[2] == 32 && component[3] == 0;
}

static uint32_t share(vkr_linker *l, uint32_t opcode, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t words[] = {opcode, a, b, c};
    return vkr_write_shared(l, words, 4);
}

/* The type of a function's first parameter, or of what it points to; 0 if it has none. */
static uint32_t first_parameter(const vkr_linker *l, const uint32_t *function)
{
    const vkr_module *m = &l->kernel;
    const uint32_t *type = m->words + m->definitions[function[4]];
    if (vkr_length_of(type) <= 3)
        return 0;
    return vkr_defined_by(m, type[3]) == SpvOpTypePointer ? m->words[m->definitions[type[3]] + 3]
                                                          : type[3];
}

void vkr_write_bit_types(vkr_linker *l)
{
    bool is_needed = false;
    for (uint32_t i = 0; i < l->info->link_count; i++) {
        const uint32_t *weak = l->kernel.words + l->kernel.definitions[l->weak[i]];
        is_needed |= vkr_is_bits(l, weak[1]) || vkr_is_bits(l, first_parameter(l, weak));
    }
    if (!is_needed)
        return;
    const uint32_t uint_id = share(l, SpvOpTypeInt, 0, 32, 0);
    l->bits.vectors[1] = uint_id;
    for (uint32_t n = 2; n <= WORDS; n++)
        l->bits.vectors[n] = share(l, SpvOpTypeVector, 0, uint_id, n);
    for (uint32_t i = 0; i < 2; i++)
        l->bits.numbers[i] = share(l, SpvOpConstant, uint_id, 0, i);
}

/* ---- Conversions ---- */

/* Writes a bit cast unless the value has the type already. */
static uint32_t put_cast(vkr_linker *l, uint32_t type, uint32_t from, uint32_t value)
{
    if (type == from)
        return value;
    VKR_WRITE(&l->out, SpvOpBitcast, type, l->next_id, value);
    return l->next_id++;
}

uint32_t vkr_write_of_bits(vkr_linker *l, const vkr_link_module *module, uint32_t type,
                           uint32_t value)
{
    const vkr_hook_type is = vkr_type_of_hook(module->hooks, type);
    const uint32_t words = is.components * is.bits / 32, to = module->map[type];
    if (is.bits < 32 || words - 1 >= WORDS) {
        l->out.fails = true;
        return value;
    }
    const uint32_t cut[] = {vkr_first_word(SpvOpVectorShuffle, 5 + words),
                            l->bits.vectors[words],
                            l->next_id,
                            value,
                            value,
                            0,
                            1,
                            2};
    if (words == 1)
        VKR_WRITE(&l->out, SpvOpCompositeExtract, l->bits.vectors[1], l->next_id, value, 0);
    else if (words < WORDS)
        vkr_write(&l->out, cut, 5 + words);
    return put_cast(l, to, l->bits.vectors[words], words < WORDS ? l->next_id++ : value);
}

uint32_t vkr_write_as_bits(vkr_linker *l, const vkr_link_module *module, uint32_t type,
                           uint32_t value)
{
    const vkr_hook_type is = vkr_type_of_hook(module->hooks, type);
    const uint32_t n = is.components, *vectors = l->bits.vectors;
    if (is.kind == VKR_HOOK_BOOL ? n != 1 : is.bits != 32 || n - 1 >= WORDS) {
        l->out.fails = true;
        return value;
    }
    if (is.kind == VKR_HOOK_BOOL) {
        VKR_WRITE(&l->out, SpvOpSelect, vectors[1], l->next_id, value, l->bits.numbers[1],
                  l->bits.numbers[0]);
        value = l->next_id++;
    } else {
        value = put_cast(l, vectors[n], module->map[type], value);
    }
    if (n == WORDS)
        return value;
    if (n == 1)
        VKR_WRITE(&l->out, SpvOpCompositeConstruct, vectors[WORDS], l->next_id, value, value, value,
                  value);
    else
        VKR_WRITE(&l->out, SpvOpVectorShuffle, vectors[WORDS], l->next_id, value, value, 0, 1,
                  n - 1, n - 1);
    return l->next_id++;
}
