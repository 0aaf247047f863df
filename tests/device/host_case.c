/* SPDX-License-Identifier: MIT */
#include "host_case.h"

#include <stdio.h>

#include "oracle.h"
#include "oracle_compact.h"
#include "oracle_scan.h"
#include "oracle_sort.h"

#define GUARD 0xa5

VkrHostVulkan watched;

/* ---- Hosts ---- */

static const hearing *last_heard; /* by this thread or another one */

static void hear(void *data, VkrResult result, const char *sentence)
{
    hearing *h = data;
    if (result == VKR_SUCCESS) {
        h->notes++;
        snprintf(h->note, sizeof h->note, "%s", sentence);
        return;
    }
    last_heard = h;
    h->errors++;
    h->result = result;
    snprintf(h->sentence, sizeof h->sentence, "%s", sentence);
}

VkrHostInfo case_info(hearing *h)
{
    watched = (VkrHostVulkan){.getInstanceProcAddr = vkGetInstanceProcAddr,
                              .instance = device.instance,
                              .apiVersion = device.api_version};
    return (VkrHostInfo){.message = hear,
                         .messageData = h,
                         .device = getenv("VKR_TEST_DEVICE"),
                         .flags = VKR_HOST_NO_CACHE_BIT,
                         .vulkan = device.messenger != VK_NULL_HANDLE ? &watched : NULL};
}

VkrHost case_open(hearing *h, uint32_t flags)
{
    VkrHostInfo info = case_info(h);
    VkrHost host;
    info.flags |= flags;
    EXPECT_OK(vkrCreateHost(&info, &host));
    return host;
}

void case_ok(VkrResult result, const char *call, const char *name, int line)
{
    if (result == VKR_SUCCESS)
        return;
    print_error("# %s: %s, \"%s\"\n", call, vkrResultName(result),
                last_heard != NULL ? last_heard->sentence : "");
    _fail(name, line);
}

void case_heard(const hearing *h, VkrResult expected, const char *call, const char *part)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s: ", (int)strcspn(call, "("), call);
    if (h->errors != 1 || h->result != expected || strncmp(h->sentence, name, strlen(name)) != 0 ||
        strstr(h->sentence, part) == NULL)
        fail_msg("%s: %u sentences, the last one \"%s\", but one is expected with \"%s\"", call,
                 h->errors, h->sentence, part);
}

/* ---- Data ---- */

void case_fill(void *data, size_t size, uint32_t seed)
{
    unsigned char *bytes = data;
    uint32_t state = seed * 2654435761u + 12345u;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        /* Words of zeros, so that elements of every size are zero now and then. */
        bytes[i] = (state >> 29) == 0 || i / 8 % 5 == seed % 5 ? 0 : (unsigned char)(state >> 24);
    }
}

guarded guarded_open(size_t size, size_t shift, uint32_t seed)
{
    void *block;
    guarded g = {.size = size, .block_size = (shift + size + 3 * PAGE) / PAGE * PAGE};
    assert_int_equal(posix_memalign(&block, PAGE, g.block_size), 0);
    g.block = block;
    memset(g.block, GUARD, g.block_size);
    g.data = g.block + PAGE + shift;
    case_fill(g.data, size, seed);
    return g;
}

void guarded_close(guarded *g)
{
    for (size_t i = 0; i < g->block_size; i++) {
        const bool outside = g->block + i < g->data || g->block + i >= g->data + g->size;
        if (outside && g->block[i] != GUARD)
            fail_msg("the byte at %td of an array of %zu bytes is changed", g->block + i - g->data,
                     g->size);
    }
    free(g->block);
}

/* ---- Operations ---- */

VkrType case_small(VkrHost host)
{
    return vkrIsTypeSupported(vkrHostContext(host), VKR_TYPE_U8) ? VKR_TYPE_U8 : VKR_TYPE_U32;
}

