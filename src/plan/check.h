/* SPDX-License-Identifier: MIT */
/* Checks of arguments that operations share. The walk says which call the arguments belong to. */
#ifndef VKR_CHECK_H
#define VKR_CHECK_H

#include "../core/flags.h"
#include "refuse.h"

/* Checks the arguments of a function that answers a question about an info. Fails on a lost
 * device. */
VkrResult vkr_check_query(const vkr_walk *walk, const void *info, const char *info_type,
                          const void *answer, const char *field, const char *answer_type);

/* Checks that the device can compute with elements of a type, which moving them does not need. */
VkrResult vkr_check_computed(const vkr_walk *walk, const char *field, VkrType type);

/* Checks a view and fills in its defaults. Where `count`, the operation's number of elements, is 0,
 * the view may be empty. */
VkrResult vkr_check_view(const vkr_walk *walk, const char *field, const VkrView *view,
                         uint64_t count, vkr_view *out);

/* Checks that texels, where there are any, hold all whole loads of these bytes. `what` names what
 * the bytes belong to. */
VkrResult vkr_check_texels(const vkr_walk *walk, const char *field, const VkrTexels *texels,
                           const char *what, VkDeviceSize offset, VkDeviceSize size);

/* Checks the view's buffer. This check is separate, since a layout can be requested before there
 * are buffers. */
VkrResult vkr_check_buffer(const vkr_walk *walk, const char *field, const vkr_view *view);

/* Sets the number of elements of a view that are used: the field `name`, which can be
 * VKR_COUNT_ALL. */
VkrResult vkr_check_number(const vkr_walk *walk, const char *name, uint64_t number,
                           const char *field, const vkr_view *view, uint64_t *count);

/* The first sets the number of elements of the walk, which the input must hold; the second checks
 * that another view holds that number. */
VkrResult vkr_check_count(vkr_walk *walk, uint64_t count, const vkr_view *input);
VkrResult vkr_check_holds(const vkr_walk *walk, const char *field, const vkr_view *view);

/* Reports, once for each context, that a walk has no elements although `input` has some: the count
 * may have been forgotten. */
void vkr_note_count(const vkr_walk *walk, const char *input);

/* Checks that a range starts at a multiple of the alignment and has at least `size` bytes. */
VkrResult vkr_check_range(const vkr_walk *walk, const char *field, const VkrBufferRange *range,
                          VkDeviceSize alignment, VkDeviceSize size);

/* Checks the requested accumulator; UNDEFINED requests the default of the element type. */
VkrResult vkr_check_accumulator(const vkr_walk *walk, const vkr_type_info *type, VkrType asked,
                                VkrType *accumulator);

/* Checks that an operator supports elements of a type; `field` is "op is" or the like. */
VkrResult vkr_check_operator(const vkr_walk *walk, const char *field, const vkr_op_info *op,
                             const vkr_type_info *type);

/* The first checks that an enumerator is below `count`, the second that flags have only known
 * bits. */
VkrResult vkr_check_choice(const vkr_walk *walk, const char *field, int value, int count);
VkrResult vkr_check_bits(const vkr_walk *walk, uint32_t flags, vkr_flag_type type);

/* Checks the type and the size of offsets, which say how many segments there are. */
VkrResult vkr_check_offsets(const vkr_walk *walk, const VkrSegments *segments, uint64_t *count);

/* Checks the pitch of rows that may lie apart, and returns it. */
VkrResult vkr_check_rows_apart(const vkr_walk *walk, const VkrSegments *segments);
static inline uint64_t vkr_pitch_of_rows(const VkrSegments *segments)
{
    return segments->pitch != 0 ? segments->pitch : segments->length;
}

/* The first checks that the type of a number is u32 or u64; the second checks a count that the GPU
 * has. */
VkrResult vkr_check_number_type(const vkr_walk *walk, const char *field, VkrType type);
VkrResult vkr_check_gpu_count(const vkr_walk *walk, const char *field, const VkrGpuCount *count);

/* Bytes that an operation reads or writes, with the name of their field for messages. A region is
 * empty where its buffer is null or its size is 0. */
typedef struct vkr_region {
    char name[32];
    bool written;
    vkr_access range;
} vkr_region;

vkr_region vkr_region_of_view(const char *name, const vkr_view *view, uint64_t count, bool written);
vkr_region vkr_region_of_bytes(const char *name, VkBuffer buffer, VkDeviceSize offset,
                               VkDeviceSize size, bool written);
vkr_region vkr_region_of_count(const char *name, const VkrGpuCount *count);

/* Checks that no written region shares bytes with another region of the array. */
VkrResult vkr_check_regions(const vkr_walk *walk, const vkr_region *regions, size_t count,
                            const char *must);

/* Checks that a region shares no bytes with others where one of the two is written. `must` ends the
 * sentence "A overlaps B, but must ..". */
VkrResult vkr_check_disjoint(const vkr_walk *walk, const vkr_region *region,
                             const vkr_region *others, size_t count, const char *must);

#endif
