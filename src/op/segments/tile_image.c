/* SPDX-License-Identifier: MIT */
/*
 * Results of tiles that become texels. They are left in scratch memory, laid out as in an output
 * buffer, and another dispatch writes the image from there.
 */
#include "segments.h"

#include "../../plan/storage_image.h"
#include "../../tables/names.h"

#define FIELD "outputImage"

/* ---- Checks ---- */

/* The type of texels that can hold a result of this type; UNDEFINED if there is none. */
static VkrType texel_of(VkrType result)
{
    const vkr_type_info *type = &vkr_types[result];
    if (type->size > 4)
        return VKR_TYPE_UNDEFINED;
    return type->is_float ? VKR_TYPE_F32 : type->is_signed ? VKR_TYPE_I32 : VKR_TYPE_U32;
}

/* All results must be texels of one type, which is returned in *type. */
static VkrResult check_results(const vkr_reduce *r, VkrType *type)
{
    const VkrReduceResult *first = NULL;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++) {
        const VkrReduceResult *result = &r->layout.results[i];
        if (result->type == VKR_TYPE_UNDEFINED)
            continue;
        first = first != NULL ? first : result;
        *type = texel_of(first->type);
        VKR_MUST(&r->walk, texel_of(result->type) != VKR_TYPE_UNDEFINED,
                 "ops has %s, whose result is %s, but must have results of at most 32 bits "
                 "where " FIELD " is given.",
                 vkr_ops[i].name, vkrTypeName(result->type));
        VKR_MUST(&r->walk, texel_of(result->type) == *type,
                 "ops is %s, whose results are %s and %s, but must have results of one kind, "
                 "floats, signed or unsigned integers, where " FIELD " is given.",
                 vkr_op_names(r->info->ops).text, vkrTypeName(first->type),
                 vkrTypeName(result->type));
    }
    return VKR_SUCCESS;
}

static VkrResult check_format(const vkr_reduce *r, VkrType type)
{
    const vkr_walk *w = &r->walk;
    const vkr_image *image = &r->output_image;
    const uint32_t channels = vkr_count_ops(r) * r->input.components;
    const char *name = image->format->name;
    VKR_MUST(w, image->channels == channels,
             FIELD ".format is %s, which has %u channels, but must have %u, one for each result of "
                   "a tile.",
             name, image->channels, channels);
    VKR_MUST(w, image->type == type,
             FIELD
             ".format is %s, whose values are %s, but must be a format of %s, like the results.",
             name, vkrTypeName(image->type), vkrTypeName(type));
    VKR_MUST(w,
             !vkr_is_normalised(image) || (vkr_is_image(&r->input) && !r->input.mapped &&
                                           vkr_is_normalised(&r->input.image)),
             FIELD ".format is %s, but must be a format of floats, since the elements are not "
                   "normalised.",
             name);
    return vkr_check_storage_format(w, FIELD, image);
}

static VkrResult check_size(const vkr_reduce *r)
{
    const VkrImage *info = r->info->outputImage;
    const vkr_walk *w = &r->walk;
    const vkr_tiles *t = &r->tiles;
    const vkr_image *image = &r->output_image;
    VKR_MUST(w, image->loads != VKR_LOADS_3D,
             FIELD ".viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D or 2D_ARRAY: slices "
                   "become layers.");
    VKR_MUST(w, info->firstLayer == 0 && info->layerCount == 0 && image->depth == t->layers,
             FIELD
             " has %u layers, starting at %u, but its view must have the %u that are read of the "
             "input, with firstLayer and layerCount 0.",
             image->depth, info->firstLayer, t->layers);
    VKR_MUST(w, image->width == t->columns && image->height == t->rows,
             FIELD ".extent is %u x %u, but must be %u x %u, a texel for each tile.", image->width,
             image->height, t->columns, t->rows);
    return VKR_SUCCESS;
}

static VkrResult check_disjoint(const vkr_reduce *r)
{
    const vkr_image *image = &r->output_image;
    const VkrImage *mask = r->info->mask.image;
    const vkr_access written = {.image = image->image, .subresource = image->range};
    const struct {
        const char *name;
        vkr_access access;
    } read[] = {
        {"input", {.image = r->input.image.image, .subresource = r->input.image.range}},
        {"input2", {.image = r->input2.image.image, .subresource = r->input2.image.range}},
        {"mask",
         {.image = mask != NULL ? mask->image : VK_NULL_HANDLE,
          .subresource = mask != NULL ? mask->range : (VkImageSubresourceRange){0}}},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(read); i++)
        VKR_MUST(&r->walk, !vkr_overlap(&written, &read[i].access),
                 FIELD " shares a subresource with %s.image, but must be apart from it.",
                 read[i].name);
    return VKR_SUCCESS;
}

