/* SPDX-License-Identifier: MIT */
/*
 * What random operations that cut what they read into windows record on random devices. Nothing is
 * executed: every dispatch must keep to the device's limits and bind only bytes of the views it was
 * given, all elements must be reached, and operations that touch the same bytes must be kept apart
 * by barriers.
 */
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "freeze.h"
#include "ranges.h"

#define RECORDINGS 20000u
#define SCRATCH BUFFER('!')
#define SAMPLES 24u
#define MAX_TRIPS 65535u

struct plan plan;

/* ---- A dispatch ---- */

/* The part of a descriptor that lies in a region; size 0 for none. */
static region part_of(const VkDescriptorBufferInfo *info, const region *r)
{
    const uint64_t start = info->offset > r->offset ? info->offset : r->offset;
    const uint64_t end = info->offset + info->range < r->offset + r->size
                             ? info->offset + info->range
                             : r->offset + r->size;
    if (info->buffer != r->buffer || start >= end)
        return (region){0};
    return (region){r->buffer, start, end - start, r->written};
}

/* Whether a descriptor lies between the granule in which a region starts and the end of the
 * region. */
static bool lies_in(const VkDescriptorBufferInfo *info, const region *r)
{
    return info->buffer == r->buffer &&
           info->offset >= r->offset / plan.device.granule * plan.device.granule &&
           info->offset + info->range <= r->offset + r->size;
}

/* Whether it is a place in the recorder's own memory for an unused binding. The recording's scratch
 * is in SCRATCH. */
static bool is_unused(const VkDescriptorBufferInfo *info)
{
    return info->buffer >= BUFFER('a') && info->buffer <= BUFFER('z') &&
           info->range == plan.device.granule;
}

static void check_binding(const trace_dispatch *d, uint32_t binding)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    const operation *o = &plan.operations[d->operation];
    bool found = info->buffer == SCRATCH && info->offset + info->range <= plan.scratch;
    found |= is_unused(info);
    assert_int_equal(info->offset % plan.device.granule, 0);
    assert_in_range(info->range, 1, plan.device.maxStorageBufferRange);
    for (uint32_t i = 0; i < o->region_count; i++)
        found |= lies_in(info, &o->regions[i]);
    for (uint32_t i = 0; i < fixture.fill_count; i++) {
        const VkrBufferRange *fill = &fixture.fills[i];
        const region zeros = {fill->buffer, fill->offset, fill->size, true};
        assert_true(d->filled || part_of(info, &zeros).size == 0);
    }
    if (!found)
        fail_msg("%s: binding %u is %llu bytes at %llu of '%c', outside what it was given",
                 d->kernel, binding, (unsigned long long)info->range,
                 (unsigned long long)info->offset, (int)(uintptr_t)info->buffer);
}

/* Checks the number of trips of one invocation of a scan or a compaction through the loop over its
 * share of the elements and, in it, the loop over components. Later loops, which store elements,
 * are not counted. */
static void check_trips(const trace_dispatch *d)
{
    const bool scans = strncmp(d->kernel, "scan_", 5) == 0 || strncmp(d->kernel, "tiles_", 6) == 0;
    const struct vkr_scan_push *scan = (const void *)d->words;
    const struct vkr_compact_push *compact = (const void *)d->words;
    if (!scans && strncmp(d->kernel, "compact_", 8) != 0)
        return;
    const uint64_t inside = 1 + (scans ? d->constants[VKR_CONST_COMPONENTS] : 0);
    const uint64_t invocations =
        (uint64_t)d->groups[0] * d->groups[1] * d->constants[VKR_CONST_WORKGROUP];
    const uint64_t share = (scans ? scan->count : compact->count) / invocations;
    if (share * inside >= MAX_TRIPS)
        fail_msg("%s: an invocation has %llu elements", d->kernel, (unsigned long long)share);
}

