/* SPDX-License-Identifier: MIT */
/*
 * A device does not know of a context's lowered limits, so that results stay right where the
 * library passes them. Here the commands that could are looked at on their way to the device.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "reduce.h"

static VkDeviceSize max_range = UINT64_MAX;
static uint32_t max_groups = UINT32_MAX;
static uint64_t violations, texel_writes;

static void violate(const char *what, uint64_t value, uint64_t limit)
{
    if (violations++ < 10)
        printf("# %s is %" PRIu64 ", above the context's %" PRIu64 "\n", what, value, limit);
}

static void check_writes(uint32_t count, const VkWriteDescriptorSet *writes)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < writes[i].descriptorCount; k++)
            if (writes[i].pTexelBufferView != NULL)
                texel_writes++;
            else if (writes[i].pBufferInfo[k].range > max_range)
                violate("a descriptor's range", writes[i].pBufferInfo[k].range, max_range);
}

static VKAPI_ATTR void VKAPI_CALL push(VkCommandBuffer cmd, VkPipelineBindPoint point,
                                       VkPipelineLayout layout, uint32_t set, uint32_t count,
                                       const VkWriteDescriptorSet *writes)
{
    check_writes(count, writes);
    vkCmdPushDescriptorSetKHR(cmd, point, layout, set, count, writes);
}

static VKAPI_ATTR void VKAPI_CALL update(VkDevice device, uint32_t count,
                                         const VkWriteDescriptorSet *writes, uint32_t copy_count,
                                         const VkCopyDescriptorSet *copies)
{
    check_writes(count, writes);
    vkUpdateDescriptorSets(device, count, writes, copy_count, copies);
}

static VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
    if (x > max_groups)
        violate("the number of workgroups in dimension 0", x, max_groups);
    vkCmdDispatch(cmd, x, y, z);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char *name)
{
    if (strcmp(name, "vkCmdPushDescriptorSetKHR") == 0)
        return (PFN_vkVoidFunction)push;
    if (strcmp(name, "vkUpdateDescriptorSets") == 0)
        return (PFN_vkVoidFunction)update;
    if (strcmp(name, "vkCmdDispatch") == 0)
        return (PFN_vkVoidFunction)dispatch;
    return vkGetDeviceProcAddr(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL limits_proc(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)device_proc;
    return vkGetInstanceProcAddr(instance, name);
}

void watch_limits(const VkrLimits *limits)
{
    max_range = limits->maxStorageBufferRange ? limits->maxStorageBufferRange : UINT64_MAX;
    max_groups = limits->maxComputeWorkGroupCount ? limits->maxComputeWorkGroupCount : UINT32_MAX;
}

uint64_t limit_violations(void)
{
    return violations;
}

uint64_t texel_bindings(void)
{
    return texel_writes;
}
