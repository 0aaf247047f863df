/* SPDX-License-Identifier: MIT */
/* The kernels of a scan, and what the passes of all of them have in common. */
#include "scan.h"

#include <string.h>

#define MAX_UNROLLED 64u /* elements; drivers unroll loops up to some length */

uint32_t vkr_scan_kernel(const vkr_scan *s, uint32_t loads, bool results)
{
    return vkr_find_kernel(results ? VKR_FAMILY_TILES : VKR_FAMILY_SCAN,
                           vkr_class_of(s->input.type_id), s->wide, s->input.components > 1, loads,
                           s->walk.rung);
}

/* Elements that loops over a batch of units may be unrolled for. */
uint32_t vkr_scan_most_units(const vkr_scan *s)
{
    return (uint32_t)vkr_clamp(MAX_UNROLLED / (vkr_walk_unit(&s->walk) * s->input.components), 1,
                               MAX_UNROLLED);
}

/* Units that an invocation loads before it uses the first: more where it only adds them up. */
static uint32_t batch_of(const vkr_scan *s, uint32_t mode)
{
    const vkr_walk *w = &s->walk;
    if (!vkr_leaves_totals(mode) || w->order == VKR_ORDER_CONTIGUOUS || s->heads || s->rows)
        return w->batch;
    return (uint32_t)vkr_clamp(4 * w->batch, 1, vkr_scan_most_units(s));
}

static uint32_t flags_of(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const bool gpu_initial = info->gpuInitial.buffer != VK_NULL_HANDLE;
    const struct {
        bool set;
        uint32_t flag;
    } flags[] = {
        {info->nan == VKR_NAN_PROPAGATE, VKR_FLAG_PROPAGATE_NAN},
        {s->canonical, VKR_FLAG_CANONICAL},
        {(info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0, VKR_FLAG_EXCLUSIVE},
        {s->walk.reverse, VKR_FLAG_REVERSE},
        {gpu_initial, VKR_FLAG_GPU_INITIAL},
        {!gpu_initial && info->initial != NULL, VKR_FLAG_INITIAL},
        {s->heads, VKR_FLAG_HEADS},
        {s->rows, VKR_FLAG_ROWS},
    };
    uint32_t set = vkr_count_flags(&info->gpuCount);
    for (size_t i = 0; i < VKR_ARRAY_SIZE(flags); i++)
        set |= flags[i].set ? flags[i].flag : 0;
    return set;
}

static vkr_variant variant_of(const vkr_scan *s, const vkr_walk *w, uint32_t mode, uint32_t input,
                              uint32_t flags)
{
    const bool elements = input == VKR_INPUT_ELEMENTS;
    return (vkr_variant){
        .kernel = vkr_scan_kernel(s, w->loads, elements && !vkr_leaves_totals(mode)),
        .constants = {
            [VKR_CONST_WORKGROUP] = w->workgroup_size,
            [VKR_CONST_OPS] = (uint32_t)s->info->op,
            [VKR_CONST_COMPONENTS] = s->input.components,
            [VKR_CONST_SIGNED] = s->input.type->is_signed,
            [VKR_CONST_FLAGS] = flags_of(s) | flags,
            [VKR_CONST_INPUT] = input,
            [VKR_CONST_MODE] = mode,
            [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
            [VKR_CONST_PATH] = w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
            [VKR_CONST_ORDER] = w->order,
            [VKR_CONST_BATCH] = elements ? batch_of(s, mode) : 1,
            [VKR_CONST_MUTED] = mode == VKR_MODE_TILES ? s->context->caps.muted_tile : 0,
        }};
}

/* One value of the operator for each component, as the initial value and the total are. */
static vkr_place place_of_value(const vkr_scan *s, const VkrBufferRange *range)
{
    const uint32_t size = vkr_types[s->result].size;
    return vkr_place_of_bytes(range->buffer, range->offset,
                              (VkDeviceSize)size * s->input.components, s->words ? 4 : size);
}

vkr_place vkr_place_of_total(const vkr_scan *s)
{
    return place_of_value(s, &s->info->total);
}

vkr_place vkr_place_of_scanned(const vkr_scan *s)
{
    vkr_place results = vkr_place_of_view(&s->output);
    results.unit = s->words ? 4 : results.unit;
    return results;
}

/* For each component two words. */
static void set_initial(const vkr_scan *s, struct vkr_scan_uniforms *uniforms)
{
    const uint32_t size = vkr_types[s->result].size;
    const char *initial = s->info->initial;
    for (uint32_t c = 0; c < s->input.components && initial != NULL; c++) {
        uint32_t words[2] = {0};
        memcpy(words, initial + (size_t)c * size, size);
        uniforms->initial_low[c] = words[0];
        uniforms->initial_high[c] = words[1];
    }
}

vkr_pass vkr_scan_pass(const vkr_scan *s, const vkr_walk *w, uint32_t mode, uint32_t input,
                       uint32_t flags)
{
    const VkrScanInfo *info = s->info;
    vkr_pass pass = {.walk = w,
                     .interface = &vkr_scan_interface,
                     .label = info->label,
                     .variant = variant_of(s, w, mode, input, flags),
                     .operation = s};
    struct vkr_scan_push *push = VKR_PUSH(&pass, vkr_scan_push);
    push->total_base = UINT32_MAX;
    push->row_length = s->rows ? (uint32_t)vkr_min(info->segments.length, UINT32_MAX) : 0;
    set_initial(s, VKR_UNIFORMS(&pass, vkr_scan_uniforms));
    vkr_bind_item(&pass, VKR_SCAN_SLOT_COUNT, vkr_place_of_count(&info->gpuCount));
    vkr_bind_item(&pass, VKR_SCAN_SLOT_INITIAL, place_of_value(s, &info->gpuInitial));
    return pass;
}

/* Rows: how far the first start is away. Bits: those of the elements, and of the one behind them,
 * with which a segment starts where the scan is reversed. */
void vkr_fill_heads(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    struct vkr_scan_push *push = VKR_PUSH(step, vkr_scan_push);
    const uint64_t first = window->first;
    if (s->rows) {
        const uint64_t length = s->info->segments.length;
        push->heads_base = (uint32_t)vkr_min((length - first % length) % length, UINT32_MAX - 1);
    }
    if (!s->heads || window->count == 0)
        return;
    const uint64_t last = vkr_min(first + window->count, s->walk.count - 1);
    const uint32_t base =
        vkr_fill(pass, step, VKR_SCAN_SLOT_HEADS, s->bits, first / 32, last / 32 - first / 32 + 1);
    push->heads_base = (uint32_t)(32 * base + first % 32);
}
