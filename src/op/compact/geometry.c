/* SPDX-License-Identifier: MIT */
/* How a checked compaction is cut into runs, workgroups and windows: pure arithmetic. */
#include "compact.h"

#define FIND_BYTES (UINT64_C(1) << 17) /* of a workgroup's share of a search */

static bool allows_loads(const void *operation, uint32_t loads)
{
    const vkr_compact *c = operation;
    const bool only_packs = vkr_is_stream(c->info) || c->bits || c->finds;
    const bool whole = c->tested.components == 1 ||
                       (!vkr_is_stream(c->info) && VKR_PACK % vkr_element_size(&c->tested) == 0);
    return whole && (!only_packs || loads == VKR_LOADS_VEC4) &&
           (!c->bits || c->walk.view == &c->spread);
}

/* The number of tested elements that a descriptor reaches wherever it starts, or all of them. Where
 * the predicate looks at the previous element, the descriptor reaches that one too. */
static uint64_t reach(const vkr_compact *c)
{
    const vkr_caps *caps = &c->walk.context->caps;
    if (c->bits)
        return vkr_clamp(vkr_room(caps) / 4 * VKR_WORD_BITS, 1, VKR_MAX_POSITIONS);
    if (c->predicate & VKR_UNREAD_BIT)
        return VKR_MAX_POSITIONS;
    const bool before = c->predicate % 16 == VKR_TEST_UNIQUE;
    vkr_view bound = c->tested;
    bound.offset -= c->continued ? bound.stride : 0;
    const uint64_t reach = vkr_view_reach(caps, &bound, c->walk.count + before);
    return vkr_clamp(reach - (before && reach > 1), 1, VKR_MAX_POSITIONS);
}

static void set_bounds(vkr_compact *c)
{
    vkr_walk *w = &c->walk;
    const vkr_caps *caps = &c->walk.context->caps;
    const uint32_t unit = w->unit;
    w->order = (uint32_t)w->tuning->order;
    w->batch =
        w->count == 0 ? 1 : (uint32_t)vkr_clamp(w->tuning->flight, 1, VKR_MAX_UNROLLED / unit);
    const uint32_t values = c->tested.components > 1 ? c->tested.components : 0;
    const uint64_t scanned = (uint64_t)VKR_PREFIX_TRIPS * w->workgroup_size;
    const uint64_t stored = (vkr_room(caps) - 4 * (uint64_t)VKR_RECORD_WORDS) / 8 - 1;
    w->element_bytes = c->bits ? 1 : vkr_element_size(&c->tested);
    w->reach = reach(c);
    w->stored_partials = stored;
    w->max_partials = vkr_min(scanned, stored);
    w->grain = unit * (w->loads != 0 && w->order == VKR_ORDER_CONTIGUOUS ? w->batch : 1);
    w->coalesced_grain = unit;
    w->trips_of_unit = 4 + unit * (3 + 2 * values); /* elements are loaded, tested and stored */
    w->window_grain = c->bits ? VKR_WORD_BITS : 1;  /* no two windows share a word of flags */
    w->whole_loads = w->loads == VKR_LOADS_TEXEL;
}

static const char *why_not_single_pass(const void *operation, char text[VKR_REASON])
{
    (void)text;
    const vkr_compact *c = operation;
    const vkr_caps *caps = &c->walk.context->caps;
    if (c->walk.context->forward_progress == VKR_FORWARD_PROGRESS_NONE)
        return "the context's forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another";
    if (c->info->payloadCount != 0)
        return "payloadCount must then be 0";
    if (vkr_has_buffer(&c->lengths))
        return "runLengths.buffer must then be VK_NULL_HANDLE";
    if (c->info->sink != NULL)
        return "sink must then be NULL";
    if (c->beside_flags || vkr_is_listed(c, VKR_KEPT) || vkr_is_listed(c, VKR_REJECTED))
        return "kept and rejected must then be empty where the predicate is flags";
    if (c->walk.count >= VKR_MAX_POSITIONS)
        return "count must then be below 2^30";
    const uint64_t share = (uint64_t)c->walk.workgroup_size * c->walk.items;
    const uint64_t tiles = vkr_divide_up(c->walk.count + VKR_PACK, share);
    if (c->walk.count > c->walk.window || 4 * (tiles + 1) > vkr_room(caps))
        return "input must then fit maxStorageBufferRange";
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *const views[] = {&c->sides[side].values, &c->sides[side].indices};
        for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++) {
            const uint64_t held = views[i]->capacity;
            const uint64_t limit = vkr_is_appended(c, side) ? held : vkr_min(held, c->walk.count);
            if (vkr_has_buffer(views[i]) && limit > vkr_view_window(caps, views[i], 0))
                return "outputs must then fit maxStorageBufferRange";
        }
    }
    return NULL;
}

/* Whether the kernel that tests flags can also move values: it stores packed words, four at a time,
 * and needs no list. Only kernels that load bytes have this path, which flags of bytes and of bits
 * use; kernels without shuffles lack it, to stay small. */
static bool moves_value_words(const vkr_compact *c)
{
    const vkr_walk *w = &c->walk;
    if (c->moves_values || !vkr_has_buffer(&c->input) || w->loads == 0 ||
        w->view->type->size != 1 || w->order != VKR_ORDER_CONTIGUOUS ||
        w->group_path == VKR_GROUP_PATH_SHARED || c->info->gpuCount.buffer != VK_NULL_HANDLE ||
        c->input.type->size != 4 || c->input.components != 1 ||
        vkr_view_reach(&c->walk.context->caps, &c->input, w->count) < w->count)
        return false;
    const vkr_view *const views[] = {&c->input, &c->sides[VKR_KEPT].values,
                                     &c->sides[VKR_REJECTED].values};
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        if (vkr_has_buffer(views[i]) && !vkr_is_packed(views[i]))
            return false;
    return true;
}

