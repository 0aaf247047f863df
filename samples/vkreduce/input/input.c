/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "input/formats.h"
#include "input/input.h"
#include "progress.h"
#include "ranks.h"
#include "status.h"
#include "system/system.h"

#define PORTION ((size_t)4 << 20) /* bytes read between two updates of the progress bar */
#define WIDE_STRIDE 4096u         /* bytes; with a larger stride, each element is read separately */
#define RECORDS 65536u            /* bytes of records that are read at a time */

/* Converts values to little-endian, the device's byte order. */
static void swap_bytes(unsigned char *data, size_t size, size_t value)
{
    for (size_t at = 0; at + value <= size; at += value)
        for (size_t i = 0; i < value / 2; i++) {
            const unsigned char byte = data[at + i];
            data[at + i] = data[at + value - 1 - i];
            data[at + value - 1 - i] = byte;
        }
}

/* Normalizes booleans to 1: NumPy writes True as 1, other programs may write any byte but 0. */
static void make_truths(unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        data[i] = data[i] != 0;
}

/* Reads bytes as they are stored, from `offset` after the start. */
static int read_stored(const input *in, uint64_t offset, size_t size, unsigned char *data)
{
    if (in->source == SOURCE_MEMORY && size > 0)
        memcpy(data, in->memory + in->start + offset, size);
    if (in->source == SOURCE_MEMORY)
        return STATUS_DONE;
    while (size > 0) {
        const ptrdiff_t got = file_read(in->file, data, size, in->start + offset);
        if (got < 0)
            return fail(STATUS_USAGE, "%s: it cannot be read: %s", in->name, strerror(errno));
        if (got == 0)
            return fail(STATUS_USAGE, "%s: it became shorter while it was read", in->name);
        data += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return STATUS_DONE;
}

/* Reads values from records, in pieces of the file that have many. */
static int read_records(const input *in, uint64_t offset, size_t size, unsigned char *data)
{
    unsigned char piece[RECORDS];
    const uint64_t last = offset + size - 1;
    const uint64_t end = last / in->used * in->record + last % in->used + 1;
    uint64_t first = 0, after = 0; /* the piece's positions */
    while (size > 0) {
        const uint64_t at = offset / in->used * in->record + offset % in->used;
        const size_t part = (size_t)least(size, in->used - offset % in->used);
        if (at < first || at + part > after) { /* records that overlap may start before it */
            first = at;
            after = in->record <= WIDE_STRIDE ? least(end, at + RECORDS) : at + part;
            after = after < at + part ? at + part : after;
            int status = read_stored(in, first, (size_t)(after - first), piece);
            if (status != STATUS_DONE)
                return status;
        }
        memcpy(data, piece + (at - first), part);
        data += part;
        offset += part;
        size -= part;
    }
    return STATUS_DONE;
}

static int read_portion(const input *in, uint64_t offset, size_t size, void *data)
{
    const size_t value = vkrTypeSize(in->type);
    switch (in->source) {
    case SOURCE_FILE:
    case SOURCE_MEMORY:
        return (in->record != 0 ? read_records : read_stored)(in, offset, size, data);
    case SOURCE_RANDOM:
        random_fill(in, offset / value, size / value, data);
        break;
    }
    return STATUS_DONE;
}

static double reading;

double input_seconds(void)
{
    return reading;
}

int input_read(const input *in, uint64_t offset, size_t size, void *data)
{
    const double before = clock_seconds();
    int status = STATUS_DONE;
    if (offset > in->size || size > in->size - offset)
        return fail(STATUS_USAGE,
                    "%s: it has %llu bytes of values, too few for %llu bytes starting at byte %llu",
                    in->name, (unsigned long long)in->size, (unsigned long long)size,
                    (unsigned long long)offset);
    for (size_t done = 0; done < size && status == STATUS_DONE;) {
        const size_t portion = size - done < PORTION ? size - done : PORTION;
        unsigned char *to = (unsigned char *)data + done;
        status = read_portion(in, offset + done, portion, to);
        if (status == STATUS_DONE && in->swapped)
            swap_bytes(to, portion, vkrTypeSize(in->type));
        if (status == STATUS_DONE && in->truth)
            make_truths(to, portion);
        if (status == STATUS_DONE)
            status = progress_add(portion);
        done += portion;
    }
    reading += clock_seconds() - before;
    return status;
}

static uint64_t element_size(const input *in)
{
    return (uint64_t)vkrTypeSize(in->type) * in->components;
}

uint64_t input_pitch(const input *in)
{
    return in->stride <= WIDE_STRIDE ? in->stride : element_size(in);
}

uint64_t input_span(const input *in, uint64_t count)
{
    return count == 0 ? 0 : (count - 1) * input_pitch(in) + element_size(in);
}

int input_load(const input *in, uint64_t first, uint64_t count, void *data)
{
    uint64_t element = element_size(in);
    uint64_t start = in->offset + first * in->stride;
    int status = STATUS_DONE;
    if (in->stride <= WIDE_STRIDE)
        return input_read(in, start, (size_t)input_span(in, count), data);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++)
        status = input_read(in, start + i * in->stride, (size_t)element,
                            (unsigned char *)data + i * element);
    return status;
}

