/* SPDX-License-Identifier: MIT */
/* Turns the library's data into SPIR-V. Unpacking takes about half a millisecond, which is little
 * compared with the compilation that follows, so nothing is kept. */
#ifdef VKR_ZSTD
#define ZSTD_STATIC_LINKING_ONLY /* for a decompressor in memory that the caller allocates */
#include <zstd.h>
#endif

#include <string.h>

#include "../spirv/grammar.h"
#include "unpack.h"

/* ---- Blocks ---- */

#ifdef VKR_ZSTD
static size_t workspace_size(void)
{
    return (ZSTD_estimateDCtxSize() + 15) / 16 * 16;
}

static size_t block_size(const vkr_block *block)
{
    return workspace_size() + block->size;
}

static const uint8_t *unpack_block(const vkr_block *block, char *memory)
{
    ZSTD_DCtx *context = ZSTD_initStaticDCtx(memory, workspace_size());
    char *unpacked = memory + workspace_size();
    if (!context || ZSTD_decompressDCtx(context, unpacked, block->size, block->data,
                                        block->packed) != block->size)
        return NULL;
    return (const uint8_t *)unpacked;
}
#else
static size_t block_size(const vkr_block *block)
{
    (void)block;
    return 0;
}

static const uint8_t *unpack_block(const vkr_block *block, char *memory)
{
    (void)memory;
    return (const uint8_t *)block->data;
}
#endif

/* ---- Modules ---- */

typedef struct reader {
    const uint8_t *at;
    const uint8_t *end;
} reader;

/* Returns 0 at the end of the data. */
static uint32_t read_number(reader *r)
{
    uint32_t number = 0;
    for (uint32_t shift = 0; r->at < r->end && shift < 32; shift += 7) {
        const uint32_t digit = *r->at++;
        number |= (digit & 127) << shift;
        if (digit < 128)
            break;
    }
    return number;
}

/* The ids of a module that have occurred. */
typedef struct ids {
    uint32_t unused;  /* the lowest id that has not occurred */
    uint32_t *shared; /* of each declaration: its id, or 0 */
} ids;

/* Returns 0 if the data is damaged. */
static uint32_t read_id(reader *r, ids *known)
{
    const uint32_t number = read_number(r);
    uint32_t id = known->unused - number / 2;
    if (number % 2 == 0) {
        if (number / 2 >= vkr_shared_count)
            return 0;
        uint32_t *shared = &known->shared[number / 2];
        *shared = *shared != 0 ? *shared : known->unused;
        id = *shared;
    }
    known->unused += id == known->unused;
    return id;
}

static bool read_instruction(reader *r, ids *known, uint32_t *instruction, uint32_t room)
{
    const uint32_t start = read_number(r);
    vkr_operands operands;
    instruction[0] = start < vkr_start_count ? vkr_starts[start] : 0;
    vkr_start_operands(&operands, instruction);
    const uint32_t length = vkr_length_of(instruction);
    if (length == 0 || length > room)
        return false;
    for (uint32_t k = 1; k < length; k++) {
        const vkr_word kind = vkr_next_word(&operands);
        if (kind == VKR_WORD_UNKNOWN)
            return false;
        instruction[k] = kind == VKR_WORD_LITERAL ? read_number(r) : read_id(r, known);
    }
    return true;
}

static bool read_module(reader *r, uint32_t *words, uint32_t count, uint32_t *shared)
{
    ids known = {1, memset(shared, 0, vkr_shared_count * sizeof *shared)};
    for (uint32_t i = 0; i < VKR_SPIRV_HEADER; i++)
        words[i] = read_number(r);
    for (uint32_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at))
        if (!read_instruction(r, &known, words + at, count - at))
            return false;
    return true;
}

/* Sizes in bytes, which keep the memory after them aligned. */
static size_t aligned(size_t size)
{
    return (size + 15) / 16 * 16;
}

static size_t words_size(const vkr_kernel *kernel)
{
    return aligned(kernel->words * sizeof(uint32_t));
}

static size_t shared_size(void)
{
    return aligned(vkr_shared_count * sizeof(uint32_t));
}

size_t vkr_unpack_size(uint32_t kernel)
{
    const vkr_kernel *k = &vkr_kernels[kernel];
    return words_size(k) + shared_size() + block_size(&vkr_blocks[k->block]);
}

const uint32_t *vkr_unpack(uint32_t kernel, void *memory)
{
    const vkr_kernel *k = &vkr_kernels[kernel];
    const vkr_block *block = &vkr_blocks[k->block];
    uint32_t *words = memory;
    char *shared = (char *)memory + words_size(k);
    const uint8_t *bytes = unpack_block(block, shared + shared_size());
    if (!bytes)
        return NULL;
    reader r = {bytes + k->offset, bytes + block->size};
    return read_module(&r, words, k->words, (uint32_t *)(void *)shared) ? words : NULL;
}
