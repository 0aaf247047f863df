/* SPDX-License-Identifier: MIT */
/* The data of compactions. */
#include "compact_request.h"

#include <string.h>

#define CANDIDATES 64u

static bool one_in(test_request *t, uint32_t n)
{
    return test_below(t, n) == 0;
}

static uint32_t element_of(const compact_request *s)
{
    return vkrTypeSize(s->row.type) * s->row.components;
}

/* Draws an append position: usually a small one, sometimes one close to or past the end of the
 * outputs. */
static void fill_append(test_request *t)
{
    const compact_request *s = t->own;
    const VkrGpuCount *append = &s->info.append;
    const uint64_t some[] = {test_below(t, 40),
                             test_below(t, 40),
                             0,
                             test_below(t, (uint32_t)s->most + 50),
                             s->most + 100,
                             UINT32_MAX,
                             UINT64_C(3) << 32 | 1};
    if (s->row.append == VKR_TYPE_UNDEFINED || !test_fills(t, append->buffer, append->offset))
        return;
    memcpy(test_bytes(append->buffer, append->offset),
           &some[test_below(t, ARRAY_SIZE(some) - (s->row.append == VKR_TYPE_U32))],
           vkrTypeSize(s->row.append));
}

static void fill_constants(test_request *t)
{
    static const distribution data[] = {DATA_RANDOM, DATA_ZEROS, DATA_INTEGRAL, DATA_SOME_NAN};
    const compact_request *s = t->own;
    const VkrBufferRange *at = &s->info.predicate.gpuConstants;
    if (at->buffer != VK_NULL_HANDLE && test_fills(t, at->buffer, at->offset))
        fill_data(&t->random, data[test_below(t, ARRAY_SIZE(data))], s->row.type, 1,
                  test_bytes(at->buffer, at->offset), vkrTypeSize(s->row.type), 2);
}

/* ---- Elements ---- */

/* Elements of all kinds, some of them close to the constants. The first `passed` ones pass the
 * test. */
typedef struct candidates {
    unsigned char elements[CANDIDATES * 32];
    uint32_t passed;
} candidates;

static void near_constants(test_request *t, unsigned char *elements)
{
    const compact_request *s = t->own;
    const VkrPredicate *p = &s->info.predicate;
    const uint32_t size = vkrTypeSize(s->row.type), element = element_of(s);
    for (uint32_t i = 0; i < CANDIDATES; i += 3) {
        uint64_t bits = oracle_constant(s->row.type, one_in(t, 2) ? p->a : p->b);
        if (p->kind == VKR_PREDICATE_BITS)
            bits = p->value | (next_random(&t->random) & ~p->mask);
        else if (p->gpuConstants.buffer != VK_NULL_HANDLE)
            memcpy(&bits,
                   test_bytes(p->gpuConstants.buffer,
                              p->gpuConstants.offset + size * test_below(t, 2)),
                   size);
        if (one_in(t, 2))
            bits += test_below(t, 3) - 1u;
        if (one_in(t, 4))
            bits ^= UINT64_C(1) << (8 * size - 1);
        memcpy(elements + i * element + p->component * size, &bits, size);
    }
}

static void draw_elements(test_request *t, unsigned char *elements)
{
    const compact_request *s = t->own;
    const VkrPredicateKind kind = s->info.predicate.kind;
    const uint32_t element = element_of(s);
    uint64_t *random = &t->random;
    fill_data(random, (distribution)test_below(t, DATA_COUNT), s->row.type, s->row.components,
              elements, element, CANDIDATES);
    if (kind == VKR_PREDICATE_COMPARE || kind == VKR_PREDICATE_BITS)
        near_constants(t, elements);
    if (kind == VKR_PREDICATE_NONZERO)
        fill_data(random, DATA_ZEROS, s->row.type, s->row.components, elements, 3 * element,
                  CANDIDATES / 3);
    if (kind == VKR_PREDICATE_NAN || kind == VKR_PREDICATE_FINITE)
        fill_data(random, one_in(t, 2) ? DATA_NAN : DATA_INFINITE, s->row.type, s->row.components,
                  elements, 3 * element, CANDIDATES / 3);
}

/* Those that pass, and then the others, are what the oracle keeps and rejects. */
static void draw_candidates(test_request *t, candidates *sorted)
{
    const compact_request *s = t->own;
    const uint32_t size = CANDIDATES * element_of(s);
    unsigned char elements[CANDIDATES * 32], rejected[CANDIDATES * 32];
    const oracle_image images[] = {{(VkBuffer)(uintptr_t)elements, elements},
                                   {(VkBuffer)(uintptr_t)sorted, sorted->elements},
                                   {(VkBuffer)(uintptr_t)rejected, rejected},
                                   {rig.given.buffer.buffer, rig.given.shadow},
                                   {rig.written.buffer.buffer, rig.written.shadow}};
    const VkrCompactInfo info = {.input = {.buffer = images[0].buffer,
                                           .size = size,
                                           .type = s->row.type,
                                           .components = s->row.components},
                                 .count = CANDIDATES,
                                 .predicate = s->info.predicate,
                                 .kept = {.buffer = images[1].buffer, .size = size},
                                 .rejected = {.buffer = images[2].buffer, .size = size}};
    draw_elements(t, elements);
    sorted->passed =
        (uint32_t)oracle_compact(
            &(oracle_device){.images = images, .image_count = ARRAY_SIZE(images)}, &info)
            .kept;
    const uint32_t used = sorted->passed * element_of(s);
    memcpy(sorted->elements + used, rejected, size - used);
}

