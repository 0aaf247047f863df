/* SPDX-License-Identifier: MIT */
/* --as-image and --map: inputs as images, and the values that operators then read and that --verify
 * compares with: those that texelFetch returns, or the number that a map computes from each
 * element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "device/submit.h"
#include "device/texels.h"
#include "input/value.h"
#include "status.h"

/* ---- Formats ---- */

#define LANES(bits, kind)                                                                          \
    {                                                                                              \
        VK_FORMAT_R##bits##_##kind, VK_FORMAT_R##bits##G##bits##_##kind,                           \
            VK_FORMAT_R##bits##G##bits##B##bits##A##bits##_##kind                                  \
    }

/* Formats of one, two and four channels. Three are expanded to four, since few devices read images
 * with three. */
static const VkFormat formats[VKR_TYPE_COUNT][3] = {
    [VKR_TYPE_I8] = LANES(8, SINT),     [VKR_TYPE_U8] = LANES(8, UINT),
    [VKR_TYPE_I16] = LANES(16, SINT),   [VKR_TYPE_U16] = LANES(16, UINT),
    [VKR_TYPE_I32] = LANES(32, SINT),   [VKR_TYPE_U32] = LANES(32, UINT),
    [VKR_TYPE_F16] = LANES(16, SFLOAT), [VKR_TYPE_F32] = LANES(32, SFLOAT)};

VkFormat texels_format(VkrType type, uint32_t lanes)
{
    return formats[type][lanes / 2];
}

static uint32_t lanes_of(const input *in)
{
    return in->components == 3 ? 4 : in->components;
}

/* Checks that --as-image supports the input. */
static int texels_check(const input *in, const input_options *layout, uint64_t chunk)
{
    const uint32_t in_row = in->dimensions == 2 ? in->components : 1; /* columns of an element */
    if (layout->offset != 0 || layout->stride != 0 || chunk != 0)
        return fail(STATUS_USAGE, "--as-image reads whole pictures; leave --%s out",
                    layout->offset != 0   ? "offset"
                    : layout->stride != 0 ? "stride"
                                          : "chunk");
    if (in->columns == 0 || in->count == 0 || in->columns % in_row != 0 ||
        texels_format(in->type, 1) == VK_FORMAT_UNDEFINED)
        return fail(STATUS_USAGE,
                    "%s: --as-image needs a picture, or a two-dimensional array with whole "
                    "elements in each row and values of at most 32 bits",
                    in->name);
    return STATUS_DONE;
}

static VkExtent2D size_of(const input *in)
{
    const uint64_t columns = in->columns / (in->dimensions == 2 ? in->components : 1);
    return (VkExtent2D){(uint32_t)columns, (uint32_t)(in->count / columns)};
}

/* Describes the image that the input will become. */
static int texels_describe(const gpu *g, const input *in, VkrImage *described)
{
    const VkFormat format = texels_format(in->type, lanes_of(in));
    const VkExtent2D size = size_of(in);
    const uint32_t most = g->chosen->properties.limits.maxImageDimension2D;
    VkFormatProperties found;
    vkGetPhysicalDeviceFormatProperties(g->chosen->physical, format, &found);
    if ((found.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) == 0)
        return fail(STATUS_USAGE, "%s: '%s' supports no images with %u channels of %s", in->name,
                    g->chosen->properties.deviceName, lanes_of(in), vkrTypeName(in->type));
    if (size.width > most || in->count / size.width > most)
        return fail(STATUS_USAGE,
                    "%s: it has %u x %llu texels; images of '%s' have at most %u in each direction",
                    in->name, size.width, (unsigned long long)(in->count / size.width),
                    g->chosen->properties.deviceName, most);
    *described = (VkrImage){.viewType = VK_IMAGE_VIEW_TYPE_2D,
                            .format = format,
                            .layout = image_read.layout,
                            .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                            .extent = {size.width, size.height, 1}};
    return STATUS_DONE;
}

/* ---- On the device ---- */

