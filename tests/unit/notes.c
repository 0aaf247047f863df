/* SPDX-License-Identifier: MIT */
/* Notes: features that a context leaves out, extensions whose state vkrEnd invalidates, a count of
 * 0 although the input has elements, and fields that are not used. All of these are valid. */
#include "chains.h"

/* ---- What vkrCreateContext notes ---- */

#define LEFT                                                                                       \
    "vkrCreateContext: the device has features that the library could use and that "               \
    "enabledFeatureChain, enabledFeatures and enabledExtensions leave out: "

static const struct {
    uint32_t version;
    VkrFeatureFlags cleared;  /* removed from a complete chain */
    uint32_t extension_count; /* in this order: push descriptors, 8-bit storage, size control */
    VkrFeatureFlags disabled; /* by the limits, on purpose */
    const char *note;         /* NULL: none */
} notes[] = {
    {VK_API_VERSION_1_1, 0, 3, 0, NULL},
    {VK_API_VERSION_1_3, 0, 1, 0, NULL},
    {VK_API_VERSION_1_3, VKR_FEATURE_INT64, 1, 0, LEFT "shaderInt64."},
    {VK_API_VERSION_1_3, VKR_FEATURE_INT64, 1, VKR_FEATURE_INT64, NULL},
    {VK_API_VERSION_1_3, STORAGE8, 0, VKR_FEATURE_INT64,
     LEFT "VK_KHR_push_descriptor, storageBuffer8BitAccess."},
    {VK_API_VERSION_1_1, 0, 1, 0, LEFT "VK_EXT_subgroup_size_control, VK_KHR_8bit_storage."},
    {VK_API_VERSION_1_1, STORAGE8, 0, VKR_FEATURE_PUSH_DESCRIPTOR,
     LEFT "VK_EXT_subgroup_size_control, storageBuffer8BitAccess."},
    {VK_API_VERSION_1_3, ALL_BITS, 0, 0,
     LEFT "VK_KHR_push_descriptor, subgroupSizeControl and computeFullSubgroups, "
          "storageBuffer8BitAccess, storageBuffer16BitAccess, shaderInt64, shaderFloat64, "
          "shaderStorageImageWriteWithoutFormat, shaderStorageImageExtendedFormats."},
};

