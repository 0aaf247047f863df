/* SPDX-License-Identifier: MIT */
/* From a scan's geometry to its steps: runs and tiles. */
#include "scan.h"

#include <string.h>

/* What one dispatch covers, in the order of the scan. */
typedef struct vkr_part {
    uint64_t first; /* in memory */
    uint64_t count;
    uint32_t lead; /* elements that its first unit lacks */
    uint64_t groups;
    uint64_t run; /* its first one */
    uint64_t tile;
    uint32_t index; /* of the window */
    bool is_last;
} vkr_part;

/* Partials of a level, in words of scratch. */
typedef struct vkr_level_place {
    VkDeviceSize offset;
    uint64_t count;
} vkr_level_place;

uint32_t vkr_scan_flags(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    uint32_t flags = 0;
    flags |= info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0;
    flags |= s->canonical ? VKR_FLAG_CANONICAL : 0;
    flags |= info->gpuCount.buffer != VK_NULL_HANDLE ? VKR_FLAG_GPU_COUNT : 0;
    flags |= info->gpuCount.buffer != VK_NULL_HANDLE && info->gpuCount.type == VKR_TYPE_U64
                 ? VKR_FLAG_GPU_COUNT64
                 : 0;
    flags |= (info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0 ? VKR_FLAG_EXCLUSIVE : 0;
    flags |= s->reverse ? VKR_FLAG_REVERSE : 0;
    flags |= info->gpuInitial.buffer != VK_NULL_HANDLE ? VKR_FLAG_GPU_INITIAL
             : info->initial != NULL                   ? VKR_FLAG_INITIAL
                                                       : 0;
    flags |= s->heads ? VKR_FLAG_HEADS : 0;
    flags |= s->rows ? VKR_FLAG_ROWS : 0;
    return flags;
}

static void bind_initial(const vkr_scan *s, vkr_step *step, struct vkr_scan_push *push)
{
    const VkrScanInfo *info = s->info;
    const uint32_t size = vkr_types[s->result].size;
    const uint32_t unit = s->words ? 4 : size;
    if (info->initial != NULL)
        for (uint32_t c = 0; c < s->input.components; c++)
            memcpy(&push->initial[2 * c], (const char *)info->initial + (size_t)c * size, size);
    if (info->gpuInitial.buffer == VK_NULL_HANDLE)
        return;
    const VkDeviceSize bytes = (VkDeviceSize)size * s->input.components;
    push->initial_base =
        (uint32_t)(vkr_bind(&s->context->caps, step, VKR_SCAN_INITIAL, info->gpuInitial.buffer,
                            info->gpuInitial.offset, bytes) /
                   unit);
    vkr_use(step, info->gpuInitial.buffer, info->gpuInitial.offset, bytes,
            VK_ACCESS_SHADER_READ_BIT);
}

static void bind_total(const vkr_scan *s, bool total, vkr_step *step, struct vkr_scan_push *push)
{
    const VkrBufferRange *range = &s->info->total;
    push->total_base = UINT32_MAX;
    if (!total || range->buffer == VK_NULL_HANDLE)
        return;
    const uint32_t size = vkr_types[s->result].size;
    const VkDeviceSize bytes = (VkDeviceSize)size * s->input.components;
    push->total_base = (uint32_t)(vkr_bind(&s->context->caps, step, VKR_SCAN_TOTAL, range->buffer,
                                           range->offset, bytes) /
                                  (s->words ? 4 : size));
    vkr_use(step, range->buffer, range->offset, bytes, VK_ACCESS_SHADER_WRITE_BIT);
}

/* Rows: how far the first start is away; bits: those of the elements, and of the one behind them,
 * with which a segment starts where the scan is reversed. */
static void bind_heads(const vkr_scan *s, uint64_t first, vkr_step *step,
                       struct vkr_scan_push *push)
{
    if (s->rows) {
        const uint64_t length = s->info->segments.length;
        const uint64_t left = (length - first % length) % length;
        push->heads_base = left > UINT32_MAX - 1 ? UINT32_MAX - 1 : (uint32_t)left;
        push->row_length = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
    }
    if (!s->heads || push->count == 0)
        return;
    const VkDeviceSize word = first / 32;
    const uint64_t last = first + push->count < s->count ? first + push->count : s->count - 1;
    const VkDeviceSize size = 4 * (last / 32 - word + 1);
    const VkDeviceSize slack = vkr_bind(&s->context->caps, step, VKR_SCAN_HEADS, s->heads_buffer,
                                        s->heads_offset + 4 * word, size);
    push->heads_base = (uint32_t)(8 * slack + first % 32);
    vkr_use(step, s->heads_buffer, s->heads_offset + 4 * word, size, VK_ACCESS_SHADER_READ_BIT);
}

void vkr_bind_scan(const vkr_scan *s, uint64_t first, bool total, vkr_step *step,
                   struct vkr_scan_push *push)
{
    push->capacity_low = (uint32_t)s->count;
    push->capacity_high = (uint32_t)(s->count >> 32);
    push->first_low = (uint32_t)first;
    push->first_high = (uint32_t)(first >> 32);
    vkr_bind_count(&s->context->caps, step, VKR_BINDING_COUNT, &s->info->gpuCount,
                   &push->count_base);
    bind_heads(s, first, step, push);
    bind_initial(s, step, push);
    bind_total(s, total, step, push);
}

static vkr_variant choose_variant(const vkr_scan *s, uint32_t mode, uint32_t input, uint32_t flags,
                                  uint32_t store)
{
    const bool elements = input == VKR_INPUT_ELEMENTS;
    const bool totals = mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
    return (vkr_variant){
        .kernel = vkr_scan_kernel(s, elements ? s->loads : 0, elements && !totals),
        .constant_count = VKR_SCAN_CONSTANTS,
        .constants = {
            [VKR_CONST_WORKGROUP] = s->workgroup_size,
            [VKR_CONST_OPS] = (uint32_t)s->info->op,
            [VKR_CONST_COMPONENTS] = s->input.components,
            [VKR_CONST_SIGNED] = s->input.type->is_signed,
            [VKR_CONST_FLAGS] = vkr_scan_flags(s) | flags,
            [VKR_CONST_INPUT] = input,
            [VKR_CONST_MODE] = mode,
            [VKR_CONST_SUBGROUPS] = vkr_scan_subgroups(s),
            [VKR_CONST_PATH] = elements && s->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
            [VKR_CONST_ORDER] = s->order,
            [VKR_CONST_BATCH] = elements ? vkr_scan_batch(s, mode) : 1,
            [VKR_CONST_STORE] = store,
            [VKR_CONST_MUTED] = mode == VKR_MODE_TILES ? s->context->caps.muted_tile : 0,
        }};
}

static VkrResult add_step(VkrRecorder recorder, const vkr_scan *s, vkr_step *step,
                          const struct vkr_scan_push *push)
{
    step->label = s->info->label;
    step->binding_count = VKR_SCAN_BINDINGS;
    VKR_SET_PUSH(step, *push);
    vkr_set_groups(&s->context->caps, step, push->groups);
    return vkr_add_step(recorder, step);
}

/* ---- Elements ---- */

static void bind_input(const vkr_scan *s, const vkr_part *part, vkr_step *step,
                       struct vkr_scan_push *push)
{
    const VkrTexels *texels = &s->input.texels;
    vkr_bind_view(&s->context->caps, step, VKR_BINDING_INPUT, &s->input, part->first, part->count,
                  VK_ACCESS_SHADER_READ_BIT, &push->input_base, &push->input_stride);
    if (s->loads == 0 || part->count == 0)
        return;
    /* In packs from where the descriptor or the buffer view starts; what precedes it wraps. */
    const uint64_t element = vkr_element_size(&s->input);
    uint64_t start = (uint64_t)push->input_base * s->input.type->size;
    if (s->loads == VKR_LOADS_TEXEL) {
        start = s->input.offset + part->first * s->input.stride - texels->offset;
        step->texels = texels->view;
        vkr_use(step, s->input.buffer, texels->offset, texels->size, VK_ACCESS_SHADER_READ_BIT);
    }
    push->load_base = (uint32_t)((int64_t)(start - part->lead * element) / VKR_PACK);
}

/* Whether full units of results are whole packs, and where. */
static uint32_t bind_output(const vkr_scan *s, const vkr_part *part, vkr_step *step,
                            struct vkr_scan_push *push)
{
    vkr_bind_view(&s->context->caps, step, VKR_SCAN_OUTPUT, &s->output, part->first, part->count,
                  VK_ACCESS_SHADER_WRITE_BIT, &push->output_base, &push->output_stride);
    if (part->first != 0)
        vkr_use_window(step, VKR_SCAN_OUTPUT);
    const uint32_t size = s->output.type->size;
    const int64_t start =
        (int64_t)push->output_base * size - (int64_t)(part->lead * vkr_element_size(&s->output));
    if (s->words) {
        push->output_base = push->output_base * (size / 4);
        push->output_stride = push->output_stride * (size / 4);
    }
    if (s->loads == 0 || part->count == 0 || !vkr_is_packed(&s->output) || start % VKR_PACK != 0)
        return VKR_STORE_ELEMENT;
    push->store_base = (uint32_t)(start / VKR_PACK);
    return VKR_STORE_PACKS;
}

static void bind_partials(const vkr_scan *s, uint32_t binding, VkDeviceSize offset, uint64_t first,
                          uint64_t count, VkAccessFlags access, vkr_step *step, uint32_t *base)
{
    const VkDeviceSize at = offset + 4 * (VkDeviceSize)s->partial_words * first;
    const VkDeviceSize size = 4 * (VkDeviceSize)s->partial_words * count;
    const VkDeviceSize slack = vkr_bind(&s->context->caps, step, binding, VKR_SCRATCH, at, size);
    *base = (uint32_t)(slack / 4);
    vkr_use(step, VKR_SCRATCH, at - slack, slack + size, access);
}

static uint64_t runs_of(const vkr_scan *s, uint64_t groups)
{
    return groups * (s->order == VKR_ORDER_CONTIGUOUS ? s->workgroup_size : 1);
}

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT

/* Scratch of a scan: the first level's partials, or the values of tiles; zeroed counters. */
typedef struct vkr_memory {
    VkDeviceSize partials;
    uint64_t partial_count;
    VkDeviceSize counters;
    uint64_t counter_count;
    uint64_t states; /* index of the first tile's */
} vkr_memory;

static VkrResult add_elements(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                              const vkr_part *part, const vkr_memory *memory)
{
    const bool totals = mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST;
    struct vkr_scan_push push = {.count = (uint32_t)part->count,
                                 .groups = (uint32_t)part->groups,
                                 .items = s->items / vkr_scan_unit(s),
                                 .lead = part->lead,
                                 .first_tile = (uint32_t)part->tile};
    vkr_step step = {0};
    uint32_t store = VKR_STORE_ELEMENT;
    bind_input(s, part, &step, &push);
    const uint64_t runs = runs_of(s, part->groups);
    if (totals)
        bind_partials(s, VKR_SCAN_OUTPUT, memory->partials, part->run, runs, READ | WRITE, &step,
                      &push.stored_base);
    else
        store = bind_output(s, part, &step, &push);
    /* Only read, but validation cannot know which of the kernel's modes this is. */
    if (mode == VKR_MODE_APPLY)
        bind_partials(s, VKR_SCAN_PARTIALS, memory->partials, part->run, runs, READ | WRITE, &step,
                      &push.partials_base);
    if (mode == VKR_MODE_TILES)
        bind_partials(s, VKR_SCAN_PARTIALS, memory->partials, 0, memory->partial_count,
                      READ | WRITE, &step, &push.partials_base);
    if (mode == VKR_MODE_TILES || mode == VKR_MODE_LAST) {
        const VkDeviceSize size = 4 * memory->counter_count;
        const uint32_t base = (uint32_t)(vkr_bind(&s->context->caps, &step, VKR_SCAN_COUNTER,
                                                  VKR_COUNTERS, memory->counters, size) /
                                         4);
        push.counter_base = base + part->index;
        push.states_base = base + (uint32_t)memory->states;
        vkr_use(&step, VKR_COUNTERS, memory->counters, size, READ | WRITE);
    }
    vkr_bind_scan(s, part->first, mode != VKR_MODE_APPLY && part->is_last, &step, &push);
    step.variant = choose_variant(s, mode, VKR_INPUT_ELEMENTS, 0, store);
    return add_step(recorder, s, &step, &push);
}

/* The part behind another in the order of the scan; of none: the first one. */
static vkr_part next_part(const vkr_scan *s, const vkr_part *last, uint64_t done)
{
    const uint64_t window = s->one ? s->count : vkr_scan_window(s);
    const uint64_t left = s->count - done;
    vkr_part part = {.count = left < window ? left : window};
    part.first = s->reverse ? left - part.count : done;
    part.lead = vkr_lead(&s->input, part.first, s->loads);
    part.groups = s->one ? 1 : vkr_scan_groups(s, part.count, part.lead);
    part.is_last = part.count == left;
    if (last != NULL) {
        part.run = last->run + runs_of(s, last->groups);
        part.tile = last->tile + last->groups;
        part.index = last->index + 1;
    }
    return part;
}

/* Tiles go in order, since they look back. Others need none: where the partials of neighbours share
 * a granule, their dispatches conflict, and with the odd ones last that costs one barrier. */
static VkrResult add_windows(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                             const vkr_memory *memory)
{
    const uint32_t turns = mode == VKR_MODE_TILES || mode == VKR_MODE_ONE ? 1 : 2;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t turn = 0; turn < turns && result == VKR_SUCCESS; turn++) {
        vkr_part part = next_part(s, NULL, 0);
        for (uint64_t done = part.count;; done += part.count) {
            if (part.index % turns == turn)
                result = add_elements(recorder, s, mode, &part, memory);
            if (result != VKR_SUCCESS || done >= s->count)
                break;
            part = next_part(s, &part, done);
        }
    }
    return result;
}

