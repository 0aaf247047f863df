/* SPDX-License-Identifier: MIT */
/* One life: a context and a recorder, a self-test, and two recordings, which are executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults_life.h"

faults_life life;

void expect(bool condition, const char *what)
{
    if (!condition)
        faults_trouble("%s: %s; the last sentence is \"%s\"", life.call, what, life.sentence);
}

static void take_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    life.replaced += result == VKR_SUCCESS && strstr(sentence, "cannot compile a pipeline") != NULL;
    life.result = result;
    life.sentences++;
    snprintf(life.sentence, sizeof life.sentence, "%s", sentence);
}

void calling(const char *call)
{
    life.call = call;
    life.sentences = 0;
    life.sentence[0] = '\0';
}

bool must_fail(const faults_plan *plan)
{
    if (plan->allocation != UINT32_MAX)
        return !faults.driver_call || faults.driver_result != VK_SUCCESS;
    /* Another kernel may stand in for one that does not compile; a note says so. */
    if ((plan->entry == ENTRY_vkCreateShaderModule ||
         plan->entry == ENTRY_vkCreateComputePipelines) &&
        life.replaced == 1)
        return false;
    return plan->entry < FAULTS_ENTRY_COUNT && !faults_entries[plan->entry].courtesy &&
           (plan->result != VK_INCOMPLETE || plan->forever);
}

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

static VkrResult create_module(void)
{
    const VkrModuleInfo info = {
        .label = "faults", .code = operation_code, .codeSize = operation_code_size};
    calling("vkrCreateModule");
    if (!life.config->all)
        return VKR_SUCCESS;
    const VkrResult result = vkrCreateModule(life.context, &info, &life.module);
    expect(result == VKR_SUCCESS || life.module == NULL, "a failed call leaves a module");
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

static VkrResult collect(uint32_t count)
{
    calling("vkrBegin");
    VkrResult result = vkrBegin(life.recorder);
    for (uint32_t i = 0; i < count && result == VKR_SUCCESS; i++)
        result = collect_at(i);
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

VkrResult end_recording(void)
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

/* A failure is sticky: vkrEnd returns it again and records nothing. */
static void end_failed(VkrResult failure)
{
    const uint32_t calls = faults.all_calls;
    const faults_life before = life;
    expect(end_recording() == failure, "a sticky error is forgotten");
    expect(life.sentences == 1 && strstr(life.sentence, "earlier"), "the sentence is wrong");
    expect(faults.all_calls == calls, "a recording that failed calls Vulkan");
    life = before;
}

/* Executes the recording and checks the results, unless a failure went unnoticed: a command buffer
 * that contains commands despite an error must not reach the driver. */
static void execute(uint32_t count)
{
    expect(life.failures > 0 || faults.fired == 0 || !must_fail(&faults.plan),
           "a failure is ignored");
    clear_outputs();
    life.open = false;
    expect(harness_end(&device), "the command buffer fails");
    if (faults.trouble[0])
        return;
    expect(harness_submit(&device), "the command buffer fails");
    check_answers(count);
}

/* Records and executes. After a failure, which must have recorded nothing, the next recording uses
 * the same command buffer. */
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
    return record(operation_count(false));
}

VkrResult reset(void)
{
    calling("vkrReset");
    return vkrReset(life.recorder);
}

static VkrResult record_second(void)
{
    return record(operation_count(true));
}

VkrResult (*const stages[STAGES])(void) = {
    ask_requirements, create_context, create_recorder, create_module,
    self_test,        record_first,   reset,           record_second};

void destroy(void)
{
    vkrDestroyRecorder(life.recorder);
    vkrDestroyModule(life.module);
    vkrDestroyContext(life.context);
    life.recorder = NULL;
    life.module = NULL;
    life.context = NULL;
    life.call = "vkrDestroyContext";
    expect(faults.objects == 0, "Vulkan objects are left");
    expect(faults.blocks == 0, "blocks of the heap are left");
    faults.objects = 0;
    faults.blocks = 0;
}
