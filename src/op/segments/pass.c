/* SPDX-License-Identifier: MIT */
/* One dispatch of a level of segments: variant, bindings, workgroups. */
#include "segments.h"

/* Whether segments are given by offsets, listed or not. */
static bool is_by_offsets(const vkr_level *l)
{
    return l->how.shape >= VKR_SHAPE_OFFSETS && l->how.shape <= VKR_SHAPE_LARGE;
}

static bool is_tiles(const vkr_level *l)
{
    return l->how.shape == VKR_SHAPE_TILES;
}

/* ---- Variant ---- */

/* Whether results can be stored four at a time: each segment has one word, and the first one lies
 * at a multiple of 16 bytes. Columns follow each other inside a unit only. */
static bool stores_packs(const vkr_level *l, uint64_t count)
{
    const vkr_reduce *r = l->reduce;
    return l->how.neighbours != 0 && l->how.neighbours % 4 == 0 &&
           (count % l->how.neighbours == 0 || is_by_offsets(l)) && l->output == VKR_OUTPUT_RESULT &&
           r->input.type->size >= 4 && r->layout.stride == 4 && r->layout.size == 4 * r->segments &&
           r->input.components == 1 && r->results.offset % VKR_PACK == 0 &&
           (l->how.shape != VKR_SHAPE_COLUMNS || r->walk.unit % 4 == 0);
}

/* Whether f32 results are quotients of sums and numbers that a float holds exactly. */
static bool divides_by_few(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    return l->how.neighbours != 0 && l->output == VKR_OUTPUT_RESULT && r->input.type->is_float &&
           r->accumulator == VKR_TYPE_F32 && vkr_count_reals(r) != 0 && l->of.length < 1u << 24;
}

/* The constant VKR_SEGMENT_CONST_LENGTH. */
static uint32_t constant_length(const vkr_level *l)
{
    if (l->how.neighbours == 0 || l->how.shape == VKR_SHAPE_COLUMNS ||
        l->how.shape == VKR_SHAPE_NODES)
        return 1;
    return (uint32_t)(l->how.shape == VKR_SHAPE_ROWS ? l->how.part_length
                                                     : l->of.length % l->how.neighbours);
}

/* The flags of a dispatch over `count` segments. */
static uint32_t flags_of(const vkr_level *l, uint64_t count)
{
    const VkrSegments *segments = &l->reduce->info->segments;
    uint32_t flags = segments->offsetType == VKR_TYPE_U64 ? VKR_SEGMENT_FLAG_OFFSETS64 : 0;
    flags |= l->how.whole ? VKR_SEGMENT_FLAG_WHOLE : 0;
    flags |= vkr_has_full_team(l->reduce, l->how.team) ? VKR_SEGMENT_FLAG_FULL_TEAM : 0;
    flags |= l->how.one_batch ? VKR_SEGMENT_FLAG_ONE_BATCH : 0;
    flags |= stores_packs(l, count) ? VKR_SEGMENT_FLAG_FOUR_RESULTS : 0;
    flags |= l->how.fold != 0 && !l->partials ? VKR_SEGMENT_FLAG_FOLDED : 0;
    flags |= divides_by_few(l) ? VKR_SEGMENT_FLAG_FEW : 0;
    if (l->how.shape == VKR_SHAPE_OFFSETS && segments->gpuCount.buffer != VK_NULL_HANDLE)
        flags |= VKR_SEGMENT_FLAG_GPU_SEGMENTS |
                 (segments->gpuCount.type == VKR_TYPE_U64 ? VKR_SEGMENT_FLAG_GPU_SEGMENTS64 : 0);
    return flags;
}

/* ---- Where the dispatch reads and writes ---- */

/* The number of a segment's elements in a window: all of them, unless the parts of columns need
 * several dispatches. */
static uint64_t length_of(const vkr_level *l, const vkr_segment_window *h)
{
    if (l->how.shape != VKR_SHAPE_COLUMNS || l->partials)
        return l->of.length;
    return vkr_min(h->parts * l->how.part_length,
                   l->of.length - h->first_part * l->how.part_length);
}

/* The window of the walk that contains the elements that are read, or whose partials are read. */
static vkr_window elements_of(const vkr_level *l, const vkr_segment_window *h)
{
    vkr_window window = {.count = l->elements};
    if (l->how.shape == VKR_SHAPE_COLUMNS) {
        const uint64_t rows = length_of(l, h);
        window.first = h->first_part * l->how.part_length * l->of.step + h->first;
        window.count = rows == 0 ? 0 : (rows - 1) * l->of.step + h->count;
    } else if (l->how.shape == VKR_SHAPE_WINDOWS) {
        /* Windows that start in one block read all elements of the blocks in which they end. */
        const uint64_t more = vkr_reach_of_blocks(l) * l->how.neighbours;
        window.first = h->first;
        window.count = h->count + more;
    } else if (l->how.shape == VKR_SHAPE_ROWS || l->how.shape == VKR_SHAPE_NODES) {
        const bool none = h->count == 0 || l->of.length == 0;
        window.first = h->first * l->of.stride;
        window.count =
            none ? 0 : (h->count - 1) * l->of.stride + (l->of.length - 1) * l->of.step + 1;
    }
    /* The last block, or the last of folded rows, may be shorter. */
    if (l->how.shape != VKR_SHAPE_COLUMNS || (l->how.fold != 0 && !l->partials))
        window.count = vkr_min(window.count, l->elements - window.first);
    window.first += l->origin;
    window.lead = vkr_lead(&l->reduce->input, window.first, l->how.loads);
    return window;
}

