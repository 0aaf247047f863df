/* SPDX-License-Identifier: MIT */
/* The code of an archive's numbers: how operands are written, and the indices of first words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

#define SLOTS (VKR_ARCHIVE_OPCODES * (VKR_ARCHIVE_OPERANDS + 1))
#define VALUES (1u << 12) /* numbers are counted by a hash */

/* ---- Ways to write an operand ---- */

void start_module(context *c)
{
    memset(c, 0, sizeof *c);
    c->base = 1;
}

static uint32_t opcode_of(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

uint32_t number_of(const context *c, const uint32_t *instruction, uint32_t k, way how)
{
    const uint32_t word = instruction[k];
    if (how == WAY_PLAIN)
        return word;
    if (how == WAY_DISTANCE)
        return c->base - word;
    const uint32_t change = word - c->last[opcode_of(instruction)][slot_of(k)];
    return change << 1 ^ (change >> 31 != 0 ? ~0u : 0);
}

void pass_operand(context *c, const uint32_t *instruction, uint32_t k)
{
    const uint32_t word = instruction[k];
    if (opcode_of(instruction) < VKR_ARCHIVE_OPCODES)
        c->last[opcode_of(instruction)][slot_of(k)] = word;
    if (k == vkr_result_word(opcode_of(instruction)) && word >= c->base)
        c->base = word + 1;
}

/* ---- The best way ---- */

/* Counts every operand, by its slot and a hash of the number that would be written for it. */
static void count_operands(const module *m, way how, uint32_t *counts)
{
    context c;
    start_module(&c);
    for (uint32_t at = VKR_ARCHIVE_HEADER; at < m->count; at += m->words[at] >> 16) {
        const uint32_t *instruction = &m->words[at];
        const uint32_t opcode = opcode_of(instruction);
        for (uint32_t k = 1; k < instruction[0] >> 16; k++) {
            const uint32_t slot = opcode * (VKR_ARCHIVE_OPERANDS + 1) + slot_of(k);
            if (opcode < VKR_ARCHIVE_OPCODES) {
                const uint32_t number = number_of(&c, instruction, k, how);
                counts[(size_t)slot * VALUES + ((number * 2654435761u) >> 20)]++;
            }
            pass_operand(&c, instruction, k);
        }
    }
}

/* The bits that a slot's numbers need by their entropy, if each distinct number is written once
 * more. */
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

/* The bit of vkr_written that says which way a slot is written. */
static uint32_t bit_of(way how, uint32_t slot)
{
    return how == WAY_PLAIN      ? 0
           : how == WAY_DISTANCE ? 1u << slot
                                 : 1u << (slot + VKR_ARCHIVE_CHANGES);
}

static way best_way(uint32_t *const counts[WAY_COUNT], size_t slot)
{
    way best = WAY_PLAIN;
    for (way how = WAY_DISTANCE; how < WAY_COUNT; how++)
        if (cost(counts[how] + slot * VALUES) < cost(counts[best] + slot * VALUES))
            best = how;
    return best;
}

static void find_ways(const module *modules, uint32_t count, uint16_t *operands)
{
    uint32_t *counts[WAY_COUNT];
    for (way how = WAY_PLAIN; how < WAY_COUNT; how++) {
        counts[how] = allocate((size_t)SLOTS * VALUES, sizeof *counts[how]);
        for (uint32_t i = 0; i < count; i++)
            count_operands(&modules[i], how, counts[how]);
    }
    for (uint32_t opcode = 0; opcode < VKR_ARCHIVE_OPCODES; opcode++) {
        const size_t first = (size_t)opcode * (VKR_ARCHIVE_OPERANDS + 1);
        uint32_t how = 0;
        for (uint32_t slot = 1; slot <= VKR_ARCHIVE_OPERANDS; slot++)
            how |= bit_of(best_way(counts, first + slot), slot);
        operands[opcode] = (uint16_t)how;
    }
    for (way how = WAY_PLAIN; how < WAY_COUNT; how++)
        free(counts[how]);
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
    find_ways(modules, count, c->operands);
    find_starts(modules, count, c);
}

void free_code(code *c)
{
    free(c->starts);
}
