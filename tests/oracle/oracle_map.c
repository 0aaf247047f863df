/* SPDX-License-Identifier: MIT */
#include "oracle_map.h"
#include "oracle_functions.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, rest = bits & 1023;
    const float magnitude = exponent == 31  ? (rest != 0 ? NAN : INFINITY)
                            : exponent == 0 ? ldexpf((float)rest, -24)
                                            : ldexpf((float)(rest + 1024), exponent - 25);
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

static float component(VkrType type, const void *at)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
    } value;
    memcpy(&value, at, vkrTypeSize(type));
    switch (type) {
    case VKR_TYPE_I8:
        return value.i8;
    case VKR_TYPE_U8:
        return value.u8;
    case VKR_TYPE_I16:
        return value.i16;
    case VKR_TYPE_U16:
        return value.u16;
    case VKR_TYPE_I32:
        return (float)value.i32;
    case VKR_TYPE_U32:
        return (float)value.u32;
    case VKR_TYPE_F16:
        return half(value.u16);
    case VKR_TYPE_BF16:
        value.f32 = float_of((uint32_t)value.u16 << 16);
        return fabsf(value.f32) < 0x1p-126f ? 0.0f : value.f32;
    case VKR_TYPE_F32:
        return fabsf(value.f32) < 0x1p-126f ? 0.0f : value.f32;
    default:
        abort();
    }
}

/* +0 for magnitudes up to and including the smallest normal number. */
static float flushed(float value)
{
    return fabsf(value) <= 0x1p-126f ? 0.0f : value;
}

uint32_t oracle_map(const VkrMap *map, VkrType type, uint32_t components, const void *element)
{
    const size_t size = vkrTypeSize(type);
    const float *w = map->weights;
    const bool none = w[0] == 0.0f && w[1] == 0.0f && w[2] == 0.0f && w[3] == 0.0f;
    float value = 0.0f;
    for (uint32_t c = 0; c < components; c++) {
        const float weight = none && c == 0 ? 1.0f : w[c];
        volatile float product = weight * component(type, (const char *)element + c * size);
        volatile float sum = value + flushed(product);
        if (weight != 0.0f)
            value = flushed(sum);
    }
    volatile float with_bias = value + map->bias;
    if (map->bias != 0.0f)
        value = flushed(with_bias);
    if (map->function == VKR_MAP_LOG2)
        value = oracle_log2(value);
    else if (map->function == VKR_MAP_ABS)
        value = fabsf(value);
    else if (map->function == VKR_MAP_SQRT)
        value = value < 0.0f ? NAN : sqrtf(value);
    if (isnan(value))
        return 0x7fc00000;
    return value == 0.0f ? 0 : bits_of(value);
}
