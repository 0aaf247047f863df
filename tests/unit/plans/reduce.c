/* SPDX-License-Identifier: MIT */
/*
 * What vkrCmdReduce records for sizes that no test could allocate, and for random requests on
 * random devices. Nothing is executed: the ranges that dispatches touch follow from their push
 * constants, and must be what the request and the device allow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "freeze.h"
#include "random.h"
#include "reduce.h"
#include "types.h"

#define FUZZ_RECORDINGS 100000u

/* ---- An operation: every element once, every partial once, one result ---- */

static int compare_first(const void *a, const void *b)
{
    const trace_dispatch *x = *(const trace_dispatch *const *)a;
    const trace_dispatch *y = *(const trace_dispatch *const *)b;
    const uint64_t first = (uint64_t)x->push.first_high << 32 | x->push.first_low;
    const uint64_t other = (uint64_t)y->push.first_high << 32 | y->push.first_low;
    return (first > other) - (first < other);
}

/* Returns the number of windows. */
static uint32_t check_windows(uint32_t operation)
{
    static const trace_dispatch *windows[MAX_DISPATCHES];
    uint32_t count = 0;
    uint64_t end = 0;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        if (fixture.dispatches[i].operation == operation && reads_input(&fixture.dispatches[i]))
            windows[count++] = &fixture.dispatches[i];
    qsort(windows, count, sizeof windows[0], compare_first);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal((uint64_t)windows[i]->push.first_high << 32 | windows[i]->push.first_low,
                         end);
        assert_true(count == 1 || windows[i]->push.count > 0);
        end += windows[i]->push.count;
    }
    assert_int_equal(end, elements_of(&plan.infos[operation]));
    return count;
}

typedef struct pool {
    uint32_t count;
    row rows[MAX_DISPATCHES];
} pool;

static void put(pool *p, const row *r)
{
    assert_true(p->count < MAX_DISPATCHES);
    if (r->count)
        p->rows[p->count++] = *r;
}

/* Removes values from the pool, which must have each of them. */
static void take(pool *p, row wanted)
{
    for (uint32_t i = 0; wanted.count && i < p->count; i++) {
        const row r = p->rows[i];
        const uint64_t skip = wanted.offset - r.offset;
        const bool apart = wanted.count > 1 && r.count > 1 && wanted.stride != r.stride;
        if (r.buffer != wanted.buffer || wanted.offset < r.offset || apart ||
            (r.count > 1 ? skip % r.stride || skip / r.stride >= r.count : skip != 0))
            continue;
        const uint64_t index = r.count > 1 ? skip / r.stride : 0;
        const uint64_t taken = wanted.count < r.count - index ? wanted.count : r.count - index;
        const row before = {r.buffer, r.offset, r.stride, index};
        const row after = {r.buffer, r.offset + (index + taken) * r.stride, r.stride,
                           r.count - index - taken};
        p->rows[i] = p->rows[--p->count];
        put(p, &before);
        put(p, &after);
        wanted.offset += taken * wanted.stride;
        wanted.count -= taken;
        i = UINT32_MAX; /* start again from the first one */
    }
    assert_int_equal(wanted.count, 0);
}

static void check_operation(uint32_t operation)
{
    static pool partials;
    uint32_t results = 0;
    partials.count = 0;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        const uint32_t output = d->constants[VKR_CONST_OUTPUT];
        if (d->operation != operation)
            continue;
        assert_int_equal(results, 0); /* nothing follows the result */
        const touched t = touch_all(d);
        take(&partials, t.taken);
        put(&partials, &t.left);
        results += output != VKR_OUTPUT_PARTIAL && output != VKR_OUTPUT_ELEMENT;
        if (output == VKR_OUTPUT_RESULT || output == VKR_OUTPUT_ELEMENT_RESULT)
            assert_int_equal(d->push.groups, 1);
    }
    assert_int_equal(results, 1);
    assert_int_equal(partials.count, 0);
}

/* ---- The whole recording ---- */

static bool conflict(const touched *a, const touched *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            const range *x = &a->ranges[i];
            const range *y = &b->ranges[k];
            if ((x->write || y->write) && x->buffer == y->buffer &&
                x->offset < y->offset + y->size && y->offset < x->offset + x->size)
                return true;
        }
    }
    return false;
}

/* Checks that two dispatches are separated by a barrier, in the order of collection, if one of them
 * writes what the other touches. */
static void check_hazards(void)
{
    static touched all[MAX_DISPATCHES];
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        all[i] = touch_all(&fixture.dispatches[i]);
        for (uint32_t k = 0; k < i; k++) {
            const trace_dispatch *first = &fixture.dispatches[k];
            const trace_dispatch *second = &fixture.dispatches[i];
            if (!conflict(&all[k], &all[i]))
                continue;
            assert_true(first->epoch < second->epoch);
            assert_true(first->operation <= second->operation);
        }
    }
}

