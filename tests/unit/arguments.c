/* SPDX-License-Identifier: MIT */
/* Wrong calls of contexts and recorders: each field wrong in turn, NULL, calls out of order, and
 * the sticky error. Each must give the right code and sentence, record nothing and leak nothing. */
#include <stdio.h>
#include <string.h>

#include "vkreduce/testing.h"
#include "arguments_trace.h"

/* ---- VkrContextInfo ---- */

static const VkAllocationCallbacks no_callback = {0};
static const char *const no_names[] = {VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, NULL};

/* name, code, sentence behind "vkrCreateContext: ", how device d and info i become wrong */
/* clang-format off */
#define CONTEXT_ROWS(X)                                                                            \
X(instance, INVALID_ARGUMENT, "instance is VK_NULL_HANDLE, but must be a valid handle.",           \
  i->instance = NULL)                                                                              \
X(physical_device, INVALID_ARGUMENT,                                                               \
  "physicalDevice is VK_NULL_HANDLE, but must be a valid handle.", i->physicalDevice = NULL)       \
X(device, INVALID_ARGUMENT, "device is VK_NULL_HANDLE, but must be a valid handle.",               \
  i->device = NULL)                                                                                \
X(version, INVALID_ARGUMENT, "apiVersion is 1.0, but must be 0 or at least 1.1.",                  \
  i->apiVersion = VK_API_VERSION_1_0)                                                              \
X(flags, INVALID_ARGUMENT, "flags is 0x6, but must have only bits of VkrContextFlagBits.",         \
  i->flags = 6)                                                                                    \
X(debug_utils, INVALID_ARGUMENT,                                                                   \
  "flags has VKR_CONTEXT_DEBUG_UTILS_BIT, but the instance must have VK_EXT_debug_utils enabled.", \
  d->no_debug_utils = true)                                                                        \
X(extensions, INVALID_ARGUMENT,                                                                    \
  "enabledExtensions is NULL, but must point to enabledExtensionCount (2) names.",                 \
  i->enabledExtensions = NULL)                                                                     \
X(extension, INVALID_ARGUMENT,                                                                     \
  "enabledExtensions[1] is NULL, but must be the name of an extension.",                           \
  i->enabledExtensions = no_names)                                                                 \
X(loader, INVALID_ARGUMENT,                                                                        \
  "getInstanceProcAddr lacks functions for the instance, but must have all of Vulkan 1.1.",        \
  d->no_functions = true)                                                                          \
X(allocator, INVALID_ARGUMENT,                                                                     \
  "allocator lacks a callback, but pfnAllocation, pfnReallocation and pfnFree must be set.",       \
  i->allocator = &no_callback)                                                                     \
X(progress, INVALID_ARGUMENT, "forwardProgress is 3, but must be 0 to 2.",                         \
  i->forwardProgress = (VkrForwardProgress)3)                                                      \
X(progress_negative, INVALID_ARGUMENT, "forwardProgress is -1, but must be 0 to 2.",               \
  i->forwardProgress = (VkrForwardProgress)-1)                                                     \
X(range_low, INVALID_ARGUMENT,                                                                     \
  "limits.maxStorageBufferRange is 65535, but must be 0 or at least 65536.",                       \
  i->limits.maxStorageBufferRange = 65535)                                                         \
X(range_high, UNSUPPORTED,                                                                         \
  "limits.maxStorageBufferRange is 134217729, but must not exceed the device's, which is "         \
  "134217728.", i->limits.maxStorageBufferRange = (1u << 27) + 1)                                  \
X(groups_high, UNSUPPORTED,                                                                        \
  "limits.maxComputeWorkGroupCount is 65536, but must not exceed the device's, which is 65535.",   \
  i->limits.maxComputeWorkGroupCount = 65536)                                                      \
X(group_path, INVALID_ARGUMENT, "limits.groupPath is 4, but must be 0 to 3.",                      \
  i->limits.groupPath = VKR_GROUP_PATH_COUNT)                                                      \
