/* SPDX-License-Identifier: MIT */
/* --axis, and --segments rows or columns without a length: segments along an axis of an array. */
#include <inttypes.h>
#include <string.h>
#include "input/number.h"
#include "input/segments.h"
#include "status.h"

/* The elements along the axis, and those of the axes before and after it. */
typedef struct extent {
    uint64_t before, along, after;
} extent;

/* Finds the axes of the elements: those of an array, whose last one --components may group, or the
 * rows and columns of a picture. */
static void find_axes(segments *s, const input *in)
{
    const bool is_picture = in->dimensions == 0 && in->columns > 0;
    uint64_t count = 1; /* of the array's own elements, which may have several values */
    for (uint32_t d = 0; d < in->dimensions; d++)
        count *= in->shape[d];
    const bool grouped =
        !is_picture && in->components > 1 && (count > 0 ? in->count != count : !in->is_field);
    s->dimensions = is_picture ? 2 : in->dimensions;
    memcpy(s->shape, in->shape, sizeof s->shape);
    if (is_picture) {
        s->shape[0] = in->count / in->columns;
        s->shape[1] = in->columns;
    }
    if (!grouped || s->dimensions == 0)
        return;
    uint64_t *last = &s->shape[s->dimensions - 1];
    if (*last == in->components)
        s->dimensions--;
    else
        *last = *last % in->components == 0 ? *last / in->components : 0;
}

static int find_axis(segments *s, const char *text, const input *in)
{
    const bool from_end = text[0] == '-';
    uint64_t k;
    if (s->dimensions == 0)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but %s has no axes; it must be a picture, or an array of at "
                    "least one dimension beside --components",
                    s->option, s->text, in->name);
    if (!parse_count(text + from_end, from_end ? 1 : 0,
                     from_end ? s->dimensions : s->dimensions - 1, &k))
        return fail(STATUS_USAGE,
                    "--%s is '%s'; it must be a whole number from -%u to %u, an axis of %s",
                    s->option, s->text, s->dimensions, s->dimensions - 1, in->name);
    s->axis = from_end ? s->dimensions - (uint32_t)k : (uint32_t)k;
    return STATUS_DONE;
}

/* The axes are those of all elements of the file. */
static int check_elements(const segments *s, const input *in, const input_options *opts)
{
    uint64_t count = 1, most = INT64_MAX;
    for (uint32_t d = 0; d < s->dimensions; d++) {
        if (s->shape[d] > most)
            return fail(STATUS_USAGE,
                        "--%s is '%s', but the shape of %s is too large; the product of all "
                        "lengths that are not 0 must be below 2^63",
                        s->option, s->text, in->name);
        most /= s->shape[d] > 0 ? s->shape[d] : 1;
        count *= s->shape[d];
    }
    if (opts->offset != 0 || opts->stride != 0)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but --%s is given; it needs all elements of the array",
                    s->option, s->text, opts->stride != 0 ? "stride" : "offset");
    if (count != in->count)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but --components is %u; the last axis of %s must be a multiple "
                    "of it",
                    s->option, s->text, in->components, in->name);
    return STATUS_DONE;
}

static extent find_extent(const segments *s)
{
    extent e = {1, s->shape[s->axis], 1};
    for (uint32_t d = 0; d < s->dimensions; d++) {
        e.before *= d < s->axis ? s->shape[d] : 1;
        e.after *= d > s->axis ? s->shape[d] : 1;
    }
    return e;
}

/* Segments without elements, which rows cannot be. */
static int choose_empty(segments *s, segments_of command, extent e, const input *in)
{
    s->kind = VKR_SEGMENTS_ROWS;
    s->length = e.along > 0 ? e.along : 1;
    if (command != SEGMENTS_OF_REDUCE || e.before == 0 || e.after == 0)
        return STATUS_DONE;
    if (e.before > 1)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but axis %u of %s has length 0; after other axes it must have "
                    "at least 1",
                    s->option, s->text, s->axis, in->name);
    s->kind = VKR_SEGMENTS_COLUMNS;
    s->length = e.after;
    return STATUS_DONE;
}

