/* SPDX-License-Identifier: MIT */
/*
 * The embedded SPIR-V modules: shaders/pack.c writes them, and unpack.c reads them.
 *
 * A module is a row of numbers, each in groups of 7 bits, lowest first, with bit 7 set in all
 * except the last: the words of its header; then for each instruction the place of its first word
 * in vkr_starts, which has its opcode and its length, and its operands.
 *
 * A literal is written as it is, and an id as what it names. Declarations, which are the results
 * before the first function, have numbers that all modules share: 2 * number. Any other id is
 * written as its distance from the lowest id that has not occurred yet in the module: 2 * distance
 * + 1. Ids count up from 1 in the order in which they occur, so a new id has the distance 0, and a
 * declaration gets the lowest unused id where its number first occurs.
 */
#ifndef VKR_UNPACK_H
#define VKR_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Modules lie in blocks, which are unpacked as a whole. */
typedef struct vkr_block {
    const uint64_t *data;
    size_t packed; /* bytes of data */
    size_t size;   /* bytes of all its modules; equal to `packed` without zstd */
} vkr_block;
extern const vkr_block vkr_blocks[];

typedef struct vkr_kernel {
    uint32_t block : 8;
    uint32_t offset : 24; /* bytes, in the unpacked block */
    uint16_t words;       /* of SPIR-V */
    uint16_t name;        /* where it starts in the names: a pointer would need a relocation */
} vkr_kernel;
extern const vkr_kernel vkr_kernels[];
extern const char vkr_kernel_names[]; /* one after the other, each with a 0 at its end */

/* The name of a kernel, such as "reduce_w32_arithmetic". */
static inline const char *vkr_kernel_name(uint32_t kernel)
{
    return vkr_kernel_names + vkr_kernels[kernel].name;
}

extern const uint32_t vkr_start_count;
extern const uint32_t vkr_starts[]; /* first words of instructions */
extern const uint32_t vkr_shared_count;

/* The size in bytes of the memory that unpacking a kernel's module needs. */
size_t vkr_unpack_size(uint32_t kernel);

/* Unpacks the module's SPIR-V into memory of that size, which must be aligned as malloc aligns.
 * Returns NULL if the data is damaged. It keeps no state, so any threads may call it. */
const uint32_t *vkr_unpack(uint32_t kernel, void *memory);

#endif