static uint64_t count_groups(const vkr_scan *s)
{
    vkr_part part = next_part(s, NULL, 0);
    uint64_t done = part.count;
    while (done < s->count) {
        part = next_part(s, &part, done);
        done += part.count;
    }
    return part.tile + part.groups;
}

/* ---- Partials ---- */

/* One dispatch over a level, `items` partials each run of which is one invocation's: totals of runs
 * become partials of the level above, or partials become prefixes, from those of the level above
 * or, with VKR_FLAG_TOP, from the initial value. */
static VkrResult add_level(VkrRecorder recorder, const vkr_scan *s, uint32_t mode, uint32_t flags,
                           uint64_t items, const vkr_level_place *level,
                           const vkr_level_place *above)
{
    const uint64_t runs = vkr_divide_up(level->count, items);
    const uint64_t groups = vkr_divide_up(runs, s->workgroup_size);
    const bool totals = mode == VKR_MODE_TOTALS;
    struct vkr_scan_push push = {
        .count = (uint32_t)level->count, .groups = (uint32_t)groups, .items = (uint32_t)items};
    vkr_step step = {0};
    const vkr_level_place *source = totals ? level : above;
    const vkr_level_place *target = totals ? above : level;
    if ((flags & VKR_FLAG_TOP) == 0)
        bind_partials(s, VKR_SCAN_PARTIALS, source->offset, 0, source->count, READ, &step,
                      &push.partials_base);
    bind_partials(s, VKR_SCAN_OUTPUT, target->offset, 0, target->count, READ | WRITE, &step,
                  &push.stored_base);
    const uint32_t count = push.count;
    push.count = 0; /* of elements: none */
    vkr_bind_scan(s, 0, (flags & VKR_FLAG_END) != 0, &step, &push);
    push.count = count;
    step.variant = choose_variant(s, mode, VKR_INPUT_PARTIALS, flags, VKR_STORE_ELEMENT);
    return add_step(recorder, s, &step, &push);
}

