/* SPDX-License-Identifier: MIT */
#include "sort_case.h"

#include <string.h>

#define FEW 700u /* elements that fit the smallest range, however far apart they are */

/* Many elements have the same key, some none, which is NaN. */
const VkrMap sort_map = {.weights = {0.25f}, .bias = 1.0f, .function = VKR_MAP_SQRT};

/* ---- Requests ---- */

/* What determines the pipelines. Data do not: each row runs with several kinds of them. */
enum {
    AXIS_TYPE,
    AXIS_PAYLOADS,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_ALGORITHM,
    AXIS_ORDER, /* descending, NaN first */
    AXIS_BITS,  /* all of the key, some, or all of what a map makes of it */
    AXIS_SEGMENTS,
    AXIS_COUNT,
    AXIS_KEYS,
    AXIS_INDICES,
    AXIS_STRIDED,
    AXIS_GPU_COUNT
};

enum { ALL_BITS, SOME_BITS, MAPPED };
enum { NO_SEGMENTS, SHORT_ROWS, ROWS, OFFSETS };
enum { UP_TO_300, TILES, THOUSANDS, MANY };
enum { NO_KEYS, SORTED_KEYS, KEYS_IN_PLACE };
enum { NO_PAYLOAD, ONE_WORD, WORD_IN_PLACE, NO_WORDS, SEVERAL_WORDS, SEVERAL };

static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED, LIMITS_SHUFFLE, LIMITS_SMALL,
                                    LIMITS_SHARED_SMALL};
static const uint32_t workgroups[][2] = {{0, 0}, {1, 4}, {8, 16}, {32, 64}, {128, 128}};
static const VkrSortAlgorithm algorithms[] = {VKR_SORT_AUTO, VKR_SORT_THREE_PASS, VKR_SORT_BITONIC,
                                              VKR_SORT_ONESWEEP};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_PAYLOADS] = 6,
    [AXIS_LIMITS] = ARRAY_SIZE(limits),
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_ALGORITHM] = ARRAY_SIZE(algorithms),
    [AXIS_ORDER] = 4,
    [AXIS_BITS] = 3,
    [AXIS_SEGMENTS] = 4,
    [AXIS_COUNT] = 4,
    [AXIS_KEYS] = 3,
    [AXIS_INDICES] = 2,
    [AXIS_STRIDED] = 2,
    [AXIS_GPU_COUNT] = 3,
};

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = (VkrType)(axes[AXIS_TYPE] + 1);
    const uint32_t payloads = axes[AXIS_PAYLOADS], keys = axes[AXIS_KEYS];
    const bool has_units = a->types[VKR_TYPE_U8] && a->types[VKR_TYPE_U16];
    if (axes[AXIS_BITS] == SOME_BITS && is_float(type))
        return false;
    if (axes[AXIS_BITS] == MAPPED && (vkrTypeSize(type) > 4 || keys == KEYS_IN_PLACE))
        return false;
    if (keys == NO_KEYS && axes[AXIS_INDICES] == 0 && payloads == NO_PAYLOAD)
        return false;
    return a->types[type] && has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           workgroups[axes[AXIS_WORKGROUP]][1] <= a->workgroup &&
           (limits[axes[AXIS_LIMITS]] != LIMITS_SHUFFLE || a->shuffles) &&
           ((payloads != NO_WORDS && payloads != SEVERAL) || has_units);
}

static bool one_in(uint64_t *state, uint32_t n)
{
    return random_below(state, n) == 0;
}

/* The elements of a tile of some geometries, and numbers around it; and other numbers. */
static uint64_t draw_count(uint64_t *state, uint32_t kind)
{
    static const uint32_t tiles[] = {96, 192, 384, 768, 1536, 3072};
    const uint64_t tile = tiles[random_below(state, ARRAY_SIZE(tiles))];
    switch (kind) {
    case UP_TO_300:
        return one_in(state, 8) ? random_below(state, 4) : random_below(state, 300);
    case TILES:
        return (1 + random_below(state, 2)) * tile - 1 + random_below(state, 3);
    case THOUSANDS:
        return random_below(state, 20000);
    default:
        return 100000 + random_below(state, 100000);
    }
}

