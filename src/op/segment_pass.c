/* SPDX-License-Identifier: MIT */
/* One dispatch of a pass over segments: variant, bindings, workgroups. */
#include "segment.h"

#include <inttypes.h>

static bool is_listed(const vkr_segment_work *s)
{
    return s->how.shape >= VKR_SHAPE_MEDIUM && s->how.shape <= VKR_SHAPE_LARGE;
}

/* ---- Trips of an invocation, which must stay few ---- */

/* Of divisions and roots: one for each digit, of which a quotient under a root has up to 112. */
#define REAL_TRIPS 168u

static uint64_t trips_of_elements(const vkr_reduce *r, uint64_t elements)
{
    const uint64_t trips = vkr_trips_per_element(r);
    return elements * (r->walk.loads != 0 ? 2 * trips + 2 : trips);
}

static uint64_t trips_of_results(const vkr_reduce *r)
{
    return 64 + (uint64_t)(vkr_count_ops(r) * 10 + vkr_count_reals(r) * REAL_TRIPS) *
                    r->input.components;
}

uint64_t vkr_max_part(const vkr_reduce *r, uint32_t team)
{
    const uint64_t lanes = team == 0 ? r->walk.workgroup_size : team;
    return (VKR_ELEMENT_TRIPS - trips_of_results(r)) / trips_of_elements(r, 1) * lanes;
}

static uint64_t trips_of_id(const vkr_reduce *r, const vkr_segment_work *s)
{
    const uint64_t lanes = s->how.team == 0 ? r->walk.workgroup_size : 1;
    const uint64_t elements = s->how.shape == VKR_SHAPE_OFFSETS
                                  ? s->of.length
                                  : s->how.part_length * vkr_segments_of_id(&s->how);
    if (s->how.shape == VKR_SHAPE_WINDOWS)
        return 4 * (uint64_t)s->how.neighbours * vkr_trips_per_element(r);
    if (s->partials)
        return vkr_trips_per_element(r) * vkr_divide_up(s->parts, lanes);
    return trips_of_elements(r, vkr_divide_up(elements, lanes));
}

/* The number of ids that an invocation, or a workgroup, may have. */
static uint64_t max_ids(const vkr_reduce *r, const vkr_segment_work *s)
{
    const uint64_t of_id = trips_of_id(r, s);
    const uint64_t trips = of_id + vkr_segments_of_id(&s->how) * trips_of_results(r) +
                           (s->how.team > 1 ? s->how.team * of_id : 0);
    return vkr_clamp(VKR_ELEMENT_TRIPS / trips, 1, VKR_ELEMENT_TRIPS);
}

static uint64_t max_groups(const vkr_reduce *r)
{
    return vkr_min(vkr_all_groups(&r->context->caps), VKR_MAX_REACH);
}

uint64_t vkr_max_segment_ids(const vkr_reduce *r, const vkr_segment_work *s)
{
    const uint64_t lanes = s->how.team == 0 ? 1 : r->walk.workgroup_size;
    return vkr_min(max_groups(r) * lanes * max_ids(r, s), VKR_MAX_REACH);
}

/* ---- Variant ---- */

uint32_t vkr_choose_team(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = r->walk.unit, most = r->walk.workgroup_size;
    uint32_t team = 2;
    while (team < VKR_MAX_TEAM && team < most && 2 * team * unit <= length)
        team *= 2;
    return (uint32_t)vkr_min(team, most);
}

/* Whether results can be stored by four: one word for each segment, from a multiple of 16 bytes
 * on. */
static bool stores_four(const vkr_reduce *r, const vkr_segment_work *s, uint64_t count)
{
    return s->how.neighbours != 0 && s->how.neighbours % 4 == 0 && count % s->how.neighbours == 0 &&
           s->results && r->input.type->size >= 4 && r->layout.stride == 4 &&
           r->layout.size == 4 * r->segments && r->input.components == 1 &&
           r->results.offset % VKR_PACK == 0;
}

bool vkr_has_full_team(const vkr_reduce *r, uint32_t team)
{
    const vkr_caps *caps = &r->context->caps;
    return team > 1 && team <= caps->full_subgroup_size &&
           r->walk.workgroup_size % caps->max_subgroup_size == 0;
}

