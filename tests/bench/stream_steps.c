/* SPDX-License-Identifier: MIT */
/* Times the steps of a stream reduction. The library gets all its Vulkan functions from the caller,
 * so one context gets some of ours: they remember the names of pipelines, and write timestamps
 * before and after the dispatches of one step. */
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "status.h"
#include "streams.h"

#define MAX_PIPELINES 256u
#define MAX_INTERVALS 64u /* uninterrupted runs of a step's dispatches */

const char *const stream_step_names[STREAM_STEPS] = {
    [STEP_ALL] = "",          [STEP_MARKS] = "marks",   [STEP_SUMS] = "sums",
    [STEP_SEARCH] = "search", [STEP_TOTALS] = "totals", [STEP_CONCATENATION] = "concatenation",
    [STEP_COUNT] = "count",
};

/* The step of each kernel, by the beginning of its name. */
static const struct {
    const char *kernel;
    stream_step step;
} kernels[] = {
    {"marks", STEP_MARKS},       {"block_scan", STEP_SUMS}, {"gather", STEP_SEARCH},
    {"sequential", STEP_SEARCH}, {"sums", STEP_TOTALS},     {"concatenate", STEP_CONCATENATION},
    {"arguments", STEP_COUNT},
};

struct stream_steps {
    VkrContext context;
    VkQueryPool queries;
};

/* Global, since Vulkan's functions have no argument for it. */
static struct {
    PFN_vkGetDeviceProcAddr get_device;
    PFN_vkCmdBindPipeline bind;
    PFN_vkCmdDispatch dispatch;
    VkPipeline pipelines[MAX_PIPELINES];
    stream_step steps[MAX_PIPELINES]; /* STEP_ALL: of no step */
    uint32_t pipeline_count;
    /* Of the current recording: */
    VkCommandBuffer commands;
    VkQueryPool queries;
    stream_step wanted, bound;
    bool inside;  /* an interval has begun */
    bool strange; /* a dispatch belongs to no step */
    uint32_t intervals;
} hook;

/* ---- The functions ---- */

static void mark(uint32_t query)
{
    if (query < 2 * MAX_INTERVALS)
        vkCmdWriteTimestamp(hook.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, hook.queries,
                            query);
}

static void leave(void)
{
    if (hook.inside)
        mark(2 * hook.intervals++ + 1);
    hook.inside = false;
}

static stream_step step_of(VkPipeline pipeline)
{
    for (uint32_t i = 0; i < hook.pipeline_count; i++)
        if (hook.pipelines[i] == pipeline)
            return hook.steps[i];
    return STEP_ALL;
}

static VKAPI_ATTR void VKAPI_CALL bind_pipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                                VkPipeline pipeline)
{
    hook.bound = step_of(pipeline);
    hook.bind(commands, point, pipeline);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y,
                                           uint32_t z)
{
    hook.strange |= hook.bound == STEP_ALL;
    if (hook.bound != hook.wanted) {
        leave();
    } else if (!hook.inside) {
        mark(2 * hook.intervals);
        hook.inside = true;
    }
    hook.dispatch(commands, x, y, z);
}

static VKAPI_ATTR VkResult VKAPI_CALL set_name(VkDevice device,
                                               const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    if (info->objectType != VK_OBJECT_TYPE_PIPELINE || hook.pipeline_count == MAX_PIPELINES)
        return VK_SUCCESS;
    hook.pipelines[hook.pipeline_count] = (VkPipeline)info->objectHandle;
    hook.steps[hook.pipeline_count] = STEP_ALL;
    for (size_t i = 0; i < COUNT_OF(kernels); i++)
        if (strncmp(info->pObjectName, kernels[i].kernel, strlen(kernels[i].kernel)) == 0)
            hook.steps[hook.pipeline_count] = kernels[i].step;
    hook.pipeline_count++;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer commands,
                                              const VkDebugUtilsLabelEXT *info)
{
    (void)commands;
    (void)info;
}

static VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer commands)
{
    (void)commands;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name)
{
    if (strcmp(name, "vkCmdBindPipeline") == 0)
        return (PFN_vkVoidFunction)bind_pipeline;
    if (strcmp(name, "vkCmdDispatch") == 0)
        return (PFN_vkVoidFunction)dispatch;
    return hook.get_device(device, name);
}

/* The functions of VK_EXT_debug_utils are ours, so the instance need not have the extension. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance instance, const char *name)
{
    const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } ours[] = {
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)get_device},
        {"vkSetDebugUtilsObjectNameEXT", (PFN_vkVoidFunction)set_name},
        {"vkCmdBeginDebugUtilsLabelEXT", (PFN_vkVoidFunction)begin_label},
        {"vkCmdEndDebugUtilsLabelEXT", (PFN_vkVoidFunction)end_label},
    };
    for (size_t i = 0; i < COUNT_OF(ours); i++)
        if (strcmp(name, ours[i].name) == 0)
            return ours[i].function;
    return vkGetInstanceProcAddr(instance, name);
}

/* ---- The context ---- */

int stream_steps_open(bench *b)
{
    const VkrContextInfo wanted = {.flags = VKR_CONTEXT_DEBUG_UTILS_BIT,
                                   .getInstanceProcAddr = get_instance};
    const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                           .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                           .queryCount = 2 * MAX_INTERVALS};
    struct stream_steps *s = b->steps = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    if (b->gpu.vulkan.timestampBits == 0)
        return STATUS_DONE;
    const VkResult created = vkCreateQueryPool(b->gpu.vulkan.device, &queries, NULL, &s->queries);
    if (created != VK_SUCCESS)
        return gpu_check(created, "vkCreateQueryPool");
    hook.get_device = vkGetDeviceProcAddr;
    hook.bind = vkCmdBindPipeline;
    hook.dispatch = vkCmdDispatch;
    hook.pipeline_count = 0;
    return gpu_status(vkrCreateHostContext(b->gpu.host, &wanted, &s->context));
}

void stream_steps_close(bench *b)
{
    if (b->steps == NULL)
        return;
    vkrDestroyContext(b->steps->context);
    vkDestroyQueryPool(b->gpu.vulkan.device, b->steps->queries, NULL);
    free(b->steps);
}

VkrContext stream_steps_context(const bench *b)
{
    return b->steps->context;
}

/* ---- A recording ---- */

void stream_steps_begin(const bench *b, const arm *a)
{
    hook.commands = a->commands;
    hook.queries = b->steps->queries;
    hook.wanted = a->step;
    hook.inside = hook.strange = false;
    hook.intervals = 0;
    vkCmdResetQueryPool(hook.commands, hook.queries, 0, 2 * MAX_INTERVALS);
}

int stream_steps_end(arm *a)
{
    leave();
    a->intervals = hook.intervals;
    if (hook.strange)
        return fail(STATUS_VULKAN, "%s: a dispatch belongs to no known step", a->name);
    return a->intervals > 0 && a->intervals <= MAX_INTERVALS
               ? STATUS_DONE
               : fail(STATUS_VULKAN,
                      "%s: the step has %u runs of dispatches, of 1 to %u that are allowed",
                      a->name, a->intervals, MAX_INTERVALS);
}

int stream_steps_read(const bench *b, const arm *a, double *milliseconds)
{
    const uint64_t mask = UINT64_MAX >> (64 - b->gpu.vulkan.timestampBits);
    uint64_t ticks[2 * MAX_INTERVALS], elapsed = 0;
    const VkResult result = vkGetQueryPoolResults(
        b->gpu.vulkan.device, b->steps->queries, 0, 2 * a->intervals, sizeof ticks, ticks,
        sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkGetQueryPoolResults");
    for (uint32_t i = 0; i < a->intervals; i++)
        elapsed += (ticks[2 * i + 1] - ticks[2 * i]) & mask;
    *milliseconds = (double)elapsed * (double)b->gpu.limits.timestampPeriod * 1e-6;
    return STATUS_DONE;
}
