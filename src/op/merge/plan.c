/* SPDX-License-Identifier: MIT */
/* The steps of a merge: the places where windows end, if there are several; for each pair of them
 * the places where shares begin, and their merge; and payloads by the list of indices. */
#include <inttypes.h>

#include "../../plan/order.h"
#include "../../plan/pick.h"
#include "../../tables/policies.h"
#include "kernel_list.h"
#include "merge.h"

#define MAX_WINDOW ((uint64_t)1 << 30) /* so that the outputs of two of them stay below 2^31 */

/* ---- Geometry ---- */

/* The workgroup, and the outputs of an invocation, for keys of up to 4 bytes and of 8; and whether
 * a workgroup stages its share in shared memory. On lavapipe an access of a lane to shared memory
 * takes as long as one to a buffer. Odd numbers of outputs keep the lanes of a subgroup in
 * different banks of shared memory. */
typedef struct numbers {
    uint32_t classes, workgroup, items, items_of_8;
    bool is_staged;
} numbers;

static const numbers rows[] = {{VKR_CPUS, 8, 2048, 2048, false},
                               {VKR_ALL_DEVICES, 128, 15, 9, true}};

/* Workgroups of a size that the caller chooses share their work everywhere. */
static const numbers *numbers_of(const vkr_merge *m)
{
    const numbers *row = rows;
    while (!vkr_fits_device(&m->walk.context->caps, row->classes, VKR_ANY_VENDOR))
        row++;
    return m->info->workgroupSize != 0 ? &rows[VKR_ARRAY_SIZE(rows) - 1] : row;
}

/* Bytes of a workgroup's share in shared memory. */
static uint64_t shared_bytes(const vkr_merge *m)
{
    const uint64_t word = vkr_max(m->sides[VKR_MERGE_A].keys.type->size, 4);
    return word * m->walk.workgroup_size * m->walk.items;
}

static VkrResult choose_workgroup(vkr_merge *m)
{
    vkr_walk *w = &m->walk;
    const uint32_t asked = m->info->workgroupSize, most = w->context->caps.max_shared_memory;
    const numbers *n = numbers_of(m);
    VKR_TRY(vkr_choose_workgroup(w, asked, n->workgroup, &(vkr_shared){0}));
    w->items = m->sides[VKR_MERGE_A].keys.type->size == 8 ? n->items_of_8 : n->items;
    m->is_staged = n->is_staged;
    while (m->is_staged && w->items > 1 && shared_bytes(m) > most)
        w->items -= 2;
    while (m->is_staged && asked == 0 && shared_bytes(m) > most)
        w->workgroup_size /= 2;
    VKR_NEED(w, !m->is_staged || shared_bytes(m) <= most,
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             asked, most);
    m->share = (uint64_t)w->items * (m->is_staged ? w->workgroup_size : 1);
    return VKR_SUCCESS;
}

/* Lowers a number of items to those that one descriptor reaches, unless it reaches `count`. */
static uint64_t lower(const vkr_merge *m, const vkr_view *view, uint64_t count, uint64_t most)
{
    const vkr_caps *caps = &m->walk.context->caps;
    const vkr_place place = vkr_place_of_view(view);
    if (!vkr_has_buffer(view) || vkr_place_window(caps, &place, 0) >= count)
        return most;
    return vkr_min(most, vkr_place_reach(caps, &place));
}

/* Windows of both sequences have outputs together that a descriptor reaches, and shares, with one
 * more where they end, for as many workgroups as a dispatch has. */
static VkrResult choose_windows(vkr_merge *m)
{
    const vkr_walk *w = &m->walk;
    const uint64_t shares = vkr_all_groups(&w->context->caps) - 1;
    uint64_t outputs = vkr_min(2 * MAX_WINDOW, vkr_max(shares, 1) * m->share), pairs = 1;
    outputs = lower(m, &m->merged, w->count, outputs);
    outputs = lower(m, &m->values, w->count, outputs);
    for (uint32_t i = 0; i < VKR_MERGE_SIDES; i++) {
        const uint64_t count = m->sides[i].walk.count;
        uint64_t window = outputs >= w->count ? vkr_max(count, 1) : outputs / 2;
        window = lower(m, &m->sides[i].keys, count, vkr_min(window, MAX_WINDOW));
        window = lower(m, &m->carried[i], count, window);
        VKR_FIT(w, window != 0, "two elements of each output");
        m->window[i] = window;
        const uint64_t windows = vkr_max(vkr_divide_up(count, window), 1);
        pairs *= vkr_min(windows, VKR_MAX_PAIRS + 1);
        m->windows[i] = (uint32_t)vkr_min(windows, VKR_MAX_PAIRS + 1);
    }
    if (pairs > VKR_MAX_PAIRS)
        return vkr_refuse_dispatches(
            w, VKR_MAX_PAIRS, "a.count is %" PRIu64 " and b.count %" PRIu64,
            m->sides[VKR_MERGE_A].walk.count, m->sides[VKR_MERGE_B].walk.count);
    return VKR_SUCCESS;
}

