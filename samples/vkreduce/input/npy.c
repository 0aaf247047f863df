/* SPDX-License-Identifier: MIT */
/* NumPy's .npy files: magic, version, length of a header, a Python dictionary as text, values. */
#include <stdlib.h>
#include <string.h>
#include "input/formats.h"
#include "input/number.h"
#include "status.h"

#define MAX_HEADER (1u << 20)
#define MAX_DIMENSIONS 64  /* the limit of NumPy */
#define PORTION (1u << 20) /* bytes converted to C order at a time */

typedef struct header {
    char descr[16];
    bool fortran_order;
    uint64_t shape[MAX_DIMENSIONS];
    uint32_t dimensions; /* all dimensions; shape keeps only the first ones */
    bool has_descr, has_order, has_shape;
} header;

static const struct {
    char name[3];
    VkrType type;
} dtypes[] = {
    {"u1", VKR_TYPE_U8},
    {"i1", VKR_TYPE_I8},
    {"b1", VKR_TYPE_U8},
    {"i2", VKR_TYPE_I16},
    {"u2", VKR_TYPE_U16},
    {"i4", VKR_TYPE_I32},
    {"u4", VKR_TYPE_U32},
    {"i8", VKR_TYPE_I64},
    {"u8", VKR_TYPE_U64},
    {"f2", VKR_TYPE_F16},
    {"f4", VKR_TYPE_F32},
    {"f8", VKR_TYPE_F64},
    /* the type that NumPy writes for arrays of ml_dtypes.bfloat16 */
    {"V2", VKR_TYPE_BF16},
};

static void skip_spaces(const char **at)
{
    *at += strspn(*at, " \t\r\n");
}

