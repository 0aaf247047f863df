/* SPDX-License-Identifier: MIT */
/* How the elements of a unit are counted by a digit, for each leader of ranks. */
#ifndef VKR_NTH_COUNTS_GLSL
#define VKR_NTH_COUNTS_GLSL

/* ---- Counting ---- */

void vkr_clear_bins()
{
    barrier(); /* all invocations have found the previous digit */
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_ALL_BINS; bin += VKR_WORKGROUP)
        vkr_bins[bin] = 0u;
    barrier();
}

/* An invocation's elements of the same bin are counted at once while they follow each other, so
 * that equal elements cost little. */
uint vkr_bin = 0u;
uint vkr_run = 0u;

void vkr_count_run()
{
    if (vkr_run != 0u)
        atomicAdd(vkr_bins[vkr_bin], vkr_run);
}

/* What is counted: the digit of the bits `shift` and above, of elements that have the digits of a
 * leader in the bits `found` and above. */
struct VkrDigit {
    uint found;
    uint shift;
    uint mask;
};

void vkr_count_key(const VkrKey key, const uint leader, const VkrDigit digit)
{
    uint bin = vkr_low_word(vkr_above(key, digit.shift)) & digit.mask;
    bin |= leader << VKR_BITS;
    if (bin != vkr_bin) {
        vkr_count_run();
        vkr_bin = bin;
        vkr_run = 0u;
    }
    vkr_run++;
}

/* Counts all elements of packs by their first digit. */
void vkr_count_all_packs(const VkrPlan plan, const VkrDigit digit)
{
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            bool exists = at + p * vkr_next_pack() < plan.packs;
            [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) if (exists)
                vkr_count_key(vkr_key_of_pack(packs[p], i), 0u, digit);
        }
    }
}

/* Counts those elements of packs that have the digits of a leader. In most packs none has, so those
 * that have are loaded again. */
void vkr_count_packs(const VkrPlan plan, const VkrDigit digit)
{
    for (uint at = vkr_first_pack(); at < plan.packs; at += VKR_PACKS * VKR_WORKGROUP) {
        uvec4 packs[VKR_PACKS];
        [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
            uint pack = min(at + p * vkr_next_pack(), plan.packs - 1u);
            packs[p] = vkr_words_of_pack(vkr_packs[plan.first + pack]);
        }
        for (uint leader = 0u; leader < VKR_RANKS; leader++) {
            if (!vkr_is_leader(leader))
                continue;
            VkrKey bound = vkr_bounds[leader];
            uint matches = 0u;
            [[unroll]] for (uint p = 0u; p < VKR_PACKS; p++) {
                bool exists = at + p * vkr_next_pack() < plan.packs;
                [[unroll]] for (uint i = 0u; i < VKR_PER_PACK; i++) {
                    bool has = vkr_above(vkr_key_of_pack(packs[p], i), digit.found) == bound;
                    matches |= exists && has ? 1u << p * VKR_PER_PACK + i : 0u;
                }
            }
            for (; matches != 0u; matches &= matches - 1u) {
                uint bit = uint(findLSB(matches));
                uint pack = plan.first + at + bit / VKR_PER_PACK * vkr_next_pack();
                vkr_count_key(vkr_key_of_unit(pack * VKR_PER_PACK + bit % VKR_PER_PACK), leader,
                              digit);
            }
        }
    }
}

/* Counts the digit of the `width` bits below those that are known, which start at bit `found`. */
void vkr_count_unit(const VkrUnitShare share, const uint found, const uint width)
{
    VkrPlan plan = vkr_plan_of(share);
    VkrDigit digit = VkrDigit(found, found - width, (1u << width) - 1u);
    vkr_clear_bins();
    vkr_bin = 0u;
    vkr_run = 0u;
    for (uint i = gl_LocalInvocationIndex; i < plan.singles; i += VKR_WORKGROUP) {
        VkrKey key = vkr_single_key(plan, i);
        for (uint leader = 0u; leader < VKR_RANKS; leader++)
            if (vkr_is_leader(leader) && vkr_above(key, found) == vkr_bounds[leader])
                vkr_count_key(key, leader, digit);
    }
    if (VKR_MODE == VKR_NTH_FIRST || (VKR_MODE == VKR_NTH_ROW && found == VKR_KEY_BITS))
        vkr_count_all_packs(plan, digit);
    else
        vkr_count_packs(plan, digit);
    vkr_count_run();
    barrier();
}

void vkr_add_counts(const uint row)
{
    uint counts = push.counts_base + row * VKR_ALL_BINS;
    for (uint bin = gl_LocalInvocationIndex; bin < VKR_ALL_BINS; bin += VKR_WORKGROUP) {
        uint count = vkr_bins[bin];
        if (count != 0u)
            atomicAdd(vkr_counts[counts + bin], count);
    }
}

#endif
