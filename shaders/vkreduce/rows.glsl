/* SPDX-License-Identifier: MIT */
/*
 * Rows of whole units that a team of a subgroup's lanes merges, if the row's length and the team's
 * size are constants. The units of several rows are loaded at once, so a GPU waits for all of them
 * together, and the rows of the first rounds of merging are constants.
 */
#ifndef VKR_ROWS_GLSL
#define VKR_ROWS_GLSL

/* If the host says that a row is one batch, teams are full. */
const bool VKR_MERGES_ROWS = VKR_TEAM > 1u && VKR_ONE_BATCH;

/* The rows that are loaded at once: a power of two. */
const uint VKR_PREFERRED_ROWS = VKR_BATCH > 2u ? 1u : VKR_BATCH > 1u ? 2u : 4u;
const uint VKR_ROWS = VKR_TEAM < VKR_PREFERRED_ROWS ? 2u : VKR_PREFERRED_ROWS;
const uint VKR_ROW_ROUNDS = VKR_ROWS / 2u; /* the binary logarithm of 1, 2 or 4 */

/* Reduces one row per lane of the team, starting at row `id`. Lanes past the last row load its last
 * unit again; the value is discarded. */
void vkr_merge_rows(const uint id, const uint lane)
{
    VkrUnit units[VKR_ROWS * VKR_BATCH];
    vkr_multi_Online merged;
    VkrStates s;
    uint units_of_row = vkr_segment_stride / VKR_UNIT_ELEMENTS;
    uint first = id * units_of_row + lane;
    uint last = vkr_ids * units_of_row - 1u;
    for (uint r = 0u; r < VKR_TEAM; r += VKR_ROWS) {
        [[unroll]] for (uint u = 0u; u < VKR_ROWS * VKR_BATCH; u++)
            units[u] = vkr_load_unit(min(first + ((r + u / VKR_BATCH) * units_of_row +
                                                  u % VKR_BATCH * VKR_TEAM),
                                         last));
        [[unroll]] for (uint i = 0u; i < VKR_ROWS; i++) {
            s = vkr_identities();
            vkr_start_strands();
            [[unroll]] for (uint b = 0u; b < VKR_BATCH; b++) {
                vkr_accumulate_unit(s, units[i * VKR_BATCH + b],
                                    uvec2((lane + b * VKR_TEAM) * VKR_UNIT_ELEMENTS, 0u));
                VKR_END_STRAND_IN_BATCH(s, b)
            }
            if (VKR_BATCH > VKR_STRAND_UNITS)
                vkr_settle_strands(s);
            vkr_multi_rounds(merged, i, s, 0u, VKR_ROW_ROUNDS);
        }
        if (vkr_multi_rounds(merged, r, s, VKR_ROW_ROUNDS, 5u))
            vkr_multi_finish(merged, r, s);
    }
    VkrPart part = vkr_part(id + lane);
    if (part.is_there)
        vkr_store_part(part, vkr_multi_result(merged));
}

#endif
