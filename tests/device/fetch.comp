/* SPDX-License-Identifier: MIT */
/* Writes what texelFetch returns to a buffer. Built with -DTEXTURE, -DBITS and -DPOINT. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform TEXTURE image;
layout(set = 0, binding = 1, std430) buffer Values
{
    uint values[];
};
layout(push_constant) uniform Push
{
    uvec4 origin; /* and the level */
    uvec4 extent; /* and the number of components */
} push;

void main()
{
    uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x;
    if (i >= push.extent.x * push.extent.y * push.extent.z)
        return;
    uint row = i / push.extent.x;
    uvec3 at = push.origin.xyz +
               uvec3(i % push.extent.x, row % push.extent.y, row / push.extent.y);
    uvec4 texel = BITS(texelFetch(image, POINT(at), int(push.origin.w)));
    for (uint c = 0u; c < push.extent.w; c++)
        values[i * push.extent.w + c] = texel[c];
}
