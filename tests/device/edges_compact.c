/* SPDX-License-Identifier: MIT */
/* Compactions: ends of loads, of views and of the capacity; counts, payloads, wide indices. */
#include <string.h>

#include "edges.h"

#define ROOM 333u  /* capacity of the kept output, less than the number of kept elements */
#define ALREADY 9u /* the append position */
#define FIRST_INDEX 0xffffff00u
#define SCALE 7u
enum { KEPT_AT = 256, INDICES_AT = 4096, REJECTED_AT = 16384, PAYLOAD_AT = 65536 };

/* Runs of equal elements whose ends have every position in loads and shares. */
static uint32_t run_value(uint32_t i)
{
    return i % 16 < 5 ? i / 16 * 16 : i % 16 < 7 ? i / 16 * 16 + 5 : i / 8 * 8;
}

typedef struct unique_row {
    const char *name;
    VkrCompactAlgorithm algorithm;
    VkrLoadOrder order;
    VkrLoadPath path;
    bool moves; /* a payload, by marks */
} unique_row;
static const unique_row uniques[] = {
    {"unique: contiguous", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4, true},
    {"unique: texels", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_CONTIGUOUS, VKR_LOAD_TEXEL, true},
    {"unique: texels in one stream", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_CONTIGUOUS, VKR_LOAD_TEXEL,
     false},
    {"unique: coalesced", VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_COALESCED, VKR_LOAD_VEC4, true},
    {"unique: tiles", VKR_COMPACT_SINGLE_PASS, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4, false},
    {"unique: tiles in registers", VKR_COMPACT_SINGLE_PASS, VKR_LOAD_COALESCED, VKR_LOAD_VEC4,
     false},
};

/* Texels that contain `count` words of a buffer and some words around them. */
static VkrTexels texels_of(const harness_buffer *buffer, VkDeviceSize offset, uint32_t count)
{
    const VkDeviceSize start = offset / 256 * 256; /* aligned for every device */
    VkrTexels texels = {.offset = start,
                        .size = (offset - start + 4 * (VkDeviceSize)count + 15) / 16 * 16};
    const VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = buffer->buffer,
                                         .format = VK_FORMAT_R32G32B32A32_UINT,
                                         .offset = texels.offset,
                                         .range = texels.size};
    assert_int_equal(vkCreateBufferView(h.device, &info, NULL, &texels.view), VK_SUCCESS);
    return texels;
}

