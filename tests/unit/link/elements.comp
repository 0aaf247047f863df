// SPDX-License-Identifier: MIT
// Users' functions that take elements. Each has a number of its own, starting at 1015.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(set = 1, binding = 0) buffer Values {
    vec4 values[];
};

float value_float(float e, uint i) { return e + float(i) + 1015.0; }
vec3 value_vec3(vec3 e, uint i) { return e * 1016.0; }
bool value_bool(ivec2 e, uint i) { return e.x + e.y == 1017; }
uvec4 value_uvec4(uvec4 e, uint i) { return e * 1018u; }
ivec2 value_double(double e, uint i) { return ivec2(e > 0.0LF ? 1019u : i); }
uint value_u64vec2(u64vec2 e, uint i) { return uint((e.x ^ e.y) >> i) * 1020u; }

void main()
{
    const bool b = value_bool(ivec2(0), 1u) || value_double(1.0LF, 1u).x > 0;
    const vec3 v = value_float(1.0, 1u) * value_vec3(vec3(1.0), 1u);
    const uint e = value_uvec4(uvec4(1u), 1u).x + value_u64vec2(u64vec2(1ul), 1u);
    values[e] = vec4(v, b ? 1.0 : 0.0);
}
