/* SPDX-License-Identifier: MIT */
#include "sort_case.h"

#include <string.h>

#include "reduce_case.h"

#define FEW 700u /* elements that fit the smallest range, however far apart they are */

/* Many elements have the same key, some none, which is NaN. */
const VkrMap sort_map = {.weights = {0.25f}, .bias = 1.0f, .function = VKR_MAP_SQRT};

/* ---- Requests ---- */

static bool one_in(uint64_t *state, uint32_t n)
{
    return random_below(state, n) == 0;
}

/* The elements of a tile of some geometries, and numbers around it. */
static uint64_t draw_count(uint64_t *state)
{
    static const uint32_t tiles[] = {96, 192, 384, 768, 1536, 3072};
    const uint64_t tile = tiles[random_below(state, ARRAY_SIZE(tiles))];
    switch (random_below(state, 8)) {
    case 0:
        return random_below(state, 4);
    case 1:
        return random_below(state, 300);
    case 2:
        return tile - 1 + random_below(state, 3);
    case 3:
        return 2 * tile - 1 + random_below(state, 3);
    case 4:
        return 100000 + random_below(state, 100000);
    default:
        return random_below(state, 20000);
    }
}

static void draw_order(uint64_t *state, sort_row *row)
{
    const uint32_t bits = 8 * vkrTypeSize(row->type);
    const bool is_float = row->type == VKR_TYPE_F16 || row->type == VKR_TYPE_BF16 ||
                          row->type == VKR_TYPE_F32 || row->type == VKR_TYPE_F64;
    row->descending = one_in(state, 2);
    row->nan_first = one_in(state, 3);
    if (is_float || row->mapped || !one_in(state, 3))
        return;
    row->begin = random_below(state, bits);
    row->end = row->begin + 1 + random_below(state, bits - row->begin);
}

static void draw_segments(uint64_t *state, sort_row *row)
{
    if (one_in(state, 3)) {
        row->row = one_in(state, 2) ? 1 + random_below(state, 300)
                                    : 1 + random_below(state, (uint32_t)row->count + 100);
        if (row->count / row->row > 2000)
            row->row = row->count / 2000;
    } else if (one_in(state, 4)) {
        uint64_t at = 0;
        row->offsets64 = one_in(state, 2);
        row->offset_count = 1 + random_below(state, SORT_OFFSETS);
        for (uint32_t i = 0; i < row->offset_count; i++) {
            row->offsets[i] = at;
            at += one_in(state, 4) ? 0 : random_below(state, (uint32_t)row->count / 8 + 3);
        }
    }
}

static void draw_outputs(uint64_t *state, sort_row *row)
{
    static const uint32_t sizes[] = {4, 4, 1, 2, 8, 12, 16, 6, 3, 20, 64, 32};
    row->keys = !one_in(state, 4);
    row->in_place = row->keys && !row->mapped && one_in(state, 4);
    row->indices = one_in(state, 3);
    if (one_in(state, 2))
        row->payload_count = one_in(state, 2) ? 1 : 1 + random_below(state, SORT_PAYLOADS);
    if (!row->keys && !row->indices && row->payload_count == 0)
        row->indices = true;
    for (uint32_t i = 0; i < row->payload_count; i++)
        row->payloads[i] = sizes[random_below(state, ARRAY_SIZE(sizes))];
    row->payload_gap = one_in(state, 3) ? 1 + random_below(state, 3) : 0;
    row->payload_in_place = row->payload_count == 1 && row->payloads[0] == 4 && one_in(state, 2);
    row->key_stride = one_in(state, 4) ? 2 + random_below(state, 3) : 1;
    row->sorted_stride = one_in(state, 4) ? 2 + random_below(state, 3) : 1;
    row->index_stride = one_in(state, 4) ? 2 + random_below(state, 3) : 1;
}

static void draw_gpu_count(uint64_t *state, sort_row *row)
{
    if (!one_in(state, 4))
        return;
    row->gpu_count = true;
    row->gpu_count64 = one_in(state, 2);
    row->gpu_value = random_below(state, (uint32_t)row->count + 10);
    if (one_in(state, 6))
        row->gpu_value = 0;
    else if (one_in(state, 4)) /* it is clamped to the host's count */
        row->gpu_value = row->count + 1 + random_below(state, 3000);
    if (row->gpu_count64 && one_in(state, 4))
        row->gpu_value += UINT64_C(1) << 32;
}

void sort_choose(uint64_t seed, sort_row *row)
{
    static const uint32_t workgroups[] = {0, 0, 0, 1, 4, 8, 16, 32, 64, 128};
    static const VkrSortAlgorithm algorithms[] = {
        VKR_SORT_AUTO,    VKR_SORT_AUTO,     VKR_SORT_THREE_PASS, VKR_SORT_THREE_PASS,
        VKR_SORT_BITONIC, VKR_SORT_ONESWEEP, VKR_SORT_ONESWEEP};
    static const limits_row limits[] = {LIMITS_DEVICE,  LIMITS_DEVICE, LIMITS_SHARED,
                                        LIMITS_SHUFFLE, LIMITS_SMALL,  LIMITS_SHARED_SMALL};
    uint64_t state = seed;
    *row = (sort_row){.seed = seed};
    (void)next_random(&state);
    row->type = (VkrType)(1 + random_below(&state, VKR_TYPE_COUNT - 1));
    row->count = draw_count(&state);
    row->data = (sort_data)random_below(&state, SORT_DATA_COUNT);
    row->workgroup = workgroups[random_below(&state, ARRAY_SIZE(workgroups))];
    row->limits = limits[random_below(&state, ARRAY_SIZE(limits))];
    row->algorithm = algorithms[random_below(&state, ARRAY_SIZE(algorithms))];
    if (row->count <= FEW && one_in(&state, 2))
        row->limits = one_in(&state, 2) ? LIMITS_SMALL : LIMITS_SHARED_SMALL;
    row->mapped = one_in(&state, 5) && vkrTypeSize(row->type) <= 4;
    draw_order(&state, row);
    draw_segments(&state, row);
    draw_outputs(&state, row);
    draw_gpu_count(&state, row);
}

/* The lengths are those of an invocation's keys and of tiles, and the next ones. */
void sort_choose_short(uint64_t seed, sort_row *row)
{
    static const uint64_t lengths[] = {1,  2,  3,  8,   9,   10,  18,   31,
                                       63, 64, 65, 144, 145, 288, 1000, 2304};
    static const uint32_t workgroups[] = {0, 0, 0, 1, 8, 64, 128};
    uint64_t state = seed;
    sort_choose(next_random(&state), row);
    if (row->limits != LIMITS_SMALL && row->limits != LIMITS_SHARED_SMALL)
        row->count = 1 + random_below(&state, 8000);
    row->row = lengths[seed % ARRAY_SIZE(lengths)];
    row->offset_count = 0;
    row->algorithm = VKR_SORT_AUTO;
    row->workgroup = workgroups[random_below(&state, ARRAY_SIZE(workgroups))];
    row->gpu_value = random_below(&state, (uint32_t)row->count + 10); /* cuts a row */
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
