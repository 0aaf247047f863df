/* SPDX-License-Identifier: MIT */
/* Makes, records and submits recordings, and compares all that they write. */
#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_VALUES 8u /* of a recording */

/* ---- Making ---- */

/* States of random numbers that have nothing in common for neighbouring seeds. */
static uint64_t state_of(uint64_t seed, uint64_t number)
{
    uint64_t state = seed * 1000003 + number;
    return next_random(&state);
}

/* Returns false for fixed requests that the device cannot run. */
static bool make_request(test_request *t)
{
    const test_operation *of = t->of;
    t->structure = state_of(t->seed, 0);
    t->random = state_of(t->seed, 1 + t->layout);
    t->port_count = t->count_count = t->view_count = t->texture_count = 0;
    t->refused = t->absent = false;
    t->levels = NULL;
    rig.made++;
    t->first = rig.written.used;
    t->limits = LIMITS_DEVICE;
    t->tuning = (tuning_row){0};
    t->own = calloc(1, of->size);
    assert_non_null(t->own);
    if (of->context != NULL)
        of->context(t);
    bool made = true;
    if (t->fixed != 0)
        made = of->fixed[(t->fixed - 1) % TEST_FIXED].make(t, (t->fixed - 1) / TEST_FIXED);
    else
        of->make(t);
    test_place_values(t);
    return made && !t->absent;
}

void test_unmake(test_recording *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        test_request *t = &r->requests[i];
        for (uint32_t k = 0; k < t->view_count; k++)
            vkDestroyBufferView(rig.h.device, t->views[k], NULL);
        test_unmake_images(t);
        free(t->own);
        t->own = NULL;
        t->view_count = 0;
    }
}

bool test_make(test_recording *r)
{
    bool all = true;
    rig.given.used = rig.written.used = rig.scratch.used = 0;
    test_reset_sets();
    rig.recording = r;
    for (uint32_t i = 0; i < r->count; i++)
        all &= make_request(&r->requests[i]);
    for (uint32_t i = 0; i < r->count; i++)
        r->requests[i].end = i + 1 < r->count ? r->requests[i + 1].first : rig.written.used;
    return all;
}

/* ---- Recording ---- */

/* Two recorders, whose command buffers are submitted together. */
typedef struct parts {
    VkrRecorder recorders[2];
    VkCommandBuffer commands[2];
    VkrBufferRange scratch[2]; /* the caller's */
    uint32_t count;
} parts;

/* A device of small limits may refuse what needs a larger descriptor. */
static bool may_refuse(const test_request *t, VkrResult result)
{
    const bool small = limits_rows[t->limits].maxStorageBufferRange != 0;
    if (result != VKR_ERROR_UNSUPPORTED)
        return false;
    if (rig.inspect != NULL) /* its devices are small in other ways, too */
        return true;
    if (t->of->must_refuse != NULL && t->of->must_refuse(t))
        return true;
    return t->of->may_refuse != NULL
               ? t->of->may_refuse(t)
               : small && strstr(rig.h.sentence, "maxStorageBufferRange") != NULL;
}

static bool should_have_refused(const test_request *t)
{
    const bool should = t->of->must_refuse != NULL && t->of->must_refuse(t);
    if (should)
        printf("# %s should have refused a request\n", t->of->call);
    return should;
}

/* Collects requests that are not refused. An error is sticky, so a refused one starts anew. */
static bool collect(test_recording *r, uint32_t begin, uint32_t end, VkrRecorder recorder)
{
    bool done = harness_check(&rig.h, vkrBegin(recorder), "vkrBegin");
    for (uint32_t i = begin; i < end && done; i++) {
        test_request *t = &r->requests[i];
        if (t->refused)
            continue;
        const VkrResult result = t->of->record(recorder, t);
        if (!may_refuse(t, result)) {
            done = harness_check(&rig.h, result, t->of->call) && !should_have_refused(t);
            continue;
        }
        t->refused = true;
        done = harness_check(&rig.h, vkrBegin(recorder), "vkrBegin");
        i = begin - 1;
    }
    return done;
}