static void check_dispatch(const trace_dispatch *d)
{
    assert_true(d->operation < plan.count);
    assert_in_range(d->push_size, 4, 128);
    if (d->constant_count)
        assert_in_range(d->constants[VKR_CONST_WORKGROUP], 1, plan.device.maxWorkgroupSize);
    assert_in_range(d->groups[0], 1, plan.device.maxComputeWorkGroupCount[0]);
    assert_in_range(d->groups[1], 1, plan.device.maxComputeWorkGroupCount[1]);
    assert_int_equal(d->groups[2], 1);
    for (uint32_t i = 0; i < TRACE_BINDINGS; i++)
        if (d->bindings[i].buffer)
            check_binding(d, i);
    check_trips(d);
    check_segments(d);
}

/* ---- The recording ---- */

static bool reaches(const trace_dispatch *d, VkBuffer buffer, uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < TRACE_BINDINGS; i++)
        if (d->bindings[i].buffer == buffer && d->bindings[i].offset <= start &&
            end <= d->bindings[i].offset + d->bindings[i].range)
            return true;
    return false;
}

/* Checks, for a sample of entries, that each lies in a descriptor of some dispatch. */
static void check_walk(uint64_t *seed, uint32_t index, const walk *w)
{
    for (uint32_t k = 0; k < SAMPLES; k++) {
        const uint64_t i = k == 0 ? 0 : k == 1 ? w->count - 1 : random_below(seed, w->count);
        const uint64_t start = w->offset + i * w->stride;
        bool found = false;
        for (uint32_t n = 0; n < fixture.dispatch_count && !found; n++)
            found = fixture.dispatches[n].operation == index &&
                    reaches(&fixture.dispatches[n], w->buffer, start, start + w->size);
        if (!found)
            fail_msg("entry %llu of %llu in '%c' is out of reach", (unsigned long long)i,
                     (unsigned long long)w->count, (int)(uintptr_t)w->buffer);
    }
}

/* The part of a descriptor that is certainly used: to be aligned, a descriptor may start up to a
 * granule early. */
static region meant_part(const VkDescriptorBufferInfo *info, const region *r)
{
    const uint64_t early = plan.device.granule - 1;
    const VkDescriptorBufferInfo meant = {info->buffer, info->offset + early,
                                          info->range > early ? info->range - early : 0};
    return part_of(&meant, r);
}

/* The bindings through which a dispatch may write. A scan in place also reads its output through
 * another binding. */
