/* SPDX-License-Identifier: MIT */
/*
 * metal DIRECTORY VARIANTS: writes each kernel's module as a driver gets it, with VARIANTS choices
 * of constants, to NAME-CHOICE.spv. Where the library does not give a driver on top of Metal some
 * choice, it is not written: scans by subgroup arithmetic are sums and products without segments
 * there, and so none of keys.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "../../src/plan/card.h"
#include "../../src/spirv/inline.h"
#include "../../src/spirv/prune.h"
#include "../../src/tables/kernels.h"

#define CONSTANTS 16u

static uint32_t draw(void)
{
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void draw_constants(const char *kernel, uint32_t *constants)
{
    static const uint32_t usual[] = {0, 1, 2, 3, 4, 8, 32, 64, 256, 0x155, 0xfff};
    for (uint32_t i = 0; i < CONSTANTS; i++)
        constants[i] = usual[draw() % (sizeof usual / sizeof usual[0])];
    if (strncmp(kernel, "tiles_", 6) == 0 && strstr(kernel, "_arithmetic")) {
        constants[VKR_CONST_OPS] = draw() % 2 ? VKR_BIT_SUM : VKR_BIT_PRODUCT;
        constants[VKR_CONST_FLAGS] &= ~(uint32_t)(VKR_SCAN_FLAG_HEADS | VKR_SCAN_FLAG_ROWS);
    }
}

static void *allocate(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        exit(1);
    return memory;
}

static void write_module(const char *directory, const char *kernel, uint32_t variant,
                         const uint32_t *words, size_t count)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s-%" PRIu32 ".spv", directory, kernel, variant);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(words, sizeof *words, count, file) != count || fclose(file)) {
        perror(path);
        exit(1);
    }
}

/* As the library does for each pipeline (core/pipeline.c): prunes the module, inlines its calls,
 * and prunes it again. */
static void rewrite(const char *directory, uint32_t kernel, uint32_t variant, const uint32_t *code)
{
    const char *name = vkr_kernel_name(kernel);
    uint32_t constants[CONSTANTS];
    size_t count = vkr_kernels[kernel].words;
    const size_t size = vkr_inline_size(code, count);
    void *memory = allocate(vkr_prune_size(code, count)), *more = allocate(size);
    draw_constants(name, constants);
    const uint32_t *left = vkr_prune(code, &count, constants, CONSTANTS, memory);
    if (!left)
        exit(1);
    left = vkr_inline(left, &count, more, size);
    void *last = allocate(vkr_prune_size(left, count));
    const uint32_t *end = vkr_prune(left, &count, constants, CONSTANTS, last);
    write_module(directory, name, variant, end ? end : left, count);
    free(last);
    free(more);
    free(memory);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (uint32_t kernel = 0; kernel < vkr_kernel_count; kernel++) {
        void *memory = allocate(vkr_unpack_size(kernel));
        const bool keyed = strncmp(vkr_kernel_name(kernel), "keyed_", 6) == 0;
        const uint32_t *code = keyed ? NULL : vkr_unpack(kernel, memory);
        for (uint32_t variant = 0; code && variant < strtoul(argv[2], NULL, 10); variant++)
            rewrite(argv[1], kernel, variant, code);
        free(memory);
    }
    return 0;
}
