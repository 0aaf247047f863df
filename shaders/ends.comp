/* SPDX-License-Identifier: MIT */
/* Stores the number of elements after the last start of a run, where the last run ends. If the list
 * has no room for all starts, the next start already ends the last run that is in it. */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/ends.h"

layout(local_size_x = 1) in;

void main()
{
    const uint runs = vkr_record[push.record_base + VKR_RECORD_KEPT];
    if (runs > push.entries)
        return;
    const uint at = push.starts_base + runs * push.words;
    for (uint w = 0u; w < push.words; w++)
        vkr_starts[at + w] = vkr_record[push.record_base + VKR_RECORD_COUNT + w];
}
