/* SPDX-License-Identifier: MIT */
/* What an archive's numbers stand for: which operands are distances, and the places of first
 * words. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "pack.h"

#define SLOTS (VKR_ARCHIVE_OPCODES * (VKR_ARCHIVE_OPERANDS + 1))
#define VALUES (1u << 12) /* numbers are counted by a hash */

/* ---- Which operands are written as distances ---- */

/* Counts every operand, by its slot and a hash of what would be written for it. */
static void count_operands(const module *m, bool distances, uint32_t *counts)
{
    uint32_t base = 1;
    for (uint32_t at = VKR_ARCHIVE_HEADER; at < m->count; at += m->words[at] >> 16) {
        const uint32_t opcode = m->words[at] & 0xffff, result = vkr_result_word(opcode);
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

static void find_distances(const module *modules, uint32_t count, uint8_t *operands)
{
    uint32_t *plain = allocate((size_t)SLOTS * VALUES, sizeof *plain);
    uint32_t *distances = allocate((size_t)SLOTS * VALUES, sizeof *distances);
    for (uint32_t i = 0; i < count; i++) {
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
        operands[opcode] = (uint8_t)how;
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
    find_distances(modules, count, c->distances);
    find_starts(modules, count, c);
}

void free_code(code *c)
{
    free(c->starts);
}
