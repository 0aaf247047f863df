/* SPDX-License-Identifier: MIT */
/* Recordings of operations by the monoids of monoids.comp. */
#include "monoids_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT (MONOIDS_LONG * 4u)
#define OFFSETS MONOIDS_OFFSETS

#define KEYS 1024u                        /* the place of keys, past the offsets */
#define ENTRIES (KEYS + 4 * MONOIDS_LONG) /* that of many offsets */
#define NUMBER 64u                        /* of segments */
#define TEXELS (16u * MONOIDS_MOST)       /* in a buffer view: every device has such views */
#define INITIAL 256u
#define TOTAL 512u

void monoids_set_words(monoids_test *m)
{
    uint64_t random = 11;
    uint32_t *word = m->words.data, *other = m->others.data;
    for (uint32_t i = 0; i < MONOIDS_MANY; i++)
        word[i] = (uint32_t)next_random(&random);
    for (uint32_t i = 0; i < MONOIDS_LONG; i++)
        other[i] = (uint32_t)next_random(&random);
    for (uint32_t i = 0; i < MONOIDS_LONG; i++)
        ((uint32_t *)m->offsets.data)[KEYS / 4 + i] = i / 13; /* as monoids.c says */
}

void monoids_set_offsets(monoids_test *m, bool is_long, uint32_t count)
{
    for (uint32_t i = 0; i < OFFSETS; i++) {
        const uint64_t square = (uint64_t)count * i * i / ((OFFSETS - 1) * (OFFSETS - 1));
        const uint64_t at = i % 7 == 3 ? (uint64_t)count * (i + 1) * (i + 1) / 10000 : square;
        if (is_long)
            ((uint64_t *)m->offsets.data)[i] = at;
        else
            ((uint32_t *)m->offsets.data)[i] = (uint32_t)at;
    }
}

/* The number of elements of the first `count` short segments: five lengths in turn, and others that
 * are too long for one invocation. */
static uint64_t length_of_short(uint32_t count)
{
    const uint32_t rest = count % 5;
    return (uint64_t)count / 5 * 10 + rest * (rest - 1) / 2 +
           (uint64_t)count / 1000 * MONOIDS_LISTED;
}

void monoids_set_entries(monoids_test *m, const monoid_operation *o, uint32_t count)
{
    void *offsets = (uint8_t *)m->offsets.data + ENTRIES;
    const uint64_t all = length_of_short(o->entries), rest = all < count ? count - all : 0;
    const uint64_t first = rest < MONOIDS_FIRST ? rest : MONOIDS_FIRST;
    for (uint32_t i = 0; i < o->entries; i++) {
        const uint64_t longer = i <= o->entries / 5 ? 0 : i <= o->entries / 2 ? first : rest;
        const uint64_t sum = length_of_short(i) + longer, at = sum < count ? sum : count;
        if (o->is_long)
            ((uint64_t *)offsets)[i] = at;
        else
            ((uint32_t *)offsets)[i] = (uint32_t)at;
    }
}

/* ---- Recordings ---- */

static tuning_row tuning_of(const monoids_test *m)
{
    return (tuning_row){.geometry = m->geometry, .path = VKR_LOAD_VEC4};
}

VkrModule monoids_module_of(monoids_test *m, limits_row limits, bool is_int64)
{
    const tuning_row tuning = tuning_of(m);
    VkrModule *module = &m->modules[m->geometry][limits][is_int64];
    if (!*module)
        *module = hooks_open_module(&m->h, get_context(&m->contexts, limits, &tuning), m->folder,
                                    is_int64 ? "monoids_int64" : "monoids", m->set.layout);
    return *module;
}

static VkrView input_of(const monoids_test *m, const monoid_case *c)
{
    const VkrView no_elements = {0};
    VkrView elements = {.buffer = m->words.buffer,
                        .size = m->words.size,
                        .type = c->row->element,
                        .components = c->row->components};
    if (c->texels && c->row->components != 0) {
        elements.texels = (VkrTexels){m->texels, 0, TEXELS};
        elements.size = (uint64_t)c->count * elements.components * vkrTypeSize(elements.type);
    }
    return c->row->components != 0 ? elements : no_elements;
}

