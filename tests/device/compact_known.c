/* SPDX-License-Identifier: MIT */
/* Compactions with known answers: a figure of a paper, and every mask of up to 12 elements. */
#include "compact_request.h"

#include <stdio.h>
#include <string.h>

/* Tiles and runs of very few elements, so that short masks span several of them. */
static const VkrTuning tiny = {.workgroupSize = 4,
                               .treeWorkgroupSize = 4,
                               .minBytes = 4,
                               .maxBytes = 16,
                               .maxGroups = 64,
                               .flight = 1,
                               .tileBytes = 4};

/* Compacts, with the algorithm and options of `how`; streams do not store rejected elements. */
static void run_compactions(VkrRecorder recorder, VkrCompactInfo *infos, uint32_t count,
                            const VkrCompactInfo *how)
{
    test_begin(recorder);
    for (uint32_t i = 0; i < count; i++) {
        infos[i].algorithm = how->algorithm;
        infos[i].stream = how->stream;
        if (is_stream(how->algorithm))
            infos[i].rejectedIndices = (VkrView){0};
        assert_true(harness_check(&rig.h, vkrCmdCompact(recorder, &infos[i]), "vkrCmdCompact"));
    }
    test_submit(recorder);
}

static VkrView words(const arena *a, uint32_t first, uint32_t count)
{
    return (VkrView){.buffer = a->buffer.buffer,
                     .offset = 4 * (VkDeviceSize)first,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

/* ---- Figure 6 of Roger, Assarsson, Holzschuch (2007) ---- */

#define BLOCK 16u
#define BLOCKS 4u

/* Blocks, the number of elements removed before each of them, and the remaining elements. */
static const struct {
    const char *block;
    const char *removed;
    const char *left;
} figure[BLOCKS] = {
    {"43X192XX7X6X58X5", "0011112334455566", "4319276585"},
    {"431X2X6XX7X98XX5", "0001122344555677", "431267985"},
    {"X87XX235XXX6XX1X", "1112333345667889", "8723561"},
    {"1XXX45X7X6X8329X", "0123334455666667", "145768329"},
};
static const uint32_t block_offsets[BLOCKS] = {0, 6, 13, 22}; /* removed before the block */

static VkrCompactInfo without_x(uint32_t first, uint32_t count)
{
    return (VkrCompactInfo){
        .input = words(&rig.given, first, count),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_COMPARE,
                      .compare = VKR_COMPARE_NOT_EQUAL,
                      .a = {.u = 'X'}},
        .kept = words(&rig.written, first, count),
        .keptIndices = words(&rig.written, 1024 + first, count),
    };
}

/* Each element of the figure moves forward by the number of elements removed before it. */
static void check_block(uint32_t block, uint32_t at, uint32_t removed_before)
{
    const uint32_t *characters = rig.written.buffer.data, *indices = characters + 1024;
    const uint32_t base = at - removed_before; /* in the output */
    for (uint32_t k = 0; figure[block].left[k] != '\0'; k++) {
        const uint32_t index = indices[base + k] - at % (BLOCK * BLOCKS);
        assert_int_equal(characters[base + k], (unsigned char)figure[block].left[k]);
        assert_in_range(index, 0, BLOCK - 1);
        assert_int_equal(index - k, (uint32_t)(figure[block].removed[index] - '0'));
        rig.cases += 3;
    }
}

void run_figure(VkrRecorder recorder, const VkrCompactInfo *how)
{
    uint32_t *characters = rig.given.buffer.data;
    VkrCompactInfo infos[BLOCKS + 1];
    for (uint32_t i = 0; i < 2 * BLOCK * BLOCKS; i++)
        characters[i] = (unsigned char)figure[i / BLOCK % BLOCKS].block[i % BLOCK];
    infos[0] = without_x(0, BLOCK * BLOCKS);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        infos[1 + i] = without_x(BLOCK * (BLOCKS + i), BLOCK);
        infos[1 + i].firstIndex = BLOCK * i;
    }
    run_compactions(recorder, infos, BLOCKS + 1, how);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        check_block(i, BLOCK * i, block_offsets[i]);
        check_block(i, BLOCK * (BLOCKS + i), 0);
    }
}

