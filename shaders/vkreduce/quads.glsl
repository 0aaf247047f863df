/* SPDX-License-Identifier: MIT */
/*
 * Elements as quads: four of them that lie at a multiple of four in memory, as floats. The elements
 * of a share begin and end anywhere in its quads. A whole quad is loaded and stored at once, where
 * elements are packed, others element by element. Invocations of a team have neighbouring quads.
 *
 * A module is built with -DVKR_UNIT_BYTES=2|4 and -DVKR_OUTPUT_BYTES=2|4; also with
 * -DVKR_LOADS=VKR_LOADS_TEXEL, which loads a texel for each quad of packed elements.
 */
#ifndef VKR_QUADS_GLSL
#define VKR_QUADS_GLSL

#include "half.glsl"

struct VkrShare {
    uint at;    /* its first quad, of the input: a number of quads where elements are packed */
    uint begin; /* its first element, as a number of units in the input */
    uint end;   /* where its elements end, counted from the start of its first quad, */
    uint lead;  /* and where they begin */
    uint to;    /* its first element, as a number of units in the output, less `lead` */
};

const bool VKR_IS_ONCE = (VKR_FLAGS & VKR_FLAG_ONCE) != 0u;
const bool VKR_IS_PACKED = (VKR_FLAGS & VKR_FLAG_PACKED_INPUT) != 0u;
const bool VKR_ARE_WHOLE = (VKR_FLAGS & VKR_FLAG_WHOLE) != 0u;
const bool VKR_STORES_PACKS = (VKR_FLAGS & VKR_FLAG_PACKED_OUTPUT) != 0u;
const uvec4 VKR_FOUR = uvec4(0u, 1u, 2u, 3u);

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_input_base = push.input_base;
uint vkr_input_stride = push.input_stride;
uint vkr_output_base = push.output_base;
uint vkr_output_stride = push.output_stride;
uint vkr_first_element = push.first_element;

VkrShare vkr_make_share(const uint element, const uint count)
{
    VkrShare s;
    uint at = element - vkr_first_element;
    s.begin = vkr_input_base + at * vkr_input_stride;
    s.lead = VKR_IS_PACKED && !VKR_ARE_WHOLE ? s.begin & 3u : 0u;
    s.at = s.begin >> 2;
    s.end = s.lead + count;
    s.to = vkr_output_base + (at - s.lead) * vkr_output_stride;
    return s;
}

/* ---- Loads ---- */

float vkr_number(const uint bits)
{
#if VKR_UNIT_BYTES == 2
    float v = uintBitsToFloat(vkr_widen_half(bits, (VKR_FLAGS & VKR_FLAG_INPUT_BFLOAT) != 0u));
#else
    float v = uintBitsToFloat(bits);
#endif
    return (floatBitsToUint(v) & 0x7f800000u) == 0u ? 0.0 : v;
}

#if VKR_UNIT_BYTES == 2
vec4 vkr_numbers(const uvec2 quad)
{
    return vec4(vkr_number(quad.x & 0xffffu), vkr_number(quad.x >> 16),
                vkr_number(quad.y & 0xffffu), vkr_number(quad.y >> 16));
}
#else
vec4 vkr_numbers(const uvec4 bits)
{
    return uintBitsToFloat(mix(bits, uvec4(0u), equal(bits & 0x7f800000u, uvec4(0u))));
}
#endif

bool vkr_is_whole(const VkrShare s, const uint first)
{
    return VKR_ARE_WHOLE ? first < s.end : first >= s.lead && first + 4u <= s.end;
}

/* The elements of a quad that are not loaded or stored at once: to `end`, from the result on. */
uint vkr_first_single(const VkrShare s, const uint first, const bool at_once, out uint end)
{
    end = at_once || VKR_ARE_WHOLE ? 0u : min(first + 4u, s.end);
    return VKR_ARE_WHOLE ? 0u : max(first, s.lead);
}

/* Elements of a quad that are not the share's are any numbers. */
#if VKR_LOADS == VKR_LOADS_TEXEL
vec4 vkr_load_quad(const VkrShare s, const uint quad)
{
    uint at = s.at + quad;
    if (4u * quad >= s.end)
        return vec4(0.0);
#if VKR_UNIT_BYTES == 2
    uvec4 texel = texelFetch(vkr_texels, int(at >> 1));
    return vkr_numbers((at & 1u) == 0u ? texel.xy : texel.zw);
#else
    return vkr_numbers(texelFetch(vkr_texels, int(at)));
#endif
}
#else
vec4 vkr_load_pack(const uint at)
{
#if VKR_UNIT_BYTES == 2
    return vkr_numbers(vkr_quads[at]);
#else
    return vkr_numbers(vkr_words_of_pack(vkr_quads[at]));
#endif
}

