/* SPDX-License-Identifier: MIT */
/* Lengths and positions of segments. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segments_run.h"

uint64_t segments_choose_length(uint64_t *random)
{
    static const uint32_t lengths[] = {1,   2,   3,   4,   5,   7,    8,    9,    15,   16,  17,
                                       31,  32,  33,  63,  64,  65,   127,  128,  129,  255, 256,
                                       257, 509, 512, 991, 997, 1021, 4099, 8191, 8192, 8193};
    return lengths[random_below(random, random_below(random, 3) == 0 ? ARRAY_SIZE(lengths) : 17)];
}

static void take_shape(const segment_row *row, segment_case *c)
{
    c->length = row->length;
    c->capacity = row->capacity;
    c->segments = row->kind == VKR_SEGMENTS_COLUMNS   ? c->length
                  : row->kind == VKR_SEGMENTS_WINDOWS ? c->capacity - c->length + 1
                                                      : c->capacity / c->length;
}

static void shape_case(const row_run *r, segment_case *c)
{
    const segment_row *row = r->row;
    uint64_t *random = &r->t->random;
    if (row->capacity != 0) {
        take_shape(row, c);
        return;
    }
    c->length = r->t->thin ? r->lengths[random_below(random, 2)] : segments_choose_length(random);
    const uint64_t most = CASE_ELEMENTS / c->length;
    switch (row->kind) {
    case VKR_SEGMENTS_ROWS:
        c->segments = random_below(random, (uint32_t)(most < 300 ? most : 300) + 1);
        c->capacity = c->segments * c->length;
        break;
    case VKR_SEGMENTS_COLUMNS:
        c->segments = c->length;
        c->capacity = c->length * random_below(random, (uint32_t)most + 1);
        break;
    case VKR_SEGMENTS_WINDOWS:
        c->capacity = c->length + random_below(random, 300);
        c->capacity -= c->capacity < 2 ? c->capacity : 2; /* possibly smaller than one window */
        c->segments = c->capacity < c->length ? 0 : c->capacity - c->length + 1;
        break;
    default:
        c->segments =
            random_below(random, 3) == 0 ? random_below(random, 4) : random_below(random, 400);
        c->capacity = 1 + random_below(random, CASE_ELEMENTS);
        break;
    }
}

static void place_inputs(row_run *r, segment_case *c)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(r->row->type), element = size * r->row->components;
    const bool packed = r->row->packed || (r->t->thin ? r->packed : random_below(random, 3) != 0);
    const bool aligned = r->row->packed || (r->t->thin ? r->aligned : random_below(random, 2) == 0);
    const uint32_t phase = aligned ? 0 : size * random_below(random, 16);
    for (int i = 0; i < ((r->row->ops & VKR_OP_DOT) != 0 ? 2 : 1); i++) {
        c->stride[i] = element + (packed       ? 0
                                  : r->t->thin ? size * (1 + random_below(random, 3))
                                               : size * random_below(random, 4));
        c->size[i] = c->capacity == 0 ? 0 : (c->capacity - 1) * c->stride[i] + element;
        c->offset[i] =
            arena_place(&r->t->buffers[SEGMENTS_INPUT + i], random, 32, phase + c->size[i]) + phase;
    }
    if (r->row->tuning.path == VKR_LOAD_TEXEL)
        c->texels = arena_place_texels(&r->t->h, random, c->offset[0], c->size[0]);
}

VkrReduceInfo segments_case_info(const row_run *r, const segment_case *c)
{
    const segment_row *row = r->row;
    const arena *buffers = r->t->buffers;
    const VkBuffer counts = buffers[SEGMENTS_COUNTS].buffer.buffer;
    const bool offsets = row->kind == VKR_SEGMENTS_OFFSETS;
    VkrView views[2];
    for (int i = 0; i < 2; i++)
        views[i] = (VkrView){.buffer = buffers[SEGMENTS_INPUT + i].buffer.buffer,
                             .offset = c->offset[i],
                             .size = c->size[i],
                             .type = row->type,
                             .components = row->components,
                             .stride = c->stride[i]};
    views[0].texels = c->texels;
    VkrReduceInfo info = {
        .label = "segments",
        .ops = row->ops,
        .input = views[0],
        .input2 = views[1],
        .count = c->capacity,
        .output = {buffers[SEGMENTS_OUTPUT].buffer.buffer, c->output, c->layout.size},
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .flags = row->sample ? VKR_REDUCE_SAMPLE_BIT : 0,
        .algorithm = row->algorithm,
        .segments = {.kind = row->kind, .length = c->length},
    };
    if (offsets)
        info.segments.offsets = (VkrBufferRange){counts, c->offsets_at,
                                                 (c->segments + 1) * vkrTypeSize(row->offset_type)};
    info.segments.offsetType = row->offset_type;
    if (row->gpu_count != VKR_TYPE_UNDEFINED) {
        info.gpuCount = (VkrGpuCount){counts, c->count_at, row->gpu_count};
        if (offsets)
            info.segments.gpuCount = (VkrGpuCount){counts, c->segments_at, row->gpu_count};
    }
    return info;
}

void segments_add_case(row_run *r)
{
    uint64_t *random = &r->t->random;
    segment_case *c = &r->cases[r->case_count];
    arena *counts = &r->t->buffers[SEGMENTS_COUNTS];
    *c = (segment_case){0};
    shape_case(r, c);
    place_inputs(r, c);
    if (r->row->kind == VKR_SEGMENTS_OFFSETS)
        c->offsets_at = arena_place(counts, random, r->row->packed ? 16 : 4,
                                    (c->segments + 1) * vkrTypeSize(r->row->offset_type));
    if (r->row->gpu_count != VKR_TYPE_UNDEFINED) {
        c->count_at = arena_place(counts, random, 4, 8);
        c->segments_at = arena_place(counts, random, 4, 8);
    }
    const VkrReduceInfo info = segments_case_info(r, c);
    assert_true(harness_check(
        &r->t->h,
        vkrGetReduceLayout(get_context(&r->t->contexts, r->row->limits, &r->row->tuning), &info,
                           &c->layout),
        "vkrGetReduceLayout"));
    assert_int_equal(c->layout.segments, c->segments);
    c->output = arena_place(&r->t->buffers[SEGMENTS_OUTPUT], random,
                            r->row->packed ? 16 : c->layout.alignment, c->layout.size);
    r->case_count++;
}
