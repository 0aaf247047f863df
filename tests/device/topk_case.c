/* SPDX-License-Identifier: MIT */
#include "topk_case.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_histogram.h"

#define ARENA_BYTES ((VkDeviceSize)24 << 20)
#define SHOWN 12u

/* What one run has: the request, and where its data lie. */
typedef struct topk_run {
    topk_test *t;
    const topk_row *row;
    const topk_size *size;
    VkrTopKInfo info;
    VkrPayload payload;
    uint32_t element;  /* bytes */
    uint32_t rows;     /* as far as the host knows */
    uint32_t length;   /* of a row */
    uint64_t elements; /* that count */
} topk_run;

/* ---- The order ---- */

static const topk_run *sorted_run;

static int sign_of(bool less, bool greater)
{
    return (int)greater - (int)less;
}

static const char *element_at(uint32_t i)
{
    const VkrView *view = &sorted_run->info.input;
    return (const char *)sorted_run->t->arenas[TOPK_INPUT].shadow + view->offset + i * view->stride;
}

/* NaN without the sign come first, with smaller bits first; then those with it, with greater bits
 * first; and the reverse for the greatest elements. */
static int compare_nan(VkrType type, const void *a, const void *b, bool least)
{
    const uint32_t size = vkrTypeSize(type);
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    uint64_t x = 0, y = 0;
    memcpy(&x, a, size); /* little-endian */
    memcpy(&y, b, size);
    x = (x & sign) != 0 ? 2 * sign - 1 - (x - sign) : x;
    y = (y & sign) != 0 ? 2 * sign - 1 - (y - sign) : y;
    return least ? sign_of(x<y, x> y) : sign_of(x > y, x < y);
}

/* -0 is below +0. NaN come last. */
static int compare_floats(VkrType type, const void *a, const void *b, bool least)
{
    const double x = oracle_double(type, a), y = oracle_double(type, b);
    if (isnan(x) != isnan(y))
        return sign_of(!isnan(x), !isnan(y));
    if (isnan(x))
        return compare_nan(type, a, b, least);
    const int order =
        x != y ? sign_of(x<y, x> y) : sign_of(signbit(x) && !signbit(y), !signbit(x) && signbit(y));
    return least ? order : -order;
}

static int compare_integers(VkrType type, const void *a, const void *b, bool least)
{
    const uint32_t size = vkrTypeSize(type);
    const bool is_signed =
        type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 || type == VKR_TYPE_I64;
    uint64_t x = 0, y = 0;
    memcpy(&x, a, size); /* little-endian */
    memcpy(&y, b, size);
    const uint64_t bias = is_signed ? UINT64_C(1) << (8 * size - 1) : 0;
    const int order = sign_of((x ^ bias) < (y ^ bias), (x ^ bias) > (y ^ bias));
    return least ? order : -order;
}

static int compare(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const VkrType type = sorted_run->row->type;
    const bool least = (sorted_run->row->flags & VKR_TOP_K_LEAST_BIT) != 0;
    const int order = is_float(type) ? compare_floats(type, element_at(i), element_at(k), least)
                                     : compare_integers(type, element_at(i), element_at(k), least);
    return order != 0 ? order : sign_of(i<k, i> k);
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return sign_of(x<y, x> y);
}

/* Finds the entries of a row, as indices of elements. Returns their number. */
static uint32_t find_entries(const topk_run *run, uint32_t row, bool sorted, uint32_t *indices)
{
    const uint64_t first = (uint64_t)row * run->length;
    const uint64_t left = first < run->elements ? run->elements - first : 0;
    const uint32_t length = (uint32_t)(left < run->length ? left : run->length);
    const uint32_t found = length < run->size->k ? length : run->size->k;
    for (uint32_t i = 0; i < length; i++)
        indices[i] = (uint32_t)first + i;
    sorted_run = run;
    qsort(indices, length, sizeof *indices, compare);
    if (!sorted) /* the indices ascend */
        qsort(indices, found, sizeof *indices, compare_numbers);
    return found;
}

/* ---- Data ---- */

static VkrView place_view(topk_run *run, uint32_t at, VkrType type, uint64_t count)
{
    arena *a = &run->t->arenas[at];
    const uint32_t size = vkrTypeSize(type);
    const VkDeviceSize stride = run->row->strided ? 3 * (VkDeviceSize)size : size;
    const VkDeviceSize bytes = count == 0 ? 0 : (count - 1) * stride + size;
    return (VkrView){.buffer = a->buffer.buffer,
                     .offset = arena_place(a, &run->t->random, size, bytes + size),
                     .size = bytes,
                     .type = type,
                     .stride = stride};
}