static bool has_windows(const vkr_merge *m)
{
    return m->windows[VKR_MERGE_A] > 1 || m->windows[VKR_MERGE_B] > 1;
}

/* The word of the table with the entry of a window; the first window has none. */
static uint64_t edge_of(const vkr_merge *m, uint32_t side, uint64_t window)
{
    return m->edges[side] + window - 1;
}

/* Lists that a dispatch writes start where a descriptor can, which keeps them apart. */
static uint64_t round_up(const vkr_merge *m, uint64_t words)
{
    const uint64_t granule = vkr_divide_up(m->walk.context->caps.granule, 4);
    return vkr_divide_up(words, granule) * granule;
}

static VkrResult add_table(VkrRecorder recorder, vkr_merge *m)
{
    const vkr_walk *w = &m->walk;
    const uint64_t outputs = vkr_min(w->count, m->window[VKR_MERGE_A] + m->window[VKR_MERGE_B]);
    const uint64_t splits = vkr_divide_up(outputs, m->share) + 1;
    m->edges[VKR_MERGE_A] = round_up(m, VKR_MERGE_SPLITS + splits);
    m->edges[VKR_MERGE_B] = round_up(m, m->edges[VKR_MERGE_A] + m->windows[VKR_MERGE_A]);
    const uint64_t words = m->edges[VKR_MERGE_B] + m->windows[VKR_MERGE_B];
    VKR_FIT(w, 4 * words <= vkr_room(&w->context->caps),
            "the shares of %" PRIu64 " outputs, %" PRIu64 " words,", outputs, words);
    return vkr_add_words(recorder, VKR_SCRATCH, words, 1, &m->table);
}

/* ---- Edges ---- */

static vkr_order order_of(const vkr_merge *m)
{
    const uint32_t flags = m->info->flags;
    vkr_order order =
        vkr_order_of(m->sides[VKR_MERGE_A].keys.type, (flags & VKR_MERGE_DESCENDING_BIT) != 0,
                     (flags & VKR_MERGE_NAN_FIRST_BIT) != 0);
    if ((flags & VKR_MERGE_BY_VALUE_BIT) != 0)
        vkr_order_by_value(&order);
    return order;
}

/* Searches the other sequence for the last element of each window but the last one: where this
 * window ends, so many of the other sequence's elements have come. */
