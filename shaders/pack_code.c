/* SPDX-License-Identifier: MIT */
/* What an archive's numbers stand for: declarations that modules share, and first words. */
#include <stdlib.h>
#include <string.h>

#include "pack.h"

/* ---- Declarations ----
 *
 * Two modules share a declaration where its words are equal once the shared numbers stand for the
 * ids in it. A module may have several such declarations, as with two variables of one type, which
 * are told apart by how many came before. */

typedef struct declaration {
    uint32_t *words; /* owned; without the result's id; other ids: 1 + the declarations' places */
    uint32_t length;
    uint32_t earlier;   /* equal ones before it in the same module */
    const module *user; /* the last module that has it */
    uint32_t uses;      /* in all modules */
    uint32_t number;
} declaration;

typedef struct declarations {
    declaration *rows;
    uint32_t count;
    uint32_t capacity;
    uint32_t *table; /* by hash: 1 + the place of a row, or 0; `slots` is a power of two */
    uint32_t slots;
} declarations;

static uint32_t hash_of(const declaration *d)
{
    uint32_t hash = d->earlier;
    for (uint32_t i = 0; i < d->length; i++)
        hash = (hash ^ d->words[i]) * 0x9e3779b1u + (hash >> 15);
    return hash ^ hash >> 16;
}

static bool is_same(const declaration *a, const declaration *b)
{
    return a->earlier == b->earlier && a->length == b->length &&
           memcmp(a->words, b->words, a->length * sizeof *a->words) == 0;
}

/* The slot of a declaration, or the empty one where it belongs. */
static uint32_t *slot_of(const declarations *all, const declaration *d)
{
    uint32_t slot = hash_of(d) & (all->slots - 1);
    while (all->table[slot] != 0 && !is_same(&all->rows[all->table[slot] - 1], d))
        slot = (slot + 1) & (all->slots - 1);
    return &all->table[slot];
}

static void grow(declarations *all)
{
    all->capacity = 2 * all->capacity + 1024;
    all->rows = realloc(all->rows, all->capacity * sizeof *all->rows);
    if (!all->rows)
        fail("out of memory");
    free(all->table);
    all->slots = all->slots == 0 ? 4096 : 4 * all->slots;
    all->table = allocate(all->slots, sizeof *all->table);
    for (uint32_t i = 0; i < all->count; i++)
        *slot_of(all, &all->rows[i]) = i + 1;
}

/* Finds the row of a module's declaration, or makes it, and returns 1 + its place. */
static uint32_t place_of(declarations *all, declaration *d, const module *user)
{
    uint32_t found = *slot_of(all, d);
    while (found != 0 && all->rows[found - 1].user == user) {
        d->earlier++;
        found = *slot_of(all, d);
    }
    if (found != 0) {
        free(d->words);
    } else {
        if (all->count == all->capacity)
            grow(all);
        *slot_of(all, d) = found = all->count + 1;
        all->rows[all->count++] = *d;
    }
    all->rows[found - 1].user = user;
    return found;
}

/* The kind of the operand that comes next. */
static vkr_word next_kind(vkr_operands *operands, const module *m)
{
    const vkr_word kind = vkr_next_word(operands);
    if (kind == VKR_WORD_UNKNOWN)
        fail("%s: an instruction is not in Khronos' tables", m->name);
    return kind;
}

static void read_declaration(declarations *all, module *m, const uint32_t *instruction)
{
    const uint32_t length = vkr_length_of(instruction);
    declaration d = {.words = allocate(length, sizeof *d.words), .length = length};
    uint32_t result = 0;
    vkr_operands operands;
    vkr_start_operands(&operands, instruction);
    d.words[0] = instruction[0];
    for (uint32_t k = 1; k < length; k++) {
        const vkr_word kind = next_kind(&operands, m);
        if (kind == VKR_WORD_RESULT)
            result = instruction[k];
        else
            d.words[k] = is_id(kind) ? m->shared[instruction[k]] : instruction[k];
    }
    m->shared[result] = place_of(all, &d, m);
}

static void read_declarations(declarations *all, module *m)
{
    m->shared = allocate(m->words[VKR_SPIRV_BOUND], sizeof *m->shared);
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        const uint32_t opcode = vkr_opcode_of(m->words + at);
        if (opcode == SpvOpFunction)
            return;
        if (vkr_result_word(opcode) != 0)
            read_declaration(all, m, m->words + at);
    }
}

static void count_uses(declarations *all, const module *m)
{
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        vkr_operands operands;
        vkr_start_operands(&operands, m->words + at);
        for (uint32_t k = 1; k < vkr_length_of(m->words + at); k++)
            if (is_id(next_kind(&operands, m)) && m->shared[m->words[at + k]] != 0)
                all->rows[m->shared[m->words[at + k]] - 1].uses++;
    }
}

static int compare_uses(const void *a, const void *b)
{
    const declaration *x = *(declaration *const *)a, *y = *(declaration *const *)b;
    if (x->uses != y->uses)
        return x->uses < y->uses ? 1 : -1;
    return (x > y) - (x < y);
}

/* The most frequent declarations get the smallest numbers, which take the fewest bytes. */
static void number_declarations(const declarations *all, module *modules, uint32_t count)
{
    declaration **sorted = allocate(all->count, sizeof *sorted);
    for (uint32_t i = 0; i < all->count; i++)
        sorted[i] = &all->rows[i];
    qsort(sorted, all->count, sizeof *sorted, compare_uses);
    for (uint32_t i = 0; i < all->count; i++)
        sorted[i]->number = i;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t id = 0; id < modules[i].words[VKR_SPIRV_BOUND]; id++)
            if (modules[i].shared[id] != 0)
                modules[i].shared[id] = all->rows[modules[i].shared[id] - 1].number + 1;
    free(sorted);
}

static void find_declarations(module *modules, uint32_t count, code *c)
{
    declarations all = {0};
    grow(&all);
    for (uint32_t i = 0; i < count; i++)
        read_declarations(&all, &modules[i]);
    for (uint32_t i = 0; i < count; i++)
        count_uses(&all, &modules[i]);
    number_declarations(&all, modules, count);
    c->shared_count = all.count;
    for (uint32_t i = 0; i < all.count; i++)
        free(all.rows[i].words);
    free(all.rows);
    free(all.table);
}

/* ---- First words of instructions ---- */

uint32_t find_start(const code *c, uint32_t word)
{
    uint32_t i = 0;
    while (i < c->start_count && c->starts[i].word != word)
        i++;
    return i;
}

static void count_start(code *c, uint32_t word)
{
    const uint32_t i = find_start(c, word);
    if (i == c->start_count && c->start_count == c->start_capacity) {
        c->start_capacity = 2 * c->start_capacity + 64;
        c->starts = realloc(c->starts, c->start_capacity * sizeof *c->starts);
        if (!c->starts)
            fail("out of memory");
    }
    if (i == c->start_count)
        c->starts[c->start_count++] = (start){.word = word};
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
        for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at))
            count_start(c, m->words[at]);
    }
    qsort(c->starts, c->start_count, sizeof *c->starts, compare_starts);
}

void make_code(module *modules, uint32_t count, code *c)
{
    find_declarations(modules, count, c);
    find_starts(modules, count, c);
}

void free_code(code *c)
{
    free(c->starts);
}