/* Skips `token` if it comes next. */
static bool take(const char **at, const char *token)
{
    size_t length = strlen(token);
    skip_spaces(at);
    if (strncmp(*at, token, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_string(const char **at, char *text, size_t size)
{
    skip_spaces(at);
    char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(*at + 1, quote);
    if (end == NULL || (size_t)(end - *at) > size)
        return false;
    size_t length = (size_t)(end - *at) - 1;
    memcpy(text, *at + 1, length);
    text[length] = '\0';
    *at = end + 1;
    return true;
}

/* Parses a whole number; UINT64_MAX, which is not a valid size, stands for all that are too
 * large. */
static bool take_size(const char **at, uint64_t *size)
{
    char digits[24] = "";
    const size_t length = strspn(*at, "0123456789");
    if (length < sizeof digits)
        memcpy(digits, *at, length);
    *at += length;
    if (!parse_number(digits, 0, UINT64_MAX, size))
        *size = UINT64_MAX;
    return length > 0;
}

static bool take_shape(const char **at, header *h)
{
    if (!take(at, "("))
        return false;
    while (!take(at, ")")) {
        uint64_t size;
        if (!take_size(at, &size))
            return false;
        (void)take(at, "L"); /* Python 2 */
        if (h->dimensions < MAX_DIMENSIONS)
            h->shape[h->dimensions] = size;
        h->dimensions++;
        if (!take(at, ",")) {
            h->has_shape = true;
            return take(at, ")");
        }
    }
    return h->has_shape = true;
}

/* Parses an entry. A key may occur only once, since readers disagree about which of two counts. */
static bool take_entry(const char **at, header *h)
{
    char key[16];
    if (!take_string(at, key, sizeof key) || !take(at, ":"))
        return false;
    if (strcmp(key, "descr") == 0 && !h->has_descr)
        return h->has_descr = take_string(at, h->descr, sizeof h->descr);
    if (strcmp(key, "shape") == 0 && !h->has_shape)
        return take_shape(at, h);
    if (strcmp(key, "fortran_order") != 0 || h->has_order)
        return false;
    h->fortran_order = take(at, "True");
    return h->has_order = h->fortran_order || take(at, "False");
}

/* Parses the header, which must contain no NUL before its end. */
static bool parse_header(const char *text, size_t length, header *h)
{
    if (strlen(text) != length || !take(&text, "{"))
        return false;
    while (!take(&text, "}")) {
        if (!take_entry(&text, h))
            return false;
        if (!take(&text, ",")) {
            if (!take(&text, "}"))
                return false;
            break;
        }
    }
    skip_spaces(&text);
    return *text == '\0' && h->has_descr && h->has_order && h->has_shape;
}

static int check_type(input *in, const header *h)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++) {
        if (h->descr[0] == '\0' || strcmp(h->descr + 1, dtypes[i].name) != 0)
            continue;
        in->type = dtypes[i].type;
        if (strchr("<|=>", h->descr[0]) != NULL)
            return STATUS_DONE;
    }
    return fail(STATUS_USAGE,
                "%s: its element type '%s' is none of b1, i1 to i8, u1 to u8, f2, f4, f8 "
                "and V2 (bf16)",
                in->name, h->descr);
}

static int check_shape(input *in, const header *h, uint64_t available)
{
    uint64_t size = vkrTypeSize(in->type);
    if (h->dimensions < 1 || h->dimensions > MAX_DIMENSIONS)
        return fail(STATUS_USAGE, "%s: its array has %u dimensions; it must have 1 to %u", in->name,
                    h->dimensions, MAX_DIMENSIONS);
    for (uint32_t d = 0; d < h->dimensions; d++) {
        if (h->shape[d] == UINT64_MAX || (h->shape[d] != 0 && size > UINT64_MAX / h->shape[d]))
            return fail(STATUS_USAGE, "%s: its shape is too large; it must stay below 2^64 bytes",
                        in->name);
        size *= h->shape[d];
    }
    in->size = size;
    in->dimensions = h->dimensions;
    in->columns = h->dimensions == 2 ? h->shape[1] : 0;
    if (in->size != available)
        return fail(STATUS_USAGE, "%s: its header promises %llu bytes of values and %llu follow%s",
                    in->name, (unsigned long long)in->size, (unsigned long long)available,
                    in->size > available ? ": the file is truncated"
                                         : "; there must be nothing after them");
    return STATUS_DONE;
}

/* ---- Fortran order ---- */

/* Iterates over the positions of the file's elements in C order. In the file the first index varies
 * fastest; in C order the last one does. */
typedef struct walk {
    const header *h;
    uint64_t index[MAX_DIMENSIONS];
    uint64_t strides[MAX_DIMENSIONS]; /* bytes */
    uint64_t at;                      /* byte offset of the current element */
} walk;

static void start(walk *w, const header *h, uint64_t size)
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

static int fill_in_c_order(const input *in, const header *h, unsigned char *portion,
                           unsigned char *values)
{
    const size_t size = vkrTypeSize(in->type);
    walk w;
    start(&w, h, size);
    for (uint64_t done = 0; done < in->size; done += PORTION) {
        const uint64_t left = in->size - done;
        const size_t taken = left < PORTION ? (size_t)left : PORTION;
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
static int put_in_c_order(input *in, const header *h)
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

static bool is_reordered(const header *h, uint64_t size)
{
    uint32_t lengths = 0;
    for (uint32_t d = 0; d < h->dimensions; d++)
        lengths += h->shape[d] > 1;
    return h->fortran_order && lengths > 1 && size > 0;
}

/* ---- Files ---- */

/* Checks magic and version, and computes the header's start and length. */
static int find_header(input *in, uint64_t file_size, uint32_t *length)
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
        return fail(STATUS_USAGE, "%s: its .npy version is %u; it must be 1, 2 or 3", in->name,
                    head[6]);
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

int npy_open(input *in, const input_options *opts)
{
    const uint64_t file_size = in->size;
    uint32_t length = 0;
    header h = {0};
    /* While the header is read, offsets are relative to the start of the file. */
    (void)opts;
    in->start = 0;
    int status = find_header(in, file_size, &length);
    if (status != STATUS_DONE)
        return status;
    char *text = calloc(1, (size_t)length + 1);
    if (text == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", in->name);
    status = input_read(in, 0, length, text);
    if (status == STATUS_DONE && !parse_header(text, length, &h))
        status = fail(STATUS_USAGE,
                      "%s: its header is not a dictionary of one plain descr, one fortran_order "
                      "and one shape",
                      in->name);
    free(text);
    in->start += length;
    if (status == STATUS_DONE)
        status = check_type(in, &h);
    if (status == STATUS_DONE)
        status = check_shape(in, &h, file_size - in->start);
    if (status == STATUS_DONE && is_reordered(&h, in->size))
        status = put_in_c_order(in, &h);
    in->swapped = h.descr[0] == '>' && vkrTypeSize(in->type) > 1;
    in->truth = h.descr[0] != '\0' && h.descr[1] == 'b';
    return status;
}