static VkrResult add_edges(VkrRecorder recorder, const vkr_merge *m, uint32_t i)
{
    static const uint32_t kernels[] = {VKR_KERNEL_BOUNDS_8, VKR_KERNEL_BOUNDS_16,
                                       VKR_KERNEL_BOUNDS_32, VKR_KERNEL_BOUNDS_64};
    const vkr_merge_side *side = &m->sides[i], *other = &m->sides[1 - i];
    const uint64_t all = other->walk.count;
    const vkr_order order = order_of(m);
    vkr_walk walk = vkr_new_groups_walk(recorder, m->walk.call);
    vkr_place ends = vkr_place_of_view(&side->keys);
    ends.offset += (m->window[i] - 1) * ends.stride;
    ends.stride *= m->window[i];
    walk.count = m->windows[i] - 1;
    walk.workgroup_size = VKR_SMALL_WORKGROUP;
    walk.items = VKR_BOUNDS_AT_ONCE;
    walk.window_grain = 1;
    if (walk.count == 0)
        return VKR_SUCCESS;
    walk.reach = vkr_place_reach(&walk.context->caps, &ends);
    vkr_choose_window(&walk);
    VKR_TRY(vkr_cut(&walk));
    vkr_bound sorted = vkr_any_of(i == VKR_MERGE_A ? "b.keys" : "a.keys",
                                  vkr_place_of_view(&other->keys), all, all);
    sorted.before = 1;
    const uint32_t counted = vkr_count_flags(&other->info->gpuCount);
    const VkDeviceSize first = m->table.offset + 4 * edge_of(m, i, 1);
    const uint32_t slot = i == VKR_MERGE_A ? VKR_BOUNDS_SLOT_OUTPUTS : VKR_BOUNDS_SLOT_UPPER;
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_bounds_card,
        .kernel = kernels[vkr_log2_up(side->keys.type->size)],
        .constants = {[VKR_BOUNDS_CONST_FLAGS] =
                          (i == VKR_MERGE_A ? VKR_BOUNDS_FLAG_LOWER : VKR_BOUNDS_FLAG_UPPER) |
                          ((counted & VKR_FLAG_GPU_COUNT) ? VKR_BOUNDS_FLAG_SORTED_COUNT : 0) |
                          ((counted & VKR_FLAG_GPU_COUNT64) ? VKR_BOUNDS_FLAG_SORTED_COUNT64 : 0) |
                          (vkr_is_bound_at_once(&walk, &sorted) ? 0 : VKR_BOUNDS_FLAG_WINDOWS)},
        .slots = {[VKR_BOUNDS_SLOT_VALUES] = vkr_per_element(ends),
                  [VKR_BOUNDS_SLOT_SORTED] = sorted,
                  [VKR_BOUNDS_SLOT_SORTED_COUNT] = {
                      .place = vkr_place_of_count(&other->info->gpuCount)}}};
    pass.slots[slot] = vkr_per_element(vkr_place_of_words(VKR_SCRATCH, first, 1));
    vkr_set_order(&order, &pass.constants[VKR_BOUNDS_CONST_KEY_FORM]);
    struct vkr_bounds_push *push = VKR_PUSH(&pass, vkr_bounds_push);
    VKR_SET64(push, sorted_total, all);
    return vkr_emit(recorder, &pass);
}

/* ---- Windows ---- */

enum { SPLIT, MERGE };

static uint32_t flags_of(const vkr_merge *m)
{
    const uint32_t b = vkr_count_flags(&m->info->b.gpuCount);
    return vkr_count_flags(&m->info->a.gpuCount) |
           ((b & VKR_FLAG_GPU_COUNT) != 0 ? VKR_MERGE_FLAG_COUNT_B : 0) |
           ((b & VKR_FLAG_GPU_COUNT64) != 0 ? VKR_MERGE_FLAG_COUNT_B64 : 0) |
           (m->is_staged ? VKR_MERGE_FLAG_STAGED : 0);
}

/* The flags that only one of the two kernels knows leave the other one its pipeline. */
static vkr_pass pass_of(const vkr_merge *m, uint32_t which)
{
    static const struct {
        const vkr_card *card;
        uint32_t sizes[4]; /* by the size of keys */
    } kernels[] = {
        [SPLIT] = {&vkr_merge_split_card,
                   {VKR_KERNEL_MERGE_SPLIT_8, VKR_KERNEL_MERGE_SPLIT_16, VKR_KERNEL_MERGE_SPLIT_32,
                    VKR_KERNEL_MERGE_SPLIT_64}},
        [MERGE] = {&vkr_merge_card,
                   {VKR_KERNEL_MERGE_8, VKR_KERNEL_MERGE_16, VKR_KERNEL_MERGE_32,
                    VKR_KERNEL_MERGE_64}},
    };
    const uint32_t only_merge =
        (vkr_has_buffer(&m->merged) ? VKR_MERGE_FLAG_KEYS : 0) |
        (vkr_has_buffer(&m->values) ? VKR_MERGE_FLAG_VALUES : 0) |
        (vkr_has_buffer(&m->carried[VKR_MERGE_A]) || vkr_has_buffer(&m->carried[VKR_MERGE_B])
             ? VKR_MERGE_FLAG_CARRIED
             : 0);
    const vkr_order order = order_of(m);
    vkr_pass pass = {.walk = &m->walk,
                     .card = kernels[which].card,
                     .kernel =
                         kernels[which].sizes[vkr_log2_up(m->sides[VKR_MERGE_A].keys.type->size)],
                     .constants = {[VKR_CONST_WORKGROUP] = m->walk.workgroup_size,
                                   [VKR_MERGE_CONST_ITEMS] = m->walk.items}};
    pass.constants[VKR_MERGE_CONST_FLAGS] =
        which == MERGE ? (flags_of(m) & VKR_MERGE_FLAG_STAGED) | only_merge
                       : flags_of(m) | (has_windows(m) ? VKR_MERGE_FLAG_WINDOWS : 0);
    vkr_set_order(&order, &pass.constants[VKR_MERGE_CONST_KEY_FORM]);
    struct vkr_merge_push *push = VKR_PUSH(&pass, vkr_merge_push);
    push->all_a = (uint32_t)m->sides[VKR_MERGE_A].walk.count;
    push->all_b = (uint32_t)m->sides[VKR_MERGE_B].walk.count;
    return pass;
}