/* Loads the elements; those of three components get a fourth, which is 0. */
static int fill(const input *in, unsigned char *texels)
{
    const size_t element = vkrTypeSize(in->type) * in->components;
    const size_t texel = vkrTypeSize(in->type) * lanes_of(in);
    int status = input_load(in, 0, in->count, texels);
    for (uint64_t i = in->count; element != texel && status == STATUS_DONE && i-- > 0;) {
        memmove(texels + i * texel, texels + i * element, element);
        memset(texels + i * texel + element, 0, texel - element);
    }
    return status;
}

int texels_upload(const gpu *g, texel_source *source)
{
    const input *in = &source->stored;
    const VkExtent2D size = size_of(in);
    gpu_buffer upload = {0};
    int status = gpu_image_create(g, &source->texels, source->image.format, size, 1,
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &source->texels, 0, size, image_read.layout, &source->image);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &upload, in->count * vkrTypeSize(in->type) * lanes_of(in),
                                   MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = fill(in, upload.map);
    if (status == STATUS_DONE && (status = gpu_begin(g)) == STATUS_DONE) {
        gpu_image_fill(g, &upload, &source->texels, size);
        status = gpu_finish(g);
    }
    gpu_buffer_destroy(g, &upload);
    return status;
}

void texels_close(const gpu *g, texel_source *source)
{
    if (g->device != VK_NULL_HANDLE)
        vkDestroyImageView(g->device, source->image.view, NULL);
    gpu_image_destroy(g, &source->texels);
    input_close(&source->stored);
}

VkrView texels_view(const texel_source *source, VkrView stored)
{
    if (source->is_image)
        stored = (VkrView){.image = &source->image, .components = stored.components};
    stored.map = source->is_mapped ? &source->map : NULL;
    return stored;
}

/* ---- What operators see ---- */

/* Exact for all types of up to 32 bits except 32-bit integers, which are rounded. */
static float float_at(VkrType type, const unsigned char *at)
{
    return (float)value_as_double(type, at);
}

static VkrType fetched_type(VkrType type)
{
    return is_float(type) ? VKR_TYPE_F32 : is_signed(type) ? VKR_TYPE_I32 : VKR_TYPE_U32;
}

/* Converts `count` elements at `from` into tightly packed words. */
typedef void convert(const input *in, const VkrMap *map, const unsigned char *from, uint64_t count,
                     uint32_t *to);

static void convert_to_texels(const input *in, const VkrMap *map, const unsigned char *from,
                              uint64_t count, uint32_t *to)
{
    const size_t size = vkrTypeSize(in->type);
    (void)map;
    for (uint64_t i = 0; i < count * in->components; i++, from += size) {
        const float value = float_at(in->type, from);
        if (is_float(in->type))
            memcpy(&to[i], &value, sizeof value);
        else
            to[i] = (uint32_t)(is_signed(in->type) ? (uint64_t)value_as_signed(in->type, from)
                                                   : value_as_unsigned(in->type, from));
    }
}

/* As map.h defines: +0 for a value that is too small to be normal. */
static float flushed(float value, bool least)
{
    const float normal = 0x1p-126f;
    return fabsf(value) < normal || (least && fabsf(value) == normal) ? 0 : value;
}

