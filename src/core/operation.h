/* SPDX-License-Identifier: MIT */
/* The functions of a recorder that operations may call. */
#ifndef VKR_OPERATION_H
#define VKR_OPERATION_H

#include "step.h"

/* Every function vkrCmd* calls these first and last. vkr_operation_begin checks that the recorder
 * is collecting and has no sticky error. After a failure vkr_operation_end makes the error sticky
 * and removes everything that the operation added. `call`, its name, is not copied; the label is,
 * unless it is NULL. */
VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call, const char *label);
VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result);

/* The label of an info that may be NULL. */
#define VKR_LABEL_OF(info) ((info) ? (info)->label : NULL)

const struct VkrContext_T *vkr_recorder_context(VkrRecorder recorder);

/* Adds a step, of which everything is copied.
 *
 * This variant of the kernel does not use the storage buffers that the step leaves unbound. But a
 * kernel's module has the bindings of all its variants, Vulkan requires all of them to be bound,
 * whatever the constants are, and validation assumes that every access in a module happens. So
 * these buffers are bound to a place in the recorder's own memory, which no other step has and
 * which nothing accesses; it belongs neither to the step's accesses nor to the recording's scratch.
 *
 * A step's uniforms lie in the recorder's own memory, which the host writes in vkrEnd, before any
 * submission, and which nothing writes again until vkrReset. So they need no barrier, no declared
 * access and no scratch, and the command buffer can be submitted several times. Consecutive steps
 * with the same values share a place. */
VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step);

/* Add memory that lasts as long as this recording: scratch, which is uninitialised, and counters,
 * which one fill sets to zero when the work executes. Both start at a multiple of the granule, and
 * no other operation shares a granule with them. Offsets are relative to their own region: steps
 * name the regions VKR_SCRATCH and VKR_COUNTERS. vkrEnd puts the counters first and the scratch
 * after them. */
VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
#define VKR_COUNTERS ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 1))

/* Adds counters that must be zero before the first execution of a recording, and which every
 * execution leaves ready for the next one: it resets them to zero, or goes on from what it finds. A
 * recording without other counters may need no fill (places.c). Steps name VKR_COUNTERS for them
 * too. */
VkrResult vkr_add_tickets(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);

/* Stands for the buffer to which unused bindings point until vkrEnd knows it. */
#define VKR_UNUSED ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 2))

/* Stands for the buffer of uniforms until vkrEnd knows it. */
#define VKR_UNIFORM_MEMORY ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 3))

#endif
