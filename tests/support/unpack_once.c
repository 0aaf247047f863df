/* SPDX-License-Identifier: MIT */
/*
 * Some tests make hundreds of thousands of pipelines in thousands of contexts. So that they
 * do not spend their time on unpacking the same modules, each is unpacked once for all of them: the
 * linker puts these in place of the library's functions (--wrap).
 */
#include <stdint.h>
#include <stdlib.h>

#include "../../src/core/unpack.h"

#define MOST_KERNELS 1024u

size_t __real_vkr_unpack_size(uint32_t kernel);
const uint32_t *__real_vkr_unpack(uint32_t kernel, void *memory);
size_t __wrap_vkr_unpack_size(uint32_t kernel);
const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory);

size_t __wrap_vkr_unpack_size(uint32_t kernel)
{
    /* The memory is seldom used, but its allocation may fail. */
    return vkr_kernels[kernel].words * sizeof(uint32_t);
}

const uint32_t *__wrap_vkr_unpack(uint32_t kernel, void *memory)
{
    static const uint32_t *modules[MOST_KERNELS];
    (void)memory;
    if (kernel >= MOST_KERNELS)
        abort();
    if (modules[kernel] == NULL) {
        void *place = malloc(__real_vkr_unpack_size(kernel));
        if (place == NULL)
            abort();
        modules[kernel] = __real_vkr_unpack(kernel, place);
    }
    return modules[kernel];
}