static void test_unique(void **state)
{
    const unique_row *row = *state;
    VkrTuning tuning = shares(32, row->order, row->path);
    VkrTexels texels = {0};
    if (row->path == VKR_LOAD_TEXEL) {
        tuning.workgroupSize = 0;                 /* one subgroup, which counts run after run */
        tuning.minBytes = tuning.maxBytes = 2048; /* per run: the chunks of all invocations fit */
        tuning.flight = 2;
        texels = texels_of(&extra, 256 + OFFSET, ELEMENTS);
    }
    if (row->algorithm == VKR_COMPACT_SINGLE_PASS && row->order == VKR_LOAD_COALESCED)
        tuning.flight = tuning.tileBytes / 16;
    uint32_t *words = (uint32_t *)extra.data + 64 + OFFSET / 4;
    const uint32_t already = ALREADY;
    memcpy(extra.data, &already, sizeof(already));
    for (uint32_t i = 0; i < ELEMENTS; i++)
        words[i] = run_value(i);
    const VkrCountOutput counts[] = {{VKR_COUNT_KEPT, output.buffer, 0, 1},
                                     {VKR_COUNT_STORED, output.buffer, 4, 1},
                                     {VKR_COUNT_DISPATCH, output.buffer, 8, SCALE},
                                     {VKR_COUNT_REJECTED64, output.buffer, 20, SCALE}};
    const VkrPayload payload = {.size = 4,
                                .source = {input.buffer, OFFSET, 4 * ELEMENTS},
                                .target = {output.buffer, PAYLOAD_AT, 4 * ELEMENTS}};
    VkrCompactInfo info = {.input = view_of(&extra, 256 + OFFSET, ELEMENTS),
                           .count = VKR_COUNT_ALL,
                           .predicate = {.kind = VKR_PREDICATE_UNIQUE},
                           .algorithm = row->algorithm,
                           .kept = view_of(&output, KEPT_AT, ROOM + UNTOUCHED),
                           .keptIndices = view_of(&output, INDICES_AT, 2 * (ROOM + UNTOUCHED)),
                           .capacity = ROOM,
                           .append = {extra.buffer, 0, 0},
                           .rejectedIndices = view_of(&output, REJECTED_AT, 2 * ELEMENTS),
                           .firstIndex = FIRST_INDEX,
                           .payloadCount = row->moves,
                           .payloads = &payload,
                           .countOutputCount = ARRAY_SIZE(counts),
                           .countOutputs = counts};
    info.keptIndices.type = info.rejectedIndices.type = VKR_TYPE_U64;
    info.input.texels = texels;
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    vkDestroyBufferView(h.device, texels.view, NULL);

    static uint32_t kept[ROOM], indices[2 * ROOM], rejected[2 * ELEMENTS], moved[ELEMENTS];
    uint32_t found = ALREADY, others = 0;
    memset(kept, 0xcd, sizeof(kept));
    memset(indices, 0xcd, sizeof(indices));
    memset(moved, 0xcd, sizeof(moved));
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        const uint64_t index = (uint64_t)FIRST_INDEX + i;
        if (i > 0 && words[i] == words[i - 1]) {
            memcpy(&rejected[2 * others++], &index, sizeof(index));
            continue;
        }
        if (found < ROOM) {
            kept[found] = words[i];
            memcpy(&indices[2 * found], &index, sizeof(index));
        }
        if (row->moves && found < ROOM)
            moved[found] = input_words()[i];
        found++;
    }
    assert_true(found > ROOM && ROOM % SCALE != 0);
    const uint32_t numbers[] = {found, ROOM, ROOM / SCALE + 1, 1, 1, others * SCALE, 0};
    expect("counts", 0, numbers, ARRAY_SIZE(numbers));
    expect("kept", KEPT_AT, kept, ROOM);
    expect("indices of kept", INDICES_AT, indices, 2 * ROOM);
    expect("indices of rejected", REJECTED_AT, rejected, 2 * others);
    expect("payload", PAYLOAD_AT, moved, ELEMENTS);
}

/* Values with flags are loaded as texels if a unit of flags starts at a texel, which depends on
 * both offsets. Queues then store the kept elements, except 64-bit indices. */
typedef struct flags_row {
    const char *name;
    VkrFlagFormat format;
    VkDeviceSize flags_at;
    VkDeviceSize values_at;
    uint32_t count;
    bool wide; /* 64-bit indices, and rejected elements */
} flags_row;
static const flags_row flagged[] = {
    {"flags: bytes", VKR_FLAGS_U8, 0, 256, ELEMENTS, false},
    {"flags: bytes and indices", VKR_FLAGS_U8, 16, 272, ELEMENTS - 1, true},
    {"flags: bytes within a unit", VKR_FLAGS_U8, 5, 260, ELEMENTS, false},
    {"flags: bytes within a unit at the texels' start", VKR_FLAGS_U8, 14, 8, ELEMENTS, true},
    {"flags: bytes apart from texels", VKR_FLAGS_U8, 5, 256, ELEMENTS, false},
    {"flags: bits", VKR_FLAGS_BITS, 4, 256, ELEMENTS, false},
    {"flags: bits and indices", VKR_FLAGS_BITS, 0, 256, ELEMENTS + 2, true},
    {"flags: bits apart from texels", VKR_FLAGS_BITS, 0, 260, ELEMENTS, true},
    {"flags: bits of a unit", VKR_FLAGS_BITS, 8, 256, 16, true},
    {"flags: one bit", VKR_FLAGS_BITS, 12, 256, 1, false},
    {"flags: none", VKR_FLAGS_U8, 0, 256, 0, false},
};

