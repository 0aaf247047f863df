/* SPDX-License-Identifier: MIT */
/*
 * Inlines all functions of a SPIR-V module into one.
 *
 * Drivers inline all functions. Mesa's driver for AMD then processes all copied code before it
 * simplifies anything, at a cost that grows with the square of its size: half of the time to
 * compile a pipeline of this library. Without calls that cost vanishes.
 */
#ifndef VKR_SPIRV_INLINE_H
#define VKR_SPIRV_INLINE_H

#include <stddef.h>
#include <stdint.h>

/* The size in bytes of the memory that inlining needs for a pruned module that had `count`
 * words. */
size_t vkr_inline_size(const uint32_t *words, size_t count);

/* Writes the module with all calls inlined to `memory`, which has `size` bytes, and sets *count.
 * The module must be valid and structured, with the blocks of each construct before its merge
 * block. Returns `words` itself, unchanged, if there are no calls, if the memory is too small, if a
 * function other than the entry point's returns inside a loop or a switch, or if the module has
 * something unsupported (module.h). */
const uint32_t *vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size);

#endif