static VkrReduceInfo reduce_info(VkrType type, uint64_t count)
{
    return (VkrReduceInfo){
        .ops = VKR_OP_SUM,
        .input = {.size = count * vkrTypeSize(type), .type = type, .components = 1},
        .count = count};
}

VkDeviceSize case_room(case_kind kind, VkrType type, uint64_t count)
{
    switch (kind) {
    case CASE_REDUCE:
        return 64;
    case CASE_SCAN:
        return 4 * count;
    case CASE_COMPACT:
        return 16 + vkrTypeSize(type) * count;
    default:
        return vkrTypeSize(type) * count;
    }
}

static VkrCompactInfo compact_info(VkrView input, VkrView output, uint64_t count,
                                   VkrCountOutput *counted)
{
    *counted =
        (VkrCountOutput){.kind = VKR_COUNT_KEPT, .buffer = output.buffer, .offset = output.offset};
    output.offset += 16;
    output.size -= 16;
    output.type = input.type;
    output.texels = (VkrTexels){0};
    return (VkrCompactInfo){.input = input,
                            .count = count,
                            .predicate = {.kind = VKR_PREDICATE_NONZERO},
                            .kept = output,
                            .countOutputCount = 1,
                            .countOutputs = counted};
}

VkrResult case_record(VkrHost host, case_kind kind, VkrType type, const VkrHostMemory *input,
                      const VkrHostMemory *output, uint64_t count)
{
    const VkrRecorder recorder = vkrHostRecorder(host);
    const VkrView in = vkrHostView(input, type);
    VkrView out = vkrHostView(output, type);
    VkrCountOutput counted;
    VkrReduceInfo reduce = reduce_info(type, count);
    reduce.input = in;
    reduce.output = (VkrBufferRange){output->buffer, output->offset, output->size};
    switch (kind) {
    case CASE_REDUCE:
        return vkrCmdReduce(recorder, &reduce);
    case CASE_SCAN:
        out.type = VKR_TYPE_UNDEFINED;
        if (input->buffer == output->buffer && input->offset == output->offset)
            out.type = type;
        return vkrCmdScan(
            recorder, &(VkrScanInfo){.op = VKR_OP_SUM, .input = in, .output = out, .count = count});
    case CASE_COMPACT: {
        const VkrCompactInfo compact = compact_info(in, out, count, &counted);
        return vkrCmdCompact(recorder, &compact);
    }
    default:
        return vkrCmdSort(recorder, &(VkrSortInfo){.keys = in, .sorted = out, .count = count});
    }
}

/* ---- What the oracle expects ---- */

static size_t expect_reduce(VkrHost host, VkrType type, const void *values, uint64_t count,
                            unsigned char *expected, size_t *offset)
{
    const VkrReduceInfo reduce = reduce_info(type, count);
    const oracle_reduce_info info = {
        .data = values, .stride = vkrTypeSize(type), .count = count, .type = type, .components = 1};
    VkrReduceLayout layout;
    oracle_value value;
    EXPECT_OK(vkrGetReduceLayout(vkrHostContext(host), &reduce, &layout));
    const VkrReduceResult *result = vkrGetReduceResult(&layout, VKR_OP_SUM);
    oracle_reduce(&info, VKR_OP_SUM, 0, result->type, &value);
    *offset = (size_t)result->offset;
    memcpy(expected, value.bytes, vkrTypeSize(result->type));
    return vkrTypeSize(result->type);
}

static size_t expect_scan(VkrHost host, VkrType type, const void *values, uint64_t count,
                          unsigned char *expected)
{
    const oracle_scan_info info = {.data = values,
                                   .stride = vkrTypeSize(type),
                                   .count = count,
                                   .type = type,
                                   .components = 1,
                                   .op = VKR_OP_SUM};
    const VkrScanInfo scan = {
        .op = VKR_OP_SUM, .input = {.type = type, .components = 1}, .count = count};
    oracle_value *all = malloc((size_t)(count + 1) * sizeof *all);
    VkrType result;
    assert_non_null(all);
    EXPECT_OK(vkrGetScanType(vkrHostContext(host), &scan, &result));
    assert_true(oracle_scan(&info, 0, result, all));
    const size_t size = vkrTypeSize(result);
    for (size_t i = 0; i < count; i++)
        memcpy(expected + i * size, all[i].bytes, size);
    free(all);
    return (size_t)count * size;
}

