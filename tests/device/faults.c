/* SPDX-License-Identifier: MIT */
/*
 * Every Vulkan call with a VkResult, and every host allocation, fails in turn on a real driver:
 * at each call, with each code that the registry lists for the function and some that any function
 * may return. The life in which they fail is that of one context and one recorder: a self-test, and
 * two recordings of operations of every kind, executed and compared with the right answers. The
 * failing call must return the right code with the right sentence and record nothing; the same call
 * must then work, and nothing may be left in the end. A lost device is for good.
 *
 * Everything reaches the driver; only pipelines are shared by all lives (faults_vk.h).
 *
 *     faults            the tests
 *     faults --list     the functions, and the codes of each
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults_images.h"
#include "faults_vk.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define ELEMENTS 20000u /* two windows of the smallest range */
#define CONSUMED 1000u
#define GPU_COUNT 1234u
#define SLOT 256u        /* bytes apart that outputs lie */
#define LIMIT (1u << 31) /* compactions keep what is below it */
#define SEGMENT 5004u    /* elements of the one segment by offsets that is so long */
#define MORE 16u         /* operations in the second recording, so that lists and pools grow */

/* ---- What varies ---- */

static const struct config {
    const char *name;
    VkrLimits limits;
    bool heap;
    bool names; /* VKR_CONTEXT_DEBUG_UTILS_BIT */
    bool prepares;
    bool self_tests; /* on the last group path alone, which is one submit */
} configs[] = {
    {"push, prepared, named", {0}, .names = true, .prepares = true},
    {"push, windows, heap", {.maxStorageBufferRange = 65536}, .heap = true},
    {"sets, prepared, heap",
     {.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR},
     .heap = true,
     .prepares = true},
    {"sets, windows, named",
     {.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR, .maxStorageBufferRange = 65536},
     .names = true},
    {"self-test, heap", {.groupPath = VKR_GROUP_PATH_SHARED}, .heap = true, .self_tests = true},
};

/* What has no tuning of its own. */
enum { OPERATION_IMAGE = VKR_OPERATION_COUNT, OPERATION_PYRAMID };

/* All operations have the same u32, so that few pipelines serve many, and results can share
 * buffers. The second recording repeats the first operation, which takes two steps and scratch. */
static const struct operation {
    const char *label;
    uint32_t operation; /* VkrOperation, or one of those above */
    uint32_t algorithm; /* the operation's */
    uint32_t count;
    bool gpu_count;
    bool consumes;
} operations[] = {
    {"tree", VKR_OPERATION_REDUCE, VKR_REDUCE_TREE, 1002, false, false},
    {"single", VKR_OPERATION_REDUCE, VKR_REDUCE_SINGLE, 5000, false, false},
    {NULL, VKR_OPERATION_REDUCE, VKR_REDUCE_SUBGROUP, 5001, false, false},
    {"recursive", VKR_OPERATION_REDUCE, VKR_REDUCE_RECURSIVE, 1003, false, false},
    {"in place", VKR_OPERATION_REDUCE, VKR_REDUCE_RECURSIVE, CONSUMED, false, true},
    {"count on the GPU", VKR_OPERATION_REDUCE, VKR_REDUCE_AUTO, 1300, true, false},
    {"all", VKR_OPERATION_REDUCE, VKR_REDUCE_AUTO, ELEMENTS, false, false},
    {"segment", VKR_OPERATION_REDUCE, VKR_REDUCE_SPLIT, SEGMENT, false, false},
    {"scan", VKR_OPERATION_SCAN, VKR_SCAN_REDUCE_THEN_SCAN, ELEMENTS, false, false},
    {"scan by tiles", VKR_OPERATION_SCAN, VKR_SCAN_SINGLE_PASS, 5002, true, false},
    {"scan by passes", VKR_OPERATION_SCAN, VKR_SCAN_BLELLOCH, 1004, false, false},
    {"compact", VKR_OPERATION_COMPACT, VKR_COMPACT_SCAN_SCATTER, ELEMENTS, false, false},
    {"compact by tiles", VKR_OPERATION_COMPACT, VKR_COMPACT_SINGLE_PASS, 5003, true, false},
    {"image", OPERATION_IMAGE, VKR_REDUCE_AUTO, IMAGE_TEXELS, false, false},
    {"pyramid", OPERATION_PYRAMID, VKR_PYRAMID_SINGLE, IMAGE_TEXELS, false, false},
};