X(group_path_high, UNSUPPORTED,                                                                    \
  "limits.groupPath is arithmetic, but must not be above the device's best, which is shuffle.",    \
  d->group_path = VKR_GROUP_PATH_SHUFFLE; i->limits.groupPath = VKR_GROUP_PATH_ARITHMETIC)         \
X(disabled, INVALID_ARGUMENT,                                                                      \
  "limits.disabledFeatures is 0x101, but must have only bits of VkrFeature.",                      \
  i->limits.disabledFeatures = 0x101)                                                              \
X(old, UNSUPPORTED, "the device stub lacks Vulkan 1.1, which the library needs.",                  \
  d->version = VK_API_VERSION_1_0)                                                                 \
X(buffers, UNSUPPORTED,                                                                            \
  "the device stub lacks maxPerStageDescriptorStorageBuffers of 8, which the library needs.",      \
  d->buffers = 7)
/* clang-format on */

#define BREAK_CONTEXT(name, code, sentence, ...)                                                   \
    static void context_##name(trace_device *d, VkrContextInfo *i)                                 \
    {                                                                                              \
        (void)d;                                                                                   \
        (void)i;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
CONTEXT_ROWS(BREAK_CONTEXT)

#define CONTEXT_ROW(name, code, sentence, ...)                                                     \
    {VKR_ERROR_##code, "vkrCreateContext: " sentence, context_##name},
static const struct {
    VkrResult result;
    const char *sentence;
    void (*wrong)(trace_device *device, VkrContextInfo *info);
} context_rows[] = {CONTEXT_ROWS(CONTEXT_ROW)};

static void test_context(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(context_rows); k++) {
        trace_device device = {0};
        VkrContextInfo ignored = {0};
        VkrContext context = HANDLE(VkrContext);
        context_rows[k].wrong(&device, &ignored);
        trace_describe(&device);
        fixture.info.flags = VKR_CONTEXT_DEBUG_UTILS_BIT;
        context_rows[k].wrong(&device, &fixture.info);
        assert_said(vkrCreateContext(&fixture.info, &context), context_rows[k].result,
                    context_rows[k].sentence);
        assert_null(context);
        trace_close();
    }
}

/* ---- VkrDeviceRequirementsInfo ---- */

static VkrDeviceRequirementsInfo asked(void)
{
    return (VkrDeviceRequirementsInfo){.instance = fixture.info.instance,
                                       .physicalDevice = fixture.info.physicalDevice,
                                       .getInstanceProcAddr = fixture.info.getInstanceProcAddr,
                                       .message = fixture.info.message,
                                       .messageData = fixture.info.messageData};
}

static const struct {
    const char *sentence; /* behind "vkrGetDeviceRequirements: " */
    trace_device device;
    bool no_instance, no_device, no_place;
    uint32_t version;
} requirement_rows[] = {
    {"instance is VK_NULL_HANDLE, but must be a valid handle.", .no_instance = true},
    {"physicalDevice is VK_NULL_HANDLE, but must be a valid handle.", .no_device = true},
    {"apiVersion is 1.0, but must be 0 or at least 1.1.", .version = VK_API_VERSION_1_0},
    {"requirements is NULL, but must point to a VkrDeviceRequirements.", .no_place = true},
    {"getInstanceProcAddr lacks functions for the instance, but must have all of Vulkan 1.1.",
     .device = {.no_functions = true}},
};

static void test_requirements(void **state)
{
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(requirement_rows); k++) {
        VkrDeviceRequirements requirements, untouched;
        char sentence[200];
        trace_describe(&requirement_rows[k].device);
        VkrDeviceRequirementsInfo info = asked();
        if (requirement_rows[k].no_instance)
            info.instance = NULL;
        if (requirement_rows[k].no_device)
            info.physicalDevice = NULL;
        info.apiVersion = requirement_rows[k].version;
        memset(&requirements, 0x55, sizeof requirements);
        untouched = requirements;
        snprintf(sentence, sizeof sentence, "vkrGetDeviceRequirements: %s",
                 requirement_rows[k].sentence);
        assert_said(
            vkrGetDeviceRequirements(&info, requirement_rows[k].no_place ? NULL : &requirements),
            VKR_ERROR_INVALID_ARGUMENT, sentence);
        assert_memory_equal(&requirements, &untouched, sizeof requirements);
        trace_close();
    }
}

