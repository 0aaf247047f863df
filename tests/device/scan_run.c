/* SPDX-License-Identifier: MIT */
/* Submissions of a row of scans: data, and comparison with the oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_run.h"

#define AFFORDABLE 60000u
#define SHOWN 3 /* maximum number of mismatches of a row that are printed */

/* Prints the row's first few mismatches. */
void scan_report(row_run *r, const char *format, ...)
{
    va_list arguments;
    if (r->t->mismatches++ - r->t->mismatches_before >= SHOWN)
        return;
    va_start(arguments, format);
    printf("# ");
    vprintf(format, arguments);
    printf(" (%s)\n", r->text);
    va_end(arguments);
}

/* Products of arbitrary values overflow, few distributions distinguish keys of NaN from others, and
 * sums of small integers are exact. */
static distribution choose_data(uint64_t *random, VkrOp op)
{
    if (op == VKR_OP_PRODUCT && random_below(random, 4) != 0)
        return DATA_UNIT;
    if (op == VKR_OP_SUM && random_below(random, 3) == 0)
        return DATA_INTEGRAL;
    if ((op == VKR_OP_MIN || op == VKR_OP_MAX) && random_below(random, 4) == 0)
        return random_below(random, 4) == 0 ? DATA_ONE_NAN : DATA_NAN_BUT_ONE;
    return (distribution)random_below(random, DATA_COUNT);
}

static int compare_offsets(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

/* Offsets ascend, with repeats, and some are at or past the count. */
static void fill_offsets(row_run *r, const scan_case *c, unsigned char *at)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = r->row->segments == SEGMENTS_OFFSETS64 ? 8 : 4;
    const uint64_t entries = c->heads_size / size;
    const uint32_t span = (uint32_t)(c->count + c->count / 8 + 2);
    uint64_t *offsets = malloc(entries * sizeof(*offsets));
    assert_non_null(offsets);
    for (uint64_t k = 0; k < entries; k++)
        offsets[k] = random_below(random, span);
    qsort(offsets, entries, sizeof(*offsets), compare_offsets);
    if (size == 8 && random_below(random, 4) == 0)
        offsets[entries - 1] = (uint64_t)1 << 32;
    for (uint64_t k = 0; k < entries; k++)
        memcpy(at + k * size, &offsets[k], size); /* little-endian */
    free(offsets);
}

/* Sets flags with a random density; the bytes are already random. */
static void fill_flags(row_run *r, const scan_case *c, unsigned char *at)
{
    uint64_t *random = &r->t->random;
    const uint32_t sparse[] = {1, 2, 3, 20, 300, 5000, UINT32_MAX};
    const uint32_t one_in = sparse[random_below(random, ARRAY_SIZE(sparse))];
    const uint64_t size = r->row->segments == SEGMENTS_U32 ? 4 : 1;
    for (uint64_t i = 0; i < c->capacity; i++) {
        const bool starts = random_below(random, one_in) == 0;
        if (r->row->segments == SEGMENTS_BITS)
            at[i / 8] = (unsigned char)((at[i / 8] & ~(1u << i % 8)) | (uint32_t)starts << i % 8);
        else if (!starts)
            memset(at + i * size, 0, size);
        else /* any value except 0 */
            at[i * size + random_below(random, (uint32_t)size)] |= 1u << random_below(random, 8);
    }
}