static void check_recording(void)
{
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        assert_true(fixture.dispatches[i].operation < plan.count);
        check_dispatch(&fixture.dispatches[i]);
    }
    for (uint32_t i = 0; i < plan.count; i++) {
        check_windows(i);
        check_operation(i);
    }
    check_hazards();
}

static void begin_plan(void)
{
    trace_clear();
    vkrGetContextProperties(fixture.context, &plan.device);
    plan.count = 0;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
}

static VkrResult add_to_plan(const VkrReduceInfo *info)
{
    char label[8];
    VkrReduceInfo *kept = &plan.infos[plan.count];
    snprintf(label, sizeof label, "%u", plan.count);
    *kept = *info;
    kept->label = label;
    plan.partial_size[plan.count] = 0;
    if (vkrGetReduceLayout(fixture.context, kept, &plan.layouts[plan.count]) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    const VkrResult result = vkrCmdReduce(fixture.recorder, kept);
    plan.count += result == VKR_SUCCESS;
    return result;
}

static void end_plan(void)
{
    const char *violation = access_violation(fixture.recorder);
    if (violation)
        fail_msg("%s", violation);
    if (vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    check_recording();
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

/* ---- Sizes past 2^32 ---- */

static const struct {
    VkrType type;
    uint32_t range;  /* of the device */
    uint32_t groups; /* lowered limit, or 0 */
    uint64_t count;
    uint64_t offset;
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t windows;
} huge_rows[] = {
    {VKR_TYPE_U8, UINT32_MAX, 0, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 4},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 64},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 13, 0, VKR_REDUCE_AUTO, 65},
    {VKR_TYPE_F32, UINT32_MAX, 0, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 17},
    {VKR_TYPE_F32, 1u << 27, 0, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 512},
    {VKR_TYPE_F32, UINT32_MAX, 1, 1ull << 34, 0, 0, VKR_REDUCE_AUTO, 17},
    {VKR_TYPE_U8, UINT32_MAX, 1, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 9},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_AUTO, 4},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_SUBGROUP, 4},
    {VKR_TYPE_U8, UINT32_MAX, 1, 1ull << 33, 0, 0, VKR_REDUCE_TREE, 513},
    {VKR_TYPE_U8, 1u << 27, 0, 1ull << 33, 0, 0, VKR_REDUCE_TREE, 64},
    {VKR_TYPE_U8, UINT32_MAX, 7, 1ull << 33, 0, 0, VKR_REDUCE_RECURSIVE, 74},
    {VKR_TYPE_F32, 1u << 27, 0, 1ull << 34, 0, VKR_DETERMINISM_DEVICE, VKR_REDUCE_AUTO, 512},
    {VKR_TYPE_F32, UINT32_MAX, 1, 1ull << 34, 4, VKR_DETERMINISM_DEVICE, VKR_REDUCE_TREE, 33},
};

TEST(test_huge)
{
    for (size_t k = 0; k < ARRAY_SIZE(huge_rows); k++) {
        for (uint32_t cpu = 0; cpu < 2; cpu++) {
            const trace_device device = {
                .range = huge_rows[k].range,
                .cpu = cpu,
                .built_in = cpu,
                .limits = {.maxComputeWorkGroupCount = huge_rows[k].groups}};
            const VkrReduceInfo info = {
                .ops = VKR_OP_ARGMIN | VKR_OP_SUM | VKR_OP_COUNT,
                .input = {.buffer = BUFFER('A'),
                          .offset = huge_rows[k].offset,
                          .size = huge_rows[k].count * vkrTypeSize(huge_rows[k].type),
                          .type = huge_rows[k].type},
                .count = VKR_COUNT_ALL,
                .output = {BUFFER('O'), 0, 64},
                .determinism = huge_rows[k].determinism,
                .algorithm = huge_rows[k].algorithm,
                .workgroupSize = huge_rows[k].determinism ? 0 : 256};
            trace_open(&device);
            begin_plan();
            if (add_to_plan(&info) != VKR_SUCCESS)
                fail_msg("row %u: %s", (unsigned)k, fixture.sentence);
            assert_int_equal(plan.layouts[0].results[9].type, VKR_TYPE_U64);
            end_plan();
            if (!cpu)
                assert_int_equal(check_windows(0), huge_rows[k].windows);
            trace_close();
        }
    }
}

/* ---- Random requests ---- */

static void random_ops(uint64_t *seed, VkrReduceInfo *info)
{
    for (uint64_t i = 1 + random_below(seed, 4); i > 0; i--)
        info->ops |= 1u << random_below(seed, VKR_OP_BITS);
    info->ops &= ~other_ops(info->input.type, info->accumulator);
    if (random_below(seed, 6) == 0) {
        info->ops = (uint32_t)ONE_OF(seed, VKR_OP_MIN, VKR_OP_MAX);
        info->flags = VKR_REDUCE_CONSUME_INPUT_BIT;
        info->algorithm = random_below(seed, 2) ? VKR_REDUCE_AUTO : VKR_REDUCE_RECURSIVE;
    }
    info->ops = info->ops ? info->ops : VKR_OP_NAN;
}

