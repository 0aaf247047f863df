/* SPDX-License-Identifier: MIT */
/* Splits the distances that are seen into cascades, whose ends all have the same ratio. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "shadows.h"

layout(local_size_x = 1) in;
layout(binding = 1, std430) buffer AllCascades { Cascades cascades[2]; };

void main()
{
    float nearest = NEAR / (1.0 - cascades[FITTED].seen[0]);
    float farthest = NEAR / (1.0 + cascades[FITTED].seen[1]);
    for (int k = 0; k <= CASCADES; k++) {
        float z = nearest * pow(farthest / nearest, float(k) / float(CASCADES));
        cascades[FITTED].splits[k] = 1.0 - NEAR / z;
    }
}
