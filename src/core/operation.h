/* SPDX-License-Identifier: MIT */
/* What an operation does with its recorder. */
#ifndef VKR_OPERATION_H
#define VKR_OPERATION_H

#include "step.h"

/* Every vkrCmd* starts and ends with these: state and sticky error; on failure everything the
 * operation had added is taken back. */
VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call);
VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result);

const struct VkrContext_T *vkr_recorder_context(VkrRecorder recorder);

/* Adds a step; copies everything, the label too. Bindings below binding_count that it leaves
 * without a buffer get a place of the recorder's own, which no other step has: a kernel declares
 * all that any of its variants touches, and whoever validates takes every declared access for one
 * that happens. So no memory of the caller's may stand there, and none that another step could
 * meet. Such a place is no access of the step's, and no part of the recording's scratch. */
VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step);

/* Scratch of this recording, granule-aligned, uninitialised; and counters, zeroed by one fill when
 * the work executes, each in a granule that no other operation shares. Offsets are relative to
 * their own region: steps name the regions VKR_SCRATCH and VKR_COUNTERS. vkrEnd puts the counters
 * first and the scratch behind them. */
VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
#define VKR_COUNTERS ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 1))

/* The places of unused bindings, until vkrEnd knows their buffer; the offset is the place's. */
#define VKR_UNUSED ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 2))

#endif