/* Whether element i is kept; runs have every length up to whole shares. */
static bool is_flagged(uint32_t i)
{
    return i % 1024 < 512 ? i % 3 != 0 : i / 64 % 2 == 0 || i % 7 == 0;
}

static void fill_flags(const flags_row *row)
{
    unsigned char *flags = (unsigned char *)extra.data + row->flags_at;
    const bool bits = row->format == VKR_FLAGS_BITS;
    memset(extra.data, 0xff, 2 * (size_t)ELEMENTS);
    for (uint32_t i = 0; i < row->count; i++) {
        const uint32_t byte = bits ? i / 8 : i, bit = bits ? i % 8 : 0;
        const uint32_t others = bits ? flags[byte] & ~(1u << bit) : 0;
        flags[byte] = (unsigned char)(others | (is_flagged(i) ? 1u << bit : 0));
    }
}

static void test_flags(void **state)
{
    const flags_row *row = *state;
    const uint32_t n = row->count;
    const VkDeviceSize bytes = row->format == VKR_FLAGS_BITS ? (n + 31) / 32 * 4 : n;
    const uint32_t *values = (const uint32_t *)((const char *)input.data + row->values_at);
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_TEXEL);
    const VkrCountOutput count = {VKR_COUNT_KEPT, output.buffer, 0, 1};
    VkrCompactInfo info = {.input = view_of(&input, row->values_at, n),
                           .count = n,
                           .predicate = {.kind = VKR_PREDICATE_FLAGS,
                                         .flags = {.format = row->format,
                                                   .range = {extra.buffer, row->flags_at, bytes}}},
                           .kept = view_of(&output, KEPT_AT, ELEMENTS + UNTOUCHED),
                           .keptIndices =
                               view_of(&output, INDICES_AT + REJECTED_AT, ELEMENTS + UNTOUCHED),
                           .countOutputCount = 1,
                           .countOutputs = &count};
    if (row->wide) {
        info.keptIndices.type = VKR_TYPE_U64;
        info.keptIndices.size *= 2;
        info.rejected = view_of(&output, PAYLOAD_AT, ELEMENTS + UNTOUCHED);
        info.firstIndex = UINT64_C(1) << 40;
    }
    fill_flags(row);
    if (n != 0)
        info.input.texels = texels_of(&input, row->values_at, n < 4 ? 4 : n - n % 4);
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    vkDestroyBufferView(h.device, info.input.texels.view, NULL);

    static uint32_t kept[ELEMENTS + 2], indices[2 * (ELEMENTS + 2)], rejected[ELEMENTS + 2];
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_flagged(i)) {
            rejected[i - found] = values[i];
            continue;
        }
        const uint64_t index = info.firstIndex + i;
        memcpy(&indices[row->wide ? 2 * found : found], &index, row->wide ? 8 : 4);
        kept[found++] = values[i];
    }
    expect("counts", 0, &found, 1);
    expect("kept", KEPT_AT, kept, found);
    expect("indices of kept", INDICES_AT + REJECTED_AT, indices, row->wide ? 2 * found : found);
    expect("rejected", PAYLOAD_AT, rejected, row->wide ? n - found : 0);
}

