/* SPDX-License-Identifier: MIT */
/* Functions of a kernel that move a state by words. Function f does so if there is also a function
 * f_word, which has a uint where f has a state, and the number of the word as one more parameter.
 * The new body of f calls f_word for each word. */
#include <string.h>

#include "link_parts.h"

static const uint32_t *definition_of(const vkr_linker *l, uint32_t id)
{
    return l->kernel.words + l->kernel.definitions[id];
}

/* ---- Finding ---- */

static size_t name_length(const char *name)
{
    return strcspn(name, "(");
}

/* The id with this name, which must be of an instruction of this opcode; 0 if there is none. */
static uint32_t find_named(const vkr_linker *l, uint32_t opcode, const char *wanted, size_t length)
{
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        const char *name = (const char *)(w + 2);
        if (vkr_opcode_of(w) == SpvOpName && name_length(name) == length &&
            memcmp(name, wanted, length) == 0 && vkr_defined_by(&l->kernel, w[1]) == opcode)
            return w[1];
    }
    return 0;
}

static bool find_functions(vkr_linker *l)
{
    static const char end[] = "_word", counter[] = "vkr_hook_words";
    const uint32_t *w = l->kernel.words + VKR_SPIRV_HEADER;
    vkr_link_state *s = &l->state;
    for (; vkr_opcode_of(w) != SpvOpFunction; w += vkr_length_of(w)) {
        const char *name = (const char *)(w + 2);
        if (vkr_opcode_of(w) != SpvOpName || vkr_defined_by(&l->kernel, w[1]) != SpvOpFunction)
            continue;
        const size_t length = name_length(name), whole = sizeof end - 1;
        if (length <= whole || memcmp(name + length - whole, end, whole) != 0)
            continue;
        const uint32_t function = find_named(l, SpvOpFunction, name, length - whole);
        if (function == 0)
            continue;
        if (s->function_count == VKR_MAX_WORD_FUNCTIONS)
            return false;
        s->functions[s->function_count++] = (vkr_word_function){function, w[1]};
    }
    s->counter = find_named(l, SpvOpFunction, counter, sizeof counter - 1);
    return true;
}

bool vkr_find_state(vkr_linker *l)
{
    static const char placeholder[] = "vkr_hook_state";
    vkr_link_state *s = &l->state;
    for (uint32_t i = 0; i < l->info->link_count; i++) {
        const vkr_hook *hook = &l->info->links[i].hook;
        if (hook->state == 0)
            continue;
        if (s->module && (s->module->hooks != hook->hooks || s->layout.type != hook->state))
            return false;
        for (uint32_t k = 0; k < l->module_count; k++)
            if (l->modules[k].hooks == hook->hooks)
                s->module = &l->modules[k];
        if (!vkr_state_of(hook->hooks, hook->state, &s->layout, NULL, 0))
            return false;
    }
    if (!s->module)
        return true;
    s->placeholder = find_named(l, SpvOpTypeStruct, placeholder, sizeof placeholder - 1);
    return s->placeholder != 0 && find_functions(l);
}

/* ---- Types and constants ---- */

