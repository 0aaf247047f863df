/* SPDX-License-Identifier: MIT */
#include "image.h"

#include "hook.h"
#include "map.h"

#include <inttypes.h>
#include <stdio.h>

static VkrResult check_format(const vkr_walk *w, const char *field, const VkrImage *image,
                              vkr_image *out)
{
    const VkImageAspectFlags aspect = image->range.aspectMask;
    out->format = vkr_find_format(image->format);
    VKR_NEED(w, out->format != NULL,
             "%s.format is %d, but must be a colour, depth or stencil format that vkrFormatType "
             "knows.",
             field, (int)image->format);
    out->type = vkr_format_type(out->format, aspect, &out->channels);
    VKR_MUST(w, out->type != VKR_TYPE_UNDEFINED,
             "%s.range.aspectMask is %s, but must be one aspect of %s, which has %s.", field,
             vkr_flag_names(VKR_FLAGS_OF_ASPECT, aspect).text, out->format->name,
             vkr_flag_names(VKR_FLAGS_OF_ASPECT, out->format->aspects).text);
    return VKR_SUCCESS;
}

static VkrResult check_view_type(const vkr_walk *w, const char *field, const VkrImage *image,
                                 vkr_image *out)
{
    const VkImageViewType type = image->viewType;
    VKR_MUST(w, type != VK_IMAGE_VIEW_TYPE_CUBE && type != VK_IMAGE_VIEW_TYPE_CUBE_ARRAY,
             "%s.viewType is VK_IMAGE_VIEW_TYPE_CUBE%s, but must be VK_IMAGE_VIEW_TYPE_2D_ARRAY, "
             "with the faces as layers, since cubes cannot be fetched from.",
             field, type == VK_IMAGE_VIEW_TYPE_CUBE ? "" : "_ARRAY");
    out->loads = type == VK_IMAGE_VIEW_TYPE_2D         ? VKR_LOADS_2D
                 : type == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? VKR_LOADS_ARRAY
                 : type == VK_IMAGE_VIEW_TYPE_3D       ? VKR_LOADS_3D
                                                       : 0;
    VKR_MUST(w, out->loads != 0,
             "%s.viewType is %d, but must be VK_IMAGE_VIEW_TYPE_2D (%d), 2D_ARRAY (%d) or 3D (%d).",
             field, (int)type, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
             VK_IMAGE_VIEW_TYPE_3D);
    VKR_MUST(w, image->samples <= VK_SAMPLE_COUNT_1_BIT,
             "%s.samples is %d, but must be 0 or 1: resolve multisampled images first.", field,
             (int)image->samples);
    return VKR_SUCCESS;
}

static VkrResult check_range(const vkr_walk *w, const char *field, const VkrImage *image)
{
    const VkImageSubresourceRange *range = &image->range;
    const bool layered = image->viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    VKR_MUST_BE(w, range->levelCount == 1, field, ".range.levelCount", range->levelCount,
                "be 1, the level that is read.");
    VKR_MUST_BE(w, layered || range->layerCount == 1, field, ".range.layerCount", range->layerCount,
                "be 1, since viewType is not 2D_ARRAY.");
    VKR_MUST_BE(w, range->layerCount != 0 && range->layerCount != VK_REMAINING_ARRAY_LAYERS, field,
                ".range.layerCount", range->layerCount, "be the number of the view's layers.");
    VKR_MUST_BE(w, range->baseArrayLayer <= UINT32_MAX - range->layerCount, field,
                ".range.baseArrayLayer", range->baseArrayLayer, "be a layer of the image.");
    return VKR_SUCCESS;
}

/* Checks that a part of `count`, starting at `first`, lies within `size`. */
static VkrResult check_span(const vkr_walk *w, const char *field, const char *member, int64_t first,
                            uint64_t count, uint64_t size)
{
    VKR_MUST(w, first >= 0 && (uint64_t)first < size && count <= size - (uint64_t)first,
             "%s.%s has %" PRIu64 ", starting at %" PRId64 ", but must lie within the %" PRIu64
             " that exist.",
             field, member, count, first, size);
    return VKR_SUCCESS;
}

