/* SPDX-License-Identifier: MIT */
/* What an operation may do with its recorder. */
#ifndef VKR_OPERATION_H
#define VKR_OPERATION_H

#include "step.h"

/* Every function vkrCmd* calls these first and last. The first one checks that the recorder is
 * collecting and has no sticky error; the second one, after a failure, makes the error sticky and
 * takes back everything that the operation had added. */
VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call);
VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result);

const struct VkrContext_T *vkr_recorder_context(VkrRecorder recorder);

/* Adds a step; copies everything, the label too.
 *
 * Storage buffers of the kernel that the step leaves unbound are unused by this variant of it. But
 * a kernel's module has the bindings that any of its variants uses; Vulkan wants all of them bound,
 * whatever the constants are; and validation takes every access of a module for one that happens.
 * So each of them is bound to a place in the recorder's own memory, which no other step has and
 * which nothing accesses; it belongs neither to the step's accesses nor to the recording's scratch.
 *
 * A step's uniforms lie in the recorder's own memory, which the host writes in vkrEnd, before any
 * submit, and which nothing writes again until vkrReset: so they need no barrier, no declared
 * access and no scratch, and the command buffer can be submitted several times. Steps that follow
 * one another with the same values share a place. */
VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step);

/* Add memory that lasts as long as this recording: scratch, which is uninitialised, and counters,
 * which one fill sets to zero when the work executes. Both start at a multiple of the granule, and
 * no other operation shares a granule with them. Offsets are relative to their own region: steps
 * name the regions VKR_SCRATCH and VKR_COUNTERS. vkrEnd puts the counters first and the scratch
 * behind them. */
VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
#define VKR_COUNTERS ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 1))

/* Adds counters that the dispatch which changes them puts back to zero. Where a recording has no
 * others, it may need no fill (places.c). Steps name VKR_COUNTERS for them, too. */
VkrResult vkr_add_tickets(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);

/* Stands for the buffer of places for unused bindings until vkrEnd knows it. */
#define VKR_UNUSED ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 2))

/* Stands for the buffer of uniforms until vkrEnd knows it. */
#define VKR_UNIFORM_MEMORY ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 3))

#endif
