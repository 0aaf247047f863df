/* SPDX-License-Identifier: MIT */
/* NumPy's .npy files: magic, version, length of a header, a Python dictionary as text, values. */
#include <stdlib.h>
#include <string.h>
#include "input/formats.h"
#include "input/npy_header.h"
#include "status.h"

#define MAX_HEADER (1u << 20)
#define PORTION (1u << 20) /* bytes converted to C order at a time */

/* The bytes of the values of an element. */
static uint64_t value_size(const npy_header *h)
{
    return vkrTypeSize(h->values.type) * h->values.count;
}

/* Computes the size of the values from the header, and compares the file's size with it. */
static int check_shape(input *in, const npy_header *h, uint64_t available)
{
    uint64_t elements = 1;
    if (h->dimensions > MAX_DIMENSIONS)
        return fail(STATUS_USAGE, "%s: its array has %u dimensions; it must have at most %u",
                    in->name, h->dimensions, MAX_DIMENSIONS);
    for (uint32_t d = 0; d < h->dimensions; d++) {
        if (h->shape[d] == UINT64_MAX ||
            (h->shape[d] != 0 && elements > UINT64_MAX / h->element / h->shape[d]))
            return fail(STATUS_USAGE, "%s: its shape is too large; it must stay below 2^64 bytes",
                        in->name);
        elements *= h->shape[d];
    }
    if (elements * h->element != available)
        return fail(STATUS_USAGE, "%s: its header promises %llu bytes of values and %llu follow%s",
                    in->name, (unsigned long long)(elements * h->element),
                    (unsigned long long)available,
                    elements * h->element > available ? ": the file is truncated"
                                                      : "; there must be nothing after them");
    in->size = elements * value_size(h);
    in->dimensions = h->dimensions;
    memcpy(in->shape, h->shape, h->dimensions * sizeof *h->shape);
    in->columns = h->dimensions == 2 ? h->shape[1] * h->values.count : 0;
    return STATUS_DONE;
}

/* Uses only the values of the chosen field of each element. */
static void use_values(input *in, const npy_header *h)
{
    in->type = h->values.type;
    in->is_field = h->values.is_field;
    in->components = h->values.count > 1 ? (uint32_t)h->values.count : 0;
    if (h->element == value_size(h))
        return;
    in->start += h->values.offset;
    in->record = h->element;
    in->used = value_size(h);
}

/* ---- Fortran order ---- */

/* Iterates over the positions of the file's elements in C order. In the file the first index varies
 * fastest; in C order the last one does. */
typedef struct walk {
    const npy_header *h;
    uint64_t index[MAX_DIMENSIONS];
    uint64_t strides[MAX_DIMENSIONS]; /* bytes */
    uint64_t at;                      /* byte offset of the current element */
} walk;

static void start(walk *w, const npy_header *h, uint64_t size)
{
    *w = (walk){.h = h};
    for (uint32_t d = h->dimensions; d-- > 0; size *= h->shape[d])
        w->strides[d] = size;
}

static void step(walk *w)
{
    for (uint32_t d = 0; d < w->h->dimensions; d++) {
        w->at += w->strides[d];
        if (++w->index[d] < w->h->shape[d])
            return;
        w->at -= w->strides[d] * w->h->shape[d];
        w->index[d] = 0;
    }
}

static int fill_in_c_order(const input *in, const npy_header *h, unsigned char *portion,
                           unsigned char *values)
{
    const size_t size = (size_t)value_size(h);
    const size_t most = PORTION / size * size;
    walk w;
    start(&w, h, size);
    for (uint64_t done = 0; done < in->size; done += most) {
        const size_t taken = (size_t)least(in->size - done, most);
        int status = input_read(in, done, taken, portion);
        if (status != STATUS_DONE)
            return status;
        for (size_t i = 0; i < taken; i += size, step(&w))
            memcpy(values + w.at, portion + i, size);
    }
    return STATUS_DONE;
}

/* Converts the elements to C order. Neighbours lie far apart in the file, so all elements must be
 * in memory. */
