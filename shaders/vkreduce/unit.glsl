/* SPDX-License-Identifier: MIT */
/* The unit in which kernels move data of which they know only the size (VkrUnit), by the name that
 * cards use. Built with -DVKR_UNIT_BYTES=1|2|4|8|16; without it, a unit is a word. */
#ifndef VKR_UNIT_GLSL
#define VKR_UNIT_GLSL

#include "pack.glsl"

#if VKR_UNIT_BYTES == 1
#extension GL_EXT_shader_8bit_storage : require
#define VkrUnit uint8_t
#elif VKR_UNIT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#define VkrUnit uint16_t
#elif VKR_UNIT_BYTES == 16
#define VkrUnit VkrPack
#elif VKR_UNIT_BYTES == 8 && defined(VKR_PACKS_OF_U64)
#define VkrUnit uint64_t
#elif VKR_UNIT_BYTES == 8
#define VkrUnit uvec2
#else
#define VkrUnit uint
#endif

#endif