/* Level DEVICE: the partials of all runs, and what the blocks of them combine to. These are one
 * chain, which is cut into windows: each but the first starts with a copy of the last block of the
 * window before, whose prefix is known there, so that it goes on with the same additions. */
typedef struct vkr_chain {
    vkr_level_place runs;
    vkr_level_place blocks; /* with the copies */
    uint64_t most;          /* blocks of a window, with the copy */
} vkr_chain;

static vkr_level_place slice(const vkr_scan *s, const vkr_level_place *all, uint64_t first,
                             uint64_t most)
{
    const uint64_t left = all->count - first;
    return (vkr_level_place){all->offset + 4 * first * s->partial_words, left < most ? left : most};
}

/* The window of all levels whose first block is `first`, or a copy of the one before. */
static VkrResult add_window(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                            const vkr_chain *chain, uint64_t window)
{
    const uint64_t first = window * (chain->most - 1);
    /* Prefixes of the copy's runs are the window's before. */
    const uint64_t copies = mode == VKR_MODE_APPLY && window != 0 ? 1 : 0;
    const uint64_t slot = window * chain->most;
    const vkr_level_place all = slice(s, &chain->blocks, slot, chain->most);
    const vkr_level_place blocks = slice(s, &chain->blocks, slot + copies, all.count - copies);
    const vkr_level_place runs = slice(s, &chain->runs, (first + copies) * VKR_SCAN_RUN,
                                       (all.count - copies) * VKR_SCAN_RUN);
    return add_level(recorder, s, mode, 0, VKR_SCAN_RUN, &runs, &blocks);
}

