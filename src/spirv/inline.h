/* SPDX-License-Identifier: MIT */
/*
 * Makes a SPIR-V module one function.
 *
 * Drivers inline all functions. Mesa's for AMD then goes over all that this copied, before anything
 * has been simplified, at a cost that grows with its square: half of the time that it takes to
 * compile a pipeline of ours. Where there are no calls, it does not.
 */
#ifndef VKR_SPIRV_INLINE_H
#define VKR_SPIRV_INLINE_H

#include <stddef.h>
#include <stdint.h>

/* The size in bytes of the memory that inlining needs, for what is left of a module of `count`
 * words. */
size_t vkr_inline_size(const uint32_t *words, size_t count);

/* Writes the module into such memory, of which `size` bytes are there, with all calls inlined, and
 * sets *count. The module has to be valid and structured, with the blocks of each construct before
 * the one where it ends. Returns the words themselves, as they are, where there are no calls, the
 * memory is too small, a function other than the entry point's returns inside a loop or a switch,
 * or there is something that this does not know (module.h). */
const uint32_t *vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size);

#endif
