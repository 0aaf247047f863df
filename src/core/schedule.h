/* SPDX-License-Identifier: MIT */
/* Levels of steps (levels.c), and their commands and barriers (schedule.c). */
#ifndef VKR_SCHEDULE_H
#define VKR_SCHEDULE_H

#include "commands.h"
#include "context.h"
#include "step.h"

/* Two steps conflict where they touch the same bytes or subresources and one of them writes. */
typedef struct vkr_schedule {
    uint32_t levels; /* how many there are */
    uint32_t *order; /* of the steps by level, and in a level as they were collected; in `memory` */
    uint64_t work;   /* comparisons and looks at nodes: what tests hold its growth to */
} vkr_schedule;

/* Bytes of memory that vkr_assign_levels needs; UINT64_MAX where there are too many ranges. */
uint64_t vkr_levels_size(const vkr_step *steps, uint32_t count);

/* Puts each step on the first level after the last step it conflicts with. Order of the array is
 * the order of collection. */
vkr_schedule vkr_assign_levels(vkr_step *steps, uint32_t count, void *memory);

/* What vkr_record needs besides the steps; every handle is ready. */
typedef struct vkr_recording {
    const vkr_commands *vk;
    VkCommandBuffer cmd;
    VkPipelineLayout layout;
    bool push_descriptors;
    const VkDescriptorSet *sets; /* one per step where there are no push descriptors */
    bool debug_utils;
    const vkr_debug *debug;    /* where debug_utils */
    VkrBufferRange scratch;    /* of this recording; buffer null if none is needed */
    bool scratch_used_before;  /* open with a barrier */
    VkDeviceSize counter_size; /* leading bytes of scratch to fill with zeros; 0: no fill */
    VkPipelineStageFlags consumer_stages;
    VkAccessFlags consumer_access;
} vkr_recording;

/* The descriptor writes of a step; bindings without a buffer are left out. Returns their number. */
uint32_t vkr_write_bindings(const vkr_step *step, VkDescriptorSet set,
                            VkWriteDescriptorSet writes[VKR_MAX_WRITES]);

/* Records opening barrier, fill, levels and closing barrier. The only caller of vkCmd*. */
void vkr_record(const vkr_recording *recording, const vkr_step *steps, uint32_t count,
                const uint32_t *order);

#endif