/* A device that is too old is an answer, not an error. */
static void test_unusable(void **state)
{
    (void)state;
    VkrDeviceRequirements requirements;
    trace_describe(&(trace_device){.version = VK_API_VERSION_1_0});
    const VkrDeviceRequirementsInfo info = asked();
    assert_int_equal(vkrGetDeviceRequirements(&info, &requirements), VKR_SUCCESS);
    assert_false(requirements.usable);
    assert_string_equal(requirements.requirements[0].name, "Vulkan 1.1");
    assert_false(requirements.requirements[0].available);
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}

/* The features that a context has are those named as enabled and not disabled again. */
static void test_features(void **state)
{
    (void)state;
    for (uint32_t disabled = 0; disabled < 1u << VKR_FEATURE_BITS; disabled++) {
        const trace_device device = {.limits = {.disabledFeatures = disabled}};
        VkrFeatureFlags expected = 0xffu & ~(uint32_t)VKR_FEATURE_SUBGROUP_SIZE_CONTROL & ~disabled;
        if (disabled & VKR_FEATURE_INT64)
            expected &= ~(uint32_t)VKR_FEATURE_FLOAT64;
        VkrContextProperties properties;
        trace_open(&device);
        vkrGetContextProperties(fixture.context, &properties);
        assert_int_equal(properties.features, expected);
        assert_int_equal(vkrIsTypeSupported(fixture.context, VKR_TYPE_I8),
                         !(disabled & VKR_FEATURE_STORAGE_8BIT));
        assert_int_equal(vkrIsTypeSupported(fixture.context, VKR_TYPE_F16),
                         !(disabled & VKR_FEATURE_STORAGE_16BIT));
        assert_int_equal(vkrIsTypeSupported(fixture.context, VKR_TYPE_BF16),
                         !(disabled & VKR_FEATURE_STORAGE_16BIT));
        assert_int_equal(vkrIsTypeSupported(fixture.context, VKR_TYPE_U64),
                         !(disabled & VKR_FEATURE_INT64));
        assert_int_equal(vkrIsTypeSupported(fixture.context, VKR_TYPE_F64),
                         !(disabled & (VKR_FEATURE_INT64 | VKR_FEATURE_FLOAT64)));
        assert_false(vkrIsTypeSupported(fixture.context, VKR_TYPE_UNDEFINED));
        assert_false(vkrIsTypeSupported(fixture.context, VKR_TYPE_COUNT));
        assert_false(vkrIsTypeSupported(fixture.context, (VkrType)-1));
        trace_close();
    }
}

/* Only with the hook are the indices of a small input 64 bits wide. */
static void test_hooks(void **state)
{
    (void)state;
    for (uint32_t wide = 0; wide < 2; wide++) {
        const VkrTestHooks hooks = {.wideIndices = wide};
        const VkrReduceInfo info = {
            .ops = VKR_OP_ARGMIN, .input = {.size = 4, .type = VKR_TYPE_F32}, .count = 1};
        VkrReduceLayout layout;
        trace_describe(&(trace_device){0});
        fixture.info.testHooks = &hooks;
        assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        assert_int_equal(vkrGetReduceResult(&layout, VKR_OP_ARGMIN)->type,
                         wide ? VKR_TYPE_U64 : VKR_TYPE_U32);
        trace_close();
    }
}

/* ---- VkrRecorderInfo and VkrEndInfo ---- */

