/* SPDX-License-Identifier: MIT */
/* What the library's own policies make of large inputs: how many workgroups reduce all elements, in
 * which order the second pass of a scan goes over them, and which scans, and compactions by flags,
 * take one pass. */
#include "plans.h"

#include <inttypes.h>

#include "../../../src/op/scan/scan.h"
#include "../../../src/tables/policies.h"

#define COUNT (UINT64_C(1) << 25)
#define HALF (COUNT / 2)

static uint64_t first_groups(VkrOpFlags ops, VkrDeterminism determinism)
{
    const VkrReduceInfo info = {
        .ops = ops,
        .input = {.buffer = BUFFER('A'), .size = 4 * COUNT, .type = VKR_TYPE_F32},
        .count = COUNT,
        .output = {BUFFER('O'), 0, 256},
        .determinism = determinism};
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_true(fixture.dispatch_count > 0);
    return (uint64_t)fixture.dispatches[0].groups[0] * fixture.dispatches[0].groups[1];
}

/* On NVIDIA's GPUs as many workgroups as are resident at once: four on each multiprocessor. A block
 * of the tree has 8,192 elements, and a workgroup has at least four blocks. */
EXTERN_TEST(test_whole_groups)
{
    static const struct {
        trace_device device;
        uint64_t groups, device_groups;
    } rows[] = {
        {{.built_in = true}, 2048, 1024},
        {{.built_in = true, .sm_count = 64}, 2048, 1024},
        {{.built_in = true, .vendor = VKR_NVIDIA}, 512, 1024},
        {{.built_in = true, .vendor = VKR_NVIDIA, .sm_count = 64}, 256, 1024},
        {{.built_in = true, .vendor = VKR_NVIDIA, .sm_count = 1000}, 2048, 1024},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        print_message("# row %" PRIu32 "\n", (uint32_t)i);
        trace_open(&rows[i].device);
        assert_int_equal(first_groups(VKR_OP_MIN | VKR_OP_MAX, VKR_DETERMINISM_RUN),
                         rows[i].groups);
        assert_int_equal(first_groups(VKR_OP_SUM, VKR_DETERMINISM_DEVICE), rows[i].device_groups);
        trace_close();
    }
}

/* Of the three passes of a scan only the last one goes backwards, and on CPUs none. */
EXTERN_TEST(test_second_pass)
{
    const VkrView view = {.buffer = BUFFER('A'), .size = 4 * COUNT, .type = VKR_TYPE_U32};
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .input = view,
                        .output = view,
                        .count = COUNT,
                        .algorithm = VKR_SCAN_REDUCE_THEN_SCAN};
    info.output.buffer = BUFFER('O');
    for (int cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.cpu = cpu != 0, .built_in = true});
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdScan(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        const uint32_t count = fixture.dispatch_count;
        assert_true(count >= 2);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t flags = fixture.dispatches[i].constants[VKR_CONST_FLAGS];
            assert_int_equal((flags & VKR_SCAN_FLAG_BACKWARDS) != 0, !cpu && i + 1 == count);
        }
        trace_close();
    }
}

/* Where compilers have no registers for tiles of scans, `auto` reads the elements twice. */
EXTERN_TEST(test_look_back)
{
    static const struct {
        uint32_t vendor;
        bool one_pass;
    } rows[] = {{VKR_NVIDIA, true}, {VKR_INTEL, true}, {VKR_ARM, false}, {VKR_QUALCOMM, false}};
    const VkrView view = {.buffer = BUFFER('A'), .size = 4 * COUNT, .type = VKR_TYPE_U32};
    VkrScanInfo info = {.op = VKR_OP_SUM, .input = view, .output = view, .count = COUNT};
    info.output.buffer = BUFFER('O');
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        trace_open(&(trace_device){.built_in = true, .vendor = rows[i].vendor});
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdScan(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_int_equal(fixture.dispatch_count == 1, rows[i].one_pass);
        trace_close();
    }
}

/* One pass tests flags beside elements and moves these, if whole words hold the flags: no access
 * reaches past the array. */
EXTERN_TEST(test_flags_beside)
{
    static const struct {
        trace_device device;
        VkrFlagFormat format;
        VkrType type;
        uint64_t count;
        bool on_gpu, one_pass;
    } rows[] = {
        {{.built_in = true}, VKR_FLAGS_U32, VKR_TYPE_F32, HALF - 1, false, true},
        {{.built_in = true}, VKR_FLAGS_U8, VKR_TYPE_F32, HALF - 4, false, true},
        {{.built_in = true}, VKR_FLAGS_U8, VKR_TYPE_F32, HALF - 1, false, false},
        {{.built_in = true}, VKR_FLAGS_BITS, VKR_TYPE_F32, HALF - 1, false, true},
        {{.built_in = true}, VKR_FLAGS_BITS, VKR_TYPE_U8, HALF - 1, false, true},
        {{.built_in = true}, VKR_FLAGS_U8, VKR_TYPE_U8, HALF, false, false},
        {{.built_in = true}, VKR_FLAGS_BITS, VKR_TYPE_F32, HALF, true, false},
        {{.built_in = true, .cpu = true}, VKR_FLAGS_BITS, VKR_TYPE_F32, HALF, false, false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrCompactInfo info = {
            .input = {.buffer = BUFFER('A'), .size = 4 * COUNT, .type = rows[i].type},
            .count = rows[i].count,
            .predicate = {.kind = VKR_PREDICATE_FLAGS,
                          .flags = {rows[i].format, {BUFFER('F'), 0, 4 * COUNT}, NULL}},
        };
        info.kept = info.input;
        info.kept.buffer = BUFFER('K');
        if (rows[i].on_gpu)
            info.gpuCount = (VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32};
        print_message("# row %" PRIu32 "\n", (uint32_t)i);
        trace_open(&rows[i].device);
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdCompact(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_int_equal(fixture.dispatch_count == 1, rows[i].one_pass);
        trace_close();
    }
}
