/* SPDX-License-Identifier: MIT */
/* Turns a scan's walk into steps: what its passes share, and the passes over runs and tiles of
 * elements. */
#include "scan.h"

#include <string.h>

/* The partials that an invocation scans where several workgroups do. */
#define LEVEL_ITEMS 16u

/* The number of units that an invocation loads before it uses the first. It is larger in passes
 * that only combine elements. */
static uint32_t batch_of(const vkr_scan *s, uint32_t mode)
{
    const vkr_walk *w = &s->walk;
    if (!vkr_leaves_totals(mode) || w->order == VKR_ORDER_CONTIGUOUS || s->heads || s->rows)
        return w->batch;
    return (uint32_t)vkr_clamp(2 * w->batch, 1, vkr_scan_max_units(s));
}

/* Whether a device whose subgroups scan sums and products only lacks what the scan needs: another
 * operator, or the maximum by which segments find their latest start. */
static bool lacks_scan(const vkr_scan *s)
{
    return s->walk.context->caps.scans_add_only &&
           (s->heads || s->rows || (s->info->op & (VKR_OP_SUM | VKR_OP_PRODUCT)) == 0);
}

/* Whether a scan writes to where keys lie, of which other tiles may still read some. */
static bool overwrites_keys(const vkr_scan *s)
{
    const vkr_region keys = vkr_region_of_view("segments.keys", &s->keys, s->walk.count, false);
    const vkr_region output = vkr_region_of_view("output", &s->output, s->walk.count, true);
    const vkr_region total = vkr_region_of_place("total", &s->total, true);
    return vkr_overlap(&keys.range, &output.range) || vkr_overlap(&keys.range, &total.range);
}

bool vkr_can_find_runs(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const vkr_view *keys = &s->keys;
    return w->tiles && !w->one && w->windows == 1 &&
           vkr_can_hold_tile(w, VKR_MODE_TILES, batch_of(s, VKR_MODE_TILES)) && !lacks_scan(s) &&
           vkr_kernel_of(w, VKR_FAMILY_KEYED, w->loads) < vkr_kernel_count &&
           s->initial.buffer == VK_NULL_HANDLE && keys->type->size == 4 && keys->components == 1 &&
           vkr_is_packed(keys) && (keys->offset - s->input.offset) % VKR_PACK == 0 &&
           vkr_view_reach(&w->context->caps, keys, w->count) >= w->count &&
           (s->room != 0 || !overwrites_keys(s));
}

/* The kernel for a mode. Kernels of subgroup arithmetic serve the most common scans: those with
 * coalesced loads, and only tiles that invocations hold in registers. Kernels of shuffles serve the
 * others. */
static uint32_t kernel_of(const vkr_scan *s, const vkr_walk *w, uint32_t mode, bool results)
{
    const bool built_in = w->order == VKR_ORDER_COALESCED &&
                          (mode == VKR_MODE_APPLY || vkr_can_hold_tile(w, mode, batch_of(s, mode)));
    vkr_walk walk = *w;
    if (s->keyed)
        return vkr_kernel_of(w, VKR_FAMILY_KEYED, w->loads);
    if (s->linked != NULL)
        return vkr_kernel_of(w, results ? VKR_FAMILY_TILES_LINKED : VKR_FAMILY_SCAN_LINKED,
                             w->loads);
    if (walk.group_path == VKR_GROUP_PATH_ARITHMETIC && (!built_in || lacks_scan(s)))
        walk.group_path = VKR_GROUP_PATH_SHUFFLE;
    return vkr_kernel_of(&walk, results ? VKR_FAMILY_TILES : VKR_FAMILY_SCAN, w->loads);
}

