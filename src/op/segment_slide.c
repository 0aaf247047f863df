/* SPDX-License-Identifier: MIT */
/*
 * Windows of neighbouring elements. An invocation takes all that start in one block of elements: it
 * reduces the rest of the block from each of them on, the blocks between, and the elements behind
 * these, each once. What lies between is a window of the blocks' partials, and is made in the same
 * way where it is long: level 0 has elements, and each level has a partial for each block of the
 * level before.
 */
#include "segment.h"

#define MAX_LEVELS 32u /* blocks have at least two elements */

/* Of level 0 `items` are elements and `windows` results; of others both are partials. */
typedef struct level {
    uint64_t items, length; /* how many there are, and how many a window has */
    uint64_t windows;       /* how many windows are made; 0: those of the level before do without */
    uint64_t at, made_at;   /* where items and windows start, in partials */
} level;

typedef struct levels {
    uint32_t block; /* items of a block */
    uint32_t count; /* levels of which windows are made */
    level of[MAX_LEVELS + 1];
    vkr_place place;
} levels;

/* ---- Sizes ---- */

/* Real results, divisions and roots, take so much longer to compile than others that they count for
 * several. */
static uint32_t choose_block(const vkr_reduce *r, uint64_t length)
{
    const bool roots = vkr_count_reals(r) != 0;
    const uint64_t values = (uint64_t)r->input.components * vkr_count_ops(r) * (roots ? 4 : 1);
    uint32_t block = VKR_MAX_BLOCK;
    while (block > 2 && (block > length || block * values > VKR_BLOCK_VALUES))
        block /= 2;
    return block;
}

/* Sets the levels of a window over `count` elements, and the number of all their partials, which
 * lie as items of levels 1, 2, .. and then the windows of .., 2, 1. */
static uint64_t set_levels(levels *l, uint64_t count, uint64_t length, uint64_t windows)
{
    uint64_t at = 0;
    l->of[0] = (level){.items = count, .length = length, .windows = windows};
    l->count = 1;
    for (uint32_t i = 1;; i++) {
        const level *below = &l->of[i - 1];
        const uint64_t whole = below->length / l->block - 1;
        l->of[i] =
            (level){.items = whole != 0 ? below->items / l->block : 0, .length = whole, .at = at};
        at += l->of[i].items;
        if (whole < l->block) /* each invocation takes them one by one */
            break;
        l->of[i].windows = vkr_divide_up(below->windows, l->block) + 1;
        l->count++;
    }
    for (uint32_t i = l->count; i-- > 1;) {
        l->of[i].made_at = at;
        at += l->of[i].windows;
    }
    return at;
}

/* ---- Passes ---- */

static vkr_place place_of(const vkr_reduce *r, const levels *l, uint64_t at)
{
    vkr_place place = l->place;
    place.offset += at * vkr_partial_bytes(r);
    return place;
}

/* Adds the pass that makes the items of level 1, by whole units where `loads` is not 0. */
static VkrResult add_blocks(VkrRecorder recorder, const vkr_reduce *r, const levels *l,
                            uint32_t loads)
{
    const vkr_segment_window whole = {0, 1, 0, l->of[1].items};
    const vkr_segment_pass s = {.shape = VKR_SHAPE_ROWS,
                                .team = 1,
                                .segments = 1,
                                .segment_stride = 1,
                                .element_stride = 1,
                                .length = l->of[1].items * l->block,
                                .part_length = l->block,
                                .all_parts = l->of[1].items,
                                .neighbours = loads != 0 ? 1 : 0,
                                .loads = loads,
                                .batch = 1,
                                .target = place_of(r, l, l->of[1].at)};
    return vkr_add_segments(recorder, r, &s, &whole);
}

/* Adds the pass that makes the items of level i + 1 of those of level i. */
static VkrResult add_blocks_of_blocks(VkrRecorder recorder, const vkr_reduce *r, const levels *l,
                                      uint32_t i)
{
    const vkr_segment_window all = {0, l->of[i + 1].items, 0, 1};
    const vkr_segment_pass s = {.shape = VKR_SHAPE_ROWS,
                                .team = 1,
                                .partials = true,
                                .segments = l->of[i + 1].items,
                                .all_parts = l->block,
                                .part_length = 1,
                                .source = place_of(r, l, l->of[i].at),
                                .target = place_of(r, l, l->of[i + 1].at)};
    return vkr_add_segments(recorder, r, &s, &all);
}

