/* SPDX-License-Identifier: MIT */
/* A step: one dispatch, with everything that it binds and accesses. */
#ifndef VKR_STEP_H
#define VKR_STEP_H

#include "../../shaders/interface.h"
#include "base.h"

#define VKR_MAX_BINDINGS 8 /* storage buffers */
#define VKR_MAX_WRITES (VKR_MAX_BINDINGS + 1)
#define VKR_MAX_PUSH 128
#define VKR_MAX_ACCESSES 12

/* A step has room for every kernel's bindings. */
_Static_assert(VKR_REDUCE_BINDINGS <= VKR_MAX_BINDINGS, "VKR_REDUCE_BINDINGS");
_Static_assert(VKR_SCAN_BINDINGS <= VKR_MAX_BINDINGS, "VKR_SCAN_BINDINGS");
_Static_assert(VKR_COMPACT_BINDINGS <= VKR_MAX_BINDINGS, "VKR_COMPACT_BINDINGS");
_Static_assert(VKR_PAYLOAD_BINDINGS <= VKR_MAX_BINDINGS, "VKR_PAYLOAD_BINDINGS");
_Static_assert(VKR_HEADS_BINDINGS <= VKR_MAX_BINDINGS, "VKR_HEADS_BINDINGS");
_Static_assert(VKR_ARGUMENTS + 1 <= VKR_MAX_BINDINGS, "VKR_ARGUMENTS");
_Static_assert(VKR_BINDING_TEXELS == VKR_MAX_BINDINGS, "VKR_BINDING_TEXELS");

#define VKR_MAX_CONSTANTS 16

/* A kernel with its specialisation constants. Constant i has specialisation id i. */
typedef struct vkr_variant {
    uint32_t kernel; /* index into vkr_kernels */
    uint32_t constant_count;
    uint32_t constants[VKR_MAX_CONSTANTS];
} vkr_variant;

/* Stands for the buffer of the recording's scratch in bindings and accesses until vkrEnd knows it.
 * Offsets are relative to the start of that scratch. */
#define VKR_SCRATCH ((VkBuffer)(uintptr_t)UINTPTR_MAX)

/* A range of a buffer, or subresources of an image, that a step reads or writes. */
typedef struct vkr_access {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image; /* where buffer is null */
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} vkr_access;

/* Operations fill in everything except `pipeline` and what vkr_assign_levels sets. */
typedef struct vkr_step {
    const char *label; /* or NULL; not owned: vkr_add_step copies it */
    vkr_variant variant;
    VkPipeline pipeline;
    uint32_t push_size;
    uint32_t push[VKR_MAX_PUSH / 4];
    uint32_t groups[2]; /* gl_WorkGroupID.x and .y; ignored where indirect.buffer is set */
    /* A VkDispatchIndirectCommand that the GPU reads, which must be among the accesses too; or a
     * null buffer. */
    VkrBufferRange indirect;
    uint32_t binding_count;
    VkDescriptorBufferInfo bindings[VKR_MAX_BINDINGS];
    VkBufferView texels; /* for binding VKR_BINDING_TEXELS, or null */
    uint32_t access_count;
    vkr_access accesses[VKR_MAX_ACCESSES];
    /* Set by vkr_assign_levels. */
    uint32_t level;
    bool waits_for_arguments; /* an earlier step writes the arguments of its indirect dispatch */
} vkr_step;

/* Whether two accesses share bytes or subresources. */
bool vkr_overlap(const vkr_access *a, const vkr_access *b);

#endif