/* Of an entry that is called more often, the default tier tries every third call; configurations
 * take turns with which ones. */
#define MANY_CALLS 12u

/* Codes that any function may return, and what they become; all others are VKR_ERROR_VULKAN. */
static const VkResult any_errors[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN,
                                      VK_ERROR_VALIDATION_FAILED_EXT, (VkResult)-12345};

static VkrResult translated(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY     ? VKR_ERROR_OUT_OF_HOST_MEMORY
           : result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? VKR_ERROR_OUT_OF_DEVICE_MEMORY
           : result == VK_ERROR_DEVICE_LOST          ? VKR_ERROR_DEVICE_LOST
           : result == VK_TIMEOUT                    ? VKR_ERROR_DEVICE_LOST
                                                     : VKR_ERROR_VULKAN;
}

/* ---- One life ---- */

static harness device;
static harness_buffer input, consumed, count_buffer, offsets, output, scanned, kept;
static faults_levels levels; /* the first one has the first elements */
/* The sum of the first n elements, how many of them are kept, and the greatest one. */
static uint32_t sums[ELEMENTS + 1], kept_counts[ELEMENTS + 1], greatest[ELEMENTS + 1];

static struct life {
    const struct config *config;
    VkrContext context;
    VkrRecorder recorder;
    VkrResult result; /* of the last message */
    char sentence[1024];
    uint32_t sentences; /* in the call under test */
    const char *call;   /* the call under test */
    uint32_t failures;  /* of calls, by the plan */
    bool open;          /* the command buffer, from life to life while nothing is recorded in it */
} life;

/* Says `what` went wrong unless the condition holds. */
static void expect(bool condition, const char *what)
{
    if (!condition)
        faults_trouble("%s: %s; the last sentence is \"%s\"", life.call, what, life.sentence);
}

static void take_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    life.result = result;
    life.sentences++;
    snprintf(life.sentence, sizeof life.sentence, "%s", sentence);
}

/* To be called before every call whose messages are counted. */
static void calling(const char *call)
{
    life.call = call;
    life.sentences = 0;
    life.sentence[0] = '\0';
}

/* Whether the library must notice the fault; else it must go on as if nothing had happened. */
static bool must_fail(const faults_plan *plan)
{
    if (plan->allocation != UINT32_MAX)
        return !faults.driver_call || faults.driver_result != VK_SUCCESS;
    return plan->entry < FAULTS_ENTRY_COUNT && !faults_entries[plan->entry].courtesy &&
           (plan->result != VK_INCOMPLETE || plan->forever);
}

/* What a life does: each returns what its first failing call returned. */

static VkrResult ask_requirements(void)
{
    VkrDeviceRequirements requirements, before;
    memset(&requirements, 0xa5, sizeof requirements);
    memset(&before, 0xa5, sizeof before);
    calling("vkrGetDeviceRequirements");
    const VkrDeviceRequirementsInfo info = {.instance = device.instance,
                                            .physicalDevice = device.physical_device,
                                            .apiVersion = device.api_version,
                                            .getInstanceProcAddr = faults_get_instance_proc_addr,
                                            .message = take_message};
    const VkrResult result = vkrGetDeviceRequirements(&info, &requirements);
    if (result == VKR_SUCCESS)
        expect(requirements.usable == VK_TRUE, "the device is not usable");
    else
        expect(memcmp(&requirements, &before, sizeof before) == 0, "a failed call leaves marks");
    return result;
}

static VkrResult create_context(void)
{
    const VkrContextInfo info = {
        .instance = device.instance,
        .physicalDevice = device.physical_device,
        .device = device.device,
        .apiVersion = device.api_version,
        .flags = life.config->names ? VKR_CONTEXT_DEBUG_UTILS_BIT : 0,
        .enabledFeatureChain = &device.requirements.features,
        .enabledExtensionCount = device.requirements.extensionCount,
        .enabledExtensions = device.requirements.extensions,
        .getInstanceProcAddr = faults_get_instance_proc_addr,
        .allocator = faults.heap ? &faults_heap : NULL,
        .message = take_message,
        .limits = life.config->limits,
    };
    calling("vkrCreateContext");
    const VkrResult result = vkrCreateContext(&info, &life.context);
    if (result != VKR_SUCCESS) {
        expect(life.context == NULL, "a failed call leaves a context");
        expect(faults.objects == 0 && faults.blocks == 0, "a failed call leaves something behind");
    }
    return result;
}

