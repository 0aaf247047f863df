/* SPDX-License-Identifier: MIT */
/* The data of a row of compactions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compact_run.h"

#define CANDIDATES 64u

/* Draws an append position: usually a small one, sometimes one close to or past the end of the
 * outputs. */
static void choose_append(row_run *r, compact_case *c)
{
    uint64_t *random = &r->t->random;
    const uint64_t some[] = {random_below(random, 40),
                             random_below(random, 40),
                             0,
                             random_below(random, (uint32_t)c->most + 50),
                             c->most + 100,
                             UINT32_MAX,
                             UINT64_C(3) << 32 | 1};
    if (r->row->append == VKR_TYPE_UNDEFINED)
        return;
    c->append = some[random_below(random, ARRAY_SIZE(some) - (r->row->append == VKR_TYPE_U32))];
    memcpy(r->t->buffers[COMPACT_ARGUMENTS].shadow + c->info.append.offset, &c->append,
           vkrTypeSize(r->row->append));
}

/* Elements of all kinds, some of them close to the constants. The first `passed` ones pass the
 * test. */
typedef struct candidates {
    unsigned char elements[CANDIDATES * 32];
    uint32_t passed;
} candidates;

static void near_constants(row_run *r, const compact_case *c, unsigned char *elements)
{
    uint64_t *random = &r->t->random;
    const VkrPredicate *p = &c->info.predicate;
    const uint32_t size = vkrTypeSize(r->row->type), element = size * r->row->components;
    for (uint32_t i = 0; i < CANDIDATES; i += 3) {
        uint64_t bits = oracle_constant(r->row->type, flip(r, 2) ? p->a : p->b);
        if (p->kind == VKR_PREDICATE_BITS)
            bits = p->value | (next_random(random) & ~p->mask);
        else if (p->gpuConstants.buffer != VK_NULL_HANDLE)
            memcpy(&bits,
                   r->t->buffers[COMPACT_ARGUMENTS].shadow + p->gpuConstants.offset +
                       size * random_below(random, 2),
                   size);
        if (flip(r, 2))
            bits += random_below(random, 3) - 1u;
        if (flip(r, 4))
            bits ^= UINT64_C(1) << (8 * size - 1);
        memcpy(elements + i * element + p->component * size, &bits, size);
    }
}

static void choose_candidates(row_run *r, const compact_case *c, candidates *sorted)
{
    uint64_t *random = &r->t->random;
    const uint32_t element = vkrTypeSize(r->row->type) * r->row->components;
    unsigned char elements[CANDIDATES * 32];
    uint32_t indices[CANDIDATES];
    VkrCompactInfo info = {.input = {.buffer = (VkBuffer)(uintptr_t)elements,
                                     .size = CANDIDATES * element,
                                     .type = r->row->type,
                                     .components = r->row->components},
                           .count = CANDIDATES,
                           .predicate = c->info.predicate};
    info.keptIndices = info.rejectedIndices = (VkrView){
        .buffer = (VkBuffer)(uintptr_t)indices, .size = sizeof(indices), .type = VKR_TYPE_U32};
    fill_data(random, (distribution)random_below(random, DATA_COUNT), r->row->type,
              r->row->components, elements, element, CANDIDATES);
    if (info.predicate.kind == VKR_PREDICATE_COMPARE || info.predicate.kind == VKR_PREDICATE_BITS)
        near_constants(r, c, elements);
    if (info.predicate.kind == VKR_PREDICATE_NONZERO)
        fill_data(random, DATA_ZEROS, r->row->type, r->row->components, elements, 3 * element,
                  CANDIDATES / 3);
    if (info.predicate.kind == VKR_PREDICATE_NAN || info.predicate.kind == VKR_PREDICATE_FINITE)
        fill_data(random, flip(r, 2) ? DATA_NAN : DATA_INFINITE, r->row->type, r->row->components,
                  elements, 3 * element, CANDIDATES / 3);
    oracle_device device = r->device;
    r->images[COMPACT_BUFFERS] = (oracle_image){info.input.buffer, elements};
    r->images[COMPACT_BUFFERS + 1] = (oracle_image){info.keptIndices.buffer, indices};
    device.image_count = COMPACT_BUFFERS + 2;
    info.rejectedIndices.buffer = VK_NULL_HANDLE;
    sorted->passed = (uint32_t)oracle_compact(&device, &info).kept;
    for (uint32_t i = 0; i < sorted->passed; i++)
        memcpy(sorted->elements + i * element, elements + indices[i] * element, element);
    info.predicate.negate = !info.predicate.negate;
    oracle_compact(&device, &info);
    for (uint32_t i = sorted->passed; i < CANDIDATES; i++)
        memcpy(sorted->elements + i * element, elements + indices[i - sorted->passed] * element,
               element);
}

/* Which elements are kept: none, all, one, every second one, runs, or a random share. */
typedef struct pattern {
    uint32_t kind;
    uint32_t share; /* in units of 1/1000 */
    uint64_t one;
    uint32_t left; /* elements left of the current run */
    bool now;
} pattern;