VkrResult vkr_check_tile_image(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const vkr_walk *w = &r->walk;
    VkrType type = VKR_TYPE_UNDEFINED;
    VKR_MUST(w, info->segments.kind == VKR_SEGMENTS_TILES,
             FIELD " is given, but must be NULL where segments.kind is %s: only tiles are texels.",
             vkr_segment_kind_name(info->segments.kind));
    VKR_MUST(w,
             info->output.buffer == VK_NULL_HANDLE && info->output.offset == 0 &&
                 info->output.size == 0,
             "output is given, but must be 0 where " FIELD " is given.");
    VKR_TRY(check_results(r, &type));
    VKR_TRY(vkr_check_image(w, FIELD, info->outputImage, &r->output_image));
    VKR_TRY(vkr_check_written(w, FIELD, info->outputImage));
    VKR_TRY(check_size(r));
    VKR_TRY(check_format(r, type));
    VKR_TRY(vkr_choose_image_format(w, FIELD, &r->output_image, &r->image_format));
    return check_disjoint(r);
}

/* ---- Results in scratch memory, and texels from them ---- */

VkrResult vkr_place_tile_results(VkrRecorder recorder, vkr_reduce *r)
{
    vkr_place place;
    if (r->info->outputImage == NULL)
        return VKR_SUCCESS;
    /* The results of each tile are padded to whole words, since the kernel reads words. */
    r->layout.stride = vkr_divide_up(r->layout.stride, 4) * 4;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, r->layout.stride / 4, r->segments, &place));
    place.unit = (uint32_t)vkr_min(r->input.type->size, 4);
    r->results = place;
    return VKR_SUCCESS;
}

static vkr_variant variant_of(const vkr_reduce *r)
{
    const vkr_image *image = &r->output_image;
    const vkr_caps *caps = &r->context->caps;
    return (vkr_variant){.kernel =
                             vkr_find_kernel(VKR_FAMILY_WRITE, vkr_class_of_texels(image->type),
                                             false, false, image->loads, caps->group_path),
                         .image_format = r->image_format,
                         .constants = {[VKR_CONST_WORKGROUP] = VKR_SMALL_WORKGROUP,
                                       [VKR_WRITE_CONST_OPERATOR] = VKR_PYRAMID_MIN,
                                       [VKR_WRITE_CONST_STORED] = vkr_stored_as(image),
                                       [VKR_WRITE_CONST_CHANNEL_BITS] = vkr_channel_bits(image),
                                       [VKR_WRITE_CONST_CHANNELS] = image->channels}};
}

/* Sets where the result of each channel lies. */
static void set_channels(const vkr_reduce *r, struct vkr_write_push *push)
{
    uint32_t channel = 0;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++) {
        const VkrReduceResult *result = &r->layout.results[i];
        const uint32_t size = vkr_types[result->type].size;
        for (uint32_t c = 0; c < r->layout.components && size != 0; c++, channel++) {
            push->at[channel] = (uint32_t)result->offset + c * size;
            push->size[channel] = result->type == VKR_TYPE_BF16 ? VKR_WRITE_BFLOAT : size;
        }
    }
}

static VkrResult add_window(VkrRecorder recorder, const vkr_reduce *r, uint64_t first,
                            uint64_t count)
{
    const vkr_caps *caps = &r->context->caps;
    vkr_place place = r->results;
    vkr_step step = vkr_new_step(&vkr_write_card, variant_of(r));
    struct vkr_write_push *push = VKR_PUSH(&step, vkr_write_push);
    place.unit = 1;
    *push = (struct vkr_write_push){.first = (uint32_t)first,
                                    .count = (uint32_t)count,
                                    .groups = (uint32_t)vkr_divide_up(count, VKR_SMALL_WORKGROUP),
                                    .columns = r->tiles.columns,
                                    .rows = r->tiles.rows};
    set_channels(r, push);
    vkr_set_groups(caps, &step, push->groups);
    (void)vkr_fill_slot(caps, &step, &vkr_write_card.slots[VKR_WRITE_SLOT_RESULTS], &place, first,
                        count);
    vkr_fill_image(&step, VKR_WRITE_BINDING_IMAGE, VKR_KIND_STORAGE_IMAGE, &r->output_image,
                   VK_ACCESS_SHADER_WRITE_BIT);
    return vkr_add_step(recorder, &step);
}

VkrResult vkr_write_tile_image(VkrRecorder recorder, const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    if (r->info->outputImage == NULL)
        return VKR_SUCCESS;
    VKR_NEED(&r->walk, variant_of(r).kernel < vkr_kernel_count,
             FIELD ".format is %s, but this build of the library has no kernels for %s (see its "
                   "option types).",
             r->output_image.format->name, vkrTypeName(r->output_image.type));
    const uint64_t groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH / VKR_SMALL_WORKGROUP);
    const uint64_t reach =
        vkr_min(vkr_place_reach(caps, &r->results), groups * VKR_SMALL_WORKGROUP);
    for (uint64_t first = 0, count; first < r->segments; first += count) {
        count = vkr_min(reach, r->segments - first);
        VKR_TRY(add_window(recorder, r, first, count));
    }
    return VKR_SUCCESS;
}
