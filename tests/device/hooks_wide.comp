/* SPDX-License-Identifier: MIT */
/* Functions that take elements of 64 bits, for the test hooks_elements.c. */
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"

uvec2 of_double(double e, uint i) { return unpackDouble2x32(e) * 3u + i; }
uvec4 of_dvec2(dvec2 e, uint i) { return uvec4(of_double(e.x, i), of_double(e.y, i)); }
ivec2 of_long(int64_t e, uint i) { return ivec2(unpackUint2x32(uint64_t(e))) * 3 + int(i); }
uvec2 of_ulong(uint64_t e, uint i) { return unpackUint2x32(e) * 3u + i; }
uvec4 of_u64vec2(u64vec2 e, uint i) { return uvec4(of_ulong(e.x, i), of_ulong(e.y, i)); }

bool test(uvec2 w, uint i) { return (((w.x ^ w.y) >> 3 ^ (w.x ^ w.y) >> 31 ^ i) & 1u) != 0u; }
bool keep_double(double e, uint i) { return test(unpackDouble2x32(e), i); }
bool keep_long(int64_t e, uint i) { return test(unpackUint2x32(uint64_t(e)), i); }
bool keep_u64vec2(u64vec2 e, uint i) { return test(unpackUint2x32(e.x ^ e.y), i); }

/* No hook: it takes more than 16 bytes. */
float of_dvec3(dvec3 e, uint i) { return float(e.x); }

VKR_HOOKS(of_double(0.0LF, 0u); of_dvec2(dvec2(0.0), 0u); of_long(0l, 0u); of_ulong(0ul, 0u);
          of_u64vec2(u64vec2(0ul), 0u); keep_double(0.0LF, 0u); keep_long(0l, 0u);
          keep_u64vec2(u64vec2(0ul), 0u); of_dvec3(dvec3(0.0), 0u))
