/* SPDX-License-Identifier: MIT */
/* From steps to levels to commands, which are compared with golden texts. */
#include "levels.h"

#include "../../../src/core/layout.h"
#include "../../../src/core/schedule.h"
#include "stub.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define IMAGE(number) ((VkImage)(uintptr_t)(number))

/* Accesses of a step. */
#define COMPUTE_ACCESS(kind)                                                                       \
    .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, .access = VK_ACCESS_SHADER_##kind##_BIT
#define READ(letter, from, bytes)                                                                  \
    {                                                                                              \
        .buffer = BUFFER(letter), .offset = (from), .size = (bytes), COMPUTE_ACCESS(READ)          \
    }
#define WRITE(letter, from, bytes)                                                                 \
    {                                                                                              \
        .buffer = BUFFER(letter), .offset = (from), .size = (bytes), COMPUTE_ACCESS(WRITE)         \
    }
#define ARGUMENTS(letter, from)                                                                    \
    {                                                                                              \
        .buffer = BUFFER(letter), .offset = (from), .size = sizeof(VkDispatchIndirectCommand),     \
        .stages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,                                             \
        .access = VK_ACCESS_INDIRECT_COMMAND_READ_BIT                                              \
    }

#define ACCESSES(...) ((const vkr_access[]){__VA_ARGS__})
#define STEP(groups, ...)                                                                          \
    make_step(groups, ACCESSES(__VA_ARGS__),                                                       \
              (uint32_t)(sizeof ACCESSES(__VA_ARGS__) / sizeof(vkr_access)))

/* The barrier between two levels. */
#define INNER "barrier compute(write) -> compute(read|write)\n"
#define DISPATCH(groups) "dispatch " #groups " 1 1\n"

static const vkr_layout no_bindings;
static const vkr_layout three_buffers = {
    .bindings = {{VKR_KIND_BUFFER, VKR_KIND_BUFFER, VKR_KIND_BUFFER}}};

static vkr_step make_step(uint32_t groups, const vkr_access *accesses, uint32_t count)
{
    vkr_step step = {.layout = &no_bindings, .groups = {groups, 1}, .access_count = count};
    for (uint32_t i = 0; i < count; i++)
        step.accesses[i] = accesses[i];
    return step;
}

static const stub_options brief = {.push_descriptors = true, .granule = 16, .brief = true};

static vkr_commands table(void)
{
    vkr_commands vk;
    vkr_load_commands(&vk, (VkDevice)(uintptr_t)1, stub_get_device_proc_addr);
    return vk;
}

/* Schedules steps, and records them into the stub with the settings of `recording`. */
static void record_into(const stub_options *options, vkr_recording recording, vkr_step *steps,
                        uint32_t count)
{
    stub_start(options);
    const vkr_commands vk = table();
    recording.vk = &vk;
    recording.push_descriptors = options->push_descriptors;
    void *memory = test_malloc((size_t)vkr_levels_size(steps, count));
    const vkr_schedule schedule = vkr_assign_levels(steps, count, memory);
    vkr_record(&recording, steps, count, schedule.order);
    test_free(memory);
}

#define EXPECT_WITH(recording, steps, golden)                                                      \
    do {                                                                                           \
        record_into(&brief, recording, steps, VKR_ARRAY_SIZE(steps));                              \
        assert_string_equal(stub_text(), golden);                                                  \
    } while (0)
#define EXPECT(steps, golden) EXPECT_WITH((vkr_recording){0}, steps, golden)

/* ---- Levels ---- */

TEST(test_nothing)
{
    const vkr_recording recording = {.scratch = {BUFFER('S'), 0, 256},
                                     .scratch_used_before = true,
                                     .counter_size = 256,
                                     .consumer_stages = VK_PIPELINE_STAGE_HOST_BIT,
                                     .consumer_access = VK_ACCESS_HOST_READ_BIT};
    record_into(&brief, recording, NULL, 0);
    assert_string_equal(stub_text(), "");
}

TEST(test_chain)
{
    vkr_step steps[] = {
        STEP(1, READ('I', 0, 64), WRITE('A', 0, 64)),
        STEP(2, READ('A', 0, 64), WRITE('B', 0, 64)),
        STEP(3, READ('B', 0, 64), WRITE('C', 0, 64)),
    };
    EXPECT(steps, DISPATCH(1) INNER DISPATCH(2) INNER DISPATCH(3));
}

