/* SPDX-License-Identifier: MIT */
/* Stands in for a renderer: outputs the light of one of two scenes. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "exposure.h"

layout(binding = 0) uniform texture2D first;
layout(binding = 1) uniform texture2D second;
layout(push_constant) uniform Now
{
    Instant now;
};
layout(location = 0) out vec4 light;

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 texel = now.picture == 0u ? texelFetch(first, at, 0) : texelFetch(second, at, 0);
    light = vec4(texel.rgb * now.light, 1.0);
}
