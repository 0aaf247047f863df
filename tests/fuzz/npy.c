/* SPDX-License-Identifier: MIT */
/* .npy files and raw ones, as INPUT of the runner and for --segments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/flags.h"
#include "input/segments.h"
#include "said.h"

#define MAX_ELEMENT_COUNT 5000u /* elements that are checked */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* Checks what input_open promises, and reads the elements into arrays that are just large
 * enough. */
static void use_input(const input *in, uint64_t file_size, uint64_t portion)
{
    const uint64_t element = (uint64_t)vkrTypeSize(in->type) * in->components;
    EXPECT(in->type > VKR_TYPE_UNDEFINED && in->type < VKR_TYPE_COUNT, "type %d", (int)in->type);
    EXPECT(in->components >= 1 && in->components <= VKR_MAX_COMPONENTS, "%u", in->components);
    EXPECT(in->size <= file_size, "%llu bytes of values", (unsigned long long)in->size);
    EXPECT(in->stride > 0 && in->stride % vkrTypeSize(in->type) == 0, "stride");
    const uint64_t count = in->count < MAX_ELEMENT_COUNT ? in->count : MAX_ELEMENT_COUNT;
    for (uint64_t first = 0; first < count; first += portion) {
        const uint64_t some = count - first < portion ? count - first : portion;
        unsigned char *data = malloc((size_t)input_span(in, some));
        EXPECT(data != NULL, "no memory");
        EXPECT(input_span(in, some) >= element, "elements have no room");
        (void)said_right(input_load(in, first, some, data));
        free(data);
    }
}

static void try_input(fuzz_bytes *bytes, const input_options *opts, const char *suffix)
{
    input in;
    const uint64_t portion = 1 + fuzz_below(bytes, 256);
    const char *name = fuzz_file(bytes->at, bytes->left, suffix);
    const bool is_picture = bytes->left > 0 && strchr("\x89#\x76", *bytes->at) != NULL;
    if (said_right(input_open(&in, name, opts)))
        use_input(&in, is_picture ? UINT64_MAX : bytes->left, portion);
    input_close(&in);
}

/* Reads the segments of a scan or reduction, starting at element `first`, as the commands do. */
static void use_segments(const segments *s, segments_of command, uint64_t first, uint64_t count)
{
    uint64_t some = count - first < MAX_ELEMENT_COUNT ? count - first : MAX_ELEMENT_COUNT;
    if (command == SEGMENTS_OF_SCAN) {
        uint32_t *bits = malloc((size_t)flag_bytes(some) + 1);
        EXPECT(bits != NULL, "no memory");
        if (said_right(segments_load(s, first, some, bits)) && first == 0 && some > 0)
            EXPECT(flag_at(bits, 0), "element 0 starts no segment");
        free(bits);
    } else if (s->kind == VKR_SEGMENTS_OFFSETS) {
        uint64_t last = 0;
        some = s->file.count < MAX_ELEMENT_COUNT ? s->file.count : MAX_ELEMENT_COUNT;
        uint64_t *offsets = malloc((size_t)some * sizeof *offsets);
        EXPECT(offsets != NULL && some > 0, "no memory, or no offsets");
        if (said_right(segments_offsets(s, 0, some, offsets)))
            for (uint64_t i = 0; i < some; last = offsets[i++])
                EXPECT(offsets[i] >= last && offsets[i] <= count, "offset %llu",
                       (unsigned long long)i);
        free(offsets);
    }
}

static void try_segments(fuzz_bytes *bytes, segments_of command, const char *word)
{
    static const uint64_t counts[] = {
        0, 1, 2, 3, 7, 32, 33, 100, 4000, 1u << 20, UINT64_MAX - 1, UINT64_MAX};
    char text[160];
    segments s;
    const uint64_t choice = fuzz_below(bytes, 256), start = fuzz_below(bytes, 256);
    const uint64_t number = fuzz_below(bytes, 65536);
    const uint64_t kinds = sizeof counts / sizeof counts[0];
    const uint64_t count = choice < kinds ? counts[choice] : number;
    const uint64_t first = count == 0 ? 0 : start * start % count;
    snprintf(text, sizeof text, "%s%s", word, fuzz_file(bytes->at, bytes->left, ".npy"));
    if (said_right(segments_open(&s, command, text, count)))
        use_segments(&s, command, first, count);
    segments_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    const uint64_t mode = fuzz_below(&bytes, 8);
    input_options opts = {.components = fuzz_below(&bytes, 8)};
    opts.components = opts.components <= VKR_MAX_COMPONENTS ? opts.components : 0;
    said_nothing();
    switch (mode) {
    case 0:
    case 1:
        opts.type = (uint32_t)fuzz_below(&bytes, VKR_TYPE_COUNT);
        opts.offset = fuzz_below(&bytes, 256);
        opts.stride = fuzz_below(&bytes, 65536);
        try_input(&bytes, &opts, mode == 0 ? ".npy" : "");
        break;
    case 2:
        try_segments(&bytes, SEGMENTS_OF_SCAN, "flags:");
        break;
    case 3:
        try_segments(&bytes, SEGMENTS_OF_SCAN, "offsets:");
        break;
    case 4:
        try_segments(&bytes, SEGMENTS_OF_REDUCE, "offsets:");
        break;
    case 6:
    case 7:
        opts.field = mode == 6 ? "x" : "x.y";
        try_input(&bytes, &opts, ".NPY");
        break;
    default:
        try_input(&bytes, &opts, ".NPY");
    }
    return 0;
}