TEST(test_diamond)
{
    vkr_step steps[] = {
        STEP(1, WRITE('A', 0, 64)),
        STEP(2, READ('A', 0, 64), WRITE('B', 0, 64)),
        STEP(3, READ('A', 0, 64), WRITE('C', 0, 64)),
        STEP(4, READ('B', 0, 64), READ('C', 0, 64), WRITE('D', 0, 64)),
    };
    EXPECT(steps, DISPATCH(1) INNER DISPATCH(2) DISPATCH(3) INNER DISPATCH(4));
}

/* Eight reductions of two steps each: one barrier, not eight. */
TEST(test_independent_pairs)
{
    vkr_step steps[16];
    for (uint32_t i = 0; i < 8; i++) {
        const VkDeviceSize partials = 256 * i;
        const VkDeviceSize result = 16 * i;
        steps[2 * i] = STEP(10 + i, READ('I', 0, 4096), WRITE('S', partials, 256));
        steps[2 * i + 1] = STEP(20 + i, READ('S', partials, 256), WRITE('O', result, 4));
    }
    EXPECT(steps, DISPATCH(10) DISPATCH(11) DISPATCH(12) DISPATCH(13) DISPATCH(14) DISPATCH(15)
                      DISPATCH(16) DISPATCH(17) INNER DISPATCH(20) DISPATCH(21) DISPATCH(22)
                          DISPATCH(23) DISPATCH(24) DISPATCH(25) DISPATCH(26) DISPATCH(27));
    assert_int_equal(stub_calls("vkCmdPipelineBarrier"), 1);
}

/* The last step depends on nothing, so it is on level 0. */
TEST(test_late_but_free)
{
    vkr_step steps[] = {
        STEP(1, WRITE('A', 0, 64)),
        STEP(2, READ('A', 0, 64), WRITE('B', 0, 64)),
        STEP(3, READ('I', 0, 64), WRITE('C', 0, 64)),
    };
    EXPECT(steps, DISPATCH(1) DISPATCH(3) INNER DISPATCH(2));
}

TEST(test_hazards)
{
    vkr_step read_read[] = {STEP(1, READ('A', 0, 64)), STEP(2, READ('A', 0, 64))};
    EXPECT(read_read, DISPATCH(1) DISPATCH(2));
    vkr_step read_write[] = {STEP(1, READ('A', 0, 64)), STEP(2, WRITE('A', 0, 64))};
    EXPECT(read_write, DISPATCH(1) INNER DISPATCH(2));
    vkr_step write_write[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, WRITE('A', 0, 64))};
    EXPECT(write_write, DISPATCH(1) INNER DISPATCH(2));
    vkr_step in_place[] = {STEP(1, READ('A', 0, 64), WRITE('A', 0, 64))};
    EXPECT(in_place, DISPATCH(1));
}

TEST(test_ranges)
{
    vkr_step apart[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, READ('A', 64, 64)),
                        STEP(3, WRITE('A', 128, 64))};
    EXPECT(apart, DISPATCH(1) DISPATCH(2) DISPATCH(3));
    vkr_step last_byte[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, READ('A', 63, 64))};
    EXPECT(last_byte, DISPATCH(1) INNER DISPATCH(2));
    vkr_step first_byte[] = {STEP(1, WRITE('A', 64, 64)), STEP(2, READ('A', 0, 65))};
    EXPECT(first_byte, DISPATCH(1) INNER DISPATCH(2));
    vkr_step inside[] = {STEP(1, WRITE('A', 0, 1024)), STEP(2, READ('A', 512, 4))};
    EXPECT(inside, DISPATCH(1) INNER DISPATCH(2));
    vkr_step to_the_end[] = {STEP(1, WRITE('A', 256, VK_WHOLE_SIZE)), STEP(2, READ('A', 0, 256)),
                             STEP(3, READ('A', UINT64_C(1) << 40, 4))};
    EXPECT(to_the_end, DISPATCH(1) DISPATCH(2) INNER DISPATCH(3));
    vkr_step empty[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, WRITE('A', 32, 0))};
    EXPECT(empty, DISPATCH(1) DISPATCH(2));
    vkr_step other_buffer[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, WRITE('B', 0, 64))};
    EXPECT(other_buffer, DISPATCH(1) DISPATCH(2));
}

