/* SPDX-License-Identifier: MIT */
/* The self-test: small operations with known answers, on the group path in use and on every one
 * below it. */
#include "selftest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/commands.h"
#include "../core/message.h"
#include "../core/unpack.h"
#include "../tables/types.h"
#include "vkreduce/testing.h"

#define SHARE 64u   /* bytes that an invocation reads */
#define SECONDS 60u /* drivers may compile pipelines while a batch runs */

/* ---- One group path ---- */

typedef VkrResult collect_batch(VkrContext context, const vkr_self_test *test);

static VkrResult collect_reductions(VkrContext context, const vkr_self_test *test)
{
    for (uint32_t i = 0; i < VKR_SELF_CHECKS; i++) {
        const VkrReduceInfo info = vkr_self_reduction(test, i);
        if (vkrIsTypeSupported(context, vkr_self_checks[i].type))
            VKR_TRY(vkrCmdReduce(test->recorder, &info));
    }
    return VKR_SUCCESS;
}

static VkrResult collect_moves(VkrContext context, const vkr_self_test *test)
{
    for (uint32_t m = 0; m < VKR_SELF_MOVES; m++)
        if (vkr_self_move_serves(context, m))
            VKR_TRY(vkr_collect_self_move(test, m));
    return VKR_SUCCESS;
}

static VkrResult record(VkrContext context, const vkr_self_test *test)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkrEndInfo end = {.commandBuffer = test->cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkResult result = context->vk.vkResetCommandPool(context->device, test->pool, 0);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkResetCommandPool");
    result = context->vk.vkBeginCommandBuffer(test->cmd, &begin);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkBeginCommandBuffer");
    VKR_TRY(vkrEnd(test->recorder, &end));
    result = context->vk.vkEndCommandBuffer(test->cmd);
    return result == VK_SUCCESS ? VKR_SUCCESS : vkr_fail_vk(context, result, "vkEndCommandBuffer");
}

/* A wait can fail for lack of memory while the work continues. Then it waits once more, since the
 * objects can only be freed once the work has ended or will never run. */
static VkrResult wait_for(VkrContext context, vkr_self_test *test)
{
    const uint64_t time = UINT64_C(1000000000) * SECONDS;
    const VkResult result =
        context->vk.vkWaitForFences(context->device, 1, &test->fence, VK_TRUE, time);
    VkResult last = result;
    if (result != VK_SUCCESS && result != VK_TIMEOUT && result != VK_ERROR_DEVICE_LOST)
        last = context->vk.vkWaitForFences(context->device, 1, &test->fence, VK_TRUE, time);
    test->abandoned = last != VK_SUCCESS && last != VK_ERROR_DEVICE_LOST;
    if (last != VK_SUCCESS)
        atomic_store(&context->lost, true);
    if (result == VK_TIMEOUT)
        return vkr_fail(context, VKR_ERROR_DEVICE_LOST,
                        "vkrSelfTest: the work on group path %s did not end within %u s, so "
                        "the device counts as lost.",
                        vkrGroupPathName(context->caps.group_path), SECONDS);
    return result == VK_SUCCESS ? VKR_SUCCESS : vkr_fail_vk(context, result, "vkWaitForFences");
}

static VkrResult submit(VkrContext context, VkQueue queue, vkr_self_test *test)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &test->cmd};
    VkResult result = context->vk.vkResetFences(context->device, 1, &test->fence);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkResetFences");
    result = context->vk.vkQueueSubmit(queue, 1, &info, test->fence);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkQueueSubmit");
    return wait_for(context, test);
}

/* Each batch has a wait of its own, in which drivers may compile its pipelines. Nothing is
 * submitted after the driver has refused to compile a kernel. */
static VkrResult run_batch(VkrContext context, VkQueue queue, vkr_self_test *test,
                           collect_batch *collect)
{
    VKR_TRY(vkrReset(test->recorder));
    VKR_TRY(vkrBegin(test->recorder));
    VKR_TRY(collect(context, test));
    VKR_TRY(record(context, test));
    return atomic_load(&context->refused) != 0 ? VKR_SUCCESS : submit(context, queue, test);
}

