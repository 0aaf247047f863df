/* SPDX-License-Identifier: MIT */
/* The dispatches of a stage: variant, bindings, workgroups. */
#include <string.h>

#include "segment.h"

#define CALL "vkrCmdReduce"
#define MOST_LEVELS 7u /* of blocks, below 2^32 elements */

/* ---- Trips of an invocation, which must stay few ---- */

static uint64_t trips_of_elements(const vkr_reduce *r, uint64_t elements)
{
    return elements * (r->loads != 0 ? 2 * vkr_trips_per_element(r) + 2 : vkr_trips_per_element(r));
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
    const uint64_t lanes = team == 0 ? r->workgroup_size : team;
    return (VKR_MAX_ELEMENT_TRIPS - trips_of_results(r)) / trips_of_elements(r, 1) * lanes;
}

/* Of an id. */
static uint64_t trips_of_id(const vkr_reduce *r, const vkr_stage *s)
{
    const uint64_t lanes = s->team == 0 ? r->workgroup_size : 1;
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
    const uint64_t lanes = s->team == 0 ? 1 : r->workgroup_size;
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
        .constant_count = VKR_SEGMENT_CONSTANTS,
        .constants = {[VKR_CONST_WORKGROUP] = r->workgroup_size,
                      [VKR_CONST_OPS] = info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags,
                      [VKR_CONST_INPUT] = s->partials ? VKR_INPUT_PARTIALS : VKR_INPUT_ELEMENTS,
                      [VKR_CONST_OUTPUT] = s->results ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL,
                      [VKR_CONST_SUBGROUPS] = vkr_max_subgroups(r),
                      [VKR_CONST_PATH] = s->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                      [VKR_CONST_ORDER] = r->order,
                      [VKR_CONST_BATCH] = s->loads != 0 ? s->batch : 1,
                      [VKR_CONST_TEAM] = s->team,
                      [VKR_CONST_SHAPE] = s->shape,
                      [VKR_CONST_LENGTH] = s->shape == VKR_SHAPE_SHORT ? (uint32_t)s->length : 1,
                      [VKR_CONST_ROWS] = s->shape == VKR_SHAPE_SHORT ? s->rows : 1}};
    variant->kernel = vkr_find_reduce_kernel(r, s->loads);
    if (variant->kernel == vkr_kernel_count)
        return vkr_fail_left_out(r->context, CALL, r->input.type, r->wide);
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
        *count = r->count;
    } else {
        *first = h->first * s->segment_stride;
        *count = h->count == 0 || s->length == 0
                     ? 0
                     : (h->count - 1) * s->segment_stride + (s->length - 1) * s->element_stride + 1;
        *count = vkr_least(*count, r->count - *first); /* the last of blocks may be shorter */
    }
}

static void bind_elements(const vkr_reduce *r, const vkr_stage *s, uint64_t first, uint64_t count,
                          vkr_step *step, struct vkr_segment_push *push)
{
    const vkr_caps *caps = &r->context->caps;
    const uint32_t unit = r->input.type->size;
    vkr_bind_view(caps, step, VKR_BINDING_INPUT, &r->input, first, count, VK_ACCESS_SHADER_READ_BIT,
                  &push->input_base, &push->input_stride);
    if ((r->info->ops & VKR_OP_DOT) != 0)
        vkr_bind_view(caps, step, VKR_BINDING_INPUT2, &r->input2, first, count,
                      VK_ACCESS_SHADER_READ_BIT, &push->input2_base, &push->input2_stride);
    if (s->loads == 0 || count == 0)
        return;
    push->lead = vkr_lead(&r->input, first, s->loads);
    const uint64_t ahead = push->lead * vkr_element_size(&r->input);
    push->load_base = (uint32_t)(((uint64_t)push->input_base * unit - ahead) / VKR_PACK);
    push->load2_base = (uint32_t)(((uint64_t)push->input2_base * unit - ahead) / VKR_PACK);
    if (s->loads != VKR_LOADS_TEXEL)
        return;
    const VkrTexels *texels = &r->input.texels;
    const uint64_t start = r->input.offset + first * r->input.stride - texels->offset;
    push->load_base = (uint32_t)((start - ahead) / VKR_PACK);
    step->texels = texels->view;
    vkr_use(step, r->input.buffer, texels->offset, texels->size, VK_ACCESS_SHADER_READ_BIT);
}

