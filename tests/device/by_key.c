/* SPDX-License-Identifier: MIT */
/*
 * Reductions and scans by key (VKR_SEGMENTS_KEYS) against the oracle: all choices pairwise, and
 * runs of one element, of tiles and of all elements, at a size that needs many workgroups; the same
 * for words, where a single pass does all.
 *
 * VKR_TEST_SUBMITS is the number of submissions of a row, and VKR_TEST_SEED varies everything.
 */
#include <inttypes.h>
#include <stdio.h>

#include "by_key.h"

#define BUFFER_BYTES (12u << 20)
#define MANY 70001u

static key_test test;

enum {
    AXIS_OPS,
    AXIS_KEY_TYPE,
    AXIS_OPERATION, /* reduction, or a scan in one of four directions */
    AXIS_KEY_COMPONENTS,
    AXIS_TYPE,
    AXIS_COMPONENTS, /* and the type of lengths */
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_GPU_COUNT,
    AXIS_OUTPUTS,
    AXIS_SHARED,
    AXIS_GEOMETRY,
};

static const VkrOpFlags op_sets[] = {
    VKR_OP_SUM | VKR_OP_COUNT | VKR_OP_DOT,
    VKR_OP_MIN | VKR_OP_ARGMAX,
    VKR_OP_MAX | VKR_OP_MEAN,
    VKR_OP_PRODUCT | VKR_OP_L1,
    VKR_OP_XOR | VKR_OP_AND | VKR_OP_OR,
    VKR_OP_MIN | VKR_OP_VARIANCE | VKR_OP_NAN,
};
static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I16,
                                VKR_TYPE_U8,  VKR_TYPE_U64, VKR_TYPE_F16};

static const uint32_t axis_sizes[MAX_AXES] = {
    [AXIS_OPS] = ARRAY_SIZE(op_sets),
    [AXIS_KEY_TYPE] = VKR_TYPE_COUNT - 1,
    [AXIS_OPERATION] = 6,
    [AXIS_KEY_COMPONENTS] = VKR_MAX_COMPONENTS,
    [AXIS_TYPE] = ARRAY_SIZE(types),
    [AXIS_COMPONENTS] = 3,
    [AXIS_DETERMINISM] = 2,
    [AXIS_LIMITS] = LIMITS_COUNT,
    [AXIS_GPU_COUNT] = 3,
    [AXIS_OUTPUTS] = 4,
    [AXIS_SHARED] = 4,
    [AXIS_GEOMETRY] = 3,
};

static key_row make_row(const uint32_t axes[MAX_AXES])
{
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    key_row row = {
        .scan = axes[AXIS_OPERATION] > 1,
        .key_type = (VkrType)(axes[AXIS_KEY_TYPE] + 1),
        .key_components = axes[AXIS_KEY_COMPONENTS] + 1,
        .shared = axes[AXIS_SHARED] == 0,
        .type = types[axes[AXIS_TYPE]],
        .components = axes[AXIS_COMPONENTS] + 1,
        .ops = op_sets[axes[AXIS_OPS]],
        .flags = axes[AXIS_OPERATION] > 1 ? axes[AXIS_OPERATION] - 2 : 0,
        .determinism = axes[AXIS_DETERMINISM] == 0 ? VKR_DETERMINISM_RUN : VKR_DETERMINISM_DEVICE,
        .gpu_count = counts[axes[AXIS_GPU_COUNT]],
        .limits = (limits_row)axes[AXIS_LIMITS],
        .outputs = axes[AXIS_OUTPUTS],
        .length_type = axes[AXIS_COMPONENTS] == 1 ? VKR_TYPE_U64 : VKR_TYPE_U32,
        .tuning = {.geometry = axes[AXIS_GEOMETRY],
                   .order = (VkrLoadOrder)(axes[AXIS_GPU_COUNT] % 2)},
    };
    if (row.shared) {
        row.key_type = row.type;
        row.key_components = row.components;
    }
    return row;
}

static bool valid_row(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const key_row row = make_row(axes);
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    if (!a->types[row.type] || !a->types[row.key_type] || !has_limits(a, row.limits))
        return false;
    return !is_float(row.type) || (row.ops & bits) == 0;
}

static void test_pairs(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 2);
    uint32_t axes[MAX_AXES];
    static row_list list;
    rows_begin(&list, "by_key", axis_sizes, 0, valid_row, &test.device);
    while (rows_next(&list, axes)) {
        const key_row row = make_row(axes);
        run_key_row(&test, &row, submits);
    }
    printf("# served: %" PRIu64 ", refused: %" PRIu64 "\n", test.served, test.refused);
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    /* If there are few rows, limits may refuse most of them. */
    assert_true(list.rows < 10 || test.refused < test.served / 2);
}