/* Replaces a quad that is not whole. All four elements are loaded, so that no load waits for
 * another. */
void vkr_load_singles(const VkrShare s, const uint quad, inout vec4 v)
{
    uint first = 4u * quad, end;
    uint begin = vkr_first_single(s, first, VKR_IS_PACKED && vkr_is_whole(s, first), end);
    if (begin < end) {
        uvec4 at = clamp(first + VKR_FOUR, uvec4(begin), uvec4(end - 1u)) - s.lead;
        at = s.begin + at * vkr_input_stride;
        v = vec4(vkr_number(uint(vkr_input[at.x])), vkr_number(uint(vkr_input[at.y])),
                 vkr_number(uint(vkr_input[at.z])), vkr_number(uint(vkr_input[at.w])));
    }
}

/* The first whole quad of a share, and the one after the last. */
uvec2 vkr_whole_quads(const VkrShare s)
{
    return uvec2(VKR_ARE_WHOLE ? 0u : (s.lead + 3u) >> 2,
                 VKR_ARE_WHOLE ? (s.end + 3u) >> 2 : s.end >> 2);
}
#endif

/* Which elements of a quad are the share's. */
bvec4 vkr_of_share(const VkrShare s, const uint quad)
{
    uvec4 at = 4u * quad + VKR_FOUR;
    if (VKR_ARE_WHOLE)
        return bvec4(4u * quad < s.end);
    bvec4 is_after = greaterThanEqual(at, uvec4(s.lead));
    return mix(bvec4(false), is_after, lessThan(at, uvec4(s.end)));
}

/* ---- Stores ---- */

#if VKR_OUTPUT_BYTES == 2
/* Rounds to nearest, ties to even. */
uint vkr_shift_rounded(const uint m, const uint shift)
{
    uint whole = m >> shift, rest = m & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
    return whole + (rest > tie || (rest == tie && (whole & 1u) != 0u) ? 1u : 0u);
}

uint vkr_to_half(const uint bits)
{
    uint size = bits & 0x7fffffffu, half_ = 0x7c00u;
    if ((VKR_FLAGS & VKR_FLAG_OUTPUT_BFLOAT) != 0u)
        return vkr_shift_rounded(bits, 16u); /* the canonical NaN is exact */
    if (size > 0x7f800000u)
        half_ = 0x7e00u;
    else if (size < 0x38800000u) /* subnormal: units of 2^-24 */
        half_ = vkr_shift_rounded((size & 0x7fffffu) | 0x800000u,
                                  min(126u - min(size >> 23, 112u), 30u));
    else if (size < 0x477ff000u)
        half_ = vkr_shift_rounded(size - (112u << 23), 13u);
    return half_ == 0u ? 0u : half_ | (bits >> 16 & 0x8000u);
}
#endif

uint vkr_stored(const uint bits)
{
#if VKR_OUTPUT_BYTES == 2
    return vkr_to_half(bits);
#else
    return bits;
#endif
}

/* +0 for numbers that some driver may have flushed, and the canonical NaN for any. */
uvec4 vkr_clean(const vec4 v)
{
    uvec4 bits = floatBitsToUint(v), size = bits & 0x7fffffffu;
    bits = mix(bits, uvec4(0u), lessThanEqual(size, uvec4(0x800000u)));
    return mix(bits, uvec4(0x7fc00000u), greaterThan(size, uvec4(0x7f800000u)));
}

void vkr_store_quad(const VkrShare s, const uint quad, const vec4 v)
{
    uint first = 4u * quad, end;
    uvec4 bits = vkr_clean(v);
    bool at_once = VKR_STORES_PACKS && vkr_is_whole(s, first);
#if VKR_OUTPUT_BYTES == 2
    bits = uvec4(vkr_stored(bits.x), vkr_stored(bits.y), vkr_stored(bits.z), vkr_stored(bits.w));
    uvec2 words = bits.xz | bits.yw << 16;
#else
    VkrPack words = vkr_pack_of_words(bits);
#endif
    if (at_once)
        vkr_output_quads[(s.to >> 2) + quad] = words;
    uint begin = vkr_first_single(s, first, at_once, end);
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if (!VKR_ARE_WHOLE && first + c >= begin && first + c < end)
            vkr_output[s.to + (first + c) * vkr_output_stride] = VkrOutputUnit(bits[c]);
    }
}

#endif