/* What fills a slot with a range of words. */
static vkr_bound words_at(VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    return (vkr_bound){.place = vkr_place_of_bytes(buffer, offset, size, 4)};
}

static VkDeviceSize bytes_of_entries(const vkr_lists *lists)
{
    return 4 * (lists->medium + 3 * lists->large + 2 * lists->parts);
}

VkDeviceSize vkr_bytes_of_counted_lists(const vkr_level *l)
{
    return 12 + (l->reduce->linked != NULL ? bytes_of_entries(&l->lists) : 0);
}

VkDeviceSize vkr_bytes_of_lists(const vkr_level *l)
{
    return l->reduce->linked != NULL ? 0 : bytes_of_entries(&l->lists);
}

/* Binds counts, lists and the partials after them. */
static void bind_lists(const vkr_level *l, vkr_pass *pass)
{
    const vkr_lists *lists = &l->lists;
    const VkDeviceSize bytes = vkr_bytes_of_lists(l);
    const VkDeviceSize partials = lists->parts * l->reduce->partial_bytes;
    const bool linked = l->reduce->linked != NULL, large = l->how.shape == VKR_SHAPE_LARGE;
    pass->slots[VKR_SEGMENT_LISTED] =
        words_at(VKR_COUNTERS, lists->counts, vkr_bytes_of_counted_lists(l));
    if (l->how.shape == VKR_SHAPE_PARTS)
        pass->slots[VKR_SEGMENT_STORED] = words_at(VKR_SCRATCH, lists->at + bytes, partials);
    if (linked && large)
        pass->slots[VKR_SEGMENT_STATES] = words_at(VKR_SCRATCH, lists->at, partials);
    else if (!linked)
        pass->slots[l->how.shape == VKR_SHAPE_OFFSETS ? VKR_SEGMENT_STORED : VKR_SEGMENT_PARTIALS] =
            words_at(VKR_SCRATCH, lists->at, large ? bytes + partials : bytes);
}

/* Binds what segments by offsets read besides elements: their offsets, the number of segments, and
 * lists. */
static void bind_offsets(const vkr_level *l, const vkr_segment_window *h, vkr_pass *pass)
{
    struct vkr_segment_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_segment_uniforms);
    struct vkr_segment_push *push = VKR_PUSH(pass, vkr_segment_push);
    const VkrSegments *segments = &l->reduce->info->segments;
    const bool linked = l->reduce->linked != NULL;
    const uint32_t unit = vkr_bytes_of_offset(l->reduce);
    pass->slots[VKR_SEGMENT_STARTS] =
        words_at(segments->offsets.buffer, segments->offsets.offset + h->first * unit,
                 (h->count + 1) * unit);
    if (l->how.shape == VKR_SHAPE_OFFSETS)
        pass->slots[linked ? VKR_SEGMENT_LINKED_NUMBER : VKR_SEGMENT_NUMBER].place =
            vkr_place_of_count(&segments->gpuCount);
    uniforms->max_medium = (uint32_t)l->lists.medium;
    uniforms->max_large = (uint32_t)l->lists.large;
    push->parts = (uint32_t)l->lists.parts;
    push->first_part = (uint32_t)h->first;
    if (l->lists.medium + l->lists.large != 0)
        bind_lists(l, pass);
}

/* Sets which items of a slot's place a dispatch touches. */
static void touch(vkr_pass *pass, uint32_t slot, uint64_t first, uint64_t count)
{
    pass->slots[slot].span = VKR_SPAN_ITEMS;
    pass->slots[slot].first = first;
    pass->slots[slot].count = count;
}

/* Sets which partials a dispatch reads, and which partials and results it writes. */
static void touch_items(const vkr_level *l, const vkr_segment_window *h,
                        const vkr_level_slots *slots, vkr_pass *pass)
{
    const bool windows = l->how.shape == VKR_SHAPE_WINDOWS;
    const uint64_t stored = windows || (l->partials && !is_tiles(l)) ? 1 : l->parts;
    touch(pass, slots->results, l->origin + h->first, h->count);
    touch(pass, slots->stored, windows ? 0 : h->first * stored, h->count * stored);
    touch(pass, slots->partials, h->first * l->parts, h->count * l->parts);
    if (l->how.shape == VKR_SHAPE_NODES)
        touch(pass, slots->stored, 0, l->left);
    if (l->reduce->linked != NULL && l->partials && l->how.fold != 0)
        touch(pass, slots->partials, h->first / l->how.fold * l->how.part_length,
              vkr_divide_up(h->count, l->how.fold) * l->how.part_length);
    if (windows)
        pass->slots[slots->partials] = vkr_items(l->between, 0, l->between_count);
}