static void draw_bits(uint64_t *state, uint32_t kind, sort_row *row)
{
    const uint32_t bits = 8 * vkrTypeSize(row->type);
    row->mapped = kind == MAPPED;
    if (kind != SOME_BITS)
        return;
    row->begin = random_below(state, bits);
    row->end = row->begin + 1 + random_below(state, bits - row->begin);
}

static void draw_segments(uint64_t *state, uint32_t kind, sort_row *row)
{
    uint64_t at = 0;
    if (kind == SHORT_ROWS || kind == ROWS) {
        row->row = 1 + random_below(state, kind == SHORT_ROWS ? 300 : (uint32_t)row->count + 100);
        if (row->count / row->row > 2000)
            row->row = row->count / 2000;
    } else if (kind == OFFSETS) {
        row->offsets64 = one_in(state, 2);
        row->offset_count = 1 + random_below(state, SORT_OFFSETS);
        for (uint32_t i = 0; i < row->offset_count; i++) {
            row->offsets[i] = at;
            at += one_in(state, 4) ? 0 : random_below(state, (uint32_t)row->count / 8 + 3);
        }
    }
}

static uint32_t draw_payload(uint64_t *state, uint32_t kind)
{
    static const uint32_t parts[] = {1, 2, 3, 6}, words[] = {8, 12, 16, 20, 32, 64};
    if (kind == SEVERAL)
        kind = ONE_WORD + random_below(state, SEVERAL - ONE_WORD);
    return kind == NO_WORDS        ? parts[random_below(state, ARRAY_SIZE(parts))]
           : kind == SEVERAL_WORDS ? words[random_below(state, ARRAY_SIZE(words))]
                                   : 4;
}

static void draw_outputs(uint64_t *state, const uint32_t axes[MAX_AXES], sort_row *row)
{
    const uint32_t payloads = axes[AXIS_PAYLOADS];
    const bool strided = axes[AXIS_STRIDED] != 0;
    row->keys = axes[AXIS_KEYS] != NO_KEYS;
    row->in_place = axes[AXIS_KEYS] == KEYS_IN_PLACE;
    row->indices = axes[AXIS_INDICES] != 0;
    row->payload_count = payloads == SEVERAL      ? 2 + random_below(state, SORT_PAYLOADS - 1)
                         : payloads != NO_PAYLOAD ? 1
                                                  : 0;
    for (uint32_t i = 0; i < row->payload_count; i++)
        row->payloads[i] = draw_payload(state, payloads);
    row->payload_in_place = payloads == WORD_IN_PLACE;
    row->payload_gap = strided ? 1 + random_below(state, 3) : 0;
    row->key_stride = strided && one_in(state, 2) ? 2 + random_below(state, 3) : 1;
    row->sorted_stride = strided && one_in(state, 2) ? 2 + random_below(state, 3) : 1;
    row->index_stride = strided && one_in(state, 2) ? 2 + random_below(state, 3) : 1;
}

static void draw_gpu_count(uint64_t *state, uint32_t kind, sort_row *row)
{
    row->gpu_count = kind != 0;
    row->gpu_count64 = kind == 2;
    row->gpu_value = random_below(state, (uint32_t)row->count + 10);
    if (one_in(state, 6))
        row->gpu_value = 0;
    else if (one_in(state, 4)) /* it is clamped to the host's count */
        row->gpu_value = row->count + 1 + random_below(state, 3000);
    if (row->gpu_count64 && one_in(state, 4))
        row->gpu_value += UINT64_C(1) << 32;
}

