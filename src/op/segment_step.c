/* SPDX-License-Identifier: MIT */
/* The dispatches of a stage: variant, bindings, workgroups. */
#include "segment.h"

#define CALL "vkrCmdReduce"
#define MOST_LEVELS 7u /* of blocks, below 2^32 elements */

/* ---- Trips of an invocation, which must stay few ---- */

static uint64_t trips_of_elements(const vkr_reduce *r, uint64_t elements)
{
    return elements *
           (r->walk.loads != 0 ? 2 * vkr_trips_per_element(r) + 2 : vkr_trips_per_element(r));
}

static uint64_t trips_of_results(const vkr_reduce *r)
{
    uint64_t ops = 0;
    for (VkrOpFlags left = r->info->ops; left != 0; left &= left - 1)
        ops++;
    return 64 + ops * 10 * r->input.components;
}

/* Elements of a part that a team may have at most. */
uint64_t vkr_most_part(const vkr_reduce *r, uint32_t team)
{
    const uint64_t lanes = team == 0 ? r->walk.workgroup_size : team;
    return (VKR_MAX_ELEMENT_TRIPS - trips_of_results(r)) / trips_of_elements(r, 1) * lanes;
}

/* Of an id. */
static uint64_t trips_of_id(const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t lanes = s->team == 0 ? r->walk.workgroup_size : 1;
    const uint64_t rows = s->shape == VKR_SHAPE_SHORT ? s->rows : 1;
    const uint64_t elements = s->shape == VKR_SHAPE_OFFSETS ? s->length : s->part_length * rows;
    uint64_t trips = trips_of_elements(r, vkr_divide_up(elements, lanes));
    if (s->partials)
        trips = vkr_trips_per_element(r) * vkr_divide_up(s->all_parts, lanes);
    if (s->shape == VKR_SHAPE_TREE)
        trips = MOST_LEVELS * (2 * VKR_BLOCK_ELEMENTS + 1) * vkr_trips_per_element(r);
    return trips;
}

/* Ids that an invocation, or a workgroup, may have. */
static uint64_t most_items(const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t rows = s->shape == VKR_SHAPE_SHORT ? s->rows : 1;
    const uint64_t of_id = trips_of_id(r, s);
    const uint64_t trips = of_id + rows * trips_of_results(r) + (s->team > 1 ? s->team * of_id : 0);
    return vkr_clamp(VKR_MAX_ELEMENT_TRIPS / trips, 1, VKR_MAX_ELEMENT_TRIPS);
}

static uint64_t most_groups(const vkr_reduce *r)
{
    const vkr_caps *caps = &r->context->caps;
    return vkr_least((uint64_t)caps->max_groups[0] * caps->max_groups[1], VKR_MOST_ELEMENTS);
}

/* Ids that a dispatch may have. */
uint64_t vkr_most_segment_ids(const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t lanes = s->team == 0 ? 1 : r->walk.workgroup_size;
    return vkr_least(most_groups(r) * lanes * most_items(r, s), VKR_MOST_ELEMENTS);
}

/* ---- One dispatch ---- */

/* One word for each row, from a multiple of 16 bytes on. */
static bool stores_four(const vkr_reduce *r, const vkr_stage *s)
{
    return s->shape == VKR_SHAPE_SHORT && s->rows % 4 == 0 && s->results &&
           r->input.type->size >= 4 && r->layout.stride == 4 && r->layout.size == 4 * r->segments &&
           r->input.components == 1 && r->info->output.offset % VKR_PACK == 0;
}

