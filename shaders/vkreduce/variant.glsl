/* SPDX-License-Identifier: MIT */
/*
 * The specialisation constants and extensions that all kernels of elements share. Built with
 * -DVKR_VECTOR=0|1 (several components), -DVKR_RUNG=VKR_BUILD_* and -DVKR_LOADS=VKR_LOADS_*.
 *
 * Here and in all kernels a parameter that its function leaves as it is, is const: glslang hands
 * over such by value, others by a variable for each call, which takes twice the SPIR-V.
 */
#ifndef VKR_VARIANT_GLSL
#define VKR_VARIANT_GLSL

layout(local_size_x_id = VKR_CONST_WORKGROUP) in;
layout(constant_id = VKR_CONST_WORKGROUP) const uint VKR_WORKGROUP = 64;
layout(constant_id = VKR_CONST_OPS) const uint VKR_OPS = 1;
#if VKR_VECTOR
layout(constant_id = VKR_CONST_COMPONENTS) const uint VKR_COMPONENTS = 1;
#define VKR_EACH(c) for (uint c = 0u; c < VKR_COMPONENTS; c++)
#define VKR_AT(c) c
#else
/* One component without loops and indices, which not every driver can remove. */
#define VKR_COMPONENTS 1u
#define VKR_EACH(c)
#define VKR_AT(c) 0u
#endif
layout(constant_id = VKR_CONST_SIGNED) const bool VKR_SIGNED = false;
layout(constant_id = VKR_CONST_FLAGS) const uint VKR_FLAGS = 0;
layout(constant_id = VKR_CONST_INPUT) const uint VKR_INPUT = 0;
layout(constant_id = VKR_CONST_SUBGROUPS) const uint VKR_SUBGROUPS = 16;
layout(constant_id = VKR_CONST_PATH) const uint VKR_PATH = 0;
layout(constant_id = VKR_CONST_ORDER) const uint VKR_ORDER = 0;
layout(constant_id = VKR_CONST_BATCH) const uint VKR_BATCH = 1;
const bool VKR_PROPAGATE_NAN = (VKR_FLAGS & VKR_FLAG_PROPAGATE_NAN) != 0u;
const bool VKR_WIDE_INDEX = (VKR_FLAGS & VKR_FLAG_WIDE_INDEX) != 0u;
const bool VKR_CANONICAL = (VKR_FLAGS & VKR_FLAG_CANONICAL) != 0u;
const bool VKR_EXCLUSIVE = (VKR_FLAGS & VKR_FLAG_EXCLUSIVE) != 0u;
const bool VKR_REVERSE = (VKR_FLAGS & VKR_FLAG_REVERSE) != 0u;
const bool VKR_INITIAL = (VKR_FLAGS & (VKR_FLAG_INITIAL | VKR_FLAG_GPU_INITIAL)) != 0u;
const bool VKR_SEGMENTED = (VKR_FLAGS & (VKR_FLAG_HEADS | VKR_FLAG_ROWS)) != 0u;

#if VKR_RUNG != VKR_BUILD_SHARED
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#if VKR_RUNG == VKR_BUILD_ARITHMETIC
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

#if VKR_LOADS == VKR_LOADS_U64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif

#endif
