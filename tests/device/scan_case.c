/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_run.h"

#define BUFFER_BYTES (16u << 20)
#define CASE_BYTES 300000u /* maximum per view: more than four windows of SMALL_RANGE */
#define MAX_VALUES 400000u
#define PACK 16u
#define LOAD 32u /* size of the widest load in bytes */
#define FEW 1000 /* elements whose tiles fit any window */
#define SOME_TILES 40

bool open_scan_test(scan_test *t)
{
    static const char *const names[] = {"input",  "output", "counts", "initial values",
                                        "totals", "heads",  "scratch"};
    t->h.loader = limits_proc;
    t->contexts.h = &t->h;
    t->values = malloc((MAX_VALUES + 1) * sizeof(*t->values));
    for (int i = 0; i < SCAN_BUFFERS; i++)
        if (!open_arena(&t->h, names[i], BUFFER_BYTES, &t->buffers[i]))
            return false;
    return t->values != NULL;
}

void close_scan_test(scan_test *t)
{
    close_contexts(&t->contexts);
    for (int i = 0; i < SCAN_BUFFERS; i++)
        close_arena(&t->h, &t->buffers[i]);
    free(t->values);
}

bool is_ordered(const scan_row *row)
{
    return is_float(row->type) && (row->op == VKR_OP_SUM || row->op == VKR_OP_PRODUCT);
}

/* ---- Cases of a row ---- */

void scan_describe_row(const scan_row *row, char *text, size_t size)
{
    static const char *const segments[] = {"none", "u32",     "u8",       "bits",
                                           "rows", "offsets", "offsets64"};
    static const char *const initials[] = {"none", "host", "GPU"};
    snprintf(text, size,
             "%s of %s, %u components, accumulator %s,%s%s%s nan %d, determinism %d, algorithm %s, "
             "workgroup %u, GPU count %s, segments %s, initial %s, limits %s, geometry %u, %s %s",
             vkrOpName(row->op), vkrTypeName(row->type), row->components,
             vkrTypeName(row->accumulator), row->flags & VKR_SCAN_EXCLUSIVE_BIT ? " exclusive" : "",
             row->flags & VKR_SCAN_REVERSE_BIT ? " reversed" : "", row->in_place ? " in place" : "",
             (int)row->nan, (int)row->determinism, vkrScanAlgorithmName(row->algorithm),
             row->workgroup_size, vkrTypeName(row->gpu_count), segments[row->segments],
             initials[row->initial], limits_names[row->limits], row->tuning.geometry,
             vkrLoadOrderName(row->tuning.order), vkrLoadPathName(row->tuning.path));
}

static VkDeviceSize give(row_run *r, int buffer, VkDeviceSize alignment, VkDeviceSize size)
{
    return arena_place(&r->t->buffers[buffer], &r->t->random, alignment, size);
}

/* A view of `capacity` elements at any distance from a multiple of the widest load, sometimes with
 * an incomplete last element or with more elements than the count. */
static VkrView place_view(row_run *r, int buffer, VkrType type, uint64_t capacity, bool packed,
                          bool whole)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(type), element = size * r->row->components;
    const VkDeviceSize stride = element + (packed ? 0 : size * (1 + random_below(random, 5)));
    const uint32_t phase = r->alike && r->aligned ? 0 : size * random_below(random, LOAD / size);
    VkDeviceSize bytes = random_below(random, size);
    if (capacity > 0)
        bytes += (capacity - 1) * stride + element;
    VkrView view = {.buffer = r->t->buffers[buffer].buffer.buffer,
                    .offset = give(r, buffer, LOAD, phase + bytes + 2 * stride) + phase,
                    .size = bytes,
                    .type = type,
                    .components = r->row->components,
                    .stride = stride};
    if (!whole)
        view.size += random_below(random, 3) * stride;
    return view;
}

static void place_output(row_run *r, scan_case *c, bool packed)
{
    uint64_t *random = &r->t->random;
    c->output = c->input;
    c->output.texels = (VkrTexels){0};
    if (!r->row->in_place)
        c->output = place_view(r, SCAN_OUTPUT, r->result, c->capacity, packed, false);
    if (random_below(random, 2) == 0) {
        c->output.type = VKR_TYPE_UNDEFINED;
        c->output.components = 0;
    }
    c->writes_total = random_below(random, 3) != 0;
    if (c->writes_total)
        c->total_at = give(r, SCAN_TOTAL, vkrTypeSize(r->result), r->written);
}

