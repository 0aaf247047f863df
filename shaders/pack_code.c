/* SPDX-License-Identifier: MIT */
/* What an archive's numbers stand for: which operands are ids, and the places of first words. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pack.h"

#define SLOTS (VKR_ARCHIVE_OPCODES * (VKR_ARCHIVE_OPERANDS + 1))
#define VALUES (1u << 12) /* numbers are counted by a hash */

/* ---- Which operands are ids ---- */

/* The operand that names an instruction's result, or 0: the library's code relies on it, too. */
static uint32_t result_of(uint32_t opcode)
{
    static const uint16_t none[] = {3,   4,   5,   6,   8,   10,  14,  15,  16,  17,
                                    56,  62,  63,  71,  72,  99,  224, 225, 228, 246,
                                    247, 249, 250, 251, 252, 253, 254, 255};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        if (none[i] == opcode)
            return 0;
    const bool is_type = opcode >= 19 && opcode < 40;
    return is_type || opcode == 7 || opcode == 11 || opcode == 248 ? 1 : 2;
}

/* Counts every operand, by its slot and a hash of what would be written for it. */
static void count_operands(const module *m, bool distances, uint32_t *counts)
{
    uint32_t base = 1;
    for (uint32_t at = VKR_ARCHIVE_HEADER; at < m->count; at += m->words[at] >> 16) {
        const uint32_t opcode = m->words[at] & 0xffff, result = result_of(opcode);
        for (uint32_t k = 1; k < m->words[at] >> 16; k++) {
            const uint32_t word = m->words[at + k];
            const uint32_t value = distances ? base - word : word;
            const uint32_t slot = opcode * (VKR_ARCHIVE_OPERANDS + 1) + slot_of(k);
            if (opcode < VKR_ARCHIVE_OPCODES)
                counts[(size_t)slot * VALUES + ((value * 2654435761u) >> 20)]++;
            if (k == result && word >= base)
                base = word + 1;
        }
    }
}

static void mark_used(const module *m, bool *used)
{
    for (uint32_t at = VKR_ARCHIVE_HEADER; at < m->count; at += m->words[at] >> 16)
        if ((m->words[at] & 0xffff) < VKR_ARCHIVE_OPCODES)
            used[m->words[at] & 0xffff] = true;
}

/* The bits that a slot's numbers take if each costs what its frequency makes it cost, and each
 * different number is written once more. */
static double cost(const uint32_t *counts)
{
    double total = 0, bits = 0;
    for (uint32_t i = 0; i < VALUES; i++)
        total += counts[i];
    for (uint32_t i = 0; i < VALUES; i++)
        if (counts[i] != 0)
            bits += 12 - counts[i] * log2(counts[i] / total);
    return bits;
}

static void find_ids(const module *modules, uint32_t count, uint16_t *operands)
{
    uint32_t *plain = allocate((size_t)SLOTS * VALUES, sizeof *plain);
    uint32_t *distances = allocate((size_t)SLOTS * VALUES, sizeof *distances);
    bool used[VKR_ARCHIVE_OPCODES] = {false};
    for (uint32_t i = 0; i < count; i++) {
        mark_used(&modules[i], used);
        count_operands(&modules[i], false, plain);
        count_operands(&modules[i], true, distances);
    }
    for (uint32_t opcode = 0; opcode < VKR_ARCHIVE_OPCODES; opcode++) {
        uint32_t how = 0;
        for (uint32_t k = 1; k <= VKR_ARCHIVE_OPERANDS; k++) {
            const size_t at = (size_t)(opcode * (VKR_ARCHIVE_OPERANDS + 1) + k) * VALUES;
            if (cost(distances + at) < cost(plain + at))
                how |= 1u << k;
        }
        if (used[opcode])
            operands[opcode] = (uint16_t)(how | result_of(opcode) << VKR_ARCHIVE_RESULT);
    }
    free(plain);
    free(distances);
}

/* ---- First words of instructions ---- */

uint32_t find_start(const code *c, uint32_t word)
{
    uint32_t i = 0;
    while (i < c->count && c->starts[i].word != word)
        i++;
    return i;
}

static void count_start(code *c, uint32_t word)
{
    const uint32_t i = find_start(c, word);
    if (i == c->count && c->count == c->capacity) {
        c->capacity = 2 * c->capacity + 64;
        c->starts = realloc(c->starts, c->capacity * sizeof *c->starts);
        if (!c->starts)
            fail("out of memory");
    }
    if (i == c->count)
        c->starts[c->count++] = (start){.word = word};
    c->starts[i].count++;
}

static int compare_starts(const void *a, const void *b)
{
    const start *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->word > y->word) - (x->word < y->word);
}

static void find_starts(const module *modules, uint32_t count, code *c)
{
    for (uint32_t i = 0; i < count; i++) {
        const module *m = &modules[i];
        for (uint32_t at = VKR_ARCHIVE_HEADER; at < m->count; at += m->words[at] >> 16)
            count_start(c, m->words[at]);
    }
    qsort(c->starts, c->count, sizeof *c->starts, compare_starts);
}

void make_code(const module *modules, uint32_t count, code *c)
{
    find_ids(modules, count, c->operands);
    find_starts(modules, count, c);
}

void free_code(code *c)
{
    free(c->starts);
}
