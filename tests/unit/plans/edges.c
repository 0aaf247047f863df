/* SPDX-License-Identifier: MIT */
/*
 * Requests at the edges of what numbers can hold: 2^31 and 2^32 elements, limits of 64 KiB, and
 * fields near 2^64. A request that a header promises to support is never refused; others are
 * refused for a reason that the headers name, and before many steps are planned. What is collected
 * lies inside the buffers that it was given.
 */
#include <string.h>

#include "../../src/core/recorder.h"
#include "edges.h"

#define MAX_STEPS 200000u  /* of a request: 131,072 dispatches, and what else there is */
#define MAX_REFUSED 32768u /* steps that a refused request has room for: 16,384, doubled */
#define RANDOM_REQUESTS 20000u

/* ---- What is collected ---- */

/* Checks that each use lies in the bytes of its view, which are all that the offset leaves. */
static void check_uses(const char *name, const edge_request *r)
{
    static VkrUse uses[64];
    uint32_t count = ARRAY_SIZE(uses);
    VkrContextProperties device;
    vkrGetContextProperties(fixture.context, &device);
    if (vkrGetUses(fixture.recorder, &count, uses) != VKR_SUCCESS)
        fail_msg("%s: %s", name, fixture.sentence);
    for (uint32_t i = 0; i < count && i < ARRAY_SIZE(uses); i++) {
        const bool input = uses[i].buffer == BUFFER('A');
        const uint64_t offset = strchr("SOT", (int)(uintptr_t)uses[i].buffer) ? 0 : r->offset;
        const uint64_t start = offset / device.granule * device.granule;
        const uint64_t end = input ? r->offset + r->size : offset + FAR + r->offset;
        if (uses[i].offset < start || uses[i].offset > end || uses[i].size > end - uses[i].offset)
            fail_msg("%s: a use of %llu bytes at %llu of '%c'", name,
                     (unsigned long long)uses[i].size, (unsigned long long)uses[i].offset,
                     (int)(uintptr_t)uses[i].buffer);
    }
}

/* Collects a request, and gives the recorder back without it. Checks what every request has: a
 * sentence where it is refused, and few steps. */
static VkrResult collect(const edge_operation *o, const edge_request *r)
{
    const uint32_t room = fixture.recorder->step_capacity;
    fixture.sentence[0] = '\0';
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    const VkrResult result = o->call(r);
    const uint32_t steps = fixture.recorder->now.steps;
    const uint32_t limit = result == VKR_SUCCESS ? MAX_STEPS : MAX_REFUSED;
    if (result == VKR_SUCCESS && steps < 1000)
        check_uses(o->name, r);
    if (steps > limit || (result != VKR_SUCCESS && fixture.recorder->step_capacity > limit &&
                          fixture.recorder->step_capacity > room))
        fail_msg("%s of %llu: %u steps, and room for %u: %s", o->name, (unsigned long long)r->count,
                 steps, fixture.recorder->step_capacity, fixture.sentence);
    assert_true((result == VKR_SUCCESS) == (fixture.sentence[0] == '\0'));
    return result;
}

static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_U32, VKR_TYPE_U64};

/* Whether a promise covers a request. */
static bool is_promised(const edge_operation *o, const edge_request *r)
{
    const uint64_t below = r->type == VKR_TYPE_U64 ? o->below_wide : o->below;
    return r->count < below && (!o->divides || r->length == 0 || r->count % r->length == 0);
}

/* ---- Devices with the limits that Vulkan guarantees ---- */

static void try_counts(const uint64_t *counts, size_t number, uint64_t length)
{
    for (size_t o = 0; o < edge_operation_count; o++)
        for (size_t t = 0; t < ARRAY_SIZE(types); t++)
            for (size_t c = 0; c < number; c++) {
                const edge_request r = {.type = types[t],
                                        .count = counts[c],
                                        .length = length,
                                        .size = counts[c] * vkrTypeSize(types[t]),
                                        .k = 100};
                if (collect(&edge_operations[o], &r) != VKR_SUCCESS &&
                    is_promised(&edge_operations[o], &r))
                    fail_msg("%s", fixture.sentence);
            }
}

