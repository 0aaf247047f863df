/* SPDX-License-Identifier: MIT */
/*
 * Stores results and totals, and loads initial values: words for sums and products (VKR_SUM_OPS),
 * else elements.
 */
#ifndef VKR_VALUE_GLSL
#define VKR_VALUE_GLSL

const bool VKR_IN_WORDS = VKR_HAS(VKR_SUM_OPS);
const uint VKR_VALUE_BYTES = VKR_IN_WORDS ? uint(VKR_SUM_BYTES) : uint(VKR_BYTES);
const uint VKR_VALUE_UNITS = VKR_IN_WORDS ? uint(VKR_SUM_BYTES) / 4u : 1u;

/* Stores the result of component c of element i. */
void vkr_put_output(const uint i, const uint c, const uvec2 words)
{
    uint at = push.output_base + i * push.output_stride + c * VKR_VALUE_UNITS;
    if (!VKR_IN_WORDS) {
        vkr_output[at] = VKR_TO_STORE(words);
        return;
    }
    vkr_output_words[at] = words.x;
    if (VKR_VALUE_UNITS == 2u)
        vkr_output_words[at + 1u] = words.y;
}

void vkr_put_total(const uint c, const uvec2 words)
{
    uint at = push.total_base + c * VKR_VALUE_UNITS;
    if (!VKR_IN_WORDS) {
        vkr_total_values[at] = VKR_TO_STORE(words);
        return;
    }
    vkr_total_words[at] = words.x;
    if (VKR_VALUE_UNITS == 2u)
        vkr_total_words[at + 1u] = words.y;
}

#ifndef VKR_OF_COLUMNS
/* The initial value, with which every prefix starts. */
VkrScan vkr_initial()
{
    VkrScan s = vkr_scan_identity();
    if (!VKR_INITIAL)
        return s;
    VKR_EACH(c) {
        uvec2 words = uvec2(uniforms.initial_low[VKR_AT(c)], uniforms.initial_high[VKR_AT(c)]);
#if !VKR_KEYED /* whose unique keys are at this binding, and which have no initial value */
        uint at = push.initial_base + VKR_AT(c) * VKR_VALUE_UNITS;
        if (VKR_GPU_INITIAL && VKR_IN_WORDS) {
            words.x = vkr_initial_words[at];
            words.y = VKR_VALUE_UNITS == 2u ? vkr_initial_words[at + 1u] : 0u;
        }
#if VKR_BYTES == 8
        if (VKR_GPU_INITIAL && !VKR_IN_WORDS)
            words = vkr_initial_values[at];
#else
        if (VKR_GPU_INITIAL && !VKR_IN_WORDS)
            words.x = uint(vkr_initial_values[at]);
#endif
#endif
        s.state[VKR_AT(c)] = vkr_term_of_result(words);
    }
    return s;
}

void vkr_write_total(VkrScan s)
{
    if (push.total_base == ~0u)
        return;
    if (vkr_whole == uvec2(0u)) /* without elements no run has stored its prefix */
        s = vkr_initial();
    VKR_EACH(c)
        vkr_put_total(VKR_AT(c), vkr_result_of_term(s.state[VKR_AT(c)],
                                                    vkr_whole == uvec2(0u) && !VKR_INITIAL));
}
#endif

/* ---- The results of a full unit, in packs of 16 bytes ---- */

/* The number of packs of a unit of the input, times the factor by which results are wider. */
#if VKR_SUM_BYTES > VKR_BYTES
#define VKR_WIDER (VKR_SUM_BYTES / VKR_BYTES)
#else
#define VKR_WIDER 1
#endif
struct VkrResults {
    uvec4 packs[VKR_PACKS * uint(VKR_WIDER)];
};

void vkr_clear(out VkrResults results)
{
    for (uint p = 0u; p < VKR_PACKS * uint(VKR_WIDER); p++)
        results.packs[p] = uvec4(0u);
}

void vkr_put_result(inout VkrResults results, const uint v, const uvec2 words)
{
    uint at = v * VKR_VALUE_BYTES;
    if (VKR_VALUE_BYTES >= 4u)
        results.packs[at / 16u][at / 4u % 4u] = words.x;
    else
        results.packs[at / 16u][at / 4u % 4u] |= words.x << (8u * (at % 4u));
    if (VKR_VALUE_BYTES == 8u)
        results.packs[at / 16u][at / 4u % 4u + 1u] = words.y;
}

uint vkr_store_base = push.store_base; /* read once, as in load.glsl */

/* Stores the results of memory unit u. */
void vkr_store_results(const VkrResults results, const uint u)
{
    const uint packs = VKR_UNIT_ELEMENTS * VKR_COMPONENTS * VKR_VALUE_BYTES / 16u;
    for (uint p = 0u; p < packs; p++)
        vkr_output_packs[vkr_store_base + u * packs + p] = vkr_pack_of_words(results.packs[p]);
}

#endif