static int put_in_c_order(input *in, const npy_header *h)
{
    const uint64_t size = in->size;
    unsigned char *portion = malloc(PORTION);
    unsigned char *values = size <= SIZE_MAX ? malloc((size_t)size) : NULL;
    int status = portion != NULL && values != NULL
                     ? fill_in_c_order(in, h, portion, values)
                     : fail(STATUS_VULKAN,
                            "%s: its array is in Fortran order and converting it to C order needs "
                            "%llu bytes of memory, more than are available; save it in C order",
                            in->name, (unsigned long long)size);
    free(portion);
    if (status == STATUS_DONE)
        input_use_memory(in, values, size);
    else
        free(values);
    return status;
}

static bool is_reordered(const npy_header *h, uint64_t size)
{
    uint32_t lengths = 0;
    for (uint32_t d = 0; d < h->dimensions; d++)
        lengths += h->shape[d] > 1;
    return h->fortran_order && lengths > 1 && size > 0;
}

/* ---- Files ---- */

/* Checks magic and version, and computes the header's start and length. */
static int find_header(input *in, uint64_t file_size, const input_options *opts, uint32_t *length,
                       unsigned *version)
{
    unsigned char head[12];
    if (file_size < sizeof head)
        return fail(STATUS_USAGE, "%s: it has %llu bytes, too few for a .npy file", in->name,
                    (unsigned long long)file_size);
    int status = input_read(in, 0, sizeof head, head);
    if (status != STATUS_DONE)
        return status;
    if (memcmp(head, "\x93NUMPY", 6) != 0)
        return fail(STATUS_USAGE, "%s: it does not start as a .npy file does", in->name);
    if (head[6] < 1 || head[6] > 3)
        return fail(STATUS_USAGE, "%s: its .npy version is %u; it must be 1, 2 or 3%s", in->name,
                    head[6], raw_remedy(opts));
    *version = head[6];
    *length = (uint32_t)head[8] | (uint32_t)head[9] << 8;
    in->start = 10;
    if (head[6] > 1) {
        *length |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
        in->start = 12;
    }
    if (*length > MAX_HEADER)
        return fail(STATUS_USAGE, "%s: its header of %u bytes is too long; at most %u are read",
                    in->name, *length, MAX_HEADER);
    if (in->start + *length > file_size)
        return fail(STATUS_USAGE, "%s: it ends inside its header: the file is truncated", in->name);
    return STATUS_DONE;
}

/* Reads the header's text. Before version 3 it is Latin-1, which becomes UTF-8. */
static int read_text(input *in, uint32_t length, unsigned version, char **text, size_t *text_length)
{
    char *stored = malloc((size_t)length + 1), *to;
    int status = STATUS_DONE;
    *text = to = calloc(2, (size_t)length + 1);
    if (stored == NULL || to == NULL)
        status = fail(STATUS_VULKAN, "%s: out of memory", in->name);
    else
        status = input_read(in, 0, length, stored);
    for (uint32_t i = 0; i < length && status == STATUS_DONE; i++) {
        const unsigned char byte = (unsigned char)stored[i];
        const bool is_wide = byte >= 0x80 && version < 3;
        if (is_wide)
            *to++ = (char)(0xc0 | byte >> 6);
        *to++ = (char)(is_wide ? 0x80 | (byte & 0x3f) : byte);
    }
    *text_length = (size_t)(to - *text);
    free(stored);
    return status;
}

static int read_header(input *in, uint64_t file_size, const input_options *opts, npy_header *h)
{
    uint32_t length = 0;
    unsigned version = 0;
    char *text = NULL;
    size_t text_length = 0;
    const char *remedy = opts->role == INPUT_OPERAND
                             ? "--field chooses one"
                             : "a[NAME] in Python is the array of one, which numpy.save can store";
    int status = find_header(in, file_size, opts, &length, &version);
    if (status == STATUS_DONE)
        status = read_text(in, length, version, &text, &text_length);
    if (status == STATUS_DONE)
        status = npy_parse(in->name, text, text_length, opts->field, remedy, h);
    free(text);
    in->start += length;
    return status;
}

int npy_open(input *in, const input_options *opts)
{
    const uint64_t file_size = in->size;
    npy_header h;
    /* While the header is read, offsets are relative to the start of the file. */
    in->start = 0;
    int status = read_header(in, file_size, opts, &h);
    if (status != STATUS_DONE)
        return status;
    status = check_shape(in, &h, file_size - in->start);
    use_values(in, &h);
    if (status == STATUS_DONE && is_reordered(&h, in->size))
        status = put_in_c_order(in, &h);
    in->swapped = h.values.swapped;
    in->truth = h.values.truth;
    return status;
}
