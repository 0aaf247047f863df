/* SPDX-License-Identifier: MIT */
/* What differs between operating systems: files, whose names are UTF-8 on all of them, the
 * terminal, and other programs. Functions that fail set errno. */
#ifndef RUNNER_SYSTEM_H
#define RUNNER_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef _WIN32
#define strcasecmp _stricmp
#define strncasecmp _strnicmp
#else
#include <strings.h>
#endif

/* Prepares the standard streams, and replaces the arguments by those of the command line in UTF-8.
 * Returns false if memory is exhausted. */
bool system_start(int *argc, char ***argv);

/* ---- Files ---- */

enum { STANDARD_OUTPUT = 1 };

typedef enum file_kind { KIND_FILE, KIND_FOLDER, KIND_DISK, KIND_OTHER } file_kind;

typedef struct file_state {
    file_kind kind;
    uint64_t size;     /* of a file or a disk; otherwise 0 */
    uint64_t position; /* of the next byte to read; 0 where there are no positions */
    uint32_t mode;     /* who may use the file, where files have modes */
} file_state;

/* They return false if it cannot be known, or if there is no file of that name. */
bool file_examine(int file, file_state *state);
bool file_find(const char *name, file_state *state);

/* Open a file; -1 means failure. file_open reads a file, and does not wait for the writer of a
 * FIFO. file_create makes a new file to write and read, with the mode of `before` if that is not
 * NULL. file_create_unnamed makes a temporary file that no other program sees and that disappears
 * when the program ends. */
int file_open(const char *name);
int file_open_standard_input(void);
int file_create(const char *name, const file_state *before);
int file_create_unnamed(void);
FILE *file_create_stream(void); /* the same; NULL means failure */
bool file_close(int file);

/* A file that takes everything and keeps nothing. */
extern const char null_file[];

/* The folder of temporary files, and the name of the variable that sets it. */
const char *temporary_folder(void);
extern const char temporary_variable[];

/* Read and write at any position of a file; the position of the next byte stays. They return the
 * number of bytes, which may be fewer, 0 at the end, or -1 after a failure. */
ptrdiff_t file_read(int file, void *data, size_t size, uint64_t offset);
ptrdiff_t file_write(int file, const void *data, size_t size, uint64_t offset);

/* Do the same at the position of the next byte, and wait for the other end of a pipe. They fail
 * with EINTR if a signal ends the wait. */
ptrdiff_t file_read_next(int file, void *data, size_t size);
ptrdiff_t file_write_next(int file, const void *data, size_t size);

/* Returns the name to which symbolic links lead, even if there is no such file; NULL means failure.
 * The name is from malloc. */
char *file_target(const char *name);

/* Renames a file, which replaces another one, so that at no time a program finds only a part. */
bool file_replace(const char *from, const char *to);
bool file_remove(const char *name);   /* fails with EISDIR if it is a folder */
bool folder_create(const char *name); /* fails with EEXIST if there is one */
bool folder_remove(const char *name); /* fails if it is not empty */

/* ---- Terminal and programs ---- */

/* The number of columns of the terminal that stderr is; 0 if it is none. */
int terminal_columns(void);

/* Reads a clock, in seconds. */
double clock_seconds(void);

/* Runs a program with files as its standard input, output and error (-1: none), and waits. Returns
 * an error number; *ended is 0 if the program succeeded. */
int run_program(char *const arguments[], int in, int out, int err, int *ended);
int stream_file(FILE *stream);
long process_number(void);

#endif
