/* SPDX-License-Identifier: MIT */
/* Checks of arguments that operations have in common. A walk says whose arguments they are. */
#ifndef VKR_CHECK_H
#define VKR_CHECK_H

#include "walk.h"

/* These return an error from the function around them unless a condition holds. The sentence behind
 * it says what an argument is and what it must be. MUST_BE starts the sentence with the name of a
 * field, in two parts, and its value: "input.offset is 3, but must ..". NEED is for arguments that
 * are right, but not supported. */
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

VkrResult vkr_reject_value(const vkr_walk *walk, const char *field, const char *member,
                           uint64_t value, const char *must, ...) VKR_PRINTF(5, 6);

/* Checks the arguments of a function that answers a question about an info, and that the device is
 * not lost. */
VkrResult vkr_check_query(const vkr_walk *walk, const void *info, const char *info_type,
                          const void *answer, const char *field, const char *answer_type);

/* Checks a view and fills in its defaults. Where `count`, the operation's number of elements, is 0,
 * the view may be empty. */
VkrResult vkr_check_view(const vkr_walk *walk, const char *field, const VkrView *view,
                         uint64_t count, vkr_view *out);

/* Checks that texels, where there are any, hold all whole loads of these bytes. `what` names what
 * the bytes belong to. */
VkrResult vkr_check_texels(const vkr_walk *walk, const char *field, const VkrTexels *texels,
                           const char *what, VkDeviceSize offset, VkDeviceSize size);

/* Checks the view's buffer. This is a check of its own, since a layout can be asked for before
 * there are buffers. */
VkrResult vkr_check_buffer(const vkr_walk *walk, const char *field, const vkr_view *view);

/* The first sets the number of elements that are walked, which the input must hold; the second
 * checks that another view holds as many. */
VkrResult vkr_check_count(vkr_walk *walk, uint64_t count, const vkr_view *input);
VkrResult vkr_check_holds(const vkr_walk *walk, const char *field, const vkr_view *view);

/* Notes, for the first operation of a context of which this is true, that the walk has no element
 * although the input has: its count may have been forgotten. */
void vkr_note_count(const vkr_walk *walk);

/* Checks that a range starts at a multiple of the alignment and has at least `size` bytes. */
VkrResult vkr_check_range(const vkr_walk *walk, const char *field, const VkrBufferRange *range,
                          VkDeviceSize alignment, VkDeviceSize size);
VkrResult vkr_check_flags(const vkr_walk *walk, const char *field, const VkrFlagView *flags);

/* Checks the accumulator that is asked for; UNDEFINED asks for the default of the element type. */
VkrResult vkr_check_accumulator(const vkr_walk *walk, const vkr_type_info *type, VkrType asked,
                                VkrType *accumulator);

/* Checks that an operator serves elements of a type; `field` is "op is" or the like. */
VkrResult vkr_check_operator(const vkr_walk *walk, const char *field, const vkr_op_info *op,
                             const vkr_type_info *type);

/* The first checks that an enumerator is below `count`, the second that flags have only known
 * bits. */
VkrResult vkr_check_choice(const vkr_walk *walk, const char *field, int value, int count);
VkrResult vkr_check_bits(const vkr_walk *walk, uint32_t flags, uint32_t known, const char *type);

/* The first checks the type of numbers that are u32 or u64, the second a count that the GPU has. */
VkrResult vkr_check_number_type(const vkr_walk *walk, const char *field, VkrType type);
VkrResult vkr_check_gpu_count(const vkr_walk *walk, const char *field, const VkrGpuCount *count);

/* Bytes that an operation reads or writes, with the name of their field for messages. There are
 * none where the buffer is null or the size 0. */
typedef struct vkr_region {
    char name[32];
    bool written;
    vkr_access range;
} vkr_region;

vkr_region vkr_region_of_view(const char *name, const vkr_view *view, uint64_t count, bool written);
vkr_region vkr_region_of_bytes(const char *name, VkBuffer buffer, VkDeviceSize offset,
                               VkDeviceSize size, bool written);
vkr_region vkr_region_of_count(const char *name, const VkrGpuCount *count);

/* Checks that no region that is written shares bytes with another one of them. */
VkrResult vkr_check_regions(const vkr_walk *walk, const vkr_region *regions, size_t count,
                            const char *must);

/* Checks that a region shares no bytes with others where one of the two is written. `must` ends the
 * sentence "A overlaps B, but must ..". */
VkrResult vkr_check_disjoint(const vkr_walk *walk, const vkr_region *region,
                             const vkr_region *others, size_t count, const char *must);

#endif
