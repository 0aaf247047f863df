/* SPDX-License-Identifier: MIT */
/* Which run lengths take one pass: those of words. */
#include "plans.h"

#include <string.h>

#include "../../../src/tables/policies.h"

#define COUNT 10000000u
#define WORDS(letter, t)                                                                           \
    (VkrView)                                                                                      \
    {                                                                                              \
        .buffer = BUFFER(letter), .size = 4 * COUNT, .type = VKR_TYPE_##t                          \
    }
#define COUNTS (VkrCountOutput *)(uintptr_t)i->countOutputs

/* Requests that differ from a plain one by an assignment, and the number of dispatches that the
 * kernel of runs and then that of counts need; 0: other kernels do all. */
#define REQUESTS(X)                                                                                \
    X(plain, 1, )                                                                                  \
    X(only_lengths, 1, i->kept = (VkrView){0})                                                     \
    X(only_kept, 0, i->runLengths = (VkrView){0})                                                  \
    X(signed_words, 1, i->input.type = i->kept.type = VKR_TYPE_I32)                                \
    X(floats, 1, i->input.type = i->kept.type = VKR_TYPE_F32)                                      \
    X(halves, 0, i->input.type = i->kept.type = VKR_TYPE_F16)                                      \
    X(pairs, 0, i->input.components = i->kept.components = 2; i->count /= 2)                       \
    X(apart, 0, i->input.stride = 8; i->count /= 2)                                                \
    X(few, 1, i->count = 1)                                                                        \
    X(none, 0, i->count = 0)                                                                       \
    X(room, 1, i->capacity = 100)                                                                  \
    X(no_room, 0, i->runLengths.size = 3)                                                          \
    X(spread, 0, i->kept.stride = 8)                                                               \
    X(spread_lengths, 0, i->runLengths.stride = 8)                                                 \
    X(wide_lengths, 0, i->runLengths.type = VKR_TYPE_U64)                                          \
    X(no_counts, 1, i->countOutputCount = 0)                                                       \
    X(kept64, 1, (COUNTS)->kind = VKR_COUNT_KEPT64)                                                \
    X(stored, 2, (COUNTS)->kind = VKR_COUNT_STORED)                                                \
    X(scaled, 2, (COUNTS)->scale = 4)                                                              \
    X(two_counts, 2, i->countOutputCount = 2)                                                      \
    X(gpu_count, 1, i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32}))                   \
    X(replaced, 2, i->gpuCount = ((VkrGpuCount){BUFFER('C'), 0, VKR_TYPE_U32}))                    \
    X(append, 0, i->append = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32}))                        \
    X(indices, 0, i->keptIndices = WORDS('X', U32))                                                \
    X(rejected, 0, i->rejected = WORDS('X', U32))                                                  \
    X(rejected_indices, 0, i->rejectedIndices = WORDS('X', U32))                                   \
    X(negated, 0, i->predicate.negate = VK_TRUE)                                                   \
    X(continued, 0, i->flags = VKR_COMPACT_CONTINUED_BIT; i->input.offset = 4; i->count--)         \
    X(offset, 1, i->input.offset = 4; i->count--)                                                  \
    X(other, 0, i->predicate.kind = VKR_PREDICATE_NONZERO)                                         \
    X(scattered, 0, i->algorithm = VKR_COMPACT_SCAN_SCATTER)                                       \
    X(chosen, 0, i->workgroupSize = 256)                                                           \
    X(payload, 0, i->payloadCount = 1)

#define SETTER(name, dispatches, change)                                                           \
    static void set_##name(VkrCompactInfo *i)                                                      \
    {                                                                                              \
        (void)i;                                                                                   \
        change;                                                                                    \
    }
REQUESTS(SETTER)

#define ROW(name, dispatches, change) {#name, dispatches, set_##name},
static const struct {
    const char *name;
    uint32_t dispatches;
    void (*set)(VkrCompactInfo *info);
} requests[] = {REQUESTS(ROW)};

/* Records a compaction, and checks that it is so many dispatches by the kernel of runs. */
static void expect_dispatches(const VkrCompactInfo *info, uint32_t dispatches)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    uint32_t keyed = 0;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        keyed += strncmp(fixture.dispatches[i].kernel, "keyed_w32", 9) == 0;
    assert_int_equal(keyed, dispatches != 0);
    if (dispatches != 0)
        assert_int_equal(fixture.dispatch_count, dispatches);
}

static void record(void (*set)(VkrCompactInfo *info), uint32_t dispatches)
{
    VkrCountOutput counts[2] = {{.buffer = BUFFER('C')}, {.buffer = BUFFER('C'), .offset = 16}};
    const VkrPayload payload = {
        .size = 4, .source = {BUFFER('S'), 0, 4 * COUNT}, .target = {BUFFER('T'), 0, 4 * COUNT}};
    VkrCompactInfo info = {.input = WORDS('A', U32),
                           .count = COUNT,
                           .predicate = {.kind = VKR_PREDICATE_UNIQUE},
                           .kept = WORDS('K', U32),
                           .runLengths = WORDS('L', U32),
                           .payloads = &payload,
                           .countOutputCount = 1,
                           .countOutputs = counts};
    set(&info);
    expect_dispatches(&info, dispatches);
}

EXTERN_TEST(test_run_lengths)
{
    trace_open(&(trace_device){.built_in = true});
    for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
        print_message("# %s\n", requests[i].name);
        record(requests[i].set, requests[i].dispatches);
    }
    trace_close();
    static const struct {
        trace_device device;
        uint32_t dispatches;
    } rows[] = {{{.built_in = true, .vendor = VKR_INTEL}, 1},
                {{.built_in = true, .vendor = VKR_ARM}, 0},
                {{.built_in = true, .cpu = true}, 0},
                {{.built_in = true, .metal = true}, 0},
                {{.built_in = true, .group_path = VKR_GROUP_PATH_SHUFFLE}, 0},
                {{.built_in = true, .progress = VKR_FORWARD_PROGRESS_NONE}, 0},
                {{.built_in = true, .range = 4 * COUNT - 4}, 0},
                {{.built_in = true, .range = 4 * COUNT + 64}, 1}};
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        print_message("# device %u\n", (unsigned)i);
        trace_open(&rows[i].device);
        record(set_plain, rows[i].dispatches);
        trace_close();
    }
}
