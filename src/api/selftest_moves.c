/* SPDX-License-Identifier: MIT */
/* The moves of the self-test: scans, compactions, sorts, selections and searches. */
#include <inttypes.h>
#include <stdio.h>

#include "selftest.h"

#define LABEL "vkreduce self-test"
#define MANY VKR_SELF_MANY
#define TOP 9u /* entries of a selection */

/* ---- Collecting ---- */

static VkDeviceSize region_of_move(uint32_t m)
{
    return VKR_SELF_CHECKS * (VKR_SELF_REGION + VKR_SELF_SLOT) + (VkDeviceSize)m * VKR_SELF_REGION;
}

/* The results of a move; its total or count follows them (end_of_move). Other results are in the
 * second half of its region. */
static VkrView results_of_move(const vkr_self_test *test, uint32_t m, uint32_t half, VkrType type)
{
    return (VkrView){.buffer = test->buffer,
                     .offset = region_of_move(m) + half * (VKR_SELF_REGION / 2),
                     .size = MANY * sizeof(uint32_t),
                     .type = type};
}

static VkrBufferRange end_of_move(const vkr_self_test *test, uint32_t m)
{
    return (VkrBufferRange){test->buffer, region_of_move(m) + MANY * sizeof(uint32_t),
                            sizeof(uint32_t)};
}

static VkrResult collect_scan(const vkr_self_test *test, uint32_t m)
{
    return vkrCmdScan(test->recorder,
                      &(VkrScanInfo){.label = LABEL,
                                     .op = vkr_self_moves[m].op,
                                     .input = vkr_self_reduction(test, 0).input,
                                     .output = results_of_move(test, m, 0, VKR_TYPE_I32),
                                     .count = MANY,
                                     .algorithm = (VkrScanAlgorithm)vkr_self_moves[m].algorithm,
                                     .total = end_of_move(test, m)});
}

static VkrResult collect_compact(const vkr_self_test *test, uint32_t m)
{
    const VkrBufferRange end = end_of_move(test, m);
    const VkrCountOutput count = {VKR_COUNT_KEPT, end.buffer, end.offset, 1};
    return vkrCmdCompact(
        test->recorder,
        &(VkrCompactInfo){.label = LABEL,
                          .input = vkr_self_reduction(test, 0).input,
                          .count = MANY,
                          .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS},
                          .algorithm = (VkrCompactAlgorithm)vkr_self_moves[m].algorithm,
                          .kept = results_of_move(test, m, 0, VKR_TYPE_I32),
                          .countOutputCount = 1,
                          .countOutputs = &count});
}

static VkrResult collect_sort(const vkr_self_test *test, uint32_t m)
{
    return vkrCmdSort(test->recorder,
                      &(VkrSortInfo){.label = LABEL,
                                     .keys = vkr_self_reduction(test, 0).input,
                                     .count = MANY,
                                     .algorithm = (VkrSortAlgorithm)vkr_self_moves[m].algorithm,
                                     .sorted = results_of_move(test, m, 0, VKR_TYPE_I32),
                                     .indices = results_of_move(test, m, 1, VKR_TYPE_U32)});
}

static VkrResult collect_topk(const vkr_self_test *test, uint32_t m)
{
    return vkrCmdTopK(test->recorder,
                      &(VkrTopKInfo){.label = LABEL,
                                     .input = vkr_self_reduction(test, 0).input,
                                     .count = MANY,
                                     .k = TOP,
                                     .values = results_of_move(test, m, 0, VKR_TYPE_I32),
                                     .indices = results_of_move(test, m, 1, VKR_TYPE_U32)});
}

static VkrResult collect_bounds(const vkr_self_test *test, uint32_t m)
{
    return vkrCmdBounds(
        test->recorder,
        &(VkrBoundsInfo){.label = LABEL,
                         .sorted = results_of_move(test, VKR_SELF_SORTED, 0, VKR_TYPE_I32),
                         .count = MANY,
                         .values = vkr_self_reduction(test, 0).input,
                         .valueCount = MANY,
                         .lower = results_of_move(test, m, 0, VKR_TYPE_U32),
                         .upper = results_of_move(test, m, 1, VKR_TYPE_U32)});
}

/* ---- Comparing ---- */

#define NONE UINT32_MAX

/* The first wrong result of a move: its number, or NONE, and of scans and compactions what it is
 * and must be. */
typedef struct difference {
    uint32_t at, found, right;
} difference;

static difference compare_word(const uint32_t *found, uint32_t i, uint32_t right)
{
    return (difference){found[i] == right ? NONE : i, found[i], right};
}

static int32_t value_of(uint32_t i)
{
    return (int32_t)vkr_known_value(&vkr_self_checks[0], i);
}

static const uint32_t *found_by(const vkr_self_test *test, uint32_t m, uint32_t half)
{
    return (const uint32_t *)(const void *)(test->data +
                                            results_of_move(test, m, half, VKR_TYPE_U32).offset);
}

/* The result after the last one is the total. */
static difference compare_scan(const vkr_self_test *test, uint32_t m)
{
    const uint32_t *found = found_by(test, m, 0);
    const bool sums = vkr_self_moves[m].op == VKR_OP_SUM;
    difference first = {NONE, 0, 0};
    uint32_t prefix = sums ? 0 : (uint32_t)INT32_MIN;
    for (uint32_t i = 0; i < MANY && first.at == NONE; i++) {
        const int32_t value = value_of(i);
        if (sums)
            prefix += (uint32_t)value;
        else if (value > (int32_t)prefix)
            prefix = (uint32_t)value;
        first = compare_word(found, i, prefix);
    }
    return first.at == NONE ? compare_word(found, MANY, prefix) : first;
}

