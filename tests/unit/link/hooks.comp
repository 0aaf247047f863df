// SPDX-License-Identifier: MIT
// Users' functions as glslc compiles them. Each has a number of its own, starting at 1000, that
// occurs nowhere else.
#version 450
layout(set = 1, binding = 0) readonly buffer Values {
    float values[];
};
struct Particle {
    vec3 position;
    uint flags;
    mat3x2 turn;
};
layout(std430, set = 1, binding = 1) buffer Particles {
    uint counter;
    Particle particles[];
};
layout(std140, set = 1, binding = 2) uniform Limits {
    vec4 planes[6];
    uint most;
} limits;
layout(set = 1, binding = 3) uniform sampler2D heights;
layout(set = 1, binding = 4, r32ui) uniform uimage2D image;
layout(set = 1, binding = 5) uniform texture2D textures[3];
layout(set = 1, binding = 6) uniform sampler plain;
uint state;

bool keep_plain(uint i)
{
    return i % 1000u == 0u;
}

bool keep_constant(const uint i)
{
    return i > 1001u;
}

bool keep_visible(uint i)
{
    const vec3 p = particles[i].position;
    for (int k = 0; k < 6; k++)
        if (dot(limits.planes[k], vec4(p, 1)) < 1002.0)
            return false;
    return i < limits.most;
}

bool keep_switch(uint i)
{
    bool result;
    switch (i & 3u) {
    case 0u:
        result = values[i] > 1003.0;
        break;
    case 2u:
        result = false;
        break;
    default:
        result = isnan(values[i]);
    }
    return result;
}

bool keep_early(uint i)
{
    if (values[i] < 1004.0)
        return true;
    if (isinf(values[i]))
        return false;
    return i > 5u;
}

void split(uint i, out uvec2 halves, inout uint total)
{
    halves = uvec2(i & 0xffffu, i >> 16);
    total += halves.x;
}

uint mixed(uint i)
{
    uint total = 1005u;
    uvec2 halves;
    split(i, halves, total);
    return total ^ halves.y;
}

bool keep_nested(uint i)
{
    return mixed(i) > mixed(i + 1u);
}

float load_plain(uint i)
{
    return values[i] * 1006.0;
}

float load_table(uint i)
{
    const float weights[4] = float[](0.5, 1007.0, 2.0, 0.25);
    return values[i] * weights[i & 3u];
}

float load_texture(uint i)
{
    return textureLod(heights, vec2(i, 1008.0), 0.0).x +
           texelFetch(sampler2D(textures[1], plain), ivec2(i, 0), 0).y;
}

float load_matrix(uint i)
{
    const vec2 v = particles[i].turn * particles[i].position;
    return length(v) + 1009.0;
}

uint load_private(uint i)
{
    state = i * 1010u;
    for (uint k = 0u; k < i; k++)
        state ^= state >> 3;
    return state;
}

uint load_image(uint i)
{
    return imageLoad(image, ivec2(i, 1011)).x + imageAtomicAdd(image, ivec2(0), 1u);
}

uint load_late(uint i)
{
    uint k = 0u;
    while (true) {
        if (values[k] > float(i))
            return k + 1012u;
        k++;
    }
    return 0u;
}

void store_plain(uint i, uint position)
{
    particles[position].flags = i + 1013u;
    memoryBarrierBuffer();
}

void store_atomic(uint i, uint position)
{
    if (position > 1014u)
        atomicAdd(counter, i);
}

void main()
{
    const bool kept = keep_plain(0u) || keep_constant(0u) || keep_visible(0u) || keep_switch(0u) ||
                      keep_early(0u) || keep_nested(0u);
    const float f = load_plain(0u) + load_table(0u) + load_texture(0u) + load_matrix(0u);
    const uint u = load_private(0u) + load_image(0u) + load_late(0u);
    store_plain(u, uint(f));
    store_atomic(u, uint(kept));
}