static VkrResult choose_variant(const vkr_reduce *r, const vkr_stage *s, vkr_variant *variant)
{
    const VkrReduceInfo *info = r->info;
    const VkrSegments *segments = &info->segments;
    uint32_t flags = 0;
    flags |= info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0;
    flags |= r->wide_index ? VKR_FLAG_WIDE_INDEX : 0;
    flags |= r->canonical ? VKR_FLAG_CANONICAL : 0;
    flags |= segments->offsetType == VKR_TYPE_U64 ? VKR_FLAG_OFFSETS64 : 0;
    if (info->gpuCount.buffer != VK_NULL_HANDLE)
        flags |=
            VKR_FLAG_GPU_COUNT | (info->gpuCount.type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    flags |= s->whole ? VKR_FLAG_WHOLE : 0;
    flags |= stores_four(r, s) ? VKR_FLAG_FOUR_RESULTS : 0;
    if (s->shape == VKR_SHAPE_OFFSETS && segments->gpuCount.buffer != VK_NULL_HANDLE)
        flags |= VKR_FLAG_GPU_SEGMENTS |
                 (segments->gpuCount.type == VKR_TYPE_U64 ? VKR_FLAG_GPU_SEGMENTS64 : 0);
    *variant = (vkr_variant){
        .kernel = vkr_find_reduce_kernel(r, s->loads),
        .constants = {[VKR_CONST_WORKGROUP] = r->walk.workgroup_size,
                      [VKR_CONST_OPS] = info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags,
                      [VKR_CONST_INPUT] = s->partials ? VKR_INPUT_PARTIALS : VKR_INPUT_ELEMENTS,
                      [VKR_CONST_OUTPUT] = s->results ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL,
                      [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(&r->walk),
                      [VKR_CONST_PATH] = s->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                      [VKR_CONST_ORDER] = r->walk.order,
                      [VKR_CONST_BATCH] = s->loads != 0 ? s->batch : 1,
                      [VKR_CONST_TEAM] = s->team,
                      [VKR_CONST_SHAPE] = s->shape,
                      [VKR_CONST_LENGTH] = s->shape == VKR_SHAPE_SHORT ? (uint32_t)s->length : 1,
                      [VKR_CONST_ROWS] = s->shape == VKR_SHAPE_SHORT ? s->rows : 1}};
    if (variant->kernel == vkr_kernel_count)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": input.type is %s, but there is no kernel for its segments on rung "
                             "%s.",
                        r->input.type->name, vkrRungName(r->walk.rung));
    return VKR_SUCCESS;
}

/* Elements of a segment that a share has: of columns whose parts take several dispatches, some. */
static uint64_t length_of(const vkr_stage *s, const vkr_share *h)
{
    if (s->shape != VKR_SHAPE_COLUMNS || s->partials)
        return s->length;
    return vkr_least(h->parts * s->part_length, s->length - h->first_part * s->part_length);
}

/* Elements that a share reads, or whose partials it reads, lie between these. */
static void span(const vkr_reduce *r, const vkr_stage *s, const vkr_share *h, uint64_t *first,
                 uint64_t *count)
{
    if (s->shape == VKR_SHAPE_COLUMNS) {
        const uint64_t before = h->first_part * s->part_length;
        const uint64_t rows = length_of(s, h);
        *first = before * s->element_stride + h->first;
        *count = rows == 0 ? 0 : (rows - 1) * s->element_stride + h->count;
    } else if (s->shape == VKR_SHAPE_OFFSETS || vkr_is_listed(s)) {
        *first = 0;
        *count = r->walk.count;
    } else {
        *first = h->first * s->segment_stride;
        *count = h->count == 0 || s->length == 0
                     ? 0
                     : (h->count - 1) * s->segment_stride + (s->length - 1) * s->element_stride + 1;
        *count = vkr_least(*count, r->walk.count - *first); /* the last of blocks may be shorter */
    }
}

static uint32_t fill(const vkr_reduce *r, vkr_step *step, uint32_t slot, vkr_place place,
                     uint64_t first, uint64_t count)
{
    return vkr_fill_slot(&r->context->caps, step, &vkr_segment_slots[slot], &place, first, count);
}

static void fill_elements(const vkr_reduce *r, const vkr_stage *s, const vkr_window *window,
                          vkr_step *step)
{
    struct vkr_segment_push *push = VKR_PUSH(step, vkr_segment_push);
    fill(r, step, VKR_SEGMENT_INPUT, vkr_place_of_view(&r->input), window->first, window->count);
    if ((r->info->ops & VKR_OP_DOT) != 0)
        fill(r, step, VKR_SEGMENT_INPUT2, vkr_place_of_view(&r->input2), window->first,
             window->count);
    if (s->loads == 0 || window->count == 0)
        return;
    const uint64_t ahead = window->lead * vkr_element_size(&r->input);
    const uint64_t start2 = (uint64_t)push->input2_base * r->input.type->size;
    push->load_base = vkr_bind_loads(&r->walk, window, push->input_base, step);
    push->load2_base = (uint32_t)((start2 - ahead) / VKR_PACK);
}

/* A place that is bound as a whole. */
static void fill_words(const vkr_reduce *r, vkr_step *step, uint32_t slot, VkBuffer buffer,
                       VkDeviceSize offset, VkDeviceSize size)
{
    fill(r, step, slot, vkr_place_of_bytes(buffer, offset, size, 4), 0, 1);
}

VkDeviceSize vkr_list_words(const vkr_stage *s)
{
    return s->most_medium + 3 * s->most_large + 2 * s->most_parts;
}

/* Offsets, counts, lists and the partials behind them. */
static void fill_lists(const vkr_reduce *r, const vkr_stage *s, vkr_step *step)
{
    struct vkr_segment_push *push = VKR_PUSH(step, vkr_segment_push);
    const VkrSegments *segments = &r->info->segments;
    const VkDeviceSize words = 4 * vkr_list_words(s);
    const VkDeviceSize all = words + s->most_parts * vkr_partial_bytes(r);
    fill_words(r, step, VKR_SEGMENT_STARTS, segments->offsets.buffer, segments->offsets.offset,
               segments->offsets.size);
    if (s->shape == VKR_SHAPE_OFFSETS)
        fill(r, step, VKR_SEGMENT_NUMBER, vkr_place_of_count(&segments->gpuCount), 0, 1);
    push->most_medium = (uint32_t)s->most_medium;
    push->most_large = (uint32_t)s->most_large;
    push->parts = (uint32_t)s->most_parts;
    if (s->most_medium + s->most_large == 0)
        return;
    fill_words(r, step, VKR_SEGMENT_LISTED, VKR_COUNTERS, s->counts, 12);
    if (s->shape == VKR_SHAPE_OFFSETS)
        fill_words(r, step, VKR_SEGMENT_STORED, VKR_SCRATCH, s->lists, words);
    else
        fill_words(r, step, VKR_SEGMENT_PARTIALS, VKR_SCRATCH, s->lists,
                   s->shape == VKR_SHAPE_LARGE ? all : words);
    if (s->shape == VKR_SHAPE_PARTS)
        fill_words(r, step, VKR_SEGMENT_STORED, VKR_SCRATCH, s->lists + words, all - words);
}

static void fill_results(const vkr_reduce *r, const vkr_share *h, vkr_step *step)
{
    const VkrBufferRange *output = &r->info->output;
    const VkDeviceSize stride = r->layout.stride;
    const VkDeviceSize last = r->layout.size - (r->segments - 1) * stride;
    const uint32_t unit = r->input.type->size < 4 ? r->input.type->size : 4;
    fill(r, step, VKR_SEGMENT_RESULTS,
         (vkr_place){output->buffer, output->offset, stride, last, unit}, h->first, h->count);
    if (h->count != r->segments)
        vkr_use_window(step, VKR_BINDING_OUTPUT);
}

/* Partials that a share reads and leaves. */
static void fill_partials(const vkr_reduce *r, const vkr_stage *s, const vkr_share *h,
                          vkr_step *step)
{
    const uint64_t first = h->first * s->all_parts, count = h->count * s->all_parts;
    if (s->shape == VKR_SHAPE_TREE) {
        uint64_t all = 0;
        for (uint64_t level = s->all_parts; level != 0; level /= VKR_BLOCK_ELEMENTS)
            all += level;
        fill(r, step, VKR_SEGMENT_PARTIALS, s->source, 0, all);
    } else if (s->partials) {
        fill(r, step, VKR_SEGMENT_PARTIALS, s->source, first, count);
    }
    if (!s->results && s->partials)
        fill(r, step, VKR_SEGMENT_STORED, s->target, h->first, h->count);
    else if (!s->results)
        fill(r, step, VKR_SEGMENT_STORED, s->target, first, count);
}

/* Workgroups, and ids of each or of an invocation. */
static uint64_t choose_groups(const vkr_reduce *r, const vkr_stage *s, uint64_t ids,
                              uint64_t *items)
{
    const VkrTuning *tuning = vkr_reduce_tuning(r);
    const uint64_t most = most_items(r, s);
    const uint64_t lanes = s->team == 0 ? 1 : r->walk.workgroup_size;
    const uint64_t groups = vkr_least(4 * (uint64_t)tuning->maxGroups, most_groups(r));
    const uint64_t full = vkr_divide_up(vkr_divide_up(ids, lanes), groups);
    *items = vkr_clamp(full, 1, most);
    return vkr_divide_up(ids, lanes * *items);
}

static void set_push(const vkr_reduce *r, const vkr_stage *s, const vkr_share *h,
                     const vkr_window *window, vkr_step *step)
{
    struct vkr_segment_push *push = VKR_PUSH(step, vkr_segment_push);
    vkr_set_window(&r->walk, &vkr_segment_interface, window, step);
    vkr_set_field64(step, vkr_segment_interface.capacity, r->whole);
    vkr_set_field64(step, vkr_segment_interface.first, r->first + window->first);
    push->segments = (uint32_t)h->count;
    push->segment_stride = (uint32_t)s->segment_stride;
    push->element_stride = (uint32_t)s->element_stride;
    push->segment_length = (uint32_t)length_of(s, h);
    push->part_length = (uint32_t)s->part_length;
    push->parts = (uint32_t)h->parts;
    push->all_parts = (uint32_t)s->all_parts;
    push->first_part = (uint32_t)h->first_part;
}

VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s,
                           const vkr_share *h)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t ids = h->count * h->parts, items;
    vkr_variant variant;
    if (vkr_is_listed(s))
        ids = s->shape == VKR_SHAPE_MEDIUM  ? s->most_medium
              : s->shape == VKR_SHAPE_LARGE ? s->most_large
                                            : s->most_parts;
    if (trips_of_id(r, s) > VKR_MAX_ELEMENT_TRIPS)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": workgroupSize is %u, but must be more for so many elements and "
                             "partials of a segment.",
                        r->walk.workgroup_size);
    const uint64_t groups =
        choose_groups(r, s, s->shape == VKR_SHAPE_SHORT ? ids / s->rows : ids, &items);
    if (groups > most_groups(r))
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": workgroupSize is %u, but must be more for %llu segments, or parts "
                             "of segments, to need at most %u x %u workgroups.",
                        r->walk.workgroup_size, (unsigned long long)ids, caps->max_groups[0],
                        caps->max_groups[1]);
    vkr_window window = {.groups = groups};
    span(r, s, h, &window.first, &window.count);
    window.lead = vkr_lead(&r->input, window.first, s->loads);
    VkrResult result = choose_variant(r, s, &variant);
    if (result != VKR_SUCCESS)
        return result;
    vkr_step step = vkr_new_step(&vkr_segment_interface, r->info->label, variant);
    set_push(r, s, h, &window, &step);
    VKR_PUSH(&step, vkr_segment_push)->ids = (uint32_t)ids;
    VKR_PUSH(&step, vkr_segment_push)->items = (uint32_t)items;
    if (!s->partials)
        fill_elements(r, s, &window, &step);
    if (s->shape == VKR_SHAPE_OFFSETS || vkr_is_listed(s))
        fill_lists(r, s, &step);
    else
        fill_partials(r, s, h, &step);
    if (s->results)
        fill_results(r, h, &step);
    fill(r, &step, VKR_SEGMENT_COUNT, vkr_place_of_count(&r->info->gpuCount), 0, 1);
    return vkr_add_step(recorder, &step);
}
