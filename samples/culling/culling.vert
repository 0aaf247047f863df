/* SPDX-License-Identifier: MIT */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "culling.h"

layout(binding = SPHERES) readonly buffer Spheres { vec4 spheres[]; };
layout(binding = SHAPES, std430) readonly buffer Shapes { Shape shapes[]; };
layout(binding = VIEWS) uniform Views { View view; };
layout(location = 0) in vec3 corner; /* of a mesh, from -1 to 1 */
layout(location = 0) out vec3 from_eye;
layout(location = 1) flat out uint look;

void main()
{
    Shape shape = shapes[gl_InstanceIndex];
    from_eye = spheres[gl_InstanceIndex].xyz - view.eye.xyz + shape.size * corner;
    float z = dot(view.ahead.xyz, from_eye);
    gl_Position = vec4(dot(view.right.xyz, from_eye) * FOCAL_X,
                       dot(view.down.xyz, from_eye) * FOCAL_Y, z - NEAR, z);
    look = shape.look;
}
