/* SPDX-License-Identifier: MIT */
/* vkrCmdTopK against a scalar selection, bit for bit: all choices pairwise, and sizes at which rows
 * are cut in different ways. With VKR_TEST_THIN a row has a quarter of the sizes, by turns. */
#include <inttypes.h>
#include <stdio.h>

#include "topk_case.h"

static topk_test test;

enum {
    AXIS_TYPE,
    AXIS_LIMITS,
    AXIS_WORKGROUP,
    AXIS_GPU_COUNT,
    AXIS_FLAGS,
    AXIS_OUTPUTS,
    AXIS_PAYLOAD,
    AXIS_STRIDED
};

static const distribution kinds[] = {DATA_RANDOM, DATA_CONSTANT, DATA_ASCENDING,  DATA_DESCENDING,
                                     DATA_ZEROS,  DATA_BITS,     DATA_NAN,        DATA_SOME_NAN,
                                     DATA_UNIT,   DATA_INFINITE, DATA_NAN_BUT_ONE};
static const uint32_t payload_sizes[] = {1, 4, 6, 16, 24};
static const uint32_t workgroups[] = {0, 64, 128};
static const uint32_t output_sets[] = {GIVES_VALUES | GIVES_INDICES,
                                       GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_FOUND,
                                       GIVES_VALUES | GIVES_INDICES | GIVES_PAYLOADS | GIVES_FOUND,
                                       GIVES_INDICES,
                                       GIVES_FOUND};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_LIMITS] = 2,
    [AXIS_WORKGROUP] = ARRAY_SIZE(workgroups),
    [AXIS_GPU_COUNT] = 3,
    [AXIS_FLAGS] = 4,
    [AXIS_OUTPUTS] = ARRAY_SIZE(output_sets),
    [AXIS_PAYLOAD] = ARRAY_SIZE(payload_sizes),
    [AXIS_STRIDED] = 2,
};

/* Sizes of each row of the list: whole rows and parts, one entry and all of them. */
static const topk_size sizes[] = {
    {0, 0, 3},
    {1, 0, 1},
    {3, 0, 5},
    {257, 0, 1},
    {1000, 0, 100},
    {4099, 0, 1950},
    {16385, 0, 37},
    {50021, 0, 1},
    {70001, 0, 1500},
    {40000, 0, 1900},
    {4097, 5, 2},
    {1000, 64, 64},
    {3001, 7, 9},
    {100, 1, 1},
    {5000, 300, 17},
    {60000, 20001, 9},
    {90000, 44999, 1800},
};

static topk_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    static const uint32_t flags[] = {0, VKR_TOP_K_LEAST_BIT, VKR_TOP_K_UNSORTED_BIT,
                                     VKR_TOP_K_LEAST_BIT | VKR_TOP_K_UNSORTED_BIT |
                                         VKR_TOP_K_ANY_TIES_BIT};
    return (topk_row){.type = (VkrType)(axes[AXIS_TYPE] + 1),
                      .limits = axes[AXIS_LIMITS] == 0 ? LIMITS_DEVICE : LIMITS_SHARED_SMALL,
                      .workgroup_size = workgroups[axes[AXIS_WORKGROUP]],
                      .gpu_count = counts[axes[AXIS_GPU_COUNT]],
                      .flags = flags[axes[AXIS_FLAGS]],
                      .outputs = output_sets[axes[AXIS_OUTPUTS]],
                      .payload_size = payload_sizes[axes[AXIS_PAYLOAD]],
                      .strided = axes[AXIS_STRIDED] != 0};
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const topk_row row = make_row(axes);
    const VkrType unit = row.payload_size % 4 == 0   ? VKR_TYPE_U32
                         : row.payload_size % 2 == 0 ? VKR_TYPE_U16
                                                     : VKR_TYPE_U8;
    return a->types[row.type] && has_limits(a, row.limits) && row.workgroup_size <= a->workgroup &&
           ((row.outputs & GIVES_PAYLOADS) == 0 || a->types[unit]);
}

/* Data do not change the pipelines, so all sizes of all rows of a type take turns. */
static distribution next_kind(VkrType type)
{
    static uint32_t turns[VKR_TYPE_COUNT];
    distribution kind = DATA_BITS;
    do
        kind = kinds[turns[type]++ % ARRAY_SIZE(kinds)];
    while (kind >= DATA_BITS && !is_float(type));
    return kind;
}

static void test_pairs(void **state)
{
    (void)state;
    uint32_t axes[MAX_AXES], rows = 0;
    /* Neighbouring rows have other sizes, if each has only a quarter of them. */
    const uint32_t step = environment("VKR_TEST_THIN", 0) != 0 ? 4 : 1;
    static row_list list;
    rows_begin(&list, "topk", axis_sizes, 0, valid_row, &test.device);
    for (; rows_next(&list, axes); rows++) {
        topk_row row = make_row(axes);
        for (size_t i = (rows + axes[AXIS_TYPE]) % step; i < ARRAY_SIZE(sizes); i += step) {
            row.data = next_kind(row.type);
            run_topk(&test, &row, &sizes[i]);
        }
    }
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
}

/* Many entries, many rows, and long rows. */
static void test_large(void **state)
{
    (void)state;
    static const topk_size large[] = {{400000, 0, 65536},   {65536, 0, 65536}, {1000000, 0, 100},
                                      {400000, 100, 3},     {300000, 3, 2},    {500000, 100000, 50},
                                      {600000, 5000, 1000}, {1048576, 0, 1}};
    static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_U8, VKR_TYPE_I64};
    for (size_t i = 0; i < ARRAY_SIZE(large); i++) {
        const topk_row row = {.type = types[i % ARRAY_SIZE(types)],
                              .flags = i % 2 == 0 ? 0 : VKR_TOP_K_LEAST_BIT,
                              .outputs = GIVES_VALUES | GIVES_INDICES | GIVES_FOUND,
                              .data = DATA_RANDOM};
        if (test.device.types[row.type] && harness_has_case((uint32_t)i))
            run_topk(&test, &row, &large[i]);
    }
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
}

static int open_all(void **state)
{
    (void)state;
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.h.loader = limits_proc;
    test.device = device_abilities(&test.h);
    return open_topk_test(&test) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", test.cases, test.mismatches);
    close_topk_test(&test);
    return 0;
}

HARNESS_MAIN(test.h, "topk", open_all, close_all, cmocka_unit_test(test_large),
             cmocka_unit_test(test_pairs))
