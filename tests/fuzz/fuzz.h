/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzing targets share. A target is a program of its own with LLVMFuzzerTestOneInput: in
 * a build with -Dfuzz=true libFuzzer drives it; in every other build replay.c runs it on the files
 * of its corpus.
 *
 * The first bytes of an input choose how the target is used, the rest is what is read.
 *
 * An input that shows a mistake is added to the corpus, with a name that says what it was. To look
 * for such inputs:
 *
 *     CC=clang meson setup build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
 *     ninja -C build-fuzz
 *     build-fuzz/tests/fuzz/fuzz_npy -dict=tests/fuzz/npy.dict FOUND tests/fuzz/corpus/npy
 */
#ifndef VKR_TESTS_FUZZ_H
#define VKR_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program with a sentence, which libFuzzer and replay.c treat as a failure, unless the
 * condition holds. */
#define EXPECT(condition, ...) ((condition) ? (void)0 : fuzz_fail(#condition, __VA_ARGS__))
_Noreturn void fuzz_fail(const char *condition, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes that are used up from the front; when none are left, every number is 0. */
typedef struct fuzz_bytes {
    const uint8_t *at;
    size_t left;
} fuzz_bytes;

/* A number below `end`. It uses up one byte for each byte of end - 1. */
uint64_t fuzz_below(fuzz_bytes *bytes, uint64_t end);

/* The rest as a string, to be freed. It ends at the first zero. */
char *fuzz_text(const fuzz_bytes *bytes);

/* Returns the name of a file with this content, which ends with `suffix`. All calls write the same
 * file. */
const char *fuzz_file(const uint8_t *data, size_t size, const char *suffix);

#endif
