/* SPDX-License-Identifier: MIT */
/* Requests of sorts that are given: short rows, keys by value and several keys, keys in several
 * windows, and rows that lie apart. */
#include "sort_request.h"

static bool one_in(test_request *t, uint32_t n)
{
    return random_below(&t->structure, n) == 0;
}

static uint32_t below(test_request *t, uint32_t n)
{
    return random_below(&t->structure, n);
}

static bool has_units(const sort_request *s)
{
    for (uint32_t i = 0; i < s->payload_count; i++)
        if ((s->sizes[i] % 2 != 0 && !rig.device.types[VKR_TYPE_U8]) ||
            (s->sizes[i] % 4 != 0 && !rig.device.types[VKR_TYPE_U16]))
            return false;
    return has_order(&rig.device, s->type) && s->info.workgroupSize <= rig.device.workgroup;
}

/* Rows of which a workgroup sorts several: the lengths are those of an invocation's keys and of
 * tiles, and the next ones. */
bool sort_make_short(test_request *t, uint32_t i)
{
    static const uint64_t lengths[] = {1,  2,  3,  8,   9,   10,  18,   31,
                                       63, 64, 65, 144, 145, 288, 1000, 2304};
    sort_request *s = t->own;
    s->type = (VkrType)(1 + i * 5 % (VKR_TYPE_COUNT - 1));
    s->data = (sort_data)(i % SORT_DATA_COUNT);
    s->row = lengths[i % ARRAY_SIZE(lengths)];
    s->count = 1 + below(t, t->most < 8000 ? t->most : 8000);
    s->keys = true;
    s->in_place = one_in(t, 3);
    s->indices = one_in(t, 2);
    s->gpu_count = one_in(t, 2) ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED; /* cuts a row */
    s->info.workgroupSize = i % 3 == 0 ? 8 : 0;
    s->info.flags = (one_in(t, 2) ? VKR_SORT_DESCENDING_BIT : 0u) |
                    (one_in(t, 2) ? VKR_SORT_NAN_FIRST_BIT : 0u) |
                    (one_in(t, 2) ? VKR_SORT_BY_VALUE_BIT : 0u);
    if (!one_in(t, 3))
        s->sizes[s->payload_count++] = one_in(t, 2) ? 4 : 12;
    s->payload_in_place = s->payload_count == 1 && s->sizes[0] == 4 && !s->indices;
    if (!is_float(s->type) && one_in(t, 2)) {
        s->info.beginBit = 2;
        s->info.endBit = 8 * vkrTypeSize(s->type) - 1;
    }
    if (has_units(s))
        sort_place(t);
    return has_units(s);
}

/* Keys by value among zeros and NaN of each type of floats; and several keys, many of which are
 * equal, so that the last ones decide. */
bool sort_make_keys(test_request *t, uint32_t i)
{
    static const VkrType floats[] = {VKR_TYPE_F16, VKR_TYPE_BF16, VKR_TYPE_F32, VKR_TYPE_F64};
    static const uint32_t counts[] = {300, 20000};
    sort_request *s = t->own;
    const bool by_value = i < SORT_KEYS / 2;
    s->type = by_value ? floats[i / 2] : (VkrType)(VKR_TYPE_I8 + i % 8);
    s->data = by_value ? SORT_SPECIAL : SORT_TWO;
    s->info.flags = by_value ? VKR_SORT_BY_VALUE_BIT | i / 2 % 4 : i % 4;
    s->info.thenCount = by_value ? 0 : 1 + i % 3;
    s->count = counts[i % 2] < t->most ? counts[i % 2] : t->most;
    s->keys = true;
    s->indices = true;
    if (has_units(s))
        sort_place(t);
    return has_units(s);
}

/* Keys beyond a descriptor, which are read and stored in windows. The last ones take some drivers
 * long to compile. */
bool sort_make_windows(test_request *t, uint32_t i)
{
    static const struct {
        VkrType type;
        uint32_t count, row, begin, end, workgroup;
        bool keys, in_place, indices;
        uint32_t payloads[SORT_PAYLOADS];
        bool payload_in_place, gpu_count;
    } rows[SORT_WINDOWS] = {
        {VKR_TYPE_U32, 50000, 0, 0, 32, 32, true, false, false, {0}, false, false},
        {VKR_TYPE_F32, 30000, 0, 0, 0, 1, true, true, false, {0}, false, false},
        {VKR_TYPE_U16, 50000, 0, 3, 16, 2, false, false, false, {4}, true, false},
        {VKR_TYPE_U32, 60000, 1700, 0, 0, 32, true, false, false, {0}, false, false},
        {VKR_TYPE_U32, 60000, 33, 0, 0, 0, true, false, true, {0}, false, false},
        {VKR_TYPE_I16, 40000, 700, 0, 0, 4, true, true, false, {4}, false, false},
        {VKR_TYPE_U8, 90000, 0, 0, 0, 64, true, false, true, {0}, false, false},
        {VKR_TYPE_U32, 40000, 0, 0, 10, 32, false, false, false, {12, 8}, false, false},
        {VKR_TYPE_U32, 40000, 0, 0, 20, 32, true, false, true, {0}, false, true},
        {VKR_TYPE_U32, 60000, 25001, 0, 12, 32, false, false, true, {0}, false, false},
        {VKR_TYPE_U32, 60000, 32600, 0, 0, 0, true, false, true, {0}, false, false},
    };
    sort_request *s = t->own;
    t->limits = LIMITS_SMALL;
    s->type = rows[i].type;
    s->count = rows[i].count < t->most ? rows[i].count : t->most;
    s->row = rows[i].row;
    s->keys = rows[i].keys;
    s->in_place = rows[i].in_place;
    s->indices = rows[i].indices;
    s->payload_in_place = rows[i].payload_in_place;
    s->gpu_count = rows[i].gpu_count ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED;
    while (s->payload_count < SORT_PAYLOADS && rows[i].payloads[s->payload_count] != 0) {
        s->sizes[s->payload_count] = rows[i].payloads[s->payload_count];
        s->payload_count++;
    }
    s->info.algorithm = s->row == 33 ? VKR_SORT_AUTO : VKR_SORT_THREE_PASS;
    s->info.beginBit = rows[i].begin;
    s->info.endBit = rows[i].end;
    s->info.workgroupSize = rows[i].workgroup;
    if (has_units(s))
        sort_place(t);
    return has_units(s);
}

