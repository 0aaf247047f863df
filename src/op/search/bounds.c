/* SPDX-License-Identifier: MIT */
/* vkrCmdBounds: what the caller asks for, checked, and its steps. */
#include <inttypes.h>

#include "../../plan/rows.h"
#include "../../plan/stage.h"
#include "../../plan/unused.h"
#include "kernel_list.h"
#include "../../plan/order.h"
#include "vkreduce/bounds.h"

#define CALL "vkrCmdBounds"
#define MAX_ITEMS 256u

enum { LOWER, UPPER, OUTPUTS };

typedef struct bounds {
    const VkrBoundsInfo *info;
    vkr_walk walk; /* over the values */
    vkr_view sorted;
    vkr_view values;
    uint64_t held; /* elements of `sorted` */
    uint64_t values_held;
    uint64_t count; /* of those that are searched, as far as the host knows */
    vkr_view outputs[OUTPUTS];
} bounds;

/* ---- Checks ---- */

/* Checks one of the two views that are read, and the number of its elements. */
static VkrResult check_read(bounds *b, const char *field, const VkrView *asked, const char *name,
                            uint64_t number, vkr_view *out, uint64_t *count)
{
    const vkr_walk *w = &b->walk;
    VKR_TRY(vkr_check_input(w, field, asked, number, out));
    VKR_TRY(vkr_check_input_handles(w, field, asked, out));
    VKR_MUST_BE(w, out->components == 1, field, ".components", out->components, "be 0 or 1.");
    return vkr_check_number(w, name, number, field, out, count);
}

static VkrResult check_inputs(bounds *b)
{
    const VkrBoundsInfo *info = b->info;
    vkr_walk *w = &b->walk;
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_BOUNDS));
    VKR_TRY(check_read(b, "sorted", &info->sorted, "count", info->count, &b->sorted, &b->count));
    VKR_TRY(check_read(b, "values", &info->values, "valueCount", info->valueCount, &b->values,
                       &w->count));
    b->held = b->sorted.capacity;
    b->values_held = b->values.capacity;
    VKR_MUST(w, b->values.type_id == b->sorted.type_id,
             "values.type is %s, but must be %s like sorted.type.", b->values.type->name,
             b->sorted.type->name);
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    return vkr_check_gpu_count(w, "gpuValueCount", &info->gpuValueCount);
}

static VkrResult check_outputs(bounds *b)
{
    const VkrBoundsInfo *info = b->info;
    static const char *const fields[OUTPUTS] = {"lower", "upper"};
    const VkrView *const asked[OUTPUTS] = {&info->lower, &info->upper};
    const vkr_walk *w = &b->walk;
    VKR_MUST(w, vkr_is_requested(asked[LOWER]) || vkr_is_requested(asked[UPPER]),
             "lower and upper are empty, but at least one must be given.");
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        VKR_TRY(vkr_check_numbers(w, fields[i], asked[i], "bounds", b->count, &b->outputs[i]));
        if (vkr_is_requested(asked[i]))
            VKR_MUST(w, b->outputs[i].capacity >= w->count,
                     "%s.size is %" PRIu64 ", which is %" PRIu64
                     " numbers, but must hold the %" PRIu64 " of valueCount.",
                     fields[i], b->outputs[i].size, b->outputs[i].capacity, w->count);
    }
    return VKR_SUCCESS;
}

static VkrResult check_overlaps(const bounds *b)
{
    const vkr_region regions[] = {
        vkr_region_of_view("lower", &b->outputs[LOWER], b->walk.count, true),
        vkr_region_of_view("upper", &b->outputs[UPPER], b->walk.count, true),
        vkr_region_of_view("sorted", &b->sorted, b->count, false),
        vkr_region_of_view("values", &b->values, b->walk.count, false),
        vkr_region_of_count("gpuCount", &b->info->gpuCount),
        vkr_region_of_count("gpuValueCount", &b->info->gpuValueCount),
    };
    return vkr_check_regions(&b->walk, regions, VKR_ARRAY_SIZE(regions), "be apart from it");
}

/* Copies images and mapped elements, which the kernel does not read. */
static VkrResult stage_inputs(VkrRecorder recorder, bounds *b)
{
    vkr_walk of_sorted = b->walk;
    of_sorted.count = b->count;
    of_sorted.gpu_count = &b->info->gpuCount;
    VKR_TRY(vkr_stage(recorder, &of_sorted, b->count, &b->sorted));
    b->walk.gpu_count = &b->info->gpuValueCount;
    return vkr_stage(recorder, &b->walk, b->walk.count, &b->values);
}

/* ---- Geometry ---- */

static VkrResult choose_walk(bounds *b)
{
    vkr_walk *w = &b->walk;
    const vkr_caps *caps = &w->context->caps;
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_STAGE, &b->values);
    VKR_TRY(vkr_choose_workgroup(w, b->info->workgroupSize, w->tuning->workgroupSize,
                                 &(vkr_shared){0}));
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    const uint64_t items = vkr_clamp(vkr_divide_up(w->count, full), 1, MAX_ITEMS);
    w->items = (uint32_t)vkr_divide_up(items, VKR_BOUNDS_AT_ONCE) * VKR_BOUNDS_AT_ONCE;
    w->reach = vkr_min(VKR_MAX_REACH, vkr_view_reach(caps, &b->values, w->count));
    for (uint32_t i = 0; i < OUTPUTS; i++)
        if (b->outputs[i].buffer != VK_NULL_HANDLE)
            w->reach = vkr_min(w->reach, vkr_view_reach(caps, &b->outputs[i], w->count));
    w->window_grain = 1;
    vkr_choose_window(w);
    return vkr_cut(w);
}

