/* SPDX-License-Identifier: MIT */
/* What the functions of hooks_elements.comp and hooks_wide.comp return. */
#include <string.h>

#include "hooks_elements.h"

const element_row element_rows[] = {{VKR_TYPE_F32, 1, "of_float", "keep_float", VKR_TYPE_U32},
                                    {VKR_TYPE_U8, 3, "of_uvec3", "keep_uvec3", VKR_TYPE_U32},
                                    {VKR_TYPE_F16, 2, "of_vec2", "keep_vec2", VKR_TYPE_U32},
                                    {VKR_TYPE_I32, 4, "of_ivec4", "keep_ivec4", VKR_TYPE_I32},
                                    {VKR_TYPE_F64, 1, "of_double", "keep_double", VKR_TYPE_U32},
                                    {VKR_TYPE_I8, 1, "of_int", "keep_int", VKR_TYPE_I32},
                                    {VKR_TYPE_U16, 1, "scaled", "keep_uint", VKR_TYPE_F32},
                                    {VKR_TYPE_BF16, 1, "of_float", "keep_float", VKR_TYPE_U32},
                                    {VKR_TYPE_F32, 4, "of_vec4", "keep_vec4", VKR_TYPE_U32},
                                    {VKR_TYPE_I16, 2, "of_ivec2", "keep_ivec2", VKR_TYPE_I32},
                                    {VKR_TYPE_U64, 2, "of_u64vec2", "keep_u64vec2", VKR_TYPE_U32},
                                    {VKR_TYPE_U32, 1, "of_uint", "keep_uint", VKR_TYPE_U32},
                                    {VKR_TYPE_F32, 2, "of_vec2", "keep_vec2", VKR_TYPE_U32},
                                    {VKR_TYPE_I64, 1, "of_long", "keep_long", VKR_TYPE_I32},
                                    {VKR_TYPE_F32, 3, "of_vec3", "keep_vec3", VKR_TYPE_U32},
                                    {VKR_TYPE_U8, 1, "scaled", "keep_uint", VKR_TYPE_F32},
                                    {VKR_TYPE_I32, 1, "of_int", "keep_int", VKR_TYPE_I32},
                                    {VKR_TYPE_F64, 2, "of_dvec2", NULL, VKR_TYPE_U32},
                                    {VKR_TYPE_U32, 2, "of_uvec2", "keep_uvec2", VKR_TYPE_U32},
                                    {VKR_TYPE_F16, 1, "of_float", "keep_float", VKR_TYPE_U32},
                                    {VKR_TYPE_I32, 3, "of_ivec3", "keep_ivec3", VKR_TYPE_I32},
                                    {VKR_TYPE_U32, 4, "of_uvec4", "keep_uvec4", VKR_TYPE_U32},
                                    {VKR_TYPE_U64, 1, "of_ulong", NULL, VKR_TYPE_U32},
                                    {VKR_TYPE_U32, 3, "of_uvec3", "keep_uvec3", VKR_TYPE_U32},
                                    {VKR_TYPE_BF16, 4, "of_vec4", "keep_vec4", VKR_TYPE_U32},
                                    {VKR_TYPE_I32, 2, "of_ivec2", "keep_ivec2", VKR_TYPE_I32},
                                    {VKR_TYPE_UNDEFINED, 0, NULL, NULL, VKR_TYPE_UNDEFINED}};

/* ---- What the functions do (hooks_elements.comp, hooks_wide.comp) ---- */

static uint32_t bits_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static uint32_t widen_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, rest = half & 0x3ff;
    if (exponent == 0)
        return sign | bits_of((float)rest * 0x1p-24f);
    return sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | rest << 13;
}

/* The words of a component as a function gets it. */
static void words_of(VkrType type, const void *component, uint32_t words[2])
{
    uint16_t half;
    memcpy(&half, component, type == VKR_TYPE_U8 || type == VKR_TYPE_I8 ? 1 : 2);
    words[1] = 0;
    switch (type) {
    case VKR_TYPE_U8:
        words[0] = *(const uint8_t *)component;
        break;
    case VKR_TYPE_I8:
        words[0] = (uint32_t) * (const int8_t *)component;
        break;
    case VKR_TYPE_U16:
        words[0] = half;
        break;
    case VKR_TYPE_I16:
        words[0] = (uint32_t)(int16_t)half;
        break;
    case VKR_TYPE_F16:
        words[0] = widen_half(half);
        break;
    case VKR_TYPE_BF16:
        words[0] = (uint32_t)half << 16;
        break;
    default:
        memcpy(words, component, vkrTypeSize(type));
        break;
    }
}

uint32_t element_values(const element_row *row, const void *source, VkDeviceSize stride,
                        uint32_t count, uint32_t *value, uint32_t *flag)
{
    const uint32_t size = vkrTypeSize(row->type), each = size == 8 ? 2 : 1;
    memset(flag, 0, (count + 31) / 32 * sizeof *flag);
    for (uint32_t i = 0; i < count; i++) {
        const char *element = (const char *)source + i * stride;
        uint32_t all = 0, words[2];
        for (uint32_t c = 0; c < row->components; c++) {
            words_of(row->type, element + (size_t)c * size, words);
            for (uint32_t k = 0; k < each; k++) {
                *value++ = row->result == VKR_TYPE_F32
                               ? bits_of((float)words[k] * 0.25f - (float)(i & 255))
                               : words[k] * 3 + i;
                all ^= words[k];
            }
        }
        flag[i / 32] |= ((all >> 3 ^ all >> 31 ^ i) & 1) << i % 32;
    }
    return each * row->components;
}