/* The elements of a window of a sequence. */
static vkr_extent window_of(const vkr_merge *m, uint32_t side, uint64_t number)
{
    const uint64_t first = number * m->window[side], all = m->sides[side].walk.count;
    return (vkr_extent){first, vkr_min(m->window[side], all - first)};
}

static void fill_windows(const vkr_merge *m, vkr_extent a, vkr_extent b, vkr_pass *pass)
{
    struct vkr_merge_push *push = VKR_PUSH(pass, vkr_merge_push);
    const vkr_place keys[VKR_MERGE_SIDES] = {vkr_place_of_view(&m->sides[VKR_MERGE_A].keys),
                                             vkr_place_of_view(&m->sides[VKR_MERGE_B].keys)};
    pass->slots[VKR_MERGE_SLOT_A] = vkr_items(keys[VKR_MERGE_A], a.first, a.count);
    pass->slots[VKR_MERGE_SLOT_B] = vkr_items(keys[VKR_MERGE_B], b.first, b.count);
    push->first_a = (uint32_t)a.first;
    push->first_b = (uint32_t)b.first;
    push->window_a = (uint32_t)a.count;
    push->window_b = (uint32_t)b.count;
}

static void fill_outputs(const vkr_merge *m, vkr_extent a, vkr_extent b, vkr_pass *pass)
{
    const vkr_extent outputs = {a.first + b.first, a.count + b.count};
    const vkr_place merged = vkr_place_of_view(&m->merged), values = vkr_place_of_view(&m->values);
    pass->slots[VKR_MERGE_SLOT_READ_TABLE].place = m->table;
    pass->slots[VKR_MERGE_SLOT_MERGED] = vkr_items(merged, outputs.first, outputs.count);
    pass->slots[VKR_MERGE_SLOT_VALUES] = vkr_items(values, outputs.first, outputs.count);
    pass->slots[VKR_MERGE_SLOT_CARRIED_A] =
        vkr_items(vkr_place_of_view(&m->carried[VKR_MERGE_A]), a.first, a.count);
    pass->slots[VKR_MERGE_SLOT_CARRIED_B] =
        vkr_items(vkr_place_of_view(&m->carried[VKR_MERGE_B]), b.first, b.count);
}

/* Merges a window of A and one of B. */
static VkrResult add_windows(VkrRecorder recorder, const vkr_merge *m, uint32_t a, uint32_t b)
{
    const vkr_extent of_a = window_of(m, VKR_MERGE_A, a), of_b = window_of(m, VKR_MERGE_B, b);
    const uint64_t shares = vkr_divide_up(of_a.count + of_b.count, m->share);
    const uint32_t size = m->walk.workgroup_size;
    vkr_pass split = pass_of(m, SPLIT), merge = pass_of(m, MERGE);
    struct vkr_merge_push *push = VKR_PUSH(&split, vkr_merge_push);
    fill_windows(m, of_a, of_b, &split);
    fill_windows(m, of_a, of_b, &merge);
    fill_outputs(m, of_a, of_b, &merge);
    split.slots[VKR_MERGE_SLOT_TABLE].place = m->table;
    split.slots[VKR_MERGE_SLOT_COUNT_A].place = vkr_place_of_count(&m->info->a.gpuCount);
    split.slots[VKR_MERGE_SLOT_COUNT_B].place = vkr_place_of_count(&m->info->b.gpuCount);
    push->edge_a = (uint32_t)edge_of(m, VKR_MERGE_A, a);
    push->edge_b = (uint32_t)edge_of(m, VKR_MERGE_B, b);
    VKR_TRY(vkr_emit_groups(recorder, &split, vkr_divide_up(shares + 1, size)));
    const uint64_t groups = m->is_staged ? shares : vkr_divide_up(shares, size);
    return vkr_emit_groups(recorder, &merge, groups);
}