#define SHARED(l, ...)                                                                             \
    vkr_write_shared(l, (const uint32_t[]){__VA_ARGS__},                                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void vkr_write_word_types(vkr_linker *l)
{
    vkr_link_state *s = &l->state;
    if (!s->module)
        return;
    s->uint_id = SHARED(l, SpvOpTypeInt, 0, 32, 0);
    s->uvec2_id = SHARED(l, SpvOpTypeVector, 0, s->uint_id, 2);
    s->float_id = SHARED(l, SpvOpTypeFloat, 0, 32);
    for (uint32_t i = 0; i <= VKR_MAX_STATE_WORDS; i++)
        s->numbers[i] = SHARED(l, SpvOpConstant, s->uint_id, 0, i);
}

/* ---- Scalars and words ---- */

/* The id of a scalar's type in the result. */
static uint32_t type_of(const vkr_linker *l, const vkr_scalar *scalar)
{
    return l->state.module->map[scalar->id];
}

/* Writes an instruction of up to two operands that gives a value of a type, and returns its id. */
static uint32_t put(vkr_linker *l, uint32_t opcode, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t result = l->next_id++;
    if (b)
        VKR_WRITE(&l->out, opcode, type, result, a, b);
    else
        VKR_WRITE(&l->out, opcode, type, result, a);
    return result;
}

/* Writes what splits a scalar into its words. */
static void put_words(vkr_linker *l, const vkr_scalar *scalar, uint32_t value, uint32_t *words)
{
    const vkr_link_state *s = &l->state;
    const vkr_hook_type *type = &scalar->type;
    const uint32_t to_uint = s->uint_id;
    if (type->kind == VKR_HOOK_BOOL) {
        words[0] = l->next_id++;
        VKR_WRITE(&l->out, SpvOpSelect, to_uint, words[0], value, s->numbers[1], s->numbers[0]);
    } else if (type->bits > 32) {
        const uint32_t both = put(l, SpvOpBitcast, s->uvec2_id, value, 0);
        for (uint32_t i = 0; i < 2; i++) {
            words[i] = l->next_id++;
            VKR_WRITE(&l->out, SpvOpCompositeExtract, to_uint, words[i], both, i);
        }
    } else if (type->kind == VKR_HOOK_FLOAT) {
        if (type->bits < 32)
            value = put(l, SpvOpFConvert, s->float_id, value, 0);
        words[0] = put(l, SpvOpBitcast, to_uint, value, 0);
    } else if (type->bits < 32) {
        words[0] =
            put(l, type->kind == VKR_HOOK_INT ? SpvOpSConvert : SpvOpUConvert, to_uint, value, 0);
    } else {
        words[0] = type->kind == VKR_HOOK_UINT ? value : put(l, SpvOpBitcast, to_uint, value, 0);
    }
}

/* Writes what makes a scalar of its words, and returns the scalar. */
static uint32_t put_scalar(vkr_linker *l, const vkr_scalar *scalar, const uint32_t *words)
{
    const vkr_link_state *s = &l->state;
    const vkr_hook_type *type = &scalar->type;
    const uint32_t id = type_of(l, scalar);
    if (type->kind == VKR_HOOK_BOOL)
        return put(l, SpvOpINotEqual, id, words[0], s->numbers[0]);
    if (type->bits > 32)
        return put(l, SpvOpBitcast, id,
                   put(l, SpvOpCompositeConstruct, s->uvec2_id, words[0], words[1]), 0);
    if (type->kind == VKR_HOOK_FLOAT && type->bits < 32)
        return put(l, SpvOpFConvert, id, put(l, SpvOpBitcast, s->float_id, words[0], 0), 0);
    if (type->bits < 32)
        return put(l, type->kind == VKR_HOOK_INT ? SpvOpSConvert : SpvOpUConvert, id, words[0], 0);
    return type->kind == VKR_HOOK_UINT ? words[0] : put(l, SpvOpBitcast, id, words[0], 0);
}

/* Writes OpCompositeExtract of a scalar from a state, and returns it. */
static uint32_t put_extract(vkr_linker *l, const vkr_scalar *scalar, uint32_t state)
{
    const uint32_t result = l->next_id++, length = 5 + scalar->depth;
    const uint32_t head[] = {vkr_first_word(SpvOpCompositeExtract, length), type_of(l, scalar),
                             result, state, 0};
    vkr_write(&l->out, head, 5); /* the first index is the placeholder's member */
    vkr_write(&l->out, scalar->path, scalar->depth);
    return result;
}

/* Writes OpCompositeInsert of a scalar into a state, and returns the new state. */
static uint32_t put_insert(vkr_linker *l, const vkr_scalar *scalar, uint32_t value, uint32_t state)
{
    const uint32_t result = l->next_id++, length = 6 + scalar->depth;
    const uint32_t head[] = {vkr_first_word(SpvOpCompositeInsert, length),
                             l->state.placeholder,
                             result,
                             value,
                             state,
                             0};
    vkr_write(&l->out, head, 6);
    vkr_write(&l->out, scalar->path, scalar->depth);
    return result;
}

/* ---- Bodies ---- */

/* The body that is being written. */
typedef struct body {
    const uint32_t *word;                        /* the OpFunction of f_word */
    vkr_parameters ours, words;                  /* the parameters of f and of f_word */
    uint32_t variables[VKR_MAX_HOOK_PARAMETERS]; /* for those of f_word that are pointers, or 0 */
    uint32_t arguments[VKR_MAX_HOOK_PARAMETERS]; /* of calls; values */
    bool has_state, gives_state;
} body;

/* Whether the two functions suit each other. */
static bool is_pair(const vkr_linker *l, const body *b, const uint32_t *function)
{
    const uint32_t count = b->ours.count;
    bool are = b->words.count == count + 1 && (b->has_state || b->gives_state) &&
               b->words.values[count] == l->state.uint_id &&
               b->word[1] == (b->gives_state ? l->state.uint_id : function[1]) &&
               (b->gives_state || vkr_defined_by(&l->kernel, function[1]) == SpvOpTypeVoid);
    for (uint32_t i = 0; i < count; i++) {
        const bool is_state = b->has_state && i + 1 == count;
        are &= b->words.values[i] == (is_state ? l->state.uint_id : b->ours.values[i]);
    }
    return are;
}

/* Writes a call of f_word, and returns its result. */
static uint32_t put_call(vkr_linker *l, const body *b)
{
    const uint32_t count = b->words.count, result = l->next_id;
    for (uint32_t i = 0; i < count; i++)
        if (b->variables[i])
            VKR_WRITE(&l->out, SpvOpStore, b->variables[i], b->arguments[i]);
    const uint32_t call[] = {vkr_first_word(SpvOpFunctionCall, 4 + count), b->word[1], result,
                             b->word[2]};
    vkr_write(&l->out, call, 4);
    for (uint32_t i = 0; i < count; i++)
        vkr_write(&l->out, b->variables[i] ? &b->variables[i] : &b->arguments[i], 1);
    l->next_id++;
    return result;
}

static void put_calls(vkr_linker *l, body *b)
{
    const vkr_link_state *s = &l->state;
    const uint32_t last = b->ours.count - 1;
    const uint32_t state = b->has_state ? b->arguments[last] : 0;
    uint32_t result = l->next_id;
    if (b->gives_state)
        VKR_WRITE(&l->out, SpvOpUndef, s->placeholder, l->next_id++);
    for (uint32_t i = 0; i < s->layout.scalar_count; i++) {
        const vkr_scalar *scalar = &s->layout.scalars[i];
        uint32_t words[2] = {0}, results[2];
        if (state)
            put_words(l, scalar, put_extract(l, scalar, state), words);
        for (uint32_t k = 0; k < (scalar->type.bits > 32 ? 2u : 1u); k++) {
            if (state)
                b->arguments[last] = words[k];
            b->arguments[last + 1] = s->numbers[scalar->word + k];
            results[k] = put_call(l, b);
        }
        if (b->gives_state)
            result = put_insert(l, scalar, put_scalar(l, scalar, results), result);
    }
    if (b->gives_state)
        VKR_WRITE(&l->out, SpvOpReturnValue, result);
    else
        VKR_WRITE(&l->out, SpvOpReturn);
}

/* Writes the new body of a function that has a companion. */
static void write_body(vkr_linker *l, const uint32_t *function, uint32_t word)
{
    body b = {.word = definition_of(l, word)};
    l->out.fails |= !vkr_read_parameters(&l->kernel, function, &b.ours) ||
                    !vkr_read_parameters(&l->kernel, b.word, &b.words);
    const uint32_t placeholder = l->state.placeholder;
    b.gives_state = function[1] == placeholder;
    b.has_state = b.ours.count > 0 && b.ours.values[b.ours.count - 1] == placeholder;
    l->out.fails |= !is_pair(l, &b, function);
    if (l->out.fails)
        return;
    vkr_write_head(l, function);
    for (uint32_t i = 0; i < b.words.count; i++) {
        if (b.words.types[i] == b.words.values[i])
            continue;
        b.variables[i] = l->next_id++;
        VKR_WRITE(&l->out, SpvOpVariable, b.words.types[i], b.variables[i],
                  SpvStorageClassFunction);
    }
    for (uint32_t i = 0; i < b.ours.count; i++)
        b.arguments[i] = vkr_write_value(l, &b.ours, i);
    put_calls(l, &b);
    VKR_WRITE(&l->out, SpvOpFunctionEnd);
}

bool vkr_write_word_body(vkr_linker *l, const uint32_t *function)
{
    const vkr_link_state *s = &l->state;
    if (!s->module)
        return false;
    if (function[2] == s->counter) {
        l->out.fails |= function[1] != s->uint_id;
        vkr_write_head(l, function);
        VKR_WRITE(&l->out, SpvOpReturnValue, s->numbers[s->layout.word_count]);
        VKR_WRITE(&l->out, SpvOpFunctionEnd);
        return true;
    }
    for (uint32_t i = 0; i < s->function_count; i++) {
        if (s->functions[i].function == function[2]) {
            write_body(l, function, s->functions[i].word);
            return true;
        }
    }
    return false;
}