/* A predicate on a bit of each word, with an incomplete last unit; queues store the kept words. */
static void test_bits(void **state)
{
    (void)state;
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const work w = open_work(NULL, &tuning);
    const VkrCompactInfo info = {
        .input = view_of(&input, OFFSET, ELEMENTS),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_BITS, .compare = VKR_COMPARE_EQUAL, .mask = 4},
        .algorithm = VKR_COMPACT_SINGLE_PASS,
        .kept = view_of(&output, KEPT_AT, ELEMENTS),
        .rejectedIndices = view_of(&output, PAYLOAD_AT, ELEMENTS)};
    static uint32_t kept[ELEMENTS], rejected[ELEMENTS];
    uint32_t found = 0;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        if ((input_words()[i] & 4) == 0)
            kept[found++] = input_words()[i];
        else
            rejected[i - found] = i;
    }
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    expect("kept", KEPT_AT, kept, found);
    expect("indices of rejected", PAYLOAD_AT, rejected, ELEMENTS - found);
}

/* Ranges of signed numbers: one that contains 0, and one that contains all numbers. */
static void test_ranges(void **state)
{
    (void)state;
    static const int32_t values[] = {3, -5, INT32_MAX, -3, INT32_MIN, 0, 4, -4};
    static const struct {
        VkrCompare compare, compare2;
        int32_t a, b;
        uint32_t kept; /* bit mask */
    } rows[] = {{VKR_COMPARE_GREATER, VKR_COMPARE_LESS_EQUAL, -4, 3, 0x29},
                {VKR_COMPARE_GREATER_EQUAL, VKR_COMPARE_NONE, INT32_MIN, 0, 0xff}};
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    memcpy(extra.data, values, sizeof(values));
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrCompactInfo info = {.input = view_of(&extra, 0, ARRAY_SIZE(values)),
                               .count = VKR_COUNT_ALL,
                               .predicate = {.kind = VKR_PREDICATE_COMPARE,
                                             .compare = rows[i].compare,
                                             .compare2 = rows[i].compare2,
                                             .a.i = rows[i].a,
                                             .b.i = rows[i].b},
                               .keptIndices = view_of(&output, 0, ARRAY_SIZE(values))};
        uint32_t indices[ARRAY_SIZE(values)], found = 0;
        const work w = open_work(NULL, &tuning);
        info.input.type = VKR_TYPE_I32;
        for (uint32_t k = 0; k < ARRAY_SIZE(values); k++)
            if ((rows[i].kept >> k & 1) != 0)
                indices[found++] = k;
        assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
        run(&w);
        expect("indices", 0, indices, found);
    }
}

/* An append position with which the kept elements need at least 2^32 workgroups. */
static void test_far(void **state)
{
    (void)state;
    const uint64_t far = (SCALE + (UINT64_C(1) << 32)) * SCALE, kept = far + ELEMENTS;
    const uint32_t limit = h.properties.limits.maxComputeWorkGroupCount[0];
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_VEC4);
    const VkrCountOutput counts[] = {{VKR_COUNT_DISPATCH, output.buffer, 0, SCALE},
                                     {VKR_COUNT_KEPT64, output.buffer, 12, 1}};
    const VkrCompactInfo info = {.input = view_of(&input, OFFSET, ELEMENTS),
                                 .count = VKR_COUNT_ALL,
                                 .predicate = {.kind = VKR_PREDICATE_UNIQUE},
                                 .append = {extra.buffer, 0, VKR_TYPE_U64},
                                 .countOutputCount = ARRAY_SIZE(counts),
                                 .countOutputs = counts};
    uint32_t numbers[] = {limit, UINT32_MAX / limit + (UINT32_MAX % limit != 0), 1, 0, 0};
    const work w = open_work(NULL, &tuning);
    memcpy(extra.data, &far, sizeof(far));
    memcpy(&numbers[3], &kept, sizeof(kept));
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    expect("counts", 0, numbers, ARRAY_SIZE(numbers));
}

/* Entries of whole texels, which are loaded as texels if their offsets and strides are multiples of
 * 16 bytes. */
