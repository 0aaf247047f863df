/* SPDX-License-Identifier: MIT */
/* Applies the exposure in the buffer and the tone curve to the light. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "exposure.h"

layout(local_size_x = TONE_SIDE, local_size_y = TONE_SIDE) in;
layout(binding = 2) uniform texture2D light;
layout(binding = 4, std430) readonly buffer Kept
{
    State state;
};
layout(binding = 5, rgba8) uniform writeonly image2D target;

void main()
{
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, textureSize(light, 0))))
        return;
    vec3 exposed = texelFetch(light, at, 0).rgb * exp2(state.exposure);
    imageStore(target, at, vec4(shown(exposed.r), shown(exposed.g), shown(exposed.b), 1.0));
}
