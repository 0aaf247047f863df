/* SPDX-License-Identifier: MIT */
/* Users' functions: the files of --map, --predicate and --operator. */
#ifndef RUNNER_FUNCTIONS_H
#define RUNNER_FUNCTIONS_H

#include "device/task.h"
#include "device/texels.h"
#include "input/input.h"

#define MAX_STATE 16u /* values of 4 bytes */

typedef enum function_role { ROLE_MAP, ROLE_PREDICATE, ROLE_OPERATOR, ROLE_COUNT } function_role;

/* What a function returns, as values of 4 bytes. */
typedef struct function_values {
    VkrType types[MAX_STATE];
    uint32_t count;
} function_values;

/* The functions of a file. */
typedef struct functions {
    const char *file; /* NULL: no option names one */
    function_role role;
    uint32_t *code; /* owned; SPIR-V */
    size_t size;    /* bytes */
    /* Of an operator: whether its text says so; whether it has a function `finish`; whether the
     * state of an element may depend on the element's index; what states are; and what results are:
     * states, or what finish returns. */
    bool is_commutative, has_finish, reads_index;
    function_values state, results;
    VkrModule module;
    VkrHook hook; /* the map, the predicate, or what makes a state of an element */
} functions;

/* Reads a file and compiles a text, for elements of an input; needs no device. With the name NULL
 * nothing happens. functions_close may follow a failure. */
int functions_open(functions *f, function_role role, const char *name, const input *in);

/* Makes the module for a device. The structure must not be moved afterwards. */
int functions_create(functions *f, const gpu *g);
void functions_close(functions *f);

/* Describes the map for texels_replace, which must follow; checks that the library can call it. */
int functions_describe(const functions *f, const gpu *g, const input *in, texel_source *source);

/* Lets the device store what the map returns for each element, and makes these values the content
 * of the input that texels_replace has replaced. */
int functions_evaluate(const task *t, const texel_source *source, input *in);

/* Describes an operator for the library. */
VkrMonoid functions_monoid(const functions *f);

/* Whether the values have several types. */
bool functions_have_types(const function_values *values);

/* ---- text.c ---- */

#define AFTER_TEXT 1000000u /* the number of the line after the user's last one */

#define MAX_TEXT 250000u /* bytes, which leave room for the other lines */

/* A whole shader, from malloc, of the user's text: the lines before it define E, and those after it
 * call the functions. NULL: there is no memory. */
char *text_complete(const char *text, size_t size, function_role role, const input *in);

/* What is called in a line after the text, such as "State combine(State, State)"; NULL: nothing. */
const char *text_signature(function_role role, const input *in, uint32_t line, char sentence[96]);

/* The word finish may stand where the compiler does not read it. If an error is in the line that
 * calls it, the call is taken out; the shader is then right only if there is no such function. */
bool text_drop_finish(char *shader, uint32_t line);

/* ---- spirv.c: a module that need not be valid ---- */

/* The id of a function's OpFunction; 0: there is none of this name. */
uint32_t spirv_function(const uint32_t *words, size_t count, const char *name);

/* Lists the values of 32 bits that a function returns, in their order. Returns false if there are
 * none, more than MAX_STATE, or others. */
bool spirv_values(const uint32_t *words, size_t count, uint32_t function, function_values *values);

/* Whether a function may read its last parameter: its body names it, or has the same number for
 * something else. */
bool spirv_reads_last(const uint32_t *words, size_t count, uint32_t function);

#endif
