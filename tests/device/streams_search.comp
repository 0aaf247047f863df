/* SPDX-License-Identifier: MIT */
/* The search of stream reduction for each position of each block, with its trips counted. */
#version 450
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;
layout(constant_id = 0) const uint BLOCK = 64; /* words for each block */
layout(constant_id = 1) const bool IS_WHILE = true;
layout(constant_id = 2) const uint TRIPS = 6; /* of the search of fixed length */

layout(set = 0, binding = 0, std430) readonly buffer Sums
{
    uint sums[];
};
layout(set = 0, binding = 1, std430) readonly buffer Lengths
{
    uint lengths[]; /* of blocks; 0: no block */
};
layout(set = 0, binding = 2, std430) writeonly buffer Elements
{
    uint elements[]; /* for each position; ~0: none */
};
layout(set = 0, binding = 3, std430) writeonly buffer Trips
{
    uint trips[];
};

uint origin;
uint own_trips = 0u;
#define VKR_SUM_AT(j) sums[origin + (j)]
#define VKR_ON_TRIP() own_trips++;
#include "documents/search.glsl"

void main()
{
    uint position = gl_GlobalInvocationID.x % BLOCK;
    uint length = lengths[gl_GlobalInvocationID.x / BLOCK];
    uint element = ~0u;
    origin = gl_GlobalInvocationID.x - position;
    /* The bounds of the document. */
    uint lower = position + VKR_SUM_AT(position);
    uint upper = position + VKR_SUM_AT(max(length, 1u) - 1u);
    if (position < length && upper < length)
        element = IS_WHILE ? vkr_search_while(position, lower, upper)
                           : vkr_search_for(position, lower, upper, TRIPS);
    elements[gl_GlobalInvocationID.x] = element;
    trips[gl_GlobalInvocationID.x] = own_trips;
}