/* The constant VKR_SEGMENT_CONST_LENGTH. */
static uint32_t constant_length(const vkr_segment_work *s)
{
    if (s->how.neighbours == 0 || s->how.shape == VKR_SHAPE_COLUMNS)
        return 1;
    return (uint32_t)(s->how.shape == VKR_SHAPE_ROWS ? s->how.part_length
                                                     : s->of.length % s->how.neighbours);
}

/* The flags of a dispatch over `count` segments. */
static uint32_t flags_of(const vkr_reduce *r, const vkr_segment_work *s, uint64_t count)
{
    const VkrSegments *segments = &r->info->segments;
    uint32_t flags = segments->offsetType == VKR_TYPE_U64 ? VKR_SEGMENT_FLAG_OFFSETS64 : 0;
    flags |= s->how.whole ? VKR_SEGMENT_FLAG_WHOLE : 0;
    flags |= vkr_has_full_team(r, s->how.team) ? VKR_SEGMENT_FLAG_FULL_TEAM : 0;
    flags |= s->how.one_batch ? VKR_SEGMENT_FLAG_ONE_BATCH : 0;
    flags |= stores_four(r, s, count) ? VKR_SEGMENT_FLAG_FOUR_RESULTS : 0;
    if (s->how.shape == VKR_SHAPE_OFFSETS && segments->gpuCount.buffer != VK_NULL_HANDLE)
        flags |= VKR_SEGMENT_FLAG_GPU_SEGMENTS |
                 (segments->gpuCount.type == VKR_TYPE_U64 ? VKR_SEGMENT_FLAG_GPU_SEGMENTS64 : 0);
    return flags;
}

/* ---- Where the dispatch reads and writes ---- */

/* The number of elements that a window has of a segment: some, of columns whose parts take several
 * dispatches; else all. */
static uint64_t length_of(const vkr_segment_work *s, const vkr_segment_window *h)
{
    if (s->how.shape != VKR_SHAPE_COLUMNS || s->partials)
        return s->of.length;
    return vkr_min(h->parts * s->how.part_length,
                   s->of.length - h->first_part * s->how.part_length);
}

/* The window of the walk in which the elements lie that are read, or whose partials are. */
static vkr_window elements_of(const vkr_reduce *r, const vkr_segment_work *s,
                              const vkr_segment_window *h)
{
    vkr_window window = {.count = r->walk.count};
    if (s->how.shape == VKR_SHAPE_COLUMNS) {
        const uint64_t rows = length_of(s, h);
        window.first = h->first_part * s->how.part_length * s->of.step + h->first;
        window.count = rows == 0 ? 0 : (rows - 1) * s->of.step + h->count;
    } else if (s->how.shape == VKR_SHAPE_WINDOWS) {
        /* Those that start in one block take all elements of the blocks in which they end. */
        window.first = h->first;
        const uint64_t more = (s->of.length / s->how.neighbours + 2) * s->how.neighbours;
        window.count = vkr_min(h->count + more, r->walk.count - h->first);
    } else if (s->how.shape != VKR_SHAPE_OFFSETS && !is_listed(s)) {
        const bool none = h->count == 0 || s->of.length == 0;
        window.first = h->first * s->of.stride;
        window.count =
            none ? 0 : (h->count - 1) * s->of.stride + (s->of.length - 1) * s->of.step + 1;
        /* The last block may be shorter. */
        window.count = vkr_min(window.count, r->walk.count - window.first);
    }
    window.lead = vkr_lead(&r->input, window.first, s->how.loads);
    return window;
}

/* A range of words as what fills a slot. */
static vkr_bound words_at(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    return (vkr_bound){.place = vkr_place_of_bytes(buffer, offset, size, 4)};
}

static vkr_bound items_at(vkr_place place, uint64_t first, uint64_t count)
{
    return (vkr_bound){place, VKR_SPAN_ITEMS, first, count};
}

VkDeviceSize vkr_list_words(const vkr_segment_work *s)
{
    return s->lists.medium + 3 * s->lists.large + 2 * s->lists.parts;
}

