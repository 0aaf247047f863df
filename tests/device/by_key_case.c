/* SPDX-License-Identifier: MIT */
/* Cases of reductions and scans by key: where their data lie, and the data. */
#include <string.h>

#include "by_key_run.h"

/* ---- Cases ---- */

static VkrView place_view(key_run *r, int buffer, VkrType type, uint32_t components, uint64_t count)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(type), element = size * components;
    const bool packed = r->row->words || random_below(random, 2) == 0;
    const VkDeviceSize stride = element + (packed ? 0 : size * random_below(random, 3));
    const VkDeviceSize drawn = random_below(random, 2) == 0 ? 0 : size * random_below(random, 8);
    const bool read = buffer == KEYS_INPUT || buffer == KEYS_KEYS;
    const VkDeviceSize phase = r->row->words && read ? size * r->phase : drawn;
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * stride + element;
    return (VkrView){.buffer = r->t->buffers[buffer].buffer.buffer,
                     .offset =
                         arena_place(&r->t->buffers[buffer], random, 32, phase + bytes) + phase,
                     .size = bytes == 0 ? size : bytes,
                     .type = type,
                     .components = components,
                     .stride = stride};
}

/* Count outputs of all kinds that tell something about runs; `apart` makes them lie so far apart
 * that a dispatch of their own writes them. */
static void place_counts(key_run *r, key_case *c, bool apart)
{
    const bool alone = r->row->words && random_below(&r->t->random, 2) == 0;
    static const VkrCountKind kinds[MAX_RUN_COUNTS] = {
        VKR_COUNT_KEPT, VKR_COUNT_STORED, VKR_COUNT_DISPATCH, VKR_COUNT_KEPT64, VKR_COUNT_REJECTED};
    arena *written = &r->t->buffers[KEYS_WRITTEN];
    const bool wide = alone && random_below(&r->t->random, 2) == 0;
    c->number_of_counts = alone ? 1 : apart ? MAX_RUN_COUNTS : 3;
    c->counts_at = arena_place(written, &r->t->random, 4, 5 * 160);
    for (uint32_t i = 0; i < c->number_of_counts; i++)
        c->counts[i] = (VkrCountOutput){.kind = wide ? VKR_COUNT_KEPT64 : kinds[i],
                                        .buffer = written->buffer.buffer,
                                        .offset = c->counts_at + (apart ? 160 : 12) * i,
                                        .scale = kinds[i] == VKR_COUNT_DISPATCH ? 64 : 0};
}

VkrReduceInfo key_reduce_info(const key_run *r, const key_case *c)
{
    const key_row *row = r->row;
    const arena *buffers = r->t->buffers;
    return (VkrReduceInfo){
        .label = "by key",
        .ops = row->ops,
        .input = c->input,
        .input2 = c->input,
        .count = c->capacity,
        .gpuCount = {row->gpu_count != 0 ? buffers[KEYS_COUNTS].buffer.buffer : VK_NULL_HANDLE,
                     c->count_at, row->gpu_count},
        .output = {buffers[KEYS_RESULTS].buffer.buffer, c->results_at, c->layout.size},
        .determinism = row->determinism,
        .segments = {.kind = VKR_SEGMENTS_KEYS,
                     .keys = c->keys,
                     .runs = {.uniqueKeys = c->unique,
                              .lengths = c->lengths,
                              .capacity = c->room,
                              .countOutputCount = c->number_of_counts,
                              .countOutputs = c->counts}},
    };
}

VkrScanInfo key_scan_info(const key_run *r, const key_case *c)
{
    const key_row *row = r->row;
    return (VkrScanInfo){
        .label = "by key",
        .op = (VkrOp)(row->ops & (0u - row->ops)),
        .flags = row->flags,
        .input = c->input,
        .output = c->output,
        .count = c->capacity,
        .gpuCount = {row->gpu_count != 0 ? r->t->buffers[KEYS_COUNTS].buffer.buffer
                                         : VK_NULL_HANDLE,
                     c->count_at, row->gpu_count},
        .determinism = row->determinism,
        .segments = {.kind = VKR_SEGMENTS_KEYS, .keys = c->keys},
    };
}

uint64_t stored_runs(const key_case *c)
{
    return c->room != 0 && c->room < c->capacity ? c->room : c->capacity;
}