static VkrGpuCount count_of(const monoids_test *m, const monoid_operation *o)
{
    const VkrGpuCount none = {0}, count = {m->values.buffer, 0, VKR_TYPE_U64};
    return o->gpu_count ? count : none;
}

static VkrSegments segments_of(const monoids_test *m, const monoid_operation *o)
{
    const uint32_t entries = o->entries != 0 ? o->entries : OFFSETS;
    const VkDeviceSize size = entries * (o->is_long ? 8 : 4);
    const VkrGpuCount no_number = {0}, number = {m->values.buffer, NUMBER, VKR_TYPE_U64};
    const VkrBufferRange none = {0}, flags = {m->flags.buffer, 0, m->flags.size};
    const bool has_flags = o->kind == VKR_SEGMENTS_FLAGS && !o->calls;
    return (VkrSegments){.kind = o->kind,
                         .flags = {.range = has_flags ? flags : none, .format = o->format},
                         .length = o->length,
                         .offsets = {m->offsets.buffer, o->entries != 0 ? ENTRIES : 0,
                                     o->kind == VKR_SEGMENTS_OFFSETS ? size : 0},
                         .gpuCount = o->gpu_segments ? number : no_number,
                         .offsetType = o->is_long ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED,
                         .keys = {m->offsets.buffer, KEYS, 4 * MONOIDS_LONG, .type = VKR_TYPE_U32}};
}

/* Adds a call for each piece of a whole, which has one block or two; their partials lie where no
 * flags do. */
static VkrResult add_pieces(const monoids_test *m, VkrRecorder recorder, const monoid_case *c,
                            VkrReduceInfo info)
{
    const uint32_t block = VKR_TREE_BLOCK, count = c->count;
    const VkDeviceSize each = 4 * (VkDeviceSize)c->row->words;
    const VkDeviceSize element = info.input.components * vkrTypeSize(c->row->element);
    const VkrBufferRange partials = {m->flags.buffer, 0, (count + block - 1) / block * each};
    VkrResult result = VKR_SUCCESS;
    for (uint32_t first = 0; first < count && result == VKR_SUCCESS;) {
        const uint32_t length = block * (1 + first / block % 2);
        info.pieces = (VkrPieces){partials, first, count};
        info.count = length < count - first ? length : count - first;
        info.input.offset = first * element;
        info.input.size = element != 0 ? info.count * element : 0;
        result = vkrCmdReduce(recorder, &info);
        first += (uint32_t)info.count;
    }
    return result;
}

static VkrResult add_reduction(const monoids_test *m, VkrRecorder recorder, const monoid_case *c,
                               const VkrMonoid *monoid)
{
    const monoid_operation *o = c->operation;
    VkrReduceInfo info = {.label = c->operation->name,
                          .input = input_of(m, c),
                          .count = c->count,
                          .gpuCount = count_of(m, c->operation),
                          .output = {m->outputs.buffer, 0, m->outputs.size},
                          .segments = segments_of(m, c->operation),
                          .monoid = monoid};
    if (o->masked)
        info.mask.flags =
            (VkrFlagView){.range = {m->flags.buffer, 0, m->flags.size}, .format = o->format};
    return o->pieces && c->count != 0 ? add_pieces(m, recorder, c, info)
                                      : vkrCmdReduce(recorder, &info);
}