static VkrResult check_part(const vkr_walk *w, const char *field, const VkrImage *image,
                            vkr_image *out)
{
    const VkExtent3D extent = image->extent;
    const VkRect2D *part = &image->rectangle;
    const bool is_3d = image->viewType == VK_IMAGE_VIEW_TYPE_3D;
    const bool whole = part->extent.width == 0 && part->extent.height == 0;
    const uint32_t depth = is_3d && extent.depth != 0 ? extent.depth : 1;
    const uint32_t layers = is_3d ? depth : image->range.layerCount;
    const uint32_t left = image->firstLayer < layers ? layers - image->firstLayer : 0;
    VKR_MUST(w, extent.width != 0 && extent.height != 0,
             "%s.extent is %u x %u, but must be the size of the level.", field, extent.width,
             extent.height);
    VKR_MUST_BE(w, is_3d || extent.depth <= 1, field, ".extent.depth", extent.depth,
                "be 0 or 1, since viewType is not 3D.");
    VKR_MUST(w, whole || (part->extent.width != 0 && part->extent.height != 0),
             "%s.rectangle.extent is %u x %u, but must be 0 x 0, for the whole level, or have "
             "texels.",
             field, part->extent.width, part->extent.height);
    out->x = (uint32_t)part->offset.x;
    out->y = (uint32_t)part->offset.y;
    out->z = image->firstLayer;
    out->width = whole ? extent.width : part->extent.width;
    out->height = whole ? extent.height : part->extent.height;
    out->depth = image->layerCount != 0 ? image->layerCount : left;
    VKR_TRY(check_span(w, field, "rectangle", part->offset.x, out->width, extent.width));
    VKR_TRY(check_span(w, field, "rectangle", part->offset.y, out->height, extent.height));
    return check_span(w, field, is_3d ? "extent.depth" : "range.layerCount", image->firstLayer,
                      out->depth, layers);
}

VkrResult vkr_check_image(const vkr_walk *w, const char *field, const VkrImage *image,
                          vkr_image *out)
{
    *out = (vkr_image){.image = image->image,
                       .view = image->view,
                       .layout = image->layout,
                       .range = image->range,
                       .lod = image->lod};
    VKR_TRY(check_format(w, field, image, out));
    VKR_TRY(check_view_type(w, field, image, out));
    VKR_TRY(check_range(w, field, image));
    VKR_TRY(check_part(w, field, image, out));
    if (out->loads == VKR_LOADS_ARRAY) {
        out->range.baseArrayLayer += out->z;
        out->range.layerCount = out->depth;
    }
    return VKR_SUCCESS;
}

/* Whether shaders cannot read in a layout. Other layouts are left to validation layers, which know
 * extensions. */
static bool is_unread(VkImageLayout layout)
{
    static const VkImageLayout layouts[] = {
        VK_IMAGE_LAYOUT_UNDEFINED,
        VK_IMAGE_LAYOUT_PREINITIALIZED,
        VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(layouts); i++)
        if (layouts[i] == layout)
            return true;
    return false;
}

VkrResult vkr_check_sampled(const vkr_walk *w, const char *field, const VkrImage *image)
{
    VKR_MUST(w, image->image != VK_NULL_HANDLE, "%s.image is VK_NULL_HANDLE, but must be an image.",
             field);
    VKR_MUST(w, image->view != VK_NULL_HANDLE,
             "%s.view is VK_NULL_HANDLE, but must be a view of the image.", field);
    VKR_MUST(w, !is_unread(image->layout),
             "%s.layout is %d, but must be one in which shaders read, such as "
             "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL (%d) or GENERAL (%d).",
             field, (int)image->layout, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
             VK_IMAGE_LAYOUT_GENERAL);
    return VKR_SUCCESS;
}

