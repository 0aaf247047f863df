/* SPDX-License-Identifier: MIT */
/*
 * Packs: 16 bytes that are loaded or stored at once, as four words, or, with -DVKR_PACKS_OF_U64, as
 * two words of 64 bits. CPU drivers move one word of each invocation at a time, and then have half
 * the words; GPU compilers generate the same code for both.
 */
#ifndef VKR_PACK_GLSL
#define VKR_PACK_GLSL

#ifdef VKR_PACKS_OF_U64
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#define VkrPack u64vec2

uvec4 vkr_words_of_pack(const u64vec2 pack)
{
    return uvec4(unpackUint2x32(pack.x), unpackUint2x32(pack.y));
}

u64vec2 vkr_pack_of_words(const uvec4 words)
{
    return u64vec2(packUint2x32(words.xy), packUint2x32(words.zw));
}
#else
#define VkrPack uvec4
#define vkr_words_of_pack(pack) (pack)
#define vkr_pack_of_words(words) (words)
#endif

#endif