/* Reserves room for the starts of segments: one flag per element, or offsets. */
static void place_heads(row_run *r, scan_case *c)
{
    const uint64_t w = r->edges.w;
    uint64_t *random = &r->t->random;
    const uint64_t lengths[] = {
        1, 2, 3, w, w + 1, 64, 255, 256, 257, 1000, (uint64_t)1 << 40, c->capacity + 1};
    const uint64_t offsets[] = {1,
                                3,
                                17,
                                c->capacity / 7 + 1,
                                c->capacity / 2 + 2,
                                c->capacity < 500 ? 2 * c->capacity + 1 : 70};
    const uint64_t entries = offsets[random_below(random, ARRAY_SIZE(offsets))];
    const uint64_t sizes[SEGMENTS_COUNT] = {
        [SEGMENTS_U32] = 4 * c->capacity,
        [SEGMENTS_U8] = c->capacity,
        [SEGMENTS_BITS] = (c->capacity + 31) / 32 * 4,
        [SEGMENTS_OFFSETS] = 4 * entries,
        [SEGMENTS_OFFSETS64] = 8 * entries,
    };
    const uint32_t alignments[SEGMENTS_COUNT] = {0, 4, 1, 4, 0, 4, 8};
    c->row_length = lengths[random_below(random, ARRAY_SIZE(lengths))];
    c->heads_size = sizes[r->row->segments];
    if (alignments[r->row->segments] != 0)
        c->heads_at = give(r, SCAN_HEADS, alignments[r->row->segments], c->heads_size);
}

void scan_fill_initial(row_run *r, scan_case *c)
{
    uint64_t *random = &r->t->random;
    const bool product = r->row->op == VKR_OP_PRODUCT;
    const distribution any = (distribution)random_below(random, DATA_COUNT);
    const distribution data = random_below(random, 4) == 0 ? any
                              : product                    ? DATA_UNIT
                                                           : DATA_INTEGRAL;
    fill_data(random, data, r->result, r->row->components, c->initial, r->written, 1);
}

static VkrTuning tuning_of(const row_run *r)
{
    return get_tuning(&r->t->contexts, r->row->limits, &r->row->tuning, VKR_OPERATION_SCAN,
                      vkrTypeSize(r->row->type));
}

/* The tuning sets the size of tiles with contiguous loads; with coalesced loads a tile is the
 * elements loaded at once. */
edges scan_find_edges(const row_run *r)
{
    const VkrTuning tuning = tuning_of(r);
    const uint32_t wanted =
        tuning.workgroupSize != 0 ? tuning.workgroupSize : r->properties.subgroupSize;
    const uint32_t tuned =
        wanted < r->properties.maxWorkgroupSize ? wanted : r->properties.maxWorkgroupSize;
    const uint64_t w = r->row->workgroup_size != 0 ? r->row->workgroup_size : tuned;
    const uint32_t least = tuning.minBytes < r->element ? 1 : tuning.minBytes / r->element;
    const uint32_t bytes =
        tuning.order == VKR_LOAD_COALESCED ? tuning.flight * PACK : tuning.tileBytes;
    return (edges){w, w * least, w * (bytes < r->element ? 1 : bytes / r->element),
                   SMALL_RANGE / r->element};
}

/* The maximum number of tiles: waiting for other workgroups is slow if no core is free to run them,
 * and `progress` tests many tiles. */
static uint64_t affordable(const row_run *r)
{
    const bool waits = r->row->algorithm == VKR_SCAN_SINGLE_PASS ||
                       (r->row->algorithm == VKR_SCAN_AUTO && tuning_of(r).lookBack);
    return waits && r->t->thin ? SOME_TILES * r->edges.tile : UINT64_MAX;
}