static void test_recorder(void **state)
{
    (void)state;
    trace_open(&(trace_device){0});
    const VkrRecorderInfo info = {.scratchChunkSize = (uint64_t)1 << 63};
    VkrRecorder recorder = HANDLE(VkrRecorder);
    assert_said(vkrCreateRecorder(fixture.context, &info, &recorder), VKR_ERROR_INVALID_ARGUMENT,
                "vkrCreateRecorder: scratchChunkSize is 9223372036854775808, but must be at most "
                "2^63 - 1.");
    assert_null(recorder);
    trace_close();
}

static const struct {
    VkrEndInfo info;
    VkrResult result;
    const char *sentence;
} end_rows[] = {
    {{0},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: commandBuffer is VK_NULL_HANDLE, but must be a command buffer in the recording "
     "state."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .flags = 2},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: flags is 0x2, but must have only bits of VkrEndFlagBits."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .flags = VKR_END_NO_COMPILE_BIT},
     VKR_ERROR_NOT_PREPARED,
     "vkrEnd: flags has VKR_END_NO_COMPILE_BIT, but a pipeline of reduce_f32_arithmetic is not "
     "compiled; call vkrPrepare first."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .consumerAccess = VK_ACCESS_SHADER_READ_BIT},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: consumerStages is 0, but must name the stages of consumerAccess 0x20."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 32, 4096}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.offset is 32, but must be a multiple of the context's granule, 64."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 0, 127}},
     VKR_ERROR_SCRATCH_TOO_SMALL,
     "vkrEnd: scratch.size is 127, but the recording needs 128 bytes."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 0, VK_WHOLE_SIZE}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.size is 18446744073709551615, but must be a number of bytes inside the "
     "buffer, and scratch.offset is 0."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), UINT64_MAX - 63, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.size is 128, but must be a number of bytes inside the buffer, and "
     "scratch.offset is 18446744073709551552."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('O'), 0, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch (128 bytes from offset 0) overlaps a range that the recording reads or "
     "writes, but must be used by nothing else."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('A'), 8192, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch (128 bytes from offset 8192) overlaps a range that the recording reads or "
     "writes, but must be used by nothing else."},
};

/* An operation with one counter and some partials. */
static VkrReduceInfo two_groups(void)
{
    VkrReduceInfo info = plain_reduce();
    info.algorithm = VKR_REDUCE_SINGLE;
    info.input.size = 16384;
    return info;
}

static void test_end(void **state)
{
    (void)state;
    for (uint32_t pools = 0; pools < 2; pools++) {
        trace_open(&(trace_device){.pools = pools});
        for (size_t k = 0; k < ARRAY_SIZE(end_rows); k++) {
            const VkrReduceInfo info = two_groups();
            VkDeviceSize size = 0;
            trace_clear();
            assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
            assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
            assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
            assert_int_equal(size, 128);
            assert_said(vkrEnd(fixture.recorder, &end_rows[k].info), end_rows[k].result,
                        end_rows[k].sentence);
            assert_int_equal(fixture.commands, 0);
            /* The first correct recording compiles. */
            if (end_rows[k].result == VKR_ERROR_NOT_PREPARED || k + 1 == ARRAY_SIZE(end_rows))
                assert_usable();
        }
        trace_close();
    }
}

/* ---- NULL and order ---- */

