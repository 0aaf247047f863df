/* SPDX-License-Identifier: MIT */
/* Compactions of elements of several components: whole elements in each load, at the input's ends,
 * and stored in parts of each width. */
#include <string.h>

#include "edges.h"

enum { KEPT_AT = 256, REJECTED_AT = 131072, INDICES_AT = 262144, INPUT_AT = 256 };

typedef struct element_row {
    const char *name;
    VkrType type;
    uint32_t size; /* of a value */
    uint32_t components;
    uint32_t input_at, output_at; /* bytes */
    uint32_t gap;                 /* bytes between the elements of outputs */
    VkrCompactAlgorithm algorithm;
    VkrLoadOrder order;
    bool unique;
} element_row;

#define RUNS VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_CONTIGUOUS
#define SIDE_BY_SIDE VKR_COMPACT_SCAN_SCATTER, VKR_LOAD_COALESCED
#define REGISTERS VKR_COMPACT_SINGLE_PASS, VKR_LOAD_COALESCED
static const element_row elements[] = {
    {"u32x2: queues", VKR_TYPE_U32, 4, 2, 8, 0, 0, RUNS, false},
    {"u32x2: queues within a pack", VKR_TYPE_U32, 4, 2, 0, 4, 0, RUNS, true},
    {"u32x2: pairs", VKR_TYPE_U32, 4, 2, 8, 8, 0, REGISTERS, false},
    {"u32x2: words", VKR_TYPE_U32, 4, 2, 0, 4, 0, REGISTERS, true},
    {"u32x2: pairs, side by side", VKR_TYPE_U32, 4, 2, 8, 0, 8, SIDE_BY_SIDE, true},
    {"u32x3", VKR_TYPE_U32, 4, 3, 4, 0, 0, REGISTERS, true},
    {"u32x4: queues", VKR_TYPE_U32, 4, 4, 16, 4, 0, RUNS, true},
    {"u32x4: packs", VKR_TYPE_U32, 4, 4, 0, 16, 16, REGISTERS, false},
    {"u32x4: packs, side by side", VKR_TYPE_U32, 4, 4, 16, 0, 0, SIDE_BY_SIDE, false},
    {"u32x4: pairs", VKR_TYPE_U32, 4, 4, 0, 8, 0, REGISTERS, true},
    {"u32x4: within a load", VKR_TYPE_U32, 4, 4, 4, 0, 0, REGISTERS, false},
    {"u16x2: queues", VKR_TYPE_U16, 2, 2, 4, 8, 0, RUNS, false},
    {"u16x2: words", VKR_TYPE_U16, 2, 2, 12, 4, 0, REGISTERS, true},
    {"u16x4: pairs", VKR_TYPE_U16, 2, 4, 8, 0, 8, REGISTERS, true},
    {"u8x2: values", VKR_TYPE_U8, 1, 2, 6, 2, 0, REGISTERS, false},
    {"u8x4: queues", VKR_TYPE_U8, 1, 4, 12, 4, 0, RUNS, true},
    {"u8x4: words", VKR_TYPE_U8, 1, 4, 4, 0, 4, REGISTERS, false},
    {"u8x4: values", VKR_TYPE_U8, 1, 4, 8, 1, 0, SIDE_BY_SIDE, true},
};

/* Bit 2 of the last component decides; runs of equal elements end in any component. */
static bool keeps(const element_row *row, const unsigned char *element, uint32_t i)
{
    const uint32_t bytes = row->size * row->components;
    if (row->unique)
        return i == 0 || memcmp(element, element - bytes, bytes) != 0;
    return (element[bytes - row->size] & 4) != 0;
}

static void fill(const element_row *row, unsigned char *bytes)
{
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        for (uint32_t c = 0; c < row->components; c++) {
            unsigned char *value = bytes + (i * row->components + c) * row->size;
            memset(value, (int)(c + 1), row->size);
            if (row->unique)
                value[row->size - 1] = (unsigned char)((i + 5 * c) / (7 * row->components));
            else
                value[0] = (unsigned char)(input_words()[i + c] >> 3);
        }
    }
}

static void test_elements(void **state)
{
    const element_row *row = *state;
    const uint32_t bytes = row->size * row->components, stride = bytes + row->gap;
    unsigned char *in = (unsigned char *)extra.data + INPUT_AT + row->input_at;
    VkrTuning tuning = shares(32, row->order, VKR_LOAD_VEC4);
    if (row->order == VKR_LOAD_CONTIGUOUS)
        tuning.minBytes = tuning.maxBytes = 512; /* both sides of a run fill packs */
    if (row->algorithm == VKR_COMPACT_SINGLE_PASS)
        tuning.flight = tuning.tileBytes / 16;
    VkrCompactInfo info = {
        .input = {.buffer = extra.buffer,
                  .offset = INPUT_AT + row->input_at,
                  .size = ELEMENTS * bytes,
                  .type = row->type,
                  .components = row->components},
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = row->unique ? VKR_PREDICATE_UNIQUE : VKR_PREDICATE_BITS,
                      .component = row->unique ? 0 : row->components - 1,
                      .compare = row->unique ? VKR_COMPARE_NONE : VKR_COMPARE_EQUAL,
                      .mask = row->unique ? 0 : 4,
                      .value = row->unique ? 0 : 4},
        .algorithm = row->algorithm,
        .kept = {.buffer = output.buffer,
                 .offset = KEPT_AT + row->output_at,
                 .size = ELEMENTS * stride,
                 .stride = stride},
        .rejected = {.buffer = output.buffer,
                     .offset = REJECTED_AT + row->output_at,
                     .size = ELEMENTS * stride,
                     .stride = stride},
        .keptIndices = view_of(&output, INDICES_AT, ELEMENTS)};
    const work w = open_work(NULL, &tuning);
    fill(row, in);
    if (vkrCmdCompact(w.recorder, &info) == VKR_ERROR_UNSUPPORTED) { /* small types */
        close_work(&w);
        skip();
    }
    run(&w);

    static uint32_t kept[8 * ELEMENTS + 8], rejected[8 * ELEMENTS + 8], indices[ELEMENTS];
    uint32_t found = 0;
    memset(kept, 0xcd, sizeof(kept));
    memset(rejected, 0xcd, sizeof(rejected));
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        const bool is_kept = keeps(row, in + i * bytes, i);
        unsigned char *to = (unsigned char *)(is_kept ? kept : rejected);
        memcpy(to + row->output_at + (is_kept ? found : i - found) * stride, in + i * bytes, bytes);
        if (is_kept)
            indices[found++] = i;
    }
    assert_true(found > ELEMENTS / 8 && found < ELEMENTS - ELEMENTS / 8);
    expect("kept", KEPT_AT, kept, (row->output_at + found * stride + 3) / 4);
    expect("rejected", REJECTED_AT, rejected,
           (row->output_at + (ELEMENTS - found) * stride + 3) / 4);
    expect("indices of kept", INDICES_AT, indices, found);
}

size_t element_edges(struct CMUnitTest *tests)
{
    for (size_t i = 0; i < ARRAY_SIZE(elements); i++)
        tests[i] = (struct CMUnitTest){elements[i].name, test_elements, NULL, NULL,
                                       (void *)(uintptr_t)&elements[i]};
    return ARRAY_SIZE(elements);
}