static uint32_t writing(const trace_dispatch *d)
{
    static const struct {
        const char *kernel;
        uint32_t bindings;
    } rows[] = {
        {"scan_", 1u << VKR_SCAN_BINDING_OUTPUT | 1u << VKR_SCAN_BINDING_TOTAL |
                      1u << VKR_SCAN_BINDING_COUNTER},
        {"passes_", 1u << VKR_SCAN_BINDING_OUTPUT | 1u << VKR_SCAN_BINDING_TOTAL},
        {"masked_", 1u << VKR_MASKED_BINDING_TARGET},
        {"heads", 1u << VKR_HEADS_BINDING_WORDS},
        {"compact_", 1u << VKR_COMPACT_BINDING_KEPT | 1u << VKR_COMPACT_BINDING_KEPT_INDICES |
                         1u << VKR_COMPACT_BINDING_REJECTED |
                         1u << VKR_COMPACT_BINDING_REJECTED_INDICES},
        {"payload_", 1u << VKR_PAYLOAD_BINDING_TARGET},
        {"move_", 1u << VKR_MOVE_BINDING_TARGET},
        {"sort_count_", 0},
        {"sort_digits_", 0},
        {"sort_sweep_", 1u << VKR_SORT_BINDING_SORTED | 1u << VKR_SORT_BINDING_RANKED},
        {"sort_scatter_", 1u << VKR_SORT_BINDING_SORTED | 1u << VKR_SORT_BINDING_RANKED},
        {"sort_one_", 1u << VKR_SORT_BINDING_SORTED | 1u << VKR_SORT_BINDING_RANKED},
        {"sort_merge_", 1u << VKR_SORT_BINDING_SORTED | 1u << VKR_SORT_BINDING_RANKED},
        {"sort_bitonic_",
         1u << VKR_SORT_BITONIC_BINDING_SORTED | 1u << VKR_SORT_BITONIC_BINDING_RANKED},
        {"sort_segments", 1u << VKR_SORT_SEGMENTS_BINDING_TARGET},
        {"pick_", 1u << VKR_PICK_BINDING_TARGET},
        {"transpose_", 1u << VKR_TRANSPOSE_BINDING_TARGET},
        {"segment_", 1u << VKR_REDUCE_BINDING_STORED | 1u << VKR_REDUCE_BINDING_OUTPUT |
                         1u << VKR_SEGMENT_BINDING_LISTS},
        {"reduce_", 1u << VKR_REDUCE_BINDING_STORED | 1u << VKR_REDUCE_BINDING_OUTPUT},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (strncmp(d->kernel, rows[i].kernel, strlen(rows[i].kernel)) == 0)
            return rows[i].bindings;
    return UINT32_MAX;
}

/* Whether two dispatches touch the same bytes of both regions, and one of them writes there through
 * a binding that it may write. */
static bool meet(const trace_dispatch *a, const region *x, uint32_t written_by_a,
                 const trace_dispatch *b, const region *y, uint32_t written_by_b)
{
    for (uint32_t i = 0; i < TRACE_BINDINGS; i++) {
        const region first = meant_part(&a->bindings[i], x);
        const bool writes = x->written && written_by_a >> i & 1;
        for (uint32_t k = 0; k < TRACE_BINDINGS && first.size; k++) {
            const region second = meant_part(&b->bindings[k], y);
            if ((writes || (y->written && written_by_b >> k & 1)) && second.size &&
                first.offset < second.offset + second.size &&
                second.offset < first.offset + first.size)
                return true;
        }
    }
    return false;
}

static bool conflict(const trace_dispatch *a, const trace_dispatch *b)
{
    const operation *x = &plan.operations[a->operation];
    const operation *y = &plan.operations[b->operation];
    const uint32_t written_by_a = writing(a), written_by_b = writing(b);
    for (uint32_t i = 0; i < x->region_count; i++)
        for (uint32_t k = 0; k < y->region_count; k++)
            if (x->regions[i].buffer == y->regions[k].buffer &&
                meet(a, &x->regions[i], written_by_a, b, &y->regions[k], written_by_b))
                return true;
    return false;
}

/* Checks that a barrier separates two operations, in the order of collection, if one of them
 * touches what the other writes. */
static void check_order(void)
{
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *a = &fixture.dispatches[i];
        for (uint32_t k = 0; k < fixture.dispatch_count; k++) {
            const trace_dispatch *b = &fixture.dispatches[k];
            if (a->operation < b->operation && a->epoch >= b->epoch && conflict(a, b))
                fail_msg("%s and the later operation's %s are not kept apart", a->kernel,
                         b->kernel);
        }
    }
}

/* Whether a use lies in a region. Like a descriptor, it may start in the region's first granule. */
static bool is_use_of(const VkrUse *use, const region *r)
{
    const uint64_t start = r->offset / plan.device.granule * plan.device.granule;
    const bool written = (use->access & VK_ACCESS_SHADER_WRITE_BIT) != 0;
    return use->buffer == r->buffer && use->offset >= start &&
           use->offset + use->size <= r->offset + r->size && (r->written || !written);
}

static void check_use(const VkrUse *use)
{
    bool found = false;
    for (uint32_t i = 0; i < plan.count; i++) {
        const operation *o = &plan.operations[i];
        for (uint32_t k = 0; k < o->texel_count; k++)
            found |= is_use_of(use, &o->texels[k]);
        for (uint32_t k = 0; k < o->region_count; k++)
            found |= is_use_of(use, &o->regions[k]);
    }
    if (found)
        return;
    fail_msg("a use of %llu bytes at %llu of '%c' is none", (unsigned long long)use->size,
             (unsigned long long)use->offset, (int)(uintptr_t)use->buffer);
}

