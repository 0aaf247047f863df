/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "input/flags.h"
#include "input/number.h"
#include "input/segments.h"
#include "input/value.h"
#include "status.h"

#define PORTION 65536u /* bytes of offsets checked at a time */

int segments_offsets(const segments *s, uint64_t first, uint64_t count, uint64_t *offsets)
{
    unsigned char values[PORTION];
    const size_t size = vkrTypeSize(s->file.type);
    for (uint64_t done = 0; done < count;) {
        uint64_t portion = least(count - done, PORTION / size);
        int status = input_load(&s->file, first + done, portion, values);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = 0; i < portion; i++, done++) {
            offsets[done] = 0;
            memcpy(&offsets[done], values + i * size, size); /* little-endian, like the device */
        }
    }
    return STATUS_DONE;
}

int segments_starts(const segments *s, uint64_t **starts, uint64_t *longest)
{
    const uint64_t count = s->file.count;
    *starts = malloc((size_t)count * sizeof **starts + 1);
    if (*starts == NULL)
        return fail(STATUS_VULKAN, "out of memory for %" PRIu64 " offsets", count);
    const int status = segments_offsets(s, 0, count, *starts);
    *longest = 0;
    for (uint64_t i = 1; i < count && status == STATUS_DONE; i++)
        if ((*starts)[i] - (*starts)[i - 1] > *longest)
            *longest = (*starts)[i] - (*starts)[i - 1];
    return status;
}

/* Checks offset i against the one before. */
static int check_offset(const segments *s, uint64_t i, uint64_t before, uint64_t offset,
                        uint64_t most)
{
    const input *in = &s->file;
    const bool is_signed = in->type == VKR_TYPE_I32 || in->type == VKR_TYPE_I64;
    if (is_signed && offset >> (8 * vkrTypeSize(in->type) - 1) != 0)
        return fail(STATUS_USAGE, "%s: offset %" PRIu64 " is negative; it must be at least 0",
                    in->name, i);
    if (offset < before)
        return fail(STATUS_USAGE,
                    "%s: offset %" PRIu64 " is %" PRIu64 " and the one before %" PRIu64
                    "; they must not decrease",
                    in->name, i, offset, before);
    if (offset > most)
        return fail(STATUS_USAGE,
                    "%s: offset %" PRIu64 " is %" PRIu64 "; it must be at most %" PRIu64
                    ", the number of elements",
                    in->name, i, offset, most);
    return STATUS_DONE;
}

static int check_offsets(const segments *s, uint64_t most)
{
    static const uint64_t most_at_once = PORTION / sizeof(uint64_t);
    const input *in = &s->file;
    uint64_t offsets[PORTION / sizeof(uint64_t)], last = 0;
    if (in->type != VKR_TYPE_U32 && in->type != VKR_TYPE_U64 && in->type != VKR_TYPE_I32 &&
        in->type != VKR_TYPE_I64)
        return fail(STATUS_USAGE,
                    "%s: its values are %s; offsets must be integers of 32 or 64 bits", in->name,
                    vkrTypeName(in->type));
    for (uint64_t i = 0; i < in->count; i++) {
        const uint64_t at = i % most_at_once;
        int status = STATUS_DONE;
        if (at == 0)
            status = segments_offsets(s, i, least(in->count - i, most_at_once), offsets);
        if (status == STATUS_DONE)
            status = check_offset(s, i, last, offsets[at], most);
        if (status != STATUS_DONE)
            return status;
        last = offsets[at];
    }
    return STATUS_DONE;
}

static int open_offsets(segments *s, segments_of command, const char *name, uint64_t count)
{
    const bool ends = command != SEGMENTS_OF_SCAN && command != SEGMENTS_OF_SORT;
    int status = array_open(&s->file, name, "--segments");
    if (status == STATUS_DONE && ends && s->file.count == 0)
        return fail(STATUS_USAGE, "%s: it is empty; k segments need k + 1 offsets", name);
    if (status == STATUS_DONE)
        status = check_offsets(s, ends ? count : UINT64_MAX);
    return status;
}

/* Parses PITCH of rows:LEN:PITCH. */
static int parse_pitch(segments *s, const char *pitch)
{
    if (parse_count(pitch, s->length, UINT64_MAX, &s->pitch))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "--segments is '%s'; PITCH in rows:LEN:PITCH must be a number from %" PRIu64
                ", which is LEN, to %" PRIu64,
                s->text, s->length, UINT64_MAX);
}

