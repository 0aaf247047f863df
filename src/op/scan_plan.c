/* SPDX-License-Identifier: MIT */
/* From a scan's walk to its steps: runs and tiles of elements. */
#include "scan.h"

/* Scratch of a scan: partials of the runs, or the values of tiles; and counters, which are zero. */
typedef struct vkr_scan_memory {
    vkr_place partials;
    uint64_t partial_count;
    vkr_place counters;
    uint64_t counter_count;
} vkr_scan_memory;

/* Whether full units of results are whole packs, and where the first one lies. */
static uint32_t choose_store(const vkr_scan *s, const vkr_window *window,
                             struct vkr_scan_push *push)
{
    const uint32_t unit = s->words ? 4 : s->output.type->size;
    const int64_t start =
        (int64_t)push->output_base * unit - (int64_t)(window->lead * vkr_element_size(&s->output));
    if (s->walk.loads == 0 || window->count == 0 || !vkr_is_packed(&s->output) ||
        start % VKR_PACK != 0)
        return VKR_STORE_ELEMENT;
    push->store_base = (uint32_t)(start / VKR_PACK);
    return VKR_STORE_PACKS;
}

/* Counters of tiles: a ticket for each window, and behind them the states of all tiles. */
static void finish_elements(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    const uint32_t mode = pass->variant.constants[VKR_CONST_MODE];
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    push->load_base = vkr_bind_loads(&s->walk, window, push->input_base, step);
    push->first_tile = (uint32_t)window->tile;
    if (!vkr_leaves_totals(mode))
        step->variant.constants[VKR_CONST_STORE] = choose_store(s, window, push);
    if (mode == VKR_MODE_TILES) {
        push->states_base = push->counter_base + vkr_count_windows(&s->walk);
        push->counter_base += window->index;
    }
    vkr_fill_heads(pass, window, step);
    if (mode != VKR_MODE_APPLY && window->is_last)
        (void)vkr_fill(pass, step, VKR_SCAN_SLOT_TOTAL, vkr_place_of_total(s), 0, 1);
}

static VkrResult add_elements(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              const vkr_scan_memory *memory)
{
    vkr_pass pass = vkr_scan_pass(s, &s->walk, mode, VKR_INPUT_ELEMENTS, 0);
    pass.in_order = mode == VKR_MODE_TILES || mode == VKR_MODE_ONE;
    pass.finish = finish_elements;
    vkr_bind(&pass, VKR_SCAN_SLOT_INPUT, VKR_SPAN_ELEMENTS, vkr_place_of_view(&s->input));
    if (vkr_leaves_totals(mode))
        vkr_bind(&pass, VKR_SCAN_SLOT_CHANGED, VKR_SPAN_RUNS, memory->partials);
    else
        vkr_bind(&pass, VKR_SCAN_SLOT_RESULTS, VKR_SPAN_ELEMENTS, vkr_place_of_scanned(s));
    if (mode == VKR_MODE_APPLY)
        vkr_bind(&pass, VKR_SCAN_SLOT_PREFIXES, VKR_SPAN_RUNS, memory->partials);
    if (mode == VKR_MODE_TILES)
        vkr_bind_items(&pass, VKR_SCAN_SLOT_PREFIXES, memory->partials, 0, memory->partial_count);
    if (mode == VKR_MODE_TILES || mode == VKR_MODE_LAST)
        vkr_bind_items(&pass, VKR_SCAN_SLOT_COUNTER, memory->counters, 0, memory->counter_count);
    return vkr_emit(recorder, &pass);
}

/* Room for partials, and for counters where there are some. */
static VkrResult add_memory(VkrRecorder recorder, const vkr_scan *s, vkr_scan_memory *memory)
{
    memory->partials = vkr_place_of_words(VKR_SCRATCH, 0, s->partial_words);
    memory->counters = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    VKR_TRY(vkr_add_scratch(recorder, memory->partial_count * memory->partials.size,
                            &memory->partials.offset));
    return memory->counter_count == 0
               ? VKR_SUCCESS
               : vkr_add_counters(recorder, 4 * memory->counter_count, &memory->counters.offset);
}

static VkrResult plan_runs(VkrRecorder recorder, const vkr_scan *s)
{
    const bool last = !s->canonical && vkr_count_windows(&s->walk) == 1;
    vkr_scan_memory memory = {.partial_count = vkr_walk_runs(&s->walk, vkr_count_groups(&s->walk)),
                              .counter_count = last ? 1 : 0};
    VKR_TRY(add_memory(recorder, s, &memory));
    VKR_TRY(add_elements(recorder, s, last ? VKR_MODE_LAST : VKR_MODE_TOTALS, &memory));
    if (!last)
        VKR_TRY(vkr_plan_partials(recorder, s, &memory.partials, memory.partial_count));
    return add_elements(recorder, s, VKR_MODE_APPLY, &memory);
}

static VkrResult plan_tiles(VkrRecorder recorder, const vkr_scan *s)
{
    const uint64_t tiles = vkr_count_groups(&s->walk);
    vkr_scan_memory memory = {.partial_count = 2 * tiles,
                              .counter_count = vkr_count_windows(&s->walk) + tiles};
    VKR_TRY(add_memory(recorder, s, &memory));
    return add_elements(recorder, s, VKR_MODE_TILES, &memory);
}

VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *s)
{
    const vkr_scan_memory none = {0};
    if (s->walk.count == 0 && s->info->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    if (s->walk.one)
        return add_elements(recorder, s, VKR_MODE_ONE, &none);
    return s->algorithm == VKR_SCAN_SINGLE_PASS ? plan_tiles(recorder, s) : plan_runs(recorder, s);
}