static VkrResult create_recorder(void)
{
    const VkrRecorderInfo info = {.label = "faults", .scratchChunkSize = 1};
    calling("vkrCreateRecorder");
    const VkrResult result = vkrCreateRecorder(life.context, &info, &life.recorder);
    expect(result == VKR_SUCCESS || life.recorder == NULL, "a failed call leaves a recorder");
    return result;
}

static VkrResult self_test(void)
{
    const VkrSelfTestInfo info = {.queue = device.queue, .queueFamilyIndex = device.family};
    VkrSelfTestReport report = {0};
    calling("vkrSelfTest");
    if (!life.config->self_tests)
        return VKR_SUCCESS;
    const VkrResult result = vkrSelfTest(life.context, &info, &report);
    expect(report.before == VKR_GROUP_PATH_SHARED && report.after == VKR_GROUP_PATH_SHARED,
           "the group path changes");
    expect(report.wrong[VKR_GROUP_PATH_SHARED] == 0, "results are wrong");
    expect((report.checks[VKR_GROUP_PATH_SHARED] > 0) == (result == VKR_SUCCESS),
           "nothing is checked");
    return result;
}

static VkrGpuCount gpu_count_of(const struct operation *operation)
{
    return (VkrGpuCount){.buffer = operation->gpu_count ? count_buffer.buffer : VK_NULL_HANDLE};
}

static VkrView view_of(const harness_buffer *data)
{
    return (VkrView){.buffer = data->buffer, .size = data->size, .type = VKR_TYPE_U32};
}

static VkrResult collect_reduce(const struct operation *operation, uint32_t slot)
{
    const VkrReduceInfo info = {
        .label = operation->label,
        .ops = VKR_OP_SUM,
        .input = view_of(operation->consumes ? &consumed : &input),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .output = {output.buffer, SLOT * slot, 4},
        .algorithm = (VkrReduceAlgorithm)operation->algorithm,
        .workgroupSize = 64,
        .flags = operation->consumes ? VKR_REDUCE_CONSUME_INPUT_BIT : 0,
        .segments = {.kind = operation->count == SEGMENT ? VKR_SEGMENTS_OFFSETS : VKR_SEGMENTS_NONE,
                     .offsets = {offsets.buffer, 0, 8}},
    };
    calling("vkrCmdReduce");
    return vkrCmdReduce(life.recorder, &info);
}

static VkrResult collect_scan(const struct operation *operation, uint32_t slot)
{
    const VkrScanInfo info = {
        .label = operation->label,
        .op = VKR_OP_SUM,
        .input = view_of(&input),
        .output = view_of(&scanned),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .algorithm = (VkrScanAlgorithm)operation->algorithm,
        .total = {output.buffer, SLOT * slot, 4},
    };
    calling("vkrCmdScan");
    return vkrCmdScan(life.recorder, &info);
}

static VkrResult collect_compact(const struct operation *operation, uint32_t slot)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, output.buffer, SLOT * slot, 1};
    VkrView target = view_of(&kept);
    target.size = (VkDeviceSize)4 * operation->count; /* tiles take no windows */
    const VkrCompactInfo info = {
        .label = operation->label,
        .input = view_of(&input),
        .count = operation->count,
        .gpuCount = gpu_count_of(operation),
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a.u = LIMIT},
        .algorithm = (VkrCompactAlgorithm)operation->algorithm,
        .kept = target,
        .countOutputCount = 1,
        .countOutputs = &count,
    };
    calling("vkrCmdCompact");
    return vkrCmdCompact(life.recorder, &info);
}

static VkrResult collect_level(const char *label, const VkrImage *level, uint32_t slot)
{
    const VkrReduceInfo info = {.label = label,
                                .ops = VKR_OP_SUM,
                                .input.image = level,
                                .count = VKR_COUNT_ALL,
                                .output = {output.buffer, SLOT * slot, 4}};
    calling("vkrCmdReduce");
    return vkrCmdReduce(life.recorder, &info);
}

