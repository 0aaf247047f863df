/* SPDX-License-Identifier: MIT */
/* Records the cases of a row, generates their data, and compares their results. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compact_run.h"

#define SHOWN 3 /* maximum number of mismatches of a row that are printed */

/* ---- Recording ---- */

typedef enum verdict { SERVED, MAYBE_REFUSED, REFUSED } verdict;

/* Whether a view, or flags, may exceed the range of a binding. */
static bool may_pass(const compact_case *c, VkDeviceSize range)
{
    const VkrCompactInfo *info = &c->info;
    const VkrView *views[] = {&info->input, &info->kept, &info->keptIndices, &info->rejected,
                              &info->rejectedIndices};
    for (size_t i = 0; i < ARRAY_SIZE(views); i++)
        if (views[i]->size + 512 > range)
            return true;
    return info->predicate.flags.range.size + 512 > range;
}

/* Whether a case must succeed, must be refused, or may be refused. Single-pass does not write all
 * outputs, and its views must fit the range of a binding. The views of streams must fit it too, and
 * so must their scratch memory, which can take two words per element. */
static verdict expect(const row_run *r, const compact_case *c)
{
    const VkrCompactInfo *info = &c->info;
    const VkDeviceSize range = limits_rows[r->row->limits].maxStorageBufferRange;
    if (is_stream(info->algorithm))
        return range != 0 && (may_pass(c, range) || 8 * c->most + 512 > range) ? MAYBE_REFUSED
                                                                               : SERVED;
    if (info->algorithm != VKR_COMPACT_SINGLE_PASS)
        return SERVED;
    const bool by_flags = tests_flags(r->row->predicate) && (r->row->outputs & OUT_VALUES) != 0;
    if (info->payloadCount != 0 || (r->row->outputs & OUT_LENGTHS) != 0 ||
        (by_flags && !r->row->called))
        return REFUSED;
    /* Only functions that are linked move values, and they need elements in place of flags. */
    if (r->row->called && (by_flags || range != 0))
        return MAYBE_REFUSED;
    return range != 0 && may_pass(c, range) ? MAYBE_REFUSED : SERVED;
}

static VkrCompactInfo info_of(const compact_case *c)
{
    VkrCompactInfo info = c->info;
    info.payloads = c->payloads;
    info.countOutputs = c->counts;
    return info;
}

static void create_texels(row_run *r)
{
    for (uint32_t i = 0; i < r->case_count; i++) {
        compact_case *c = &r->cases[i];
        arena_create_texels(&r->t->h, &r->t->buffers[COMPACT_INPUT], &c->info.input.texels);
        for (uint32_t k = 0; k < c->info.payloadCount; k++)
            arena_create_texels(&r->t->h, &r->t->buffers[COMPACT_INPUT], &c->payloads[k].texels);
    }
}

static void destroy_texels(const row_run *r, const compact_case *c)
{
    vkDestroyBufferView(r->t->h.device, c->info.input.texels.view, NULL);
    for (uint32_t k = 0; k < c->info.payloadCount; k++)
        vkDestroyBufferView(r->t->h.device, c->payloads[k].texels.view, NULL);
}

/* Drops a case. Its arrays remain as bytes that nothing may write. */
static void drop_case(row_run *r, uint32_t dropped)
{
    destroy_texels(r, &r->cases[dropped]);
    r->case_count--;
    memmove(&r->cases[dropped], &r->cases[dropped + 1],
            (r->case_count - dropped) * sizeof(r->cases[0]));
    uint32_t left = 0;
    for (uint32_t i = 0; i < r->region_count; i++) {
        if (r->regions[i].owner == dropped)
            continue;
        r->regions[left] = r->regions[i];
        r->regions[left++].owner -= r->regions[i].owner > dropped;
    }
    r->region_count = left;
}

/* What the library gets: flags that a function returns do not lie in memory. */
static VkrCompactInfo called_info_of(const row_run *r, const compact_case *c, const VkrHook *hook)
{
    VkrCompactInfo info = info_of(c);
    if (r->row->called)
        info.predicate.flags = (VkrFlagView){.hook = hook};
    return info;
}

