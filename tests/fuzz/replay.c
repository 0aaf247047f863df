/* SPDX-License-Identifier: MIT */
/* TARGET FOLDER: runs a target on each file of its corpus. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define MAX_FILES 1000
#define MAX_INPUT_BYTES 65536

/* The standard output, which a target may close. */
static FILE *tap;

static void replay(const char *folder, const char *name)
{
    char path[1024];
    uint8_t bytes[MAX_INPUT_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL, "%s: it cannot be opened", path);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    EXPECT(size < sizeof bytes, "%s: it has more than %d bytes", path, MAX_INPUT_BYTES);
    /* The data get an array of their own, so that a sanitizer knows where it ends. */
    uint8_t *data = malloc(size + 1);
    EXPECT(data != NULL, "no memory");
    memcpy(data + 1, bytes, size);
    (void)LLVMFuzzerTestOneInput(data + 1, size);
    free(data);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
    struct dirent **files;
    if (argc != 2)
        return EXIT_FAILURE;
    const int count = scandir(argv[1], &files, is_input, by_name);
    EXPECT(count > 0 && count <= MAX_FILES, "%s: it has %d files", argv[1], count);
    tap = fdopen(dup(STDOUT_FILENO), "w");
    EXPECT(tap != NULL, "there is no standard output");
    setvbuf(tap, NULL, _IOLBF, BUFSIZ);
    (void)LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 0; i < count; i++) {
        fprintf(tap, "# %s\n", files[i]->d_name);
        replay(argv[1], files[i]->d_name);
        fprintf(tap, "ok %d - %s\n", i + 1, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    fprintf(tap, "1..%d\n", count);
    fclose(tap);
    return EXIT_SUCCESS;
}