/* Half of the recordings have scratch memory of the caller. */
static bool choose_scratch(const test_recording *r, VkrRecorder recorder, VkrBufferRange *scratch)
{
    const test_request *t = &r->requests[0];
    VkrContextProperties properties;
    VkDeviceSize size;
    uint64_t state = state_of(t->seed, 3000 + t->layout);
    if (!harness_check(&rig.h, vkrGetScratchSize(recorder, &size), "vkrGetScratchSize"))
        return false;
    *scratch = (VkrBufferRange){0};
    if (size == 0 || size > rig.scratch.buffer.size / 4 || random_below(&state, 2) == 0)
        return true;
    vkrGetContextProperties(get_context(&rig.contexts, t->limits, &t->tuning), &properties);
    *scratch = (VkrBufferRange){rig.scratch.buffer.buffer,
                                arena_place(&rig.scratch, &state, properties.granule, size), size};
    return true;
}

/* Fills the images of all requests, in the first command buffer: so nothing of this comes between
 * two recorders. */
static void record_images(const test_recording *r)
{
    /* What was fetched is read by the host; and levels that are written may be of these images. */
    const VkMemoryBarrier fetched = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    uint32_t images = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        test_record_images(&r->requests[i]);
        images += r->requests[i].texture_count;
    }
    if (images != 0)
        vkCmdPipelineBarrier(rig.h.cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0,
                             1, &fetched, 0, NULL, 0, NULL);
}

static bool has_levels(const test_recording *r, uint32_t begin, uint32_t end)
{
    while (begin < end && r->requests[begin].levels == NULL)
        begin++;
    return begin < end;
}

static void record_levels(const test_recording *r, uint32_t begin, uint32_t end)
{
    const VkMemoryBarrier copied = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    for (uint32_t i = begin; i < end; i++)
        if (!r->requests[i].refused)
            test_record_levels(&r->requests[i]);
    vkCmdPipelineBarrier(rig.h.cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &copied, 0, NULL, 0, NULL);
}

/* Records a part of the requests, for the host or for a next part that reads what it writes. Parts
 * that have nothing in common are in flight at the same time. */
static bool record_part(test_recording *r, uint32_t begin, uint32_t end, VkrRecorder recorder,
                        VkrBufferRange *scratch)
{
    harness *h = &rig.h;
    const bool last = end == r->count || !r->linked;
    if (!collect(r, begin, end, recorder) || !choose_scratch(r, recorder, scratch) ||
        (rig.inspect != NULL && !rig.inspect(r, begin, end, recorder)))
        return false;
    VkrEndInfo info = {
        .commandBuffer = h->cmd,
        .consumerStages = last ? VK_PIPELINE_STAGE_HOST_BIT : VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
        .consumerAccess =
            last ? VK_ACCESS_HOST_READ_BIT : VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
        .scratch = *scratch};
    if (has_levels(r, begin, end)) {
        info.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        info.consumerAccess |= VK_ACCESS_TRANSFER_READ_BIT;
    }
    if (!harness_begin(h))
        return false;
    if (begin == 0 && rig.inspect == NULL)
        record_images(r);
    if (!harness_check(h, vkrEnd(recorder, &info), "vkrEnd"))
        return false;
    if (has_levels(r, begin, end) && rig.inspect == NULL)
        record_levels(r, begin, end);
    return harness_end(h);
}

static bool open_parts(const test_recording *r, parts *p)
{
    const test_request *t = &r->requests[0];
    const VkCommandBufferAllocateInfo cmd = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = rig.h.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    *p = (parts){.recorders = {get_recorder(&rig.contexts, t->limits, &t->tuning)},
                 .commands = {rig.h.cmd},
                 .count = r->split != 0 ? 2 : 1};
    if (p->recorders[0] == NULL)
        return false;
    watch_limits(&limits_rows[t->limits]);
    return p->count == 1 ||
           (harness_check(&rig.h,
                          vkrCreateRecorder(get_context(&rig.contexts, t->limits, &t->tuning),
                                            &(VkrRecorderInfo){.label = "second"},
                                            &p->recorders[1]),
                          "vkrCreateRecorder") &&
            vkAllocateCommandBuffers(rig.h.device, &cmd, &p->commands[1]) == VK_SUCCESS);
}

static void close_parts(const parts *p)
{
    vkrReset(p->recorders[0]);
    rig.h.cmd = p->commands[0];
    if (p->count == 1)
        return;
    vkrDestroyRecorder(p->recorders[1]);
    vkFreeCommandBuffers(rig.h.device, rig.h.pool, 1, &p->commands[1]);
}

