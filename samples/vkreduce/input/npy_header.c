/* SPDX-License-Identifier: MIT */
/* A header is a Python dictionary as text: descr, fortran_order and shape. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "input/npy_header.h"
#include "input/number.h"
#include "status.h"

bool npy_wrong(npy_text *t, const char *format, ...)
{
    char sentence[600];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (t->status == STATUS_DONE)
        t->status = fail(STATUS_USAGE, "%s: %s", t->name, sentence);
    return false;
}

static void skip_spaces(npy_text *t)
{
    t->at += strspn(t->at, " \t\r\n");
}

const char *npy_next(npy_text *t)
{
    skip_spaces(t);
    if (*t->at == '\0')
        return "nothing";
    const size_t length = strcspn(t->at, "\n");
    snprintf(t->shown, sizeof t->shown, "\"%.*s\"", (int)(length < 30 ? length : 30), t->at);
    for (char *at = t->shown; *at != '\0'; at++)
        *at = *at >= ' ' && *at <= '~' ? *at : '?';
    return t->shown;
}

bool npy_take(npy_text *t, const char *token)
{
    const size_t length = strlen(token);
    skip_spaces(t);
    if (strncmp(t->at, token, length) != 0)
        return false;
    t->at += length;
    return true;
}

/* Parses a character of a string, of which a backslash may change the meaning. */
static bool take_character(const char **at, char *character)
{
    static const char names[] = "\\'\"nrt", meanings[] = "\\'\"\n\r\t";
    *character = *(*at)++;
    if (*character != '\\')
        return *character != '\0';
    const char *found = **at != '\0' ? strchr(names, *(*at)++) : NULL;
    if (found == NULL)
        return false;
    *character = meanings[found - names];
    return true;
}

bool npy_take_string(npy_text *t, char *text, size_t size)
{
    skip_spaces(t);
    const char *at = t->at + (*t->at == 'u' || *t->at == 'b'); /* Python 2 */
    const char quote = *at;
    size_t length = 0;
    if (quote != '\'' && quote != '"')
        return false;
    for (at++; *at != quote; length++)
        if (length + 1 >= size || !take_character(&at, &text[length]))
            return false;
    text[length] = '\0';
    t->at = at + 1;
    return true;
}

/* Parses a whole number; UINT64_MAX, which is not a valid size, stands for all that are too
 * large. */
static bool take_size(npy_text *t, uint64_t *size)
{
    char digits[24] = "";
    skip_spaces(t);
    const size_t length = strspn(t->at, "0123456789");
    if (length < sizeof digits)
        memcpy(digits, t->at, length);
    t->at += length;
    if (!parse_number(digits, 0, UINT64_MAX, size))
        *size = UINT64_MAX;
    (void)(length > 0 && npy_take(t, "L")); /* Python 2 */
    return length > 0;
}

bool npy_take_shape(npy_text *t, uint64_t *sizes, uint32_t most, uint32_t *count)
{
    npy_text start = *t;
    bool good = npy_take(t, "(");
    *count = 0;
    while (good && !npy_take(t, ")")) {
        uint64_t size;
        if (!(good = take_size(t, &size)))
            break;
        if (*count < most)
            sizes[*count] = size;
        ++*count;
        if (npy_take(t, ","))
            continue;
        /* One number in parentheses is no tuple in Python. */
        good = *count > 1 && npy_take(t, ")");
        break;
    }
    return good || npy_wrong(t,
                             "its header has the shape %s; it must be a tuple of whole numbers "
                             "such as (2, 3) or (5,)",
                             npy_next(&start));
}

/* ---- The dictionary ---- */

enum { DESCR, ORDER, SHAPE, KEYS };

static const char *const keys[KEYS] = {"descr", "fortran_order", "shape"};

static bool take_order(npy_text *t, bool *fortran)
{
    *fortran = npy_take(t, "True");
    return *fortran || npy_take(t, "False") ||
           npy_wrong(t, "its fortran_order is %s; it must be True or False", npy_next(t));
}

/* Parses an entry. A key may occur only once, since readers disagree about which of two counts. */
static bool take_entry(npy_text *t, const char *field, npy_header *h, bool has[KEYS])
{
    char key[32];
    npy_text before = *t;
    int i = 0;
    if (!npy_take_string(t, key, sizeof key))
        return npy_wrong(t, "its header has %s where the name of an entry is due",
                         npy_next(&before));
    while (i < KEYS && strcmp(key, keys[i]) != 0)
        i++;
    if (i == KEYS)
        return npy_wrong(t, "its header has an entry %s; descr, fortran_order and shape are known",
                         npy_next(&before));
    if (has[i])
        return npy_wrong(t, "its header has two entries '%s'; it must have one", key);
    has[i] = true;
    if (!npy_take(t, ":"))
        return npy_wrong(t, "its header has %s after '%s' where ':' is due", npy_next(t), key);
    return i == DESCR   ? npy_take_type(t, field, h)
           : i == ORDER ? take_order(t, &h->fortran_order)
                        : npy_take_shape(t, h->shape, MAX_DIMENSIONS, &h->dimensions);
}

static bool take_entries(npy_text *t, const char *field, npy_header *h)
{
    bool has[KEYS] = {false};
    if (!npy_take(t, "{"))
        return npy_wrong(t, "its header is %s; it must be a dictionary in braces", npy_next(t));
    while (!npy_take(t, "}")) {
        if (!take_entry(t, field, h, has))
            return false;
        if (!npy_take(t, ",") && *t->at != '}')
            return npy_wrong(t, "its header has %s after an entry, where ',' or '}' is due",
                             npy_next(t));
    }
    for (int i = 0; i < KEYS; i++)
        if (!has[i])
            return npy_wrong(t, "its header has no entry '%s'", keys[i]);
    skip_spaces(t);
    return *t->at == '\0' ||
           npy_wrong(t, "its header has %s after its dictionary; there must be nothing",
                     npy_next(t));
}

int npy_parse(const char *name, const char *text, size_t length, const char *field,
              const char *remedy, npy_header *h)
{
    npy_text t = {.name = name, .at = text, .remedy = remedy};
    *h = (npy_header){0};
    if (strlen(text) != length)
        (void)npy_wrong(&t, "byte %zu of its header is 0; it must be text", strlen(text));
    else
        (void)take_entries(&t, field, h);
    return t.status;
}