/* Parses what follows the kind. Columns must all have the same length. */
static int parse_length(segments *s, segments_of command, const char *text, uint64_t count)
{
    const char *pitch = strchr(text, ':');
    const bool has_pitch =
        pitch != NULL && s->kind == VKR_SEGMENTS_ROWS && command != SEGMENTS_OF_APPLY;
    char length[64] = "";
    const size_t size = has_pitch ? (size_t)(pitch - text) : strlen(text);
    if (size < sizeof length)
        memcpy(length, text, size);
    if (!parse_count(length, 1, UINT64_MAX, &s->length))
        return fail(STATUS_USAGE,
                    "--segments is '%s'; LEN in %.*sLEN must be a number from 1 to %" PRIu64,
                    s->text, (int)(text - s->text), s->text, UINT64_MAX);
    if (has_pitch)
        return parse_pitch(s, pitch + 1);
    if (s->kind == VKR_SEGMENTS_COLUMNS && count % s->length != 0)
        return fail(STATUS_USAGE,
                    "--segments is '%s'; the number of elements, %" PRIu64
                    ", is not a multiple of LEN",
                    s->text, count);
    return STATUS_DONE;
}

uint64_t segments_row(const segments *s, uint64_t row)
{
    return row * (s->pitch != 0 ? s->pitch : s->length);
}

uint64_t segments_span(const segments *s, uint64_t row, uint64_t rows, uint64_t count)
{
    const uint64_t first = segments_row(s, row);
    return rows == 0 ? 0 : least(segments_row(s, rows - 1) + s->length, count - first);
}

bool segments_lie_apart(const segments *s)
{
    return s->kind == VKR_SEGMENTS_ROWS && s->pitch > s->length;
}

bool segments_lie_between(const segments *s, uint64_t element)
{
    return segments_lie_apart(s) && element % s->pitch >= s->length;
}

void segments_clear(const segments *s, uint64_t count, uint64_t size, unsigned char *entries)
{
    for (uint64_t i = 0; i < count && segments_lie_apart(s); i++)
        if (segments_lie_between(s, i))
            memset(entries + i * size, 0, (size_t)size);
}

uint64_t segments_pack(const segments *s, uint64_t count, uint64_t size, unsigned char *entries)
{
    uint64_t packed = 0;
    for (uint64_t i = 0; i < count; i++)
        if (!segments_lie_between(s, i))
            memmove(entries + packed++ * size, entries + i * size, (size_t)size);
    return packed;
}

int segments_open(segments *s, segments_of command, const char *text, uint64_t count)
{
    enum {
        SCAN = 1u << SEGMENTS_OF_SCAN,
        REDUCE = 1u << SEGMENTS_OF_REDUCE,
        SORT = 1u << SEGMENTS_OF_SORT,
        TOPK = 1u << SEGMENTS_OF_TOPK,
        SELECT = 1u << SEGMENTS_OF_SELECT,
        APPLY = 1u << SEGMENTS_OF_APPLY
    };
    static const struct {
        const char *word;
        VkrSegmentKind kind;
        unsigned commands;
    } rows[] = {{"rows:", VKR_SEGMENTS_ROWS, SCAN | REDUCE | SORT | TOPK | SELECT | APPLY},
                {"columns:", VKR_SEGMENTS_COLUMNS, SCAN | REDUCE | SORT | TOPK},
                {"windows:", VKR_SEGMENTS_WINDOWS, REDUCE},
                {"offsets:", VKR_SEGMENTS_OFFSETS, SCAN | REDUCE | SORT | TOPK | SELECT | APPLY},
                {"flags:", VKR_SEGMENTS_FLAGS, SCAN}};
    static const char *const allowed[SEGMENTS_OF_END] = {
        [SEGMENTS_OF_SCAN] = "rows:LEN, rows:LEN:PITCH, columns:LEN, offsets:FILE or flags:FILE",
        [SEGMENTS_OF_REDUCE] = "rows:LEN, rows:LEN:PITCH, columns:LEN, windows:LEN or offsets:FILE",
        [SEGMENTS_OF_SORT] = "rows:LEN, rows:LEN:PITCH, columns:LEN or offsets:FILE",
        [SEGMENTS_OF_TOPK] = "rows:LEN, rows:LEN:PITCH, columns:LEN or offsets:FILE",
        [SEGMENTS_OF_SELECT] = "rows:LEN, rows:LEN:PITCH or offsets:FILE",
        [SEGMENTS_OF_APPLY] = "rows:LEN or offsets:FILE"};
    *s = (segments){.option = "segments", .text = text};
    if (text == NULL)
        return STATUS_DONE;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *rest = text + strlen(rows[i].word);
        if ((rows[i].commands >> command & 1u) == 0 ||
            strncmp(text, rows[i].word, strlen(rows[i].word)) != 0)
            continue;
        s->kind = rows[i].kind;
        if (rest[0] == '\0' && (s->kind == VKR_SEGMENTS_FLAGS || s->kind == VKR_SEGMENTS_OFFSETS))
            return fail(STATUS_USAGE, "--segments is '%s'; it must name a file: %sFILE.npy", text,
                        text);
        if (s->kind == VKR_SEGMENTS_FLAGS)
            return flags_open(&s->file, rest, "--segments", count);
        if (s->kind == VKR_SEGMENTS_OFFSETS)
            return open_offsets(s, command, rest, count);
        return parse_length(s, command, rest, count);
    }
    return fail(STATUS_USAGE, "--segments is '%s'; it must be %s", text, allowed[command]);
}