static void add_case(row_run *r, uint64_t count, bool packed)
{
    uint64_t *random = &r->t->random;
    const uint32_t larger = r->element > r->written ? r->element : r->written;
    scan_case *c = &r->cases[r->case_count];
    if (r->case_count == MAX_CASES)
        return;
    if (r->alike)
        packed = r->packed;
    *c = (scan_case){.all = random_below(random, 2) == 0};
    /* Packed cases with more than a block of the canonical order may exceed CASE_BYTES. */
    const uint64_t most = packed && count > VKR_SCAN_BLOCK
                              ? MAX_VALUES / r->row->components / 2
                              : CASE_BYTES / (packed ? larger : 6 * larger);
    const uint64_t fits = affordable(r) < most ? affordable(r) : most;
    c->capacity = c->count = count < fits ? count : fits;
    c->input = place_view(r, SCAN_INPUT, r->row->type, c->capacity, packed, c->all);
    const bool unasked = random_below(random, 8) == 0;
    if (r->alike ? r->texels : (r->row->tuning.path == VKR_LOAD_TEXEL) != unasked)
        c->input.texels = arena_place_texels(&r->t->h, random, c->input.offset, c->input.size);
    place_output(r, c, r->alike ? packed : packed == (random_below(random, 8) != 0));
    place_heads(r, c);
    if (r->row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count_at = give(r, SCAN_COUNTS, 4, vkrTypeSize(r->row->gpu_count));
    if (r->row->initial == INITIAL_GPU)
        c->initial_at = give(r, SCAN_INITIAL, vkrTypeSize(r->result), r->written);
    if (r->row->initial == INITIAL_HOST)
        scan_fill_initial(r, c);
    r->case_count++;
}

static void add_small(row_run *r)
{
    const edges *e = &r->edges;
    uint64_t *random = &r->t->random;
    for (uint64_t i = 0; i < 4; i++) {
        add_case(r, i, random_below(random, 2) == 0);
        add_case(r, e->w - i, random_below(random, 2) == 0);
    }
    for (int i = 0; i < 10; i++)
        add_case(r, random_below(random, (uint32_t)e->w + 1), random_below(random, 2) == 0);
}

/* Adds counts that need several workgroups. */
static void add_large(row_run *r)
{
    const edges *e = &r->edges;
    uint64_t *random = &r->t->random;
    const uint64_t some[] = {
        e->share + 1,     2 * e->share - 1, 2 * e->share,  3 * e->share + 5,       e->tile + 1,
        2 * e->tile,      7 * e->tile + 1,  40 * e->tile,  e->w * e->w + 1,        VKR_SCAN_RUN - 1,
        2 * VKR_SCAN_RUN, VKR_SCAN_RUN + 1, e->window + 1, e->w * SMALL_GROUPS + 1};
    for (int i = 0; i < 10; i++)
        add_case(r, some[random_below(random, ARRAY_SIZE(some))], random_below(random, 3) != 0);
    for (int i = 0; i < 8; i++)
        add_case(r, e->w + 1 + random_below(random, 1500), random_below(random, 3) != 0);
    add_case(r, e->window * (1 + random_below(random, 3)) + random_below(random, 3) - 1, true);
}

void scan_add_cases(row_run *r)
{
    uint64_t *random = &r->t->random;
    const bool small = random_below(random, 3) == 0;
    r->alike = r->t->thin;
    r->packed = random_below(random, 3) != 0;
    r->aligned = random_below(random, 2) == 0;
    r->texels = r->row->tuning.path == VKR_LOAD_TEXEL && random_below(random, 8) != 0;
    if (!r->t->thin || small)
        add_small(r);
    if (!r->t->thin || !small)
        add_large(r);
    if (r->row->determinism == VKR_DETERMINISM_DEVICE && is_ordered(r->row) && !small)
        add_case(
            r, VKR_SCAN_BLOCK * (1 + (uint64_t)random_below(random, 2)) + random_below(random, 600),
            true);
}

/* ---- Recording ---- */

VkrSegments scan_case_segments(const row_run *r, const scan_case *c)
{
    const VkrBufferRange range = {r->t->buffers[SCAN_HEADS].buffer.buffer, c->heads_at,
                                  c->heads_size};
    switch (r->row->segments) {
    case SEGMENTS_U32:
        return (VkrSegments){.kind = VKR_SEGMENTS_FLAGS,
                             .flags = {.format = VKR_FLAGS_U32, .range = range}};
    case SEGMENTS_U8:
        return (VkrSegments){.kind = VKR_SEGMENTS_FLAGS,
                             .flags = {.format = VKR_FLAGS_U8, .range = range}};
    case SEGMENTS_BITS:
        return (VkrSegments){.kind = VKR_SEGMENTS_FLAGS,
                             .flags = {.format = VKR_FLAGS_BITS, .range = range}};
    case SEGMENTS_ROWS:
        return (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = c->row_length};
    case SEGMENTS_OFFSETS:
        return (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = range};
    case SEGMENTS_OFFSETS64:
        return (VkrSegments){
            .kind = VKR_SEGMENTS_OFFSETS, .offsets = range, .offsetType = VKR_TYPE_U64};
    default:
        return (VkrSegments){0};
    }
}

static VkrScanInfo case_info(const row_run *r, const scan_case *c)
{
    const scan_row *row = r->row;
    const arena *buffers = r->t->buffers;
    VkrScanInfo info = {
        .label = "row",
        .op = row->op,
        .flags = row->flags,
        .input = c->input,
        .output = c->output,
        .count = c->all && c->input.size > 0 ? VKR_COUNT_ALL : c->capacity,
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .algorithm = row->algorithm,
        .workgroupSize = row->workgroup_size,
        .initial = row->initial == INITIAL_HOST ? c->initial : NULL,
        .segments = scan_case_segments(r, c),
    };
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        info.gpuCount =
            (VkrGpuCount){buffers[SCAN_COUNTS].buffer.buffer, c->count_at, row->gpu_count};
    if (row->initial == INITIAL_GPU)
        info.gpuInitial =
            (VkrBufferRange){buffers[SCAN_INITIAL].buffer.buffer, c->initial_at, r->written};
    if (c->writes_total)
        info.total = (VkrBufferRange){buffers[SCAN_TOTAL].buffer.buffer, c->total_at, r->written};
    return info;
}

/* Whether a scan may be refused: multi-pass scans support one window only, and the values of all
 * tiles of a single pass must fit one window. */
static bool may_refuse(const row_run *r, const scan_case *c)
{
    const uint64_t most = SMALL_RANGE - 2 * r->properties.granule;
    const bool small = limits_rows[r->row->limits].maxStorageBufferRange != 0;
    if (r->row->algorithm == VKR_SCAN_SINGLE_PASS)
        return small && c->capacity > FEW;
    /* In the canonical order an invocation has a run of its own, so a workgroup of a given size has
     * a share of a given length. */
    const uint64_t stride = c->input.stride > c->output.stride ? c->input.stride : c->output.stride;
    if (r->row->determinism == VKR_DETERMINISM_DEVICE && is_ordered(r->row) &&
        r->row->workgroup_size * VKR_SCAN_RUN * stride > most)
        return small && (c->input.size > most || c->output.size > most);
    /* A reversed scan in the canonical order starts at the last element. If only the GPU knows
     * which that is, the scan supports one window only. */
    if (r->row->determinism == VKR_DETERMINISM_DEVICE && is_ordered(r->row) &&
        (r->row->flags & VKR_SCAN_REVERSE_BIT) != 0 && r->row->gpu_count != VKR_TYPE_UNDEFINED)
        return small && (c->input.size > most || c->output.size > most);
    return small && r->row->algorithm >= VKR_SCAN_HILLIS_STEELE &&
           (c->input.size > most || c->output.size > most ||
            2 * c->capacity * (8 * r->row->components + 4) > most);
}

/* Records all cases that are not refused. An error is sticky, so each refused case restarts the
 * recording. */
void scan_collect(row_run *r)
{
    harness *h = &r->t->h;
    assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
    for (uint32_t i = 0; i < r->case_count; i++) {
        const scan_case *c = &r->cases[i];
        const VkrScanInfo info = case_info(r, c);
        const VkrResult result = vkrCmdScan(r->recorder, &info);
        if (result == VKR_SUCCESS)
            continue;
        if (result != VKR_ERROR_UNSUPPORTED || !may_refuse(r, c))
            scan_report(r, "%s for %" PRIu64 " elements: %s", vkrResultName(result), c->capacity,
                        h->sentence);
        r->t->refused++;
        r->case_count--;
        memmove(&r->cases[i], &r->cases[i + 1], (r->case_count - i) * sizeof(r->cases[0]));
        assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
        i = UINT32_MAX;
    }
}

/* Half of the recordings use scratch memory of the caller. */
void scan_choose_scratch(row_run *r)
{
    VkDeviceSize size;
    assert_true(
        harness_check(&r->t->h, vkrGetScratchSize(r->recorder, &size), "vkrGetScratchSize"));
    if (size == 0 || size > BUFFER_BYTES / 2 || random_below(&r->t->random, 2) == 0)
        return;
    r->scratch = (VkrBufferRange){r->t->buffers[SCAN_SCRATCH].buffer.buffer,
                                  give(r, SCAN_SCRATCH, r->properties.granule, size), size};
}

void scan_end_recording(scan_test *t, VkrRecorder recorder, limits_row limits,
                        VkrBufferRange scratch)
{
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT,
                            .scratch = scratch};
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&t->h));
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&t->h));
}

void run_scans(scan_test *t, limits_row limits, const tuning_row *tuning, const VkrScanInfo *infos,
               uint32_t count)
{
    const VkrRecorder recorder = get_recorder(&t->contexts, limits, tuning);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t i = 0; i < count; i++)
        assert_true(harness_check(&t->h, vkrCmdScan(recorder, &infos[i]), "vkrCmdScan"));
    scan_end_recording(t, recorder, limits, (VkrBufferRange){0});
    assert_true(harness_submit(&t->h));
    assert_true(harness_check(&t->h, vkrReset(recorder), "vkrReset"));
}
