/* SPDX-License-Identifier: MIT */
/* Monoids, of which monoids_case.c computes the same values on the CPU. */
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef HAS_INT64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#include "vkreduce/hook.glsl"

layout(set = 1, binding = 0) readonly buffer Words { uint words[]; };
layout(set = 1, binding = 1) readonly buffer Others { uint others[]; };

/* ---- Exact ones whose order matters ---- */

struct Hash {
    uint power, value;
};
Hash load_hash(uint i) { return Hash(0x01000193u, words[i]); }
Hash combine_hash(Hash a, Hash b) { return Hash(a.power * b.power, a.value * b.power + b.value); }
Hash identity_hash() { return Hash(1u, 0u); }
uint finish_hash(Hash a) { return a.value; }

/* The same, of elements that the library reads. */
Hash load_plain(uint x, uint i) { return Hash(0x01000193u, x ^ i); }
Hash load_byte(uint x, uint i) { return Hash(0x01000193u, x + i); }

/* A 2 x 2 matrix of integers. */
uvec4 load_pairs(uint i) { return uvec4(words[i], i, others[i], words[i] >> 7); }
uvec4 combine_pairs(uvec4 a, uvec4 b)
{
    return uvec4(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z,
                 a.z * b.y + a.w * b.w);
}
uvec4 identity_pairs() { return uvec4(1u, 0u, 0u, 1u); }

/* Another monoid of the same elements. */
uvec4 combine_least(uvec4 a, uvec4 b) { return min(a, b); }
uvec4 identity_least() { return uvec4(~0u); }

/* Shears: floats that stay small integers. */
mat2 load_shear(uint i) { return mat2(1.0, float(words[i] & 3u), 0.0, 1.0); }
mat2 combine_shear(mat2 a, mat2 b) { return a * b; }
mat2 identity_shear() { return mat2(1.0); }
vec2 finish_shear(mat2 a) { return a[0]; }

/* 64 bytes: a 4 x 4 matrix of integers. */
struct Wide {
    uvec4 row[2];
    uint rest[8];
};
uint get(Wide a, uint r, uint c)
{
    return r < 2u ? a.row[r][c] : a.rest[(r - 2u) * 4u + c];
}
Wide load_wide(uint i)
{
    Wide a;
    a.row[0] = uvec4(words[i], 1u, i, 3u);
    a.row[1] = uvec4(others[i], 5u, 0u, 1u);
    for (uint k = 0u; k < 8u; k++)
        a.rest[k] = words[i] >> k;
    return a;
}
Wide combine_wide(Wide a, Wide b)
{
    Wide product;
    for (uint r = 0u; r < 4u; r++)
        for (uint c = 0u; c < 4u; c++) {
            uint sum = 0u;
            for (uint k = 0u; k < 4u; k++)
                sum += get(a, r, k) * get(b, k, c);
            if (r < 2u)
                product.row[r][c] = sum;
            else
                product.rest[(r - 2u) * 4u + c] = sum;
        }
    return product;
}
Wide identity_wide()
{
    return Wide(uvec4[2](uvec4(1u, 0u, 0u, 0u), uvec4(0u, 1u, 0u, 0u)),
                uint[8](0u, 0u, 1u, 0u, 0u, 0u, 0u, 1u));
}

/* ---- Exact ones whose order does not matter ---- */

struct First {
    float key;
    uint index;
};
First load_first(uint i) { return First(float(words[i] & 1023u) - 100.0, i); }
First combine_first(First a, First b)
{
    return b.key < a.key || (b.key == a.key && b.index < a.index) ? b : a;
}
First identity_first() { return First(uintBitsToFloat(0x7f800000u), ~0u); }
uint finish_first(First a) { return a.index; }

struct Corner {
    vec2 xy;
    float z;
};
struct Box {
    Corner low, high;
};
Box load_box(uint i)
{
    Corner c = Corner(vec2(words[i] & 0xffffu, others[i] & 0xffffu), float(int(words[i]) >> 16));
    return Box(c, c);
}
Box combine_box(Box a, Box b)
{
    return Box(Corner(min(a.low.xy, b.low.xy), min(a.low.z, b.low.z)),
               Corner(max(a.high.xy, b.high.xy), max(a.high.z, b.high.z)));
}
Box identity_box()
{
    return Box(Corner(vec2(1e9), 1e9), Corner(vec2(-1e9), -1e9));
}
vec3 finish_box(Box a) { return vec3(a.high.xy, a.high.z) - vec3(a.low.xy, a.low.z); }