typedef struct payload_row {
    const char *name;
    uint32_t size;
    VkDeviceSize source_at, target_at;
    VkDeviceSize source_stride, target_stride;
    uint32_t count;
    bool rejected;
} payload_row;
static const payload_row payloads[] = {
    {"payload: 16 bytes", 16, 256, PAYLOAD_AT, 0, 0, ELEMENTS, false},
    {"payload: 16 bytes of rejected", 16, 16, PAYLOAD_AT + 16, 0, 0, ELEMENTS - 2, true},
    {"payload: 64 bytes", 64, 272, PAYLOAD_AT, 0, 80, ELEMENTS, false},
    {"payload: 32 of 48 bytes", 32, 512, PAYLOAD_AT + 32, 48, 32, ELEMENTS - 1, true},
    {"payload: source within a texel", 16, 260, PAYLOAD_AT, 0, 0, ELEMENTS, false},
    {"payload: target within a texel", 32, 256, PAYLOAD_AT + 4, 0, 0, ELEMENTS, false},
    {"payload: stride within a texel", 16, 256, PAYLOAD_AT, 20, 0, ELEMENTS, false},
    {"payload: one", 16, 256, PAYLOAD_AT, 0, 0, 1, false},
    {"payload: none", 16, 256, PAYLOAD_AT, 0, 0, 0, false},
};

static void test_payloads(void **state)
{
    const payload_row *row = *state;
    const uint32_t n = row->count;
    const VkDeviceSize from = row->source_stride != 0 ? row->source_stride : row->size;
    const VkDeviceSize to = row->target_stride != 0 ? row->target_stride : row->size;
    const VkDeviceSize bytes = n != 0 ? (n - 1) * from + row->size : 0;
    const VkrTuning tuning = shares(32, VKR_LOAD_CONTIGUOUS, VKR_LOAD_TEXEL);
    VkrPayload payload = {.size = row->size,
                          .rejected = row->rejected,
                          .source = {input.buffer, row->source_at, bytes},
                          .sourceStride = row->source_stride,
                          .target = {output.buffer, row->target_at, ELEMENTS * to},
                          .targetStride = row->target_stride};
    const VkrCompactInfo info = {
        .count = n,
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {.format = VKR_FLAGS_U32,
                                .range = {extra.buffer, 0, 4 * (VkDeviceSize)n}}},
        .payloadCount = 1,
        .payloads = &payload};
    for (uint32_t i = 0; i < n; i++)
        ((uint32_t *)extra.data)[i] = is_flagged(i);
    if (n != 0)
        payload.texels = texels_of(&input, row->source_at, (uint32_t)(bytes / 16 * 4));
    const work w = open_work(NULL, &tuning);
    assert_true(harness_check(&h, vkrCmdCompact(w.recorder, &info), "vkrCmdCompact"));
    run(&w);
    vkDestroyBufferView(h.device, payload.texels.view, NULL);

    static uint32_t moved[24 * ELEMENTS];
    uint32_t found = 0;
    memset(moved, 0xcd, sizeof(moved));
    for (uint32_t i = 0; i < n; i++)
        if (is_flagged(i) != row->rejected)
            memcpy((char *)moved + found++ * to,
                   (const char *)input.data + row->source_at + i * from, row->size);
    expect("payload", row->target_at, moved, found * (uint32_t)to / 4);
}

/* Adds a test for each row of a table. */
#define ADD_ROWS(rows, function)                                                                   \
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)                                                  \
        *tests++ = (struct CMUnitTest){(rows)[i].name, function, NULL, NULL,                       \
                                       (void *)(uintptr_t)((rows) + i)};

size_t compact_edges(struct CMUnitTest *tests)
{
    const struct CMUnitTest *first = tests;
    const struct CMUnitTest fixed[] = {
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_far),
    };
    memcpy(tests, fixed, sizeof(fixed));
    tests += ARRAY_SIZE(fixed);
    ADD_ROWS(uniques, test_unique)
    ADD_ROWS(flagged, test_flags)
    ADD_ROWS(payloads, test_payloads)
    return (size_t)(tests - first);
}
