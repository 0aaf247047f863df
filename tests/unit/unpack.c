/* SPDX-License-Identifier: MIT */
/* unpack MODULE..: checks that what the library unpacks is what was compiled, word for word. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/tables/kernels.h"
#include "../../src/core/unpack.h"

/* The kernel that a path names, or vkr_kernel_count. */
static uint32_t kernel_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strcspn(name, ".");
    uint32_t kernel = 0;
    while (kernel < vkr_kernel_count && (strlen(vkr_kernel_name(kernel)) != length ||
                                         memcmp(vkr_kernel_name(kernel), name, length) != 0))
        kernel++;
    return kernel;
}

static const char *compare(const char *path)
{
    const uint32_t kernel = kernel_of(path);
    if (kernel == vkr_kernel_count)
        return "the library does not have it";
    const size_t size = vkr_kernels[kernel].words * sizeof(uint32_t);
    void *memory = malloc(vkr_unpack_size(kernel));
    char *wanted = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    const char *wrong = NULL;
    if (!memory || !wanted || !file) {
        wrong = "it cannot be read";
    } else {
        const uint32_t *code = vkr_unpack(kernel, memory);
        if (!code)
            wrong = "it cannot be unpacked";
        else if (fread(wanted, 1, size + 1, file) != size)
            wrong = "it has another size";
        else if (memcmp(code, wanted, size) != 0)
            wrong = "it has other words";
    }
    if (file)
        (void)fclose(file);
    free(wanted);
    free(memory);
    return wrong;
}

int main(int argc, char **argv)
{
    int failed = (uint32_t)argc - 1 != vkr_kernel_count;
    if (failed)
        printf("# there are %d modules, but the library has %u\n", argc - 1, vkr_kernel_count);
    for (int i = 1; i < argc; i++) {
        const char *wrong = compare(argv[i]);
        failed += wrong != NULL;
        if (wrong)
            printf("# %s: %s\n", argv[i], wrong);
    }
    printf("%sok 1 - %d modules are unpacked as they were compiled\n1..1\n", failed ? "not " : "",
           argc - 1);
    return failed != 0;
}
