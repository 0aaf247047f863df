/* SPDX-License-Identifier: MIT */
/* Declarations shared by the two files of the stub. */
#ifndef VKR_TESTS_STUB_INSIDE_H
#define VKR_TESTS_STUB_INSIDE_H

#include "stub.h"

/* Vulkan determines the signatures of the stub's functions. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* clang-format off */
#define FUNCTIONS(X)                                                                               \
    X(vkGetInstanceProcAddr) X(vkGetDeviceProcAddr) X(vkGetPhysicalDeviceProperties)               \
    X(vkGetPhysicalDeviceProperties2) X(vkGetPhysicalDeviceFeatures2)                              \
    X(vkGetPhysicalDeviceMemoryProperties) X(vkEnumerateDeviceExtensionProperties)                 \
    X(vkGetBufferMemoryRequirements) X(vkSetDebugUtilsObjectNameEXT) X(vkCreateBuffer)             \
    X(vkAllocateMemory) X(vkBindBufferMemory) X(vkMapMemory) X(vkCreateShaderModule)               \
    X(vkCreateDescriptorSetLayout) X(vkCreatePipelineLayout) X(vkCreateComputePipelines)           \
    X(vkCreateDescriptorPool) X(vkAllocateDescriptorSets) X(vkDestroyBuffer) X(vkFreeMemory)       \
    X(vkDestroyShaderModule) X(vkDestroyDescriptorSetLayout) X(vkDestroyPipelineLayout)            \
    X(vkDestroyPipeline) X(vkDestroyDescriptorPool)

/* stub_commands.c */
#define COMMANDS(X)                                                                                \
    X(vkUpdateDescriptorSets) X(vkCmdPipelineBarrier) X(vkCmdFillBuffer) X(vkCmdBindPipeline)      \
    X(vkCmdBindDescriptorSets) X(vkCmdPushDescriptorSetKHR) X(vkCmdPushConstants)                  \
    X(vkCmdDispatch) X(vkCmdDispatchIndirect) X(vkCmdBeginDebugUtilsLabelEXT)                      \
    X(vkCmdEndDebugUtilsLabelEXT) X(vkCmdResetQueryPool) X(vkCmdWriteTimestamp)
/* clang-format on */

#define CALL(name) CALL_##name,
enum stub_call { FUNCTIONS(CALL) COMMANDS(CALL) CALL_COUNT };

typedef struct stub_function {
    const char *name;
    PFN_vkVoidFunction function;
} stub_function;
/* clang-format off */
#define ROW(name) {#name, (PFN_vkVoidFunction)do_##name},
/* clang-format on */

extern const stub_function stub_commands[];

/* The calls since stub_start. */
extern uint32_t stub_counts[CALL_COUNT];
#define ENTER(name) stub_counts[CALL_##name]++

/* Whether only barriers, fills and dispatches become text. */
extern bool stub_is_brief;

#endif