void vkr_fill_image(vkr_step *step, uint32_t binding, vkr_kind kind, const vkr_image *image,
                    VkAccessFlags access)
{
    const uint32_t index = step->access_count++;
    vkr_bind_descriptor(
        step, binding, kind,
        (vkr_descriptor){.image = {.imageView = image->view, .imageLayout = image->layout}});
    if (index < VKR_MAX_ACCESSES)
        step->accesses[index] = (vkr_access){.image = image->image,
                                             .subresource = image->range,
                                             .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                             .access = access};
}

/* ---- As an input ---- */

static VkrResult check_image_view(const vkr_walk *w, const char *field, const VkrView *view,
                                  vkr_view *out)
{
    char name[64];
    vkr_image image;
    (void)snprintf(name, sizeof(name), "%s.image", field);
    VKR_MUST(w,
             view->buffer == VK_NULL_HANDLE && view->offset == 0 && view->size == 0 &&
                 view->stride == 0 && view->bufferSize == 0 && view->texels.view == VK_NULL_HANDLE,
             "%s has an image, but must then leave buffer, offset, size, stride, bufferSize and "
             "texels 0.",
             field);
    VKR_TRY(vkr_check_image(w, name, view->image, &image));
    VKR_MUST(w, view->type == VKR_TYPE_UNDEFINED || view->type == image.type,
             "%s.type is %s, but must be undefined or %s, the type of the texels of %s.", field,
             vkrTypeName(view->type), vkrTypeName(image.type), image.format->name);
    VKR_MUST_BE(w, view->components <= image.channels, field, ".components", view->components,
                "be at most %u, the number of channels of %s.", image.channels, image.format->name);
    const vkr_type_info *type = &vkr_types[image.type];
    *out = (vkr_view){.type = type,
                      .type_id = image.type,
                      .components = view->components != 0 ? view->components : image.channels,
                      .capacity = (uint64_t)image.width * image.height * image.depth,
                      .image = image};
    out->stride = vkr_element_size(out);
    return VKR_SUCCESS;
}

VkrResult vkr_check_input(const vkr_walk *w, const char *field, const VkrView *view, uint64_t count,
                          vkr_view *out)
{
    const struct vkr_function *function = NULL;
    VkrView plain = *view;
    bool has_elements = true;
    if (view->map != NULL && view->map->hook != NULL)
        VKR_TRY(vkr_check_called(w, field, view, count, &function, &has_elements));
    plain.map = NULL;
    if (has_elements)
        VKR_TRY(view->image != NULL ? check_image_view(w, field, &plain, out)
                                    : vkr_check_view(w, field, &plain, count, out));
    if (view->map != NULL && has_elements)
        VKR_TRY(vkr_check_computed(w, field, out->type_id));
    if (function)
        return vkr_describe_called(w, field, view, count, function, out);
    return view->map != NULL ? vkr_check_map(w, field, view->map, out) : VKR_SUCCESS;
}

VkrResult vkr_check_input_handles(const vkr_walk *w, const char *field, const VkrView *view,
                                  const vkr_view *checked)
{
    char name[64];
    (void)snprintf(name, sizeof(name), "%s.map.hook", field);
    if (view->map != NULL && view->map->hook != NULL)
        VKR_TRY(vkr_check_hook_handles(w, name, view->map->hook));
    (void)snprintf(name, sizeof(name), "%s.image", field);
    return view->image != NULL ? vkr_check_sampled(w, name, view->image)
                               : vkr_check_buffer(w, field, checked);
}

void vkr_place_texels(const vkr_walk *w, const vkr_window *window, vkr_step *step)
{
    const vkr_image *image = &w->view->image;
    struct vkr_image_uniforms *uniforms = VKR_UNIFORMS(step, vkr_image_uniforms);
    const uint64_t row = window->first / image->width;
    *uniforms = (struct vkr_image_uniforms){
        .origin = {image->x, image->y, image->z, image->lod},
        .start = {(uint32_t)(window->first % image->width), (uint32_t)(row % image->height),
                  (uint32_t)(row / image->height)},
        .width = image->width,
        .height = image->height,
    };
    vkr_set_map(w->view, uniforms->weights, &uniforms->bias);
}