static size_t expect_compact(VkrType type, const void *values, uint64_t count,
                             unsigned char *expected)
{
    const size_t size = vkrTypeSize(type);
    const VkrView in = {
        .buffer = (VkBuffer)(uintptr_t)16, .size = size * count, .type = type, .components = 1};
    const VkrView out = {.buffer = (VkBuffer)(uintptr_t)32,
                         .size = 16 + size * count,
                         .type = type,
                         .components = 1};
    VkrCountOutput counted;
    const VkrCompactInfo info = compact_info(in, out, count, &counted);
    unsigned char *copy = malloc(size * (size_t)count + 1); /* the oracle's images are not const */
    assert_non_null(copy);
    memcpy(copy, values, size * (size_t)count);
    const oracle_image images[] = {{in.buffer, copy}, {out.buffer, expected}};
    const oracle_device described = {
        .images = images, .image_count = ARRAY_SIZE(images), .max_groups = 65535};
    const oracle_counts counts = oracle_compact(&described, &info);
    free(copy);
    return 16 + size * (size_t)counts.kept;
}

static size_t expect_sort(VkrType type, const void *values, uint64_t count, unsigned char *expected)
{
    const size_t size = vkrTypeSize(type);
    const oracle_sort_info info = {.data = values, .stride = size, .type = type, .count = count};
    uint32_t *indices = malloc(((size_t)count + 1) * sizeof *indices);
    assert_non_null(indices);
    assert_true(oracle_sort(&info, indices));
    for (size_t i = 0; i < count; i++)
        memcpy(expected + i * size, (const unsigned char *)values + indices[i] * size, size);
    free(indices);
    return size * (size_t)count;
}

void case_check(VkrHost host, case_kind kind, VkrType type, const void *values, uint64_t count,
                const void *output)
{
    const unsigned char *actual = output;
    unsigned char *expected = malloc((size_t)case_room(kind, type, count) + 64);
    size_t size, offset = 0;
    assert_non_null(expected);
    if (kind == CASE_REDUCE)
        size = expect_reduce(host, type, values, count, expected, &offset);
    else if (kind == CASE_SCAN)
        size = expect_scan(host, type, values, count, expected);
    else if (kind == CASE_COMPACT)
        size = expect_compact(type, values, count, expected);
    else
        size = expect_sort(type, values, count, expected);
    actual += offset;
    for (size_t i = 0; i < size; i++) {
        if (kind == CASE_COMPACT && i >= 4 && i < 16)
            continue; /* between the count and the elements */
        if (actual[i] != expected[i])
            fail_msg("operation %d on %u elements of %s: byte %zu of %zu is 0x%02x, not 0x%02x",
                     (int)kind, (unsigned)count, vkrTypeName(type), i, size, actual[i],
                     expected[i]);
    }
    free(expected);
}

void case_run_all(VkrHost host, VkrType type, const VkrHostMemory *input, const void *values,
                  uint64_t count)
{
    for (case_kind kind = 0; kind < CASE_KINDS; kind++) {
        const size_t room = (size_t)case_room(kind, type, count);
        VkrHostMemory output;
        guarded result = guarded_open(room, 0, 1);
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){result.data, room, VKR_HOST_WRITE}, &output));
        EXPECT_OK(case_record(host, kind, type, input, &output, count));
        EXPECT_OK(vkrHostRun(host));
        case_check(host, kind, type, values, count, result.data);
        guarded_close(&result);
    }
}