/* The four greatest keys, with their indices; of equal keys the one with the least index. */
struct Entry {
    uint key, index;
};
struct Top {
    Entry entries[4];
};
bool is_before(Entry a, Entry b)
{
    return a.key > b.key || (a.key == b.key && a.index < b.index);
}
Top identity_top()
{
    Entry none = Entry(0u, ~0u);
    return Top(Entry[4](none, none, none, none));
}
Top load_top(uint i)
{
    Top t = identity_top();
    t.entries[0] = Entry(words[i] & 0xfffu, i);
    return t;
}
Top combine_top(Top a, Top b)
{
    Top t;
    uint x = 0u, y = 0u;
    for (uint k = 0u; k < 4u; k++) {
        if (is_before(b.entries[y], a.entries[x]))
            t.entries[k] = b.entries[y++];
        else
            t.entries[k] = a.entries[x++];
    }
    return t;
}

/* Scalars of several kinds. */
struct Mixed {
    bool any;
    int least;
    ivec2 sums;
};
Mixed load_mixed(uint i)
{
    int w = int(words[i]);
    return Mixed((words[i] & 4095u) == 9u, w, ivec2(w >> 8, int(others[i])));
}
Mixed load_shorts(ivec2 x, uint i) { return Mixed((i & 4095u) == 9u, x.x, x); }
Mixed combine_mixed(Mixed a, Mixed b)
{
    return Mixed(a.any || b.any, min(a.least, b.least), a.sums + b.sums);
}
Mixed identity_mixed() { return Mixed(false, 0x7fffffff, ivec2(0)); }
ivec3 finish_mixed(Mixed a) { return ivec3(a.least, a.sums) * (a.any ? -1 : 1); }

/* Whether a segment starts. */
bool is_start(uint i) { return (others[i] & ((i & 4096u) != 0u ? 7u : 2047u)) == 3u; }

/* ---- Floats that are rounded ---- */

struct Welford {
    float count, mean, squares;
};
Welford load_welford(uint i) { return Welford(1.0, float(words[i] & 0xffffu) / 1024.0, 0.0); }
Welford combine_welford(Welford a, Welford b)
{
    float count = a.count + b.count;
    if (count == 0.0)
        return a;
    float difference = b.mean - a.mean;
    return Welford(count, a.mean + difference * (b.count / count),
                   a.squares + b.squares + difference * difference * (a.count * b.count / count));
}
Welford identity_welford() { return Welford(0.0, 0.0, 0.0); }
vec2 finish_welford(Welford a) { return vec2(a.mean, a.squares / max(a.count, 1.0)); }

/* Logarithm of a sum of exponentials. */
vec2 load_log_sum(uint i) { return vec2(float(words[i] & 0xffffu) / 2048.0, 1.0); }
vec2 combine_log_sum(vec2 a, vec2 b)
{
    float most = max(a.x, b.x);
    return vec2(most, a.y * exp(a.x - most) + b.y * exp(b.x - most));
}
vec2 identity_log_sum() { return vec2(-1e30, 0.0); }
float finish_log_sum(vec2 a) { return a.x + log(max(a.y, 1e-30)); }

#ifdef HAS_INT64
struct Long {
    uint64_t sum;
    uint count;
    int64_t least;
};
Long load_long(uint i)
{
    uint64_t w = uint64_t(words[i]) << 20 | uint64_t(others[i]);
    return Long(w, 1u, int64_t(w << 12));
}
Long combine_long(Long a, Long b)
{
    return Long(a.sum * 3ul + b.sum - a.sum * 2ul, a.count + b.count, min(a.least, b.least));
}
Long identity_long() { return Long(0ul, 0u, 0x7fffffffffffffffl); }

/* This module has no loops, so an invocation may get many elements. */
uvec2 load_each(uint x, uint i) { return uvec2(0x01000193u, x ^ i); }
uvec2 combine_each(uvec2 a, uvec2 b) { return uvec2(a.x * b.x, a.y * b.x + b.y); }
uvec2 identity_each() { return uvec2(1u, 0u); }

/* How many elements there are, and the sum of their indices. */
uvec2 load_index(uint i) { return uvec2(1u, i); }
uvec2 add_indices(uvec2 a, uvec2 b) { return a + b; }
uvec2 no_index() { return uvec2(0u); }
VKR_HOOKS(combine_long(load_long(0u), identity_long());
          combine_each(load_each(0u, 0u), identity_each());
          add_indices(load_index(0u), no_index()))
#else
VKR_HOOKS(is_start(0u);
          finish_hash(combine_hash(load_hash(0u), identity_hash()));
          combine_pairs(load_pairs(0u), identity_pairs());
          combine_least(load_pairs(0u), identity_least());
          finish_shear(combine_shear(load_shear(0u), identity_shear()));
          combine_wide(load_wide(0u), identity_wide());
          finish_first(combine_first(load_first(0u), identity_first()));
          finish_box(combine_box(load_box(0u), identity_box()));
          combine_top(load_top(0u), identity_top());
          finish_mixed(combine_mixed(load_mixed(0u), identity_mixed()));
          load_plain(0u, 0u); load_byte(0u, 0u); load_shorts(ivec2(0), 0u);
          finish_welford(combine_welford(load_welford(0u), identity_welford()));
          finish_log_sum(combine_log_sum(load_log_sum(0u), identity_log_sum())))
#endif
