/* SPDX-License-Identifier: MIT */
/* Cuts the rows of a selection by ranks into units. */
#include "../../tables/policies.h"
#include "select.h"

#include <inttypes.h>

#include "kernel_list.h"

/* Maximum numbers of elements of an invocation, times the ranks that share its reads: of a part,
 * each of whose elements is compared with the keys of all ranks, and of a whole row, over which it
 * goes once for each digit. */
#define PART_ITEMS 16384u
#define MAX_PART_ITEMS 8192u
#define ROW_ITEMS 2048u
#define SPAN_ITEMS 1024u  /* by offsets it can go over several whole rows */
#define PARTS_ITEMS 8192u /* and of the tallies that an invocation adds up, for each rank */

/* Rows of at most this number of elements are not cut. */
#define MAX_WHOLE_ROW 16384u

/* Digits are long where there are few tables of counts, or many elements for each count; and tiny
 * where an invocation would have more counts than elements. */
#define LONG_DIGIT 11u
#define SHORT_DIGIT 8u
#define TINY_DIGIT 5u
#define MIN_TINY_COUNTS 17u /* of an invocation, with short digits */
#define MAX_LONG_RANKS 2u
#define MAX_LONG_ROWS 16u
#define MIN_LONG_ROW 8192u /* elements of a row that one workgroup handles */

/* ---- Units ---- */

static uint32_t key_bits(const vkr_select *s)
{
    return 8 * s->input.type->size;
}

/* Whether the shared memory of nth.comp holds the counts of digits of this size. */
static bool has_room(const vkr_select *s, uint32_t ranks, uint32_t bits)
{
    const uint64_t words =
        ((uint64_t)ranks << bits) + 2 * (uint64_t)s->walk.workgroup_size + 6 * (uint64_t)ranks + 8;
    return 4 * words <= s->walk.context->caps.max_shared_memory;
}

static uint64_t reach_of(const vkr_select *s)
{
    return vkr_max(vkr_place_reach(&s->walk.context->caps, &s->walk.reached[0]), 1);
}

/* Whether one workgroup can handle a row for so many ranks. */
static bool fits_row(const vkr_select *s, uint32_t ranks)
{
    const uint64_t items = (uint64_t)s->walk.workgroup_size * (ROW_ITEMS / ranks);
    return s->length <= vkr_min(items, reach_of(s));
}

static void choose_batch(vkr_select *s)
{
    /* A small workgroup goes over counts for long, and by offsets for each of its segments. */
    const uint32_t most = s->walk.workgroup_size / (s->by_offsets ? 2 : 1);
    s->batch = 1;
    while (s->batch < vkr_min(s->info->rankCount, VKR_NTH_MAX_RANKS) && 2 * s->batch <= most &&
           has_room(s, 2 * s->batch, SHORT_DIGIT))
        s->batch *= 2;
}

static void choose_parts(vkr_select *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t full = w->tuning->maxGroups, size = w->workgroup_size;
    const uint64_t tile = size * VKR_NTH_BATCH;
    s->parts = 1;
    s->share = s->length;
    if (s->by_offsets) {
        const uint64_t each =
            vkr_max(vkr_divide_up(s->length, full), vkr_topk_policy_of(w->context)->part);
        const uint64_t most = size * vkr_min(PART_ITEMS / s->batch, MAX_PART_ITEMS);
        const uint64_t short_row = vkr_topk_policy_of(w->context)->short_row;
        vkr_choose_select_spans(s, vkr_group_of_short(w, s->info->workgroupSize, short_row),
                                vkr_min(MAX_WHOLE_ROW, size * (SPAN_ITEMS / s->batch)),
                                vkr_min(vkr_divide_up(each, tile) * tile, most));
        return;
    }
    if (fits_row(s, 1) && (s->length <= MAX_WHOLE_ROW || s->rows >= full / 2)) {
        while (!fits_row(s, s->batch))
            s->batch /= 2;
        return;
    }
    const uint64_t wanted = vkr_max(vkr_divide_up(s->length, vkr_divide_up(full, s->rows)),
                                    vkr_topk_policy_of(w->context)->part);
    const uint64_t items = vkr_min(PART_ITEMS / s->batch, MAX_PART_ITEMS);
    s->share = vkr_min(vkr_divide_up(wanted, tile) * tile, vkr_min(size * items, reach_of(s)));
    s->parts = vkr_divide_up(s->length, s->share);
}

static void choose_digits(vkr_select *s)
{
    const uint64_t tables = s->by_offsets ? s->spans.long_ones : s->rows;
    const uint64_t length = s->by_offsets ? s->walk.count / s->rows : s->length;
    const uint64_t counts = (uint64_t)s->batch << SHORT_DIGIT;
    const bool may_be_long =
        key_bits(s) >= 32 && s->batch <= MAX_LONG_RANKS && has_room(s, s->batch, LONG_DIGIT);
    const bool is_tiny =
        counts > 2 * length && counts >= MIN_TINY_COUNTS * (uint64_t)s->walk.workgroup_size;
    s->digit_bits = may_be_long && tables <= MAX_LONG_ROWS ? LONG_DIGIT : SHORT_DIGIT;
    s->whole_bits = may_be_long && length >= MIN_LONG_ROW ? LONG_DIGIT
                    : is_tiny                             ? TINY_DIGIT
                                                          : SHORT_DIGIT;
}

/* Chooses how many ranks share reads, and whether rows are so short that each element is compared
 * with all of its row. */
static VkrResult choose_workgroup(vkr_select *s)
{
    vkr_walk *w = &s->walk;
    const vkr_topk_policy *policy = vkr_topk_policy_of(w->context);
    const uint64_t most = w->context->caps.max_workgroup_size;
    const bool is_short = !s->by_offsets && s->length <= vkr_min(policy->short_row, most);
    uint32_t tuned = policy->workgroup;
    if (is_short) /* a workgroup has many rows, unless these are as long as they may be */
        tuned = (uint32_t)vkr_max(tuned, 1u << vkr_log2_up(policy->short_row));
    VKR_TRY(vkr_choose_workgroup(w, s->info->workgroupSize, tuned, &(vkr_shared){0}));
    s->is_short = is_short && s->length <= w->workgroup_size;
    return VKR_SUCCESS;
}

VkrResult vkr_choose_select_units(vkr_select *s)
{
    vkr_walk *w = &s->walk;
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE, &s->input);
    VKR_TRY(choose_workgroup(s));
    w->reached[w->reached_count++] = vkr_place_of_view(&s->input);
    choose_batch(s);
    choose_parts(s);
    choose_digits(s);
    VKR_NEED(w, s->parts <= (uint64_t)w->workgroup_size * PARTS_ITEMS / s->batch,
             "workgroupSize is %u, but must be greater where a segment has %" PRIu64 " elements.",
             w->workgroup_size, s->length);
    VKR_NEED(w, has_room(s, s->batch, SHORT_DIGIT),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             w->workgroup_size, w->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}
