/* SPDX-License-Identifier: MIT */
/* Output files. */
#ifndef RUNNER_OUTPUT_H
#define RUNNER_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct output {
    const char *name; /* NULL: not requested; "-": the standard output */
    char *path;       /* owned; the file to replace, with symbolic links resolved */
    char *temporary;  /* owned; the name of the file until it is complete; NULL: it has none */
    int file;
    void *shared;   /* what all ranks write until output_settle; NULL: one process writes */
    uint64_t start; /* bytes before the data of output_write */
} output;

/* Whether the name of an output is that of the standard output: "-" or "/dev/stdout". */
bool is_standard_output(const char *name);

/* output_close may follow a failed output_open, and does nothing to an output of zeros. An output
 * that was not finished leaves no file. Without a name nothing happens. Data for the standard
 * output stays in an unnamed temporary file until output_finish. */
int output_open(output *o, const char *name);
/* With several ranks (ranks.h): the same for an output that all of them write, each at its own
 * positions, until output_settle. All ranks call them. Outputs of output_open and those that are
 * settled belong to rank 0, and on others nothing happens to them. */
int output_open_shared(output *o, const char *name);
int output_settle(int status, output *o);
int output_write(const output *o, uint64_t offset, const void *data, uint64_t size);
int output_read(const output *o, uint64_t offset, void *data, uint64_t size);
/* A temporary file that has no name and disappears at the end; `name` is that of the data. */
int output_open_unnamed(output *o, const char *name);
int output_finish(output *o);
void output_close(output *o);

#endif
