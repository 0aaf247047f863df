/* SPDX-License-Identifier: MIT */
/* Makes a shader of a text with functions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "functions/functions.h"
#include "input/value.h"

/* The calls of the functions, and what they must be; %s is the type of elements. */
static const struct {
    function_role role;
    const char *call, *signature;
    const char *word; /* only if the text has this word before a '('; NULL: in any case */
} rows[] = {
    {ROLE_MAP, "map(E(0), 0u);", "T map(%s x, uint i)", NULL},
    {ROLE_PREDICATE, "bool kept = keep(E(0), 0u);", "bool keep(%s x, uint i)", NULL},
    {ROLE_OPERATOR, "State a = lift(E(0), 0u);", "State lift(%s x, uint i)", NULL},
    {ROLE_OPERATOR, "State b = identity();", "State identity()", NULL},
    {ROLE_OPERATOR, "State c = combine(a, b);", "State combine(State a, State b)", NULL},
    {ROLE_OPERATOR, "finish(c);", "float finish(State s)", "finish"},
};
#define ROWS (sizeof rows / sizeof rows[0])
#define FIRST_CALL (AFTER_TEXT + 102u) /* the line with the call of the first row */

static void name_type(char *name, size_t size, const input *in)
{
    const VkrType type = in->type;
    const char *scalar = is_float(type) ? "float" : is_signed(type) ? "int" : "uint";
    const char *vector = is_float(type) ? "vec" : is_signed(type) ? "ivec" : "uvec";
    if (vkrTypeSize(type) == 8) {
        scalar = is_float(type) ? "double" : is_signed(type) ? "int64_t" : "uint64_t";
        vector = is_float(type) ? "dvec" : is_signed(type) ? "i64vec" : "u64vec";
    }
    if (in->components > 1)
        snprintf(name, size, "%s%u", vector, in->components);
    else
        snprintf(name, size, "%s", scalar);
}

const char *text_signature(function_role role, const input *in, uint32_t line, char sentence[96])
{
    char type[24];
    name_type(type, sizeof type, in);
    if (line < FIRST_CALL || line - FIRST_CALL >= ROWS || rows[line - FIRST_CALL].role != role)
        return NULL;
    snprintf(sentence, 96, rows[line - FIRST_CALL].signature, type);
    return sentence;
}

/* ---- What the text has ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns the end of the comment that starts here; `at` itself if none does. */
static const char *skip_comment(const char *at)
{
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) != 0)
        return at;
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? end + 2 : at + strlen(at);
}

/* Whether the text has this word, and after it a parenthesis. */
static bool has_call(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = text; *at != '\0';) {
        const char *after = skip_comment(at);
        if (after != at) {
            at = after;
            continue;
        }
        size_t size = 0;
        while (is_word(at[size]))
            size++;
        const bool is_same = size == length && memcmp(at, word, size) == 0;
        if (is_same && at[size + strspn(at + size, " \t\r\n")] == '(')
            return true;
        at += size > 0 ? size : 1;
    }
    return false;
}

/* The line #version with which the text starts; its length is 0 if there is none. */
static const char *find_version(const char *text, size_t *length)
{
    const char *at = text, *after;
    while ((after = skip_comment(at)) != at || isspace((unsigned char)*at))
        at = after != at ? after : at + 1;
    const char *name = at[0] == '#' ? at + 1 + strspn(at + 1, " \t") : "";
    *length = strncmp(name, "version", 7) == 0 ? strcspn(at, "\r\n") : 0;
    return at;
}

/* ---- The shader ---- */

static const char before_text[] = "%.*s\n"
                                  "#extension GL_GOOGLE_include_directive : enable\n"
                                  "%s"
                                  "#define E %s\n"
                                  "#define main own_main\n"
                                  "#line 1\n";
/* The marker tells what only a preprocessor knows. */
static const char after_text[] = "\n\n"
                                 "#line 1000000\n"
                                 "#undef main\n"
                                 "#ifdef COMMUTATIVE\n"
                                 "void vkr_commutative() {}\n"
                                 "#define vkr_mark vkr_commutative\n"
                                 "#else\n"
                                 "void vkr_mark() {}\n"
                                 "#endif\n"
                                 "#line 1000100\n"
                                 "void main()\n"
                                 "{\n";
static void append(char **at, const char *text)
{
    const size_t length = strlen(text);
    memcpy(*at, text, length + 1);
    *at += length;
}

char *text_complete(const char *text, size_t size, function_role role, const input *in)
{
    const bool is_wide = vkrTypeSize(in->type) == 8 && !is_float(in->type);
    size_t version_length;
    char type[24];
    const char *version = find_version(text, &version_length);
    char *shader = malloc(2 * size + 2048);
    if (shader == NULL)
        return NULL;
    name_type(type, sizeof type, in);
    char *at = shader;
    at += snprintf(shader, size + 1024, before_text,
                   version_length > 0 ? (int)version_length : (int)sizeof "#version 450" - 1,
                   version_length > 0 ? version : "#version 450",
                   is_wide ? "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
                           : "",
                   type);
    memcpy(at, text, size);
    if (version_length > 0) /* it stands above */
        memset(at + (version - text), ' ', version_length);
    at += size;
    append(&at, after_text);
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].role == role && (rows[i].word == NULL || has_call(text, rows[i].word)))
            append(&at, rows[i].call);
        append(&at, "\n");
    }
    append(&at, "vkr_mark();\n}\n");
    return shader;
}

bool text_drop_finish(char *shader, uint32_t line)
{
    const char *call = rows[ROWS - 1].call;
    char *last = NULL;
    if (line != FIRST_CALL + ROWS - 1)
        return false;
    for (char *at = shader; (at = strstr(at, call)) != NULL; at++)
        last = at;
    if (last == NULL)
        return false;
    memset(last, ' ', strlen(call));
    shader += strlen(shader);
    append(&shader, "const int finish = 0;\n");
    return true;
}
