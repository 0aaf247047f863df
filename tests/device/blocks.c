/* SPDX-License-Identifier: MIT */
/*
 * Level DEVICE when workgroups load several blocks of the canonical tree by units: every float
 * type, the maximum number of virtual lanes per invocation, vectors, two inputs, several operators;
 * counts on the GPU that end within a unit, a row and a block; masks, windows, and pieces. The bits
 * equal the oracle's, also if the view starts between two loads and the tree is loaded element by
 * element.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reduce_case.h"

#define BLOCKS 33u /* several for each of at most 8 workgroups */
#define COUNT (BLOCKS * VKR_TREE_BLOCK - 5)
#define PIECE (20 * VKR_TREE_BLOCK)
#define WINDOW (1u << 20)
#define BUFFER_BYTES (5u << 20)
#define BETWEEN 8u /* an offset in bytes that is not a multiple of a load */

typedef enum manner {
    COUNTED, /* the GPU has the count */
    MASKED,
    WINDOWS,
    PIECES,
    UNALIGNED,
} manner;

typedef struct row {
    const char *name;
    VkrType type;
    uint32_t components;
    VkrOpFlags ops;
    VkrLoadPath path;
    uint32_t flight;
    manner manner;
} row;

#define SUMS (VKR_OP_SUM | VKR_OP_SUMSQ)
static const row rows[] = {
    {"f32", VKR_TYPE_F32, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 4, COUNTED},
    {"f32, most lanes", VKR_TYPE_F32, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 8, COUNTED},
    {"f32, one unit", VKR_TYPE_F32, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 1, COUNTED},
    {"f32, texels", VKR_TYPE_F32, 1, SUMS, VKR_LOAD_TEXEL, 16, COUNTED},
    {"f32, many operators", VKR_TYPE_F32, 1, SUMS | VKR_OP_MIN | VKR_OP_ARGMAX | VKR_OP_L1,
     VKR_LOAD_VEC4, 4, COUNTED},
    {"f32, two inputs", VKR_TYPE_F32, 1, VKR_OP_SUM | VKR_OP_DOT, VKR_LOAD_VEC4, 4, COUNTED},
    {"f32, mask", VKR_TYPE_F32, 1, VKR_OP_SUM | VKR_OP_COUNT, VKR_LOAD_VEC4, 2, MASKED},
    {"f32, windows", VKR_TYPE_F32, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 2, WINDOWS},
    {"f32, pieces", VKR_TYPE_F32, 1, VKR_OP_SUM | VKR_OP_ARGMIN, VKR_LOAD_VEC4, 1, PIECES},
    {"f32, unaligned", VKR_TYPE_F32, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 4, UNALIGNED},
    {"3 x f32", VKR_TYPE_F32, 3, VKR_OP_SUM, VKR_LOAD_VEC4, 4, COUNTED},
    {"2 x f32, pieces", VKR_TYPE_F32, 2, VKR_OP_SUM, VKR_LOAD_VEC4, 4, PIECES},
    {"f16", VKR_TYPE_F16, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 4, COUNTED},
    {"bf16", VKR_TYPE_BF16, 1, SUMS, VKR_LOAD_VEC4, 4, COUNTED},
    {"f16, two units", VKR_TYPE_F16, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 2, MASKED},
    {"f16, one unit", VKR_TYPE_F16, 1, SUMS, VKR_LOAD_TEXEL, 1, COUNTED},
    {"f64", VKR_TYPE_F64, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 8, COUNTED},
    {"f64, one unit", VKR_TYPE_F64, 1, VKR_OP_SUM, VKR_LOAD_VEC4, 1, COUNTED},
    {"2 x f64, windows", VKR_TYPE_F64, 2, VKR_OP_SUM, VKR_LOAD_VEC4, 4, WINDOWS},
};

/* The GPU's counts. */
static const uint32_t counts[] = {
    COUNT, 0, 1, 6, 130, VKR_TREE_BLOCK, 5 * VKR_TREE_BLOCK + 259, 20 * VKR_TREE_BLOCK - 126};

static harness h;
static harness_buffer input, input2, masked, mask, extra, output;
static uint64_t checks, mismatches;

static uint32_t element_size(const row *r)
{
    return vkrTypeSize(r->type) * r->components;
}

static uint32_t begin_of(const row *r)
{
    return r->manner == UNALIGNED ? BETWEEN : 0;
}

static VkrView view_of(const row *r, const harness_buffer *buffer, uint32_t first, uint32_t count)
{
    return (VkrView){.buffer = buffer->buffer,
                     .offset = begin_of(r) + (VkDeviceSize)first * element_size(r),
                     .size = (VkDeviceSize)count * element_size(r),
                     .type = r->type,
                     .components = r->components};
}

/* Fills the inputs and the mask. In the oracle's input, elements that the mask drops are zeros,
 * which change no bit of a sum. */
static void fill(const row *r)
{
    uint64_t state = 11;
    const uint32_t size = element_size(r);
    char *elements = (char *)input.data + begin_of(r);
    uint32_t *bits = mask.data;
    fill_data(&state, DATA_RANDOM, r->type, r->components, elements, size, COUNT);
    fill_data(&state, DATA_RANDOM, r->type, r->components, input2.data, size, COUNT);
    for (uint32_t i = 0; i < (COUNT + 31) / 32; i++)
        bits[i] = (uint32_t)next_random(&state);
    memcpy(masked.data, elements, (size_t)COUNT * size);
    for (uint32_t i = 0; i < COUNT; i++)
        if (r->manner == MASKED && (bits[i / 32] >> i % 32 & 1) == 0)
            memset((char *)masked.data + (size_t)i * size, 0, size);
}

