/* SPDX-License-Identifier: MIT */
/* Copies the counts of a compaction from its record to the caller's buffers. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "cards/arguments.h"

layout(local_size_x = 1) in;

#include "vkreduce/counts.glsl"

uvec2 vkr_recorded(const uint entry)
{
    uint at = push.record_base + entry;
    return uvec2(vkr_record[at], vkr_record[at + 1u]);
}

#define VKR_PUT(i)                                                                                 \
    if (push.kinds[i] != ~0u) {                                                                    \
        uvec3 words = vkr_words_of_count(counts, push.kinds[i], push.scales[i]);                   \
        uint size = vkr_size_of_count(push.kinds[i]);                                              \
        for (uint w = 0u; w < size; w++)                                                           \
            vkr_target##i[push.bases[i] + w] = words[w];                                           \
    }

void main()
{
    VkrCounts counts =
        VkrCounts(vkr_recorded(VKR_RECORD_KEPT), vkr_recorded(VKR_RECORD_APPEND),
                  vkr_recorded(VKR_RECORD_COUNT), uvec2(push.capacity_low, push.capacity_high),
                  push.max_groups);
    VKR_PUT(0)
    VKR_PUT(1)
    VKR_PUT(2)
    VKR_PUT(3)
    VKR_PUT(4)
    VKR_PUT(5)
}
