/* SPDX-License-Identifier: MIT */
/*
 * Texels of pyramids. Comparisons and additions use words, one for each channel (`codes`): for
 * minima and maxima the smaller word wins, and NaN comes last; for averages words are integers, or
 * the bits of floats. Stored values are rounded here to numbers of the format, so that a driver has
 * nothing left to round when it stores them.
 */
#ifndef VKR_TEXEL_GLSL
#define VKR_TEXEL_GLSL

#include "key.glsl"
#include "nearest.glsl"

const bool VKR_AVERAGES = VKR_OPERATOR == VKR_PYRAMID_AVERAGE;
const bool VKR_PAIRS = VKR_OPERATOR == VKR_PYRAMID_PAIR;
const bool VKR_HAS_1 = VKR_CHANNELS > 1u;
const bool VKR_HAS_2 = VKR_CHANNELS > 2u;
const bool VKR_HAS_3 = VKR_CHANNELS > 3u;
const uint VKR_BITS_0 = VKR_CHANNEL_BITS & 0xffu;
const uint VKR_BITS_1 = VKR_CHANNEL_BITS >> 8 & 0xffu;
const uint VKR_BITS_2 = VKR_CHANNEL_BITS >> 16 & 0xffu;
const uint VKR_BITS_3 = VKR_CHANNEL_BITS >> 24;

#if VKR_ELEMENT == VKR_CLASS_F32
const bool VKR_FLOATS = VKR_STORED == VKR_STORED_FLOAT;
#define VKR_IS_SIGNED (VKR_STORED == VKR_STORED_SNORM)
#elif VKR_ELEMENT == VKR_CLASS_W32
const bool VKR_FLOATS = false;
#define VKR_IS_SIGNED false
#else
const bool VKR_FLOATS = false;
#define VKR_IS_SIGNED true
#endif

/* Integers of at most 16 bits: products with weights need no second word. An even number is added
 * to signed ones, so neither their order nor their parity changes. */
const bool VKR_NARROW = VKR_BITS_0 <= 16u;
const uint VKR_BIAS = VKR_IS_SIGNED ? (VKR_NARROW ? 0x8000u : 0x80000000u) : 0u;

/* Maxima are minima of the complement. */
const uint VKR_FLIP = VKR_OPERATOR == VKR_PYRAMID_MAX ? ~0u : 0u;
const uvec4 VKR_FLIPS =
    VKR_PAIRS ? (VKR_CHANNELS == 2u ? uvec4(0u, ~0u, 0u, 0u) : uvec4(0u, 0u, ~0u, ~0u))
              : uvec4(VKR_FLIP);

const uint VKR_NAN_BITS = 0x7fc00000u;

/* In averages, numbers that drivers may flush, and the smallest normal numbers, count as +0. */
uint vkr_flush(const uint bits)
{
    return (bits & 0x7fffffffu) <= 0x00800000u ? 0u : bits;
}

float vkr_flushed(const float value)
{
    return VKR_BITS_0 == 32u ? uintBitsToFloat(vkr_flush(floatBitsToUint(value))) : value;
}

/* The largest integer of `bits` bits, or 1 for a missing channel. */
uint vkr_greatest_of(const uint bits)
{
    return bits == 0u ? 1u : ~0u >> ((VKR_IS_SIGNED ? 33u : 32u) - bits);
}

uvec4 vkr_greatest()
{
    return uvec4(vkr_greatest_of(VKR_BITS_0), vkr_greatest_of(VKR_BITS_1),
                 vkr_greatest_of(VKR_BITS_2), vkr_greatest_of(VKR_BITS_3));
}

/* If the level is not a constant, CPU drivers locate it again for each texel. */
#define VKR_LOD (VKR_LOD_0 ? 0 : int(push.lod))

/* ---- From texels to codes ---- */

/* Selects by mix: with a branch here, in the loops of pyramid_tiles.comp, SwiftShader needs minutes
 * and tens of gigabytes to compile. */
uint vkr_code_of_float(const uint bits, const uint flip)
{
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return mix(VKR_ORDER_OF_FLOAT32(bits) ^ flip, ~0u, is_nan);
}

/* The codes of floats of the format or, for averages, of any floats. */
uvec4 vkr_codes_of_floats(const uvec4 bits)
{
    if (VKR_AVERAGES)
        return VKR_BITS_0 == 32u ? uvec4(vkr_flush(bits.x), vkr_flush(bits.y), vkr_flush(bits.z),
                                         vkr_flush(bits.w))
                                 : bits;
    return uvec4(vkr_code_of_float(bits.x, VKR_FLIPS.x), vkr_code_of_float(bits.y, VKR_FLIPS.y),
                 vkr_code_of_float(bits.z, VKR_FLIPS.z), vkr_code_of_float(bits.w, VKR_FLIPS.w));
}