/* Binds offsets, counts, lists and the partials behind them. */
static void bind_lists(const vkr_reduce *r, const vkr_segment_work *s, vkr_pass *pass)
{
    struct vkr_segment_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_segment_uniforms);
    const VkrSegments *segments = &r->info->segments;
    const VkDeviceSize words = 4 * vkr_list_words(s);
    const VkDeviceSize partials = s->lists.parts * r->partial_bytes;
    const VkDeviceSize read = s->how.shape == VKR_SHAPE_LARGE ? words + partials : words;
    pass->slots[VKR_SEGMENT_STARTS] =
        words_at(segments->offsets.buffer, segments->offsets.offset, segments->offsets.size);
    if (s->how.shape == VKR_SHAPE_OFFSETS)
        pass->slots[VKR_SEGMENT_NUMBER].place = vkr_place_of_count(&segments->gpuCount);
    uniforms->most_medium = (uint32_t)s->lists.medium;
    uniforms->most_large = (uint32_t)s->lists.large;
    VKR_PUSH(pass, vkr_segment_push)->parts = (uint32_t)s->lists.parts;
    if (s->lists.medium + s->lists.large == 0)
        return;
    pass->slots[VKR_SEGMENT_LISTED] = words_at(VKR_COUNTERS, s->lists.counts, 12);
    pass->slots[s->how.shape == VKR_SHAPE_OFFSETS ? VKR_SEGMENT_STORED : VKR_SEGMENT_PARTIALS] =
        words_at(VKR_SCRATCH, s->lists.at, read);
    if (s->how.shape == VKR_SHAPE_PARTS)
        pass->slots[VKR_SEGMENT_STORED] = words_at(VKR_SCRATCH, s->lists.at + words, partials);
}

/* Binds the partials that a window reads and leaves. */
static void bind_partials(const vkr_segment_work *s, const vkr_segment_window *h, vkr_pass *pass)
{
    const uint64_t first = h->first * s->parts, count = h->count * s->parts;
    if (s->how.shape == VKR_SHAPE_WINDOWS) {
        pass->slots[VKR_SEGMENT_PARTIALS] = items_at(s->source, 0, s->sources);
        if (!s->results)
            pass->slots[VKR_SEGMENT_STORED] = items_at(s->target, 0, h->count);
        return;
    }
    if (s->partials)
        pass->slots[VKR_SEGMENT_PARTIALS] = items_at(s->source, first, count);
    if (!s->results)
        pass->slots[VKR_SEGMENT_STORED] = s->partials ? items_at(s->target, h->first, h->count)
                                                      : items_at(s->target, first, count);
}

/* Declares the whole descriptor of results where these can start inside a granule that the window
 * before writes too. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_reduce *r = pass->operation;
    const struct vkr_segment_push *push = VKR_PUSH(step, vkr_segment_push);
    const VkDescriptorBufferInfo *results = &step->bindings[VKR_SEGMENT_BINDING_OUTPUT].buffer;
    (void)window;
    if (results->buffer != VK_NULL_HANDLE && push->segments != r->segments)
        vkr_use(step, results->buffer, results->offset, results->range, VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- One dispatch ---- */

/* The number of ids of a dispatch: parts of segments, or entries of a list. */
static uint64_t ids_of(const vkr_segment_work *s, const vkr_segment_window *h)
{
    switch (s->how.shape) {
    case VKR_SHAPE_MEDIUM:
        return s->lists.medium;
    case VKR_SHAPE_PARTS:
        return s->lists.parts;
    case VKR_SHAPE_LARGE:
        return s->lists.large;
    case VKR_SHAPE_WINDOWS:
        return h->count;
    default:
        return h->count * h->parts;
    }
}