/* ---- Images ---- */

static vkr_step image_step(uint32_t groups, VkImage image, VkImageSubresourceRange subresource,
                           VkAccessFlags access)
{
    return STEP(groups, {.image = image,
                         .subresource = subresource,
                         .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         .access = access});
}

TEST(test_images)
{
    const VkImageAspectFlags color = VK_IMAGE_ASPECT_COLOR_BIT;
    const VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT;
    const VkImageAspectFlags stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
    /* aspects, mip, mips, layer, layers */
    const struct {
        uintptr_t image;
        VkImageSubresourceRange a, b;
        bool conflict;
    } rows[] = {
        {1, {color, 0, 1, 0, 1}, {color, 0, 1, 0, 1}, true},
        {2, {color, 0, 1, 0, 1}, {color, 0, 1, 0, 1}, false},
        {1, {color, 0, 1, 0, 1}, {color, 1, 1, 0, 1}, false},
        {1, {color, 0, 3, 0, 1}, {color, 2, 1, 0, 1}, true},
        {1, {color, 0, 1, 0, 1}, {color, 0, 1, 1, 1}, false},
        {1, {color, 0, 1, 2, 4}, {color, 0, 1, 5, 1}, true},
        {1, {color, 0, 1, 2, 4}, {color, 0, 1, 6, 1}, false},
        {1, {depth, 0, 1, 0, 1}, {stencil, 0, 1, 0, 1}, false},
        {1, {depth | stencil, 0, 1, 0, 1}, {stencil, 0, 1, 0, 1}, true},
        {1,
         {color, 3, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
         {color, 4, 1, 7, 1},
         true},
        {1, {color, 3, VK_REMAINING_MIP_LEVELS, 0, 1}, {color, 2, 1, 0, 1}, false},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        vkr_step steps[] = {
            image_step(1, IMAGE(1), rows[i].a, VK_ACCESS_SHADER_WRITE_BIT),
            image_step(2, IMAGE(rows[i].image), rows[i].b, VK_ACCESS_SHADER_READ_BIT),
        };
        print_message("# row %u\n", (unsigned)i);
        EXPECT(steps, rows[i].conflict ? DISPATCH(1) INNER DISPATCH(2) : DISPATCH(1) DISPATCH(2));
    }
}

/* Each level of a pyramid reads the one above; two pyramids share the barriers. */
TEST(test_pyramids)
{
    vkr_step steps[6];
    for (uint32_t i = 0; i < 6; i++) {
        const uint32_t mip = i % 3;
        const VkImageSubresourceRange from = {VK_IMAGE_ASPECT_COLOR_BIT, mip, 1, 0, 1};
        const VkImageSubresourceRange to = {VK_IMAGE_ASPECT_COLOR_BIT, mip + 1, 1, 0, 1};
        steps[i] = image_step(i, IMAGE(1 + i / 3), to, VK_ACCESS_SHADER_WRITE_BIT);
        steps[i].accesses[steps[i].access_count++] =
            image_step(i, IMAGE(1 + i / 3), from, VK_ACCESS_SHADER_READ_BIT).accesses[0];
    }
    EXPECT(steps,
           DISPATCH(0) DISPATCH(3) INNER DISPATCH(1) DISPATCH(4) INNER DISPATCH(2) DISPATCH(5));
}

/* ---- Indirect dispatches ---- */

static vkr_step indirect_step(char letter, VkDeviceSize offset)
{
    vkr_step step = STEP(0, ARGUMENTS(letter, offset), WRITE('O', 0, 4));
    step.indirect = (VkrBufferRange){BUFFER(letter), offset, sizeof(VkDispatchIndirectCommand)};
    return step;
}

TEST(test_indirect)
{
    vkr_step written[] = {STEP(1, WRITE('A', 0, 64)), indirect_step('A', 16)};
    EXPECT(written, DISPATCH(1) "barrier compute(write) -> indirect|compute(command|read|write)\n"
                                "dispatch A+16\n");
    vkr_step callers[] = {STEP(1, WRITE('O', 0, 64)), indirect_step('A', 16)};
    EXPECT(callers, DISPATCH(1) INNER "dispatch A+16\n");
    vkr_step behind[] = {STEP(1, WRITE('A', 0, 16)), indirect_step('A', 16)};
    EXPECT(behind, DISPATCH(1) "dispatch A+16\n");
    vkr_step two_levels_up[] = {STEP(1, WRITE('A', 0, 12)),
                                STEP(2, READ('A', 0, 12), WRITE('O', 0, 4)), indirect_step('A', 0)};
    EXPECT(two_levels_up,
           DISPATCH(1) INNER DISPATCH(
               2) "barrier compute(write) -> indirect|compute(command|read|write)\ndispatch A+0\n");
    vkr_step read_before[] = {STEP(1, READ('A', 0, 12), WRITE('O', 0, 4)), indirect_step('A', 0)};
    EXPECT(read_before, DISPATCH(1) INNER "dispatch A+0\n");
    vkr_step overwritten[] = {STEP(1, WRITE('O', 0, 4)), indirect_step('A', 0),
                              STEP(2, WRITE('A', 0, 12))};
    EXPECT(overwritten, DISPATCH(1) INNER "dispatch A+0\n" INNER DISPATCH(2));
    vkr_step written_later[] = {indirect_step('A', 0), STEP(1, WRITE('A', 0, 12))};
    EXPECT(written_later, "dispatch A+0\n" INNER DISPATCH(1));
}

/* ---- Scratch, counters, consumers ---- */

static const vkr_recording counters = {.scratch = {(VkBuffer)(uintptr_t)'S', 256, 768},
                                       .counter_size = 256};

TEST(test_fill)
{
    vkr_step first_level[] = {STEP(1, READ('S', 256, 4), WRITE('S', 256, 4))};
    EXPECT_WITH(counters, first_level,
                "fill S+256:256 0\n"
                "barrier transfer(copy-write) -> compute(read|write)\n" DISPATCH(1));
    vkr_step second_level[] = {
        STEP(1, WRITE('S', 512, 64)),
        STEP(2, READ('S', 512, 64), READ('S', 256, 4), WRITE('S', 256, 4)),
        STEP(3, READ('S', 256, 4)),
    };
    EXPECT_WITH(
        counters, second_level,
        "fill S+256:256 0\n" DISPATCH(
            1) "barrier compute|transfer(write|copy-write) -> compute(read|write)\n" DISPATCH(2)
            INNER DISPATCH(3));
}

TEST(test_scratch_used_before)
{
    vkr_recording recording = counters;
    recording.scratch_used_before = true;
    vkr_step steps[] = {STEP(1, READ('S', 256, 4), WRITE('S', 256, 4))};
    EXPECT_WITH(recording, steps,
                "barrier compute|transfer(write|copy-write) -> "
                "compute|transfer(read|write|copy-write)\n"
                "fill S+256:256 0\n"
                "barrier transfer(copy-write) -> compute(read|write)\n" DISPATCH(1));
    recording.counter_size = 0;
    recording.tickets_used_before = true; /* this needs no other barrier */
    EXPECT_WITH(recording, steps,
                "barrier compute|transfer(write|copy-write) -> compute(read|write)\n" DISPATCH(1));
    recording = (vkr_recording){.tickets_used_before = true};
    EXPECT_WITH(recording, steps, INNER DISPATCH(1));
}

TEST(test_consumer)
{
    vkr_step steps[] = {STEP(1, WRITE('A', 0, 64)), STEP(2, READ('A', 0, 64))};
    const vkr_recording host = {.consumer_stages = VK_PIPELINE_STAGE_HOST_BIT,
                                .consumer_access = VK_ACCESS_HOST_READ_BIT};
    EXPECT_WITH(host, steps,
                DISPATCH(1) INNER DISPATCH(2) "barrier compute(write) -> host(host-read)\n");
    const vkr_recording draw = {.consumer_stages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                                   VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                .consumer_access = VK_ACCESS_INDIRECT_COMMAND_READ_BIT |
                                                   VK_ACCESS_SHADER_READ_BIT};
    EXPECT_WITH(draw, steps,
                DISPATCH(1) INNER DISPATCH(
                    2) "barrier compute(write) -> indirect|fragment(command|read)\n");
}

/* ---- Everything a step records ---- */

static vkr_step bound_step(uint32_t groups, uintptr_t pipeline, const char *label)
{
    vkr_step step = STEP(groups, READ('A', 0, 64));
    step.pipeline = (VkPipeline)pipeline;
    step.label = label;
    step.groups[1] = 7;
    step.push_size = 8;
    step.push[0] = groups;
    step.push[1] = 5;
    step.layout = &three_buffers;
    step.bindings[0].buffer = (VkDescriptorBufferInfo){BUFFER('A'), 0, 64};
    step.bindings[2].buffer = (VkDescriptorBufferInfo){BUFFER('B'), 256, 16};
    return step;
}

TEST(test_step_commands)
{
    const stub_options options = {.push_descriptors = true, .granule = 16};
    vkr_step steps[] = {bound_step(1, 4, NULL), bound_step(2, 4, NULL), bound_step(3, 9, NULL)};
    steps[1].push_size = 0;
    record_into(&options, (vkr_recording){0}, steps, 3);
    assert_string_equal(stub_text(), "pipeline 4\n"
                                     "push 0: 0=A+0:64 2=B+256:16\n"
                                     "constants 0: 1 5\n"
                                     "dispatch 1 7 1\n"
                                     "push 0: 0=A+0:64 2=B+256:16\n"
                                     "dispatch 2 7 1\n"
                                     "pipeline 9\n"
                                     "push 0: 0=A+0:64 2=B+256:16\n"
                                     "constants 0: 3 5\n"
                                     "dispatch 3 7 1\n");
}

TEST(test_sets)
{
    const stub_options options = {.granule = 16};
    vkr_step steps[] = {STEP(1, WRITE('A', 0, 4)), STEP(2, READ('A', 0, 4)),
                        STEP(3, WRITE('B', 0, 4))};
    for (uint32_t i = 0; i < 3; i++) {
        steps[i].pipeline = (VkPipeline)(uintptr_t)1;
        steps[i].set = (VkDescriptorSet)(uintptr_t)(11 + i);
    }
    record_into(&options, (vkr_recording){0}, steps, 3);
    assert_string_equal(stub_text(), "pipeline 1\nset 0: 11\n" DISPATCH(1) "set 0: 13\n" DISPATCH(3)
                                         INNER "set 0: 12\n" DISPATCH(2));
}

TEST(test_labels)
{
    const vkr_debug debug = {.begin_label =
                                 (PFN_vkCmdBeginDebugUtilsLabelEXT)stub_get_device_proc_addr(
                                     NULL, "vkCmdBeginDebugUtilsLabelEXT"),
                             .end_label = (PFN_vkCmdEndDebugUtilsLabelEXT)stub_get_device_proc_addr(
                                 NULL, "vkCmdEndDebugUtilsLabelEXT")};
    const vkr_recording recording = {.debug_utils = true, .debug = &debug};
    vkr_step steps[] = {bound_step(1, 4, "depth"), bound_step(2, 4, NULL),
                        bound_step(3, 4, "light")};
    EXPECT_WITH(recording, steps,
                "begin depth\ndispatch 1 7 1\nend\n"
                "dispatch 2 7 1\n"
                "begin light\ndispatch 3 7 1\nend\n");
    EXPECT(steps, "dispatch 1 7 1\ndispatch 2 7 1\ndispatch 3 7 1\n");
}

TEST_MAIN("schedule", CASE(test_nothing), CASE(test_chain), CASE(test_diamond),
          CASE(test_independent_pairs), CASE(test_late_but_free), CASE(test_hazards),
          CASE(test_ranges), CASE(test_images), CASE(test_pyramids), CASE(test_indirect),
          CASE(test_fill), CASE(test_scratch_used_before), CASE(test_consumer),
          CASE(test_step_commands), CASE(test_sets), CASE(test_labels), CASE(test_random_bytes),
          CASE(test_random_ranges))
