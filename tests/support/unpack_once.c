/* SPDX-License-Identifier: MIT */
/*
 * Some tests create hundreds of thousands of pipelines in thousands of contexts. To save time, each
 * module is unpacked once for all of them; and since no driver compiles it, it is neither pruned
 * nor inlined. The linker puts these functions in place of the library's (--wrap).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/spirv/inline.h"
#include "../../src/spirv/prune.h"
#include "../../src/core/unpack.h"

#define MAX_KERNELS 1024u

size_t __real_vkr_unpack_size(uint32_t kernel);
const uint32_t *__real_vkr_unpack(uint32_t kernel, void *memory);
size_t __wrap_vkr_unpack_size(uint32_t kernel);
const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory);
size_t __wrap_vkr_prune_size(const uint32_t *words, size_t count);
uint32_t *__wrap_vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                           uint32_t constant_count, void *memory);
size_t __wrap_vkr_inline_size(const uint32_t *words, size_t count);
const uint32_t *__wrap_vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size);

size_t __wrap_vkr_unpack_size(uint32_t kernel)
{
    /* The memory is rarely used, but its allocation can fail. */
    return vkr_kernels[kernel].words * sizeof(uint32_t);
}

const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory)
{
    static const uint32_t *modules[MAX_KERNELS];
    (void)memory;
    if (kernel >= MAX_KERNELS)
        abort();
    if (modules[kernel] == NULL) {
        void *place = malloc(__real_vkr_unpack_size(kernel));
        if (place == NULL)
            abort();
        modules[kernel] = __real_vkr_unpack(kernel, place);
    }
    return modules[kernel];
}

size_t __wrap_vkr_prune_size(const uint32_t *words, size_t count)
{
    return count * sizeof *words;
}

uint32_t *__wrap_vkr_prune(const uint32_t *words, size_t *count, const uint32_t *constants,
                           uint32_t constant_count, void *memory)
{
    (void)constants;
    (void)constant_count;
    return memcpy(memory, words, *count * sizeof *words);
}

size_t __wrap_vkr_inline_size(const uint32_t *words, size_t count)
{
    (void)words;
    (void)count;
    return 0;
}

const uint32_t *__wrap_vkr_inline(const uint32_t *words, size_t *count, void *memory, size_t size)
{
    (void)count;
    (void)memory;
    (void)size;
    return words;
}