static void place_payload(topk_run *run, uint64_t entries)
{
    topk_test *t = run->t;
    const uint32_t size = run->row->payload_size, unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    const VkDeviceSize stride = run->row->strided ? size + 2 * (VkDeviceSize)unit : size;
    VkrPayload *p = &run->payload;
    *p = (VkrPayload){.size = size, .sourceStride = stride, .targetStride = stride};
    p->source.buffer = t->arenas[TOPK_SOURCE].buffer.buffer;
    p->source.size = run->size->count * stride + 64;
    p->source.offset = arena_place(&t->arenas[TOPK_SOURCE], &t->random, unit, p->source.size);
    p->target.buffer = t->arenas[TOPK_OUTPUT].buffer.buffer;
    p->target.size = entries * stride + 64;
    p->target.offset = arena_place(&t->arenas[TOPK_OUTPUT], &t->random, unit, p->target.size);
    run->info.payloadCount = 1;
    run->info.payloads = p;
}

static void place_all(topk_run *run)
{
    topk_test *t = run->t;
    const topk_row *row = run->row;
    const uint64_t entries = (uint64_t)run->rows * run->size->k;
    for (uint32_t i = 0; i < TOPK_ARENAS; i++)
        t->arenas[i].used = 0;
    run->info.input = place_view(run, TOPK_INPUT, row->type, run->size->count);
    if ((row->outputs & GIVES_VALUES) != 0)
        run->info.values = place_view(run, TOPK_OUTPUT, row->type, entries);
    if ((row->outputs & GIVES_INDICES) != 0)
        run->info.indices = place_view(run, TOPK_OUTPUT, VKR_TYPE_U32, entries);
    if ((row->outputs & GIVES_PAYLOADS) != 0)
        place_payload(run, entries);
    if ((row->outputs & GIVES_FOUND) != 0)
        run->info.found = (VkrBufferRange){
            t->arenas[TOPK_OUTPUT].buffer.buffer,
            arena_place(&t->arenas[TOPK_OUTPUT], &t->random, 4, 4 * (VkDeviceSize)run->rows + 4),
            4 * (VkDeviceSize)run->rows};
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        run->info.gpuCount =
            (VkrGpuCount){.buffer = t->arenas[TOPK_COUNT].buffer.buffer,
                          .offset = arena_place(&t->arenas[TOPK_COUNT], &t->random, 4, 8),
                          .type = row->gpu_count};
}

static void fill_all(topk_run *run)
{
    topk_test *t = run->t;
    for (uint32_t i = 0; i < TOPK_ARENAS; i++)
        arena_poison(&t->arenas[i], &t->random);
    fill_data(&t->random, run->row->data, run->row->type, 1,
              t->arenas[TOPK_INPUT].shadow + run->info.input.offset, (size_t)run->info.input.stride,
              run->size->count);
    run->elements = run->size->count;
    if (run->row->gpu_count != VKR_TYPE_UNDEFINED)
        run->elements = choose_count(&t->random, run->row->gpu_count, run->size->count,
                                     t->arenas[TOPK_COUNT].shadow + run->info.gpuCount.offset);
    for (uint32_t i = 0; i < TOPK_ARENAS; i++)
        arena_upload(&t->arenas[i]);
}

/* ---- Expected outputs ---- */

static void expect_entry(topk_run *run, uint64_t position, uint32_t row, uint32_t element)
{
    topk_test *t = run->t;
    unsigned char *output = t->arenas[TOPK_OUTPUT].shadow;
    const VkrTopKInfo *info = &run->info;
    const uint32_t index = element - row * run->length;
    const VkrPayload *p = &run->payload;
    if (info->values.buffer != VK_NULL_HANDLE)
        memcpy(output + info->values.offset + position * info->values.stride, element_at(element),
               run->element);
    if (info->indices.buffer != VK_NULL_HANDLE)
        memcpy(output + info->indices.offset + position * info->indices.stride, &index, 4);
    if (info->payloadCount != 0)
        memcpy(output + p->target.offset + position * p->targetStride,
               t->arenas[TOPK_SOURCE].shadow + p->source.offset + element * p->sourceStride,
               p->size);
}

