/* SPDX-License-Identifier: MIT */
/* Files that are written. */
#ifndef RUNNER_OUTPUT_H
#define RUNNER_OUTPUT_H

#include <stdint.h>

typedef struct output {
    const char *name; /* NULL: not asked for */
    char *path;       /* owned; where the name leads: the file that is replaced */
    char *temporary;  /* owned; the file until it is whole */
    int file;
    uint64_t start; /* of what output_write writes */
} output;

/* output_close may follow a failed output_open. An output that was not finished leaves no file.
 * Without a name nothing happens. */
int output_open(output *o, const char *name);
int output_write(const output *o, uint64_t offset, const void *data, uint64_t size);
int output_read(const output *o, uint64_t offset, void *data, uint64_t size);
int output_finish(output *o);
void output_close(output *o);

#endif