/* ---- Bytes ---- */

void input_use_memory(input *in, unsigned char *memory, uint64_t size)
{
    if (in->file >= 0)
        (void)file_close(in->file);
    free(in->memory);
    in->file = -1;
    in->source = SOURCE_MEMORY;
    in->memory = memory;
    in->start = 0;
    in->record = 0;
    in->size = size;
    in->swapped = false;
    in->truth = false;
}

void input_use_file(input *in, int file, uint64_t size)
{
    input_use_memory(in, NULL, size);
    in->source = SOURCE_FILE;
    in->file = file;
}

static bool is_standard_input(const input *in)
{
    return strcmp(in->name, "-") == 0;
}

static int open_file(input *in)
{
    static bool taken;
    if (is_standard_input(in) && ranks_count() > 1)
        return fail(STATUS_USAGE, "-: under mpirun every rank reads its share; name a file");
    if (!is_standard_input(in)) {
        in->file = file_open(in->name);
    } else if (!taken) {
        in->file = file_open_standard_input();
        taken = true;
    } else {
        return fail(STATUS_USAGE, "-: the standard input is named twice; it can be read once");
    }
    return in->file >= 0
               ? STATUS_DONE
               : fail(STATUS_USAGE, "%s: it cannot be opened: %s", in->name, strerror(errno));
}

/* Whether a file has the size that it reports: files under /proc and /sys report 0 or too much. */
static bool has_size(int file, uint64_t size)
{
    char last;
    return size > 0 && file_read(file, &last, 1, size - 1) == 1;
}

int input_open_bytes(input *in, const char *name, uint64_t most)
{
    file_state state;
    *in = (input){.name = name, .file = -1};
    int opened = open_file(in);
    if (opened != STATUS_DONE)
        return opened;
    if (!file_examine(in->file, &state))
        return fail(STATUS_USAGE, "%s: it cannot be opened: %s", name, strerror(errno));
    if (state.kind == KIND_FOLDER)
        return fail(STATUS_USAGE, "%s: it is a directory; it must be a regular file or a pipe",
                    name);
    const bool regular = state.kind == KIND_FILE && has_size(in->file, state.size);
    in->size = regular || state.kind == KIND_DISK ? state.size : 0;
    /* The standard input starts at its current position, so it can be read in place only at 0. */
    if (in->size > 0 && (!regular || state.position == 0))
        return STATUS_DONE;
    if (ranks_count() > 1)
        return fail(STATUS_USAGE,
                    "%s: it is no regular file; under mpirun every rank reads its share", name);
    return spool(in, most);
}

/* ---- Formats ---- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Whether the end of the name says what the file is: names made by a shell or the system do not. */
static bool is_named(const input *in)
{
    return !is_standard_input(in) && !starts_with(in->name, "/dev/") &&
           !starts_with(in->name, "/proc/");
}

/* Checks the end of raw elements with a stride: padding may follow the last one, but no partial
 * element. Other formats store the number of values. */
static int check_end(const input *in, const input_options *opts)
{
    const uint64_t element = element_size(in);
    const uint64_t left = in->size - least(opts->offset, in->size);
    const uint64_t more = opts->stride >= element ? left % opts->stride : 0;
    if (more == 0 || more >= element)
        return STATUS_DONE;
    return fail(
        STATUS_USAGE,
        "%s: it ends inside element %llu, after %llu of its bytes; an element of %u x %s has %llu",
        in->name, (unsigned long long)(left / opts->stride), (unsigned long long)more,
        in->components, vkrTypeName(in->type), (unsigned long long)element);
}

/* No bytes are an error: the program that should have written them has probably failed, or another
 * one has read them. */
static int refuse_nothing(const input *in, const input_options *opts)
{
    static const char *const remedies[] = {
        [INPUT_OPERAND] = "give --allow-empty if that is right, or a .npy file without elements",
        [INPUT_OF_PYRAMID] = "give a picture",
        [INPUT_OF_OPTION] = "a .npy file can store an array without elements"};
    return fail(STATUS_USAGE, "%s: there is no data; %s", in->name, remedies[opts->role]);
}