static VkrReduceInfo random_info(uint64_t *seed)
{
    const size_t k = (size_t)random_below(seed, TYPE_ROWS);
    const uint32_t components = 1 + (uint32_t)(random_below(seed, 2) * random_below(seed, 4));
    VkrReduceInfo info = {
        .input = random_view(seed, &plan.device, type_rows[k].element, components, 12),
        .accumulator = type_rows[k].accumulator,
        .nan = (VkrNan)random_below(seed, 2),
        .determinism = (VkrDeterminism)random_below(seed, 3),
        .algorithm = (VkrReduceAlgorithm)(random_below(seed, 2) * random_below(seed, 5)),
        .output = {BUFFER(random_below(seed, 4) ? 'O' : 'A'), 8 * random_below(seed, 100), 4096}};
    random_ops(seed, &info);
    info.count = elements_of(&(VkrReduceInfo){.input = info.input, .count = VKR_COUNT_ALL});
    if (info.count && random_below(seed, 3) == 0)
        info.count -= random_below(seed, info.count);
    if (random_below(seed, 3) == 0) {
        const VkDeviceSize before = random_below(seed, info.input.offset + 1);
        info.input.texels.view = (VkBufferView)(uintptr_t)'T';
        info.input.texels.offset = before;
        info.input.texels.size =
            (info.input.offset + info.input.size - before + random_below(seed, 64)) / 16 * 16;
    }
    if (info.ops & VKR_OP_DOT) {
        info.input2 = info.input;
        info.input2.buffer = BUFFER('B');
        info.input2.texels = (VkrTexels){0};
        info.input2.stride = random_below(seed, 2) ? 0 : stride_of(&info.input) * 2;
        info.input2.size = info.count * stride_of(&info.input2);
    }
    if (random_below(seed, 4) == 0)
        info.gpuCount =
            (VkrGpuCount){BUFFER(random_below(seed, 4) ? 'C' : 'O'), 4 * random_below(seed, 100),
                          (VkrType)ONE_OF(seed, 0, VKR_TYPE_U32, VKR_TYPE_U64)};
    if (random_below(seed, 4) == 0 && info.determinism != VKR_DETERMINISM_DEVICE)
        info.workgroupSize = 1u << random_below(seed, 8);
    return info;
}

/* Whether the library may refuse a request: only if it forces an algorithm, a workgroup size, flags
 * or level DEVICE, or if its elements are so far apart that windows may not fit a descriptor. */
static bool may_fail(const VkrReduceInfo *info)
{
    return info->algorithm != VKR_REDUCE_AUTO || info->workgroupSize || info->flags ||
           info->determinism == VKR_DETERMINISM_DEVICE ||
           (stride_of(&info->input) > plan.device.maxStorageBufferRange / 4);
}

TEST(test_random)
{
    uint64_t seed = 20;
    uint32_t requests = 0, refused = 0, dispatches = 0;
    for (uint32_t i = 0; i < FUZZ_RECORDINGS; i += trace_step()) {
        if (i % 100 == 0) {
            if (i)
                trace_close();
            const trace_device device = random_device(&seed);
            trace_open(&device);
        }
        begin_plan();
        for (uint64_t k = 1 + random_below(&seed, MAX_OPERATIONS); k > 0; k--) {
            const VkrReduceInfo info = random_info(&seed);
            const VkrResult result = add_to_plan(&info);
            requests++;
            if (result == VKR_SUCCESS)
                continue;
            if (result != VKR_ERROR_UNSUPPORTED || !may_fail(&info))
                fail_msg("request %u: %s", requests, fixture.sentence);
            freeze_refusal(fixture.sentence);
            refused++;
            begin_plan();
        }
        dispatches += (end_plan(), fixture.dispatch_count);
    }
    trace_close();
    print_message("# %u requests, %u refused, %u dispatches\n", requests, refused, dispatches);
    assert_true(refused < requests / 5);
}

/* The checks of accesses find planted faults. */
TEST(test_planted)
{
    trace_open(&(trace_device){.granule = 64});
    begin_plan();
    for (uint32_t i = 0; i < 2; i++) {
        VkrReduceInfo info = {.ops = VKR_OP_SUM,
                              .input = {.buffer = BUFFER('A'), .size = 64, .type = VKR_TYPE_F32},
                              .count = VKR_COUNT_ALL,
                              .output = {BUFFER('O'), 256 * i, 64}};
        assert_int_equal(add_to_plan(&info), VKR_SUCCESS);
    }
    assert_null(access_violation(fixture.recorder));
    assert_int_equal(access_plant(fixture.recorder, BUFFER('A')), 0);
    assert_null(access_violation(fixture.recorder));
    trace_close();
}

TEST_MAIN("plans_reduce", CASE(test_huge), CASE(test_random), CASE(test_planted))
