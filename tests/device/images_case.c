/* SPDX-License-Identifier: MIT */
/* The images of a row, their reductions, and the comparison of the results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "images_case.h"
#include "oracle_map.h"

VkrType image_seen_type(const image_row *row)
{
    return row->map_number != 0 ? VKR_TYPE_F32 : row->type;
}

uint32_t image_seen_components(const image_row *row)
{
    return row->map_number != 0 ? 1 : row->components;
}

/* ---- Images and reductions ---- */

/* The next format, in turn, that the device supports and that has the type and enough channels. */
static const image_format *choose_format(image_request *r, VkrType type, uint32_t components)
{
    static uint32_t turn;
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++) {
        const image_format *format = &image_formats[turn++ % IMAGE_FORMATS];
        uint32_t channels;
        r->format = format;
        if (vkrFormatType(format->format, format->aspect, &channels) == type &&
            channels >= components && image_supported(&test.h, r))
            return format;
    }
    return NULL;
}

static bool choose_image(const image_row *row, uint32_t k, image_request *r)
{
    static const uint32_t sizes[IMAGE_CASES][2] = {{1, 1},   {1, 37},   {41, 1},  {31, 17},
                                                   {640, 5}, {129, 67}, {13, 300}};
    uint64_t *random = &test.random;
    *r = (image_request){
        .view_type = row->shape,
        .width = sizes[k][0],
        .height = sizes[k][1],
        .layers = row->shape == VK_IMAGE_VIEW_TYPE_2D ? 1 : 1 + random_below(random, 5),
        .level = random_below(random, 3) == 0 ? 1 + random_below(random, 2) : 0,
        .whole_view = random_below(random, 2) == 0,
        .layout = random_below(random, 2) == 0 ? VK_IMAGE_LAYOUT_GENERAL
                                               : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
    };
    return choose_format(r, row->type, row->components) != NULL;
}

/* A part of `size` that starts at *first. */
static uint32_t choose_part(uint32_t size, uint32_t *first)
{
    *first = random_below(&test.random, size);
    return 1 + random_below(&test.random, size - *first);
}

static void choose_rectangle(VkrImage *image, uint32_t layers)
{
    uint32_t x, y, z;
    if (random_below(&test.random, 2) == 0) {
        image->rectangle.extent.width = choose_part(image->extent.width, &x);
        image->rectangle.extent.height = choose_part(image->extent.height, &y);
        image->rectangle.offset = (VkOffset2D){(int32_t)x, (int32_t)y};
    }
    if (random_below(&test.random, 2) == 0) {
        const uint32_t part = choose_part(layers, &z);
        image->firstLayer = z;
        image->layerCount = z + part < layers || random_below(&test.random, 2) == 0 ? part : 0;
    }
}

static uint64_t texels_of(const VkrImage *image, uint32_t layers)
{
    const VkExtent2D part = image->rectangle.extent;
    return (uint64_t)(part.width != 0 ? part.width : image->extent.width) *
           (part.width != 0 ? part.height : image->extent.height) *
           (image->layerCount != 0 ? image->layerCount : layers - image->firstLayer);
}

static void choose_map_and_mask(const image_row *row, uint32_t k, image_case *c)
{
    uint32_t *words = (uint32_t *)((char *)flags.data + k * FLAG_BYTES);
    c->map = row->map;
    for (uint32_t i = row->components; i < VKR_MAX_COMPONENTS; i++)
        c->map.weights[i] = 0.0f;
    c->info.input.map = row->map_number != 0 ? &c->map : NULL;
    if (!row->masked)
        return;
    for (uint32_t i = 0; i < FLAG_BYTES / 4; i++)
        words[i] = (uint32_t)(next_random(&test.random) | (i % 3 == 0 ? UINT32_MAX : 0));
    c->info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                       .range = {flags.buffer, k * FLAG_BYTES + 4, FLAG_BYTES - 4}};
}