/* Declares the whole descriptor of results where they can start inside a granule that the previous
 * window also writes. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_level *l = pass->operation;
    const struct vkr_segment_push *push = VKR_PUSH(step, vkr_segment_push);
    const VkDescriptorBufferInfo *results = &step->bindings[VKR_SEGMENT_BINDING_OUTPUT].buffer;
    (void)window;
    if (l->reduce->linked != NULL)
        vkr_link_step(l->reduce->linked, step);
    if (results->buffer != VK_NULL_HANDLE && push->segments != l->reduce->segments)
        vkr_use(step, results->buffer, results->offset, results->range, VK_ACCESS_SHADER_WRITE_BIT);
}

/* ---- One dispatch ---- */

/* The number of ids of a dispatch: parts of segments, or entries of a list. */
static uint64_t ids_of(const vkr_level *l, const vkr_segment_window *h)
{
    switch (l->how.shape) {
    case VKR_SHAPE_MEDIUM:
        return l->lists.medium;
    case VKR_SHAPE_PARTS:
        return l->lists.parts;
    case VKR_SHAPE_LARGE:
        return l->lists.large;
    case VKR_SHAPE_WINDOWS:
        return h->count;
    case VKR_SHAPE_NODES:
        return h->parts * l->how.neighbours;
    default:
        return h->count * h->parts;
    }
}

/* Sets what only the kernels `segment` and `neighbours` read. */
static void set_segments(const vkr_level *l, const vkr_segment_window *h, uint64_t ids,
                         uint64_t items, vkr_pass *pass)
{
    pass->constants[VKR_CONST_FLAGS] |= flags_of(l, h->count);
    pass->finish = finish;
    pass->operation = l;
    pass->constants[VKR_SEGMENT_CONST_SHAPE] = l->how.shape;
    pass->constants[VKR_SEGMENT_CONST_LENGTH] = constant_length(l);
    pass->constants[VKR_SEGMENT_CONST_NEIGHBOURS] = vkr_segments_of_id(&l->how);
    *VKR_PUSH(pass, vkr_segment_push) =
        (struct vkr_segment_push){.ids = (uint32_t)ids,
                                  .items = (uint32_t)items,
                                  .segments = (uint32_t)h->count,
                                  .segment_stride = (uint32_t)l->of.stride,
                                  .element_stride = (uint32_t)l->of.step,
                                  .segment_length = (uint32_t)length_of(l, h),
                                  .parts = (uint32_t)h->parts,
                                  .first_part = (uint32_t)h->first_part};
    *VKR_UNIFORMS(pass, vkr_segment_uniforms) =
        (struct vkr_segment_uniforms){.part_length = (uint32_t)l->how.part_length,
                                      .all_parts = (uint32_t)l->parts,
                                      .fold = (uint32_t)l->how.fold};
    if (is_by_offsets(l))
        bind_offsets(l, h, pass);
}

typedef struct kernel {
    const vkr_card *card;
    vkr_family family;
    vkr_level_slots slots;
} kernel;

static kernel choose_kernel(const vkr_level *l)
{
    kernel k = {&vkr_segment_card, VKR_FAMILY_SEGMENT, VKR_LEVEL_SLOTS(VKR_SEGMENT)};
    if (is_by_offsets(l))
        k.slots.mask = VKR_SEGMENT_MASK_IN_INPUT2;
    if (l->reduce->linked != NULL) {
        k.card = &vkr_segment_linked_card;
        k.family = VKR_FAMILY_SEGMENT_LINKED;
        k.slots.partials = VKR_SEGMENT_STATES;
    }
    if (l->how.neighbours != 0 && !is_by_offsets(l)) {
        k.card = &vkr_neighbour_card;
        k.family = VKR_FAMILY_NEIGHBOURS;
    }
    if (is_tiles(l))
        k = (kernel){vkr_is_image_load(l->how.loads) ? &vkr_tile_image_card : &vkr_tile_card,
                     VKR_FAMILY_TILE, VKR_LEVEL_SLOTS(VKR_TILE)};
    return k;
}

VkrResult vkr_add_dispatch(VkrRecorder recorder, const vkr_level *l, const vkr_segment_window *h)
{
    const kernel k = choose_kernel(l);
    const uint64_t ids = ids_of(l, h);
    uint64_t items = 0;
    vkr_walk walk = l->reduce->walk;
    vkr_window window = elements_of(l, h);
    VKR_TRY(vkr_choose_groups(l, ids, &items, &window.groups));
    walk.family = k.family;
    walk.apart = l->how.apart;
    vkr_set_loads(&walk, l->how.loads);
    walk.batch = l->how.loads != 0 ? l->how.batch : 1;
    vkr_pass pass = vkr_pass_of_level(l, &walk, k.card, &k.slots, 0);
    pass.constants[VKR_SEGMENT_CONST_TEAM] = l->how.team;
    touch_items(l, h, &k.slots, &pass);
    if (is_tiles(l))
        vkr_set_tiles(l, h, ids, items, &pass, &window);
    else
        set_segments(l, h, ids, items, &pass);
    return vkr_emit_window(recorder, &pass, &window);
}
