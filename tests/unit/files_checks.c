/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <unistd.h>
#include "files.h"

void put(sample *s, const void *data, size_t size)
{
    assert_in_range(size, 0, MAX_INPUT_BYTES - s->size);
    memcpy(s->file + s->size, data, size);
    s->size += size;
}

void put_value(sample *s, const void *value)
{
    const size_t size = vkrTypeSize(s->type);
    assert_in_range(size, 0, MAX_INPUT_BYTES - s->used);
    memcpy(s->values + s->used, value, size);
    s->used += size;
}

/* The number of elements in the first `size` bytes of the file, or -1 if these must be refused.
 * Only a raw file can be valid before its end. */
static int64_t count_in(const sample *s, size_t size)
{
    const uint64_t element = (uint64_t)vkrTypeSize(s->type) * s->components;
    const uint64_t stride = s->opts.stride != 0 ? s->opts.stride : element;
    if (s->opts.type == VKR_TYPE_UNDEFINED)
        return size == s->size ? (int64_t)(s->used / element) : -1;
    if (size == 0 || (size % stride != 0 && size % stride < element))
        return -1;
    return (int64_t)(size / stride + (size % stride != 0));
}

static void check_values(const sample *s, const input *in, int64_t count)
{
    const size_t element = (size_t)vkrTypeSize(s->type) * s->components;
    unsigned char found[MAX_INPUT_BYTES];
    assert_int_equal(in->type, s->type);
    assert_int_equal(in->components, s->components);
    assert_int_equal(in->count, count);
    for (int64_t i = 0; i < count; i++) {
        assert_true(said_right(input_load(in, (uint64_t)i, 1, found)));
        assert_memory_equal(found, s->values + (size_t)i * element, element);
    }
}

static void check_opened(const sample *s, const char *name, size_t size, int64_t count)
{
    input in;
    said_nothing();
    const bool opened = said_right(input_open(&in, name, &s->opts));
    if (opened != (count >= 0))
        fail_msg("%zu of %zu bytes of a file of '%s': %s", size, s->size, s->end, said());
    if (opened)
        check_values(s, &in, count);
    input_close(&in);
}

/* Checks the first `size` bytes of the file through a pipe. */
static void check_piped(const sample *s, size_t size)
{
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], s->file, size), size);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    check_opened(s, name, size, count_in(s, size));
    close(ends[0]);
}

void check_file_cuts(const sample *s)
{
    for (size_t size = 0; size <= s->size; size++)
        check_opened(s, fuzz_file(s->file, size, s->end), size, count_in(s, size));
}

void check_cuts(const sample *s)
{
    check_file_cuts(s);
    for (size_t size = 0; size <= s->size; size++)
        check_piped(s, size);
}

void check_refused(const sample *s, const char *words)
{
    input in;
    said_nothing();
    assert_false(said_right(input_open(&in, fuzz_file(s->file, s->size, s->end), &s->opts)));
    input_close(&in);
    if (strstr(said(), words) == NULL)
        fail_msg("'%s' does not say '%s'", said(), words);
}

void check_interrupted(const sample *s)
{
    input in;
    said_nothing();
    assert_int_equal(input_open(&in, fuzz_file(s->file, s->size, s->end), &s->opts),
                     STATUS_INTERRUPTED);
    assert_non_null(strstr(said(), "SIGTERM"));
    input_close(&in);
}
