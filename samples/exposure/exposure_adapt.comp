/* SPDX-License-Identifier: MIT */
/* Moves the exposure towards the target given by the frame's trimmed mean. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "exposure.h"

layout(local_size_x = 1) in;
layout(binding = 3, std430) readonly buffer Metered
{
    Meter meter;
};
layout(binding = 4, std430) buffer Kept
{
    State state;
};
layout(push_constant) uniform Now
{
    Instant now;
};

void main()
{
    state.exposure = adapted(state.exposure, meter.mean, now.to_bright, now.to_dark);
    state.readings[now.frame] = Reading(meter.mean, state.exposure);
}