/* Whether the values beside flags are loaded as texels, as the tuning row for such values says. */
static bool has_value_texels(const vkr_compact *c)
{
    return c->beside_flags &&
           vkr_tuning_of(c->walk.context, VKR_OPERATION_COMPACT, &c->input)->path ==
               VKR_LOAD_TEXEL &&
           vkr_view_loads(&c->input, VKR_LOADS_TEXEL) &&
           vkr_kernel_of(&c->walk, VKR_FAMILY_COMPACT, VKR_LOADS_TEXEL) < vkr_kernel_count;
}

static VkrResult start_walk(vkr_compact *c, const vkr_view *view)
{
    vkr_walk *w = &c->walk;
    vkr_start_walk(w, VKR_OPERATION_COMPACT, VKR_FAMILY_COMPACT, view);
    VKR_TRY(vkr_choose_workgroup(w, c->info->workgroupSize, w->tuning->workgroupSize,
                                 &(vkr_shared){0}));
    vkr_choose_loads(w, allows_loads, c);
    return VKR_SUCCESS;
}

/* Where the device supports bytes, kernels for bytes load one-bit flags in units of 16. Otherwise
 * these flags are loaded one by one. */
static VkrResult choose_walk(vkr_compact *c)
{
    const bool has_bytes = (c->walk.context->caps.features & VKR_FEATURE_STORAGE_8BIT) != 0;
    c->spread = (vkr_view){.buffer = c->tested.buffer,
                           .type = &vkr_types[VKR_TYPE_U8],
                           .type_id = VKR_TYPE_U8,
                           .components = 1,
                           .stride = 1,
                           .capacity = c->tested.capacity};
    if (c->bits && has_bytes && !vkr_is_stream(c->info))
        VKR_TRY(start_walk(c, &c->spread));
    return c->walk.loads != 0 ? VKR_SUCCESS : start_walk(c, &c->tested);
}

/* The log2 of the bits of a flag that lies in an array. */
static uint32_t log2_of_flag(const vkr_compact *c)
{
    return c->bits ? 0 : vkr_log2_up(8 * c->tested.type->size);
}

/* Whether flags lie in an array that can be read as whole words, for elements that a kernel would
 * move in a pass of its own. The binding of the GPU's count is that of the flags. */
static bool has_flags_beside(const vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const uint64_t bits = c->walk.count << log2_of_flag(c);
    return info->predicate.kind == VKR_PREDICATE_FLAGS && info->algorithm == VKR_COMPACT_AUTO &&
           c->function == NULL && !c->moves_values && vkr_has_buffer(&c->input) &&
           info->gpuCount.buffer == VK_NULL_HANDLE && c->tested.offset % 4 == 0 &&
           (c->bits || bits % VKR_WORD_BITS == 0) &&
           bits / 8 + 4 <= vkr_room(&c->walk.context->caps);
}

/* Tests elements instead of flags that lie beside them, if tiles are preferred then, and the kernel
 * finds the flags of a unit in one word, or in a word each. */
static VkrResult choose_beside(vkr_compact *c)
{
    const vkr_compact before = *c;
    const uint32_t log2 = log2_of_flag(c);
    if (!has_flags_beside(c))
        return VKR_SUCCESS;
    c->beside = vkr_items(vkr_place_of_words(c->tested.buffer, c->tested.offset, 1), 0,
                          vkr_divide_up(c->walk.count << log2, VKR_WORD_BITS));
    c->predicate = VKR_PREDICATE_WORD(VKR_TEST_BESIDE, 0, 0, c->predicate >> 12 & 1u, 0, log2);
    c->tested = c->input;
    c->bits = false;
    c->moves_values = true;
    VKR_TRY(start_walk(c, &c->tested));
    set_bounds(c);
    if (c->walk.loads != 0 &&
        (log2 == 5 ? c->walk.unit <= 4 : c->walk.unit << log2 <= VKR_WORD_BITS))
        VKR_TRY(vkr_choose_tiles(&c->walk, why_not_single_pass, c));
    if (!c->walk.tiles || !vkr_holds_tiles(c, VKR_MODE_TILES))
        *c = before;
    return VKR_SUCCESS;
}

VkrResult vkr_plan_compact_geometry(vkr_compact *c)
{
    vkr_walk *w = &c->walk;
    VKR_TRY(choose_beside(c));
    if (c->beside.count != 0)
        return VKR_SUCCESS;
    VKR_TRY(choose_walk(c));
    set_bounds(c);
    c->beside_flags = moves_value_words(c);
    c->texels = has_value_texels(c);
    c->moves_values = c->moves_values || c->beside_flags;
    return vkr_choose_shares(w, c->info->algorithm == VKR_COMPACT_SINGLE_PASS,
                             c->info->algorithm == VKR_COMPACT_AUTO, why_not_single_pass, c);
}

VkrResult vkr_plan_find_geometry(vkr_compact *c)
{
    vkr_walk *w = &c->walk;
    VKR_TRY(choose_walk(c));
    set_bounds(c);
    w->order = VKR_ORDER_COALESCED;
    const uint64_t grain = (uint64_t)w->unit * w->batch;
    const uint64_t share = FIND_BYTES / w->element_bytes / w->workgroup_size;
    const uint64_t fits = w->reach / w->workgroup_size;
    w->items = (uint32_t)vkr_max(vkr_min(share, fits) / grain, 1) * (uint32_t)grain;
    vkr_choose_window(w);
    return vkr_cut(w);
}
