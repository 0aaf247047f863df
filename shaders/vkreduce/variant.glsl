/* SPDX-License-Identifier: MIT */
/*
 * The meaning of the specialisation constants of the kernels that read elements, and the extensions
 * that these share. Built with -DVKR_VECTOR=0|1 (several components),
 * -DVKR_BUILD_GROUP_PATH=VKR_BUILD_* and -DVKR_LOADS=VKR_LOADS_*.
 *
 * Here and in all kernels a parameter that its function does not change is const: glslang passes
 * such parameters by value, and others in a variable for each call, which doubles the SPIR-V.
 */
#ifndef VKR_VARIANT_GLSL
#define VKR_VARIANT_GLSL

/* VKR_AT(c) is the index of a component among those that an invocation reduces, and VKR_PLACE(c)
 * that among all components of an element. */
#if VKR_VECTOR
#define VKR_EACH(c) for (uint c = 0u; c < VKR_COMPONENTS; c++)
#define VKR_EACH_UNROLLED(c) [[unroll]] VKR_EACH(c)
#define VKR_AT(c) c
#define VKR_ALL_COMPONENTS VKR_COMPONENTS
#define VKR_PLACE(c) c
#else
/* One component needs no loops and indices, which not every driver can remove. The kernel
 * `neighbours` can reduce one of several components, which another invocation reduces. */
#ifdef VKR_OF_NEIGHBOURS
const uint VKR_ALL_COMPONENTS = VKR_COMPONENTS;
uint vkr_component;
#define VKR_PLACE(c) (VKR_ALL_COMPONENTS > 1u ? vkr_component : 0u)
#else
#define VKR_ALL_COMPONENTS 1u
#define VKR_PLACE(c) 0u
#endif
#define VKR_COMPONENTS 1u
#define VKR_EACH(c)
#define VKR_EACH_UNROLLED(c)
#define VKR_AT(c) 0u
#endif
const bool VKR_PROPAGATE_NAN = (VKR_FLAGS & VKR_FLAG_PROPAGATE_NAN) != 0u;
const bool VKR_WIDE_INDEX = (VKR_FLAGS & VKR_FLAG_WIDE_INDEX) != 0u;
/* Level device. Reductions support it on group path SHARED only. */
#if VKR_INPUTS == 2 && VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
const bool VKR_CANONICAL = false;
#else
const bool VKR_CANONICAL = (VKR_FLAGS & VKR_FLAG_CANONICAL) != 0u;
#endif
#if VKR_INPUTS == 2 || defined(VKR_OF_HISTOGRAM)
const bool VKR_MASKED = (VKR_FLAGS & VKR_FLAG_MASKED) != 0u;
#endif

/* A row is the invocations that a scan reaches: a subgroup by shuffles, the workgroup by shared
 * memory. Workgroups are powers of two, so no subgroup is partly filled unless the workgroup is
 * smaller than one; then the row has only its lanes. Whether a row is known to be the whole
 * workgroup is a constant, since CPU drivers execute both sides of a branch and take long to
 * compile barriers. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
const bool VKR_ONE_SUBGROUP = false;
const bool VKR_ONE_ROW = true;
const uint VKR_SLOTS = VKR_WORKGROUP; /* slots of shared memory, one value each */
#define VKR_ROW_SIZE VKR_WORKGROUP
#else
const bool VKR_ONE_SUBGROUP = VKR_SUBGROUPS == 1u;
const bool VKR_ONE_ROW = VKR_ONE_SUBGROUP;
const uint VKR_SLOTS = VKR_SUBGROUPS;
#define VKR_ROW_SIZE (VKR_ONE_SUBGROUP ? VKR_WORKGROUP : min(gl_SubgroupSize, VKR_WORKGROUP))
#endif

#extension GL_EXT_control_flow_attributes : require
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif

#endif
