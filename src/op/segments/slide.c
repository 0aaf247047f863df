/* SPDX-License-Identifier: MIT */
/*
 * Windows of neighbouring elements. An invocation reduces all windows that start in one block of
 * elements. It combines three things, each computed once: the rest of the first block, the whole
 * blocks between, and the elements after them. The blocks between are a window of the blocks'
 * partials; where that window is long, it is reduced in the same way. Tier 0 has elements, and each
 * further tier has a partial for each block of the tier before. At level device blocks are nodes of
 * a tree (nodes.c).
 */
#include "segments.h"

#define MAX_TIERS 32u /* enough, since blocks have at least two elements */
#define MIN_BLOCK 2u  /* elements of a block */
#define MAX_BLOCK 16u
#define BLOCK_VALUES 64u /* values times operators of a block */
#define REAL_VALUES 4u   /* what a division or a root counts, which take long to compile */
/* What a variance of floats counts, whose spreads take longer to combine, and a result of 64 bits,
 * whose loops over digits drivers do not unroll; and at level device, which has more code. */
#define SLOW_VALUES 16u
#define DEVICE_SLOW_VALUES 32u

/* In tier 0 `items` are elements and `windows` are results; in other tiers both are partials. */
typedef struct tier {
    uint64_t items, length; /* the numbers of items in the tier and in a window */
    uint64_t windows;       /* the number of windows; 0: the tier before needs none */
    uint64_t at, made_at;   /* the first partial of the items, and that of the windows */
} tier;

typedef struct tiers {
    uint32_t block; /* items of a block */
    uint32_t count; /* tiers that have windows */
    tier of[MAX_TIERS + 1];
    vkr_place place;
} tiers;

/* ---- Sizes ---- */

/* The words of `components` components of an item of a block. An invocation keeps a state for each
 * window, and loads the elements of its block and of up to two blocks after it. */
static uint64_t words_of_item(const vkr_reduce *r, uint32_t components)
{
    return ((uint64_t)4 * r->state_words + 3 * r->input.type->size) * components / 4;
}

/* Whether an invocation reduces one component of its windows: where compilers take long to unroll
 * the loops over several components, and where an invocation has no room for them. */
static bool are_apart(const vkr_reduce *r)
{
    const uint64_t words = MIN_BLOCK * words_of_item(r, r->input.components);
    return r->input.components > 1 &&
           (r->canonical || vkr_count_reals(r) != 0 || words > vkr_room_of(r)->window_words);
}

static uint64_t values_of_result(const vkr_reduce *r)
{
    const bool is_f64 = r->input.type->size == 8 || (r->input.type->is_float && r->walk.wide);
    const bool is_real = vkr_count_reals(r) != 0;
    if ((r->parts & VKR_PART_SPREAD) != 0 || (is_real && is_f64))
        return r->canonical ? DEVICE_SLOW_VALUES : SLOW_VALUES;
    return is_real ? REAL_VALUES : 1;
}

static uint32_t choose_block(const vkr_reduce *r, uint64_t length, uint32_t components)
{
    const uint64_t values = (uint64_t)components * vkr_count_ops(r) * values_of_result(r);
    const uint64_t most = vkr_room_of(r)->window_words / words_of_item(r, components);
    uint32_t block = MAX_BLOCK;
    while (block > MIN_BLOCK && (block > length || block * values > BLOCK_VALUES || block > most))
        block /= 2;
    return block;
}

/* Sets the tiers of windows over `count` elements. Returns the number of all their partials, which
 * are ordered: the items of tiers 1, 2, .., then the windows of tiers .., 2, 1. */
static uint64_t set_tiers(tiers *t, uint64_t count, uint64_t length, uint64_t windows)
{
    uint64_t at = 0;
    t->of[0] = (tier){.items = count, .length = length, .windows = windows};
    t->count = 1;
    for (uint32_t i = 1;; i++) {
        const tier *below = &t->of[i - 1];
        const uint64_t whole = below->length / t->block - 1;
        t->of[i] =
            (tier){.items = whole != 0 ? below->items / t->block : 0, .length = whole, .at = at};
        at += t->of[i].items;
        if (whole < t->block) /* each invocation reads the items one by one */
            break;
        t->of[i].windows = vkr_divide_up(below->windows, t->block) + 1;
        t->count++;
    }
    for (uint32_t i = t->count; i-- > 1;) {
        t->of[i].made_at = at;
        at += t->of[i].windows;
    }
    return at;
}

/* ---- Passes ---- */

static vkr_place place_of(const vkr_reduce *r, const tiers *t, uint64_t at)
{
    return vkr_partials_from(r, t->place, at);
}

/* Adds the pass that computes the items of tier 1. It loads whole units where the piece has
 * loads. */
static VkrResult add_blocks(VkrRecorder recorder, const vkr_level *piece, const tiers *t)
{
    const uint64_t blocks = t->of[1].items;
    const vkr_segment_window whole = {0, 1, 0, blocks};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_ROWS, t->block);
    pass.of = (vkr_strided){1, blocks * t->block, 1, 1};
    pass.how.loads = piece->how.loads;
    pass.how.neighbours = piece->how.loads != 0 ? 1 : 0;
    pass.parts = blocks;
    pass.target = place_of(piece->reduce, t, t->of[1].at);
    return vkr_add_dispatch(recorder, &pass, &whole);
}