static VkrResult add_scan(const monoids_test *m, VkrRecorder recorder, const monoid_case *c,
                          const VkrMonoid *monoid, const VkrHook *starts)
{
    const monoid_operation *o = c->operation;
    const VkDeviceSize state = 4 * (VkDeviceSize)c->row->words;
    const VkDeviceSize stride = 4 * (VkDeviceSize)(monoids_result_words(c) + o->stride);
    const VkBuffer values = o->chains ? m->values.buffer : VK_NULL_HANDLE;
    VkrScanInfo info = {.label = o->name,
                        .input = input_of(m, c),
                        .count = c->count,
                        .flags = o->flags,
                        .gpuCount = count_of(m, o),
                        .output = {.buffer = m->outputs.buffer,
                                   .size = m->outputs.size,
                                   .stride = o->stride != 0 ? stride : 0},
                        .gpuInitial = {values, INITIAL, state},
                        .total = {values, TOTAL, state},
                        .segments = segments_of(m, o),
                        .monoid = monoid};
    info.segments.flags.hook = o->calls ? starts : NULL;
    return vkrCmdScan(recorder, &info);
}

static void set_initial(monoids_test *m, monoid_case *c)
{
    uint32_t *initial = (uint32_t *)m->values.data + INITIAL / 4;
    c->row->identity(&c->initial);
    if (!c->operation->chains)
        return;
    monoids_fold(c->row, m->words.data, m->others.data, 5, 1, 3, &c->initial);
    for (uint32_t k = 0; k < c->row->words; k++) {
        initial[k] = c->initial.words[k];
        if (c->row->rounds)
            initial[k] = monoids_rounded(&c->initial, k);
    }
}

/* Sets which elements start segments, as the flags say, or the function is_start. They are dense
 * and sparse by turns. */
static void set_flags(monoids_test *m, const monoid_operation *o, uint32_t count)
{
    const uint32_t *other = m->others.data;
    uint32_t *words = m->flags.data;
    uint8_t *bytes = m->flags.data;
    memset(words, 0, m->flags.size);
    for (uint32_t i = 0; i < count; i++) {
        m->starts[i] = (other[i] & ((i & 4096) != 0 ? 7 : 2047)) == 3;
        if (o->format == VKR_FLAGS_BITS)
            words[i / 32] |= (uint32_t)m->starts[i] << i % 32;
        else if (o->format == VKR_FLAGS_U8)
            bytes[i] = m->starts[i] != 0 ? (uint8_t)i | 1 : 0;
        else
            words[i] = m->starts[i] != 0 ? i | 1 : 0;
    }
}

/* Sets which elements of a scan start segments. */
static void set_starts(monoids_test *m, const monoid_operation *o, uint32_t count)
{
    memset(m->starts, 0, MONOIDS_LONG);
    if (o->kind == VKR_SEGMENTS_FLAGS || o->masked)
        set_flags(m, o, count);
    const bool has_lengths =
        !o->masked && (o->kind == VKR_SEGMENTS_ROWS || o->kind == VKR_SEGMENTS_KEYS);
    for (uint32_t i = 0; has_lengths && i < count; i += o->length)
        m->starts[i] = 1;
    for (uint32_t i = 0; o->kind == VKR_SEGMENTS_OFFSETS && i < OFFSETS; i++) {
        const uint64_t at = o->is_long ? ((const uint64_t *)m->offsets.data)[i]
                                       : ((const uint32_t *)m->offsets.data)[i];
        if (at < count)
            m->starts[at] = 1;
    }
}