/* Expects entries in the order that is asked for, or with ascending indices. */
static void expect_all(topk_run *run, bool sorted)
{
    uint32_t *indices = calloc((size_t)run->length + 1, sizeof *indices);
    assert_non_null(indices);
    for (uint32_t row = 0; row < run->rows; row++) {
        const uint32_t found = find_entries(run, row, sorted, indices);
        for (uint32_t i = 0; i < found; i++)
            expect_entry(run, (uint64_t)row * run->size->k + i, row, indices[i]);
        if (run->info.found.buffer != VK_NULL_HANDLE)
            memcpy(run->t->arenas[TOPK_OUTPUT].shadow + run->info.found.offset + 4 * row, &found,
                   4);
        run->t->cases += found;
    }
    free(indices);
}

static void check(topk_run *run)
{
    topk_test *t = run->t;
    const topk_row *row = run->row;
    for (uint32_t i = 0; i < TOPK_ARENAS; i++) {
        const VkDeviceSize at = arena_overwritten(&t->arenas[i]);
        if (at == UINT64_MAX)
            continue;
        t->mismatches++;
        if (t->shown++ < SHOWN)
            printf("# byte %" PRIu64 " of %s is wrong: %s, %u elements, rows of %u, k %u, %" PRIu64
                   " on the GPU, flags %u, outputs 0x%x, data %d, limits %s, workgroup %u; values "
                   "at %" PRIu64 ", indices at %" PRIu64 "\n",
                   at, t->arenas[i].name, vkrTypeName(row->type), run->size->count,
                   run->size->length, run->size->k, run->elements, row->flags, row->outputs,
                   (int)row->data, limits_names[row->limits], row->workgroup_size,
                   run->info.values.offset, run->info.indices.offset);
    }
}

/* ---- Running ---- */

static void submit(topk_run *run)
{
    harness *h = &run->t->h;
    const topk_row *row = run->row;
    const VkrEndInfo end = {.commandBuffer = h->cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkrRecorder recorder = get_recorder(&run->t->contexts, row->limits, &row->tuning);
    assert_non_null(recorder);
    watch_limits(&limits_rows[row->limits]);
    assert_true(harness_begin(h));
    assert_true(harness_check(h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(h, vkrCmdTopK(recorder, &run->info), "vkrCmdTopK"));
    assert_true(harness_check(h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(h));
    assert_true(harness_submit(h));
    vkrReset(recorder);
}

void run_topk(topk_test *t, const topk_row *row, const topk_size *size)
{
    topk_run run = {.t = t,
                    .row = row,
                    .size = size,
                    .element = vkrTypeSize(row->type),
                    .length = size->length == 0 ? size->count : size->length};
    run.rows = size->length == 0 ? 1 : (size->count + size->length - 1) / size->length;
    run.info = (VkrTopKInfo){
        .label = "topk",
        .flags = row->flags,
        .count = size->count,
        .k = size->k,
        .workgroupSize = row->workgroup_size,
        .segments = {.kind = size->length == 0 ? VKR_SEGMENTS_NONE : VKR_SEGMENTS_ROWS,
                     .length = size->length}};
    place_all(&run);
    fill_all(&run);
    submit(&run);
    /* Unsorted outputs are in one of two orders. */
    if ((row->flags & VKR_TOP_K_UNSORTED_BIT) != 0) {
        expect_all(&run, false);
        if (arena_overwritten(&t->arenas[TOPK_OUTPUT]) != UINT64_MAX)
            expect_all(&run, true);
    } else {
        expect_all(&run, true);
    }
    check(&run);
}

bool open_topk_test(topk_test *t)
{
    static const char *const names[TOPK_ARENAS] = {"the input", "the payload's source",
                                                   "the counts", "the outputs"};
    t->contexts.h = &t->h;
    for (uint32_t i = 0; i < TOPK_ARENAS; i++)
        if (!open_arena(&t->h, names[i], i == TOPK_COUNT ? 4096 : ARENA_BYTES, &t->arenas[i]))
            return false;
    return true;
}

void close_topk_test(topk_test *t)
{
    for (uint32_t i = 0; i < TOPK_ARENAS; i++)
        close_arena(&t->h, &t->arenas[i]);
    close_contexts(&t->contexts);
}
