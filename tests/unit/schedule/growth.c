/* SPDX-License-Identifier: MIT */
/* Long recordings on the stub of Vulkan: work, which is counted and not timed, grows little faster
 * than the number of operations. */
#include <inttypes.h>
#include <stdio.h>

#include "unit.h"

#include "../../../src/core/recorder.h"
#include "../../../src/core/schedule.h"
#include "stub.h"

#define BUFFER(number) ((VkBuffer)(uintptr_t)(number))
#define HANDLE(Type) ((Type)(uintptr_t)1)

/* The longer of two recordings has TIMES times the steps. For each step it may need up to LEEWAY
 * times the work; comparing all pairs would need TIMES times the work. */
#define TIMES 16u
#define LEEWAY 2u

static vkr_access range(VkBuffer buffer, uint64_t offset, uint64_t size, VkAccessFlags access)
{
    return (vkr_access){.buffer = buffer, .offset = offset, .size = size, .access = access};
}

#define SHADER_READ VK_ACCESS_SHADER_READ_BIT
#define SHADER_WRITE VK_ACCESS_SHADER_WRITE_BIT

/* Step i of n. */
static void independent(vkr_step *step, uint32_t i, uint32_t n)
{
    (void)n;
    step->accesses[0] = range(BUFFER('A'), 0, 1u << 20, SHADER_READ);
    step->accesses[1] = range(BUFFER('B'), 256 * (uint64_t)i, 4, SHADER_WRITE);
}

static void chained(vkr_step *step, uint32_t i, uint32_t n)
{
    (void)n;
    step->accesses[0] = range(BUFFER('A'), 256 * (uint64_t)i, 256, SHADER_READ);
    step->accesses[1] = range(BUFFER('A'), 256 * (uint64_t)(i + 1), 256, SHADER_WRITE);
}

/* Half of the steps write a piece each, and then each of the others reads all pieces. */
static void reads_of_pieces(vkr_step *step, uint32_t i, uint32_t n)
{
    const bool writes = i < n / 2;
    step->accesses[0] =
        range(BUFFER('A'), writes ? 256 * (uint64_t)i : 0, writes ? 256 : 256 * (uint64_t)n,
              writes ? SHADER_WRITE : SHADER_READ);
    step->accesses[1] = range(BUFFER(1000 + i), 0, 4, SHADER_WRITE);
}

/* Step i of the first half reads from byte 16 i to the end, and step i of the second half writes
 * the same range. */
static void nested(vkr_step *step, uint32_t i, uint32_t n)
{
    const bool writes = i >= n / 2;
    const uint64_t first = 16 * (uint64_t)(i % (n / 2));
    step->accesses[0] =
        range(BUFFER('A'), first, VK_WHOLE_SIZE, writes ? SHADER_WRITE : SHADER_READ);
    step->accesses[1] = range(BUFFER('B'), 0, 16 * (uint64_t)n - first, SHADER_READ);
}

static void of_mips(vkr_step *step, uint32_t i, uint32_t n)
{
    (void)n;
    for (uint32_t k = 0; k < 2; k++)
        step->accesses[k] = (vkr_access){
            .image = (VkImage)(uintptr_t)(1 + i / 12),
            .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, i % 12 + k, 1, 0, VK_REMAINING_ARRAY_LAYERS},
            .access = k ? SHADER_WRITE : SHADER_READ};
}

static uint64_t work_of(void (*shape)(vkr_step *step, uint32_t i, uint32_t n), uint32_t count,
                        uint32_t *levels)
{
    vkr_step *steps = test_calloc(count, sizeof *steps);
    for (uint32_t i = 0; i < count; i++) {
        steps[i].access_count = 2;
        shape(&steps[i], i, count);
    }
    void *memory = test_malloc((size_t)vkr_levels_size(steps, count));
    const vkr_schedule schedule = vkr_assign_levels(steps, count, memory);
    *levels = schedule.levels;
    test_free(memory);
    test_free(steps);
    return schedule.work;
}

TEST(test_levels)
{
    enum { FEW = 2000, MANY = FEW * TIMES };
    const struct {
        void (*shape)(vkr_step *step, uint32_t i, uint32_t n);
        uint32_t levels; /* of MANY */
    } rows[] = {{independent, 1},
                {chained, MANY},
                {reads_of_pieces, 2},
                {nested, MANY / 2 + 1},
                {of_mips, 12}};
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        uint32_t levels;
        const uint64_t few = work_of(rows[i].shape, FEW, &levels);
        const uint64_t many = work_of(rows[i].shape, MANY, &levels);
        printf("# row %u: %u steps are %" PRIu64 " units of work, %u are %" PRIu64 "\n",
               (unsigned)i, FEW, few, MANY, many);
        assert_int_equal(levels, rows[i].levels);
        assert_true(few >= FEW);
        assert_true(many <= LEEWAY * TIMES * few);
    }
}

/* ---- Whole recordings ---- */

static struct {
    VkrContext context;
    VkrRecorder recorder;
} fixture;

static void open_recorder(bool push_descriptors, VkDeviceSize range)
{
    static const char *const extension = VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME;
    stub_start(&(stub_options){
        .push_descriptors = push_descriptors, .granule = 64, .group_limit = 65535, .brief = true});
    const VkrContextInfo info = {.instance = HANDLE(VkInstance),
                                 .physicalDevice = HANDLE(VkPhysicalDevice),
                                 .device = HANDLE(VkDevice),
                                 .enabledExtensionCount = push_descriptors,
                                 .enabledExtensions = &extension,
                                 .getInstanceProcAddr = stub_get_instance_proc_addr,
                                 .limits = {.maxStorageBufferRange = range}};
    assert_int_equal(vkrCreateContext(&info, &fixture.context), VKR_SUCCESS);
    assert_int_equal(vkrCreateRecorder(fixture.context, &(VkrRecorderInfo){0}, &fixture.recorder),
                     VKR_SUCCESS);
}