static void place_reduction(key_run *r, key_case *c)
{
    const key_row *row = r->row;
    uint64_t *random = &r->t->random;
    if (row->outputs != 0 && !(row->words && r->length != 0)) /* those store all of their runs */
        c->room = random_below(random, 2) == 0 ? 0 : 1 + random_below(random, 300);
    if (row->outputs % 2 != 0)
        c->unique = place_view(r, KEYS_UNIQUE, row->key_type, row->key_components, stored_runs(c));
    if (row->outputs >= 2)
        c->lengths = place_view(r, KEYS_LENGTHS, row->length_type, 1, stored_runs(c));
    if (row->outputs != 0)
        place_counts(r, c, row->outputs == 2);
    const VkrReduceInfo info = key_reduce_info(r, c);
    const VkrContext context = get_context(&r->t->contexts, row->limits, &row->tuning);
    assert_true(harness_check(&r->t->h, vkrGetReduceLayout(context, &info, &c->layout), "layout"));
    assert_int_equal(c->layout.segments, stored_runs(c));
    c->results_at =
        arena_place(&r->t->buffers[KEYS_RESULTS], random, c->layout.alignment, c->layout.size);
}

void add_key_case(key_run *r, uint64_t count)
{
    const key_row *row = r->row;
    key_case *c = &r->cases[r->case_count++];
    *c = (key_case){.capacity = count, .count = count};
    c->input = place_view(r, KEYS_INPUT, row->type, row->components, count);
    c->keys = c->input;
    if (!row->shared)
        c->keys = place_view(r, KEYS_KEYS, row->key_type, row->key_components, count);
    c->count_at = arena_place(&r->t->buffers[KEYS_COUNTS], &r->t->random, 4, 8);
    if (!row->scan) {
        place_reduction(r, c);
        return;
    }
    const VkrScanInfo info = key_scan_info(r, c);
    const VkrContext context = get_context(&r->t->contexts, row->limits, &row->tuning);
    assert_true(harness_check(&r->t->h, vkrGetScanType(context, &info, &r->result), "type"));
    c->output = c->input; /* in place, if the results have the type of the elements */
    if (r->result != row->type || random_below(&r->t->random, 2) == 0)
        c->output = place_view(r, KEYS_RESULTS, r->result, row->components, count);
    if (row->over) {
        c->output = c->keys;
        c->output.type = r->result;
    }
}

/* ---- Data ---- */

unsigned char *at_element(const key_run *r, int buffer, const VkrView *view, uint64_t i)
{
    return r->t->buffers[buffer].shadow + view->offset + i * view->stride;
}

const unsigned char *key_at(const key_run *r, const key_case *c, uint64_t i)
{
    return at_element(r, r->row->shared ? KEYS_INPUT : KEYS_KEYS, &c->keys, i);
}

uint32_t key_size(const key_case *c)
{
    return vkrTypeSize(c->keys.type) * c->keys.components;
}

/* The length of the next run: all kinds of distributions. */
static uint64_t draw_length(key_run *r, uint32_t way)
{
    uint64_t *random = &r->t->random;
    if (r->length != 0)
        return r->length;
    const uint64_t lengths[] = {1,
                                1 + random_below(random, 3),
                                1 + random_below(random, 40),
                                random_below(random, 20) == 0 ? 3000 : 1 + random_below(random, 4),
                                255 + random_below(random, 3),
                                UINT64_MAX};
    return lengths[way];
}

/* Fills keys with runs. The key of the next run differs in all bits, in some, or in one. */
static void fill_keys(key_run *r, const key_case *c)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = key_size(c), way = random_below(random, 6);
    unsigned char key[32];
    uint64_t left = 0;
    for (uint32_t b = 0; b < size; b++)
        key[b] = (unsigned char)next_random(random);
    for (uint64_t i = 0; i < c->capacity; i++, left--) {
        if (left == 0) {
            left = draw_length(r, way);
            key[random_below(random, size)] ^= (unsigned char)(1u << random_below(random, 8));
            if (random_below(random, 3) == 0)
                key[random_below(random, size)] = (unsigned char)next_random(random);
            if (r->row->words && random_below(random, 4) == 0) {
                key[2] |= 0x80; /* of floats, a NaN */
                key[3] |= 0x7f;
            }
        }
        memcpy(at_element(r, r->row->shared ? KEYS_INPUT : KEYS_KEYS, &c->keys, i), key, size);
    }
}

bool starts_run(const key_run *r, const key_case *c, uint64_t i)
{
    return i == 0 || memcmp(key_at(r, c, i), key_at(r, c, i - 1), key_size(c)) != 0;
}

void fill_key_case(key_run *r, key_case *c)
{
    const key_row *row = r->row;
    uint64_t *random = &r->t->random;
    const distribution data = (row->ops & VKR_OP_PRODUCT) != 0
                                  ? DATA_UNIT
                                  : (distribution)random_below(random, DATA_COUNT);
    c->count = c->capacity;
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count = choose_count(random, row->gpu_count, c->capacity,
                                r->t->buffers[KEYS_COUNTS].shadow + c->count_at);
    if (!row->shared)
        fill_data(random, data, row->type, row->components, at_element(r, KEYS_INPUT, &c->input, 0),
                  c->input.stride, c->count);
    fill_keys(r, c);
    c->runs = 0;
    for (uint64_t i = 0; i < c->count; i++)
        c->runs += starts_run(r, c, i);
}