static uint32_t flags_of(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const bool gpu_initial = s->initial.buffer != VK_NULL_HANDLE;
    const bool exclusive = (info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    return vkr_count_flags(&info->gpuCount) |
           (info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (s->canonical ? VKR_FLAG_CANONICAL : 0) | (exclusive ? VKR_SCAN_FLAG_EXCLUSIVE : 0) |
           (s->walk.reverse ? VKR_SCAN_FLAG_REVERSE : 0) |
           (gpu_initial ? VKR_SCAN_FLAG_GPU_INITIAL : 0) |
           (!gpu_initial && info->initial != NULL ? VKR_SCAN_FLAG_INITIAL : 0) |
           (s->heads && !s->keyed ? VKR_SCAN_FLAG_HEADS : 0) | (s->rows ? VKR_SCAN_FLAG_ROWS : 0) |
           (s->room != 0 ? VKR_SCAN_FLAG_REDUCES : 0) |
           (s->keyed && s->keys.by_value ? VKR_SCAN_FLAG_BY_VALUE : 0) |
           (s->lengths.buffer != VK_NULL_HANDLE ? VKR_SCAN_FLAG_LENGTHS : 0);
}

void vkr_set_initial(const vkr_scan *s, uint32_t low[4], uint32_t high[4])
{
    const uint32_t size = vkr_types[s->result].size;
    const char *initial = s->info->initial;
    for (uint32_t c = 0; c < s->input.components && initial != NULL; c++) {
        uint32_t words[2] = {0};
        memcpy(words, initial + (size_t)c * size, size);
        low[c] = words[0];
        high[c] = words[1];
    }
}

/* A pass over partials needs only the functions. */
static void finish_linked(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    (void)window;
    vkr_link_step(s->linked, step);
}

vkr_pass vkr_scan_pass(const vkr_scan *s, const vkr_walk *w, uint32_t mode, uint32_t input,
                       uint32_t flags)
{
    const VkrScanInfo *info = s->info;
    const bool elements = input == VKR_INPUT_ELEMENTS;
    const bool results = elements && !vkr_leaves_totals(mode), linked = s->linked != NULL;
    vkr_pass pass = {
        .walk = w,
        .card = s->keyed  ? &vkr_keyed_card
                : !linked ? &vkr_scan_card
                : results ? &vkr_tiles_linked_card
                          : &vkr_scan_linked_card,
        .kernel = kernel_of(s, w, mode, results),
        .constants = {[VKR_CONST_OPS] =
                          linked ? vkr_linked_constant(s->linked) : (uint32_t)info->op,
                      [VKR_CONST_FLAGS] = flags_of(s) | flags,
                      [VKR_CONST_INPUT] = input,
                      [VKR_SCAN_CONST_MODE] = mode,
                      [VKR_CONST_BATCH] = elements ? batch_of(s, mode) : 1,
                      [VKR_SCAN_CONST_MUTED] = vkr_muted_tile(w, mode)},
        .slots = {[VKR_SCAN_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)},
                  [VKR_SCAN_SLOT_INITIAL] = {.place = s->initial}},
        .finish = linked ? finish_linked : NULL,
        .operation = s};
    struct vkr_scan_push *push = VKR_PUSH(&pass, vkr_scan_push);
    push->total_base = UINT32_MAX;
    push->row_length = s->rows ? (uint32_t)vkr_min(info->segments.length, UINT32_MAX) : 0;
    struct vkr_scan_uniforms *uniforms = VKR_UNIFORMS(&pass, vkr_scan_uniforms);
    vkr_set_initial(s, uniforms->initial_low, uniforms->initial_high);
    return pass;
}

/* For rows, sets the distance to the first start. For bits, binds those of the window's elements
 * and of the next one: a reversed scan starts a segment at an element if the bit of the next
 * element is set. */
void vkr_fill_heads(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    const uint64_t first = window->first;
    if (s->rows) {
        const uint64_t length = s->info->segments.length;
        push->heads_base = (uint32_t)vkr_min((length - first % length) % length, UINT32_MAX - 1);
    }
    if (!s->heads || s->keyed || window->count == 0)
        return;
    const uint64_t last = vkr_min(first + window->count, s->walk.count - 1);
    const uint32_t base =
        vkr_fill(pass, step, VKR_SCAN_SLOT_HEADS, s->bits, first / 32, last / 32 - first / 32 + 1);
    push->heads_base = (uint32_t)(32 * base + first % 32);
}

/* ---- Partials ---- */

/* Adds one dispatch over partials, with `items` of them for each invocation. Either it writes their
 * totals to `above`; or it turns them into prefixes, which start from those of `above` or, with
 * VKR_SCAN_FLAG_TOP, from the initial value. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              uint32_t flags, uint64_t items, const vkr_bound *partials,
                              const vkr_bound *above)
{
    vkr_walk walk = s->walk;
    walk.items = (uint32_t)items;
    vkr_set_loads(&walk, 0);
    const vkr_window window = {
        .count = partials->count,
        .groups = vkr_divide_up(vkr_divide_up(partials->count, items), walk.workgroup_size)};
    const bool totals = mode == VKR_MODE_TOTALS;
    vkr_pass pass = vkr_scan_pass(s, &walk, mode, VKR_INPUT_PARTIALS, flags);
    if ((flags & VKR_SCAN_FLAG_TOP) == 0)
        pass.slots[s->linked != NULL ? VKR_SCAN_SLOT_STATES : VKR_SCAN_SLOT_PARTIALS] =
            totals ? *partials : *above;
    pass.slots[VKR_SCAN_SLOT_CHANGED] = totals ? *above : *partials;
    if ((flags & VKR_SCAN_FLAG_END) != 0 && s->linked == NULL)
        pass.slots[VKR_SCAN_SLOT_TOTAL].place = s->total;
    return vkr_emit_window(recorder, &pass, &window);
}

/* Level DEVICE: the partials of all runs, and the totals of blocks of runs. The blocks are one
 * chain, which is cut into windows. Each window but the first starts with a copy of the last block
 * of the previous window; that block's prefix is known, so the chain continues with the same
 * additions. */
typedef struct vkr_chain {
    vkr_bound runs;
    vkr_bound blocks; /* including the copies */
    uint64_t length;  /* blocks of a window, including the copy */
} vkr_chain;

/* At most `max` items, starting at `first`. */
static vkr_bound slice(const vkr_bound *all, uint64_t first, uint64_t max)
{
    return vkr_items(all->place, first, vkr_min(all->count - first, max));
}

/* Adds a dispatch over the runs of a window: TOTALS computes its blocks from them, APPLY their
 * prefixes from the blocks. Each window except the first starts with a copy of the previous
 * block. */
static VkrResult add_window(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                            const vkr_chain *chain, uint64_t window)
{
    const uint64_t first = window * (chain->length - 1);
    /* The previous window makes the prefixes of the copy's runs. */
    const uint64_t copies = mode == VKR_MODE_APPLY && window != 0 ? 1 : 0;
    const uint64_t slot = window * chain->length;
    const vkr_bound all = slice(&chain->blocks, slot, chain->length);
    const vkr_bound blocks = slice(&chain->blocks, slot + copies, all.count - copies);
    const vkr_bound runs =
        slice(&chain->runs, (first + copies) * VKR_SCAN_RUN, (all.count - copies) * VKR_SCAN_RUN);
    return add_partials(recorder, s, mode, 0, VKR_SCAN_RUN, &runs, &blocks);
}

/* Adds a dispatch that makes prefixes of a window's blocks. */
static VkrResult add_link(VkrRecorder recorder, const vkr_scan *s, const vkr_chain *chain,
                          uint64_t window)
{
    const uint64_t slot = window * chain->length;
    const vkr_bound all = slice(&chain->blocks, slot, chain->length);
    const vkr_bound before = slice(&chain->blocks, window == 0 ? 0 : slot - 1, 1);
    const uint32_t top = window == 0 ? VKR_SCAN_FLAG_TOP : 0;
    const uint32_t end = slot + all.count == chain->blocks.count ? VKR_SCAN_FLAG_END : 0;
    return add_partials(recorder, s, VKR_MODE_APPLY, top | end, all.count, &all, &before);
}

static VkrResult plan_chain(VkrRecorder recorder, const vkr_scan *s, const vkr_bound *runs)
{
    vkr_chain chain = {.runs = *runs, .blocks = *runs, .length = vkr_scan_chain(s)};
    const uint64_t blocks = vkr_divide_up(runs->count, VKR_SCAN_RUN);
    const uint64_t more = blocks > chain.length ? blocks - chain.length : 0;
    const uint64_t windows = 1 + vkr_divide_up(more, chain.length - 1);
    chain.blocks.count = blocks + windows - 1;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->partial_words, chain.blocks.count,
                          &chain.blocks.place));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_window(recorder, s, VKR_MODE_TOTALS, &chain, i));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_link(recorder, s, &chain, i));
    for (uint64_t i = 0; i < windows; i++)
        VKR_TRY(add_window(recorder, s, VKR_MODE_APPLY, &chain, i));
    return VKR_SUCCESS;
}