/* Prefixes of a window's blocks. */
static VkrResult add_link(VkrRecorder recorder, const vkr_scan *s, const vkr_chain *chain,
                          uint64_t window)
{
    const uint64_t slot = window * chain->most;
    const vkr_level_place all = slice(s, &chain->blocks, slot, chain->most);
    const vkr_level_place before = slice(s, &chain->blocks, window == 0 ? 0 : slot - 1, 1);
    const uint32_t top = window == 0 ? VKR_FLAG_TOP : 0;
    const uint32_t end = slot + all.count == chain->blocks.count ? VKR_FLAG_END : 0;
    return add_level(recorder, s, VKR_MODE_APPLY, top | end, all.count, &all, &before);
}

static VkrResult add_canonical_levels(VkrRecorder recorder, const vkr_scan *s,
                                      const vkr_memory *memory)
{
    vkr_chain chain = {.runs = {memory->partials, vkr_divide_up(s->count, VKR_SCAN_RUN)},
                       .most = vkr_scan_chain(s)};
    const uint64_t blocks = vkr_divide_up(chain.runs.count, VKR_SCAN_RUN);
    const uint64_t more = blocks > chain.most ? blocks - chain.most : 0;
    const uint64_t windows = 1 + vkr_divide_up(more, chain.most - 1);
    chain.blocks.count = blocks + windows - 1;
    VkrResult result =
        vkr_add_scratch(recorder, 4 * chain.blocks.count * s->partial_words, &chain.blocks.offset);
    for (uint64_t i = 0; i < windows && result == VKR_SUCCESS; i++)
        result = add_window(recorder, s, VKR_MODE_TOTALS, &chain, i);
    for (uint64_t i = 0; i < windows && result == VKR_SUCCESS; i++)
        result = add_link(recorder, s, &chain, i);
    for (uint64_t i = 0; i < windows && result == VKR_SUCCESS; i++)
        result = add_window(recorder, s, VKR_MODE_APPLY, &chain, i);
    return result;
}