TEST(test_left_off)
{
    for (size_t k = 0; k < ARRAY_SIZE(notes); k++) {
        const uint32_t bits = 1u << CORE | 1u << S16 | 1u << S8 | 1u << SIZES;
        VkrDeviceRequirements requirements;
        application app;
        describe_all(notes[k].version, &requirements);
        fixture.info.enabledFeatureChain = make_chain(&app, bits);
        expect_bits(&app, bits, false, ALL_BITS & ~notes[k].cleared);
        /* The array of VkrDeviceRequirements may be empty. */
        fixture.info.enabledExtensionCount = notes[k].extension_count;
        fixture.info.limits.disabledFeatures = notes[k].disabled;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        if (notes[k].note)
            assert_noted(notes[k].note);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

/* Extensions whose state vkrEnd invalidates, and one that only sounds like them. */
TEST(test_lost_state)
{
    const char *const indexing = "VK_EXT_descriptor_indexing";
    static const char *const names[] = {"VK_EXT_descriptor_buffer", "VK_EXT_descriptor_heap"};
    static const char *const sentences[] = {
        "vkrCreateContext: VK_EXT_descriptor_buffer is enabled, and vkrEnd invalidates its state, "
        "for graphics too: set descriptor buffer offsets and bind embedded samplers again after "
        "vkrEnd.",
        "vkrCreateContext: VK_EXT_descriptor_heap is enabled, and vkrEnd invalidates its state, "
        "for "
        "graphics too: bind heaps and push data again after vkrEnd."};
    for (size_t k = 0; k < ARRAY_SIZE(names) + 1; k++) {
        const char *const list[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, indexing,
                                    k < ARRAY_SIZE(names) ? names[k] : indexing};
        VkrDeviceRequirements requirements;
        describe_all(VK_API_VERSION_1_3, &requirements);
        fixture.info.enabledFeatureChain = &requirements.features;
        fixture.info.enabledExtensionCount = ARRAY_SIZE(list);
        fixture.info.enabledExtensions = list;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        if (k < ARRAY_SIZE(names))
            assert_noted(sentences[k]);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

/* ---- Counts ---- */

typedef struct request {
    uint64_t count;
    bool empty; /* the input has no element */
    bool refused;
} request;

static void change(const request *r, uint64_t *count, VkrView *input)
{
    *count = r->count;
    if (r->empty)
        *input = (VkrView){.type = VKR_TYPE_F32};
}

static VkrResult call_reduce(const request *r)
{
    VkrReduceInfo info = plain_reduce();
    change(r, &info.count, &info.input);
    info.workgroupSize = r->refused ? 2048 : 0;
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_scan(const request *r)
{
    VkrScanInfo info = plain_scan();
    change(r, &info.count, &info.input);
    info.flags = r->refused ? 0x80000000u : 0;
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult call_compact(const request *r)
{
    VkrCompactInfo info = plain_compact();
    change(r, &info.count, &info.input);
    info.flags = r->refused ? 0x80000000u : 0;
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult call_histogram(const request *r)
{
    VkrHistogramInfo info = {.input = plain_reduce().input,
                             .bins = {.count = 4, .high.value = 1},
                             .counts = {BUFFER('O'), 0, 64},
                             .flags = r->refused ? 0x80000000u : 0};
    change(r, &info.count, &info.input);
    return vkrCmdHistogram(fixture.recorder, &info);
}

static const struct {
    VkrResult (*call)(const request *r);
    const char *note;
} operations[] = {
#define NOTE                                                                                       \
    ": count is 0, so no element is used, although input holds 1000; VKR_COUNT_ALL stands for "    \
    "all "                                                                                         \
    "of them."
    {call_reduce, "vkrCmdReduce" NOTE},
    {call_scan, "vkrCmdScan" NOTE},
    {call_compact, "vkrCmdCompact" NOTE},
    {call_histogram, "vkrCmdHistogram" NOTE},
};

static void expect(VkrResult (*call)(const request *r), const request *r)
{
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if ((call(r) == VKR_SUCCESS) == r->refused)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end) == VKR_SUCCESS, !r->refused);
}

/* The note comes once for each context, and only if the call succeeds. */
TEST(test_counts)
{
    const request zero = {0}, all = {.count = VKR_COUNT_ALL}, few = {.count = 3},
                  nothing = {.empty = true}, all_of_nothing = {VKR_COUNT_ALL, true, false},
                  refused = {.refused = true};
    const request *const silent[] = {&all, &few, &nothing, &all_of_nothing, &refused};
    for (size_t k = 0; k < ARRAY_SIZE(operations); k++) {
        trace_open(&(trace_device){0});
        for (size_t i = 0; i < ARRAY_SIZE(silent); i++) {
            expect(operations[k].call, silent[i]);
            assert_int_equal(fixture.notes, 0);
        }
        fixture.sentences = 0; /* of the refused one */
        expect(operations[k].call, &zero);
        assert_noted(operations[k].note);
        for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
            expect(operations[i].call, &zero);
        assert_int_equal(fixture.notes, 0);
        trace_close();
    }
}

/* vkrGetReduceLayout causes no note, since the count may not be known yet. Images hold elements
 * too, even if these are first copied into a buffer, as for scans. */
TEST(test_more)
{
    VkrReduceInfo info = plain_reduce();
    VkrReduceLayout layout;
    const VkrImage image = {.image = HANDLE(VkImage),
                            .view = HANDLE(VkImageView),
                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                            .format = VK_FORMAT_R32_SFLOAT,
                            .layout = VK_IMAGE_LAYOUT_GENERAL,
                            .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                            .extent = {20, 30, 1}};
    trace_open(&(trace_device){0});
    info.count = 0;
    assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
    assert_int_equal(fixture.notes, 0);
    info.input = (VkrView){.image = &image};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_noted("vkrCmdReduce: count is 0, so no element is used, although input holds 600; "
                 "VKR_COUNT_ALL stands for all of them.");
    trace_close();

    VkrScanInfo scan = plain_scan();
    trace_open(&(trace_device){0});
    scan.count = 0;
    scan.input = (VkrView){.image = &image};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(fixture.recorder, &scan), VKR_SUCCESS);
    assert_noted("vkrCmdScan: count is 0, so no element is used, although input holds 600; "
                 "VKR_COUNT_ALL stands for all of them.");
    trace_close();
}

/* ---- Fields that are not used ---- */

EXTERN_TEST(test_unused); /* notes_unused.c */

TEST_MAIN("notes", CASE(test_left_off), CASE(test_lost_state), CASE(test_counts), CASE(test_more),
          CASE(test_unused))