/* Compares the results of a check, and describes the first wrong one of a group path in
 * `sentence`. */
static void compare(VkrContext context, const vkr_self_test *test, uint32_t i,
                    VkrSelfTestReport *report, char sentence[256])
{
    const VkrGroupPath group_path = context->caps.group_path;
    const VkrReduceInfo info = vkr_self_reduction(test, i);
    VkrReduceLayout layout;
    if (!vkrIsTypeSupported(context, vkr_self_checks[i].type) ||
        vkrGetReduceLayout(context, &info, &layout) != VKR_SUCCESS)
        return;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrOp op = (VkrOp)(1u << bit);
        const VkrReduceResult *where = &layout.results[bit];
        if (!(info.ops & (uint32_t)op))
            continue;
        uint64_t found = 0;
        const uint32_t size = vkrTypeSize(where->type);
        memcpy(&found, test->data + info.output.offset + where->offset, size);
        const uint64_t right =
            vkr_known_answer(&vkr_self_checks[i], op, where->type) & UINT64_MAX >> (64 - 8 * size);
        report->checks[group_path]++;
        if (found == right)
            continue;
        char texts[2][32];
        vkr_print_known(texts[0], where->type, found);
        vkr_print_known(texts[1], where->type, right);
        if (report->wrong[group_path]++ == 0)
            (void)snprintf(
                sentence, 256, "%s of %u %s by algorithm %s is %s, but must be %s", vkrOpName(op),
                vkr_self_checks[i].count, vkrTypeName(vkr_self_checks[i].type),
                vkrReduceAlgorithmName(vkr_self_checks[i].algorithm), texts[0], texts[1]);
    }
}

/* A kernel that the driver refuses to compile makes a group path unusable, as a wrong result does,
 * but the last path, below which there is none, fails. The driver's error has been reported. */
static bool count_refusal(VkrContext context, VkrSelfTestReport *report)
{
    const uint32_t refused = atomic_load(&context->refused);
    if (refused == 0 || context->caps.group_path == VKR_GROUP_PATH_SHARED)
        return false;
    report->checks[context->caps.group_path]++;
    report->wrong[context->caps.group_path]++;
    (void)vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                   "vkrSelfTest: group path %s is not usable: the driver does not compile %s.",
                   vkrGroupPathName(context->caps.group_path), vkr_kernel_name(refused - 1));
    return true;
}

static VkrResult run_group_path(VkrContext context, VkQueue queue, vkr_self_test *test,
                                VkrSelfTestReport *report)
{
    const VkrGroupPath group_path = context->caps.group_path;
    char sentence[256];
    memset(test->data + VKR_SELF_CHECKS * VKR_SELF_REGION, VKR_SELF_FILLER,
           VKR_SELF_CHECKS * VKR_SELF_SLOT + VKR_SELF_MOVES * VKR_SELF_REGION);
    atomic_store(&context->refused, 0);
    VkrResult result = run_batch(context, queue, test, collect_reductions);
    if (result == VKR_SUCCESS && atomic_load(&context->refused) == 0)
        result = run_batch(context, queue, test, collect_moves);
    if (count_refusal(context, report))
        return VKR_SUCCESS;
    for (uint32_t i = 0; i < VKR_SELF_CHECKS && result == VKR_SUCCESS; i++)
        compare(context, test, i, report, sentence);
    for (uint32_t m = 0; m < VKR_SELF_MOVES && result == VKR_SUCCESS; m++)
        if (vkr_self_move_serves(context, m))
            vkr_compare_self_move(context, test, m, report, sentence);
    if (report->wrong[group_path] != 0)
        (void)vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                       "vkrSelfTest: group path %s is not usable: %u of %u results are wrong; the "
                       "first is that %s.",
                       vkrGroupPathName(group_path), report->wrong[group_path],
                       report->checks[group_path], sentence);
    return result;
}