void monoids_run_case(monoids_test *m, limits_row limits, monoid_case *c)
{
    const tuning_row tuning = tuning_of(m);
    char load[32], combine[32], identity[32], finish[32];
    const char *base = c->row->base;
    const VkrRecorder recorder = get_recorder(&m->contexts, limits, &tuning);
    const VkrUse uses[] = {{.buffer = m->words.buffer, .size = m->words.size},
                           {.buffer = m->others.buffer, .size = m->others.size}};
    (void)snprintf(load, sizeof load, "load_%s", c->row->name);
    (void)snprintf(combine, sizeof combine, "combine_%s", base);
    (void)snprintf(identity, sizeof identity, "identity_%s", base);
    (void)snprintf(finish, sizeof finish, "finish_%s", base);
    const VkrHook hook = {monoids_module_of(m, limits, c->row->needs_int64), load, m->set.set, 2,
                          uses};
    const VkrHook starts = {monoids_module_of(m, limits, false), "is_start", m->set.set, 2, uses};
    const VkrMonoid monoid = {&hook, combine, identity, c->is_finished ? finish : NULL,
                              c->row->commutative};
    const VkrEndInfo end = {.commandBuffer = m->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    memset(m->outputs.data, 0xcd, m->outputs.size);
    *(uint64_t *)m->values.data = c->covered;
    ((uint64_t *)m->values.data)[NUMBER / 8] = monoids_segments_of(c);
    set_initial(m, c);
    set_starts(m, c->operation, c->operation->is_scan || c->operation->masked ? c->count : 0);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&m->h));
    assert_true(harness_check(&m->h, vkrBegin(recorder), "vkrBegin"));
    const VkrResult result = c->operation->is_scan ? add_scan(m, recorder, c, &monoid, &starts)
                                                   : add_reduction(m, recorder, c, &monoid);
    assert_true(harness_check(&m->h, result, c->operation->name));
    assert_true(harness_check(&m->h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&m->h));
    assert_true(harness_submit(&m->h));
    vkrReset(recorder);
    c->words = m->words.data;
    c->others = m->others.data;
    c->starts = m->starts;
    c->offsets = (const uint8_t *)m->offsets.data + (c->operation->entries != 0 ? ENTRIES : 0);
    c->outputs = m->outputs.data;
    c->total = (const uint32_t *)m->values.data + TOTAL / 4;
    monoids_compare_all(c);
}

/* ---- The program ---- */

bool monoids_has(const monoids_test *m, const monoid_row *row)
{
    return (!row->needs_int64 || m->device.types[VKR_TYPE_I64]) &&
           (row->components == 0 || m->device.types[row->element]);
}

bool monoids_open(monoids_test *m, const char *folder)
{
    m->h.loader = limits_proc;
    m->device = device_abilities(&m->h);
    m->contexts.h = &m->h;
    m->folder = folder;
    m->starts = malloc(MONOIDS_LONG);
    if (!m->starts || !harness_create_buffer(&m->h, 4 * MONOIDS_MANY, &m->words) ||
        !harness_create_buffer(&m->h, 4 * MONOIDS_LONG, &m->others) ||
        !harness_create_buffer(&m->h, OUTPUT, &m->outputs) ||
        !harness_create_buffer(&m->h, 1024, &m->values) ||
        !harness_create_buffer(&m->h, ENTRIES + 4 * MONOIDS_LONG, &m->offsets) ||
        !harness_create_buffer(&m->h, 4 * MONOIDS_LONG, &m->flags) ||
        !hooks_open_set(&m->h, (const VkBuffer[]){m->words.buffer, m->others.buffer}, 2, &m->set))
        return false;
    const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                         .buffer = m->words.buffer,
                                         .format = VK_FORMAT_R32G32B32A32_UINT,
                                         .range = TEXELS};
    if (vkCreateBufferView(m->h.device, &view, NULL, &m->texels) != VK_SUCCESS)
        return false;
    monoids_set_words(m);
    return true;
}

void monoids_close(monoids_test *m)
{
    harness_buffer *const buffers[] = {&m->words,  &m->others,  &m->outputs,
                                       &m->values, &m->offsets, &m->flags};
    for (uint32_t i = 0; i < GEOMETRIES * LIMITS_COUNT * 2; i++)
        vkrDestroyModule((&m->modules[0][0][0])[i]);
    close_contexts(&m->contexts);
    hooks_close_set(&m->h, &m->set);
    if (m->texels != VK_NULL_HANDLE)
        vkDestroyBufferView(m->h.device, m->texels, NULL);
    for (size_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&m->h, buffers[i]);
    free(m->starts);
}
