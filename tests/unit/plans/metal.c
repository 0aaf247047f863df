/* SPDX-License-Identifier: MIT */
/* Scans on top of Metal, whose subgroups scan sums and products only. */
#include "plans.h"

#include <string.h>

/* Whether the scan uses subgroup arithmetic. */
static bool scan_arithmetic(VkrOp op, VkrSegments segments)
{
    const VkrView view = {.buffer = BUFFER('A'), .size = 400000, .type = VKR_TYPE_U32};
    VkrScanInfo info = {.op = op,
                        .input = view,
                        .output = view,
                        .count = 100000,
                        .segments = segments,
                        .algorithm = VKR_SCAN_REDUCE_THEN_SCAN};
    info.output.buffer = BUFFER('O');
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdScan(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    bool arithmetic = false;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        arithmetic = arithmetic || strstr(fixture.dispatches[i].kernel, "_arithmetic");
    return arithmetic;
}

EXTERN_TEST(test_metal_scans)
{
    const VkrSegments none = {.kind = VKR_SEGMENTS_NONE};
    const VkrSegments rows = {.kind = VKR_SEGMENTS_ROWS, .length = 100};
    const VkrSegments flags = {
        .kind = VKR_SEGMENTS_FLAGS,
        .flags = {.format = VKR_FLAGS_U32, .range = {BUFFER('F'), 0, 400000}}};
    for (int metal = 0; metal < 2; metal++) {
        trace_open(&(trace_device){.metal = metal != 0, .built_in = true});
        assert_true(scan_arithmetic(VKR_OP_SUM, none));
        assert_true(scan_arithmetic(VKR_OP_PRODUCT, none));
        assert_int_equal(scan_arithmetic(VKR_OP_MAX, none), !metal);
        assert_int_equal(scan_arithmetic(VKR_OP_XOR, none), !metal);
        assert_int_equal(scan_arithmetic(VKR_OP_SUM, rows), !metal);
        assert_int_equal(scan_arithmetic(VKR_OP_SUM, flags), !metal);
        trace_close();
    }
}