static float log2_of(float x)
{
    static const float coefficients[] = VKR_LOG2_COEFFICIENTS;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (!(x > 0) || isinf(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    const int32_t e = (int32_t)(bits - 0x3f3504f4) >> 23;
    const uint32_t reduced = bits - ((uint32_t)e << 23);
    float m, p = coefficients[0];
    memcpy(&m, &reduced, sizeof m);
    const float f = m - 1;
    for (size_t i = 1; i < sizeof coefficients / sizeof coefficients[0]; i++) {
        p = p * f;
        p = p + coefficients[i];
    }
    p = f * p;
    return e == 0 ? p : (float)e + p;
}

static float map_element(const input *in, const VkrMap *map, const unsigned char *from)
{
    float sum = 0;
    bool any = false;
    for (uint32_t c = 0; c < in->components; c++) {
        if (map->weights[c] == 0)
            continue;
        const float value = flushed(float_at(in->type, from + c * vkrTypeSize(in->type)), false);
        const float product = flushed(value * map->weights[c], true);
        sum = any ? flushed(sum + product, true) : product;
        any = true;
    }
    return map->function == VKR_MAP_LOG2 ? log2_of(sum) : sum;
}

static void convert_to_mapped(const input *in, const VkrMap *map, const unsigned char *from,
                              uint64_t count, uint32_t *to)
{
    for (uint64_t i = 0; i < count; i++, from += input_pitch(in)) {
        float value = map_element(in, map, from);
        if (value == 0)
            value = 0; /* no -0 */
        if (isnan(value))
            to[i] = 0x7fc00000;
        else
            memcpy(&to[i], &value, sizeof value);
    }
}

static int convert_all(const input *from, const VkrMap *map, convert *how, uint32_t components,
                       input *to)
{
    const uint64_t size = from->count * components * sizeof(uint32_t);
    unsigned char *values = malloc((size_t)input_span(from, from->count) + 1);
    uint32_t *words = malloc((size_t)size + 1);
    int status = values != NULL && words != NULL ? input_load(from, 0, from->count, values)
                                                 : fail(STATUS_VULKAN, "out of memory");
    if (status == STATUS_DONE) {
        how(from, map, values, from->count, words);
        *to = *from;
        to->file = -1;
        to->memory = NULL;
        input_use_memory(to, (unsigned char *)words, size);
        to->components = components;
        to->offset = 0;
        to->stride = components * sizeof(uint32_t);
        to->dimensions = 0; /* a column is now an element */
        words = NULL;
    }
    free(values);
    free(words);
    return status;
}

/* Makes an input of the values that texelFetch returns from the image. The caller closes it. */
static int texels_see(const input *from, input *to)
{
    int status = convert_all(from, NULL, convert_to_texels, from->components, to);
    to->named = from->type;
    to->type = fetched_type(from->type);
    return status;
}

/* Makes an input of the values that the map computes from the elements. The caller closes it. */
static int texels_map(const input *from, const VkrMap *map, input *to)
{
    int status = convert_all(from, map, convert_to_mapped, 1, to);
    to->type = VKR_TYPE_F32;
    to->named = VKR_TYPE_UNDEFINED;
    return status;
}

/* ---- --map ---- */

/* The map that --map asks for. */
static int map_of(uint32_t word, uint64_t chunk, const input *in, VkrMap *map)
{
    static const float luminance[] = VKR_LUMINANCE_WEIGHTS;
    *map = (VkrMap){.function = word == MAP_LOG2_LUMINANCE ? VKR_MAP_LOG2 : VKR_MAP_NONE};
    if (vkrTypeSize(in->type) > sizeof(float))
        return fail(STATUS_USAGE, "%s: its values are %s; --map supports values of at most 32 bits",
                    in->name, vkrTypeName(in->type));
    if (chunk != 0)
        return fail(STATUS_USAGE, "--map needs data that fits the device; leave --chunk out");
    map->weights[in->is_xyz ? 1 : 0] = 1; /* of grey the value itself, of X, Y and Z the Y */
    if (in->components >= 3 && !in->is_xyz)
        memcpy(map->weights, luminance, sizeof luminance);
    return STATUS_DONE;
}

int texels_replace(const task *t, const texel_options *opts, const input_options *layout, input *in,
                   texel_source *source)
{
    const uint64_t chunk = t->opts->chunk;
    const input *stored = &source->stored;
    input seen = {0};
    int status = STATUS_DONE;
    source->is_image = opts->as_image;
    source->is_mapped = opts->map != MAP_NONE;
    if (!source->is_image && !source->is_mapped)
        return status;
    source->stored = *in;
    *in = (input){0};
    if (source->is_image &&
        ((status = texels_check(stored, layout, chunk)) != STATUS_DONE ||
         (status = texels_describe(&t->gpu, stored, &source->image)) != STATUS_DONE))
        return status;
    if (!source->is_mapped)
        return texels_see(stored, in);
    status = map_of(opts->map, chunk, stored, &source->map);
    if (status == STATUS_DONE && source->is_image)
        status = texels_see(stored, &seen);
    if (status == STATUS_DONE)
        status = texels_map(source->is_image ? &seen : stored, &source->map, in);
    input_close(&seen);
    return status;
}