static void fill_case(row_run *r, scan_case *c)
{
    const scan_row *row = r->row;
    arena *buffers = r->t->buffers;
    uint64_t *random = &r->t->random;
    unsigned char *first = buffers[SCAN_INPUT].shadow + c->input.offset;
    unsigned char *heads = buffers[SCAN_HEADS].shadow + c->heads_at;
    c->count = c->capacity;
    if (row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count = choose_count(random, row->gpu_count, c->capacity,
                                buffers[SCAN_COUNTS].shadow + c->count_at);
    fill_data(random, choose_data(random, row->op), row->type, row->components, first,
              c->input.stride, c->count);
    surround(random, row->type, row->components, first, c->input.stride, c->count, c->capacity);
    if (row->segments == SEGMENTS_OFFSETS || row->segments == SEGMENTS_OFFSETS64)
        fill_offsets(r, c, heads);
    else if (c->heads_size != 0)
        fill_flags(r, c, heads);
    if (row->initial == INITIAL_GPU) {
        scan_fill_initial(r, c);
        memcpy(buffers[SCAN_INITIAL].shadow + c->initial_at, c->initial, r->written);
    }
}

static oracle_scan_info case_oracle(const row_run *r, const scan_case *c)
{
    const scan_row *row = r->row;
    const arena *buffers = r->t->buffers;
    const unsigned char *heads = buffers[SCAN_HEADS].shadow + c->heads_at;
    const VkrSegments segments = scan_case_segments(r, c);
    return (oracle_scan_info){
        .data = buffers[SCAN_INPUT].shadow + c->input.offset,
        .stride = c->input.stride,
        .count = c->count,
        .type = row->type,
        .components = row->components,
        .op = row->op,
        .flags = row->flags,
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .initial = row->initial != INITIAL_NONE ? c->initial : NULL,
        .segments = segments.kind,
        .flag_format = segments.flags.format,
        .heads = heads,
        .row_length = segments.length,
        .offsets = heads,
        .offset_type = segments.offsetType,
        .offset_count = c->heads_size / (segments.offsetType == VKR_TYPE_U64 ? 8 : 4),
    };
}

/* Compares a value, and returns whether the comparison proves anything. `what` is the element, or
 * UINT64_MAX for the total. */
static bool verify_value(row_run *r, const scan_case *c, uint32_t component, uint64_t what,
                         const oracle_value *value, const unsigned char *actual)
{
    char expected_text[64], actual_text[64];
    if (!oracle_proves(value)) {
        r->t->unproven++;
        return false;
    }
    r->t->values_compared++;
    if (value->tolerance == 0 ? memcmp(value->bytes, actual, vkrTypeSize(r->result)) == 0
                              : oracle_accepts(value, r->result, actual))
        return true;
    oracle_format(expected_text, sizeof(expected_text), r->result, value->bytes);
    oracle_format(actual_text, sizeof(actual_text), r->result, actual);
    scan_report(r,
                "%s %" PRId64 " of %" PRIu64 " (capacity %" PRIu64
                "), component %u: %s, but should "
                "be %s within %g",
                what == UINT64_MAX ? "total" : "element", (int64_t)what, c->count, c->capacity,
                component, actual_text, expected_text, value->tolerance);
    return true;
}

static void verify_case(row_run *r, const scan_case *c)
{
    scan_test *t = r->t;
    const oracle_scan_info info = case_oracle(r, c);
    const uint32_t size = vkrTypeSize(r->result);
    const int buffer = r->row->in_place ? SCAN_INPUT : SCAN_OUTPUT;
    const unsigned char *output =
        (const unsigned char *)t->buffers[buffer].buffer.data + c->output.offset;
    const unsigned char *total =
        (const unsigned char *)t->buffers[SCAN_TOTAL].buffer.data + c->total_at;
    for (uint32_t k = 0; k < r->row->components; k++) {
        bool proves = false;
        assert_true(oracle_scan(&info, k, r->result, t->values));
        for (uint64_t i = 0; i < c->count; i++)
            proves |=
                verify_value(r, c, k, i, &t->values[i], output + i * c->output.stride + k * size);
        t->oracle_cases += proves;
        t->oracle_cases += c->writes_total && verify_value(r, c, k, UINT64_MAX,
                                                           &t->values[c->count], total + k * size);
    }
    for (uint64_t i = 0; i < c->count; i++)
        memcpy(t->buffers[buffer].shadow + c->output.offset + i * c->output.stride,
               output + i * c->output.stride, r->written);
    if (c->writes_total)
        memcpy(t->buffers[SCAN_TOTAL].shadow + c->total_at, total, r->written);
}

static void submit(row_run *r)
{
    scan_test *t = r->t;
    for (int i = 0; i < SCAN_BUFFERS; i++)
        arena_poison(&t->buffers[i], &t->random);
    for (uint32_t i = 0; i < r->case_count; i++)
        fill_case(r, &r->cases[i]);
    for (int i = 0; i < SCAN_BUFFERS; i++)
        arena_upload(&t->buffers[i]);
    assert_true(harness_submit(&t->h));
    for (uint32_t i = 0; i < r->case_count; i++)
        verify_case(r, &r->cases[i]);
    if (r->scratch.buffer != VK_NULL_HANDLE)
        memcpy(t->buffers[SCAN_SCRATCH].shadow + r->scratch.offset,
               (unsigned char *)t->buffers[SCAN_SCRATCH].buffer.data + r->scratch.offset,
               r->scratch.size);
    for (int i = 0; i < SCAN_BUFFERS; i++) {
        const VkDeviceSize byte = arena_overwritten(&t->buffers[i]);
        if (byte != UINT64_MAX)
            scan_report(r, "byte %" PRIu64 " of %s was overwritten", (uint64_t)byte,
                        t->buffers[i].name);
    }
}

static VkrType scan_type(row_run *r)
{
    const VkrScanInfo info = {.op = r->row->op,
                              .input = {.type = r->row->type, .components = r->row->components},
                              .accumulator = r->row->accumulator};
    VkrType type = VKR_TYPE_UNDEFINED;
    assert_true(harness_check(
        &r->t->h,
        vkrGetScanType(get_context(&r->t->contexts, r->row->limits, &r->row->tuning), &info, &type),
        "vkrGetScanType"));
    assert_int_equal(type, expected_type(r->row->type, r->row->accumulator, r->row->op));
    return type;
}

/* The number of submissions: fewer for rows with many elements on slow drivers. */
static uint32_t afford(const row_run *r, uint32_t submits)
{
    uint64_t elements = 0;
    for (uint32_t i = 0; i < r->case_count; i++)
        elements += r->cases[i].capacity;
    return r->t->thin && elements > AFFORDABLE && submits > 2 ? 2 : submits;
}

void run_scan_row(scan_test *t, const scan_row *row, uint32_t submits)
{
    row_run r = {.t = t, .row = row};
    scan_describe_row(row, r.text, sizeof(r.text));
    t->mismatches_before = t->mismatches;
    for (int i = 0; i < SCAN_BUFFERS; i++)
        t->buffers[i].used = 0;
    r.recorder = get_recorder(&t->contexts, row->limits, &row->tuning);
    assert_non_null(r.recorder);
    vkrGetContextProperties(get_context(&t->contexts, row->limits, &row->tuning), &r.properties);
    r.result = scan_type(&r);
    r.element = vkrTypeSize(row->type) * row->components;
    r.written = vkrTypeSize(r.result) * row->components;
    r.edges = scan_find_edges(&r);
    scan_add_cases(&r);
    VkrTexels all[MAX_CASES];
    const uint32_t added = r.case_count;
    for (uint32_t i = 0; i < added; i++) {
        arena_create_texels(&t->h, &t->buffers[SCAN_INPUT], &r.cases[i].input.texels);
        all[i] = r.cases[i].input.texels;
    }
    submits = afford(&r, submits);
    scan_collect(&r);
    scan_choose_scratch(&r);
    scan_end_recording(t, r.recorder, row->limits, r.scratch);
    for (uint32_t i = 0; i < submits; i++)
        submit(&r);
    t->rows++;
    vkrReset(r.recorder);
    for (uint32_t i = 0; i < added; i++)
        vkDestroyBufferView(t->h.device, all[i].view, NULL);
}
