/* SPDX-License-Identifier: MIT */
/*
 * Float sums are as accurate as reduce.h and scan.h state, in every form of summation: with many
 * elements per invocation, and with many partial results. The data are hard cases for sums, above
 * all equal elements, whose rounding errors all have the same sign. Infinities and NaN propagate.
 * The test prints the errors of each form.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"

#define BUFFER_BYTES (LARGE * 4)

accuracy accurate;

/* ---- Contexts ---- */

#define GEOMETRY(group, way, by, bytes, groups, tile)                                              \
    {                                                                                              \
        .workgroupSize = (group), .treeWorkgroupSize = 32, .minBytes = 64, .maxBytes = (bytes),    \
        .maxGroups = (groups), .order = VKR_LOAD_##way, .path = VKR_LOAD_##by, .flight = 4,        \
        .tileBytes = (tile)                                                                        \
    }

static const struct {
    VkrLimits limits;
    VkrTuning tuning; /* workgroupSize 0: the built-in tuning */
} contexts[CONTEXT_ROWS] = {
    [CONTEXT_SHUFFLE] = {{.groupPath = VKR_GROUP_PATH_SHUFFLE},
                         GEOMETRY(8, COALESCED, VEC4, 65536, 2, 64)},
    [CONTEXT_SHARED] = {{.groupPath = VKR_GROUP_PATH_SHARED},
                        GEOMETRY(8, COALESCED, VEC4, 65536, 2, 64)},
    [CONTEXT_COALESCED] = {{0}, GEOMETRY(8, COALESCED, VEC4, 262144, 2, 4096)},
    [CONTEXT_CONTIGUOUS] = {{0}, GEOMETRY(8, CONTIGUOUS, VEC4, 65536, 2, 4096)},
    [CONTEXT_ELEMENTS] = {{0}, GEOMETRY(8, COALESCED, ELEMENT, 65536, 2, 64)},
    [CONTEXT_WINDOWS] = {{.maxStorageBufferRange = 65536}, {0}},
    [CONTEXT_RUNS] = {{0}, GEOMETRY(8, COALESCED, VEC4, 64, 4096, 64)},
    [CONTEXT_TILES] = {{0}, GEOMETRY(32, COALESCED, VEC4, 64, 2, 16)},
    [CONTEXT_BLOCKS] = {{0}, GEOMETRY(1, COALESCED, ELEMENT, 64, 2, 16)},
};

VkrContext open_context(context_row row)
{
    const VkrRecorderInfo info = {.label = "accuracy"};
    VkrContext *context = &accurate.contexts[row];
    const VkrTuning *tuning = &contexts[row].tuning;
    if (*context != NULL)
        return *context;
    assert_true(
        tuning->workgroupSize == 0
            ? harness_context(&accurate.h, &contexts[row].limits, context)
            : harness_tuned_context(&accurate.h, &contexts[row].limits, tuning, NULL, context));
    assert_true(harness_check(&accurate.h,
                              vkrCreateRecorder(*context, &info, &accurate.recorders[row]),
                              "vkrCreateRecorder"));
    return *context;
}

bool has_types(VkrContext context, VkrType type, VkrType accumulator)
{
    return vkrIsTypeSupported(context, type) &&
           (accumulator == VKR_TYPE_UNDEFINED || vkrIsTypeSupported(context, accumulator));
}

VkrRecorder begin_form(context_row row)
{
    open_context(row);
    assert_true(harness_check(&accurate.h, vkrBegin(accurate.recorders[row]), "vkrBegin"));
    return accurate.recorders[row];
}

void end_form(VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = accurate.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&accurate.h));
    assert_true(harness_check(&accurate.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&accurate.h));
}

/* ---- Errors ---- */

/* The bound for equal elements need not hold if a device may add the lanes of a large subgroup one
 * after the other (reduce.h). */
static bool adds_by_trees(VkrContext context)
{
    VkrContextProperties properties;
    vkrGetContextProperties(context, &properties);
    return properties.groupPath != VKR_GROUP_PATH_ARITHMETIC || properties.subgroupSize <= 16;
}

void judge(const expectation *expected, VkrContext context, const void *actual, errors *worst)
{
    const double unit = expected->type == VKR_TYPE_F64 ? 0x1p-53 : 0x1p-24;
    const double limit = expected->type == VKR_TYPE_F64 ? 2e-15 : 1e-6;
    const double found = number_of(expected->type, actual);
    const double center = number_of(expected->type, expected->value.bytes);
    oracle_value value = expected->value;
    if (expected->row->shape == OVERFLOWING && !oracle_proves(&value))
        value.tolerance = 0;
    value.tolerance *= expected->factor / expected->stated;
    bool good = oracle_accepts(&value, expected->type, actual);
    const double error = fabs(found - center) / value.tolerance * expected->factor;
    if (expected->row->shape == EQUAL && expected->equal > 0) {
        const double off = fabs(found - expected->equal) / expected->equal;
        good &= off <= expected->levels * limit || !adds_by_trees(context);
        worst->equal = fmax(worst->equal, off / unit);
    } else if (isfinite(error) && oracle_proves(&value)) {
        worst->other = fmax(worst->other, error);
    }
    accurate.checks++;
    if (!good && worst->wrong++ < 10)
        printf("# elements %s%s: %.17g instead of %.17g; the allowed error is %.3g\n",
               expected->row->shape == EQUAL ? "equal to " : "", expected->row->name, found, center,
               value.tolerance);
}

void report_errors(const char *name, const errors *worst)
{
    printf("# %s: off by up to %.2f u of a sum of equal elements, %.2f u of the magnitudes of "
           "others\n",
           name, worst->equal, worst->other);
    assert_int_equal(worst->wrong, 0);
}

void fill_inputs(const data_row *row, VkrType type, size_t stride, uint32_t count)
{
    fill_row(row, 1, type, accurate.input.data, stride, count);
    fill_row(row, 2, type, accurate.input2.data, stride, count);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    accuracy *a = &accurate;
    (void)state;
    a->elements = malloc(BUFFER_BYTES);
    a->elements2 = malloc(BUFFER_BYTES);
    return a->elements != NULL && a->elements2 != NULL &&
                   harness_create_buffer(&a->h, BUFFER_BYTES, &a->input) &&
                   harness_create_buffer(&a->h, BUFFER_BYTES, &a->input2) &&
                   harness_create_buffer(&a->h, COUNT / 8, &a->extra) &&
                   harness_create_buffer(&a->h, BUFFER_BYTES + ACCURACY_ROOM, &a->output)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    harness_buffer *const buffers[] = {&accurate.input, &accurate.input2, &accurate.extra,
                                       &accurate.output};
    (void)state;
    printf("# values compared: %" PRIu64 "\n", accurate.checks);
    for (uint32_t i = 0; i < CONTEXT_ROWS; i++) {
        vkrDestroyRecorder(accurate.recorders[i]);
        vkrDestroyContext(accurate.contexts[i]);
    }
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&accurate.h, buffers[i]);
    free(accurate.elements);
    free(accurate.elements2);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[2 * MAX_FORMS];
    uint32_t count = add_reductions(tests, 0);
    count += add_scans(tests + count, MAX_FORMS);
    return harness_run(&accurate.h, "accuracy", tests, count, open_all, close_all);
}
