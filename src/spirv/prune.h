/* SPDX-License-Identifier: MIT */
/*
 * Takes out of a SPIR-V module what its specialisation constants exclude.
 *
 * A kernel's module is for all variants of a family. Drivers inline its functions first, and only
 * then find out that most branches are never taken, so that most of the time that a pipeline takes
 * to compile goes to code that it does not have. Here branches whose condition follows from the
 * constants become unconditional, and blocks and functions that nothing reaches any more are left
 * out. The constants stay specialisation constants, and nothing else changes.
 */
#ifndef VKR_SPIRV_PRUNE_H
#define VKR_SPIRV_PRUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size in bytes of the memory that pruning a module of `count` words needs. */
size_t vkr_prune_size(const uint32_t *words, size_t count);

/* Writes the module without what constants 0 to constant_count - 1 exclude into such memory, which
 * must be aligned as malloc aligns, and sets *count to how many words are left. The module has to
 * be valid and structured. Returns NULL where it has something that this does not know (module.h,
 * or a continue construct that does not return to its loop's header): then the module has to stay
 * as it is. */
uint32_t *vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                    uint32_t constant_count, void *memory);

#endif