/* Adds the pass that computes the items of tier i + 1 from those of tier i. */
static VkrResult add_blocks_of_blocks(VkrRecorder recorder, const vkr_level *piece, const tiers *t,
                                      uint32_t i)
{
    const vkr_segment_window all = {0, t->of[i + 1].items, 0, 1};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_ROWS, 1);
    pass.of = (vkr_strided){.count = t->of[i + 1].items};
    pass.parts = t->block;
    pass.partials = true;
    pass.source = place_of(piece->reduce, t, t->of[i].at);
    pass.target = place_of(piece->reduce, t, t->of[i + 1].at);
    return vkr_add_dispatch(recorder, &pass, &all);
}

/* Adds `count` windows of tier i, starting at window `first`. */
static VkrResult add_tier(VkrRecorder recorder, const vkr_level *piece, const tiers *t, uint32_t i,
                          uint64_t first, uint64_t count, uint32_t loads)
{
    const tier *here = &t->of[i], *above = &t->of[i + 1];
    const bool made = above->windows != 0;
    const uint64_t between = made ? above->made_at : above->at;
    const uint64_t start = i == 0 ? between : here->at;
    const uint64_t end = made ? above->made_at + above->windows : above->at + above->items;
    const vkr_segment_window h = {first, count, first / t->block, made ? 1 : above->length};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_WINDOWS, between - start);
    pass.of = (vkr_strided){here->windows, here->length, 1, 1};
    pass.how.loads = loads;
    pass.how.neighbours = t->block;
    pass.parts = here->items;
    pass.partials = i != 0;
    pass.output = i == 0 ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL;
    pass.between = place_of(piece->reduce, t, start);
    pass.between_count = i == 0 && above->length == 0 ? 0 : end - start;
    pass.target = place_of(piece->reduce, t, here->made_at);
    return count == 0 ? VKR_SUCCESS : vkr_add_dispatch(recorder, &pass, &h);
}

/* Adds the results: those whose blocks end before the last elements load whole units. */
static VkrResult add_results(VkrRecorder recorder, const vkr_level *piece, const tiers *t)
{
    const uint64_t whole = vkr_windows_by_units(piece);
    VKR_TRY(add_tier(recorder, piece, t, 0, 0, whole, piece->how.loads));
    return add_tier(recorder, piece, t, 0, whole, t->of[0].windows - whole, 0);
}

/* ---- Pieces ---- */

static VkrResult add_piece_by_tiers(VkrRecorder recorder, const vkr_level *piece)
{
    const uint64_t length = piece->of.length;
    tiers t = {.block = piece->how.neighbours};
    const uint64_t all = set_tiers(&t, piece->elements, length, piece->elements - length + 1);
    if (all != 0)
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, piece->reduce->partial_words, all, &t.place));
    if (t.of[1].items != 0)
        VKR_TRY(add_blocks(recorder, piece, &t));
    for (uint32_t i = 1; i < t.count; i++)
        if (t.of[i + 1].items != 0)
            VKR_TRY(add_blocks_of_blocks(recorder, piece, &t, i));
    for (uint32_t i = t.count; i-- > 1;)
        VKR_TRY(add_tier(recorder, piece, &t, i, 0, t.of[i].windows, 0));
    return add_results(recorder, piece, &t);
}

static uint64_t count_partials(const vkr_level *piece)
{
    tiers t = {.block = piece->how.neighbours};
    return piece->reduce->canonical
               ? vkr_count_nodes(piece)
               : set_tiers(&t, piece->elements, piece->of.length, vkr_windows_of(piece));
}

/* Sets the elements of the piece that starts at window `origin`, and the number of its windows:
 * descriptors reach its elements and its partials, and the next piece starts with a whole unit. */
static VkrResult choose_piece(vkr_level *w, uint64_t *count)
{
    const vkr_reduce *r = w->reduce;
    const uint64_t room = vkr_room(&r->context->caps);
    const uint64_t length = w->of.length, grain = w->how.grain;
    *count = vkr_reach_of_segments(w, w->origin, w->of.count);
    if (*count == 0 || *count + length - 1 >= VKR_MAX_REACH)
        return vkr_fail_reach(r, "a window", length * r->input.stride);
    for (;;) {
        w->elements = *count + length - 1;
        const uint64_t partials = count_partials(w);
        if (partials <= room / r->partial_bytes)
            break;
        if (*count < 2 * grain)
            return vkr_fail_reach(r, "the partials of blocks", partials * r->partial_bytes);
        *count = *count / 2 / grain * grain;
    }
    return vkr_check_dispatches(r, w->of.count - w->origin, *count);
}

VkrResult vkr_add_windows(VkrRecorder recorder, const vkr_level *windows)
{
    const vkr_reduce *r = windows->reduce;
    const bool apart = are_apart(r);
    const uint32_t components = apart ? 1 : r->input.components;
    const uint32_t block = choose_block(r, windows->of.length, components);
    const bool whole = block % r->walk.unit == 0 ||
                       (r->walk.unit % block == 0 && block * vkr_element_size(&r->input) % 4 == 0);
    const bool loads =
        !apart && r->walk.loads != 0 && vkr_lead(&r->input, 0, r->walk.loads) == 0 && whole;
    vkr_level piece = *windows;
    piece.output = VKR_OUTPUT_RESULT;
    piece.how.loads = loads ? r->walk.loads : 0;
    piece.how.neighbours = piece.how.grain = block;
    piece.how.apart = apart;
    uint64_t count = 0;
    for (piece.origin = 0; piece.origin < windows->of.count; piece.origin += count) {
        VKR_TRY(choose_piece(&piece, &count));
        VKR_TRY(r->canonical ? vkr_add_windows_by_nodes(recorder, &piece)
                             : add_piece_by_tiers(recorder, &piece));
    }
    return VKR_SUCCESS;
}
