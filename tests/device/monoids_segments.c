/* SPDX-License-Identifier: MIT */
/*
 * Scans of segments by monoids of an application, compared with the same on the CPU. The argument
 * is the folder with monoids.spv and monoids_int64.spv.
 */
#include <stdio.h>

#include "monoids_run.h"

#define SHORT_RUNS 4u /* a geometry in which an invocation has few elements */

static monoids_test m;
static const char *folder;

static const monoid_operation operations[] = {
    {.name = "scan by flags of 32 bits",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_U32,
     .chains = true,
     .finishes = true},
    {.name = "exclusive scan by flags of 8 bits",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_U8,
     .flags = VKR_SCAN_EXCLUSIVE_BIT,
     .gpu_count = true},
    {.name = "exclusive scan by bits",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_BITS,
     .flags = VKR_SCAN_EXCLUSIVE_BIT,
     .chains = true,
     .stride = 3},
    {.name = "reversed scan by bits",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_BITS,
     .flags = VKR_SCAN_REVERSE_BIT,
     .finishes = true},
    {.name = "reversed exclusive scan by bits",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_BITS,
     .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT,
     .gpu_count = true,
     .chains = true},
    {.name = "scan by a function",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_BITS,
     .calls = true,
     .gpu_count = true,
     .chains = true},
    {.name = "reversed exclusive scan by a function",
     .kind = VKR_SEGMENTS_FLAGS,
     .format = VKR_FLAGS_BITS,
     .calls = true,
     .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT},
    {.name = "exclusive scan of short rows",
     .kind = VKR_SEGMENTS_ROWS,
     .length = 7,
     .flags = VKR_SCAN_EXCLUSIVE_BIT,
     .chains = true},
    {.name = "scan of rows of one element", .kind = VKR_SEGMENTS_ROWS, .length = 1},
    {.name = "reversed scan of rows",
     .kind = VKR_SEGMENTS_ROWS,
     .length = 31,
     .flags = VKR_SCAN_REVERSE_BIT,
     .finishes = true},
    {.name = "reversed scan of long rows",
     .kind = VKR_SEGMENTS_ROWS,
     .length = 5000,
     .flags = VKR_SCAN_REVERSE_BIT,
     .gpu_count = true,
     .chains = true},
    {.name = "scan by offsets",
     .kind = VKR_SEGMENTS_OFFSETS,
     .chains = true,
     .gpu_count = true,
     .finishes = true},
    {.name = "scan by key", .kind = VKR_SEGMENTS_KEYS, .length = 13, .chains = true},
    {.name = "reversed exclusive scan by key",
     .kind = VKR_SEGMENTS_KEYS,
     .length = 13,
     .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT,
     .gpu_count = true},
    {.name = "reversed exclusive scan by long offsets",
     .kind = VKR_SEGMENTS_OFFSETS,
     .is_long = true,
     .flags = VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT,
     .chains = true},
};

/* Runs an operation of the table, as a scan. */
static void run(limits_row limits, const monoid_operation *operation, const monoid_row *row,
                uint32_t count)
{
    monoid_operation o = *operation;
    o.is_scan = true;
    monoid_case c = {.row = row, .operation = &o, .count = count};
    c.covered = o.gpu_count ? (uint32_t)((uint64_t)count * 2 / 3) : count;
    c.is_finished = o.finishes && row->finish;
    c.texels = count % 2 != 0 && count <= MONOIDS_MOST;
    monoids_set_offsets(&m, o.is_long, count);
    monoids_run_case(&m, limits, &c);
}

static bool is_supported(const monoid_operation *o, const monoid_row *row)
{
    return monoids_has(&m, row) && (o->kind != VKR_SEGMENTS_FLAGS || o->format != VKR_FLAGS_U8 ||
                                    o->calls || m.device.types[VKR_TYPE_U8]);
}

/* Every monoid in every operation. */
static void test_segments(void **state)
{
    static const uint32_t counts[] = {30011, 1, 4097, 1025, 128, 0, 20000};
    uint32_t n = 0;
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(operations); k++)
        for (const monoid_row *r = monoid_rows; r->name; r++, n++) {
            const monoid_operation *o = &operations[k];
            m.geometry = n / 3 % GEOMETRIES;
            if (harness_has_case(n) && is_supported(o, r))
                run(n % 3 == 1 ? LIMITS_SMALL : LIMITS_DEVICE, o, r,
                    counts[n % ARRAY_SIZE(counts)]);
        }
    m.geometry = 0;
    printf("# cases: %u\n", n);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(m.h.validation_messages, 0);
}

/* Elements, results and bits that lie in several windows; and, by turns, so short runs that their
 * partials have several levels, since the module's functions have loops. */
static void test_long(void **state)
{
    uint32_t n = 0;
    (void)state;
    for (size_t k = 0; k < ARRAY_SIZE(operations); k++) {
        const monoid_operation *o = &operations[k];
        if (o->gpu_count || !is_supported(o, &monoid_rows[0]) || o->stride != 0)
            continue;
        m.geometry = k % 2 == 0 ? SHORT_RUNS : 0;
        if (harness_has_case(n++))
            run(LIMITS_SMALL, o, &monoid_rows[n % 2 == 0 ? 0 : MONOIDS_PLAIN], MONOIDS_LONG / 2);
    }
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(m.h.validation_messages, 0);
}

static int open_all(void **state)
{
    (void)state;
    return monoids_open(&m, folder) ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    monoids_close(&m);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_segments),
                                       cmocka_unit_test(test_long)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&m.h, "monoids-segments", tests, ARRAY_SIZE(tests), open_all, close_all);
}