static void test_null(void **state)
{
    (void)state;
    trace_open(&(trace_device){0});
    const VkrRecorderInfo recorder_info = {0};
    const VkrReduceInfo info = plain_reduce();
    const VkrScanInfo scan = plain_scan();
    const VkrCompactInfo compact = plain_compact();
    VkrType type = VKR_TYPE_U8;
    const VkrResult wrong = VKR_ERROR_INVALID_ARGUMENT;
    VkrReduceLayout layout;
    VkrRecorder recorder = HANDLE(VkrRecorder);
    VkrContext context = HANDLE(VkrContext);
    VkrDeviceRequirements requirements;
    VkrContextProperties properties = {.subgroupSize = 77};
    uint32_t count;
    VkDeviceSize size;

    /* Without a context there is no message callback. */
    assert_int_equal(vkrCreateContext(NULL, &context), wrong);
    assert_null(context);
    assert_int_equal(vkrCreateContext(NULL, NULL), wrong);
    assert_int_equal(vkrCreateRecorder(NULL, &recorder_info, &recorder), wrong);
    assert_null(recorder);
    assert_int_equal(vkrGetReduceLayout(NULL, &info, &layout), wrong);
    assert_int_equal(vkrGetDeviceRequirements(NULL, &requirements), wrong);
    assert_int_equal(vkrBegin(NULL), wrong);
    assert_int_equal(vkrCmdReduce(NULL, &info), wrong);
    assert_int_equal(vkrGetScanType(NULL, &scan, &type), wrong);
    assert_int_equal(vkrCmdScan(NULL, &scan), wrong);
    assert_int_equal(vkrCmdCompact(NULL, &compact), wrong);
    assert_int_equal(vkrGetScratchSize(NULL, &size), wrong);
    assert_int_equal(vkrPrepare(NULL), wrong);
    assert_int_equal(vkrGetUses(NULL, &count, NULL), wrong);
    assert_int_equal(vkrEnd(NULL, &plain_end), wrong);
    assert_int_equal(vkrReset(NULL), wrong);
    vkrDestroyRecorder(NULL);
    vkrDestroyContext(NULL);
    vkrGetContextProperties(NULL, &properties);
    vkrGetContextProperties(fixture.context, NULL);
    assert_int_equal(properties.subgroupSize, 77);
    assert_false(vkrIsTypeSupported(NULL, VKR_TYPE_F32));
    assert_int_equal(fixture.sentences, 0);

    assert_said(vkrCreateContext(&fixture.info, NULL), wrong,
                "vkrCreateContext: context is NULL, but must point to a VkrContext.");
    assert_said(vkrCreateRecorder(fixture.context, NULL, &recorder), wrong,
                "vkrCreateRecorder: info is NULL, but must point to a VkrRecorderInfo.");
    assert_said(vkrCreateRecorder(fixture.context, &recorder_info, NULL), wrong,
                "vkrCreateRecorder: recorder is NULL, but must point to a VkrRecorder.");
    assert_said(vkrGetReduceLayout(fixture.context, NULL, &layout), wrong,
                "vkrGetReduceLayout: info is NULL, but must point to a VkrReduceInfo.");
    assert_said(vkrGetReduceLayout(fixture.context, &info, NULL), wrong,
                "vkrGetReduceLayout: layout is NULL, but must point to a VkrReduceLayout.");
    assert_said(vkrGetScanType(fixture.context, NULL, &type), wrong,
                "vkrGetScanType: info is NULL, but must point to a VkrScanInfo.");
    assert_said(vkrGetScanType(fixture.context, &scan, NULL), wrong,
                "vkrGetScanType: type is NULL, but must point to a VkrType.");
    assert_int_equal(type, VKR_TYPE_U8);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrGetScratchSize(fixture.recorder, NULL), wrong,
                "vkrGetScratchSize: size is NULL, but must point to a VkDeviceSize.");
    assert_said(vkrGetUses(fixture.recorder, NULL, NULL), wrong,
                "vkrGetUses: useCount is NULL, but must point to a uint32_t.");
    assert_said(vkrCmdReduce(fixture.recorder, NULL), wrong,
                "vkrCmdReduce: info is NULL, but must point to a VkrReduceInfo.");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrCmdScan(fixture.recorder, NULL), wrong,
                "vkrCmdScan: info is NULL, but must point to a VkrScanInfo.");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrCmdCompact(fixture.recorder, NULL), wrong,
                "vkrCmdCompact: info is NULL, but must point to a VkrCompactInfo.");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrEnd(fixture.recorder, NULL), wrong,
                "vkrEnd: info is NULL, but must point to a VkrEndInfo.");
    assert_usable();
    trace_close();
}

typedef VkrResult (*step)(void);

