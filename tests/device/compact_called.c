/* SPDX-License-Identifier: MIT */
/* Compactions by functions, against the oracle with the flags that the functions return. */
#include <stdio.h>

#include "compact_called.h"

static const uint32_t straight[] =
#include "keep.inc"
    ;
static const uint32_t looping[] =
#include "keep_loop.inc"
    ;

/* Every row runs with a function that is linked and with one whose loop prevents that in long runs.
 * Indices alone need no elements; payloads and lengths of runs need lists. */
void test_called(void **state)
{
    compact_test *t = *state;
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_I8, VKR_TYPE_F16, VKR_TYPE_F64};
    static const uint32_t outputs[] = {
        OUT_KEPT_INDICES, OUT_KEPT, OUT_KEPT | OUT_REJECTED | OUT_REJECTED_INDICES,
        OUT_KEPT | OUT_KEPT_INDICES | OUT_LENGTHS, OUT_KEPT_INDICES | OUT_REJECTED_INDICES};
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL};
    const uint64_t before = t->mismatches;
    const called_code codes[] = {{straight, sizeof straight}, {looping, sizeof looping}};
    for (uint32_t i = 0; i < 36; i++) {
        const compact_row row = {.called = &codes[i % 2],
                                 .predicate = TEST_FLAGS_BITS,
                                 .type = types[i / 5 % ARRAY_SIZE(types)],
                                 .outputs = outputs[i % ARRAY_SIZE(outputs)],
                                 .components = 1 + i % 3,
                                 .negate = i % 4 == 1,
                                 .payloads = i % 7 == 6 ? 2 : 0,
                                 .gpu_count = i % 3 == 0 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                                 .append = i % 5 == 4 ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED,
                                 .algorithm =
                                     i % 8 > 4 ? VKR_COMPACT_SINGLE_PASS : VKR_COMPACT_AUTO,
                                 .limits = limits[i % 11 % ARRAY_SIZE(limits)]};
        if (t->device.types[row.type] && has_limits(&t->device, row.limits) && harness_has_case(i))
            run_compact_row(t, &row, 1);
    }
    assert_int_equal(t->mismatches, before);
    assert_int_equal(limit_violations(), 0);
}
