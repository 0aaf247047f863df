/* SPDX-License-Identifier: MIT */
/*
 * Stores of a tile by way of shared memory, where the elements of a row are sorted: kept ones come
 * first, in their order, and all others last, in reverse order. Then lanes store them side by side,
 * so that memory is written in whole sectors. A row stages VKR_STAGED rounds of its units at a
 * time, first the values and then the indices. The rows of a workgroup do not wait for each other.
 */
#ifndef VKR_STAGED_GLSL
#define VKR_STAGED_GLSL

#extension GL_KHR_memory_scope_semantics : require

/* Words of a value, and elements of an invocation that are staged at a time. Longer values are
 * packs, of which each unit has one, so that lanes store them side by side in any case. */
const uint VKR_STAGED_WIDTH = VKR_ELEMENT_BYTES == 8u ? 2u : 1u;
const uint VKR_STAGED_SHARE = VKR_STAGED * VKR_UNIT;

shared uint vkr_staged[VKR_STAGED == 0u ? 1u : VKR_WORKGROUP * VKR_STAGED_SHARE * VKR_STAGED_WIDTH];

/* Elements of a row that are staged at a time, and the place of the first one in shared memory.
 * Second words of values follow all first words. */
#define VKR_STAGED_ROOM (VKR_ROW_SIZE * VKR_STAGED_SHARE)
uint vkr_staged_first()
{
    return vkr_row() * VKR_STAGED_ROOM * VKR_STAGED_WIDTH;
}

void vkr_meet_row()
{
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
}

/* Whether all values of a tile are staged at the same time. */
#define VKR_STAGES_EARLY                                                                           \
    (VKR_STAGED >= VKR_BATCH && (VKR_OUTPUTS & (VKR_TO_KEPT | VKR_TO_REJECTED)) != 0u)

uint vkr_word_of(const VkrUnit unit, const uint byte)
{
    return unit.packs[0][byte / 4u] >> byte % 4u * 8u;
}

const uint VKR_STAGED_STORES = 4u; /* of an invocation between two waits */

#define VKR_STAGED_NAME(name) vkr_values_##name
#define VKR_STAGED_INDICES 0
#include "staged_part.glsl"

#define VKR_STAGED_NAME(name) vkr_indices_##name
#define VKR_STAGED_INDICES 1
#include "staged_part.glsl"

#endif