static VkrResult plan_runs(VkrRecorder recorder, const vkr_scan *s)
{
    vkr_memory memory = {.counter_count = 1, .partial_count = runs_of(s, count_groups(s))};
    const bool last = !s->canonical && vkr_scan_windows(s) == 1;
    VkrResult result =
        vkr_add_scratch(recorder, 4 * memory.partial_count * s->partial_words, &memory.partials);
    if (result == VKR_SUCCESS && last)
        result = vkr_add_counters(recorder, 4, &memory.counters);
    if (result == VKR_SUCCESS)
        result = add_windows(recorder, s, last ? VKR_MODE_LAST : VKR_MODE_TOTALS, &memory);
    if (result == VKR_SUCCESS && s->canonical)
        result = add_canonical_levels(recorder, s, &memory);
    if (result == VKR_SUCCESS && !s->canonical && !last) {
        const vkr_level_place all = {memory.partials, memory.partial_count};
        result = add_level(recorder, s, VKR_MODE_PARTIALS, VKR_FLAG_TOP | VKR_FLAG_END, all.count,
                           &all, NULL);
    }
    if (result == VKR_SUCCESS)
        result = add_windows(recorder, s, VKR_MODE_APPLY, &memory);
    return result;
}

static VkrResult plan_tiles(VkrRecorder recorder, const vkr_scan *s)
{
    const uint64_t tiles = count_groups(s);
    const uint32_t windows = vkr_scan_windows(s);
    vkr_memory memory = {
        .partial_count = 2 * tiles, .counter_count = windows + tiles, .states = windows};
    VkrResult result =
        vkr_add_scratch(recorder, 4 * memory.partial_count * s->partial_words, &memory.partials);
    if (result == VKR_SUCCESS)
        result = vkr_add_counters(recorder, 4 * memory.counter_count, &memory.counters);
    if (result == VKR_SUCCESS)
        result = add_windows(recorder, s, VKR_MODE_TILES, &memory);
    return result;
}

VkrResult vkr_plan_scan(VkrRecorder recorder, const vkr_scan *s)
{
    const vkr_memory none = {0};
    if (s->count == 0 && s->info->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    if (s->one)
        return add_windows(recorder, s, VKR_MODE_ONE, &none);
    return s->algorithm == VKR_SCAN_SINGLE_PASS ? plan_tiles(recorder, s) : plan_runs(recorder, s);
}