void sort_rows_begin(row_list *list, const abilities *device, test_contexts *contexts)
{
    rows_begin(list, "sort", axis_sizes, 0, valid_row, device);
    rows_add_triples(list,
                     1u << AXIS_TYPE | 1u << AXIS_PAYLOADS | 1u << AXIS_ALGORITHM |
                         1u << AXIS_ORDER | 1u << AXIS_SEGMENTS | 1u << AXIS_KEYS |
                         1u << AXIS_GPU_COUNT,
                     contexts);
}

void sort_limit(sort_row *row)
{
    row->count = row->count < FEW ? row->count : FEW;
    row->row = row->row < FEW ? row->row : FEW;
}

bool sort_rows_next(row_list *list, sort_row *row)
{
    uint32_t axes[MAX_AXES];
    if (!rows_next(list, axes))
        return false;
    uint64_t state = environment("VKR_TEST_SEED", 1);
    for (uint32_t i = 0; i < MAX_AXES && axis_sizes[i] != 0; i++)
        state = state * 13 + axes[i];
    *row = (sort_row){.seed = state,
                      .type = (VkrType)(axes[AXIS_TYPE] + 1),
                      .limits = limits[axes[AXIS_LIMITS]],
                      .algorithm = algorithms[axes[AXIS_ALGORITHM]],
                      .descending = axes[AXIS_ORDER] % 2 != 0,
                      .nan_first = axes[AXIS_ORDER] / 2 != 0};
    (void)next_random(&state);
    row->workgroup = workgroups[axes[AXIS_WORKGROUP]][random_below(&state, 2)];
    row->count = draw_count(&state, axes[AXIS_COUNT]);
    row->data = (sort_data)random_below(&state, SORT_DATA_COUNT);
    draw_bits(&state, axes[AXIS_BITS], row);
    draw_segments(&state, axes[AXIS_SEGMENTS], row);
    draw_outputs(&state, axes, row);
    draw_gpu_count(&state, axes[AXIS_GPU_COUNT], row);
    return true;
}

/* The lengths are those of an invocation's keys and of tiles, and the next ones. */
void sort_choose_short(uint32_t i, sort_row *row)
{
    static const uint64_t lengths[] = {1,  2,  3,  8,   9,   10,  18,   31,
                                       63, 64, 65, 144, 145, 288, 1000, 2304};
    uint64_t state = 77 + i;
    (void)next_random(&state);
    *row = (sort_row){.seed = state,
                      .type = (VkrType)(1 + i * 5 % (VKR_TYPE_COUNT - 1)),
                      .limits = LIMITS_DEVICE,
                      .data = (sort_data)(i % SORT_DATA_COUNT),
                      .row = lengths[i % ARRAY_SIZE(lengths)],
                      .workgroup = i % 3 == 0 ? 8 : 0,
                      .descending = one_in(&state, 2),
                      .nan_first = one_in(&state, 2),
                      .keys = true,
                      .in_place = one_in(&state, 3),
                      .indices = one_in(&state, 2),
                      .gpu_count = one_in(&state, 2), /* cuts a row */
                      .count = 1 + random_below(&state, 8000),
                      .key_stride = 1,
                      .sorted_stride = 1,
                      .index_stride = 1};
    const uint32_t count = (uint32_t)row->count;
    row->gpu_value = i % 4 == 1 ? count + 1 + i : random_below(&state, count + 1);
    if (!one_in(&state, 3))
        row->payloads[row->payload_count++] = one_in(&state, 2) ? 4 : 12;
    row->payload_in_place = row->payload_count == 1 && row->payloads[0] == 4 && !row->indices;
    if (!is_float(row->type) && one_in(&state, 2)) {
        row->begin = 2;
        row->end = 8 * vkrTypeSize(row->type) - 1;
    }
}