/* Runs the default algorithm with the built-in geometry, and both algorithms with tiny tiles. */
static void with_recorders(void (*run)(VkrRecorder recorder, const VkrCompactInfo *how))
{
    const VkrCompactInfo any = {.algorithm = VKR_COMPACT_AUTO},
                         scatter = {.algorithm = VKR_COMPACT_SCAN_SCATTER},
                         single_pass = {.algorithm = VKR_COMPACT_SINGLE_PASS};
    const tuning_row built_in = {0};
    const VkrRecorderInfo info = {0};
    VkrContext context;
    VkrRecorder recorder;
    run(get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in), &any);
    assert_true(harness_tuned_context(&rig.h, NULL, &tiny, NULL, &context));
    assert_true(harness_check(&rig.h, vkrCreateRecorder(context, &info, &recorder), "recorder"));
    if (!test_is_thin())
        run(recorder, &scatter);
    run(recorder, &single_pass);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
}

void test_figure(void **state)
{
    (void)state;
    with_recorders(run_figure);
}

/* ---- All masks ---- */

#define LONGEST 12u
#define SLOT 16u /* words per array of a mask */
#define BATCH 512u

static VkrCompactInfo compact_mask(uint32_t slot, uint32_t length)
{
    return (VkrCompactInfo){
        .input = words(&rig.given, SLOT * slot, length),
        .count = length,
        .kept = words(&rig.written, 3 * SLOT * slot, length),
        .keptIndices = words(&rig.written, 3 * SLOT * slot + SLOT, length),
        .rejectedIndices = words(&rig.written, 3 * SLOT * slot + 2 * SLOT, length),
    };
}

static void check_mask(const VkrCompactInfo *info, uint32_t slot, uint32_t mask)
{
    const uint32_t length = (uint32_t)info->count;
    uint32_t expected[3 * SLOT], kept = 0, rejected = 0;
    memset(expected, 0xaa, sizeof(expected));
    for (uint32_t i = 0; i < length; i++) {
        if ((mask >> i & 1) != 0) {
            expected[kept] = i + 1;
            expected[SLOT + kept++] = i;
        } else if (info->rejectedIndices.size != 0) {
            expected[2 * SLOT + rejected++] = i;
        }
    }
    rig.cases += 3;
    if (memcmp((uint32_t *)rig.written.buffer.data + 3 * SLOT * slot, expected, sizeof(expected)) !=
        0)
        fail_msg("mask %#x of %u elements", mask, length);
}

void run_masks(VkrRecorder recorder, const VkrCompactInfo *how)
{
    static VkrCompactInfo infos[BATCH];
    const uint32_t longest = environment("VKR_TEST_LONGEST", LONGEST);
    const uint32_t all = (2u << longest) - 1; /* the highest bit marks the length of a mask */
    for (uint32_t first = 1; first <= all; first += BATCH) {
        const uint32_t batch = all + 1 - first < BATCH ? all + 1 - first : BATCH;
        memset(rig.written.buffer.data, 0xaa, 12 * (size_t)SLOT * batch);
        for (uint32_t k = 0; k < batch; k++) {
            uint32_t length = 0;
            while ((first + k) >> (length + 1) != 0)
                length++;
            uint32_t *elements = (uint32_t *)rig.given.buffer.data + SLOT * k;
            for (uint32_t i = 0; i < SLOT; i++)
                elements[i] = i >= length || ((first + k) >> i & 1) != 0 ? i + 1 : 0;
            infos[k] = compact_mask(k, length);
        }
        run_compactions(recorder, infos, batch, how);
        for (uint32_t k = 0; k < batch; k++)
            check_mask(&infos[k], k, first + k);
    }
}

void test_masks(void **state)
{
    (void)state;
    with_recorders(run_masks);
}
