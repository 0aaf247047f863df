/* SPDX-License-Identifier: MIT */
/* How the runner reads files, from memory and without a device; sanitizers check the reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "input/flags.h"
#include "input/formats.h"
#include "status.h"
/* Included after the runner's headers, which declare a function with the name of one of its
 * macros. */
#include "unit.h"

#define FEW 6u /* values of the picture */

const char program_name[] = "inputs";

/* In place of libpng: every picture has one channel. */
int image_open(input *in, const input_options *opts)
{
    unsigned char *pixels = malloc(FEW);
    assert_non_null(pixels);
    (void)opts;
    for (unsigned i = 0; i < FEW; i++)
        pixels[i] = (unsigned char)(i % 2);
    input_use_memory(in, pixels, FEW);
    in->type = VKR_TYPE_U8;
    in->components = 1;
    return STATUS_DONE;
}

/* A .npy file in memory, in an array of exactly its size. */
static unsigned char *make_npy(const char *header, const void *values, size_t size, size_t *whole)
{
    const size_t length = strlen(header);
    *whole = 10 + length + size;
    unsigned char *file = malloc(*whole);
    assert_non_null(file);
    memcpy(file, "\x93NUMPY\x01", 7);
    file[7] = 0;
    file[8] = (unsigned char)(length & 0xff);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 10, header, length);
    memcpy(file + 10 + length, values, size);
    return file;
}

static int open_part(input *in, const unsigned char *file, size_t size)
{
    unsigned char *part = malloc(size + (size == 0));
    assert_non_null(part);
    memcpy(part, file, size);
    return input_open_memory(in, "part.npy", part, size, &(input_options){0});
}

/* Reads everything that the input announces. */
static void read_all(const input *in)
{
    unsigned char *values = malloc((size_t)in->size + 1);
    assert_non_null(values);
    assert_int_equal(input_read(in, 0, (size_t)in->size, values), STATUS_DONE);
    free(values);
}

static const char header[] = "{'descr': '>u4', 'fortran_order': True, 'shape': (2, 3), }\n";
static const unsigned char values[] = {0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2,
                                       0, 0, 0, 5, 0, 0, 0, 3, 0, 0, 0, 6};

TEST(test_order)
{
    size_t size;
    unsigned char *file = make_npy(header, values, sizeof values, &size);
    uint32_t found[6];
    input in;
    assert_int_equal(input_open_memory(&in, "whole.npy", file, size, &(input_options){0}),
                     STATUS_DONE);
    assert_int_equal(in.type, VKR_TYPE_U32);
    assert_int_equal(in.count, 6);
    assert_int_equal(in.columns, 3);
    assert_int_equal(input_load(&in, 0, 6, found), STATUS_DONE);
    for (uint32_t i = 0; i < 6; i++)
        assert_int_equal(found[i], i + 1);
    input_close(&in);
}

/* A file that is cut off anywhere is refused. */
TEST(test_truncated)
{
    size_t size;
    unsigned char *file = make_npy(header, values, sizeof values, &size);
    input in;
    for (size_t part = 0; part < size; part++) {
        assert_int_equal(open_part(&in, file, part), STATUS_USAGE);
        input_close(&in);
    }
    free(file);
}

/* With any value in any byte of the header, a file is either refused, or opened and then read as a
 * whole. */
TEST(test_mutated)
{
    size_t size, opened = 0;
    unsigned char *file = make_npy(header, values, sizeof values, &size);
    input in;
    for (size_t at = 0; at < size - sizeof values; at++) {
        const unsigned char byte = file[at];
        for (unsigned value = 0; value < 256; value++) {
            file[at] = (unsigned char)value;
            const int status = open_part(&in, file, size);
            assert_true(status == STATUS_DONE || status == STATUS_USAGE);
            if (status == STATUS_DONE)
                read_all(&in);
            opened += status == STATUS_DONE;
            input_close(&in);
        }
        file[at] = byte;
    }
    assert_in_range(opened, size - sizeof values, 256 * (size - sizeof values) / 2);
    free(file);
}

TEST(test_bounds)
{
    uint32_t found[6];
    size_t size;
    unsigned char *file = make_npy(header, values, sizeof values, &size);
    input in;
    assert_int_equal(input_open_memory(&in, "whole.npy", file, size, &(input_options){0}),
                     STATUS_DONE);
    assert_int_equal(input_read(&in, 4, 24, found), STATUS_USAGE);
    assert_int_equal(input_read(&in, 25, 0, found), STATUS_USAGE);
    assert_int_equal(input_read(&in, UINT64_MAX - 3, 8, found), STATUS_USAGE);
    assert_int_equal(input_read(&in, 24, 0, found), STATUS_DONE);
    input_close(&in);
}

/* There must be as many flags as elements: any other number is refused. */
TEST(test_flags)
{
    static const uint64_t counts[] = {0, FEW - 1, FEW + 1, UINT64_MAX - 1, UINT64_MAX};
    static const char name[] = "picture.png";
    char folder[] = "/tmp/inputs-XXXXXX";
    uint32_t bits = 0;
    input in;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs("\x89PNG\r\n\x1a\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        assert_int_equal(flags_open(&in, name, "PREDICATE", counts[i]), STATUS_USAGE);
        input_close(&in);
    }
    assert_int_equal(flags_open(&in, name, "PREDICATE", FEW), STATUS_DONE);
    assert_int_equal(flags_load(&in, 0, FEW, &bits), STATUS_DONE);
    assert_int_equal(bits, 0x2a);
    input_close(&in);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST(test_pipe)
{
    int ends[2];
    size_t size;
    unsigned char *file = make_npy(header, values, sizeof values, &size);
    input in;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], file, size), size);
    free(file);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    assert_int_equal(input_open(&in, "-", &(input_options){0}), STATUS_DONE);
    assert_int_equal(in.size, sizeof values);
    read_all(&in);
    input_close(&in);
    assert_int_equal(input_open(&in, "-", &(input_options){0}), STATUS_USAGE);
    input_close(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),   cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_mutated), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_flags),   cmocka_unit_test(test_pipe),
    };
    /* The tests cause thousands of messages. */
    if (freopen("/dev/null", "w", stderr) == NULL)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