static void create_module(row_run *r)
{
    const called_code *called = r->row->called;
    const VkrContext context = get_context(&r->t->contexts, r->row->limits, &r->row->tuning);
    if (!called)
        return;
    const VkrModuleInfo info = {.label = "keep", .code = called->words, .codeSize = called->size};
    assert_true(
        harness_check(&r->t->h, vkrCreateModule(context, &info, &r->module), "vkrCreateModule"));
}

static void count_keyed(void *data, const char *line)
{
    uint32_t *lines = data;
    *lines += strstr(line, ": keyed_") != NULL;
}

/* Whether the kernel of runs of keys serves all cases with elements and room for a run. */
static bool finds_runs(const row_run *r)
{
    uint32_t lines = 0, expected = 0;
    assert_int_equal(vkrDescribe(r->recorder, count_keyed, &lines), VKR_SUCCESS);
    for (uint32_t i = 0; i < r->case_count; i++)
        expected += r->cases[i].most != 0;
    return lines == expected;
}

/* Records all cases that are not refused. An error is sticky, so each refused case restarts the
 * recording. */
static void collect(row_run *r)
{
    harness *h = &r->t->h;
    assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
    for (uint32_t i = 0; i < r->case_count; i++) {
        const VkrHook hook = {.module = r->module, .name = "keep"};
        const VkrCompactInfo info = called_info_of(r, &r->cases[i], &hook);
        const verdict expected = expect(r, &r->cases[i]);
        const VkrResult result = vkrCmdCompact(r->recorder, &info);
        if (result == VKR_SUCCESS && expected != REFUSED)
            continue;
        if (result != VKR_ERROR_UNSUPPORTED || expected == SERVED) {
            if (r->mismatches++ < SHOWN)
                printf("# %s for %" PRIu64 " elements: %s (%s)\n", vkrResultName(result),
                       r->cases[i].most, result == VKR_SUCCESS ? "should be refused" : h->sentence,
                       r->text);
        }
        r->t->refused++;
        drop_case(r, i);
        assert_true(harness_check(h, vkrBegin(r->recorder), "vkrBegin"));
        i = UINT32_MAX;
    }
    if (r->row->runs)
        assert_true(finds_runs(r));
}

void end_compact(compact_test *t, VkrRecorder recorder, limits_row limits, VkrBufferRange scratch)
{
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT,
                            .scratch = scratch};
    watch_limits(&limits_rows[limits]);
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
}

/* Half of the recordings use scratch memory of the caller. */
static void choose_scratch(row_run *r)
{
    VkDeviceSize size;
    VkrContextProperties properties;
    vkrGetContextProperties(get_context(&r->t->contexts, r->row->limits, &r->row->tuning),
                            &properties);
    assert_true(
        harness_check(&r->t->h, vkrGetScratchSize(r->recorder, &size), "vkrGetScratchSize"));
    if (size == 0 || size > COMPACT_BYTES / 2 || flip(r, 2))
        return;
    r->scratch =
        (VkrBufferRange){r->t->buffers[COMPACT_SCRATCH].buffer.buffer,
                         place(r, "scratch", COMPACT_SCRATCH, properties.granule, size), size};
}

/* ---- Comparison ---- */

static void describe_difference(row_run *r, const region *at, VkDeviceSize byte)
{
    const compact_case *c = &r->cases[at->owner];
    const VkrCompactInfo *info = &c->info;
    uint32_t now = 0, then = 0;
    memcpy(&now, (unsigned char *)r->t->buffers[at->buffer].buffer.data + byte / 4 * 4, 4);
    memcpy(&then, r->t->buffers[at->buffer].shadow + byte / 4 * 4, 4);
    printf("# %s: byte %" PRIu64 " of %" PRIu64 ", word 0x%x should be 0x%x; %" PRIu64
           " of %" PRIu64 " elements (given as %" PRId64 "), offset %" PRIu64 ", stride %" PRIu64
           ", capacity %" PRIu64 ", append %" PRIu64 ", first %" PRIu64 ", kept %" PRIu64
           ", stored %" PRIu64 ", component %u, compare %d %d (%s)\n",
           at->name, byte - at->begin, at->size, now, then, c->expected.elements, c->most,
           (int64_t)info->count, info->input.offset, info->input.stride, info->capacity, c->append,
           info->firstIndex, c->expected.kept, c->expected.stored, info->predicate.component,
           (int)info->predicate.compare, (int)info->predicate.compare2, r->text);
}