static VkrResult collect_image(const struct operation *operation, uint32_t slot)
{
    return collect_level(operation->label, &levels.levels[0], slot);
}

/* Its last level is the greatest texel. */
static VkrResult collect_pyramid(const struct operation *operation, uint32_t slot)
{
    const VkrPyramidInfo info = {.label = operation->label,
                                 .ops = VKR_OP_MAX,
                                 .source = levels.levels[0],
                                 .levels = &levels.levels[1],
                                 .levelCount = levels.count - 1,
                                 .algorithm = (VkrPyramidAlgorithm)operation->algorithm};
    calling("vkrCmdPyramid");
    const VkrResult result = vkrCmdPyramid(life.recorder, &info);
    return result == VKR_SUCCESS
               ? collect_level(operation->label, &levels.levels[levels.count - 1], slot)
               : result;
}

static VkrResult collect_one(const struct operation *operation, uint32_t slot)
{
    static VkrResult (*const collectors[])(const struct operation *operation, uint32_t slot) = {
        [VKR_OPERATION_REDUCE] = collect_reduce,   [VKR_OPERATION_SCAN] = collect_scan,
        [VKR_OPERATION_COMPACT] = collect_compact, [OPERATION_IMAGE] = collect_image,
        [OPERATION_PYRAMID] = collect_pyramid,
    };
    return collectors[operation->operation](operation, slot);
}

static const struct operation *operation_at(uint32_t slot)
{
    return &operations[slot < ARRAY_SIZE(operations) ? slot : 0];
}

static VkrResult collect(uint32_t count)
{
    calling("vkrBegin");
    VkrResult result = vkrBegin(life.recorder);
    for (uint32_t i = 0; i < count && result == VKR_SUCCESS; i++)
        result = collect_one(operation_at(i), i);
    VkDeviceSize size = 0;
    uint32_t uses = 0;
    if (result == VKR_SUCCESS) {
        calling("vkrGetScratchSize");
        result = vkrGetScratchSize(life.recorder, &size);
        expect(result != VKR_SUCCESS || size > 0, "no scratch is needed");
    }
    if (result == VKR_SUCCESS) {
        calling("vkrGetUses");
        result = vkrGetUses(life.recorder, &uses, NULL);
        expect(result != VKR_SUCCESS || uses >= count, "uses are missing");
    }
    return result;
}

static VkrResult end_recording(void)
{
    const VkrEndInfo info = {.commandBuffer = device.cmd,
                             .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                             .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    faults.commands = 0;
    calling("vkrEnd");
    const VkrResult result = vkrEnd(life.recorder, &info);
    expect((result == VKR_SUCCESS) == (faults.commands > 0), "the wrong commands are recorded");
    return result;
}

/* A failure is sticky: vkrEnd repeats it, and records nothing. */
static void end_failed(VkrResult failure)
{
    const uint32_t calls = faults.all_calls;
    const struct life before = life;
    expect(end_recording() == failure, "a sticky error is forgotten");
    expect(life.sentences == 1 && strstr(life.sentence, "earlier"), "the sentence is wrong");
    expect(faults.all_calls == calls, "a recording that failed calls Vulkan");
    life = before;
}

/* Checks the word that each operation writes alone, and what scans and compactions share. */
static void check_answers(uint32_t count)
{
    const uint32_t *prefixes = scanned.data, *values = kept.data, *elements = input.data;
    for (uint32_t i = 0; i < count; i++) {
        const struct operation *operation = operation_at(i);
        const uint32_t *answers = operation->operation == VKR_OPERATION_COMPACT ? kept_counts
                                  : operation->operation == OPERATION_PYRAMID   ? greatest
                                                                                : sums;
        const uint32_t right = answers[operation->gpu_count ? GPU_COUNT : operation->count];
        uint32_t answer;
        memcpy(&answer, (const char *)output.data + SLOT * i, sizeof answer);
        if (answer != right)
            faults_trouble("operation %" PRIu32 ": the answer is %" PRIu32 ", not %" PRIu32, i,
                           answer, right);
    }
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        if (prefixes[i] != sums[i + 1])
            faults_trouble("prefix %" PRIu32 " is %" PRIu32 ", not %" PRIu32, i, prefixes[i],
                           sums[i + 1]);
        if (elements[i] < LIMIT && values[kept_counts[i]] != elements[i])
            faults_trouble("element %" PRIu32 " is not kept", i);
    }
}

