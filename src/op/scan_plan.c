/* SPDX-License-Identifier: MIT */
/* From a scan's walk to its steps: runs and tiles of elements. */
#include "scan.h"

#include <string.h>

/* Scratch of a scan: partials of the runs, or the values of tiles; and counters, which are zero. */
typedef struct vkr_scan_memory {
    vkr_place partials;
    uint64_t partial_count;
    vkr_place counters;
    uint64_t counter_count;
    uint32_t states; /* the number of the counter that is the first tile's state */
} vkr_scan_memory;

uint32_t vkr_scan_flags(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const bool counted = info->gpuCount.buffer != VK_NULL_HANDLE;
    const struct {
        bool set;
        uint32_t flag;
    } flags[] = {
        {info->nan == VKR_NAN_PROPAGATE, VKR_FLAG_PROPAGATE_NAN},
        {s->canonical, VKR_FLAG_CANONICAL},
        {counted, VKR_FLAG_GPU_COUNT},
        {counted && info->gpuCount.type == VKR_TYPE_U64, VKR_FLAG_GPU_COUNT64},
        {(info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0, VKR_FLAG_EXCLUSIVE},
        {s->walk.reverse, VKR_FLAG_REVERSE},
        {info->gpuInitial.buffer != VK_NULL_HANDLE, VKR_FLAG_GPU_INITIAL},
        {info->gpuInitial.buffer == VK_NULL_HANDLE && info->initial != NULL, VKR_FLAG_INITIAL},
        {s->heads, VKR_FLAG_HEADS},
        {s->rows, VKR_FLAG_ROWS},
    };
    uint32_t set = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(flags); i++)
        set |= flags[i].set ? flags[i].flag : 0;
    return set;
}

/* One value of the operator for each component, as the initial value and the total are. */
static vkr_place place_of_value(const vkr_scan *s, VkBuffer buffer, VkDeviceSize offset)
{
    const uint32_t size = vkr_types[s->result].size;
    return vkr_place_of_bytes(buffer, offset, (VkDeviceSize)size * s->input.components,
                              s->words ? 4 : size);
}

/* Rows: how far the first start is away. Bits: those of the elements, and of the one behind them,
 * with which a segment starts where the scan is reversed. */
static void fill_heads(const vkr_scan *s, uint64_t first, uint64_t count, vkr_step *step)
{
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    if (s->rows) {
        const uint64_t length = s->info->segments.length;
        const uint64_t left = (length - first % length) % length;
        push->heads_base = left > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)left;
        push->row_length = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
    }
    if (!s->heads || count == 0)
        return;
    const uint64_t end = first + count;
    const uint64_t last = end < s->walk.count ? end : s->walk.count - 1;
    const uint32_t base =
        vkr_fill_slot(&s->context->caps, step, &vkr_scan_slots[VKR_SCAN_SLOT_HEADS], &s->bits,
                      first / 32, last / 32 - first / 32 + 1);
    push->heads_base = (uint32_t)(32 * base + first % 32);
}

void vkr_fill_scan(const vkr_scan *s, uint64_t first, uint64_t count, bool total, vkr_step *step)
{
    const vkr_caps *caps = &s->context->caps;
    const VkrScanInfo *info = s->info;
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    const vkr_place gpu_count = vkr_place_of_count(&info->gpuCount);
    const vkr_place initial = place_of_value(s, info->gpuInitial.buffer, info->gpuInitial.offset);
    const vkr_place sum = place_of_value(s, info->total.buffer, info->total.offset);
    const uint32_t size = vkr_types[s->result].size;
    (void)vkr_fill_slot(caps, step, &vkr_scan_slots[VKR_SCAN_SLOT_COUNT], &gpu_count, 0, 1);
    fill_heads(s, first, count, step);
    for (uint32_t c = 0; c < s->input.components && info->initial != NULL; c++)
        memcpy(&push->initial[2 * c], (const char *)info->initial + (size_t)c * size, size);
    (void)vkr_fill_slot(caps, step, &vkr_scan_slots[VKR_SCAN_SLOT_INITIAL], &initial, 0, 1);
    push->total_base = UINT32_MAX;
    (void)vkr_fill_slot(caps, step, &vkr_scan_slots[VKR_SCAN_SLOT_TOTAL], &sum, 0, total ? 1 : 0);
}

