/* SPDX-License-Identifier: MIT */
/* PREDICATE of the runner: one that is accepted must mean the same when it is written out again,
 * and the library must accept it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/compact/compact.h"
#include "said.h"
#include "trace.h"

#define MAX_TEXT_SIZE 400u

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    trace_open(&(trace_device){.built_in = true});
    return 0;
}

/* ---- As text ---- */

static const char *relation_text(VkrCompare relation)
{
    static const char *const texts[VKR_COMPARE_COUNT] = {NULL, "==", "!=", "<", "<=", ">", ">="};
    EXPECT(relation > VKR_COMPARE_NONE && relation < VKR_COMPARE_COUNT, "%d", (int)relation);
    return texts[relation];
}

/* The relation's text with its operands swapped: c REL x for x REL c. */
static const char *turned_text(VkrCompare relation)
{
    static const char *const texts[VKR_COMPARE_COUNT] = {NULL, "==", "!=", ">", ">=", "<", "<="};
    EXPECT(relation > VKR_COMPARE_NONE && relation < VKR_COMPARE_COUNT, "%d", (int)relation);
    return texts[relation];
}

static const char *constant_text(char text[64], VkrType type, VkrConstant c)
{
    const bool is_signed = type < VKR_TYPE_F16 && type % 2 == 1;
    if (type >= VKR_TYPE_F16)
        snprintf(text, 64, "%.17g", c.f);
    else if (is_signed)
        snprintf(text, 64, "%" PRId64, c.i);
    else
        snprintf(text, 64, "%" PRIu64, c.u);
    return text;
}

static void write_predicate(char *text, size_t size, const VkrPredicate *p, VkrType type,
                            const char *flags)
{
    char a[64], b[64];
    const char *negate = p->negate ? "!" : "";
    const char variable = "xyzw"[p->component];
    if (p->kind == VKR_PREDICATE_FLAGS)
        snprintf(text, size, "%sflags:%s", negate, flags);
    else if (p->kind != VKR_PREDICATE_COMPARE)
        snprintf(text, size, "%s%s", negate, vkrPredicateName(p->kind));
    else if (p->compare2 == VKR_COMPARE_NONE)
        snprintf(text, size, "%s%c%s%s", negate, variable, relation_text(p->compare),
                 constant_text(a, type, p->a));
    else
        snprintf(text, size, "%s %s %s\t%c %s %s ", negate, constant_text(a, type, p->a),
                 turned_text(p->compare), variable, relation_text(p->compare2),
                 constant_text(b, type, p->b));
}

static bool same_constant(VkrConstant a, VkrConstant b)
{
    return a.u == b.u || (isnan(a.f) && isnan(b.f));
}

static bool same(const VkrPredicate *a, const VkrPredicate *b)
{
    return a->kind == b->kind && a->negate == b->negate && a->component == b->component &&
           a->compare == b->compare && a->compare2 == b->compare2 && same_constant(a->a, b->a) &&
           same_constant(a->b, b->b);
}

/* ---- To the library ---- */

static void compact(const VkrPredicate *p, const input *in)
{
    VkrCompactInfo info = plain_compact();
    info.input.type = in->type;
    info.input.components = in->components;
    info.kept = info.input;
    info.kept.buffer = BUFFER('K');
    info.predicate = *p;
    if (p->kind == VKR_PREDICATE_FLAGS)
        info.predicate.flags.range = (VkrBufferRange){BUFFER('F'), 0, 1u << 20};
    fixture.sentences = 0;
    EXPECT(vkrBegin(fixture.recorder) == VKR_SUCCESS &&
               vkrCmdCompact(fixture.recorder, &info) == VKR_SUCCESS,
           "the library refuses it: %s", fixture.sentence);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char again[2 * MAX_TEXT_SIZE];
    fuzz_bytes bytes = {data, size};
    VkrPredicate p, q;
    const char *flags, *other;
    const input in = {.name = "INPUT",
                      .type = (VkrType)(1 + fuzz_below(&bytes, VKR_TYPE_COUNT - 1)),
                      .components = 1 + (uint32_t)fuzz_below(&bytes, VKR_MAX_COMPONENTS)};
    if (bytes.left > MAX_TEXT_SIZE)
        return -1;
    char *text = fuzz_text(&bytes);
    said_nothing();
    if (said_right(predicate_parse(text, &in, &p, &flags))) {
        EXPECT(p.component < in.components && p.negate <= VK_TRUE, "component %u", p.component);
        EXPECT((flags != NULL) == (p.kind == VKR_PREDICATE_FLAGS), "flags");
        write_predicate(again, sizeof again, &p, in.type, flags);
        EXPECT(said_right(predicate_parse(again, &in, &q, &other)), "'%s': %s", again, said());
        EXPECT(same(&p, &q) && (flags == NULL || strcmp(flags, other) == 0), "'%s' is not '%s'",
               text, again);
        compact(&p, &in);
    }
    free(text);
    return 0;
}