/* ---- Payloads ---- */

/* Chooses what is stored for each output: the words of the only payload, or indices. */
static VkrResult choose_values(VkrRecorder recorder, vkr_merge *m)
{
    const VkrMergeInfo *info = m->info;
    m->values = m->indices;
    if (info->payloadCount == 0 || vkr_has_buffer(&m->indices))
        return VKR_SUCCESS;
    if (info->payloadCount == 1 && info->payloads[0].size == 4) {
        for (uint32_t i = 0; i < VKR_MERGE_SIDES; i++) {
            const VkrPayload payload = vkr_merge_payload_of(&info->payloads[0], i);
            if (m->sides[i].walk.count != 0)
                m->carried[i] = vkr_view_of_source(&m->sides[i].walk, &payload);
            m->values = vkr_view_of_target(&payload);
        }
        return VKR_SUCCESS;
    }
    const VkDeviceSize size = 4 * m->walk.count;
    m->values = (vkr_view){.buffer = VKR_SCRATCH,
                           .type = &vkr_types[VKR_TYPE_U32],
                           .type_id = VKR_TYPE_U32,
                           .components = 1,
                           .stride = 4,
                           .size = size,
                           .capacity = m->walk.count};
    return vkr_add_scratch(recorder, size, &m->values.offset);
}

/* Copies the entries of a payload that the list names, and that lie on one side. */
static VkrResult add_payload(VkrRecorder recorder, const vkr_merge *m, uint32_t i, uint32_t side)
{
    static const char *const names[VKR_MERGE_SIDES] = {"a payload's entries of a",
                                                       "a payload's entries of b"};
    const VkrPayload payload = vkr_merge_payload_of(&m->info->payloads[i], side);
    const VkrGpuCount all = {VKR_SCRATCH, m->table.offset + 4 * (uint64_t)VKR_MERGE_AT_ALL,
                             VKR_TYPE_U32};
    const uint64_t outputs = m->walk.count, sources = m->sides[side].walk.count;
    const vkr_picking picking = {.walk = &m->walk,
                                 .gpu_count = &all,
                                 .workgroup_size = VKR_SMALL_WORKGROUP,
                                 .length = outputs,
                                 .row_pitch = sources,
                                 .wanted = outputs,
                                 .pitch = outputs,
                                 .entries = outputs,
                                 .list = vkr_place_of_view(&m->values),
                                 .source_name = names[side],
                                 .name = "a payload's target",
                                 .source = vkr_view_of_source(&m->sides[side].walk, &payload),
                                 .first_source =
                                     side == VKR_MERGE_B ? m->sides[VKR_MERGE_A].walk.count : 0,
                                 .sources = sources,
                                 .target = vkr_view_of_target(&payload)};
    return sources == 0 ? VKR_SUCCESS : vkr_plan_picking(recorder, &picking);
}

static VkrResult add_payloads(VkrRecorder recorder, const vkr_merge *m)
{
    if (vkr_has_buffer(&m->carried[VKR_MERGE_A]) || vkr_has_buffer(&m->carried[VKR_MERGE_B]))
        return VKR_SUCCESS;
    for (uint32_t i = 0; i < m->info->payloadCount; i++)
        for (uint32_t side = 0; side < VKR_MERGE_SIDES; side++)
            VKR_TRY(add_payload(recorder, m, i, side));
    return VKR_SUCCESS;
}

/* ---- All steps ---- */

VkrResult vkr_plan_merge(VkrRecorder recorder, vkr_merge *m)
{
    const vkr_walk groups = vkr_new_groups_walk(recorder, m->walk.call);
    const uint64_t count = m->walk.count;
    m->walk = groups;
    m->walk.count = count;
    VKR_TRY(choose_values(recorder, m));
    VKR_TRY(choose_workgroup(m));
    VKR_TRY(choose_windows(m));
    VKR_TRY(add_table(recorder, m));
    for (uint32_t i = 0; i < VKR_MERGE_SIDES; i++)
        VKR_TRY(add_edges(recorder, m, i));
    for (uint32_t a = 0; a < m->windows[VKR_MERGE_A]; a++)
        for (uint32_t b = 0; b < m->windows[VKR_MERGE_B]; b++)
            VKR_TRY(add_windows(recorder, m, a, b));
    return add_payloads(recorder, m);
}