/* The last ones take some drivers long to compile. */
void sort_choose_windows(uint32_t i, sort_row *row)
{
    static const sort_row rows[SORT_WINDOWS] = {
        {.type = VKR_TYPE_U32, .count = 50000, .end = 32, .workgroup = 32, .keys = true},
        {.type = VKR_TYPE_F32, .count = 30000, .workgroup = 1, .keys = true, .in_place = true},
        {.type = VKR_TYPE_U16,
         .count = 50000,
         .begin = 3,
         .end = 16,
         .workgroup = 2,
         .payload_count = 1,
         .payloads = {4},
         .payload_in_place = true},
        {.type = VKR_TYPE_U32, .count = 60000, .row = 1700, .workgroup = 32, .keys = true},
        {.type = VKR_TYPE_U32, .count = 60000, .row = 33, .keys = true, .indices = true},
        {.type = VKR_TYPE_I16,
         .count = 40000,
         .row = 700,
         .keys = true,
         .in_place = true,
         .payload_count = 1,
         .payloads = {4},
         .workgroup = 4},
        {.type = VKR_TYPE_U8, .count = 90000, .workgroup = 64, .keys = true, .indices = true},
        {.type = VKR_TYPE_U32,
         .count = 40000,
         .end = 10,
         .workgroup = 32,
         .payload_count = 2,
         .payloads = {12, 8}},
        {.type = VKR_TYPE_U32,
         .count = 40000,
         .end = 20,
         .workgroup = 32,
         .gpu_count = true,
         .gpu_value = 27001,
         .keys = true,
         .indices = true},
        {.type = VKR_TYPE_U32,
         .count = 60000,
         .end = 12,
         .workgroup = 32,
         .row = 25001,
         .indices = true},
    };
    *row = rows[i];
    row->seed = 1000 + i;
    row->algorithm = row->row == 33 ? VKR_SORT_AUTO : VKR_SORT_THREE_PASS;
    row->limits = LIMITS_SMALL;
    row->key_stride = row->sorted_stride = row->index_stride = 1;
}

/* ---- Data ---- */

static uint64_t special_of(uint64_t *state, uint32_t bits)
{
    const uint64_t mask = UINT64_MAX >> (64 - bits), sign = mask ^ mask >> 1;
    const uint64_t random = next_random(state) & mask;
    switch (random_below(state, 5)) {
    case 0:
        return (random & sign) | ((mask >> 1) - (random & 7)); /* NaN */
    case 1:
        return random & sign; /* zeros */
    case 2:                   /* infinities, and what is next to them, of each float's fraction */
        return (random & sign) |
               (((mask >> 1) & ~((UINT64_C(1) << (bits == 64   ? 52
                                                  : bits == 32 ? 23
                                                  : bits == 16 ? (random & 2 ? 10 : 7)
                                                               : 3)) -
                                 1)) +
                (random >> 3 & 1));
    case 3:
        return random & 7;
    default:
        return random;
    }
}

static uint64_t key_of(const sort_row *row, uint64_t *state, uint64_t i, const uint64_t constant[2])
{
    const uint32_t bits = 8 * vkrTypeSize(row->type);
    const uint64_t random = next_random(state);
    switch (row->data) {
    case SORT_SORTED:
        return constant[0] + i;
    case SORT_REVERSED:
        return constant[0] - i;
    case SORT_EQUAL:
        return constant[0];
    case SORT_TWO:
        return constant[random >> 40 & 1];
    case SORT_ONE_BIT:
        return constant[0] ^ (random >> 40 & 1) << (constant[1] >> 8) % bits;
    case SORT_LOW:
        return constant[0] ^ (random & 7);
    case SORT_HIGH:
        return constant[0] ^ (random & 7) << (bits - 4);
    case SORT_SPECIAL:
        return special_of(state, bits);
    default:
        return random;
    }
}

void sort_fill(const sort_row *row, void *keys, uint64_t stride)
{
    const uint32_t size = vkrTypeSize(row->type);
    uint64_t state = row->seed ^ 0x5bd1e995;
    const uint64_t constant[2] = {next_random(&state), next_random(&state)};
    for (uint64_t i = 0; i < row->count; i++) {
        const uint64_t key = key_of(row, &state, i, constant);
        memcpy((char *)keys + i * stride, &key, size);
    }
}