static VkrResult plan_partials(VkrRecorder recorder, const vkr_scan *s, const vkr_bound *all);

/* Whether partials are too many for one workgroup, where an invocation calls functions rarely. */
static bool needs_levels(const vkr_scan *s, uint64_t partials)
{
    return s->linked != NULL && s->linked->has_loops && partials > vkr_scan_partials_of_group(s);
}

/* Where one workgroup must not scan all partials, each invocation scans few of them, and their
 * totals are partials again. */
static VkrResult plan_levels(VkrRecorder recorder, const vkr_scan *s, const vkr_bound *all)
{
    vkr_bound above = vkr_items(all->place, 0, vkr_divide_up(all->count, LEVEL_ITEMS));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->partial_words, above.count, &above.place));
    VKR_TRY(add_partials(recorder, s, VKR_MODE_TOTALS, 0, LEVEL_ITEMS, all, &above));
    VKR_TRY(plan_partials(recorder, s, &above));
    return add_partials(recorder, s, VKR_MODE_APPLY, 0, LEVEL_ITEMS, all, &above);
}

static VkrResult plan_partials(VkrRecorder recorder, const vkr_scan *s, const vkr_bound *all)
{
    if (s->canonical) {
        const vkr_bound runs = slice(all, 0, vkr_divide_up(s->walk.count, VKR_SCAN_RUN));
        return plan_chain(recorder, s, &runs);
    }
    if (needs_levels(s, all->count))
        return plan_levels(recorder, s, all);
    return add_partials(recorder, s, VKR_MODE_PARTIALS, VKR_SCAN_FLAG_TOP | VKR_SCAN_FLAG_END,
                        all->count, all, NULL);
}