/* Whether a command takes columns. */
static bool has_columns(segments_of command)
{
    return command == SEGMENTS_OF_REDUCE || command == SEGMENTS_OF_SCAN ||
           command == SEGMENTS_OF_SORT || command == SEGMENTS_OF_TOPK;
}

/* Elements along the last axis are rows, along the first one columns, and along another one tiles
 * that are as wide as an element. Axes of length 1 do not count. */
static int choose(segments *s, segments_of command, extent e, const input *in)
{
    static const char *const names[] = {"scan", "reduce", "sort", "topk", "select", "apply"};
    if (in->count == 0)
        return choose_empty(s, command, e, in);
    s->length = e.after == 1 ? e.along : e.after;
    s->kind = e.after == 1    ? VKR_SEGMENTS_ROWS
              : e.before == 1 ? VKR_SEGMENTS_COLUMNS
                              : VKR_SEGMENTS_TILES;
    if (s->kind == VKR_SEGMENTS_ROWS)
        return STATUS_DONE;
    if (s->kind == VKR_SEGMENTS_COLUMNS && has_columns(command))
        return STATUS_DONE;
    if (command != SEGMENTS_OF_REDUCE)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but %s has other axes after axis %u%s; %s needs the %slast "
                    "axis, which numpy.ascontiguousarray(numpy.moveaxis(a, %u, -1)) makes of it",
                    s->option, s->text, in->name, s->axis,
                    has_columns(command) ? " and before it" : "", names[command],
                    has_columns(command) ? "first or the " : "", s->axis);
    if (e.along > UINT32_MAX)
        return fail(STATUS_USAGE,
                    "--%s is '%s', but axis %u of %s has length %" PRIu64
                    "; between other axes it must have at most %u",
                    s->option, s->text, s->axis, in->name, e.along, UINT32_MAX);
    s->tile_width = 1;
    s->tile_height = (uint32_t)e.along;
    return STATUS_DONE;
}

static int open_axis(segments *s, segments_of command, const char *text, const input *in,
                     const input_options *opts)
{
    s->by_axis = true;
    find_axes(s, in);
    int status = find_axis(s, text, in);
    if (status == STATUS_DONE)
        status = check_elements(s, in, opts);
    return status == STATUS_DONE ? choose(s, command, find_extent(s), in) : status;
}

int axes_open(segments *s, segments_of command, const char *text, const char *axis, const input *in,
              const input_options *opts)
{
    const bool rows = text != NULL && strcmp(text, "rows") == 0;
    const bool columns = text != NULL && strcmp(text, "columns") == 0 && has_columns(command);
    *s = (segments){.option = axis != NULL ? "axis" : "segments",
                    .text = axis != NULL ? axis : text};
    if (axis != NULL && text != NULL)
        return fail(STATUS_USAGE, "--axis and --segments are both given; name one");
    if (axis != NULL)
        return open_axis(s, command, axis, in, opts);
    if (rows || columns)
        return open_axis(s, command, rows ? "-1" : "0", in, opts);
    return segments_open(s, command, text, in->count);
}

uint32_t segments_results(const segments *s, uint64_t count, uint64_t *shape)
{
    uint32_t dimensions = 0;
    if (!s->by_axis) {
        shape[0] = count;
        return s->kind != VKR_SEGMENTS_NONE;
    }
    for (uint32_t d = 0; d < s->dimensions; d++)
        if (d != s->axis)
            shape[dimensions++] = s->shape[d];
    return dimensions;
}

uint32_t segments_elements(const segments *s, uint64_t count, uint64_t *shape)
{
    shape[0] = count;
    if (!s->by_axis)
        return 1;
    memcpy(shape, s->shape, s->dimensions * sizeof *shape);
    return s->dimensions;
}