static void check_uses(void)
{
    static VkrUse uses[MAX_DISPATCHES];
    uint32_t count = ARRAY_SIZE(uses);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++)
        check_use(&uses[i]);
}

void begin_plan(void)
{
    trace_clear();
    fixture.sentences = 0;
    vkrGetContextProperties(fixture.context, &plan.device);
    plan.count = 0;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
}

void end_plan(uint64_t *seed)
{
    VkrEndInfo end = plain_end;
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &plan.scratch), VKR_SUCCESS);
    check_uses();
    const char *violation = access_violation(fixture.recorder);
    if (violation)
        fail_msg("%s", violation);
    if (plan.scratch)
        end.scratch = (VkrBufferRange){SCRATCH, 0, plan.scratch};
    if (vkrEnd(fixture.recorder, &end) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    for (uint32_t i = 0; i < fixture.fill_count; i++)
        assert_true(fixture.fills[i].offset + fixture.fills[i].size <= plan.scratch);
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        check_dispatch(&fixture.dispatches[i]);
    for (uint32_t i = 0; i < plan.count; i++)
        for (uint32_t k = 0; k < plan.operations[i].walk_count; k++)
            check_walk(seed, i, &plan.operations[i].walks[k]);
    for (uint32_t i = 0; i < plan.count; i++)
        if (plan.operations[i].kind != VKR_SEGMENTS_NONE)
            check_segmented(i);
    if (fixture.dispatch_count < 500)
        check_order();
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

/* Fewer than one request in `refusals` may be refused. */
static void run(VkrResult (*collect)(uint64_t *seed, const char *label, operation *o),
                uint32_t recordings, uint32_t refusals)
{
    uint64_t seed = 30;
    uint32_t requests = 0, refused = 0, dispatches = 0;
    for (uint32_t i = 0; i < recordings; i++) {
        if (i % 20 == 0) {
            if (i)
                trace_close();
            trace_device device = random_device(&seed);
            device.rows = 0; /* 65,535, which Vulkan guarantees */
            trace_open(&device);
        }
        begin_plan();
        for (uint64_t k = 1 + random_below(&seed, MAX_OPERATIONS); k > 0; k--) {
            char label[8];
            operation *o = &plan.operations[plan.count];
            *o = (operation){.rotation = (uint32_t)random_below(&seed, LETTERS)};
            snprintf(label, sizeof label, "%u", plan.count);
            const VkrResult result = collect(&seed, label, o);
            requests++;
            plan.count += result == VKR_SUCCESS;
            if (result == VKR_SUCCESS)
                continue;
            freeze_refusal(fixture.sentence);
            /* A random tuning with tiny workgroups can be refused too. */
            const bool tiny = strstr(fixture.sentence, "workgroupSize is ") != NULL;
            if (result != VKR_ERROR_UNSUPPORTED || (!o->may_fail && !tiny))
                fail_msg("request %u: %s", requests, fixture.sentence);
            refused++;
            begin_plan();
        }
        end_plan(&seed);
        dispatches += fixture.dispatch_count;
    }
    trace_close();
    print_message("# %u requests, %u refused, %u dispatches\n", requests, refused, dispatches);
    assert_true(refused < requests / refusals);
}

TEST(test_scan)
{
    run(collect_scan, RECORDINGS / trace_step(), 5);
}

TEST(test_compact)
{
    run(collect_compact, RECORDINGS / trace_step(), 5);
}

TEST(test_segments)
{
    run(collect_segments, RECORDINGS / 8 / trace_step(), 3);
}

TEST(test_order)
{
    run(collect_order, RECORDINGS / 4 / trace_step(), 3);
}

TEST_MAIN("plans_ranges", CASE(test_scan), CASE(test_compact), CASE(test_segments),
          CASE(test_order))
