/* SPDX-License-Identifier: MIT */
/* Images of requests. Each submission begins with copies of texels to those that are read, and with
 * reads of these by texelFetch; it ends with copies of the levels that were written. */
#include <stdio.h>

#include "engine.h"

static fetcher fetch;

bool test_open_images(void)
{
    return fetcher_open(&rig.h, &fetch);
}

void test_close_images(void)
{
    fetcher_close(&rig.h, &fetch);
}

/* ---- Making ---- */

bool test_draw_format(test_request *t, VkrType type, uint32_t components, image_request *r)
{
    const image_format *chosen = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++) {
        uint32_t channels;
        r->format = &image_formats[i];
        if (vkrFormatType(r->format->format, r->format->aspect, &channels) == type &&
            channels >= components && image_supported(&rig.h, r) && test_below(t, ++found) == 0)
            chosen = r->format;
    }
    r->format = chosen;
    return chosen != NULL;
}

static void place_source(test_request *t, uint32_t components, test_texture *s)
{
    assert_true(t->texture_count < TEST_IMAGES);
    s->part = s->image.info;
    s->components = components;
    /* A multiple of every texel's size. */
    s->texels = test_room(t, 768, image_bytes(&s->image.request)).offset;
    t->textures[t->texture_count++] = s;
}

void test_source(test_request *t, const image_request *r, uint32_t components, test_texture *s)
{
    assert_true(image_create(&rig.h, r, &s->image));
    place_source(t, components, s);
}

void test_write_levels(test_request *t, const chain_request *r, uint32_t first, test_levels *l)
{
    assert_true(chain_create(&rig.h, r, &l->chain));
    l->first = first;
    l->bytes = arena_place(&rig.written, &t->random, 256, chain_bytes(&l->chain, first));
    t->levels = l;
}

void test_source_in_levels(test_request *t, const image_request *r, test_texture *s)
{
    const level_chain *chain = &t->levels->chain;
    uint32_t channels;
    (void)vkrFormatType(r->format->format, r->format->aspect, &channels);
    s->image = (test_image){.image = chain->image,
                            .view = chain->infos[0].view,
                            .request = *r,
                            .info = chain->infos[0]};
    place_source(t, channels, s);
}

uint64_t test_texels_of(const VkrImage *part)
{
    const bool whole = part->rectangle.extent.width == 0;
    const VkExtent2D size = part->rectangle.extent;
    const bool is_3d = part->viewType == VK_IMAGE_VIEW_TYPE_3D;
    const uint32_t layers = is_3d ? part->extent.depth : part->range.layerCount;
    return (uint64_t)(whole ? part->extent.width : size.width) *
           (whole ? part->extent.height : size.height) *
           (part->layerCount != 0 ? part->layerCount : layers - part->firstLayer);
}

static VkDeviceSize value_bytes(const test_texture *s)
{
    return test_texels_of(&s->part) * s->components * 4;
}

void test_place_values(test_request *t)
{
    for (uint32_t i = 0; i < t->texture_count; i++)
        t->textures[i]->values =
            arena_place(&rig.scratch, &t->random, 256, value_bytes(t->textures[i]));
}

void test_unmake_images(test_request *t)
{
    for (uint32_t i = 0; i < t->texture_count; i++)
        if (t->textures[i]->image.memory != VK_NULL_HANDLE) /* else it is that of the levels */
            image_destroy(&rig.h, &t->textures[i]->image);
    if (t->levels != NULL)
        chain_destroy(&rig.h, &t->levels->chain);
    t->texture_count = 0;
    t->levels = NULL;
}

/* ---- A submission ---- */

void test_fill_images(test_request *t)
{
    for (uint32_t i = 0; i < t->texture_count; i++)
        image_fill(&t->textures[i]->image.request, &t->random,
                   test_bytes(rig.given.buffer.buffer, t->textures[i]->texels));
}

void test_record_images(const test_request *t)
{
    if (t->levels != NULL && t->levels->first == 0)
        chain_clear(&rig.h, &t->levels->chain);
    for (uint32_t i = 0; i < t->texture_count; i++) {
        const test_texture *s = t->textures[i];
        image_upload(&rig.h, &s->image, rig.given.buffer.buffer, s->texels);
        image_fetch(&rig.h, &fetch, &s->part, s->components, rig.scratch.buffer.buffer, s->values,
                    value_bytes(s));
    }
}

void test_record_levels(const test_request *t)
{
    if (t->levels != NULL)
        chain_download(&rig.h, &t->levels->chain, t->levels->first, rig.written.buffer.buffer,
                       t->levels->bytes);
}

void test_reset_images(void)
{
    fetcher_reset(&fetch);
}

const void *test_texel(const test_texture *s, uint64_t index)
{
    return test_actual(rig.scratch.buffer.buffer, s->values + index * s->components * 4);
}

void test_accept_values(const test_request *t)
{
    for (uint32_t i = 0; i < t->texture_count; i++)
        test_accept(rig.scratch.buffer.buffer, t->textures[i]->values, value_bytes(t->textures[i]));
}

/* ---- As C ---- */

void test_print_image(const char *name, const VkrImage *i)
{
    printf("#     .%s = {.viewType = %d, .format = %d, .layout = %d, .range = {%#x, %u, 1, 0, %u}, "
           ".lod = %u,\n#         .extent = {%u, %u, %u}, .rectangle = {{%d, %d}, {%u, %u}}, "
           ".firstLayer = %u, .layerCount = %u},\n",
           name, (int)i->viewType, (int)i->format, (int)i->layout, i->range.aspectMask,
           i->range.baseMipLevel, i->range.layerCount, i->lod, i->extent.width, i->extent.height,
           i->extent.depth, i->rectangle.offset.x, i->rectangle.offset.y, i->rectangle.extent.width,
           i->rectangle.extent.height, i->firstLayer, i->layerCount);
}