/* ---- Which elements are kept ---- */

/* None, all, one, every second one, runs, or a random share. */
typedef struct pattern {
    uint32_t kind;
    uint32_t share; /* in units of 1/1000 */
    uint64_t one;
    uint32_t left; /* elements left of the current run */
    bool now;
} pattern;

static pattern draw_pattern(test_request *t, uint64_t count)
{
    const uint64_t ends[] = {0, count > 0 ? count - 1 : 0, count / 2};
    return (pattern){.kind = test_below(t, 8),
                     .share = 1 + test_below(t, 999),
                     .one = ends[test_below(t, ARRAY_SIZE(ends))],
                     .now = one_in(t, 2)};
}

static bool next_of(pattern *p, test_request *t, uint64_t i)
{
    switch (p->kind) {
    case 0:
        return p->now; /* none or all */
    case 1:
        return p->now != (i == p->one);
    case 2:
        return (i % 2 != 0) != p->now;
    case 3:
        if (p->left-- == 0) {
            p->left = test_below(t, p->share);
            p->now = !p->now;
        }
        return p->now;
    default:
        return test_below(t, 1000) < p->share;
    }
}

/* What the functions of keep.comp return. */
static bool called_keeps(uint32_t i)
{
    for (uint32_t k = 0; k < 3; k++)
        i = i * 1664525u + 1013904223u;
    return i >> 28 != 0 && i >> 29 != 6;
}

static void fill_flags(test_request *t, uint64_t count, pattern *p)
{
    const compact_request *s = t->own;
    const VkrFlagView *flags = &s->info.predicate.flags;
    unsigned char *at = test_bytes(flags->range.buffer, flags->range.offset);
    if (!test_fills(t, flags->range.buffer, flags->range.offset))
        return;
    for (uint64_t i = 0; i < count; i++) {
        const bool set =
            s->row.called != NULL ? called_keeps((uint32_t)i) : next_of(p, t, i) != s->row.negate;
        const uint32_t word = set ? UINT32_C(1) << test_below(t, 32) : 0;
        if (flags->format == VKR_FLAGS_U32)
            memcpy(at + 4 * i, &word, 4);
        else if (flags->format == VKR_FLAGS_U8)
            at[i] = (unsigned char)(set ? 1u << test_below(t, 8) : 0);
        else
            at[i / 8] = (unsigned char)((at[i / 8] & ~(1u << i % 8)) | (unsigned)set << i % 8);
    }
}

/* The start of a run differs in one bit from the previous element. If there is no previous element,
 * the bytes before it are often equal to it. */
static void fill_runs(test_request *t, unsigned char *at, VkDeviceSize stride, uint64_t count,
                      pattern *p)
{
    const compact_request *s = t->own;
    const uint32_t element = element_of(s);
    if (count != 0 && one_in(t, 2))
        memcpy(at - stride, at, element);
    for (uint64_t i = 1; i < count; i++) {
        memcpy(at + i * stride, at + (i - 1) * stride, element);
        if (next_of(p, t, i) != s->row.negate)
            at[i * stride + test_below(t, element)] ^= (unsigned char)(1u << test_below(t, 8));
        if (s->info.predicate.byValue)
            vary_floats(&t->random, s->row.type, s->row.components, one_in(t, 4), at + i * stride);
    }
}

static void fill_elements(test_request *t, unsigned char *at, VkDeviceSize stride, uint64_t count,
                          pattern *p)
{
    candidates sorted;
    const uint32_t element = element_of(t->own);
    draw_candidates(t, &sorted);
    for (uint64_t i = 0; i < count; i++) {
        const bool pass = next_of(p, t, i);
        const uint32_t bound = pass ? sorted.passed : CANDIDATES - sorted.passed;
        const uint32_t one = bound == 0 ? test_below(t, CANDIDATES)
                                        : test_below(t, bound) + (pass ? 0 : sorted.passed);
        memcpy(at + i * stride, sorted.elements + one * element, element);
    }
}

/* Elements beyond a count of the GPU remain random bits, which may pass. */
void compact_fill(test_request *t)
{
    const compact_request *s = t->own;
    const VkrView *input = &s->info.input;
    const uint64_t count = test_filled(t, &s->info.gpuCount, s->most);
    const VkDeviceSize stride = input->stride != 0 ? input->stride : element_of(s);
    pattern p = draw_pattern(t, count);
    fill_append(t);
    fill_constants(t);
    if (s->info.predicate.kind == VKR_PREDICATE_FLAGS)
        fill_flags(t, count, &p);
    else if (test_fills(t, input->buffer, input->offset))
        (s->info.predicate.kind == VKR_PREDICATE_UNIQUE ? fill_runs : fill_elements)(
            t, test_element(input, 0), stride, count, &p);
}