static int open_bytes(input *in, const input_options *opts)
{
    open_format *open_it;
    int status = find_format(in, opts, is_named(in), &open_it);
    if (status != STATUS_DONE)
        return status;
    if (open_it != NULL)
        return open_it(in, opts);
    if ((in->size == 0 || in->size == opts->offset) && !opts->allow_empty)
        return refuse_nothing(in, opts);
    in->type = (VkrType)opts->type;
    in->components = opts->components != 0 ? (uint32_t)opts->components : 1;
    in->is_raw = true;
    return check_end(in, opts);
}

/* Makes the elements records of the file, which are packed as they are read: a device reads values
 * only at multiples of their size. */
static void pack_elements(input *in)
{
    const uint64_t element = element_size(in);
    in->record = in->stride;
    in->used = element;
    in->start += in->offset;
    in->size = in->count * element;
    in->offset = 0;
    in->stride = element;
}

/* Computes offset, stride and count from the values and the options. */
static int find_elements(input *in, const input_options *opts)
{
    uint64_t value = vkrTypeSize(in->type);
    uint64_t element = element_size(in);
    uint64_t left = in->size - least(opts->offset, in->size);
    const bool is_aligned = opts->offset % value == 0 && opts->stride % value == 0;
    if (!is_aligned && !in->is_raw)
        return fail(STATUS_USAGE, "--%s is %llu; it must be a multiple of %llu, the size of %s",
                    opts->offset % value != 0 ? "offset" : "stride",
                    (unsigned long long)(opts->offset % value != 0 ? opts->offset : opts->stride),
                    (unsigned long long)value, vkrTypeName(in->type));
    if (opts->offset > in->size)
        return fail(STATUS_USAGE, "--offset is %llu; %s has %llu bytes of values",
                    (unsigned long long)opts->offset, in->name, (unsigned long long)in->size);
    if (opts->stride == 0 && left % element != 0)
        return fail(STATUS_USAGE,
                    "%s: it has %llu bytes of values; elements of %u x %s need a multiple of %llu",
                    in->name, (unsigned long long)left, in->components, vkrTypeName(in->type),
                    (unsigned long long)element);
    in->offset = opts->offset;
    in->stride = opts->stride != 0 ? opts->stride : element;
    in->count = left < element ? 0 : (left - element) / in->stride + 1;
    if (!is_aligned)
        pack_elements(in);
    return STATUS_DONE;
}

/* Checks the options once type, components and size of the values are known. */
static int check_options(input *in, const input_options *opts)
{
    if (opts->channels != NULL && !in->has_names && in->source != SOURCE_RANDOM)
        return fail(STATUS_USAGE, "%s: --channels is '%s', but it is no OpenEXR picture", in->name,
                    opts->channels);
    if (opts->field != NULL && !in->is_field && in->source != SOURCE_RANDOM)
        return fail(STATUS_USAGE, "%s: --field is '%s', but its elements have no fields", in->name,
                    opts->field);
    if (opts->type != VKR_TYPE_UNDEFINED && in->type != (VkrType)opts->type)
        return fail(STATUS_USAGE, "%s: it holds %s, but --type is %s; leave --type out%s", in->name,
                    vkrTypeName(in->type), vkrTypeName((VkrType)opts->type),
                    in->source == SOURCE_RANDOM ? ""
                                                : ", or add --raw to read its bytes as they are");
    if (in->components != 0 && opts->components != 0 && in->components != opts->components)
        return fail(STATUS_USAGE, "%s: it has %u channels, but --components is %u; leave it out",
                    in->name, in->components, (unsigned)opts->components);
    if (in->components == 0)
        in->components = opts->components != 0 ? (uint32_t)opts->components : 1;
    return find_elements(in, opts);
}

int input_open(input *in, const char *name, const input_options *opts)
{
    int status;
    *in = (input){.name = name, .file = -1};
    if (name[0] == '\0')
        return fail(
            STATUS_USAGE,
            "INPUT is ''; it must be the name of a file, random:COUNT or - for the standard "
            "input");
    if (starts_with(name, RANDOM)) {
        status = random_open(in, opts);
    } else {
        status = input_open_bytes(in, name, UINT64_MAX);
        if (status == STATUS_DONE)
            status = open_bytes(in, opts);
    }
    return status == STATUS_DONE ? check_options(in, opts) : status;
}

int input_open_memory(input *in, const char *name, unsigned char *memory, uint64_t size,
                      const input_options *opts)
{
    *in = (input){.name = name, .file = -1};
    input_use_memory(in, memory, size);
    int status = open_bytes(in, opts);
    return status == STATUS_DONE ? check_options(in, opts) : status;
}

void input_close(input *in)
{
    if (in->name != NULL && in->file >= 0)
        (void)file_close(in->file);
    free(in->memory);
    *in = (input){.file = -1};
}