uvec4 vkr_codes_of(const VkrTexel texel)
{
    uvec4 greatest = vkr_greatest();
#if VKR_ELEMENT == VKR_CLASS_F32
    if (VKR_FLOATS)
        return vkr_codes_of_floats(floatBitsToUint(texel));
    precise vec4 number = clamp(texel, VKR_IS_SIGNED ? -1.0 : 0.0, 1.0) * vec4(greatest);
    /* Numbers of the levels' own format are close to integers, and never ties. */
    ivec4 whole = VKR_SAME ? ivec4(floor(number + 0.5)) : vkr_nearest4(number);
    return (uvec4(whole) + VKR_BIAS) ^ VKR_FLIPS;
#elif VKR_ELEMENT == VKR_CLASS_W32
    return min(texel, greatest) ^ VKR_FLIPS;
#else
    return (uvec4(clamp(texel, -ivec4(greatest) - 1, ivec4(greatest))) + VKR_BIAS) ^ VKR_FLIPS;
#endif
}

/* Channels that the levels lack are 0, so drivers remove them. The channels of a source that is not
 * a pair yet are duplicated. */
VkrTexel vkr_choose_channels(VkrTexel texel)
{
    if (VKR_PAIRS && !VKR_PAIRED)
        texel = VKR_CHANNELS == 2u ? texel.xxxx : texel.xyxy;
    return VkrTexel(texel.x, VKR_HAS_1 ? texel.y : VkrTexel(0).x,
                    VKR_HAS_2 ? texel.z : VkrTexel(0).x, VKR_HAS_3 ? texel.w : VkrTexel(0).x);
}

/* ---- From codes to texels ---- */

/* Rounds to a float with `fraction` fraction bits and 5 exponent bits: to nearest even, subnormals
 * too. */
uint vkr_round_float(const uint bits, const uint fraction)
{
    uint magnitude = bits & 0x7fffffffu;
    uint sign = bits & 0x80000000u;
    uint exponent = max(magnitude >> 23, 113u); /* 2^-14 is the smallest normal number */
    uint shift = min(23u - fraction + exponent - (magnitude >> 23), 31u);
    uint significand = (magnitude & 0x7fffffu) | 0x800000u;
    uint kept = significand >> shift;
    uint rest = significand & ((1u << shift) - 1u);
    uint tie = 1u << (shift - 1u);
    bool odd = (kept & 1u) != 0u;
    kept += rest > tie || (rest == tie && odd) ? 1u : 0u;
    float unit = uintBitsToFloat((min(exponent, 150u) - fraction) << 23);
    uint rounded = floatBitsToUint(float(kept) * unit);
    if (exponent > 142u || rounded >= 0x47800000u) /* 2^16 */
        rounded = 0x7f800000u;
    return magnitude > 0x7f800000u ? VKR_NAN_BITS : rounded | sign;
}

/* Floats of 11 and 10 bits have no sign. */
uint vkr_round_channel(const uint bits, const uint size)
{
    if (size == 32u)
        return bits;
    if (size == 16u)
        return vkr_round_float(bits, 10u);
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u; /* not every driver stores NaN */
    const bool negative = (bits & 0x80000000u) != 0u;
    return negative || is_nan ? 0u : vkr_round_float(bits, size == 11u ? 6u : 5u);
}

uint vkr_float_of_code(const uint code, const uint flip)
{
    if (!VKR_AVERAGES)
        return code == ~0u ? VKR_NAN_BITS
                           : VKR_FLOAT_OF_ORDER(code ^ flip, 0x80000000u, 0xffffffffu);
    const bool is_nan = (code & 0x7fffffffu) > 0x7f800000u;
    return is_nan ? VKR_NAN_BITS : code;
}

uint vkr_without_sign(const uint bits)
{
    return VKR_AVERAGES && bits == 0x80000000u ? 0u : bits;
}

/* The bits that are stored for codes: floats, rounded. */
uvec4 vkr_rounded(const uvec4 codes)
{
    return uvec4(
        vkr_without_sign(vkr_round_channel(vkr_float_of_code(codes.x, VKR_FLIPS.x), VKR_BITS_0)),
        vkr_without_sign(vkr_round_channel(vkr_float_of_code(codes.y, VKR_FLIPS.y), VKR_BITS_1)),
        vkr_without_sign(vkr_round_channel(vkr_float_of_code(codes.z, VKR_FLIPS.z), VKR_BITS_2)),
        vkr_without_sign(vkr_round_channel(vkr_float_of_code(codes.w, VKR_FLIPS.w), VKR_BITS_3)));
}

VkrTexel vkr_texel_of(const uvec4 codes)
{
    uvec4 number = (codes ^ VKR_FLIPS) - VKR_BIAS;
#if VKR_ELEMENT == VKR_CLASS_F32
    if (VKR_FLOATS)
        return uintBitsToFloat(vkr_rounded(codes));
    /* Within a few rounding errors of the number, so a driver rounds to it. */
    return vec4(ivec4(number)) * (1.0 / vec4(vkr_greatest()));
#else
    return VkrTexel(number);
#endif
}

/* The codes of the same texel after it was stored and read again. Floats of 32 bits are stored as
 * they are, but for the bits of NaN, which do not matter. */
uvec4 vkr_settled(const uvec4 codes)
{
    return VKR_FLOATS && VKR_BITS_0 != 32u ? vkr_codes_of_floats(vkr_rounded(codes)) : codes;
}

#endif
