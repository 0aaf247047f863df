/* SPDX-License-Identifier: MIT */
/* From the library's data to SPIR-V. Unpacking takes about a millisecond, far less than the
 * compilation that follows, so the unpacked module is not kept. */
#ifdef VKR_ZSTD
#define ZSTD_STATIC_LINKING_ONLY /* for a decompressor in memory that the caller allocates */
#include <zstd.h>
#endif

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

/* The values on which distances and changes depend. */
typedef struct operands {
    uint32_t base;
    uint32_t last[VKR_ARCHIVE_OPCODES][VKR_ARCHIVE_OPERANDS + 1];
} operands;

/* Reads operand k of an instruction; `how` is the opcode's row of vkr_written. */
static uint32_t read_operand(reader *r, operands *o, uint32_t opcode, uint32_t how, uint32_t k)
{
    const uint32_t slot = k < VKR_ARCHIVE_OPERANDS ? k : VKR_ARCHIVE_OPERANDS;
    uint32_t word = read_number(r);
    if (opcode >= VKR_ARCHIVE_OPCODES)
        return word;
    if ((how >> slot & 1) != 0)
        word = o->base - word;
    else if ((how >> (slot + VKR_ARCHIVE_CHANGES) & 1) != 0)
        word = o->last[opcode][slot] + (word >> 1 ^ ((word & 1) != 0 ? ~0u : 0));
    o->last[opcode][slot] = word;
    if (k == vkr_result_word(opcode) && word >= o->base)
        o->base = word + 1;
    return word;
}

static bool read_module(reader *r, uint32_t *words, uint32_t count)
{
    operands o = {.base = 1};
    for (uint32_t i = 0; i < VKR_ARCHIVE_HEADER; i++)
        words[i] = read_number(r);
    for (uint32_t at = VKR_ARCHIVE_HEADER; at < count;) {
        const uint32_t number = read_number(r);
        const uint32_t start = number < vkr_start_count ? vkr_starts[number] : 0;
        const uint32_t opcode = start & 0xffff, length = start >> 16;
        const uint32_t how = opcode < VKR_ARCHIVE_OPCODES ? vkr_written[opcode] : 0;
        if (length == 0 || length > count - at)
            return false;
        words[at] = start;
        for (uint32_t k = 1; k < length; k++)
            words[at + k] = read_operand(r, &o, opcode, how, k);
        at += length;
    }
    return true;
}

static size_t words_size(const vkr_kernel *kernel)
{
    return (kernel->words + 3u) / 4 * 4 * sizeof(uint32_t);
}

size_t vkr_unpack_size(uint32_t kernel)
{
    const vkr_kernel *k = &vkr_kernels[kernel];
    return words_size(k) + block_size(&vkr_blocks[k->block]);
}

const uint32_t *vkr_unpack(uint32_t kernel, void *memory)
{
    const vkr_kernel *k = &vkr_kernels[kernel];
    const vkr_block *block = &vkr_blocks[k->block];
    uint32_t *words = memory;
    const uint8_t *bytes = unpack_block(block, (char *)memory + words_size(k));
    if (!bytes)
        return NULL;
    reader r = {bytes + k->offset, bytes + block->size};
    return read_module(&r, words, k->words) ? words : NULL;
}
