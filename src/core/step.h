/* SPDX-License-Identifier: MIT */
/* A step: one dispatch, with all that it binds and touches. */
#ifndef VKR_STEP_H
#define VKR_STEP_H

#include "../../shaders/interface.h"
#include "base.h"

#define VKR_MAX_BINDINGS 8 /* storage buffers */
#define VKR_MAX_WRITES (VKR_MAX_BINDINGS + 1)
#define VKR_MAX_PUSH 128
#define VKR_MAX_ACCESSES 12

/* Every kernel's bindings have room in a step. */
_Static_assert(VKR_REDUCE_BINDINGS <= VKR_MAX_BINDINGS, "VKR_REDUCE_BINDINGS");
_Static_assert(VKR_SCAN_BINDINGS <= VKR_MAX_BINDINGS, "VKR_SCAN_BINDINGS");
_Static_assert(VKR_COMPACT_BINDINGS <= VKR_MAX_BINDINGS, "VKR_COMPACT_BINDINGS");
_Static_assert(VKR_PAYLOAD_BINDINGS <= VKR_MAX_BINDINGS, "VKR_PAYLOAD_BINDINGS");
_Static_assert(VKR_HEADS_BINDINGS <= VKR_MAX_BINDINGS, "VKR_HEADS_BINDINGS");
_Static_assert(VKR_ARGUMENTS + 1 <= VKR_MAX_BINDINGS, "VKR_ARGUMENTS");
_Static_assert(VKR_BINDING_TEXELS == VKR_MAX_BINDINGS, "VKR_BINDING_TEXELS");

#define VKR_MAX_CONSTANTS 16

/* A kernel with its specialisation. Constant i has specialisation id i. */
typedef struct vkr_variant {
    uint32_t kernel; /* index into vkr_kernels */
    uint32_t constant_count;
    uint32_t constants[VKR_MAX_CONSTANTS];
} vkr_variant;

/* Stands for the recording's scratch in bindings and accesses until vkrEnd knows the buffer;
 * offsets are relative to the start of that scratch. */
#define VKR_SCRATCH ((VkBuffer)(uintptr_t)UINTPTR_MAX)

/* A range of a buffer, or subresources of an image, that a step reads or writes. */
typedef struct vkr_access {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image; /* used where buffer is null */
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} vkr_access;

/* One dispatch. Ops fill everything but `pipeline` and what levels are. */
typedef struct vkr_step {
    const char *label; /* not owned; NULL or alive until vkrEnd: the recorder copies it on add */
    vkr_variant variant;
    VkPipeline pipeline;
    uint32_t push_size;
    uint32_t push[VKR_MAX_PUSH / 4];
    uint32_t groups[2]; /* gl_WorkGroupID.x and .y; ignored where indirect.buffer is set */
    /* A VkDispatchIndirectCommand of the caller's, or a null buffer; among the accesses too. */
    VkrBufferRange indirect;
    uint32_t binding_count;
    VkDescriptorBufferInfo bindings[VKR_MAX_BINDINGS];
    VkBufferView texels; /* binding VKR_BINDING_TEXELS; null: none */
    uint32_t access_count;
    vkr_access accesses[VKR_MAX_ACCESSES];
    /* Set by vkr_assign_levels. */
    uint32_t level;
    bool waits_for_arguments; /* an earlier step writes those of its indirect dispatch */
} vkr_step;

/* Whether they share bytes or subresources. */
bool vkr_overlap(const vkr_access *a, const vkr_access *b);

#endif
