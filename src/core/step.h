/* SPDX-License-Identifier: MIT */
/* A step: one dispatch, with everything that it binds and accesses. */
#ifndef VKR_STEP_H
#define VKR_STEP_H

#include "../../shaders/numbers.h"
#include "base.h"

#define VKR_MAX_BINDINGS 16
#define VKR_MAX_BUFFERS 8 /* storage buffers among them; a device must support 8 */
#define VKR_MAX_PUSH 128
#define VKR_MAX_UNIFORMS 80
#define VKR_MAX_ACCESSES 18

#define VKR_MAX_CONSTANTS 16

/* What a kernel binds at a binding number. */
typedef enum vkr_kind {
    VKR_KIND_NONE,
    VKR_KIND_BUFFER,   /* a storage buffer */
    VKR_KIND_UNIFORMS, /* a uniform buffer: the step's uniforms */
    VKR_KIND_TEXELS,   /* a uniform texel buffer */
    VKR_KIND_SAMPLED_IMAGE,
    VKR_KIND_STORAGE_IMAGE,
    VKR_KIND_COUNT
} vkr_kind;

/* The bindings of a kernel, in descriptor set 0: a vkr_kind for each binding number. Kernels with
 * equal tables share a layout (layout.h). */
typedef struct vkr_bindings {
    uint8_t kinds[VKR_MAX_BINDINGS];
} vkr_bindings;

/* What is bound at a binding number; its kind says which member is valid. The handle is null if
 * nothing is bound. */
typedef union vkr_descriptor {
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
    VkBufferView texels;
} vkr_descriptor;

/* A kernel with its specialisation constants. Constant i has specialisation id i. */
typedef struct vkr_variant {
    uint32_t kernel; /* index into vkr_kernels */
    vkr_bindings bindings;
    /* SPIR-V's number of the format with which the kernel's storage images are declared; 0: no
     * format, as in the module. */
    uint32_t image_format;
    const struct vkr_function *function; /* what is linked into the kernel, or NULL (function.h) */
    uint32_t constant_count;
    uint32_t constants[VKR_MAX_CONSTANTS];
} vkr_variant;

/* Stands in bindings and accesses for the buffer of the recording's scratch until vkrEnd knows it.
 * Offsets are relative to the start of that scratch. */
#define VKR_SCRATCH ((VkBuffer)(uintptr_t)UINTPTR_MAX)

/* A range of a buffer, or subresources of an image, that a step reads or writes. */
typedef struct vkr_access {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image; /* if buffer is null */
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} vkr_access;

struct vkr_layout; /* layout.h */

/* Operations fill in all members except those that a comment assigns to others. */
typedef struct vkr_step {
    /* Set by vkr_add_step: the index of the operation that added the step, its function, and its
     * label or NULL. */
    uint32_t operation;
    const char *call, *label;
    /* The names that the kernel's card gives to numbers and bindings, and those that cards share,
     * for vkrDescribe. Each is a letter, a number (or a sum: ((6) + 1)), a space and the name, on a
     * line of its own: c, a constant and its id; f, a flag and its bit; p and u, the next field of
     * the push constants and of the uniforms, and its words unless it has one; b, t, i and o, a
     * buffer, texels, a sampled image and a storage image, and the number of the binding. */
    const char *names, *shared_names;
    vkr_variant variant;
    /* Set by vkr_get_pipeline. */
    VkPipeline pipeline;
    const struct vkr_layout *layout; /* of set 0 */
    VkPipelineLayout pipeline_layout;
    /* Set by the recorder unless it pushes descriptors. */
    VkDescriptorSet set;
    VkDescriptorSet set1; /* of the function that is linked into the kernel, or VK_NULL_HANDLE */
    /* Push constants are the arguments of this dispatch. Uniforms are those that the dispatches of
     * an operation, or of one of its kernels, have in common (vkr_add_step). Sizes are in bytes. */
    uint32_t push_size, uniform_size;
    uint32_t push[VKR_MAX_PUSH / 4];
    uint32_t uniforms[VKR_MAX_UNIFORMS / 4];
    uint32_t groups[2]; /* gl_WorkGroupID.x and .y; ignored where indirect.buffer is set */
    /* A VkDispatchIndirectCommand that the GPU reads, which must be among the accesses too; a null
     * buffer for a direct dispatch. */
    VkrBufferRange indirect;
    vkr_descriptor bindings[VKR_MAX_BINDINGS];
    uint32_t misfits; /* descriptors for which the kernel has no binding with the same number and
                       * kind */
    /* Set by vkr_assign_levels. */
    uint32_t level;
    bool waits_for_arguments; /* an earlier step writes the arguments of its indirect dispatch */
    uint32_t access_count;
    /* The last member: vkr_add_step copies only the accesses in use. */
    vkr_access accesses[VKR_MAX_ACCESSES];
} vkr_step;

/* What one call vkrCmd.. has added. */
typedef struct vkr_operation {
    const char *call, *label; /* its name; its info's label or NULL */
    uint32_t left;            /* vkr_record: the steps that it has yet to record */
} vkr_operation;

/* Whether two accesses share bytes or subresources. */
bool vkr_overlap(const vkr_access *a, const vkr_access *b);

#endif
