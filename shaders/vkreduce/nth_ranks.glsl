/* SPDX-License-Identifier: MIT */
/* What the search for elements by rank knows of each rank, and the digit that comes next. The card
 * of these searches is included before. */
#ifndef VKR_NTH_RANKS_GLSL
#define VKR_NTH_RANKS_GLSL

/* ---- Ranks ---- */

/* What is known of each rank: the digits found so far, the rank among the elements that have them,
 * and the leader. */
shared VkrKey vkr_bounds[VKR_RANKS];
shared uint vkr_rests[VKR_RANKS];
shared uint vkr_leaders[VKR_RANKS];

/* The numbers of elements that have each value of a digit, for each leader. */
shared uint vkr_bins[VKR_ALL_BINS];

bool vkr_is_leader(const uint rank)
{
    return vkr_leaders[rank] == rank;
}

/* A component of the uniforms, without an index that is computed; or what lies in memory. */
uint vkr_given_rank(const uint rank)
{
    if (vkr_has(VKR_FLAG_GPU_RANKS))
        return vkr_states[push.states_base + push.first_rank + min(rank, push.ranks - 1u)];
    uvec4 four = (rank & 8u) == 0u ? ((rank & 4u) == 0u ? uniforms.ranks0 : uniforms.ranks1)
                                   : ((rank & 4u) == 0u ? uniforms.ranks2 : uniforms.ranks3);
    uvec2 two = (rank & 2u) == 0u ? four.xy : four.zw;
    return (rank & 1u) == 0u ? two.x : two.y;
}

/* The rank in a row of `length` elements. */
uint vkr_rank_in(const uint rank, const uint length)
{
    uint given = vkr_given_rank(rank);
    if (vkr_has(VKR_FLAG_SHARES)) {
        uint high, low;
        umulExtended(given, max(length, 1u) - 1u, high, low);
        given = high << 1 | low >> 31;
    }
    return rank < push.ranks && given < length ? given : VKR_ABSENT;
}

void vkr_start_ranks(const uint length)
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS) {
        vkr_bounds[lane] = VkrKey(0u);
        vkr_rests[lane] = vkr_rank_in(lane, length);
        vkr_leaders[lane] = 0u;
    }
    barrier();
}

uint vkr_state_of(const uint row)
{
    return (row * VKR_RANKS + gl_LocalInvocationIndex) * VKR_NTH_STATE_WORDS;
}

void vkr_load_ranks(const uint row)
{
    const uint lane = gl_LocalInvocationIndex;
    if (lane < VKR_RANKS) {
        uint at = push.states_base + vkr_state_of(row);
        VkrKey bound = VkrKey(vkr_states[at]);
#if VKR_UNIT_BYTES == 8
        bound.y = vkr_states[at + 1u];
#endif
        vkr_bounds[lane] = bound;
        vkr_rests[lane] = vkr_states[at + 2u];
        vkr_leaders[lane] = vkr_states[at + 3u];
    }
    barrier();
}

void vkr_store_ranks(const VkrUnitShare share)
{
    const uint lane = gl_LocalInvocationIndex;
    if (share.part != 0u || lane >= VKR_RANKS)
        return;
    uint at = push.new_states_base + vkr_state_of(share.row);
    vkr_new_states[at] = vkr_low_word(vkr_bounds[lane]);
#if VKR_UNIT_BYTES == 8
    vkr_new_states[at + 1u] = vkr_bounds[lane].y;
#endif
    vkr_new_states[at + 2u] = vkr_rests[lane];
    vkr_new_states[at + 3u] = vkr_leaders[lane];
}

/* ---- Finding a digit ---- */

uint vkr_count_of_bin(const uint bin, const uint table, const bool is_shared)
{
    return is_shared ? vkr_bins[bin] : vkr_table[table + bin];
}

/* The leader of a rank: the first one whose digits are the same. A rank that the row does not have
 * follows the first one, and leads none but itself. */
uint vkr_leader_of(const uint rank)
{
    if (vkr_rests[rank] == VKR_ABSENT)
        return 0u;
    uint leader = rank;
    for (uint i = rank; i > 0u; i--) {
        bool exists = i == 1u || vkr_rests[i - 1u] != VKR_ABSENT;
        if (exists && vkr_bounds[i - 1u] == vkr_bounds[rank])
            leader = i - 1u;
    }
    return leader;
}

/* Adds a digit of `width` bits to each rank, from counts in shared memory or in a table. The counts
 * of a leader are a subtree. */
void vkr_find_digits(const uint width, const uint table, const bool is_shared)
{
    const uint each = VKR_ALL_BINS > VKR_WORKGROUP ? VKR_ALL_BINS / VKR_WORKGROUP : 1u;
    const uint leaves =
        VKR_ALL_BINS > VKR_WORKGROUP ? VKR_WORKGROUP / VKR_RANKS : VKR_BINS; /* of a leader */
    const uint lane = gl_LocalInvocationIndex;
    uint sum = 0u;
    for (uint i = 0u; i < each; i++)
        if (lane * each + i < VKR_ALL_BINS)
            sum += vkr_count_of_bin(lane * each + i, table, is_shared);
    vkr_build_tree(sum);
    if (lane < VKR_RANKS) {
        uint rest = vkr_rests[lane];
        uint bin = 0u;
        if (rest != VKR_ABSENT) {
            uint node = VKR_WORKGROUP / leaves + vkr_leaders[lane];
            while (node < VKR_WORKGROUP) {
                uint left = vkr_tree[2u * node];
                bool is_right = rest >= left;
                rest -= is_right ? left : 0u;
                node = 2u * node + (is_right ? 1u : 0u);
            }
            bin = (node - VKR_WORKGROUP) * each;
            uint count = vkr_count_of_bin(bin, table, is_shared);
            for (uint i = 1u; i < each && rest >= count; i++) {
                rest -= count;
                bin++;
                count = vkr_count_of_bin(bin, table, is_shared);
            }
        }
        vkr_bounds[lane] = vkr_join(vkr_bounds[lane], width, bin & VKR_BINS - 1u);
        vkr_rests[lane] = rest;
    }
    barrier();
    if (lane < VKR_RANKS)
        vkr_leaders[lane] = vkr_leader_of(lane);
    barrier();
}

#endif