/* A command buffer with something recorded in spite of an error must not reach the driver. */
static void execute(uint32_t count)
{
    expect(life.failures > 0 || faults.fired == 0 || !must_fail(&faults.plan),
           "a failure is ignored");
    memset(output.data, 0xa5, output.size);
    memset(scanned.data, 0xa5, scanned.size);
    memset(kept.data, 0xa5, kept.size);
    memcpy(consumed.data, input.data, consumed.size);
    life.open = false;
    expect(harness_end(&device), "the command buffer fails");
    if (faults.trouble[0])
        return;
    expect(harness_submit(&device), "the command buffer fails");
    check_answers(count);
}

/* Records into the same command buffer after a failure, which must have left nothing there. */
static VkrResult record(uint32_t count)
{
    life.open = life.open || harness_begin(&device);
    VkrResult result = collect(count);
    if (result == VKR_SUCCESS && life.config->prepares) {
        calling("vkrPrepare");
        result = vkrPrepare(life.recorder);
    }
    if (result != VKR_SUCCESS) {
        end_failed(result);
        return result;
    }
    const uint32_t calls = faults.all_calls;
    result = end_recording();
    if (result != VKR_SUCCESS)
        return result;
    expect(!life.config->prepares || faults.all_calls == calls,
           "a prepared recording creates something");
    execute(count);
    return VKR_SUCCESS;
}

static VkrResult record_first(void)
{
    return record(ARRAY_SIZE(operations));
}

static VkrResult reset(void)
{
    calling("vkrReset");
    return vkrReset(life.recorder);
}

static VkrResult record_second(void)
{
    return record(ARRAY_SIZE(operations) + MORE);
}

static VkrResult (*const stages[])(void) = {ask_requirements, create_context, create_recorder,
                                            self_test,        record_first,   reset,
                                            record_second};

static void destroy(void)
{
    vkrDestroyRecorder(life.recorder);
    vkrDestroyContext(life.context);
    life.recorder = NULL;
    life.context = NULL;
    life.call = "vkrDestroyContext";
    expect(faults.objects == 0, "Vulkan objects are left");
    expect(faults.blocks == 0, "blocks of the heap are left");
    faults.objects = 0;
    faults.blocks = 0;
}

/* ---- What must come of a fault ---- */

static VkrResult lost_begin(void)
{
    return vkrBegin(life.recorder);
}

static VkrResult lost_reduce(void)
{
    return collect_one(&operations[0], 0);
}

static VkrResult lost_scan(void)
{
    const struct operation operation = {.operation = VKR_OPERATION_SCAN};
    return collect_one(&operation, 0);
}

static VkrResult lost_compact(void)
{
    const struct operation operation = {.operation = VKR_OPERATION_COMPACT};
    return collect_one(&operation, 0);
}

static VkrResult lost_pyramid(void)
{
    const struct operation operation = {.operation = OPERATION_PYRAMID};
    return collect_one(&operation, 0);
}

static VkrResult lost_scan_type(void)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM, .input.type = VKR_TYPE_F32};
    VkrType type;
    return vkrGetScanType(life.context, &info, &type);
}

static VkrResult lost_scratch_size(void)
{
    VkDeviceSize size;
    return vkrGetScratchSize(life.recorder, &size);
}

static VkrResult lost_uses(void)
{
    uint32_t count;
    return vkrGetUses(life.recorder, &count, NULL);
}

static VkrResult lost_prepare(void)
{
    return vkrPrepare(life.recorder);
}

static VkrResult lost_recorder(void)
{
    const VkrRecorderInfo info = {0};
    VkrRecorder recorder = NULL;
    const VkrResult result = vkrCreateRecorder(life.context, &info, &recorder);
    expect(recorder == NULL, "a recorder comes of a lost device");
    return result;
}

