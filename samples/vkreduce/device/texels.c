/* SPDX-License-Identifier: MIT */
/* --as-image and --map: inputs as images, and the values that operators then read and that --verify
 * compares with: those that texelFetch returns, or the number that a map computes from each
 * element. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "device/map.h"
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

/* The channels of the image that an input becomes. */
static uint32_t lanes_of(const texel_source *source)
{
    const uint32_t components = source->stored.components;
    return components == 3 || source->is_srgb ? 4 : components;
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
static int texels_describe(const gpu *g, texel_source *source)
{
    const input *in = &source->stored;
    const uint32_t lanes = lanes_of(source);
    const VkFormat format = source->is_srgb ? SRGB_FORMAT : texels_format(in->type, lanes);
    const VkExtent2D size = size_of(in);
    const uint32_t most = g->limits.maxImageDimension2D;
    VkFormatProperties found;
    vkGetPhysicalDeviceFormatProperties(g->vulkan.physicalDevice, format, &found);
    if ((found.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT) == 0)
        return fail(STATUS_USAGE, "%s: '%s' supports no images with %u channels of %s", in->name,
                    g->chosen.name, lanes, vkrTypeName(in->type));
    if (size.width > most || in->count / size.width > most)
        return fail(STATUS_USAGE,
                    "%s: it has %u x %llu texels; images of '%s' have at most %u in each direction",
                    in->name, size.width, (unsigned long long)(in->count / size.width),
                    g->chosen.name, most);
    source->image = (VkrImage){.viewType = VK_IMAGE_VIEW_TYPE_2D,
                               .format = format,
                               .layout = image_read.layout,
                               .range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
                               .extent = {size.width, size.height, 1}};
    return STATUS_DONE;
}

/* ---- On the device ---- */

/* Loads the elements; components that they lack are 0. */
static int fill(const texel_source *source, unsigned char *texels)
{
    const input *in = &source->stored;
    const size_t element = vkrTypeSize(in->type) * in->components;
    const size_t texel = vkrTypeSize(in->type) * lanes_of(source);
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
    VkrHostMemory upload = {0};
    int status = gpu_image_create(g, &source->texels, source->image.format, size, 1,
                                  VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &source->texels, 0, size, image_read.layout, &source->image);
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(g->host, in->count * vkrTypeSize(in->type) * lanes_of(source),
                                    VKR_HOST_MEMORY_UPLOAD, &upload));
    if (status == STATUS_DONE)
        status = fill(source, upload.data);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostBegin(g->host));
    if (status == STATUS_DONE) {
        gpu_image_fill(vkrHostCommands(g->host), &upload, &source->texels, size);
        status = gpu_status(vkrHostRun(g->host));
    }
    vkrHostFree(g->host, &upload);
    return status;
}