/* Draws what is stored, and where, by a number. */
static void draw_outputs(sort_request *s, uint32_t i)
{
    static const uint32_t sizes[] = {4, 12, 1, 6};
    static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    s->type = (VkrType)(1 + i * 5 % (VKR_TYPE_COUNT - 1));
    s->data = (sort_data)(i % SORT_DATA_COUNT);
    s->keys = i % 5 != 4;
    s->in_place = i % 3 == 1 && s->keys;
    s->indices = i % 2 == 0 || !s->keys;
    s->gpu_count = gpu_counts[i % ARRAY_SIZE(gpu_counts)];
    s->info.thenCount = i % 4 == 2 ? 2 : 0;
    for (; s->payload_count < i % 3; s->payload_count++)
        s->sizes[s->payload_count] = sizes[(i + s->payload_count) % ARRAY_SIZE(sizes)];
    s->payload_in_place = s->payload_count == 1 && s->sizes[0] == 4;
    s->payload_gap = i % 2;
    s->gaps[0] = s->gaps[1] = s->gaps[2] = i / 2 % 2;
}

/* Rows that lie apart, of which the GPU's count may cut one, or end between two; of several keys
 * and payloads, in place, by each algorithm, and in several windows. */
bool sort_make_apart(test_request *t, uint32_t i)
{
    static const uint32_t lengths[] = {1, 3, 40, 300, 2000, 7001};
    static const uint32_t gaps[] = {1, 2, 9, 100, 1500};
    sort_request *s = t->own;
    t->limits = i % 4 == 3 ? LIMITS_SMALL : LIMITS_DEVICE;
    draw_outputs(s, i);
    s->row = lengths[i % ARRAY_SIZE(lengths)];
    s->pitch = s->row + gaps[i % ARRAY_SIZE(gaps)];
    s->count = s->row * 7 / 2 + below(t, 6 * (uint32_t)s->pitch);
    s->count = s->count < t->most ? s->count : t->most;
    s->info.algorithm = i % 4 == 3 ? VKR_SORT_AUTO
                                   : (VkrSortAlgorithm)(i % 3 == 0   ? VKR_SORT_AUTO
                                                        : i % 3 == 1 ? VKR_SORT_THREE_PASS
                                                                     : VKR_SORT_ONESWEEP);
    if (has_units(s))
        sort_place(t);
    return has_units(s);
}

/* Columns, few and many, short and long, of which the GPU's count may cut some; and in windows, the
 * last ones of which hold parts of a row alone. GPUs move tiles of columns by way of shared memory,
 * CPUs directly: so some contexts load as GPUs do. */
bool sort_make_columns(test_request *t, uint32_t i)
{
    static const uint32_t columns[] = {2, 3, 31, 32, 33, 100, 1025, 9000, 20000};
    static const uint32_t rows[] = {1, 2, 31, 33, 64, 300, 3000};
    sort_request *s = t->own;
    const uint32_t most = t->most < 120000 ? t->most : 120000;
    t->limits = i % 2 == 1 ? LIMITS_SMALL : LIMITS_DEVICE;
    if (i % 5 < 3)
        t->tuning = (tuning_row){.geometry = 4, .order = VKR_LOAD_COALESCED};
    draw_outputs(s, i);
    s->columns = columns[i % ARRAY_SIZE(columns)];
    s->count = s->columns * rows[i % ARRAY_SIZE(rows)];
    if (i >= SORT_COLUMNS - 2) { /* rows of words, or columns, that no descriptor reaches */
        t->limits = LIMITS_SMALL;
        s->type = VKR_TYPE_U32;
        s->columns = i % 2 == 0 ? 20000 : 3;
        s->count = 60000;
    }
    s->count = s->count < most ? s->count : most;
    s->count -= s->count % s->columns;
    if (has_units(s))
        sort_place(t);
    return has_units(s);
}