static uint32_t bind_words(const vkr_reduce *r, vkr_step *step, uint32_t binding, VkBuffer buffer,
                           VkDeviceSize offset, VkDeviceSize size, VkAccessFlags access)
{
    const VkDeviceSize slack = vkr_bind(&r->context->caps, step, binding, buffer, offset, size);
    vkr_use(step, buffer, offset - slack, slack + size, access);
    return (uint32_t)(slack / 4);
}

VkDeviceSize vkr_list_words(const vkr_stage *s)
{
    return s->most_medium + 3 * s->most_large + 2 * s->most_parts;
}

/* Offsets, counts, lists and the partials behind them. */
static void bind_lists(const vkr_reduce *r, const vkr_stage *s, vkr_step *step,
                       struct vkr_segment_push *push)
{
    const VkrSegments *segments = &r->info->segments;
    const bool lists = s->shape == VKR_SHAPE_OFFSETS;
    const VkDeviceSize words = 4 * vkr_list_words(s);
    const VkDeviceSize all = words + s->most_parts * vkr_partial_bytes(r);
    const VkAccessFlags read = VK_ACCESS_SHADER_READ_BIT, write = VK_ACCESS_SHADER_WRITE_BIT;
    push->offsets_base = bind_words(r, step, VKR_SEGMENT_OFFSETS, segments->offsets.buffer,
                                    segments->offsets.offset, segments->offsets.size, read);
    if (lists)
        vkr_bind_count(&r->context->caps, step, VKR_BINDING_PARTIALS, &segments->gpuCount,
                       &push->partials_base);
    push->most_medium = (uint32_t)s->most_medium;
    push->most_large = (uint32_t)s->most_large;
    push->parts = (uint32_t)s->most_parts;
    if (s->most_medium + s->most_large == 0)
        return;
    /* Lists' counts are only read, but validation cannot know which shape of the kernel it is. */
    push->counter_base =
        bind_words(r, step, VKR_SEGMENT_LISTS, VKR_COUNTERS, s->counts, 12, read | write);
    if (lists)
        push->stored_base =
            bind_words(r, step, VKR_BINDING_STORED, VKR_SCRATCH, s->lists, words, write);
    else
        push->partials_base = bind_words(r, step, VKR_BINDING_PARTIALS, VKR_SCRATCH, s->lists,
                                         s->shape == VKR_SHAPE_LARGE ? all : words, read);
    if (s->shape == VKR_SHAPE_PARTS)
        push->stored_base = bind_words(r, step, VKR_BINDING_STORED, VKR_SCRATCH, s->lists + words,
                                       all - words, write);
}

static void bind_results(const vkr_reduce *r, const vkr_share *h, vkr_step *step,
                         struct vkr_segment_push *push)
{
    const VkrBufferRange *output = &r->info->output;
    const uint32_t unit = r->input.type->size < 4 ? r->input.type->size : 4;
    const VkDeviceSize stride = r->layout.stride;
    const VkDeviceSize offset = output->offset + h->first * stride;
    const VkDeviceSize last = r->layout.size - (r->segments - 1) * stride;
    const VkDeviceSize size = (h->count - 1) * stride + last;
    const VkDeviceSize slack =
        vkr_bind(&r->context->caps, step, VKR_BINDING_OUTPUT, output->buffer, offset, size);
    push->output_base = (uint32_t)(slack / unit);
    push->output_stride = (uint32_t)(stride / unit);
    vkr_use(step, output->buffer, offset, size, VK_ACCESS_SHADER_WRITE_BIT);
    if (h->count != r->segments)
        vkr_use_window(step, VKR_BINDING_OUTPUT);
}

