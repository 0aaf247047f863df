/* SPDX-License-Identifier: MIT */
/* How many dispatches stream reduction needs: ceil(log2 n) passes for Horn's sums and twice that
 * for Blelloch's, over the elements or over the totals of blocks, and a fixed number of others. */
#include "plans.h"

#include <stdio.h>
#include <string.h>

#include "random.h"

static const uint64_t counts[] = {1,   2,    3,    8,    9,     63,    64,     65,
                                  511, 1000, 4096, 4097, 65536, 65537, 524281, 1 << 20};

typedef struct kind {
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    bool tree; /* sums by Blelloch's sweeps */
    uint32_t nodes;
} kind;

static const kind in_whole[] = {
    {.algorithm = VKR_COMPACT_HORN},
    {.algorithm = VKR_COMPACT_HORN, .stream = {.search = VKR_STREAM_SEARCH_WHILE}},
    {.algorithm = VKR_COMPACT_BLELLOCH_GATHER, .tree = true},
};

static const kind in_blocks[] = {
    {.algorithm = VKR_COMPACT_ROGER, .nodes = 64},
    {.algorithm = VKR_COMPACT_ROGER, .stream = {.block = 8}, .nodes = 8},
    {.algorithm = VKR_COMPACT_ROGER,
     .stream = {.block = 1024, .blockScan = VKR_BLOCK_SCAN_HYBRID, .search = VKR_STREAM_SEARCH_FOR},
     .nodes = 16},
    {.algorithm = VKR_COMPACT_ROGER,
     .stream = {.block = 32,
                .blockScan = VKR_BLOCK_SCAN_BLELLOCH,
                .concatenation = VKR_CONCATENATION_ELEMENTS},
     .tree = true,
     .nodes = 1},
    {.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL},
    {.algorithm = VKR_COMPACT_ROGER_SEQUENTIAL, .stream = {.block = 256}},
};

static uint32_t log2_up(uint64_t n)
{
    uint32_t log = 0;
    while (UINT64_C(1) << log < n)
        log++;
    return log;
}

static void record(const kind *k, uint64_t count)
{
    VkrCompactInfo info = plain_compact();
    info.input.size = info.kept.size = 4 * count;
    info.count = count;
    info.algorithm = k->algorithm;
    info.stream = k->stream;
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (vkrCmdCompact(fixture.recorder, &info) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
}

/* The nth dispatch of a kernel, or NULL. */
static const trace_dispatch *find(const char *kernel, uint32_t nth)
{
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        if (strncmp(d->kernel, kernel, strlen(kernel)) == 0 && nth-- == 0)
            return d;
    }
    return NULL;
}

/* The only dispatch of a kernel, which comes after `epoch` barriers. */
static const trace_dispatch *find_only(const char *kernel, uint32_t epoch)
{
    const trace_dispatch *d = find(kernel, 0);
    if (d == NULL || find(kernel, 1) != NULL)
        fail_msg("%s: %s dispatch", kernel, d == NULL ? "no" : "more than one");
    assert_int_equal(d->epoch, epoch);
    return d;
}

/* Checks that the dispatch has an invocation for each of `items` items. */
static void check_reach(const trace_dispatch *d, uint64_t items)
{
    const uint64_t groups = (uint64_t)d->groups[0] * d->groups[1];
    const uint64_t all = groups * d->constants[VKR_CONST_WORKGROUP];
    assert_true(all >= items);
    assert_true(all - items < (uint64_t)d->groups[0] * d->constants[VKR_CONST_WORKGROUP]);
    if (d->groups[1] == 1)
        assert_int_equal(groups, divide_up(items, d->constants[VKR_CONST_WORKGROUP]));
}

/* Checks one pass of sums. */
static void check_sum(uint32_t nth, uint32_t epoch, uint32_t mode, uint32_t log, uint64_t items)
{
    struct vkr_stream_push push;
    const trace_dispatch *d = find("sums", nth);
    assert_non_null(d);
    memcpy(&push, d->words, sizeof(push));
    assert_int_equal(d->epoch, epoch);
    assert_int_equal(d->constants[VKR_STREAM_CONST_FLAGS], mode);
    assert_int_equal(push.distance, UINT32_C(1) << log);
    check_reach(d, items);
}

/* Checks the passes of sums of `words` words, and returns the number of passes. */
static uint32_t check_sums(bool tree, uint64_t words, uint32_t epoch)
{
    const uint32_t logs = words > 1 ? log2_up(words) : 1, passes = tree ? 2 * logs : logs;
    const uint64_t leaves = UINT64_C(1) << logs;
    for (uint32_t i = 0; i < logs; i++) {
        const uint32_t mode = tree ? VKR_PASS_UP : VKR_PASS_DOUBLE;
        check_sum(i, epoch + i, mode, i, tree ? leaves / 2 >> i : words);
        if (tree)
            check_sum(passes - 1 - i, epoch + passes - 1 - i, VKR_PASS_DOWN, i, leaves / 2 >> i);
    }
    assert_null(find("sums", passes));
    return passes;
}

EXTERN_TEST(test_stream_whole)
{
    trace_open(&(trace_device){0});
    for (size_t i = 0; i < ARRAY_SIZE(in_whole); i++) {
        for (size_t k = 0; k < ARRAY_SIZE(counts); k++) {
            record(&in_whole[i], counts[k]);
            find_only("marks", 0);
            const uint32_t passes = check_sums(in_whole[i].tree, counts[k], 1);
            check_reach(find_only("gather", 1 + passes), counts[k]);
            assert_int_equal(fixture.dispatch_count, passes + 2);
        }
    }
    trace_close();
}

