/* SPDX-License-Identifier: MIT */
/* Stores the value of a segment, or of a part of one. */
#ifndef VKR_LEAVE_GLSL
#define VKR_LEAVE_GLSL

uint vkr_stored_base = push.stored_base; /* read once, as in part.glsl */

/* Stores the value of a part as a partial or as results. */
void vkr_store_part(const VkrPart part, VkrStates s)
{
    if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL) {
        uint at = vkr_stored_base + part.partial * VKR_STATE_WORDS * VKR_ALL_COMPONENTS;
        vkr_store_partial(at, s);
    } else {
        vkr_output_at = vkr_result_base + part.segment * vkr_result_stride;
        vkr_write_results(s, uvec2(part.total, 0u));
    }
}

#endif