static VkrResult call_reduce(void)
{
    const VkrReduceInfo info = plain_reduce();
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_scan(void)
{
    const VkrScanInfo info = plain_scan();
    return vkrCmdScan(fixture.recorder, &info);
}

static VkrResult call_compact(void)
{
    const VkrCompactInfo info = plain_compact();
    return vkrCmdCompact(fixture.recorder, &info);
}

static VkrResult call_scratch_size(void)
{
    VkDeviceSize size;
    return vkrGetScratchSize(fixture.recorder, &size);
}

static VkrResult call_prepare(void)
{
    return vkrPrepare(fixture.recorder);
}

static VkrResult call_uses(void)
{
    uint32_t count;
    return vkrGetUses(fixture.recorder, &count, NULL);
}

static VkrResult call_end(void)
{
    return vkrEnd(fixture.recorder, &plain_end);
}

static const struct {
    const char *name;
    step call;
} calls[] = {
    {"vkrCmdReduce", call_reduce},
    {"vkrCmdScan", call_scan},
    {"vkrCmdCompact", call_compact},
    {"vkrGetScratchSize", call_scratch_size},
    {"vkrPrepare", call_prepare},
    {"vkrGetUses", call_uses},
    {"vkrEnd", call_end},
};

static void test_order(void **state)
{
    char sentence[200];
    (void)state;
    trace_open(&(trace_device){0});
    for (uint32_t round = 0; round < 2; round++) { /* before the first vkrBegin, after vkrEnd */
        for (size_t k = 0; k < ARRAY_SIZE(calls); k++) {
            snprintf(sentence, sizeof sentence,
                     "%s: the recorder is idle, but must be collecting; call vkrBegin first.",
                     calls[k].name);
            assert_said(calls[k].call(), VKR_ERROR_INVALID_STATE, sentence);
        }
        assert_int_equal(fixture.commands, 0);
        assert_usable();
    }
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(call_reduce(), VKR_SUCCESS);
    assert_said(vkrReset(fixture.recorder), VKR_ERROR_INVALID_STATE,
                "vkrReset: the recorder is collecting, but must be idle; call vkrEnd first.");
    assert_int_equal(call_end(), VKR_SUCCESS);
    assert_int_equal(fixture.dispatch_count, 1);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    trace_close();
}

/* After a mistake every call up to vkrEnd returns its code, and names the call that made it. */
static void test_sticky(void **state)
{
    char sentence[200];
    (void)state;
    trace_open(&(trace_device){0});
    for (size_t k = 0; k < ARRAY_SIZE(calls); k++) {
        VkrReduceInfo bad = plain_reduce();
        bad.workgroupSize = 2048;
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(fixture.recorder, &bad), VKR_ERROR_UNSUPPORTED);
        fixture.sentences = 0;
        snprintf(sentence, sizeof sentence,
                 "%s: nothing was done, because an earlier call of this recording failed with "
                 "VKR_ERROR_UNSUPPORTED.",
                 calls[k].name);
        assert_said(calls[k].call(), VKR_ERROR_UNSUPPORTED, sentence);
        assert_int_equal(fixture.commands, 0);
        assert_usable();
    }
    trace_close();
}

/* A context without a message callback fails as well. */
static void test_silent(void **state)
{
    (void)state;
    trace_describe(&(trace_device){0});
    fixture.info.message = NULL;
    assert_int_equal(vkrCreateContext(&fixture.info, &fixture.context), VKR_SUCCESS);
    assert_int_equal(vkrCreateRecorder(fixture.context, NULL, &fixture.recorder),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context),  cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_unusable), cmocka_unit_test(test_features),
        cmocka_unit_test(test_hooks),    cmocka_unit_test(test_recorder),
        cmocka_unit_test(test_end),      cmocka_unit_test(test_null),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_sticky),
        cmocka_unit_test(test_silent),
    };
    return cmocka_run_group_tests_name("arguments", tests, NULL, NULL);
}