/* Adds windows of level i, from `first` on. */
static VkrResult add_level(VkrRecorder recorder, const vkr_reduce *r, const levels *l, uint32_t i,
                           uint64_t first, uint64_t count, uint32_t loads)
{
    const level *here = &l->of[i], *above = &l->of[i + 1];
    const bool made = above->windows != 0;
    const uint64_t between = made ? above->made_at : above->at;
    const uint64_t start = i == 0 ? between : here->at;
    const uint64_t end = made ? above->made_at + above->windows : above->at + above->items;
    const vkr_segment_window h = {first, count, first / l->block, made ? 1 : above->length};
    const vkr_segment_pass s = {.shape = VKR_SHAPE_WINDOWS,
                                .team = 1,
                                .partials = i != 0,
                                .results = i == 0,
                                .segments = here->windows,
                                .segment_stride = 1,
                                .element_stride = 1,
                                .length = here->length,
                                .part_length = between - start,
                                .all_parts = here->items,
                                .neighbours = l->block,
                                .loads = loads,
                                .batch = 1,
                                .source = place_of(r, l, start),
                                .sources = i == 0 && above->length == 0 ? 0 : end - start,
                                .target = place_of(r, l, here->made_at)};
    return count == 0 ? VKR_SUCCESS : vkr_add_segments(recorder, r, &s, &h);
}

/* Adds the results: those whose blocks lie before the last elements by whole units. */
static VkrResult add_results(VkrRecorder recorder, const vkr_reduce *r, const levels *l,
                             uint32_t loads)
{
    const level *all = &l->of[0];
    const uint64_t reach = all->length / l->block + 2;
    const uint64_t blocks = all->items / l->block;
    uint64_t whole = loads != 0 && blocks > reach ? (blocks - reach) * l->block : 0;
    whole = vkr_min(whole, all->windows / l->block * l->block);
    VKR_TRY(add_level(recorder, r, l, 0, 0, whole, loads));
    return add_level(recorder, r, l, 0, whole, all->windows - whole, 0);
}

/* ---- Pieces ---- */

static VkrResult add_piece(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_pass *s)
{
    levels l = {.block = s->neighbours};
    const uint64_t windows = r->walk.count - s->length + 1;
    const uint64_t all = set_levels(&l, r->walk.count, s->length, windows);
    if (all != 0)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, vkr_partial_words(r), all, &l.place));
    if (l.of[1].items != 0)
        VKR_TRY(add_blocks(recorder, r, &l, s->loads));
    for (uint32_t i = 1; i < l.count; i++)
        if (l.of[i + 1].items != 0)
            VKR_TRY(add_blocks_of_blocks(recorder, r, &l, i));
    for (uint32_t i = l.count; i-- > 1;)
        VKR_TRY(add_level(recorder, r, &l, i, 0, l.of[i].windows, 0));
    return add_results(recorder, r, &l, s->loads);
}

/* How many windows from `first` on are a piece, whose elements and partials each descriptor
 * reaches. The next piece starts with a whole unit. */
static VkrResult choose_piece(const vkr_reduce *r, const vkr_segment_pass *s, uint64_t first,
                              uint64_t *count)
{
    const uint64_t room = r->context->caps.max_range - r->context->caps.granule;
    levels l = {.block = s->neighbours};
    *count = vkr_reach_of_segments(r, s, first, s->segments);
    if (*count == 0 || *count + s->length - 1 >= VKR_MAX_REACH)
        return vkr_fail_reach(r, "a window", s->length * r->input.stride);
    for (;;) {
        const uint64_t partials = set_levels(&l, *count + s->length - 1, s->length, *count);
        if (partials <= room / vkr_partial_bytes(r))
            break;
        if (*count < 2 * s->grain)
            return vkr_fail_reach(r, "the partials of blocks", partials * vkr_partial_bytes(r));
        *count = *count / 2 / s->grain * s->grain;
    }
    return vkr_check_dispatches(r, s->segments - first, *count);
}

VkrResult vkr_add_windows(VkrRecorder recorder, const vkr_reduce *r, vkr_segment_pass *s)
{
    uint64_t count = 0;
    s->results = true;
    s->all_parts = 1;
    s->neighbours = s->grain = choose_block(r, s->length);
    s->part_length = s->length;
    if (r->walk.loads != 0 && vkr_lead(&r->input, 0, r->walk.loads) == 0 &&
        s->neighbours % vkr_walk_unit(&r->walk) == 0)
        s->loads = r->walk.loads;
    for (uint64_t first = 0; first < s->segments; first += count) {
        VKR_TRY(choose_piece(r, s, first, &count));
        /* These windows are planned as a piece of the reduction, from their first element on. */
        vkr_reduce piece = *r;
        VkrReduceInfo info = *r->info;
        info.output.offset += first * r->layout.stride;
        piece.info = &info;
        piece.walk.view = &piece.input;
        piece.input.offset += first * r->input.stride;
        piece.input2.offset += first * r->input2.stride;
        piece.walk.first += first;
        piece.walk.count = count + s->length - 1;
        VKR_TRY(add_piece(recorder, &piece, s));
    }
    return VKR_SUCCESS;
}
