/* SPDX-License-Identifier: MIT */
/* What vkrDescribe says of recordings, on the stub of Vulkan. */
#include <stdio.h>
#include <string.h>

#include "traced.h"
#include "vkreduce/testing.h"

/* The expected numbers below follow from these rows. */
static const char profile[] =
    "vkreduce-profile 2\ndevice 0 0 0 32\n"
    "reduce 4 buffer 256 256 0 32 256 2048 coalesced vec4 4 0 0\n"
    "compact 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\nend\n";

#define VALUES(letter, values, t)                                                                  \
    {                                                                                              \
        .buffer = BUFFER(letter), .size = 4 * (values), .type = (t)                                \
    }
#define BARRIER "barrier: compute(write) -> compute(read|write)\n"

static char text[1 << 16];

static void add_line(void *data, const char *line)
{
    size_t *length = data;
    assert_true(strlen(line) < 512 && strchr(line, '\n') == NULL);
    *length += (size_t)snprintf(text + *length, sizeof text - *length, "%s\n", line);
    assert_true(*length < sizeof text);
}

static const char *describe(void)
{
    size_t length = 0;
    text[0] = '\0';
    assert_int_equal(vkrDescribe(recorder, add_line, &length), VKR_SUCCESS);
    return text;
}

/* Checks that the description has these lines, one after the other but not next to each other. */
static void assert_lines(const char *const *lines, size_t count)
{
    const char *at = describe();
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, lines[i]);
        if (found == NULL)
            print_message("# '%s' is not in\n%s", lines[i], at);
        assert_non_null(found);
        at = found + strlen(lines[i]);
    }
}

static void close_described(void)
{
    end_traced(NULL);
    close_traced();
}

/* ---- A reduction: all lines ---- */

static void reduce(const char *label)
{
    const VkrReduceInfo info = {.label = label,
                                .ops = VKR_OP_MAX,
                                .input = VALUES('A', 10 * 2048, VKR_TYPE_F32),
                                .count = 10 * 2048,
                                .output = {BUFFER('O'), 64, 4},
                                .algorithm = VKR_REDUCE_SUBGROUP,
                                .workgroupSize = 256};
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
}

static const char reduced[] =
    "steps: 2, levels: 2\n"
    "memory: scratch has 64 bytes, counters have 0\n"
    "level 0\n"
    "  step 0: vkrCmdReduce \"brightest\": reduce_f32_arithmetic, 10 x 1 workgroups\n"
    "    constants: WORKGROUP=256 OPS=2 COMPONENTS=1 SUBGROUPS=64 PATH=1 BATCH=4\n"
    "    push: input_stride=1 capacity_low=20480 count=20480 groups=10 items=2 stored_stride=1\n"
    "    binding 0 INPUT: buffer 0x41 + 0, 81920 bytes\n"
    "    binding 4 STORED: scratch + 0, 40 bytes\n"
    "    unused: INPUT2 COUNT PARTIALS OUTPUT COUNTER MASK\n"
    "    reads buffer 0x41 + 0, 81920 bytes\n"
    "    writes scratch + 0, 40 bytes\n" BARRIER "level 1\n"
    "  step 1: vkrCmdReduce \"brightest\": reduce_f32_arithmetic, 1 x 1 workgroups\n"
    "    constants: WORKGROUP=256 OPS=2 COMPONENTS=1 INPUT=1 OUTPUT=1 SUBGROUPS=64 BATCH=1\n"
    "    push: capacity_low=20480 count=10 groups=1 items=1 partials_stride=1\n"
    "    binding 3 PARTIALS: scratch + 0, 40 bytes\n"
    "    binding 5 OUTPUT: buffer 0x4f + 64, 4 bytes\n"
    "    unused: INPUT INPUT2 COUNT STORED COUNTER MASK\n"
    "    reads scratch + 0, 40 bytes\n"
    "    writes buffer 0x4f + 64, 4 bytes\n";

TEST(test_reduce)
{
    open_traced(&(traced){.profile = profile});
    assert_string_equal(describe(), "steps: 0, levels: 0\n"
                                    "memory: scratch has 0 bytes, counters have 0\n");
    reduce("brightest");
    const uint32_t creations = stub_creations();
    assert_string_equal(describe(), reduced);
    assert_string_equal(describe(), reduced);
    /* Nothing was created for it, and the recording is what it would have been. */
    assert_int_equal(stub_creations(), creations);
    expect_traced(NULL, "dispatch 10 1 1\n" INNER "dispatch 1 1 1\n");
}

/* Two independent reductions: levels come before the order of the calls. Labels are cut off. */
TEST(test_levels)
{
    static char label[400];
    memset(label, 'x', sizeof label - 1);
    open_traced(&(traced){.profile = profile});
    reduce(NULL);
    const VkrReduceInfo other = {.label = label,
                                 .ops = VKR_OP_SUM,
                                 .input = VALUES('B', 100, VKR_TYPE_I32),
                                 .count = 100,
                                 .output = {BUFFER('P'), 0, 8}};
    assert_int_equal(vkrCmdReduce(recorder, &other), VKR_SUCCESS);
    static const char *const lines[] = {
        "steps: 3, levels: 2\n", "level 0\n  step 0: vkrCmdReduce: reduce_f32_arithmetic, ",
        "  step 2: vkrCmdReduce \"x", "xxx\": reduce_w32_arithmetic, 1 x 1 workgroups\n",
        BARRIER "level 1\n  step 1: "};
    assert_lines(lines, ARRAY_SIZE(lines));
    close_described();
}

