/* SPDX-License-Identifier: MIT */
/* Names and types of a module. Any words may come in: the library checks them later. */
#include <stdlib.h>
#include <string.h>
#include "functions/functions.h"

/* SPIR-V's numbers. */
enum {
    OP_NAME = 5,
    OP_TYPE_BOOL = 20,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_MATRIX = 24,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_STRUCT = 30,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_DECORATE = 71,
    DECORATION_LINKAGE = 41,
    HEADER = 5,
    BOUND = 3, /* the place of the header's bound of ids */
    MAX_NESTING = 8
};

#define MAGIC 0x07230203u
#define MAX_BOUND 4194304u /* SPIR-V's limit */

/* An instruction: its words, and how many there are. */
typedef struct instruction {
    const uint32_t *words;
    uint32_t op, length;
} instruction;

/* Moves to the next instruction, at first from one without words; returns false at the end. */
static bool next(const uint32_t *words, size_t count, instruction *i)
{
    const size_t at = i->words == NULL ? HEADER : (size_t)(i->words - words) + i->length;
    if (at >= count)
        return false;
    *i = (instruction){words + at, words[at] & 0xffff, words[at] >> 16};
    return i->length > 0 && i->length <= count - at;
}

/* Whether the text at a word is the name, or the name before a parenthesis. */
static bool is_named(const instruction *i, uint32_t first, const char *name)
{
    const size_t length = strlen(name);
    const char *text = (const char *)(i->words + first);
    return i->length > first && (i->length - first) * sizeof(uint32_t) > length &&
           memcmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '(');
}

static bool find_result(const uint32_t *words, size_t count, uint32_t id, uint32_t place,
                        instruction *found)
{
    for (instruction i = {0}; next(words, count, &i);) {
        const bool is_value = i.op == OP_CONSTANT || i.op == OP_FUNCTION;
        const bool is_type = i.op >= OP_TYPE_BOOL && i.op <= OP_TYPE_STRUCT;
        if ((place == 1 ? is_type : is_value) && i.length > place && i.words[place] == id) {
            *found = i;
            return true;
        }
    }
    return false;
}

/* A bit for each id that is a function's, from calloc; NULL: the header is wrong, or there is no
 * memory. */
static unsigned char *find_functions(const uint32_t *words, size_t count)
{
    if (count < HEADER || words[0] != MAGIC || words[BOUND] > MAX_BOUND)
        return NULL;
    unsigned char *bits = calloc(words[BOUND] / 8 + 1, 1);
    for (instruction i = {0}; bits != NULL && next(words, count, &i);)
        if (i.op == OP_FUNCTION && i.length > 2 && i.words[2] < words[BOUND])
            bits[i.words[2] / 8] |= (unsigned char)(1u << i.words[2] % 8);
    return bits;
}

uint32_t spirv_function(const uint32_t *words, size_t count, const char *name)
{
    unsigned char *bits = find_functions(words, count);
    uint32_t found = 0;
    for (instruction i = {0}; bits != NULL && found == 0 && next(words, count, &i);) {
        const bool is_exported = i.op == OP_DECORATE && i.length > 3 &&
                                 i.words[2] == DECORATION_LINKAGE && is_named(&i, 3, name);
        const bool has_name = i.op == OP_NAME && i.length > 2 && is_named(&i, 2, name);
        /* Variables may have the same name. */
        if ((is_exported || has_name) && i.words[1] < words[BOUND] &&
            (bits[i.words[1] / 8] >> i.words[1] % 8 & 1) != 0)
            found = i.words[1];
    }
    free(bits);
    return found;
}

bool spirv_reads_last(const uint32_t *words, size_t count, uint32_t function)
{
    bool inside = false;
    uint32_t last = 0;
    for (instruction i = {0}; next(words, count, &i);) {
        if (i.op == OP_FUNCTION)
            inside = i.length > 2 && i.words[2] == function;
        if (inside && i.op == OP_FUNCTION_END)
            return false;
        if (inside && i.op == OP_FUNCTION_PARAMETER && i.length > 2)
            last = i.words[2];
        else
            for (uint32_t k = 1; k < i.length && inside && last != 0; k++)
                if (i.words[k] == last)
                    return true;
    }
    return true;
}

typedef struct listing {
    const uint32_t *words;
    size_t count;
    VkrType *types;
    uint32_t used;
} listing;

static bool list_type(listing *l, uint32_t id, uint32_t depth);

static bool list_several(listing *l, uint32_t id, uint32_t number, uint32_t depth)
{
    bool good = number > 0 && number <= MAX_STATE;
    for (uint32_t i = 0; i < number && good; i++)
        good = list_type(l, id, depth + 1);
    return good;
}

static bool list_type(listing *l, uint32_t id, uint32_t depth)
{
    instruction i, length;
    if (depth > MAX_NESTING || l->used > MAX_STATE || !find_result(l->words, l->count, id, 1, &i))
        return false;
    const bool is_scalar =
        i.op == OP_TYPE_BOOL ||
        ((i.op == OP_TYPE_INT || i.op == OP_TYPE_FLOAT) && i.length > 2 && i.words[2] == 32);
    if (is_scalar && l->used < MAX_STATE) {
        const bool is_signed = i.op == OP_TYPE_INT && i.length > 3 && i.words[3] != 0;
        l->types[l->used++] = i.op == OP_TYPE_FLOAT ? VKR_TYPE_F32
                              : is_signed           ? VKR_TYPE_I32
                                                    : VKR_TYPE_U32;
        return true;
    }
    if ((i.op == OP_TYPE_VECTOR || i.op == OP_TYPE_MATRIX) && i.length == 4)
        return list_several(l, i.words[2], i.words[3], depth);
    if (i.op == OP_TYPE_ARRAY && i.length == 4)
        return find_result(l->words, l->count, i.words[3], 2, &length) && length.length == 4 &&
               list_several(l, i.words[2], length.words[3], depth);
    bool good = i.op == OP_TYPE_STRUCT && i.length > 2;
    for (uint32_t k = 2; k < i.length && good; k++)
        good = list_type(l, i.words[k], depth + 1);
    return good;
}

bool spirv_values(const uint32_t *words, size_t count, uint32_t function, function_values *values)
{
    instruction i;
    listing l = {words, count, values->types, 0};
    const bool good =
        find_result(words, count, function, 2, &i) && list_type(&l, i.words[1], 0) && l.used > 0;
    values->count = good ? l.used : 0;
    return good;
}