void texels_close(const gpu *g, texel_source *source)
{
    if (g->vulkan.device != VK_NULL_HANDLE)
        vkDestroyImageView(g->vulkan.device, source->image.view, NULL);
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
typedef void convert(const input *in, const texel_source *source, const unsigned char *from,
                     uint64_t count, uint32_t *to);

static void convert_to_texels(const input *in, const texel_source *source,
                              const unsigned char *from, uint64_t count, uint32_t *to)
{
    const size_t size = vkrTypeSize(in->type);
    (void)source;
    for (uint64_t i = 0; i < count * in->components; i++, from += size) {
        const float value = float_at(in->type, from);
        if (is_float(in->type))
            memcpy(&to[i], &value, sizeof value);
        else
            to[i] = (uint32_t)(is_signed(in->type) ? (uint64_t)value_as_signed(in->type, from)
                                                   : value_as_unsigned(in->type, from));
    }
}

/* Converts codes of 8 bits to the values that the image returns. */
static void convert_to_linear(const input *in, const texel_source *source,
                              const unsigned char *from, uint64_t count, uint32_t *to)
{
    for (uint64_t i = 0; i < count * in->components; i++)
        memcpy(&to[i], &source->linear[from[i]], sizeof to[i]);
}

static void convert_to_mapped(const input *in, const texel_source *source,
                              const unsigned char *from, uint64_t count, uint32_t *to)
{
    for (uint64_t i = 0; i < count; i++, from += input_pitch(in)) {
        float value = map_element(&source->map, in, from);
        if (value == 0)
            value = 0; /* no -0 */
        if (isnan(value))
            to[i] = 0x7fc00000;
        else
            memcpy(&to[i], &value, sizeof value);
    }
}

static int convert_all(const input *from, const texel_source *source, convert *how,
                       uint32_t components, input *to)
{
    const uint64_t size = from->count * components * sizeof(uint32_t);
    unsigned char *values = malloc((size_t)input_span(from, from->count) + 1);
    uint32_t *words = malloc((size_t)size + 1);
    int status = values != NULL && words != NULL ? input_load(from, 0, from->count, values)
                                                 : fail(STATUS_VULKAN, "out of memory");
    if (status == STATUS_DONE) {
        how(from, source, values, from->count, words);
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
static int texels_see(const texel_source *source, input *to)
{
    const input *from = &source->stored;
    convert *how = source->is_srgb ? convert_to_linear : convert_to_texels;
    int status = convert_all(from, source, how, from->components, to);
    to->named = from->type;
    to->type = source->is_srgb ? VKR_TYPE_F32 : fetched_type(from->type);
    return status;
}

/* Makes an input of the values that the map computes from the elements. The caller closes it. */
static int texels_map(const input *from, const texel_source *source, input *to)
{
    int status = convert_all(from, source, convert_to_mapped, 1, to);
    to->type = VKR_TYPE_F32;
    to->named = VKR_TYPE_UNDEFINED;
    return status;
}

/* ---- --linear ---- */

static uint32_t max_code(const input *in)
{
    return in->type == VKR_TYPE_U8 ? UINT8_MAX : UINT16_MAX;
}

static void convert_to_decoded(const input *in, const texel_source *source,
                               const unsigned char *from, uint64_t count, uint32_t *to)
{
    const size_t size = vkrTypeSize(in->type);
    const uint32_t max = max_code(in);
    (void)source;
    for (uint64_t i = 0; i < count; i++, from += input_pitch(in))
        for (uint32_t c = 0; c < in->components; c++) {
            const float value =
                srgb_decode((uint32_t)value_as_unsigned(in->type, from + c * size), max);
            memcpy(to++, &value, sizeof value);
        }
}

/* Replaces an input of sRGB values with linear ones. */
static int decode(input *in)
{
    const uint64_t in_row = in->dimensions == 2 ? in->components : 1;
    input decoded = {0};
    int status = convert_all(in, NULL, convert_to_decoded, in->components, &decoded);
    if (status != STATUS_DONE)
        return status;
    decoded.named = in->type;
    decoded.type = VKR_TYPE_F32;
    decoded.columns = in->columns / in_row;
    input_close(in);
    *in = decoded;
    return status;
}

/* Lets the image decode values of 8 bits, and decodes others. */
static int use_linear(const task *t, texel_source *source)
{
    input *in = &source->stored;
    if (in->type != VKR_TYPE_U8 && in->type != VKR_TYPE_U16)
        return fail(STATUS_USAGE, "%s: its values are %s; --linear decodes u8 and u16", in->name,
                    vkrTypeName(in->type));
    source->is_srgb = source->is_image && in->type == VKR_TYPE_U8;
    if (!source->is_srgb)
        return decode(in);
    return t->opts->verify ? srgb_read(&t->gpu, source->linear) : STATUS_DONE;
}

/* ---- A function ---- */

/* Describes the values of a function, which only the device has. */
static int use_function(const task *t, const texel_options *opts, input *in, texel_source *source)
{
    if (opts->as_image || opts->linear || opts->bias != NULL)
        return fail(
            STATUS_USAGE,
            "--map is '%s', a function, which reads elements as they are stored; leave --%s "
            "out",
            opts->map_file,
            opts->as_image ? "as-image"
            : opts->linear ? "linear"
                           : "bias");
    if (t->opts->chunk != 0)
        return fail(STATUS_USAGE,
                    "--map is '%s', a function, which gets the index of an element in all data; "
                    "leave --chunk out",
                    opts->map_file);
    source->is_mapped = true;
    source->map = (VkrMap){.hook = source->function};
    source->stored = *in;
    in->file = -1;
    in->memory = NULL;
    in->type = source->function_type;
    in->named = VKR_TYPE_UNDEFINED;
    in->components = source->function_components;
    in->offset = 0;
    in->stride = (uint64_t)vkrTypeSize(in->type) * in->components;
    in->dimensions = 0; /* a column is now an element */
    input_use_memory(in, NULL, in->count * in->stride);
    return STATUS_DONE;
}

/* ---- The input ---- */

int texels_replace(const task *t, const texel_options *opts, const input_options *layout, input *in,
                   texel_source *source)
{
    const uint64_t chunk = t->opts->chunk;
    const input *stored = &source->stored;
    input seen = {0};
    int status = STATUS_DONE;
    if (source->function != NULL)
        return use_function(t, opts, in, source);
    source->is_image = opts->as_image;
    source->is_mapped = opts->map != MAP_NONE;
    if (!source->is_mapped && (opts->linear || opts->bias != NULL))
        return fail(STATUS_USAGE, "--%s needs --map luminance or --map log2-luminance",
                    opts->linear ? "linear" : "bias");
    if (!source->is_image && !source->is_mapped)
        return status;
    source->stored = *in;
    *in = (input){0};
    if (source->is_image)
        status = texels_check(stored, layout, chunk);
    if (status == STATUS_DONE && source->is_mapped)
        status = map_open(&source->map, opts, chunk, stored);
    if (status == STATUS_DONE && opts->linear)
        status = use_linear(t, source);
    if (status == STATUS_DONE && source->is_image)
        status = texels_describe(&t->gpu, source);
    if (status != STATUS_DONE || !source->is_mapped)
        return status == STATUS_DONE ? texels_see(source, in) : status;
    if (source->is_image)
        status = texels_see(source, &seen);
    if (status == STATUS_DONE)
        status = texels_map(source->is_image ? &seen : stored, source, in);
    input_close(&seen);
    return status;
}