/* ---- Others: some of their lines ---- */

TEST(test_sort)
{
    open_traced(&(traced){.profile = profile});
    const VkrSortInfo info = {.label = "depths",
                              .keys = VALUES('A', 100000, VKR_TYPE_I32),
                              .count = 100000,
                              .sorted = VALUES('B', 100000, VKR_TYPE_I32)};
    assert_int_equal(vkrCmdSort(recorder, &info), VKR_SUCCESS);
    static const char *const lines[] = {
        "steps: 12, levels: 12\n",
        "level 0\n  step 0: vkrCmdSort \"depths\": sort_count_32_shared, ",
        " FLAGS=FIRST|KEYS ",
        "    constants: KEY_FORM=2 KEY_MOST_LOW=4294967295\n",
        " row_length=100000 count=100000 end=32 source_stride=1 digits=4\n",
        "    binding 0 SOURCE: buffer 0x41 + 0, 400000 bytes\n",
        "    binding 6 TABLE: scratch + 0, ",
        BARRIER "level 1\n  step 1: vkrCmdSort \"depths\": sort_spine_shared, 256 x 1 workgroups\n",
        BARRIER "level 2\n  step 2: vkrCmdSort \"depths\": sort_scatter_32_shared, ",
        "    writes buffer 0x42 + 0, 400000 bytes\n",
        " digit=3 ",
        "level 11\n",
    };
    assert_lines(lines, ARRAY_SIZE(lines));
    close_described();
}

static void compact(void)
{
    const VkrCountOutput count = {VKR_COUNT_STORED, BUFFER('C'), 16, 0};
    const VkrCompactInfo info = {.input = VALUES('A', 100000, VKR_TYPE_U32),
                                 .count = 100000,
                                 .predicate = {.kind = VKR_PREDICATE_NONZERO},
                                 .kept = VALUES('K', 100000, VKR_TYPE_U32),
                                 .countOutputs = &count,
                                 .countOutputCount = 1};
    assert_int_equal(vkrCmdCompact(recorder, &info), VKR_SUCCESS);
}

TEST(test_compact)
{
    open_traced(&(traced){.profile = profile});
    compact();
    static const char *const lines[] = {
        "counters have 64\nfill: counters + 0, 64 bytes, with 0\n",
        "barrier: transfer(write) -> compute(read|write)\nlevel 0\n",
        "  step 0: vkrCmdCompact: compact_w32_shuffle, 49 x 1 workgroups\n",
        " MODE=1 ",
        "    push: input_stride=1 capacity_low=100000 count=100000 items=2\n",
        "    binding 0 TESTED: buffer 0x41 + 0, 400000 bytes\n",
        "    binding 2 COUNTER: counters + 0, 4 bytes\n",
        "    binding 9 UNIFORMS: uniforms + 0, 80 bytes\n",
        "    changes counters + 0, 4 bytes\n",
        BARRIER "level 1\n",
        "    uniforms: kept_stride=1\n",
        "    binding 3 KEPT: buffer 0x4b + 0, 400000 bytes\n",
    };
    assert_lines(lines, ARRAY_SIZE(lines));
    close_described();
}

/* The counters of this device need no fill. */
TEST(test_no_fill)
{
    open_traced(&(traced){.profile = profile, .host_visible = true});
    compact();
    static const char *const lines[] = {
        "counters have 64\nno fill: counters + 0, 64 bytes, are 0 at first; a barrier orders them "
        "at the end, or, without a consumer or with the caller's scratch, at the start\nlevel 0\n",
        "    binding 2 COUNTER: counters + 0, 4 bytes\n",
        BARRIER "level 1\n",
    };
    assert_lines(lines, ARRAY_SIZE(lines));
    close_described();
}

/* An image, with a map, whose numbers are uniforms that several kernels share. */
TEST(test_image)
{
    open_traced(&(traced){.profile = profile});
    const VkrImage image = {.image = (VkImage)(uintptr_t)'I',
                            .view = (VkImageView)(uintptr_t)'V',
                            .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                            .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                            .layout = VK_IMAGE_LAYOUT_GENERAL,
                            .range = {VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 7, 4},
                            .extent = {64, 48, 1},
                            .rectangle = {{5, 6}, {30, 20}},
                            .firstLayer = 2};
    const VkrMap map = {.weights = {1, 0.5F}};
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = {.image = &image, .map = &map},
                                .count = VKR_COUNT_ALL,
                                .output = {BUFFER('O'), 0, 4}};
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
    static const char *const lines[] = {
        "reduce_f32_image_array_shuffle, 1 x 1 workgroups\n",
        " FLAGS=MAPPED|WEIGHT0|20 ",
        "    uniforms: origin[0]=5 origin[1]=6 origin[2]=2",
        "weights[0]=1065353216 weights[1]=1056964608\n",
        "width=30 height=20",
        "    binding 8 IMAGE: image view 0x56\n",
        "    reads image 0x49, levels 3 + 1, layers 9 + 2\n",
    };
    assert_lines(lines, ARRAY_SIZE(lines));
    close_described();
}

TEST_MAIN("describe", CASE(test_reduce), CASE(test_levels), CASE(test_sort), CASE(test_compact),
          CASE(test_no_fill), CASE(test_image))