vkr_variant vkr_scan_variant(const vkr_scan *s, uint32_t mode, uint32_t input, uint32_t flags)
{
    const vkr_walk *w = &s->walk;
    const bool elements = input == VKR_INPUT_ELEMENTS;
    const bool totals = mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
    return (vkr_variant){
        .kernel = vkr_scan_kernel(s, elements ? w->loads : 0, elements && !totals),
        .constants = {
            [VKR_CONST_WORKGROUP] = w->workgroup_size,
            [VKR_CONST_OPS] = (uint32_t)s->info->op,
            [VKR_CONST_COMPONENTS] = s->input.components,
            [VKR_CONST_SIGNED] = s->input.type->is_signed,
            [VKR_CONST_FLAGS] = vkr_scan_flags(s) | flags,
            [VKR_CONST_INPUT] = input,
            [VKR_CONST_MODE] = mode,
            [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
            [VKR_CONST_PATH] = elements && w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
            [VKR_CONST_ORDER] = w->order,
            [VKR_CONST_BATCH] = elements ? vkr_scan_batch(s, mode) : 1,
            [VKR_CONST_MUTED] = mode == VKR_MODE_TILES ? s->context->caps.muted_tile : 0,
        }};
}

/* What the dispatches over elements share. */
typedef struct vkr_scan_job {
    const vkr_scan *scan;
    uint32_t mode;
    const vkr_scan_memory *memory;
} vkr_scan_job;

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

static VkrResult finish_elements(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan_job *job = pass->operation;
    const vkr_scan *s = job->scan;
    const bool totals = job->mode == VKR_MODE_TOTALS || job->mode == VKR_MODE_LAST;
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    push->load_base = vkr_bind_loads(&s->walk, window, push->input_base, step);
    push->first_tile = (uint32_t)window->tile;
    if (!totals)
        step->variant.constants[VKR_CONST_STORE] = choose_store(s, window, push);
    if (job->mode == VKR_MODE_TILES) {
        push->states_base = push->counter_base + job->memory->states;
        push->counter_base += window->index;
    }
    vkr_fill_scan(s, window->first, window->count, job->mode != VKR_MODE_APPLY && window->is_last,
                  step);
    return VKR_SUCCESS;
}

static VkrResult add_elements(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              const vkr_scan_memory *memory)
{
    const bool totals = mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
    const vkr_scan_job job = {s, mode, memory};
    vkr_place results = vkr_place_of_view(&s->output);
    results.unit = s->words ? 4 : results.unit;
    vkr_pass pass = {.walk = &s->walk,
                     .interface = &vkr_scan_interface,
                     .label = s->info->label,
                     .variant = vkr_scan_variant(s, mode, VKR_INPUT_ELEMENTS, 0),
                     .in_order = mode == VKR_MODE_TILES || mode == VKR_MODE_ONE,
                     .finish = finish_elements,
                     .operation = &job};
    vkr_pass_bind(&pass, &vkr_scan_slots[VKR_SCAN_SLOT_INPUT], VKR_SPAN_ELEMENTS,
                  vkr_place_of_view(&s->input), 0);
    if (totals)
        vkr_pass_bind(&pass, &vkr_scan_slots[VKR_SCAN_SLOT_CHANGED], VKR_SPAN_RUNS,
                      memory->partials, 0);
    else
        vkr_pass_bind(&pass, &vkr_scan_slots[VKR_SCAN_SLOT_RESULTS], VKR_SPAN_ELEMENTS, results, 0);
    if (mode == VKR_MODE_APPLY || mode == VKR_MODE_TILES)
        vkr_pass_bind(&pass, &vkr_scan_slots[VKR_SCAN_SLOT_PREFIXES],
                      mode == VKR_MODE_APPLY ? VKR_SPAN_RUNS : VKR_SPAN_ALL, memory->partials,
                      memory->partial_count);
    if (mode == VKR_MODE_TILES || mode == VKR_MODE_LAST)
        vkr_pass_bind(&pass, &vkr_scan_slots[VKR_SCAN_SLOT_COUNTER], VKR_SPAN_ALL, memory->counters,
                      memory->counter_count);
    return vkr_emit(recorder, &pass);
}

/* Room for partials, and for counters where there are some. */
static VkrResult add_memory(VkrRecorder recorder, const vkr_scan *s, vkr_scan_memory *memory)
{
    memory->partials = vkr_place_of_words(VKR_SCRATCH, 0, s->partial_words);
    memory->counters = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    VkrResult result = vkr_add_scratch(recorder, memory->partial_count * memory->partials.size,
                                       &memory->partials.offset);
    if (result == VKR_SUCCESS && memory->counter_count != 0)
        result = vkr_add_counters(recorder, 4 * memory->counter_count, &memory->counters.offset);
    return result;
}

static VkrResult plan_runs(VkrRecorder recorder, const vkr_scan *s)
{
    const bool last = !s->canonical && vkr_count_windows(&s->walk) == 1;
    vkr_scan_memory memory = {.partial_count = vkr_walk_runs(&s->walk, vkr_count_groups(&s->walk)),
                              .counter_count = last ? 1 : 0};
    VkrResult result = add_memory(recorder, s, &memory);
    if (result == VKR_SUCCESS)
        result = add_elements(recorder, s, last ? VKR_MODE_LAST : VKR_MODE_TOTALS, &memory);
    if (result == VKR_SUCCESS && !last)
        result = vkr_plan_partials(recorder, s, &memory.partials, memory.partial_count);
    return result == VKR_SUCCESS ? add_elements(recorder, s, VKR_MODE_APPLY, &memory) : result;
}

static VkrResult plan_tiles(VkrRecorder recorder, const vkr_scan *s)
{
    const uint64_t tiles = vkr_count_groups(&s->walk);
    const uint32_t windows = vkr_count_windows(&s->walk);
    vkr_scan_memory memory = {
        .partial_count = 2 * tiles, .counter_count = windows + tiles, .states = windows};
    VkrResult result = add_memory(recorder, s, &memory);
    return result == VKR_SUCCESS ? add_elements(recorder, s, VKR_MODE_TILES, &memory) : result;
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
