/* SPDX-License-Identifier: MIT */
/* Stretches the picture so that its minimum becomes 0 and its maximum 1. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require

layout(binding = 0) uniform texture2D picture;
/* The results of the reduction: the minima of R, G and B, then the maxima. */
layout(binding = 1, std430) readonly buffer Extremes
{
    float least[3];
    float greatest[3];
};
layout(location = 0) out vec4 stretched;

void main()
{
    float black = min(min(least[0], least[1]), least[2]);
    float white = max(max(greatest[0], greatest[1]), greatest[2]);
    stretched = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    if (black < white)
        stretched.rgb = (stretched.rgb - black) / (white - black);
}