static bool record_all(test_recording *r, parts *p)
{
    bool done = true;
    test_reset_images();
    for (uint32_t i = 0; i < p->count && done; i++) {
        rig.h.cmd = p->commands[i];
        done = record_part(r, i == 0 ? 0 : r->split, i + 1 == p->count ? r->count : r->split,
                           p->recorders[i], &p->scratch[i]);
    }
    rig.h.cmd = p->commands[0];
    return done;
}

static bool submit_parts(const parts *p)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = p->count,
                               .pCommandBuffers = p->commands};
    return vkQueueSubmit(rig.h.queue, 1, &info, rig.h.fence) == VK_SUCCESS &&
           vkWaitForFences(rig.h.device, 1, &rig.h.fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS &&
           vkResetFences(rig.h.device, 1, &rig.h.fence) == VK_SUCCESS;
}

/* ---- Data, and comparison ---- */

static void fill_request(test_request *t)
{
    for (uint32_t i = 0; i < t->count_count; i++) {
        const VkrGpuCount *count = &t->counts[i].count;
        if (test_fills(t, count->buffer, count->offset))
            (void)choose_count(&t->random, count->type, t->counts[i].capacity,
                               test_bytes(count->buffer, count->offset));
    }
    t->of->fill(t);
}

static void fill_all(test_recording *r, uint32_t pass)
{
    uint64_t state = state_of(r->requests[0].seed, 1000 + pass);
    arena_poison(&rig.given, &state);
    arena_poison(&rig.written, &state);
    arena_poison(&rig.scratch, &state);
    for (uint32_t i = 0; i < r->count; i++) {
        test_request *t = &r->requests[i];
        t->random = state_of(t->seed, 2000 + 100 * t->layout + pass);
        test_fill_images(t);
        if (!t->refused)
            fill_request(t);
    }
    arena_upload(&rig.given);
    arena_upload(&rig.written);
    arena_upload(&rig.scratch);
}

static const char *name_at(const test_recording *r, VkDeviceSize at)
{
    const char *name = "no request";
    for (uint32_t i = 0; i < r->count && r->requests[i].first <= at; i++)
        name = r->requests[i].of->name;
    return name;
}

/* Whether an arena has what it should have. */
static bool is_right(const test_recording *r, const arena *a, uint32_t pass, bool says)
{
    const VkDeviceSize at = arena_overwritten(a);
    if (at != UINT64_MAX && says)
        printf("# submission %u: byte %" PRIu64 " of what is %s is wrong, near the outputs of %s\n",
               pass, at, a->name, a == &rig.written ? name_at(r, at) : "no request");
    return at == UINT64_MAX;
}

static bool submit_pass(test_recording *r, const parts *p, uint32_t pass, bool says)
{
    fill_all(r, pass);
    if (!submit_parts(p))
        return false;
    for (uint32_t i = 0; i < r->count; i++) {
        test_accept_values(&r->requests[i]);
        if (!r->requests[i].refused)
            r->requests[i].of->expect(&r->requests[i]);
    }
    for (uint32_t i = 0; i < p->count; i++)
        if (p->scratch[i].size != 0)
            test_accept(p->scratch[i].buffer, p->scratch[i].offset, p->scratch[i].size);
    const bool right[] = {is_right(r, &rig.written, pass, says),
                          is_right(r, &rig.given, pass, says),
                          is_right(r, &rig.scratch, pass, says)};
    return right[0] && right[1] && right[2];
}

test_outcome test_run(test_recording *r, bool says)
{
    parts p = {0};
    const uint32_t messages = rig.h.validation_messages;
    rig.says = says ? SHOWN_VALUES : 0;
    test_outcome outcome = TEST_ABSENT;
    if (test_make(r)) {
        outcome = open_parts(r, &p) && record_all(r, &p) ? TEST_RIGHT : TEST_WRONG;
        const uint32_t passes = rig.inspect == NULL ? r->passes : 0;
        for (uint32_t pass = 0; pass < passes && outcome == TEST_RIGHT; pass++)
            if (!submit_pass(r, &p, pass, says))
                outcome = TEST_WRONG;
        close_parts(&p);
    }
    test_unmake(r);
    return outcome == TEST_RIGHT && rig.h.validation_messages != messages ? TEST_WRONG : outcome;
}
