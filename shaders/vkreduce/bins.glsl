/* SPDX-License-Identifier: MIT */
/*
 * Finds the bin of an element: the rules of histogram.h, by the table that edges.comp has computed.
 * Elements are compared by keys, so every device finds the same bins; float arithmetic is only used
 * for estimates, which are at most one too low.
 */
#ifndef VKR_BINS_GLSL
#define VKR_BINS_GLSL

/* Elements of 16 bits are widened first. */
#if VKR_ELEMENT == VKR_CLASS_F16
#define VKR_NUMBER_OF(bits) vkr_widen_half(bits, VKR_BFLOAT)
#define VKR_KEY_OF(number) VKR_ORDER_OF_FLOAT32(number)
#else
#define VKR_NUMBER_OF(bits) bits
#define VKR_KEY_OF(number) vkr_order(number)
#endif

#if VKR_BYTES == 8
#define VKR_LIMIT_WORDS 2u
#define VKR_KEY_AT(array, at) packUint2x32(uvec2(array[at], array[(at) + 1u]))
#else
#define VKR_LIMIT_WORDS 1u
#define VKR_KEY_AT(array, at) array[at]
#endif

const uint VKR_FINDING_WAY = VKR_FINDING % VKR_FINDING_STEP;
const uint VKR_SEARCH_STEPS = VKR_FINDING / VKR_FINDING_STEP;
const bool VKR_SEARCHES =
    VKR_FINDING_WAY == VKR_FINDING_SEARCH || VKR_FINDING_WAY == VKR_FINDING_VALUES;

/* Where the limits of bins are looked up: in the table, or in a copy of each invocation or
 * workgroup. */
const bool VKR_LIMITS_OWN = VKR_LIMITS != 0u && VKR_COUNTING == VKR_COUNTING_OWN;
const bool VKR_LIMITS_SHARED = VKR_LIMITS != 0u && VKR_COUNTING != VKR_COUNTING_OWN;
shared uint vkr_shared_limits[VKR_LIMITS_SHARED ? VKR_LIMITS : 1u];
uint vkr_own_limits[VKR_LIMITS_OWN ? VKR_LIMITS : 1u];

/* A table's header, for each component. */
struct VkrHeader {
    VkrKey base;
    VkrKey span;
    uint first;
    uint steps;
    float origin;
    float scale;
    float offset;
};
VkrHeader vkr_headers[VKR_MAX_TABLES];

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_bins = push.bins;
uint vkr_limits_base = push.table_base + VKR_BINS_HEADER;
uint vkr_limits_stride = push.table_stride;

/* After its bins a component has counts of elements outside all bins. */
#define VKR_BELOW vkr_bins
#define VKR_ABOVE (vkr_bins + 1u)
#define VKR_NO_NUMBER (vkr_bins + 2u)

/* Whether the estimates of all tables are good. */
bool vkr_can_estimate()
{
    bool can = true;
    VKR_EACH(c)
        can = can && vkr_headers[VKR_AT(c)].steps == 0u;
    return can;
}

/* Reads the headers, and copies limits. */
void vkr_start_bins()
{
    VKR_EACH(c) {
        uint at = push.table_base + VKR_AT(c) * push.table_stride;
        VkrHeader header;
        header.base = VKR_KEY_AT(vkr_table, at + VKR_BINS_BASE);
        header.span = VKR_KEY_AT(vkr_table, at + VKR_BINS_SPAN);
        header.first = vkr_table[at + VKR_BINS_FIRST];
        header.steps = vkr_table[at + VKR_BINS_STEPS];
        header.origin = uintBitsToFloat(vkr_table[at + VKR_BINS_ORIGIN]);
        header.scale = uintBitsToFloat(vkr_table[at + VKR_BINS_SCALE]);
        header.offset = uintBitsToFloat(vkr_table[at + VKR_BINS_OFFSET]);
        vkr_headers[VKR_AT(c)] = header;
    }
    if (VKR_LIMITS == 0u)
        return;
    uint words = push.bins * VKR_LIMIT_WORDS;
    uint tables = push.table_stride == 0u ? 1u : VKR_COMPONENTS;
    for (uint t = 0u; t < tables; t++) {
        uint from = vkr_limits_base + t * push.table_stride;
        if (VKR_LIMITS_OWN) {
            for (uint i = 0u; i < words; i++)
                vkr_own_limits[t * words + i] = vkr_table[from + i];
        } else {
            for (uint i = gl_LocalInvocationIndex; i < words; i += VKR_WORKGROUP)
                vkr_shared_limits[t * words + i] = vkr_table[from + i];
        }
    }
    vkr_limits_base = 0u;
    vkr_limits_stride = tables == 1u ? 0u : words;
}