/* Compares every array of every case, whether or not it is an output, except scratch memory, and
 * then all bytes between the arrays. */
static void verify(row_run *r)
{
    compact_test *t = r->t;
    for (uint32_t i = 0; i < r->region_count; i++) {
        const region *at = &r->regions[i];
        unsigned char *now = (unsigned char *)t->buffers[at->buffer].buffer.data;
        unsigned char *then = t->buffers[at->buffer].shadow;
        t->oracle_cases += at->buffer == COMPACT_OUTPUT || strcmp(at->name, "counts") == 0;
        if (memcmp(now + at->begin, then + at->begin, at->size) == 0)
            continue;
        VkDeviceSize byte = at->begin;
        while (now[byte] == then[byte])
            byte++;
        if (at->buffer != COMPACT_SCRATCH && r->mismatches++ < SHOWN)
            describe_difference(r, at, byte);
        memcpy(then + at->begin, now + at->begin, at->size);
    }
    for (int i = 0; i < COMPACT_BUFFERS; i++) {
        const VkDeviceSize byte = arena_overwritten(&t->buffers[i]);
        if (byte != UINT64_MAX && r->mismatches++ < SHOWN)
            printf("# byte %" PRIu64 " of %s was overwritten (%s)\n", byte, t->buffers[i].name,
                   r->text);
    }
}

static void submit(row_run *r)
{
    compact_test *t = r->t;
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        arena_poison(&t->buffers[i], &t->random);
    for (uint32_t i = 0; i < r->case_count; i++)
        compact_fill_case(r, &r->cases[i]);
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        arena_upload(&t->buffers[i]);
    for (uint32_t i = 0; i < r->case_count; i++) {
        const VkrCompactInfo info = info_of(&r->cases[i]);
        r->cases[i].expected = oracle_compact(&r->device, &info);
    }
    assert_true(harness_submit(&t->h));
    verify(r);
}

static void describe_row(const compact_row *row, char *text, size_t size)
{
    static const char *const predicates[TEST_COUNT] = {
        "nonzero",   "compare",  "range",      "finite", "nan",      "bits",
        "flags u32", "flags u8", "flags bits", "unique", "continued"};
    snprintf(text, size,
             "%s %s x %u%s%s, outputs 0x%x, payloads %u, algorithm %s (block %u, %s, %s, %s), "
             "workgroup %u, GPU count %s, "
             "append %s, indices %s, limits %s, geometry %u, %s %s",
             predicates[row->predicate], vkrTypeName(row->type), row->components,
             row->negate ? " negated" : "", row->gpu_constants ? " GPU constants" : "",
             row->outputs, row->payloads, vkrCompactAlgorithmName(row->algorithm),
             row->stream.block, vkrBlockScanName(row->stream.blockScan),
             vkrStreamSearchName(row->stream.search),
             vkrConcatenationName(row->stream.concatenation), row->workgroup_size,
             vkrTypeName(row->gpu_count), vkrTypeName(row->append), vkrTypeName(row->indices),
             limits_names[row->limits], row->tuning.geometry, vkrLoadOrderName(row->tuning.order),
             vkrLoadPathName(row->tuning.path));
}

void run_compact_row(compact_test *t, const compact_row *row, uint32_t submits)
{
    static row_run run; /* static because it is large */
    row_run *r = &run;
    *r = (row_run){.t = t, .row = row};
    describe_row(row, r->text, sizeof(r->text));
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        t->buffers[i].used = 0;
    r->device = oracle_of(t, row->limits, r->images);
    r->recorder = get_recorder(&t->contexts, row->limits, &row->tuning);
    assert_non_null(r->recorder);
    add_cases(r);
    create_texels(r);
    create_module(r);
    collect(r);
    choose_scratch(r);
    assert_true(harness_begin(&t->h));
    end_compact(t, r->recorder, row->limits, r->scratch);
    assert_true(harness_end(&t->h));
    for (uint32_t i = 0; i < submits && r->case_count > 0; i++)
        submit(r);
    t->rows++;
    t->mismatches += r->mismatches;
    vkrReset(r->recorder);
    vkrDestroyModule(r->module);
    for (uint32_t i = 0; i < r->case_count; i++)
        destroy_texels(r, &r->cases[i]);
}