static VkrResult lost_layout(void)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM, .input.type = VKR_TYPE_F32};
    VkrReduceLayout layout;
    return vkrGetReduceLayout(life.context, &info, &layout);
}

static VkrResult lost_tuning(void)
{
    VkrTuning tuning;
    return vkrGetTuning(life.context, VKR_OPERATION_REDUCE, 4, VK_FALSE, &tuning);
}

static VkrResult lost_profile(void)
{
    size_t size;
    return vkrWriteProfile(life.context, 0, NULL, &size, NULL);
}

static VkrResult lost_self_test(void)
{
    const VkrSelfTestInfo info = {.queue = device.queue, .queueFamilyIndex = device.family};
    return vkrSelfTest(life.context, &info, NULL);
}

/* Checks that every call says that the device is lost, and does nothing, twice. */
static void check_lost(void)
{
    static const struct {
        const char *name;
        VkrResult (*call)(void);
    } calls[] = {
        {"vkrBegin", lost_begin},
        {"vkrCmdReduce", lost_reduce},
        {"vkrCmdScan", lost_scan},
        {"vkrCmdCompact", lost_compact},
        {"vkrCmdPyramid", lost_pyramid},
        {"vkrGetScanType", lost_scan_type},
        {"vkrGetScratchSize", lost_scratch_size},
        {"vkrGetUses", lost_uses},
        {"vkrPrepare", lost_prepare},
        {"vkrEnd", end_recording},
        {"vkrReset", reset},
        {"vkrCreateRecorder", lost_recorder},
        {"vkrGetReduceLayout", lost_layout},
        {"vkrGetTuning", lost_tuning},
        {"vkrWriteProfile", lost_profile},
        {"vkrSelfTest", lost_self_test},
    };
    const uint32_t before = faults.all_calls, objects = faults.objects;
    const int64_t blocks = faults.blocks;
    for (size_t i = 0; i < 2 * ARRAY_SIZE(calls); i++) {
        const char *name = calls[i % ARRAY_SIZE(calls)].name;
        calling(name);
        expect(calls[i % ARRAY_SIZE(calls)].call() == VKR_ERROR_DEVICE_LOST,
               "a lost device is forgotten");
        expect(life.result == VKR_ERROR_DEVICE_LOST && life.sentences == 1 &&
                   strncmp(life.sentence, name, strlen(name)) == 0 &&
                   strstr(life.sentence, "device lost"),
               "the sentence about a lost device is wrong");
    }
    calling("a lost device");
    expect(faults.all_calls == before && faults.objects == objects && faults.blocks == blocks,
           "something is created on it");
}

/* Checks that the plan's fault became this call's failure. */
static void check_failure(VkrResult result)
{
    const faults_plan *plan = &faults.plan;
    const bool by_heap = plan->allocation != UINT32_MAX;
    const VkResult cause = by_heap ? faults.driver_result : plan->result;
    const bool by_vulkan = !by_heap || faults.driver_call;
    VkrResult right = VKR_ERROR_OUT_OF_HOST_MEMORY;
    expect(faults.fired > 0, "fails without a fault");
    if (by_vulkan)
        right = translated(cause);
    if (result != right)
        faults_trouble("%s: returns %s, but must return %s", life.call, vkrResultName(result),
                       vkrResultName(right));
    expect(life.sentences == 1 && life.result == result, "there is not one sentence");
    if (by_vulkan && cause == VK_TIMEOUT) {
        expect(strstr(life.sentence, "did not end within") != NULL, "the sentence is wrong");
    } else if (by_vulkan) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s failed with %s.",
                 by_heap ? faults.driver_call : faults_entries[plan->entry].name,
                 faults_result_name(cause));
        expect(strcmp(life.sentence, sentence) == 0, "the sentence is wrong");
    } else {
        expect(strstr(life.sentence, "host memory") != NULL, "the sentence is wrong");
    }
}

/* The stage that failed is tried again: on a lost device, in a new context. */
static void try_again(size_t stage, VkrResult failure)
{
    faults.plan.forever = false;
    if (failure == VKR_ERROR_DEVICE_LOST && life.context) {
        check_lost();
        destroy();
        for (size_t i = 0; i < stage && !faults.trouble[0]; i++)
            expect(stages[i]() == VKR_SUCCESS, "does not work in a new context");
    }
    if (!faults.trouble[0])
        expect(stages[stage]() == VKR_SUCCESS, "does not work when tried again");
}