/* Partials that a share reads and leaves. */
static void bind_partials(const vkr_reduce *r, const vkr_stage *s, const vkr_share *h,
                          vkr_step *step, struct vkr_segment_push *push)
{
    const uint64_t bytes = vkr_partial_bytes(r);
    const uint64_t first = h->first * s->all_parts * bytes;
    const uint64_t count = h->count * s->all_parts;
    if (s->shape == VKR_SHAPE_TREE) {
        uint64_t all = 0;
        for (uint64_t level = s->all_parts; level != 0; level /= VKR_BLOCK_ELEMENTS)
            all += level;
        push->partials_base = bind_words(r, step, VKR_BINDING_PARTIALS, s->source.buffer,
                                         s->source.offset, all * bytes, VK_ACCESS_SHADER_READ_BIT);
    } else if (s->partials) {
        push->partials_base =
            bind_words(r, step, VKR_BINDING_PARTIALS, s->source.buffer, s->source.offset + first,
                       count * bytes, VK_ACCESS_SHADER_READ_BIT);
    }
    if (!s->results) {
        const uint64_t stored = s->partials ? h->count : count;
        const uint64_t at = s->partials ? h->first * bytes : first;
        push->stored_base =
            bind_words(r, step, VKR_BINDING_STORED, s->target.buffer, s->target.offset + at,
                       stored * bytes, VK_ACCESS_SHADER_WRITE_BIT);
    }
}

/* Workgroups, and ids of each or of an invocation. */
static uint64_t choose_groups(const vkr_reduce *r, const vkr_stage *s, uint64_t ids,
                              uint64_t *items)
{
    const VkrTuning *tuning = vkr_reduce_tuning(r);
    const uint64_t most = most_items(r, s);
    const uint64_t lanes = s->team == 0 ? 1 : r->workgroup_size;
    const uint64_t groups = vkr_least(4 * (uint64_t)tuning->maxGroups, most_groups(r));
    const uint64_t full = vkr_divide_up(vkr_divide_up(ids, lanes), groups);
    *items = vkr_clamp(full, 1, most);
    return vkr_divide_up(ids, lanes * *items);
}

VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s,
                           const vkr_share *h)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t ids = h->count * h->parts, items, first, count;
    if (vkr_is_listed(s))
        ids = s->shape == VKR_SHAPE_MEDIUM  ? s->most_medium
              : s->shape == VKR_SHAPE_LARGE ? s->most_large
                                            : s->most_parts;
    if (trips_of_id(r, s) > VKR_MAX_ELEMENT_TRIPS)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": workgroupSize is %u, but must be more for so many elements and "
                             "partials of a segment.",
                        r->workgroup_size);
    const uint64_t groups =
        choose_groups(r, s, s->shape == VKR_SHAPE_SHORT ? ids / s->rows : ids, &items);
    if (groups > most_groups(r))
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        CALL ": workgroupSize is %u, but must be more for %llu segments, or parts "
                             "of segments, to need at most %u x %u workgroups.",
                        r->workgroup_size, (unsigned long long)ids, caps->max_groups[0],
                        caps->max_groups[1]);
    span(r, s, h, &first, &count);
    const uint64_t index = r->first + first;
    struct vkr_segment_push push = {.capacity_low = (uint32_t)r->whole,
                                    .capacity_high = (uint32_t)(r->whole >> 32),
                                    .first_low = (uint32_t)index,
                                    .first_high = (uint32_t)(index >> 32),
                                    .count = (uint32_t)count,
                                    .groups = (uint32_t)groups,
                                    .ids = (uint32_t)ids,
                                    .items = (uint32_t)items,
                                    .segments = (uint32_t)h->count,
                                    .segment_stride = (uint32_t)s->segment_stride,
                                    .element_stride = (uint32_t)s->element_stride,
                                    .segment_length = (uint32_t)length_of(s, h),
                                    .part_length = (uint32_t)s->part_length,
                                    .parts = (uint32_t)h->parts,
                                    .all_parts = (uint32_t)s->all_parts,
                                    .first_part = (uint32_t)h->first_part};
    vkr_step step = {.label = r->info->label, .binding_count = VKR_REDUCE_BINDINGS};
    vkr_set_groups(caps, &step, groups);
    if (!s->partials)
        bind_elements(r, s, first, count, &step, &push);
    if (s->shape == VKR_SHAPE_OFFSETS || vkr_is_listed(s))
        bind_lists(r, s, &step, &push);
    else
        bind_partials(r, s, h, &step, &push);
    if (s->results)
        bind_results(r, h, &step, &push);
    vkr_bind_count(caps, &step, VKR_BINDING_COUNT, &r->info->gpuCount, &push.count_base);
    VKR_SET_PUSH(&step, push);
    VkrResult result = choose_variant(r, s, &step.variant);
    return result == VKR_SUCCESS ? vkr_add_step(recorder, &step) : result;
}
