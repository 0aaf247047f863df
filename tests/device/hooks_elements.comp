/* SPDX-License-Identifier: MIT */
/* Functions that take elements, for the test hooks_elements.c: maps give the bits of each component
 * times 3 plus the index, and predicates a bit of all components' bits. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

#define BITS(e) floatBitsToUint(e)
uint of_float(float e, uint i) { return BITS(e) * 3u + i; }
uvec2 of_vec2(vec2 e, uint i) { return BITS(e) * 3u + i; }
uvec3 of_vec3(vec3 e, uint i) { return BITS(e) * 3u + i; }
uvec4 of_vec4(vec4 e, uint i) { return BITS(e) * 3u + i; }
int of_int(int e, uint i) { return e * 3 + int(i); }
ivec2 of_ivec2(ivec2 e, uint i) { return e * 3 + int(i); }
ivec3 of_ivec3(ivec3 e, uint i) { return e * 3 + int(i); }
ivec4 of_ivec4(ivec4 e, uint i) { return e * 3 + int(i); }
uint of_uint(uint e, uint i) { return e * 3u + i; }
uvec2 of_uvec2(uvec2 e, uint i) { return e * 3u + i; }
uvec3 of_uvec3(uvec3 e, uint i) { return e * 3u + i; }
uvec4 of_uvec4(uvec4 e, uint i) { return e * 3u + i; }

/* Of elements of at most 16 bits. */
float scaled(uint e, uint i) { return float(e) * 0.25 - float(i & 255u); }

bool test(uint bits, uint i) { return ((bits >> 3 ^ bits >> 31 ^ i) & 1u) != 0u; }
bool keep_float(float e, uint i) { return test(BITS(e), i); }
bool keep_vec2(vec2 e, uint i) { return test(BITS(e.x) ^ BITS(e.y), i); }
bool keep_vec3(vec3 e, uint i) { return test(BITS(e.x) ^ BITS(e.y) ^ BITS(e.z), i); }
bool keep_vec4(vec4 e, uint i) { return keep_vec3(e.xyz, i) != test(BITS(e.w), 0u); }
bool keep_int(int e, uint i) { return test(uint(e), i); }
bool keep_ivec2(ivec2 e, uint i) { return test(uint(e.x ^ e.y), i); }
bool keep_ivec3(ivec3 e, uint i) { return test(uint(e.x ^ e.y ^ e.z), i); }
bool keep_ivec4(ivec4 e, uint i) { return test(uint(e.x ^ e.y ^ e.z ^ e.w), i); }
bool keep_uint(uint e, uint i) { return test(e, i); }
bool keep_uvec2(uvec2 e, uint i) { return test(e.x ^ e.y, i); }
bool keep_uvec3(uvec3 e, uint i) { return test(e.x ^ e.y ^ e.z, i); }
bool keep_uvec4(uvec4 e, uint i) { return test(e.x ^ e.y ^ e.z ^ e.w, i); }

/* No hooks: what they take is neither. */
float of_matrix(mat2 e, uint i) { return e[0].x; }
float of_three(float e, uint i, uint k) { return e; }
float of_bool(bool e, uint i) { return e ? 1.0 : 0.0; }

VKR_HOOKS(of_float(0.0, 0u); of_vec2(vec2(0.0), 0u); of_vec3(vec3(0.0), 0u);
          of_vec4(vec4(0.0), 0u); of_int(0, 0u); of_ivec2(ivec2(0), 0u); of_ivec3(ivec3(0), 0u);
          of_ivec4(ivec4(0), 0u); of_uint(0u, 0u); of_uvec2(uvec2(0u), 0u);
          of_uvec3(uvec3(0u), 0u); of_uvec4(uvec4(0u), 0u); scaled(0u, 0u); keep_float(0.0, 0u);
          keep_vec2(vec2(0.0), 0u); keep_vec3(vec3(0.0), 0u); keep_vec4(vec4(0.0), 0u);
          keep_int(0, 0u); keep_ivec2(ivec2(0), 0u); keep_ivec3(ivec3(0), 0u);
          keep_ivec4(ivec4(0), 0u); keep_uint(0u, 0u); keep_uvec2(uvec2(0u), 0u);
          keep_uvec3(uvec3(0u), 0u); keep_uvec4(uvec4(0u), 0u); of_matrix(mat2(0.0), 0u);
          of_three(0.0, 0u, 0u); of_bool(true, 0u))
