/* SPDX-License-Identifier: MIT */
/* Stores the number of elements that rows have, which start some elements apart, without those
 * between rows. The number of both lies in GPU memory. */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/beside.h"

#include "vkreduce/rest.glsl"

void main()
{
    uint all = vkr_all_elements();
    uint rows = all / push.row_pitch; /* whole ones, with what lies after them */
    vkr_target[push.target_base] = rows * push.row_length + vkr_length_of_row(rows, all);
}
