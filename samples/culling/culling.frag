/* SPDX-License-Identifier: MIT */
/* Flat faces in the light of a sun, and haze. */
#version 450

layout(location = 0) in vec3 from_eye;
layout(location = 1) flat in uint look;
layout(location = 0) out vec4 colour;

const vec3 sun = vec3(0.48, 0.80, -0.36), haze = vec3(0.66, 0.74, 0.84);

void main()
{
    vec3 normal = normalize(cross(dFdx(from_eye), dFdy(from_eye)));
    normal = faceforward(normal, from_eye, normal);
    vec3 paint = unpackUnorm4x8(look).yzw;
    vec3 lit = paint * (0.45 + 0.1 * normal.y + 0.55 * max(dot(normal, sun), 0.0));
    colour = vec4(mix(haze, lit, exp(-length(from_eye) / 260.0)), 1.0);
}
