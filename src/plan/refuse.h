/* SPDX-License-Identifier: MIT */
/* Failures of calls: messages that start with the call's name. */
#ifndef VKR_PLAN_REFUSE_H
#define VKR_PLAN_REFUSE_H

#include "walk.h"

/* Both fail: vkr_reject where an argument is invalid, vkr_refuse where it is valid, but not
 * supported. */
VkrResult vkr_reject(const vkr_walk *walk, const char *format, ...) VKR_PRINTF(2, 3);
VkrResult vkr_refuse(const vkr_walk *walk, const char *format, ...) VKR_PRINTF(2, 3);

VkrResult vkr_reject_value(const vkr_walk *walk, const char *field, const char *member,
                           uint64_t value, const char *must, ...) VKR_PRINTF(5, 6);

/* Fails with a sentence that ends with ".. must fit maxStorageBufferRange (its size)."; the second
 * one is about so many adjacent items of a place, which `name` names. */
VkrResult vkr_refuse_range(const vkr_walk *walk, const char *format, ...) VKR_PRINTF(2, 3);
VkrResult vkr_refuse_items(const vkr_walk *walk, const char *name, uint64_t items,
                           const vkr_place *place);

/* Writes such a sentence, without its full stop, and returns it. */
const char *vkr_range_reason(const vkr_walk *walk, char text[VKR_REASON], const char *format, ...)
    VKR_PRINTF(3, 4);

/* Fails with a sentence that ends with ".., but must need at most MOST dispatches of ..". */
VkrResult vkr_refuse_dispatches(const vkr_walk *walk, uint32_t most, const char *format, ...)
    VKR_PRINTF(3, 4);

/* These return an error from the calling function unless a condition holds. The message after it
 * says what an argument is and what it must be. MUST_BE starts the message with the name of a
 * field, in two parts, and its value: "input.offset is 3, but must ..". NEED is for arguments that
 * are valid, but not supported; FIT for such whose bytes a descriptor must reach: its message ends
 * where that is said. */
#define VKR_MUST(walk, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return vkr_reject((walk), __VA_ARGS__);                                                \
    } while (0)
#define VKR_MUST_BE(walk, condition, field, member, value, ...)                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return vkr_reject_value((walk), (field), (member), (value), __VA_ARGS__);              \
    } while (0)
#define VKR_NEED(walk, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return vkr_refuse((walk), __VA_ARGS__);                                                \
    } while (0)
#define VKR_FIT(walk, condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return vkr_refuse_range((walk), __VA_ARGS__);                                          \
    } while (0)

#endif