/* Compares all results except counts, which other programs test. */
static void compare(const row *r, const VkrReduceLayout *layout, uint32_t count)
{
    static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_SUMSQ,  VKR_OP_L1,    VKR_OP_DOT,
                                VKR_OP_MIN, VKR_OP_ARGMIN, VKR_OP_ARGMAX};
    const oracle_reduce_info oracle = {.data = masked.data,
                                       .stride = element_size(r),
                                       .data2 = input2.data,
                                       .stride2 = element_size(r),
                                       .count = count,
                                       .type = r->type,
                                       .components = r->components,
                                       .determinism = VKR_DETERMINISM_DEVICE};
    for (size_t k = 0; k < ARRAY_SIZE(ops); k++) {
        const VkrReduceResult *result = vkrGetReduceResult(layout, ops[k]);
        if (result == NULL)
            continue;
        for (uint32_t c = 0; c < r->components; c++) {
            const uint32_t size = vkrTypeSize(result->type);
            const char *actual = (const char *)output.data + result->offset + c * size;
            oracle_value value;
            oracle_reduce(&oracle, ops[k], c, result->type, &value);
            checks++;
            if (memcmp(actual, value.bytes, size) == 0)
                continue;
            char found[64], right[64];
            oracle_format(found, sizeof(found), result->type, actual);
            oracle_format(right, sizeof(right), result->type, value.bytes);
            mismatches++;
            printf("# %s of %" PRIu32 ", component %" PRIu32 ": %s, but should be %s\n",
                   vkrOpName(ops[k]), count, c, found, right);
        }
    }
}

static void add(VkrRecorder recorder, const row *r, const VkrReduceInfo *info)
{
    const uint32_t pieces = r->manner == PIECES ? 2 : 1;
    for (uint32_t p = 0; p < pieces; p++) {
        VkrReduceInfo one = *info;
        const uint32_t first = p * PIECE;
        const uint32_t count = p + 1 < pieces ? PIECE : COUNT - first;
        one.input = view_of(r, &input, first, count);
        if (pieces > 1)
            one.pieces = (VkrPieces){{extra.buffer, 0, extra.size}, first, COUNT};
        assert_true(harness_check(&h, vkrCmdReduce(recorder, &one), "vkrCmdReduce"));
    }
}

static void run(const row *r, VkrContext context, VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkrReduceInfo info = {.ops = r->ops,
                          .input = view_of(r, &input, 0, COUNT),
                          .input2 = view_of(r, &input2, 0, COUNT),
                          .count = VKR_COUNT_ALL,
                          .determinism = VKR_DETERMINISM_DEVICE};
    if (r->manner == COUNTED)
        info.gpuCount = (VkrGpuCount){extra.buffer, 0, VKR_TYPE_U32};
    if (r->manner == MASKED)
        info.mask.flags =
            (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {mask.buffer, 0, mask.size}};
    VkrReduceLayout layout;
    assert_true(harness_check(&h, vkrGetReduceLayout(context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    add(recorder, r, &info);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    for (size_t i = 0; i < (r->manner == COUNTED ? ARRAY_SIZE(counts) : 1); i++) {
        memset(output.data, 0xcd, output.size);
        if (r->manner == COUNTED)
            memcpy(extra.data, &counts[i], sizeof(counts[i]));
        assert_true(harness_submit(&h));
        compare(r, &layout, counts[i]);
    }
}

static void test_row(void **state)
{
    const row *r = *state;
    const VkrTuning tuning = {.workgroupSize = 64,
                              .treeWorkgroupSize = 64,
                              .minBytes = 64,
                              .maxBytes = 64,
                              .maxGroups = 8,
                              .order = VKR_LOAD_COALESCED,
                              .path = r->path,
                              .flight = r->flight,
                              .tileBytes = 64};
    const VkrLimits limits = {.maxStorageBufferRange = r->manner == WINDOWS ? WINDOW : 0};
    const VkrRecorderInfo recorder_info = {.label = "blocks"};
    const uint64_t before = mismatches;
    VkrContext context;
    VkrRecorder recorder;
    assert_true(harness_tuned_context(&h, &limits, &tuning, NULL, &context));
    if (!vkrIsTypeSupported(context, r->type)) {
        vkrDestroyContext(context);
        skip();
    }
    fill(r);
    assert_true(
        harness_check(&h, vkrCreateRecorder(context, &recorder_info, &recorder), "recorder"));
    run(r, context, recorder);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_int_equal(mismatches, before);
}

static int open_all(void **state)
{
    (void)state;
    harness_buffer *const buffers[] = {&input, &input2, &masked, &mask, &extra, &output};
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        if (!harness_create_buffer(&h, i < 3 ? BUFFER_BYTES : 1u << 18, buffers[i]))
            return -1;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", checks, mismatches);
    harness_buffer *const buffers[] = {&input, &input2, &masked, &mask, &extra, &output};
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&h, buffers[i]);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_SIZE(rows)];
    size_t count = 0;
    for (uint32_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (harness_has_case(i))
            tests[count++] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL,
                                                 (void *)(uintptr_t)&rows[i]};
    return harness_run(&h, "blocks", tests, count, open_all, close_all);
}