bool image_add_case(VkrContext context, const image_row *row, uint32_t k, image_case *c)
{
    static VkrImage images[IMAGE_CASES];
    image_request request;
    const uint32_t components = row->components;
    if (!choose_image(row, k, &request) || !image_create(&test.h, &request, &c->image))
        return false;
    images[k] = c->image.info;
    choose_rectangle(&images[k], request.layers);
    c->texel_count = texels_of(&images[k], request.layers);
    c->info = (VkrReduceInfo){
        .ops = row->ops,
        .input = {.components = components, .image = &images[k]},
        .count = random_below(&test.random, 4) != 0
                     ? VKR_COUNT_ALL
                     : random_below(&test.random, (uint32_t)c->texel_count + 1),
        .output = {outputs.buffer, k * OUTPUT_BYTES, OUTPUT_BYTES},
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .algorithm = row->algorithm,
    };
    c->count = c->info.count == VKR_COUNT_ALL ? c->texel_count : c->info.count;
    if (row->gpu_count != VKR_TYPE_UNDEFINED) {
        c->info.gpuCount = (VkrGpuCount){counts.buffer, k * COUNT_BYTES, row->gpu_count};
        c->count = choose_count(&test.random, c->info.gpuCount.type, c->count,
                                (char *)counts.data + k * COUNT_BYTES);
    }
    choose_map_and_mask(row, k, c);
    return harness_check(&test.h, vkrGetReduceLayout(context, &c->info, &c->layout), "layout");
}

/* ---- Results ---- */

/* The elements that count, mapped, one after the other; and the index of each. */
static uint64_t gather(const image_row *row, const image_case *c, char *to, uint64_t *numbers)
{
    const char *from = (const char *)values.data + c->value_offset;
    const uint32_t *mask = (const uint32_t *)flags.data + c->info.mask.flags.range.offset / 4;
    const size_t stride = 4 * (row->components), size = 4 * image_seen_components(row);
    uint64_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const char *element = from + i * stride;
        if (row->masked && (mask[i / 32] >> i % 32 & 1) == 0)
            continue;
        if (row->map_number != 0) {
            const uint32_t bits = oracle_map(&c->map, row->type, row->components, element);
            memcpy(to + count * size, &bits, size);
        } else {
            memcpy(to + count * size, element, size);
        }
        numbers[count++] = i;
    }
    return count;
}

void image_check_case(const image_row *row, const image_case *c)
{
    static char elements[VALUE_BYTES];
    static uint64_t numbers[VALUE_BYTES / 4];
    const VkrType type = image_seen_type(row);
    const uint32_t components = image_seen_components(row);
    const uint64_t count = gather(row, c, elements, numbers);
    const oracle_reduce_info info = {.data = elements,
                                     .stride = 4 * (size_t)components,
                                     .count = count,
                                     .type = type,
                                     .components = components,
                                     .accumulator = c->info.accumulator,
                                     .nan = c->info.nan,
                                     .determinism = c->info.determinism};
    char text[180];
    snprintf(text, sizeof(text),
             "format %d, view type %d, %" PRIu64
             " texels, algorithm %s, limits %s, map %u, mask %u",
             (int)c->image.request.format->format, (int)c->image.request.view_type, c->texel_count,
             vkrReduceAlgorithmName(c->info.algorithm), limits_names[row->limits], row->map_number,
             row->masked);
    const char *results = (const char *)outputs.data + c->info.output.offset;
    for (uint32_t op = 0; op < VKR_OP_BITS; op++) {
        const VkrReduceResult *result = &c->layout.results[op];
        const bool is_index = ((1u << op) & (VKR_OP_ARGMIN | VKR_OP_ARGMAX)) != 0;
        for (uint32_t k = 0; k < components && result->type != VKR_TYPE_UNDEFINED; k++) {
            const void *actual = results + result->offset + k * vkrTypeSize(result->type);
            if (is_index)
                compare_index(&test, text, &info, (VkrOp)(1u << op), k, result->type, actual,
                              numbers);
            else
                compare_value(&test, text, &info, (VkrOp)(1u << op), k, result->type, actual);
        }
    }
}
