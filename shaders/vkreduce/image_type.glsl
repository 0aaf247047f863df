/* SPDX-License-Identifier: MIT */
/*
 * The types of the images that a kernel binds, by the names that cards use, and of the texels that
 * it fetches and stores.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32, where -DVKR_IMAGE_SIGNED=1 makes W32 signed too,
 * and with -DVKR_LOADS=VKR_LOADS_2D|ARRAY|3D.
 */
#ifndef VKR_IMAGE_TYPE_GLSL
#define VKR_IMAGE_TYPE_GLSL

#extension GL_EXT_samplerless_texture_functions : require

#if VKR_ELEMENT == VKR_CLASS_F32
#define VKR_TEXTURE(shape) texture##shape
#define VKR_LEVEL(shape) image##shape
#define VkrTexel vec4
#elif VKR_ELEMENT == VKR_CLASS_S32 || VKR_IMAGE_SIGNED
#define VKR_TEXTURE(shape) itexture##shape
#define VKR_LEVEL(shape) iimage##shape
#define VkrTexel ivec4
#else
#define VKR_TEXTURE(shape) utexture##shape
#define VKR_LEVEL(shape) uimage##shape
#define VkrTexel uvec4
#endif

#if VKR_LOADS == VKR_LOADS_2D
#define VKR_IMAGE_SHAPE 2D
#define VKR_POINT(at) ivec2((at).xy)
#elif VKR_LOADS == VKR_LOADS_ARRAY
#define VKR_IMAGE_SHAPE 2DArray
#define VKR_POINT(at) ivec3(at)
#else
#define VKR_IMAGE_SHAPE 3D
#define VKR_POINT(at) ivec3(at)
#endif
#define VKR_TEXTURE_OF(shape) VKR_TEXTURE(shape)
#define VKR_LEVEL_OF(shape) VKR_LEVEL(shape)
#define VkrSampledImage VKR_TEXTURE_OF(VKR_IMAGE_SHAPE)
#define VkrStorageImage VKR_LEVEL_OF(VKR_IMAGE_SHAPE)

#endif