static void test_lengths(void **state)
{
    (void)state;
    static const uint64_t lengths[] = {1, 2, 31, 256, 257, 8192, MANY - 1, MANY};
    for (uint32_t i = 0; i < 3 * ARRAY_SIZE(lengths); i++) {
        const bool small = i % 3 == 2; /* keys of a scan need several windows */
        const key_row row = {.scan = i % 3 != 0,
                             .key_type = i % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_F32,
                             .key_components = 1,
                             .type = VKR_TYPE_U32,
                             .components = 1,
                             .ops = VKR_OP_SUM | VKR_OP_MAX,
                             .flags = i % 2 == 0 ? 0 : VKR_SCAN_REVERSE_BIT,
                             .outputs = 3,
                             .length_type = VKR_TYPE_U32,
                             .limits = small ? LIMITS_SMALL : LIMITS_DEVICE,
                             /* neighbouring invocations load neighbouring packs of keys */
                             .tuning = {.geometry = i % 4 == 0 ? 3 : 0}};
        if (has_limits(&test.device, row.limits))
            run_key_length(&test, &row, MANY, lengths[i / 3]);
    }
    assert_int_equal(test.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
}

/* Rows of words whose tiles stay in registers: those of 256 invocations with 8 elements each. */
static key_row row_of_words(uint64_t *random, bool scan, bool over)
{
    static const VkrType words[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
    static const VkrOpFlags ops[] = {VKR_OP_SUM, VKR_OP_MAX, VKR_OP_MIN, VKR_OP_PRODUCT,
                                     VKR_OP_AND, VKR_OP_OR,  VKR_OP_XOR};
    static const VkrType counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    const VkrType type = words[random_below(random, ARRAY_SIZE(words))];
    const bool shared = !over && random_below(random, 4) == 0;
    return (key_row){.scan = scan,
                     .key_type = shared ? type : words[random_below(random, ARRAY_SIZE(words))],
                     .key_components = 1,
                     .shared = shared,
                     .over = over,
                     .type = type,
                     .components = 1,
                     .ops = ops[random_below(random, is_float(type) ? 4 : ARRAY_SIZE(ops))],
                     .flags = scan ? random_below(random, 4) : 0,
                     .gpu_count = counts[random_below(random, ARRAY_SIZE(counts))],
                     .outputs = random_below(random, 4),
                     .length_type = VKR_TYPE_U32,
                     .tuning = {.geometry = 4, .path = VKR_LOAD_VEC4},
                     .words = true};
}
#define TILE_OF_WORDS 2048u

static void test_pairs_of_words(void **state)
{
    (void)state;
    const uint32_t submits = environment("VKR_TEST_SUBMITS", 2);
    const uint64_t before = test.served;
    const bool thin = environment("VKR_TEST_THIN", 0) != 0;
    static const uint64_t lengths[] = {
        0, 1, 2, TILE_OF_WORDS - 1, TILE_OF_WORDS, TILE_OF_WORDS + 1, 3 * TILE_OF_WORDS - 1, MANY};
    if (!has_arithmetic(&test.device, LIMITS_DEVICE) || test.device.workgroup < 256)
        return;
    for (uint32_t i = 0; i < 2 * ARRAY_SIZE(lengths); i++) {
        const bool scan = i % 2 != 0;
        const key_row row = row_of_words(&test.random, scan, i % 8 == 1);
        if (!thin || scan)
            run_key_row(&test, &row, submits);
        const key_row longer = row_of_words(&test.random, scan, false);
        if (!thin || !scan)
            run_key_length(&test, &longer, MANY, lengths[i / 2]);
    }
    assert_int_equal(test.mismatches, 0);
    assert_true(test.served > before);
}

static int open_all(void **state)
{
    (void)state;
    static const char *const names[] = {"input",       "keys",    "counts",       "results",
                                        "unique keys", "lengths", "count outputs"};
    test.random = environment("VKR_TEST_SEED", 1) * 1000003u;
    test.h.loader = limits_proc;
    test.contexts.h = &test.h;
    test.device = device_abilities(&test.h);
    for (int i = 0; i < KEYS_BUFFERS; i++)
        if (!open_arena(&test.h, names[i], BUFFER_BYTES, &test.buffers[i]))
            return -1;
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n# not decidable: %" PRIu64 "\n",
           test.oracle_cases, test.mismatches, test.unproven);
    printf("# pipelines: %u\n", count_pipelines());
    close_contexts(&test.contexts);
    for (int i = 0; i < KEYS_BUFFERS; i++)
        close_arena(&test.h, &test.buffers[i]);
    return 0;
}

HARNESS_MAIN(test.h, "by_key", open_all, close_all, cmocka_unit_test(test_lengths),
             cmocka_unit_test(test_pairs), cmocka_unit_test(test_pairs_of_words))
