/* SPDX-License-Identifier: MIT */
/* The Vulkan objects that are made from tables of bindings. */
#ifndef VKR_LAYOUT_H
#define VKR_LAYOUT_H

#include "step.h"

/* There are few: kernels with equal tables share one. It is created when it is first needed, and
 * the context keeps it. Set 0 has the kernel's bindings; no kernel uses other sets, but a function
 * that is linked into one can use set 1. */
typedef struct vkr_layout {
    struct vkr_layout *next;
    vkr_bindings bindings;
    uint32_t index; /* in the order in which they were made */
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline; /* that set, and VKR_MAX_PUSH bytes of push constants */
} vkr_layout;

/* Creates a pipeline layout of these sets, the first of which is set 0, for a pipeline of its
 * own. */
VkResult vkr_create_pipeline_layout(const struct VkrContext_T *context,
                                    const VkDescriptorSetLayout *sets, uint32_t set_count,
                                    VkPipelineLayout *layout);

VkrResult vkr_get_layout(VkrContext context, const vkr_bindings *bindings,
                         const vkr_layout **layout);
void vkr_destroy_layouts(VkrContext context);

/* Vulkan's descriptor type for a kind of binding that is not VKR_KIND_NONE. */
VkDescriptorType vkr_descriptor_type(vkr_kind kind);

/* Whether a descriptor of this kind has a handle. */
bool vkr_is_bound(vkr_kind kind, const vkr_descriptor *descriptor);

/* Fills in the descriptor writes of a step, without bindings that have no handle. Returns their
 * number. */
uint32_t vkr_write_bindings(const vkr_step *step, VkDescriptorSet set,
                            VkWriteDescriptorSet writes[VKR_MAX_BINDINGS]);

#endif
