/* SPDX-License-Identifier: MIT */
/* PREDICATE: words, and comparisons such as '0.2 <= x < 0.8'. */
#include <stdio.h>
#include <string.h>
#include "commands/compact/compact.h"
#include "input/number.h"
#include "status.h"

static const char variables[] = "xyzw";

static void skip_spaces(const char **at)
{
    *at += strspn(*at, " \t");
}

/* Parses the longest relation at *at and moves past it. */
static bool take_relation(const char **at, VkrCompare *relation)
{
    static const struct {
        const char *name;
        VkrCompare relation;
    } rows[] = {{"==", VKR_COMPARE_EQUAL},      {"!=", VKR_COMPARE_NOT_EQUAL},
                {"<=", VKR_COMPARE_LESS_EQUAL}, {">=", VKR_COMPARE_GREATER_EQUAL},
                {"<", VKR_COMPARE_LESS},        {">", VKR_COMPARE_GREATER}};
    skip_spaces(at);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strncmp(*at, rows[i].name, strlen(rows[i].name)) == 0) {
            *relation = rows[i].relation;
            *at += strlen(rows[i].name);
            return true;
        }
    return false;
}

static bool take_variable(const char **at, uint32_t *component)
{
    skip_spaces(at);
    const char *found = **at != '\0' ? strchr(variables, **at) : NULL;
    if (found == NULL)
        return false;
    *component = (uint32_t)(found - variables);
    ++*at;
    return true;
}

/* The relation with its operands swapped: c < x is x > c. */
static VkrCompare swapped(VkrCompare relation)
{
    switch (relation) {
    case VKR_COMPARE_LESS:
        return VKR_COMPARE_GREATER;
    case VKR_COMPARE_LESS_EQUAL:
        return VKR_COMPARE_GREATER_EQUAL;
    case VKR_COMPARE_GREATER:
        return VKR_COMPARE_LESS;
    case VKR_COMPARE_GREATER_EQUAL:
        return VKR_COMPARE_LESS_EQUAL;
    default:
        return relation;
    }
}

static int take_constant(const char **at, VkrType type, VkrConstant *constant)
{
    char text[64] = "";
    skip_spaces(at);
    size_t length = strcspn(*at, " \t<>=!xyzw");
    if (length == 0)
        return fail(STATUS_USAGE, "PREDICATE: expected a constant instead of '%s'", *at);
    if (length >= sizeof text)
        return fail(STATUS_USAGE,
                    "PREDICATE: '%.*s' has %zu characters; a constant may have up to %zu",
                    (int)length, *at, length, sizeof text - 1);
    memcpy(text, *at, length);
    *at += length;
    return parse_constant("PREDICATE", text, type, constant);
}

/* Parses x REL c, c REL x or c REL x REL d. */
static int parse_comparison(const char *text, const input *in, VkrPredicate *p)
{
    const char *at = text;
    VkrCompare *next = &p->compare;
    VkrConstant *constant = &p->a;
    int status;
    p->kind = VKR_PREDICATE_COMPARE;
    if (strpbrk(text, "<>=") == NULL)
        return fail(STATUS_USAGE,
                    "PREDICATE: '%s' is neither a word that --help lists nor a comparison such as "
                    "'x>0.5' or '0.2<=x<0.8'",
                    text);
    if (!take_variable(&at, &p->component)) {
        if ((status = take_constant(&at, in->type, constant)) != STATUS_DONE)
            return status;
        if (!take_relation(&at, next) || !take_variable(&at, &p->component))
            return fail(STATUS_USAGE,
                        "PREDICATE: '%s' must continue with a relation and x instead of '%s'", text,
                        at);
        *next = swapped(*next);
        next = &p->compare2;
        constant = &p->b;
        skip_spaces(&at);
    }
    if (*at != '\0' || p->compare == VKR_COMPARE_NONE) {
        if (!take_relation(&at, next))
            return fail(STATUS_USAGE,
                        "PREDICATE: '%s' must continue with ==, !=, <, <=, > or >= and a constant "
                        "instead of '%s'",
                        text, at);
        if ((status = take_constant(&at, in->type, constant)) != STATUS_DONE)
            return status;
        skip_spaces(&at);
    }
    if (*at != '\0')
        return fail(STATUS_USAGE, "PREDICATE: '%s' has '%s' after its end", text, at);
    if (p->component >= in->components)
        return fail(STATUS_USAGE,
                    "PREDICATE: '%c' is component %u of an element; elements of %s have %u",
                    variables[p->component], p->component, in->name, in->components);
    return STATUS_DONE;
}

static const VkrPredicateKind words[PREDICATE_WORDS] = {VKR_PREDICATE_NONZERO, VKR_PREDICATE_FINITE,
                                                        VKR_PREDICATE_NAN, VKR_PREDICATE_UNIQUE};

const char *predicate_word(uint32_t index)
{
    return vkrPredicateName(words[index]);
}

int predicate_by_value(VkrPredicate *p)
{
    p->byValue = VK_TRUE;
    return p->kind == VKR_PREDICATE_UNIQUE
               ? STATUS_DONE
               : fail(STATUS_USAGE, "--by-value says how unique compares elements, which PREDICATE "
                                    "must then be");
}

int predicate_parse(const char *text, const input *in, VkrPredicate *p, const char **flags)
{
    static const char file[] = "flags:";
    *p = (VkrPredicate){0};
    *flags = NULL;
    skip_spaces(&text);
    if (*text == '!') {
        p->negate = VK_TRUE;
        text++;
        skip_spaces(&text);
    }
    for (uint32_t i = 0; i < PREDICATE_WORDS; i++)
        if (strcmp(text, predicate_word(i)) == 0) {
            p->kind = words[i];
            return STATUS_DONE;
        }
    if (strncmp(text, file, strlen(file)) == 0) {
        p->kind = VKR_PREDICATE_FLAGS;
        if (text[strlen(file)] == '\0')
            return fail(STATUS_USAGE, "PREDICATE is '%s'; it must name a file: flags:FILE.npy",
                        text);
        *flags = text + strlen(file);
        return STATUS_DONE;
    }
    return parse_comparison(text, in, p);
}
