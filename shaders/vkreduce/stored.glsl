/* SPDX-License-Identifier: MIT */
/*
 * The types of elements in memory, by the names that cards use: one element (VkrStored), the
 * elements of a load (VkrLoad), and the unit in which reductions store results (VkrOutputUnit).
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_* and -DVKR_LOADS=VKR_LOADS_*.
 */
#ifndef VKR_STORED_GLSL
#define VKR_STORED_GLSL

#include "pack.glsl"

#if VKR_ELEMENT == VKR_CLASS_W8
#extension GL_EXT_shader_8bit_storage : require
#define VkrStored uint8_t
#define VKR_BYTES 1
#elif VKR_ELEMENT == VKR_CLASS_W16 || VKR_ELEMENT == VKR_CLASS_F16
#extension GL_EXT_shader_16bit_storage : require
#define VkrStored uint16_t
#define VKR_BYTES 2
#elif VKR_ELEMENT == VKR_CLASS_W32 || VKR_ELEMENT == VKR_CLASS_F32
#define VkrStored uint
#define VKR_BYTES 4
#else
#define VkrStored uvec2
#define VKR_BYTES 8
#endif

#if VKR_BYTES == 8
#define VkrOutputUnit uint
#define VKR_OUTPUT_BYTES 4u
#else
#define VkrOutputUnit VkrStored
#define VKR_OUTPUT_BYTES uint(VKR_BYTES)
#endif

#if VKR_LOADS == VKR_LOADS_U64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define VkrLoad u64vec4
#else
#define VkrLoad VkrPack
#endif

#define VKR_OF_IMAGE (VKR_LOADS >= VKR_LOADS_2D)
#if VKR_OF_IMAGE
#include "image_type.glsl"
#endif

#endif
