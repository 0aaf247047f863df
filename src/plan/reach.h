/* SPDX-License-Identifier: MIT */
/* Views, and how far descriptors and loads reach. */
#ifndef VKR_PLAN_REACH_H
#define VKR_PLAN_REACH_H

#include "../core/context.h"
#include "../core/device.h"
#include "../core/message.h"
#include "../core/operation.h"
#include "../core/schedule.h"
#include "../tables/formats.h"
#include "../tables/kernels.h"
#include "../tables/tuning.h"
#include "../tables/types.h"
#include "vkreduce/map.h"

/* Part of an image, with its defaults filled in. */
typedef struct vkr_image {
    VkImage image;
    VkImageView view;
    VkImageLayout layout;
    VkImageSubresourceRange range; /* the subresources that are accessed */
    const vkr_format_info *format;
    VkrType type;      /* of its texels, as a kernel loads them */
    uint32_t channels; /* of the format */
    uint32_t loads;    /* VKR_LOADS_2D, _ARRAY or _3D; 0: there is no image */
    uint32_t lod;
    uint32_t x, y, z; /* the first texel: column, row, and layer or slice */
    uint32_t width, height, depth;
} vkr_image;

/* The elements that a map reads. */
typedef struct vkr_source {
    const vkr_type_info *type;
    VkrType type_id;
    uint32_t components;
} vkr_source;

/* A view with its defaults filled in. */
typedef struct vkr_view {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    const vkr_type_info *type;
    VkrType type_id;
    uint32_t components;
    VkDeviceSize stride;
    uint64_t capacity; /* the number of elements that fit */
    VkrTexels texels;
    vkr_image image; /* instead of the buffer */
    /* Whether type and components are those of mapped elements, which are not in memory; `source`
     * describes the elements that are. */
    bool mapped;
    VkrMap map;
    vkr_source source;
    /* Of keys: floats are compared as numbers, -0 equals +0, and all NaN are equal. */
    bool by_value;
} vkr_view;

static inline bool vkr_has_buffer(const vkr_view *view)
{
    return view->buffer != VK_NULL_HANDLE;
}

static inline bool vkr_is_image(const vkr_view *view)
{
    return view->image.loads != 0;
}

static inline uint64_t vkr_divide_up(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* How often 1 must be doubled to reach n. */
static inline uint32_t vkr_log2_up(uint64_t n)
{
    uint32_t log = 0;
    while (UINT64_C(1) << log < n)
        log++;
    return log;
}

static inline uint64_t vkr_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t vkr_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline uint64_t vkr_clamp(uint64_t n, uint64_t min, uint64_t max)
{
    return n < min ? min : n > max ? max : n;
}

/* The maximum number of workgroups of a two-dimensional dispatch. */
static inline uint64_t vkr_all_groups(const vkr_caps *caps)
{
    return (uint64_t)caps->max_groups[0] * caps->max_groups[1];
}

/* Whether these loads read texels of an image. */
static inline bool vkr_is_image_load(uint32_t loads)
{
    return loads >= VKR_LOADS_2D;
}

/* The size of one load (VKR_LOADS_*) of a buffer. */
static inline uint32_t vkr_load_size(uint32_t loads)
{
    return loads == VKR_LOADS_U64 ? VKR_MAX_PACK : VKR_PACK;
}

/* The number of elements of `element_size` bytes that a view holds. */
static inline uint64_t vkr_view_capacity(const vkr_view *view, uint64_t element_size)
{
    return view->size < element_size ? 0 : (view->size - element_size) / view->stride + 1;
}

/* The size of an element, as it lies in memory. */
static inline uint64_t vkr_element_size(const vkr_view *view)
{
    if (view->mapped)
        return (uint64_t)view->source.type->size * view->source.components;
    return (uint64_t)view->type->size * view->components;
}

static inline bool vkr_is_packed(const vkr_view *view)
{
    return view->stride == vkr_element_size(view);
}

/* The number of elements, starting at `first`, before the first one that starts a load; UINT32_MAX
 * where no element does. */
uint32_t vkr_head(const vkr_view *view, uint64_t first, uint32_t loads);

/* The number of elements that the first unit of these loads lacks at its start. A unit is what one
 * load holds of one component; without loads the result is 0. */
uint32_t vkr_lead(const vkr_view *view, uint64_t first, uint32_t loads);

/* Whether wide loads can serve a view: it is tightly packed, some element starts a load, and it has
 * texels if the loads are texels. */
bool vkr_view_loads(const vkr_view *view, uint32_t loads);

/* The tuning row for the elements of a view. */
const VkrTuning *vkr_tuning_of(const struct VkrContext_T *context, uint32_t operation,
                               const vkr_view *view);

/* The bytes that one descriptor reaches wherever they start. */
static inline VkDeviceSize vkr_room(const vkr_caps *caps)
{
    return caps->max_range - caps->granule;
}

/* The number of items of a size and stride that one descriptor reaches, where the items start
 * `slack` bytes after its start. */
uint64_t vkr_items_within(const vkr_caps *caps, VkDeviceSize slack, VkDeviceSize size,
                          VkDeviceSize stride);

/* The number of elements of a view, starting at `first`, that one descriptor reaches. */
uint64_t vkr_view_window(const vkr_caps *caps, const vkr_view *view, uint64_t first);

/* The number of elements that one descriptor reaches wherever it starts in the view; or the number
 * that it reaches from the view's start, if that is at least `count`. It is at least 1. */
uint64_t vkr_view_reach(const vkr_caps *caps, const vkr_view *view, uint64_t count);

/* The subgroup size as a workgroup size. */
uint32_t vkr_one_subgroup(const vkr_caps *caps);

#endif