static void close_recorder(void)
{
    vkrDestroyRecorder(fixture.recorder);
    vkrDestroyContext(fixture.context);
    assert_int_equal(stub_objects(), 0);
}

/* Each sum goes to a place of its own. In a chain it reads the place of the sum before; otherwise
 * all sums read the same 64 f32. */
static void collect(uint32_t count, bool chain)
{
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        const VkDeviceSize at = 64 * (VkDeviceSize)i;
        const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                    .input = {.buffer = chain ? BUFFER('O') : BUFFER('I'),
                                              .offset = chain ? at : 0,
                                              .size = chain ? 64 : 256,
                                              .type = VKR_TYPE_F32},
                                    .count = VKR_COUNT_ALL,
                                    .output = {BUFFER('O'), chain ? at + 64 : at, 4}};
        assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    }
}

static void end_recording(uint32_t count, bool chain)
{
    const uint32_t dispatches = stub_calls("vkCmdDispatch");
    const uint32_t barriers = stub_calls("vkCmdPipelineBarrier");
    const VkrEndInfo end = {.commandBuffer = HANDLE(VkCommandBuffer)};
    assert_int_equal(vkrEnd(fixture.recorder, &end), VKR_SUCCESS);
    assert_int_equal(stub_calls("vkCmdDispatch") - dispatches, count);
    assert_int_equal(stub_calls("vkCmdPipelineBarrier") - barriers, chain ? count - 1 : 0);
}

/* Measures the work of vkrGetUses and vkrEnd. */
static void record_operations(uint32_t count, bool chain, uint64_t work[2])
{
    uint32_t uses;
    collect(count, chain);
    const uint64_t before = fixture.recorder->work;
    assert_int_equal(vkrGetUses(fixture.recorder, &uses, NULL), VKR_SUCCESS);
    assert_int_equal(uses, chain ? 2 * count : count + 1);
    const uint64_t between = fixture.recorder->work;
    end_recording(count, chain);
    work[0] = between - before;
    work[1] = fixture.recorder->work - between;
}

TEST(test_recordings)
{
    enum { FEW = 1000, MANY = FEW * TIMES };
    for (int chain = 0; chain < 2; chain++) {
        uint64_t few[2];
        uint64_t many[2];
        open_recorder(true, 0);
        record_operations(FEW, chain, few);
        record_operations(MANY, chain, many);
        print_message("# %s: uses %llu to %llu, end %llu to %llu\n",
                      chain ? "chain" : "independent", (unsigned long long)few[0],
                      (unsigned long long)many[0], (unsigned long long)few[1],
                      (unsigned long long)many[1]);
        /* In a hash table that is half empty, few entries collide. */
        assert_true(few[0] <= 4 * FEW && many[0] <= 4 * MANY);
        assert_true(many[1] <= LEEWAY * TIMES * few[1]);
        close_recorder();
    }
}

/* A compaction's elements can go to every window of the output up to their own, so its dispatches
 * grow with the square of the windows; the work for each dispatch must not grow. */
static uint64_t work_of_dispatch(uint32_t windows, uint32_t *dispatches)
{
    const VkDeviceSize size = (VkDeviceSize)windows * 65536;
    const VkrCompactInfo info = {
        .input = {.buffer = BUFFER('I'), .size = size, .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .kept = {.buffer = BUFFER('O'), .size = size}};
    const VkrEndInfo end = {.commandBuffer = HANDLE(VkCommandBuffer)};
    const uint32_t first = stub_calls("vkCmdDispatch");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(fixture.recorder, &info), VKR_SUCCESS);
    const uint64_t before = fixture.recorder->work;
    assert_int_equal(vkrEnd(fixture.recorder, &end), VKR_SUCCESS);
    *dispatches = stub_calls("vkCmdDispatch") - first;
    return (fixture.recorder->work - before) / *dispatches;
}

TEST(test_windows)
{
    uint32_t few;
    uint32_t many;
    open_recorder(true, 65536);
    const uint64_t work = work_of_dispatch(32, &few);
    const uint64_t more_work = work_of_dispatch(4 * 32, &many);
    print_message("# %u dispatches of %llu, %u of %llu\n", few, (unsigned long long)work, many,
                  (unsigned long long)more_work);
    assert_true(few > 32 * 33 / 2 && many > 128 * 129 / 2);
    assert_true(more_work <= LEEWAY * work);
    close_recorder();
}

/* Without push descriptors, all sets come from one pool, and each is used once. */
TEST(test_hundred_thousand)
{
    enum { COUNT = 100000 };
    for (int chain = 0; chain < 2; chain++) {
        open_recorder(false, 0);
        collect(COUNT, chain);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        const uint32_t creations = stub_creations();
        end_recording(COUNT, chain);
        assert_int_equal(stub_creations(), creations);
        assert_int_equal(stub_calls("vkUpdateDescriptorSets"), COUNT);
        assert_int_equal(stub_calls("vkCreateDescriptorPool"), 1);
        assert_int_equal(fixture.recorder->sets[0].used, COUNT);
        close_recorder();
    }
}

TEST_MAIN("growth", CASE(test_levels), CASE(test_recordings), CASE(test_windows),
          CASE(test_hundred_thousand))
