/* SPDX-License-Identifier: MIT */
/* The functions of functions.c. `glslc -O0` compiles them, since the library finds them by name. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

/* ---- The box of a mesh that is drawn by indices ---- */

layout(set = 1, binding = 0) readonly buffer Indices { uint indices[]; };
layout(set = 1, binding = 1) readonly buffer Positions { float positions[]; };

vec3 corner(uint i)
{
    uint v = 3u * indices[i];
    return vec3(positions[v], positions[v + 1u], positions[v + 2u]);
}

/* ---- The best pair of two arrays ---- */

layout(set = 1, binding = 2) readonly buffer Gains { float gains[]; };
layout(set = 1, binding = 3) readonly buffer Costs { float costs[]; };

float score(uint i)
{
    return gains[i] / costs[i];
}

/* A monoid. Its states are offers: the best pair of some pairs, and what all of them cost. */
struct Offer {
    float score;
    uint pair;
    float costs;
};

Offer offer(uint i)
{
    return Offer(score(i), i, costs[i]);
}

Offer better(Offer a, Offer b)
{
    bool is_b = b.score > a.score || (b.score == a.score && b.pair < a.pair);
    return Offer(is_b ? b.score : a.score, is_b ? b.pair : a.pair, a.costs + b.costs);
}

Offer no_offer()
{
    return Offer(-1e30, ~0u, 0.0);
}

/* ---- Bounding spheres that are seen ---- */

layout(set = 1, binding = 4) readonly buffer Spheres { vec4 spheres[]; }; /* centre, radius */
layout(set = 1, binding = 5) uniform Camera { vec4 planes[6]; };          /* they point inwards */

bool is_seen(uint i)
{
    vec4 sphere = spheres[i];
    for (uint p = 0u; p < 6u; p++) {
        if (dot(planes[p].xyz, sphere.xyz) + planes[p].w < -sphere.w)
            return false;
    }
    return true;
}

VKR_HOOKS(corner(0u); score(0u); better(offer(0u), no_offer()); is_seen(0u))