static void check_blocks(const kind *k, uint64_t count)
{
    const bool sequential = k->algorithm == VKR_COMPACT_ROGER_SEQUENTIAL;
    const uint32_t s = k->stream.block != 0 ? k->stream.block : 64;
    const uint64_t blocks = divide_up(count, s);
    record(k, count);
    find_only("marks", 0);
    if (sequential) {
        check_reach(find_only("sequential", 1), blocks);
    } else {
        const trace_dispatch *scan = find_only("block_scan", 1);
        const uint32_t workgroup = scan->constants[VKR_CONST_WORKGROUP];
        assert_int_equal(scan->groups[0], divide_up(count, s > workgroup ? s : workgroup));
        assert_int_equal(scan->constants[VKR_STREAM_CONST_UNITS], k->nodes);
        check_reach(find_only("gather", 2), count);
    }
    const uint32_t passes = check_sums(k->tree, blocks, 2);
    const bool by_element = k->stream.concatenation == VKR_CONCATENATION_ELEMENTS;
    check_reach(find_only("concatenate", 2 + passes), blocks * (by_element ? s : VKR_STREAM_ROW));
    assert_int_equal(fixture.dispatch_count, passes + (sequential ? 3 : 4));
}

EXTERN_TEST(test_stream_blocks)
{
    trace_open(&(trace_device){0});
    for (size_t i = 0; i < ARRAY_SIZE(in_blocks); i++)
        for (size_t k = 0; k < ARRAY_SIZE(counts); k++)
            check_blocks(&in_blocks[i], counts[k]);
    trace_close();
}

/* ---- Workgroups ---- */

#define MOST 6u /* the maximum of workgroups in a dispatch */

/* A request is refused if one of its passes needs more workgroups than a dispatch can have. Passes
 * over blocks can need more workgroups than passes over elements: if the workgroups that scan
 * blocks are smaller than others, or if the last block extends past the count. */
static const struct {
    VkrCompactAlgorithm algorithm;
    VkrStreamOptions stream;
    uint32_t workgroup; /* of compactions */
    uint32_t tree_workgroup;
    uint64_t fits;  /* elements */
    uint64_t count; /* elements that do not fit */
    const char *why;
} group_rows[] = {
    {VKR_COMPACT_ROGER, {.block = 8}, 8, 128, 48, 49, "49, and 7 workgroups of 8 exceed"},
    {VKR_COMPACT_ROGER, {.block = 16}, 8, 128, 96, 97, "97, and 7 workgroups of 8 exceed"},
    {VKR_COMPACT_ROGER, {.block = 16}, 32, 128, 192, 193, "193, and 7 workgroups of 32 exceed"},
    {VKR_COMPACT_ROGER,
     {.block = 1024, .concatenation = VKR_CONCATENATION_ELEMENTS},
     64,
     256,
     1024,
     1025,
     "1025, and 8 workgroups of 256 exceed"},
    {VKR_COMPACT_ROGER_SEQUENTIAL,
     {.block = 256, .concatenation = VKR_CONCATENATION_ELEMENTS},
     64,
     64,
     256,
     257,
     "257, and 8 workgroups of 64 exceed"},
    {VKR_COMPACT_HORN, {0}, 8, 64, 384, 385, "385, and 7 workgroups of 64 exceed"},
    {VKR_COMPACT_BLELLOCH_GATHER, {0}, 8, 64, 384, 385, "385, and 7 workgroups of 64 exceed"},
};

static VkrResult compact(VkrRecorder recorder, const void *info)
{
    return vkrCmdCompact(recorder, info);
}

static void check_groups(size_t i, uint32_t columns)
{
    const kind k = {.algorithm = group_rows[i].algorithm, .stream = group_rows[i].stream};
    char sentence[256];
    trace_open(&(trace_device){.groups = columns,
                               .rows = MOST / columns,
                               .tuning = {.workgroupSize = group_rows[i].workgroup,
                                          .treeWorkgroupSize = group_rows[i].tree_workgroup,
                                          .minBytes = 4096,
                                          .maxBytes = 4096,
                                          .maxGroups = 1,
                                          .flight = 1}});
    record(&k, group_rows[i].fits);
    for (uint32_t d = 0; d < fixture.dispatch_count; d++) {
        assert_in_range(fixture.dispatches[d].groups[0], 1, columns);
        assert_in_range(fixture.dispatches[d].groups[1], 1, MOST / columns);
    }
    VkrCompactInfo info = plain_compact();
    info.input.size = info.kept.size = 4 * group_rows[i].count;
    info.algorithm = k.algorithm;
    info.stream = k.stream;
    (void)snprintf(sentence, sizeof sentence,
                   "vkrCmdCompact: algorithm is %s, but count is %s maxComputeWorkGroupCount "
                   "(%u, %u).",
                   vkrCompactAlgorithmName(k.algorithm), group_rows[i].why, columns,
                   MOST / columns);
    assert_refused(compact, &info, VKR_ERROR_UNSUPPORTED, sentence);
    trace_close();
}

EXTERN_TEST(test_stream_groups)
{
    for (size_t i = 0; i < ARRAY_SIZE(group_rows); i++) {
        check_groups(i, MOST);
        check_groups(i, MOST / 3);
    }
}
