/* SPDX-License-Identifier: MIT */
/*
 * Removes from a SPIR-V module the code that its specialisation constants exclude.
 *
 * A kernel's module is for all variants of a family. Drivers inline its functions first, and only
 * then find that most branches are never taken, so they spend most of the compile time of a
 * pipeline on code that it never runs. Pruning makes branches unconditional if their condition
 * follows from the constants, and removes blocks and functions that have become unreachable. The
 * constants stay specialisation constants, and nothing else changes.
 */
#ifndef VKR_SPIRV_PRUNE_H
#define VKR_SPIRV_PRUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size in bytes of the memory that pruning a module of `count` words needs. */
size_t vkr_prune_size(const uint32_t *words, size_t count);

/* Writes the module without the code that constants 0 to constant_count - 1 exclude to memory of
 * that size, which must be aligned as malloc aligns, and sets *count to the number of words
 * written. The module must be valid and structured. Returns NULL if it has something unsupported
 * (module.h, or a continue construct that does not return to its loop's header): then the original
 * module must be used. */
uint32_t *vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                    uint32_t constant_count, void *memory);

#endif