/* Runs a life with the plan's fault. Returns whether everything was right. */
static bool live(const struct config *config, const faults_plan *plan)
{
    faults_start(&device, plan);
    life.config = config;
    life.failures = 0;
    for (size_t i = 0; i < ARRAY_SIZE(stages) && !faults.trouble[0]; i++) {
        const VkrResult result = stages[i]();
        if (result == VKR_SUCCESS)
            continue;
        life.failures++;
        check_failure(result);
        if (!faults.trouble[0])
            try_again(i, result);
    }
    destroy();
    calling("the fault");
    const bool none = plan->entry == FAULTS_ENTRY_COUNT && plan->allocation == UINT32_MAX;
    expect(none == (faults.fired == 0), "it never came");
    expect(life.failures == (must_fail(plan) ? 1 : 0), "it is noticed more or less than once");
    if (faults.trouble[0] && life.open)
        life.open = !harness_end(&device);
    return !faults.trouble[0];
}

/* ---- All of them ---- */

typedef struct tally {
    uint32_t points, runs, wrong;
} tally;

static void try_one(const struct config *config, const faults_plan *plan, const char *what,
                    tally *t)
{
    const bool right = live(config, plan);
    t->runs++;
    if (right)
        return;
    t->wrong++;
    if (t->wrong <= 10)
        print_message("# %s: %s: %s\n", config->name, what, faults.trouble);
}

/* The n-th call of an entry, with each of its codes; the default tier takes them in turns, one for
 * each call. */
static void try_point(const struct config *config, uint32_t entry, uint32_t n, tally *t)
{
    faults_plan plan = FAULTS_NONE;
    char what[128];
    plan.entry = entry;
    plan.nth = n;
    uint32_t codes = ARRAY_SIZE(any_errors);
    for (size_t i = 0; faults_entries[entry].documented[i] != VK_SUCCESS; i++)
        codes++;
    const uint32_t turn = t->points++ % codes;
    for (uint32_t i = 0; i < codes; i++) {
        plan.result = i < ARRAY_SIZE(any_errors)
                          ? any_errors[i]
                          : faults_entries[entry].documented[i - ARRAY_SIZE(any_errors)];
        if (!harness_full() && i != turn)
            continue;
        snprintf(what, sizeof what, "%s call %" PRIu32 " %s", faults_entries[entry].name, n,
                 faults_result_name(plan.result));
        try_one(config, &plan, what, t);
    }
}

static void choose(size_t i, bool heap)
{
    faults.heap = heap;
    faults.group = (uint32_t)i;
}

static void test_vulkan(void **state)
{
    (void)state;
    tally t = {0};
    uint32_t points[FAULTS_ENTRY_COUNT] = {0};
    for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
        uint32_t calls[FAULTS_ENTRY_COUNT];
        choose(i, configs[i].heap);
        if (!live(&configs[i], &FAULTS_NONE))
            fail_msg("%s: %s", configs[i].name, faults.trouble);
        memcpy(calls, faults.calls, sizeof calls);
        for (uint32_t entry = 0; entry < FAULTS_ENTRY_COUNT; entry++) {
            points[entry] += calls[entry];
            const uint32_t every = harness_full() || calls[entry] <= MANY_CALLS ? 1 : 3;
            for (uint32_t n = (uint32_t)i % every; n < calls[entry]; n += every)
                try_point(&configs[i], entry, n, &t);
        }
    }
    for (uint32_t entry = 0; entry < FAULTS_ENTRY_COUNT; entry++) {
        print_message("# %-36s %" PRIu32 " points\n", faults_entries[entry].name, points[entry]);
        assert_true(points[entry] > 0);
    }
    assert_true(points[ENTRY_vkCreateBuffer] > ARRAY_SIZE(configs)); /* scratch grew */
    assert_true(points[ENTRY_vkAllocateDescriptorSets] > 64);        /* and pools */
    print_message("# faults: %" PRIu32 " points x %.1f errors = %" PRIu32 " runs, %" PRIu32
                  " wrong\n",
                  t.points, (double)t.runs / t.points, t.runs, t.wrong);
    assert_int_equal(t.wrong, 0);
    assert_true(t.points >= 200 && t.runs >= (harness_full() ? 6 : 1) * t.points);
}