/* Chooses the number of ids of each workgroup or invocation, and the number of workgroups. */
static VkrResult choose_groups(const vkr_reduce *r, const vkr_segment_work *s, uint64_t ids,
                               uint64_t *items, uint64_t *groups)
{
    const vkr_caps *caps = &r->context->caps;
    const uint64_t lanes = s->how.team == 0 ? 1 : r->walk.workgroup_size;
    const uint64_t full = vkr_min(4 * (uint64_t)r->walk.tuning->maxGroups, max_groups(r));
    const uint64_t shares = vkr_divide_up(ids, vkr_segments_of_id(&s->how));
    if (trips_of_id(r, s) > VKR_ELEMENT_TRIPS)
        return vkr_refuse(
            &r->walk,
            "workgroupSize is %u, but must be more for so many elements and partials of a segment.",
            r->walk.workgroup_size);
    *items = vkr_clamp(vkr_divide_up(vkr_divide_up(shares, lanes), full), 1, max_ids(r, s));
    *groups = vkr_divide_up(shares, lanes * *items);
    if (*groups <= max_groups(r))
        return VKR_SUCCESS;
    return vkr_refuse(&r->walk,
                      "workgroupSize is %u, but must be more for %" PRIu64
                      " segments, or parts of segments, to need at most %u x %u workgroups.",
                      r->walk.workgroup_size, ids, caps->max_groups[0], caps->max_groups[1]);
}

static struct vkr_segment_push push_of(const vkr_segment_work *s, const vkr_segment_window *h)
{
    return (struct vkr_segment_push){.segments = (uint32_t)h->count,
                                     .segment_stride = (uint32_t)s->of.stride,
                                     .element_stride = (uint32_t)s->of.step,
                                     .segment_length = (uint32_t)length_of(s, h),
                                     .parts = (uint32_t)h->parts,
                                     .first_part = (uint32_t)h->first_part};
}

VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_work *s,
                           const vkr_segment_window *h)
{
    const uint64_t ids = ids_of(s, h);
    const bool by_offsets = s->how.shape == VKR_SHAPE_OFFSETS || is_listed(s);
    uint64_t items = 0;
    vkr_walk walk = r->walk;
    vkr_set_loads(&walk, s->how.loads);
    walk.family = s->how.neighbours != 0 ? VKR_FAMILY_NEIGHBOURS : VKR_FAMILY_SEGMENT;
    walk.batch = s->how.loads != 0 ? s->how.batch : 1;
    vkr_window window = elements_of(r, s, h);
    VKR_TRY(choose_groups(r, s, ids, &items, &window.groups));
    vkr_pass pass = vkr_reduce_pass(
        r, &walk, s->how.neighbours != 0 ? &vkr_neighbour_card : &vkr_segment_card, !s->partials,
        s->results ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL, flags_of(r, s, h->count));
    pass.finish = finish;
    pass.operation = r;
    pass.constants[VKR_SEGMENT_CONST_TEAM] = s->how.team;
    pass.constants[VKR_SEGMENT_CONST_SHAPE] = s->how.shape;
    pass.constants[VKR_SEGMENT_CONST_LENGTH] = constant_length(s);
    pass.constants[VKR_SEGMENT_CONST_NEIGHBOURS] = vkr_segments_of_id(&s->how);
    struct vkr_segment_push *push = VKR_PUSH(&pass, vkr_segment_push);
    *push = push_of(s, h);
    *VKR_UNIFORMS(&pass, vkr_segment_uniforms) = (struct vkr_segment_uniforms){
        .part_length = (uint32_t)s->how.part_length, .all_parts = (uint32_t)s->parts};
    push->ids = (uint32_t)ids;
    push->items = (uint32_t)items;
    if (!s->partials) {
        pass.slots[VKR_SEGMENT_INPUT] =
            (vkr_bound){.place = vkr_place_of_view(&r->input), .span = VKR_SPAN_ELEMENTS};
        pass.slots[VKR_SEGMENT_INPUT2] =
            (vkr_bound){.place = vkr_place_of_view(&r->input2), .span = VKR_SPAN_ELEMENTS};
        if (r->masked)
            pass.slots[by_offsets ? VKR_SEGMENT_MASK_BESIDE : VKR_SEGMENT_MASK] =
                (vkr_bound){.place = r->mask, .span = VKR_SPAN_BITS, .first = r->mask_first};
    }
    if (by_offsets)
        bind_lists(r, s, &pass);
    else
        bind_partials(s, h, &pass);
    if (s->results)
        pass.slots[VKR_SEGMENT_RESULTS] = items_at(r->results, h->first, h->count);
    pass.slots[VKR_SEGMENT_COUNT].place = vkr_place_of_count(&r->info->gpuCount);
    return vkr_emit_window(recorder, &pass, &window);
}