/* ---- Runs and tiles ---- */

/* Chooses VKR_STORE_*: whether full units of results are whole packs. Sets where the first pack
 * lies. */
static uint32_t choose_store(const vkr_scan *s, const vkr_window *window,
                             struct vkr_scan_push *push)
{
    const uint32_t unit = s->words ? 4 : s->output.type->size;
    const int64_t start =
        (int64_t)push->output_base * unit - (int64_t)(window->lead * vkr_element_size(&s->output));
    if (s->walk.loads == 0 || window->count == 0 || !vkr_is_packed(&s->output) ||
        start % VKR_PACK != 0 || s->linked != NULL)
        return VKR_STORE_ELEMENT;
    push->store_base = (uint32_t)(start / VKR_PACK);
    return VKR_STORE_PACKS;
}

/* Whether a pass over elements ends with the total. By linked functions only those that write
 * results have the buffer. */
static bool leaves_total(const vkr_scan *s, uint32_t mode)
{
    return s->linked != NULL ? !vkr_leaves_totals(mode) : mode != VKR_MODE_APPLY;
}

/* Fills in what depends on the window. The counters of tiles are a ticket for each window, and then
 * the words of all tiles. */
static void finish_elements(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    const uint32_t mode = pass->constants[VKR_SCAN_CONST_MODE];
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    push->first_tile = (uint32_t)window->tile;
    if (!vkr_leaves_totals(mode) && s->room == 0)
        step->variant.constants[VKR_SCAN_CONST_STORE] = choose_store(s, window, push);
    if (mode == VKR_MODE_TILES) {
        push->states_base = push->counter_base + s->walk.windows;
        push->counter_base += window->index;
    }
    vkr_fill_heads(pass, window, step);
    if (window->is_last && leaves_total(s, mode))
        (void)vkr_fill(pass, step, VKR_SCAN_SLOT_TOTAL, s->total, 0, 1);
    if (s->linked != NULL)
        vkr_link_step(s->linked, step);
}