/* Parses a number of elements that must end at `end`. */
static bool parse_side(const char *text, const char *end, uint32_t *side)
{
    char number[128] = "";
    uint64_t value;
    if ((size_t)(end - text) >= sizeof number)
        return false;
    memcpy(number, text, (size_t)(end - text));
    if (!parse_count(number, 1, UINT32_MAX, &value))
        return false;
    *side = (uint32_t)value;
    return true;
}

int tiles_open(segments *s, const char *text, const input *in)
{
    const char *by = strchr(text, 'x');
    const uint32_t in_row = in->dimensions == 2 ? in->components : 1; /* columns of an element */
    *s = (segments){.kind = VKR_SEGMENTS_TILES, .option = "tiles", .text = text};
    s->length = in->columns / in_row;
    if (by == NULL || !parse_side(text, by, &s->tile_width) ||
        !parse_side(by + 1, by + strlen(by), &s->tile_height))
        return fail(STATUS_USAGE, "--tiles is '%s'; it must be WxH, two numbers from 1 to %u", text,
                    UINT32_MAX);
    if (s->length == 0 || in->columns % in_row != 0 || in->count % s->length != 0)
        return fail(STATUS_USAGE,
                    "--tiles needs rows: %s must be a picture, or a two-dimensional array with "
                    "whole elements in each row",
                    in->name);
    return STATUS_DONE;
}

void segments_close(segments *s)
{
    input_close(&s->file);
}

/* The number of offsets that are less than the index of an element. */
static int count_below(const segments *s, uint64_t element, uint64_t *below)
{
    uint64_t low = 0, high = s->file.count, offset;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        int status = segments_offsets(s, middle, 1, &offset);
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
        uint64_t portion = least(end - at, most);
        status = segments_offsets(s, at, portion, offsets);
        for (uint64_t i = 0; i < portion && status == STATUS_DONE; i++)
            set_flag(bits, offsets[i] - first);
        at += portion;
    }
    return status;
}

/* Marks the elements whose keys differ from that of the element before. */
static int mark_changes(const segments *s, uint64_t first, uint64_t count, uint32_t *bits)
{
    unsigned char keys[PORTION];
    const size_t size = (size_t)vkrTypeSize(s->file.type) * s->file.components;
    for (uint64_t done = 0; done < count;) {
        const uint64_t before = first + done > 0 ? 1 : 0;
        const uint64_t portion = least(count - done, PORTION / size - 1);
        const int status = input_load(&s->file, first + done - before, portion + before, keys);
        if (status != STATUS_DONE)
            return status;
        for (uint64_t i = before == 0 ? 1 : 0; i < portion; i++)
            if (values_differ(s->file.type, s->file.components, s->by_value,
                              keys + (i + before) * size, keys + (i + before - 1) * size))
                set_flag(bits, done + i);
        done += portion;
    }
    return STATUS_DONE;
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
    if (s->kind == VKR_SEGMENTS_KEYS)
        status = mark_changes(s, first, count, bits);
    for (uint64_t i = 0; i < count && segments_lie_apart(s); i++)
        if ((first + i) % s->pitch == 0 || (first + i) % s->pitch == s->length)
            set_flag(bits, i);
    if (s->kind == VKR_SEGMENTS_ROWS && !segments_lie_apart(s))
        for (uint64_t i = (s->length - first % s->length) % s->length; i < count; i += s->length)
            set_flag(bits, i);
    if (first == 0 && count > 0)
        set_flag(bits, 0);
    return status;
}