static pattern choose_pattern(row_run *r, uint64_t count)
{
    uint64_t *random = &r->t->random;
    const uint64_t ends[] = {0, count > 0 ? count - 1 : 0, count / 2};
    return (pattern){.kind = random_below(random, 8),
                     .share = 1 + random_below(random, 999),
                     .one = ends[random_below(random, ARRAY_SIZE(ends))],
                     .now = flip(r, 2)};
}

static bool next_of(pattern *p, row_run *r, uint64_t i)
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
            p->left = random_below(&r->t->random, p->share);
            p->now = !p->now;
        }
        return p->now;
    default:
        return random_below(&r->t->random, 1000) < p->share;
    }
}

/* What the functions of keep.comp return. */
static bool called_keeps(uint32_t i)
{
    for (uint32_t k = 0; k < 3; k++)
        i = i * 1664525u + 1013904223u;
    return i >> 28 != 0 && i >> 29 != 6;
}

static void fill_flags(row_run *r, compact_case *c, pattern *p)
{
    uint64_t *random = &r->t->random;
    const VkrFlagView *flags = &c->info.predicate.flags;
    unsigned char *at = r->t->buffers[COMPACT_INPUT].shadow + flags->range.offset;
    for (uint64_t i = 0; i < c->count; i++) {
        const bool set =
            r->row->called ? called_keeps((uint32_t)i) : next_of(p, r, i) != r->row->negate;
        const uint32_t word = set ? UINT32_C(1) << random_below(random, 32) : 0;
        if (flags->format == VKR_FLAGS_U32)
            memcpy(at + 4 * i, &word, 4);
        else if (flags->format == VKR_FLAGS_U8)
            at[i] = (unsigned char)(set ? 1u << random_below(random, 8) : 0);
        else
            at[i / 8] = (unsigned char)((at[i / 8] & ~(1u << i % 8)) | (unsigned)set << i % 8);
    }
}

/* The start of a run differs in one bit from the previous element. If there is no previous element,
 * the bytes before it are often equal to it. */
static void fill_runs(row_run *r, compact_case *c, pattern *p)
{
    uint64_t *random = &r->t->random;
    const uint32_t element = vkrTypeSize(r->row->type) * r->row->components;
    const VkDeviceSize stride = c->info.input.stride != 0 ? c->info.input.stride : element;
    unsigned char *at = r->t->buffers[COMPACT_INPUT].shadow + c->info.input.offset;
    if (c->count == 0)
        return;
    if (flip(r, 2)) {
        unsigned char first[32];
        memcpy(first, at, element);
        memcpy(at - stride, first, element);
    }
    for (uint64_t i = 1; i < c->count; i++) {
        memcpy(at + i * stride, at + (i - 1) * stride, element);
        if (next_of(p, r, i) != r->row->negate)
            at[i * stride + random_below(random, element)] ^=
                (unsigned char)(1u << random_below(random, 8));
    }
}

static void fill_elements(row_run *r, compact_case *c, pattern *p)
{
    candidates sorted;
    uint64_t *random = &r->t->random;
    const uint32_t element = vkrTypeSize(r->row->type) * r->row->components;
    const VkDeviceSize stride = c->info.input.stride != 0 ? c->info.input.stride : element;
    unsigned char *at = r->t->buffers[COMPACT_INPUT].shadow + c->info.input.offset;
    choose_candidates(r, c, &sorted);
    for (uint64_t i = 0; i < c->count; i++) {
        const bool pass = next_of(p, r, i);
        const uint32_t bound = pass ? sorted.passed : CANDIDATES - sorted.passed;
        const uint32_t one = bound == 0 ? random_below(random, CANDIDATES)
                                        : random_below(random, bound) + (pass ? 0 : sorted.passed);
        memcpy(at + i * stride, sorted.elements + one * element, element);
    }
}

void compact_fill_case(row_run *r, compact_case *c)
{
    const VkrPredicate *p = &c->info.predicate;
    static const distribution data[] = {DATA_RANDOM, DATA_ZEROS, DATA_INTEGRAL, DATA_SOME_NAN};
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(r->row->type);
    c->count =
        r->row->gpu_count == VKR_TYPE_UNDEFINED
            ? c->most
            : choose_count(random, r->row->gpu_count, c->most,
                           r->t->buffers[COMPACT_ARGUMENTS].shadow + c->info.gpuCount.offset);
    choose_append(r, c);
    if (p->gpuConstants.buffer != VK_NULL_HANDLE)
        fill_data(random, data[random_below(random, ARRAY_SIZE(data))], r->row->type, 1,
                  r->t->buffers[COMPACT_ARGUMENTS].shadow + p->gpuConstants.offset, size, 2);
    pattern which = choose_pattern(r, c->count);
    if (p->kind == VKR_PREDICATE_FLAGS)
        fill_flags(r, c, &which);
    else if (p->kind == VKR_PREDICATE_UNIQUE)
        fill_runs(r, c, &which);
    else
        fill_elements(r, c, &which);
}