TEST(test_guaranteed)
{
    static const uint64_t counts[] = {
        INT32_MAX,  (uint64_t)INT32_MAX + 1,  (uint64_t)INT32_MAX + 2, 2304000001u,
        UINT32_MAX, (uint64_t)UINT32_MAX + 1, (uint64_t)UINT32_MAX + 2};
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.built_in = true, .cpu = cpu != 0});
        try_counts(counts, ARRAY_SIZE(counts), 0);
        trace_close();
    }
}

/* ---- Small limits ---- */

/* With descriptors of 64 KiB the counts of digits limit sorts, to some 380,000 keys of 8 bytes. */
TEST(test_small)
{
    static const uint64_t counts[] = {16383, 16384, 114240, 114241, 300000};
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){
            .built_in = true, .cpu = cpu != 0, .limits.maxStorageBufferRange = 65536});
        try_counts(counts, ARRAY_SIZE(counts), 0);
        try_counts(counts, ARRAY_SIZE(counts), 7);
        trace_close();
    }
}

/* Keys that lie far apart: a workgroup's share of them must fit a descriptor too. */
TEST(test_strides)
{
    for (uint32_t cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.built_in = true, .cpu = cpu != 0});
        const edge_request r = {.type = VKR_TYPE_U32,
                                .count = 100000,
                                .size = 100000 * (uint64_t)65536,
                                .stride = 65536,
                                .k = 10};
        for (size_t o = 0; o < edge_operation_count; o++)
            if (strcmp(edge_operations[o].name, "tiles") != 0 &&
                collect(&edge_operations[o], &r) != VKR_SUCCESS)
                fail_msg("%s", fixture.sentence);
        trace_close();
    }
}

/* ---- Too much ---- */

/* Requests for which a plan would have millions of dispatches. */
TEST(test_too_much)
{
    static const struct {
        const char *name;
        edge_request request;
    } rows[] = {
        {"compact", {.count = (uint64_t)1 << 37}},
        {"compact_payload", {.count = (uint64_t)1 << 37}},
        {"topk", {.count = UINT32_MAX, .length = 1, .k = VKR_MAX_TOP_K}},
        {"sort", {.count = UINT32_MAX, .stride = 4096}},
        {"topk", {.count = UINT32_MAX, .stride = 65536, .k = 1}},
        {"scan", {.count = UINT32_MAX, .stride = 65536}},
    };
    trace_open(&(trace_device){.built_in = true});
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        for (size_t o = 0; o < edge_operation_count; o++) {
            edge_request r = rows[i].request;
            r.type = VKR_TYPE_U32;
            r.size = r.count * (r.stride != 0 ? r.stride : 4);
            if (strcmp(edge_operations[o].name, rows[i].name) == 0 &&
                collect(&edge_operations[o], &r) != VKR_ERROR_UNSUPPORTED)
                fail_msg("row %zu, %s, is not refused, or as if it were wrong: %s", i, rows[i].name,
                         fixture.sentence);
        }
    trace_close();
}

/* ---- Any numbers ---- */

static uint64_t any_number(uint64_t *seed)
{
    const uint64_t edge = ONE_OF(seed, 0, (uint64_t)1 << random_below(seed, 64), 100000,
                                 (uint64_t)1 << 31, (uint64_t)1 << 32, UINT64_MAX);
    return edge + random_below(seed, 5) - 2;
}

TEST(test_numbers)
{
    uint64_t seed = 58;
    trace_open(&(trace_device){.built_in = true, .cpu = true});
    for (uint32_t i = 0; i < RANDOM_REQUESTS / trace_step(); i++) {
        const edge_operation *o = &edge_operations[random_below(&seed, edge_operation_count)];
        const edge_request r = {.type = types[random_below(&seed, ARRAY_SIZE(types))],
                                .count = random_below(&seed, 4) ? any_number(&seed) : VKR_COUNT_ALL,
                                .length = random_below(&seed, 2) * any_number(&seed),
                                .offset = random_below(&seed, 2) * any_number(&seed),
                                .size = any_number(&seed),
                                .stride = random_below(&seed, 2) * any_number(&seed),
                                .k = any_number(&seed)};
        (void)collect(o, &r);
    }
    trace_close();
}

TEST_MAIN("plans_edges", CASE(test_guaranteed), CASE(test_small), CASE(test_strides),
          CASE(test_too_much), CASE(test_numbers))