/* The driver's own allocations fail too, since they use the same callbacks. */
static void test_heap(void **state)
{
    (void)state;
    tally t = {0};
    uint32_t own = 0;
    const uint32_t step = environment("VKR_TEST_STEP", 1);
    for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
        choose(i, true);
        if (!live(&configs[i], &FAULTS_NONE))
            fail_msg("%s: %s", configs[i].name, faults.trouble);
        const uint32_t allocations = faults.allocations;
        for (uint32_t n = (uint32_t)i % step; n < allocations; n += step) {
            faults_plan plan = FAULTS_NONE;
            char what[64];
            plan.allocation = n;
            snprintf(what, sizeof what, "allocation %" PRIu32, n);
            t.points++;
            try_one(&configs[i], &plan, what, &t);
            own += faults.driver_call == NULL;
        }
    }
    print_message("# faults: %" PRIu32 " allocations, of them %" PRIu32 " in the library = %" PRIu32
                  " runs, %" PRIu32 " wrong\n",
                  t.points, own, t.runs, t.wrong);
    assert_int_equal(t.wrong, 0);
    assert_true(step > 1 || own >= 40);
}

/* A list of extensions that grows faster than it can be read ends in an error. */
static void test_incomplete(void **state)
{
    (void)state;
    tally t = {0};
    faults_plan plan = FAULTS_NONE;
    plan.entry = ENTRY_vkEnumerateDeviceExtensionProperties;
    plan.result = VK_INCOMPLETE;
    plan.forever = true;
    choose(0, false);
    try_one(&configs[0], &plan, "VK_INCOMPLETE for ever", &t);
    assert_int_equal(t.wrong, 0);
}

/* ---- Life of the test ---- */

static bool open_buffers(void)
{
    if (!harness_create_buffer(&device, 4 * ELEMENTS, &input) ||
        !harness_create_buffer(&device, 4 * CONSUMED, &consumed) ||
        !harness_create_buffer(&device, 64, &count_buffer) ||
        !harness_create_buffer(&device, 8, &offsets) ||
        !harness_create_buffer(&device, SLOT * (ARRAY_SIZE(operations) + MORE), &output) ||
        !harness_create_buffer(&device, 4 * ELEMENTS, &scanned) ||
        !harness_create_buffer(&device, 4 * ELEMENTS, &kept))
        return false;
    uint32_t *values = input.data;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        values[i] = (i + 1) * 2654435761u;
        sums[i + 1] = sums[i] + values[i];
        kept_counts[i + 1] = kept_counts[i] + (values[i] < LIMIT);
        greatest[i + 1] = values[i] > greatest[i] ? values[i] : greatest[i];
    }
    const uint32_t count = GPU_COUNT;
    const uint32_t bounds[] = {0, SEGMENT};
    memcpy(count_buffer.data, &count, sizeof count);
    memcpy(offsets.data, bounds, sizeof bounds);
    return faults_open_levels(&device, &levels, input.buffer);
}

static void list_entries(void)
{
    for (size_t i = 0; i < FAULTS_ENTRY_COUNT; i++) {
        printf("%s", faults_entries[i].name);
        for (const VkResult *code = faults_entries[i].documented; *code != VK_SUCCESS; code++)
            printf(" %s", faults_result_name(*code));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vulkan), cmocka_unit_test(test_heap),
                                       cmocka_unit_test(test_incomplete)};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_entries();
        return 0;
    }
    const int problem = harness_open(&device);
    if (problem != 0)
        return problem;
    const int failures = open_buffers() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    faults_close();
    faults_close_levels(&device, &levels);
    harness_destroy_buffer(&device, &input);
    harness_destroy_buffer(&device, &consumed);
    harness_destroy_buffer(&device, &count_buffer);
    harness_destroy_buffer(&device, &offsets);
    harness_destroy_buffer(&device, &output);
    harness_destroy_buffer(&device, &scanned);
    harness_destroy_buffer(&device, &kept);
    harness_close(&device);
    return failures;
}