/* ---- All group paths ---- */

static VkrResult check_family(VkrContext context, uint32_t index)
{
    VkQueueFamilyProperties families[64];
    uint32_t count = VKR_ARRAY_SIZE(families);
    PFN_vkGetPhysicalDeviceQueueFamilyProperties get =
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties)vkr_load_instance(
            context->get_instance_proc_addr, context->instance,
            "vkGetPhysicalDeviceQueueFamilyProperties");
    if (!get)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: getInstanceProcAddr has no "
                        "vkGetPhysicalDeviceQueueFamilyProperties for the instance.");
    get(context->physical_device, &count, families);
    if (index < count && families[index].queueFlags & VK_QUEUE_COMPUTE_BIT)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                    "vkrSelfTest: queueFamilyIndex is %u, but must be a family with compute among "
                    "the device's %u.",
                    index, count);
}

static VkrResult check_arguments(VkrContext context, const VkrSelfTestInfo *info)
{
    if (!info)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: info is NULL, but must point to a VkrSelfTestInfo.");
    if (!info->queue)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: queue is NULL, but must be a queue of the device.");
    return check_family(context, info->queueFamilyIndex);
}

/* Changes the context's group path while it runs, and with it the plans of all recorders of the
 * context. So the self-test must run before the first recorder. */
static VkrResult run_group_paths(VkrContext context, VkQueue queue, vkr_self_test *test,
                                 VkrSelfTestReport *report)
{
    VkrResult result = VKR_SUCCESS;
    vkr_tunings kept;
    memcpy(kept, context->tunings, sizeof kept);
    for (uint32_t i = 0; i < VKR_OPERATION_COUNT * 2 * VKR_VALUE_SIZES; i++) {
        VkrTuning *row = &context->tunings[i / (2 * VKR_VALUE_SIZES)][i % (2 * VKR_VALUE_SIZES)];
        row->oneGroupBytes = 0;
        row->minBytes = SHARE;
        row->maxBytes = SHARE;
        row->tileBytes = SHARE;
    }
    for (int group_path = (int)report->before;
         group_path < VKR_GROUP_PATH_COUNT && result == VKR_SUCCESS; group_path++) {
        context->caps.group_path = (VkrGroupPath)group_path;
        result = run_group_path(context, queue, test, report);
    }
    memcpy(context->tunings, kept, sizeof kept);
    context->caps.group_path = report->before;
    return result;
}

/* Chooses the best group path that gave no wrong answer. */
static VkrResult settle(VkrContext context, VkrSelfTestReport *report)
{
    int group_path = (int)report->before;
    while (group_path < VKR_GROUP_PATH_SHARED && report->wrong[group_path] != 0)
        group_path++;
    context->caps.group_path = (VkrGroupPath)group_path;
    report->after = (VkrGroupPath)group_path;
    if (report->wrong[group_path] == 0)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                    "vkrSelfTest: no group path gives correct results, so the context must not "
                    "be used.");
}

VkrResult vkrSelfTest(VkrContext context, const VkrSelfTestInfo *info, VkrSelfTestReport *report)
{
    if (!context)
        return VKR_ERROR_INVALID_ARGUMENT;
    vkr_self_test *test = NULL;
    VkrSelfTestReport found = {.before = context->caps.group_path,
                               .after = context->caps.group_path};
    VkrResult result = vkr_check_device(context, "vkrSelfTest");
    if (result == VKR_SUCCESS)
        result = check_arguments(context, info);
    if (result == VKR_SUCCESS)
        result = vkr_create_self_test(context, info->queueFamilyIndex, &test);
    if (result == VKR_SUCCESS)
        result = run_group_paths(context, info->queue, test, &found);
    if (result == VKR_SUCCESS)
        result = settle(context, &found);
    if (report)
        *report = found;
    if (test && test->abandoned)
        context->leftover = (vkr_leftover){vkr_destroy_self_test, test};
    else
        vkr_destroy_self_test(context, test);
    return result;
}