static difference compare_compact(const vkr_self_test *test, uint32_t m)
{
    const uint32_t *found = found_by(test, m, 0);
    difference first = {NONE, 0, 0};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < MANY && first.at == NONE; i++)
        if (value_of(i) < 0)
            first = compare_word(found, kept++, (uint32_t)value_of(i));
    return first.at == NONE ? compare_word(found, MANY, kept) : first;
}

static bool comes_before(uint32_t a, uint32_t b, bool descending)
{
    const int32_t values[] = {value_of(a), value_of(b)};
    return values[0] == values[1] ? a < b : (values[0] < values[1]) != descending;
}

/* Where each index comes before the next one in the order, none is there twice. */
static uint32_t compare_ordered(const vkr_self_test *test, uint32_t m, uint32_t count,
                                bool descending)
{
    const uint32_t *values = found_by(test, m, 0), *indices = found_by(test, m, 1);
    for (uint32_t i = 0; i < count; i++)
        if (indices[i] >= MANY || values[i] != (uint32_t)value_of(indices[i]) ||
            (i != 0 && !comes_before(indices[i - 1], indices[i], descending)))
            return i;
    return NONE;
}

static difference compare_sort(const vkr_self_test *test, uint32_t m)
{
    return (difference){.at = compare_ordered(test, m, MANY, false)};
}

static difference compare_topk(const vkr_self_test *test, uint32_t m)
{
    const uint32_t wrong = compare_ordered(test, m, TOP, true);
    uint32_t before = 0;
    for (uint32_t i = 0; i < MANY && wrong == NONE; i++)
        before += comes_before(i, found_by(test, m, 1)[TOP - 1], true);
    return (difference){.at = wrong != NONE || before == TOP - 1 ? wrong : TOP - 1};
}

static difference compare_bounds(const vkr_self_test *test, uint32_t m)
{
    const uint32_t *lower = found_by(test, m, 0), *upper = found_by(test, m, 1);
    const int32_t *sorted = (const int32_t *)found_by(test, VKR_SELF_SORTED, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t low = lower[i], high = upper[i];
        const int32_t value = value_of(i);
        if (low >= high || high > MANY || sorted[low] != value || sorted[high - 1] != value ||
            (low > 0 && sorted[low - 1] >= value) || (high < MANY && sorted[high] <= value))
            return (difference){.at = i};
    }
    return (difference){.at = NONE};
}

/* ---- The table ---- */

static const struct {
    const char *result; /* what is wrong */
    VkrResult (*collect)(const vkr_self_test *, uint32_t m);
    difference (*compare)(const vkr_self_test *, uint32_t m);
} kinds[] = {
    [VKR_SELF_SCAN] = {"prefix", collect_scan, compare_scan},
    [VKR_SELF_COMPACT] = {"kept element", collect_compact, compare_compact},
    [VKR_SELF_SORT] = {"sorted element", collect_sort, compare_sort},
    [VKR_SELF_TOP_K] = {"selected element", collect_topk, compare_topk},
    [VKR_SELF_BOUNDS] = {"bound", collect_bounds, compare_bounds},
};

bool vkr_self_move_serves(VkrContext context, uint32_t m)
{
    const bool waits =
        !vkr_self_moves[m].waits || context->forward_progress != VKR_FORWARD_PROGRESS_NONE;
    return waits && (vkr_self_moves[m].kind == VKR_SELF_COMPACT ||
                     vkrIsTypeSupported(context, vkr_self_checks[0].type));
}

VkrResult vkr_collect_self_move(const vkr_self_test *test, uint32_t m)
{
    return kinds[vkr_self_moves[m].kind].collect(test, m);
}

static void describe(char sentence[256], uint32_t m, const difference *d)
{
    const vkr_self_move *move = &vkr_self_moves[m];
    if (move->kind == VKR_SELF_SCAN || move->kind == VKR_SELF_COMPACT)
        (void)snprintf(sentence, 256,
                       "%s %" PRIu32 " of %u i32 by algorithm %s is %" PRId32
                       ", but must be %" PRId32,
                       d->at == MANY ? "result" : kinds[move->kind].result, d->at, MANY,
                       move->kind == VKR_SELF_SCAN
                           ? vkrScanAlgorithmName((VkrScanAlgorithm)move->algorithm)
                           : vkrCompactAlgorithmName((VkrCompactAlgorithm)move->algorithm),
                       (int32_t)d->found, (int32_t)d->right);
    else
        (void)snprintf(sentence, 256, "%s %" PRIu32 " of %u i32 is not the right one",
                       kinds[move->kind].result, d->at, MANY);
}

void vkr_compare_self_move(VkrContext context, const vkr_self_test *test, uint32_t m,
                           VkrSelfTestReport *report, char sentence[256])
{
    const VkrGroupPath group_path = context->caps.group_path;
    const difference first = kinds[vkr_self_moves[m].kind].compare(test, m);
    report->checks[group_path]++;
    if (first.at != NONE && report->wrong[group_path]++ == 0)
        describe(sentence, m, &first);
}