/* Runs that an invocation stages: as many as a word for each of its elements holds, and shared
 * memory beside the kernel's other arrays. A run is two words, or one without an operator. */
static uint32_t staged_runs(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const uint32_t words = s->info->op != 0 ? 2 : 1;
    const uint32_t others = 32 * vkr_walk_subgroups(w) + 64;
    const uint32_t room = w->context->caps.max_shared_memory - others;
    return (uint32_t)vkr_clamp(room / (4 * words * w->workgroup_size), 1,
                               vkr_divide_up(w->items, words));
}

/* Binds keys, and what a reduction writes for each run. */
static void bind_runs(const vkr_scan *s, vkr_pass *pass)
{
    struct vkr_scan_push *push = VKR_PUSH(pass, vkr_scan_push);
    pass->slots[VKR_SCAN_SLOT_KEYS] = vkr_per_element(vkr_place_of_view(&s->keys));
    pass->constants[VKR_SCAN_CONST_STAGED] = s->room != 0 ? staged_runs(s) : 1;
    if (s->room == 0)
        return;
    push->row_length = (uint32_t)s->room;
    push->stored_base = s->total_words;
    push->initial_base = UINT32_MAX;
    pass->slots[VKR_SCAN_SLOT_RESULTS] = vkr_items(s->results, 0, s->room);
    pass->slots[VKR_SCAN_SLOT_UNIQUE] = vkr_items(s->unique, 0, s->room);
    pass->slots[VKR_SCAN_SLOT_LENGTHS] = vkr_items(s->lengths, 0, s->room);
}

/* Adds a pass over the elements. `partials` holds the partials of runs, or the values of tiles. */
static VkrResult add_elements(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              const vkr_bound *partials)
{
    const bool back = mode == VKR_MODE_APPLY && s->walk.context->caps.goes_back;
    vkr_pass pass =
        vkr_scan_pass(s, &s->walk, mode, VKR_INPUT_ELEMENTS, back ? VKR_SCAN_FLAG_BACKWARDS : 0);
    pass.in_order = vkr_is_only_pass(mode);
    pass.finish = finish_elements;
    const vkr_published words = vkr_published_by_scan(s);
    VKR_TRY(
        vkr_add_counters_of(recorder, &s->walk, mode, &words, &pass.slots[VKR_SCAN_SLOT_COUNTER]));
    pass.slots[VKR_SCAN_SLOT_INPUT] = vkr_per_element(vkr_place_of_view(&s->input));
    if (vkr_leaves_totals(mode))
        pass.slots[VKR_SCAN_SLOT_CHANGED] = vkr_per_run(partials->place);
    else
        pass.slots[VKR_SCAN_SLOT_RESULTS] = vkr_per_element(s->results);
    if (mode == VKR_MODE_APPLY && s->linked != NULL) {
        pass.slots[VKR_SCAN_SLOT_INITIAL] = (vkr_bound){0};
        pass.slots[VKR_SCAN_SLOT_BEFORE] = *partials;
    } else if (mode == VKR_MODE_APPLY) {
        pass.slots[VKR_SCAN_SLOT_PARTIALS] = vkr_per_run(partials->place);
    }
    if (s->keyed)
        bind_runs(s, &pass);
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const bool one_group = !s->canonical && !needs_levels(s, vkr_walk_runs(w, w->groups));
    const uint32_t mode = vkr_first_mode(w, one_group && w->windows == 1);
    const uint64_t count = w->one || w->tiles ? 0 : vkr_walk_runs(w, w->groups);
    vkr_bound partials = vkr_items((vkr_place){0}, 0, count);
    if (w->count == 0 && s->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    VKR_TRY(
        vkr_add_words(recorder, VKR_SCRATCH, s->partial_words, partials.count, &partials.place));
    VKR_TRY(add_elements(recorder, s, mode, &partials));
    if (mode == VKR_MODE_TOTALS)
        VKR_TRY(plan_partials(recorder, s, &partials));
    return vkr_is_only_pass(mode) ? VKR_SUCCESS
                                  : add_elements(recorder, s, VKR_MODE_APPLY, &partials);
}
