/* SPDX-License-Identifier: MIT */
/* Checks of arguments that operations have in common. */
#ifndef VKR_CHECK_H
#define VKR_CHECK_H

#include "../core/step.h"
#include "../tables/types.h"

/* A view with its defaults filled in. */
typedef struct vkr_view {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    const vkr_type_info *type;
    VkrType type_id;
    uint32_t components;
    VkDeviceSize stride;
    uint64_t capacity; /* how many elements fit */
    VkrTexels texels;
} vkr_view;

/* Checks a view and fills in its defaults. `call` and `field` are for the message: "vkrCmdReduce:
 * input.stride is 3, ...". Where `count`, the operation's number of elements, is 0, the view may be
 * empty. */
VkrResult vkr_check_view(const struct VkrContext_T *context, const char *call, const char *field,
                         const VkrView *view, uint64_t count, vkr_view *out);
/* How many elements of `element_size` bytes the view holds. */
uint64_t vkr_view_capacity(const vkr_view *view, uint64_t element_size);
/* Checks the view's buffer. This is a check of its own, since a layout can be asked for before
 * there are buffers. */
VkrResult vkr_check_buffer(const struct VkrContext_T *context, const char *call, const char *field,
                           const vkr_view *view);
VkrResult vkr_check_range(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrBufferRange *range, VkDeviceSize alignment, VkDeviceSize size);
VkrResult vkr_check_flags(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrFlagView *flags, uint64_t count);
/* Checks the accumulator that is asked for; UNDEFINED asks for the default of the element type. */
VkrResult vkr_check_accumulator(const struct VkrContext_T *context, const char *call,
                                const vkr_type_info *type, VkrType asked, VkrType *accumulator);
VkrResult vkr_check_choice(const struct VkrContext_T *context, const char *call, const char *field,
                           int value, int count);
VkrResult vkr_check_gpu_count(const struct VkrContext_T *context, const char *call,
                              const char *field, const VkrGpuCount *count);

/* Bytes that an operation reads or writes, by the name of their field; none where the buffer is
 * null or the size 0. */
typedef struct vkr_region {
    char name[32];
    bool written;
    vkr_access range;
} vkr_region;

vkr_region vkr_region_of_view(const char *name, const vkr_view *view, uint64_t count, bool written);
vkr_region vkr_region_of_bytes(const char *name, VkBuffer buffer, VkDeviceSize offset,
                               VkDeviceSize size, bool written);
vkr_region vkr_region_of_count(const char *name, const VkrGpuCount *count);

/* Two regions, one of which is written, may not share bytes: "A overlaps B, but must be ..". */
VkrResult vkr_check_apart(const struct VkrContext_T *context, const char *call, const vkr_region *a,
                          const vkr_region *b, const char *must);

#endif