/* ---- Steps ---- */

/* A window of sorted elements comes with the element before it. */
static vkr_bound sorted_of(const bounds *b)
{
    vkr_bound bound = vkr_any_of("sorted", vkr_place_of_view(&b->sorted), b->count, b->count);
    bound.before = 1;
    return bound;
}

static uint32_t flags_of(const bounds *b, const vkr_bound *searched)
{
    const VkrBoundsInfo *info = b->info;
    const uint32_t sorted = vkr_count_flags(&info->gpuCount);
    static const uint32_t stored[OUTPUTS][2] = {{VKR_BOUNDS_FLAG_LOWER, VKR_BOUNDS_FLAG_LOWER64},
                                                {VKR_BOUNDS_FLAG_UPPER, VKR_BOUNDS_FLAG_UPPER64}};
    uint32_t flags = vkr_count_flags(&info->gpuValueCount);
    flags |= (sorted & VKR_FLAG_GPU_COUNT) != 0 ? VKR_BOUNDS_FLAG_SORTED_COUNT : 0;
    flags |= (sorted & VKR_FLAG_GPU_COUNT64) != 0 ? VKR_BOUNDS_FLAG_SORTED_COUNT64 : 0;
    for (uint32_t i = 0; i < OUTPUTS; i++)
        if (b->outputs[i].buffer != VK_NULL_HANDLE)
            flags |= stored[i][0] | (b->outputs[i].type->size == 8 ? stored[i][1] : 0);
    flags |= vkr_is_packed(&b->sorted) ? VKR_BOUNDS_FLAG_PACKED : 0;
    return flags | (vkr_is_bound_at_once(&b->walk, searched) ? 0 : VKR_BOUNDS_FLAG_WINDOWS);
}

static uint32_t kernel_of(const vkr_type_info *type)
{
    static const uint32_t kernels[] = {VKR_KERNEL_BOUNDS_8, VKR_KERNEL_BOUNDS_16,
                                       VKR_KERNEL_BOUNDS_32, VKR_KERNEL_BOUNDS_64};
    return kernels[vkr_log2_up(type->size)];
}

/* Adds a pass over the values for each window of the sorted elements: it finds those bounds that
 * lie in the window. */
static VkrResult add_search(VkrRecorder recorder, const bounds *b)
{
    const VkrBoundsInfo *info = b->info;
    const vkr_bound searched = sorted_of(b);
    vkr_order order = vkr_order_of(b->values.type, (info->flags & VKR_BOUNDS_DESCENDING_BIT) != 0,
                                   (info->flags & VKR_BOUNDS_NAN_FIRST_BIT) != 0);
    order.form |= b->values.type->is_float ? VKR_KEY_IS_CLAMPED : 0; /* all NaN are equal */
    if ((info->flags & VKR_BOUNDS_BY_VALUE_BIT) != 0)
        vkr_order_by_value(&order);
    vkr_pass pass = {
        .walk = &b->walk,
        .card = &vkr_bounds_card,
        .kernel = kernel_of(b->values.type),
        .constants = {[VKR_BOUNDS_CONST_FLAGS] = flags_of(b, &searched)},
        .slots = {[VKR_BOUNDS_SLOT_VALUES] = vkr_per_element(vkr_place_of_view(&b->values)),
                  [VKR_BOUNDS_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuValueCount)},
                  [VKR_BOUNDS_SLOT_SORTED_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)},
                  [VKR_BOUNDS_SLOT_SORTED] = searched}};
    vkr_set_order(&order, &pass.constants[VKR_BOUNDS_CONST_KEY_FORM]);
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        vkr_place place = vkr_place_of_view(&b->outputs[i]);
        place.unit = 4;
        pass.slots[VKR_BOUNDS_SLOT_OUTPUTS + i] = vkr_per_element(place);
    }
    struct vkr_bounds_push *push = VKR_PUSH(&pass, vkr_bounds_push);
    VKR_SET64(push, sorted_total, b->count);
    return vkr_emit(recorder, &pass);
}

static void note_unused(const bounds *b)
{
    const VkrBoundsInfo *info = b->info;
    vkr_walk of_sorted = b->walk;
    of_sorted.count = b->count;
    of_sorted.held = b->held;
    vkr_note_count(&of_sorted, "sorted");
    vkr_note_view(&b->walk, "sorted", &info->sorted);
    vkr_note_view(&b->walk, "values", &info->values);
    vkr_note_values(&b->walk, b->values_held);
    vkr_note_gpu_count(&b->walk, "gpuCount", &info->gpuCount);
    vkr_note_gpu_count(&b->walk, "gpuValueCount", &info->gpuValueCount);
}

static VkrResult add_bounds(VkrRecorder recorder, const VkrBoundsInfo *info)
{
    bounds b = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&b.walk, info != NULL, "info is NULL, but must point to a VkrBoundsInfo.");
    b.walk.by_words = true;
    VKR_TRY(check_inputs(&b));
    VKR_TRY(check_outputs(&b));
    VKR_TRY(check_overlaps(&b));
    VKR_TRY(stage_inputs(recorder, &b));
    VKR_TRY(choose_walk(&b));
    if (b.walk.count != 0)
        VKR_TRY(add_search(recorder, &b));
    note_unused(&b);
    return VKR_SUCCESS;
}

VkrResult vkrCmdBounds(VkrRecorder recorder, const VkrBoundsInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_bounds(recorder, info));
}
