/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include "flags.h"

#define PORTION 65536u /* bytes that are looked at at a time */

static void set_flag(uint32_t *bits, uint64_t i)
{
    bits[i / 32] |= UINT32_C(1) << i % 32;
}

/* ---- Flags ---- */

int flags_open(input *in, const char *name, const char *what, uint64_t count)
{
    int status = input_open(in, name, &(options){0});
    if (status == STATUS_DONE && in->components != 1)
        return fail(STATUS_USAGE, "%s: it has %u channels; %s takes one value for each element",
                    name, in->components, what);
    if (status == STATUS_DONE && count != UINT64_MAX && in->count != count)
        return fail(STATUS_USAGE,
                    "%s: it has %" PRIu64 " values; %s takes one for each of %" PRIu64 " elements",
                    name, in->count, what, count);
    return status;
}

int flags_load(const input *in, uint64_t first, uint64_t count, uint32_t *bits)
{
    unsigned char values[PORTION];
    const size_t size = vkrTypeSize(in->type);
    const unsigned char sign = in->type >= VKR_TYPE_F16 ? 0x7f : 0xff; /* -0 is 0 */
    memset(bits, 0, (size_t)flag_bytes(count));
    for (uint64_t done = 0; done < count;) {
        uint64_t portion = count - done < PORTION / size ? count - done : PORTION / size;
        int status = input_load(in, first + done, portion, values);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = 0; i < portion; i++) {
            unsigned char any = values[i * size + size - 1] & sign;
            for (size_t k = 0; k + 1 < size; k++)
                any |= values[i * size + k];
            if (any != 0)
                set_flag(bits, done + i);
        }
        done += portion;
    }
    return STATUS_DONE;
}

/* ---- Segments ---- */

/* Some of the offsets. */
static int load_offsets(const segments *s, uint64_t first, uint64_t count, uint64_t *offsets)
{
    unsigned char values[PORTION];
    const size_t size = vkrTypeSize(s->file.type);
    int status = input_load(&s->file, first, count, values);
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++) {
        offsets[i] = 0;
        memcpy(&offsets[i], values + i * size, size); /* little-endian, as the device is */
    }
    return status;
}

static int check_offsets(const segments *s)
{
    static const uint64_t most = PORTION / sizeof(uint64_t);
    const input *in = &s->file;
    uint64_t offsets[PORTION / sizeof(uint64_t)], last = 0;
    if (in->type != VKR_TYPE_U32 && in->type != VKR_TYPE_U64)
        return fail(STATUS_USAGE, "%s: its values are %s; offsets must be u32 or u64", in->name,
                    vkrTypeName(in->type));
    for (uint64_t done = 0; done < in->count;) {
        uint64_t portion = in->count - done < most ? in->count - done : most;
        int status = load_offsets(s, done, portion, offsets);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = 0; i < portion; i++) {
            if (offsets[i] < last)
                return fail(STATUS_USAGE,
                            "%s: offset %" PRIu64 " is %" PRIu64 " and the one before %" PRIu64
                            "; they must not decrease",
                            in->name, done + i, offsets[i], last);
            last = offsets[i];
        }
        done += portion;
    }
    return STATUS_DONE;
}

int segments_open(segments *s, const char *text, uint64_t count)
{
    static const char rows[] = "rows:", offsets[] = "offsets:", flags[] = "flags:";
    *s = (segments){.file = {.file = -1}};
    if (text == NULL)
        return STATUS_DONE;
    if (strncmp(text, flags, strlen(flags)) == 0) {
        s->kind = VKR_SEGMENTS_FLAGS;
        return flags_open(&s->file, text + strlen(flags), "--segments", count);
    }
    if (strncmp(text, offsets, strlen(offsets)) == 0) {
        s->kind = VKR_SEGMENTS_OFFSETS;
        int status = flags_open(&s->file, text + strlen(offsets), "--segments", UINT64_MAX);
        return status == STATUS_DONE ? check_offsets(s) : status;
    }
    s->kind = VKR_SEGMENTS_ROWS;
    if (strncmp(text, rows, strlen(rows)) != 0 ||
        !parse_number(text + strlen(rows), 1, UINT64_MAX, &s->row_length))
        return fail(STATUS_USAGE,
                    "--segments is '%s'; it must be rows:LEN with LEN from 1 on, offsets:FILE or "
                    "flags:FILE",
                    text);
    if (count % s->row_length != 0)
        return fail(STATUS_USAGE, "--segments is '%s'; %" PRIu64 " elements are no multiple of it",
                    text, count);
    return STATUS_DONE;
}

void segments_close(segments *s)
{
    input_close(&s->file);
}

/* The number of offsets below an element. */
static int count_below(const segments *s, uint64_t element, uint64_t *below)
{
    uint64_t low = 0, high = s->file.count, offset;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int status = load_offsets(s, middle, 1, &offset);
        if (status != STATUS_DONE)
            return status;
        if (offset < element)
            low = middle + 1;
        else
            high = middle;
    }
    *below = low;
    return STATUS_DONE;
}

static int mark_offsets(const segments *s, uint64_t first, uint64_t count, uint32_t *bits)
{
    static const uint64_t most = PORTION / sizeof(uint64_t);
    uint64_t offsets[PORTION / sizeof(uint64_t)], at, end;
    int status = count_below(s, first, &at);
    if (status == STATUS_DONE)
        status = count_below(s, first + count, &end);
    while (status == STATUS_DONE && at < end) {
        uint64_t portion = end - at < most ? end - at : most;
        status = load_offsets(s, at, portion, offsets);
        for (uint64_t i = 0; i < portion && status == STATUS_DONE; i++)
            set_flag(bits, offsets[i] - first);
        at += portion;
    }
    return status;
}

int segments_load(const segments *s, uint64_t first, uint64_t count, uint32_t *bits)
{
    int status = STATUS_DONE;
    if (s->kind == VKR_SEGMENTS_FLAGS)
        status = flags_load(&s->file, first, count, bits);
    else
        memset(bits, 0, (size_t)flag_bytes(count));
    if (s->kind == VKR_SEGMENTS_OFFSETS)
        status = mark_offsets(s, first, count, bits);
    if (s->kind == VKR_SEGMENTS_ROWS)
        for (uint64_t i = (s->row_length - first % s->row_length) % s->row_length; i < count;
             i += s->row_length)
            set_flag(bits, i);
    if (first == 0 && count > 0)
        set_flag(bits, 0);
    return status;
}