/* The greatest difference that belongs to bin k or to a bin before it. */
VkrKey vkr_limit(const uint c, const uint k)
{
    uint at = vkr_limits_base + c * vkr_limits_stride + k * VKR_LIMIT_WORDS;
    if (VKR_LIMITS_OWN)
        return VKR_KEY_AT(vkr_own_limits, at);
    if (VKR_LIMITS_SHARED)
        return VKR_KEY_AT(vkr_shared_limits, at);
    return VKR_KEY_AT(vkr_table, at);
}

#if VKR_ELEMENT == VKR_CLASS_F32 || VKR_ELEMENT == VKR_CLASS_F16
/* The approximate logarithm of a positive normal float, whatever log2 a driver has: its exponent
 * plus a polynomial, which differs from log2(m) by less than 2^-18 for 1 <= m < 2. */
float vkr_log2_about(const uint bits)
{
    float z = uintBitsToFloat((bits & 0x7fffffu) | 0x3f800000u) - 1.5;
    float p = 0.04390745 - 0.024568535 * z;
    p = -0.07079686 + p * z;
    p = 0.14172474 + p * z;
    p = -0.32061303 + p * z;
    p = 0.96182084 + p * z;
    p = 0.5849625 + p * z;
    return float(int(bits >> 23) - 127) + p;
}
#endif

/* The estimated position of an element in the row of bins: its integer part is the bin or the one
 * before. */
float vkr_estimate(const VkrHeader header, const VkrBits number, const VkrKey d)
{
#if VKR_ELEMENT == VKR_CLASS_F64
    float t = float(uint64BitsToDouble(number)) - header.origin;
#elif VKR_ELEMENT == VKR_CLASS_F32 || VKR_ELEMENT == VKR_CLASS_F16
    float t = VKR_FINDING_WAY == VKR_FINDING_LOG2 ? vkr_log2_about(number)
                                                  : uintBitsToFloat(number);
    t -= header.origin;
#elif VKR_BYTES == 8
    uvec2 words = unpackUint2x32(d);
    float t = float(words.y) * 4294967296.0 + float(words.x);
#else
    float t = float(d);
#endif
    return t * header.scale + header.offset;
}

/* A step of a search: advances by `step` bins if the difference is in none of them. */
uint vkr_halve(const uint c, const uint k, const uint step, const VkrKey d)
{
    uint next = k + step;
    bool is_past = d > vkr_limit(c, min(next, vkr_bins) - 1u);
    return is_past && next < vkr_bins ? next : k;
}

/* Finds the bin of a difference that is in range, by bisection. Written out, since for CPU drivers
 * a loop that is not unrolled costs more than its steps. */
#define VKR_HALVE(s)                                                                               \
    if (VKR_SEARCH_STEPS > s)                                                                      \
        k = vkr_halve(c, k, 1u << s, d);
uint vkr_search(const uint c, const uint first, const VkrKey d)
{
    uint k = first;
    VKR_HALVE(15u)
    VKR_HALVE(14u)
    VKR_HALVE(13u)
    VKR_HALVE(12u)
    VKR_HALVE(11u)
    VKR_HALVE(10u)
    VKR_HALVE(9u)
    VKR_HALVE(8u)
    VKR_HALVE(7u)
    VKR_HALVE(6u)
    VKR_HALVE(5u)
    VKR_HALVE(4u)
    VKR_HALVE(3u)
    VKR_HALVE(2u)
    VKR_HALVE(1u)
    VKR_HALVE(0u)
    return k;
}

/* The bin of an element of component c, or its count outside all bins. */
uint vkr_bin_of(const uint c, const VkrBits bits, const bool searches)
{
    VkrHeader header = vkr_headers[c];
    VkrBits number = VKR_NUMBER_OF(bits);
    VkrKey key = VKR_KEY_OF(number);
    VkrKey d = key - header.base;
    bool is_in = d <= header.span;
    uint k = header.first;
    if (VKR_FINDING_WAY == VKR_FINDING_OFFSET) {
        is_in = is_in && header.steps != VKR_BINS_NONE;
        k = min(k + vkr_words_of_bits(d).x, vkr_bins - 1u); /* a closed range has one more */
    } else if (searches) {
        is_in = is_in && header.steps != VKR_BINS_NONE;
        k = vkr_search(c, header.first, is_in ? d : VkrKey(0));
    } else {
        /* The estimate of an element out of range is meaningless. */
        int estimate = is_in ? int(vkr_estimate(header, number, d)) : 0;
        uint at = max(uint(estimate), header.first);
        k = at + (d > vkr_limit(c, at) ? 1u : 0u);
    }
    uint outside = key < header.base ? VKR_BELOW : VKR_ABOVE;
    return vkr_is_nan(bits) ? VKR_NO_NUMBER : is_in ? k : outside;
}

#endif
