/* SPDX-License-Identifier: MIT */
/*
 * The steps of a radix sort: for each digit a pass that counts, one that scans the counts, and one
 * that scatters (shaders/cards/sort.h). Rows that are too many for one table of counts are sorted in
 * batches.
 */
#include <inttypes.h>

#include "../plan/rows.h"
#include "kernel_list.h"
#include "sort.h"

#define WORKGROUP 256u
#define SHARED_BYTES 16384u /* that a workgroup may need, unless its size is the caller's choice */
#define GROUPS_ON_CPU 64u   /* workgroups of a sort */
#define GROUPS_ON_GPU 1024u
#define MAX_GROUPS 2048u /* of a table of counts, unless a row needs more */
#define TILE_TRIPS 80u   /* of an invocation's loops, for one tile */

/* How one sort is done. */
typedef struct sort_plan {
    const vkr_sorting *sorting;
    const vkr_caps *caps;
    vkr_walk walk; /* without elements */
    bool shared;   /* the kernels without subgroup operations */
    uint32_t workgroup, ranks, copies, flags;
    uint32_t passes; /* with the extra one */
    uint64_t row, rows;
    uint64_t groups; /* of a row */
    uint64_t batch;  /* rows of a table */
    vkr_place table;
    vkr_place temp, values_temp;
    vkr_view sorted; /* where a pass leaves keys that a later one reads, if they are not wanted */
} sort_plan;

/* ---- Workgroups ---- */

/* Which invocations rank keys together: a small subgroup, which compares; half of a large subgroup
 * or all of it; or 32 invocations that meet at barriers. */
static void choose_ranks(sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t sure = caps->sure_subgroup_size, max = caps->max_subgroup_size;
    const bool subgroups = caps->group_path != VKR_GROUP_PATH_SHARED;
    const uint32_t steps = VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_LOCKSTEP | VKR_SORT_FLAG_DIRECT;
    p->flags &= ~steps;
    p->shared = false;
    if (subgroups && sure >= 2 && sure <= 16 && p->workgroup % sure == 0) {
        p->ranks = sure;
        p->flags |= VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_LOCKSTEP;
    } else if (subgroups && caps->full_subgroup_size >= 32 && p->workgroup % max == 0) {
        p->ranks = 32;
        p->flags |= VKR_SORT_FLAG_LOCKSTEP;
    } else {
        p->ranks = (uint32_t)vkr_min(p->workgroup, 32);
        p->shared = true;
    }
    if (p->ranks == p->workgroup)
        p->flags |= VKR_SORT_FLAG_DIRECT;
    p->copies = (uint32_t)vkr_clamp(p->workgroup / 32, 1, 8);
    if (p->workgroup <= 16)
        p->copies = p->workgroup;
}

static uint64_t shared_bytes(const sort_plan *p)
{
    const uint64_t rows = p->workgroup / p->ranks;
    const bool compared = (p->flags & VKR_SORT_FLAG_COMPARED) != 0;
    const uint64_t ranking = rows * VKR_SORT_DIGITS * (compared ? 2 : 6);
    const uint64_t tile = (uint64_t)p->workgroup * VKR_SORT_ITEMS * 4;
    const uint64_t scatter = vkr_max(ranking, tile) + 8 * (uint64_t)VKR_SORT_DIGITS;
    const uint64_t count = (uint64_t)p->copies * VKR_SORT_DIGITS * 4 + 8;
    return vkr_max(scatter, count) + 4 * (uint64_t)p->workgroup;
}

static VkrResult choose_workgroup(sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t asked = p->sorting->workgroup_size;
    const bool cpu = caps->device_type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    VKR_MUST(&p->walk, (asked & (asked - 1)) == 0,
             "workgroupSize is %u, but must be 0 or a power of two.", asked);
    VKR_NEED(&p->walk, asked <= caps->max_workgroup_size,
             "workgroupSize is %u, but must be at most %u on this device.", asked,
             caps->max_workgroup_size);
    p->workgroup = asked;
    if (asked == 0) {
        const bool small = cpu && caps->group_path != VKR_GROUP_PATH_SHARED &&
                           caps->sure_subgroup_size >= 2 && caps->sure_subgroup_size <= 16;
        p->workgroup = small ? caps->sure_subgroup_size
                             : (uint32_t)vkr_min(caps->max_workgroup_size, WORKGROUP);
    }
    choose_ranks(p);
    while (asked == 0 && shared_bytes(p) > vkr_min(SHARED_BYTES, caps->max_shared_memory)) {
        p->workgroup /= 2;
        choose_ranks(p);
    }
    VKR_NEED(&p->walk, shared_bytes(p) <= caps->max_shared_memory,
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             p->workgroup, caps->max_shared_memory);
    return VKR_SUCCESS;
}

/* ---- Rows and groups ---- */

static void choose_groups(sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const bool cpu = p->caps->device_type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const bool direct = (p->flags & VKR_SORT_FLAG_DIRECT) != 0;
    p->row = s->row == 0 || s->row > s->count ? s->count : s->row;
    p->rows = vkr_divide_up(s->count, p->row);
    const uint64_t tiles = vkr_divide_up(p->row, (uint64_t)p->workgroup * VKR_SORT_ITEMS);
    const uint64_t trips = direct ? VKR_SORT_ITEMS : TILE_TRIPS;
    const uint64_t least = vkr_divide_up(tiles, VKR_ELEMENT_TRIPS / trips);
    const uint64_t all = cpu ? GROUPS_ON_CPU : GROUPS_ON_GPU;
    p->groups = vkr_clamp(vkr_divide_up(all, p->rows), least, vkr_max(tiles, least));
    p->batch = vkr_clamp(MAX_GROUPS / p->groups, 1, p->rows);
}

/* ---- Memory ---- */

static VkrResult check_reach(const sort_plan *p, const char *what, const vkr_view *view)
{
    const vkr_place place = vkr_place_of_view(view);
    const uint64_t reach = vkr_is_there(view) ? vkr_place_window(p->caps, &place, 0) : UINT64_MAX;
    VKR_NEED(&p->walk, p->sorting->count <= reach,
             "count is %" PRIu64 ", but must be at most %" PRIu64
             ", so that %s fit maxStorageBufferRange (%" PRIu64 " bytes).",
             p->sorting->count, reach, what, p->caps->max_range);
    return VKR_SUCCESS;
}

static VkrResult add_scratch(VkrRecorder recorder, uint64_t count, uint32_t size, vkr_view *view)
{
    *view = (vkr_view){.buffer = VKR_SCRATCH,
                       .type = &vkr_types[size == 8   ? VKR_TYPE_U64
                                          : size == 4 ? VKR_TYPE_U32
                                          : size == 2 ? VKR_TYPE_U16
                                                      : VKR_TYPE_U8],
                       .components = 1,
                       .stride = size,
                       .size = count * size,
                       .capacity = count};
    return vkr_add_scratch(recorder, count * size, &view->offset);
}

/* Adds the table, and the memory for what passes leave to later ones. */
static VkrResult add_memory(VkrRecorder recorder, sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const uint32_t size = s->keys.type->size;
    const uint64_t groups = p->batch * p->groups;
    vkr_view view = {0};
    VKR_TRY(check_reach(p, "keys", &s->keys));
    VKR_TRY(check_reach(p, "sorted", &s->sorted));
    VKR_TRY(check_reach(p, "payloads", &s->values));
    VKR_TRY(check_reach(p, "indices", &s->ranked));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH,
                          VKR_SORT_RECORD + groups * 2 +
                              (p->batch + groups) * (uint64_t)VKR_SORT_DIGITS,
                          1, &p->table));
    if (p->passes >= 2) {
        VKR_TRY(add_scratch(recorder, s->count, size, &view));
        VKR_TRY(check_reach(p, "keys", &view));
        p->temp = vkr_place_of_view(&view);
    }
    if (p->passes >= 2 && vkr_is_there(&s->ranked)) {
        VKR_TRY(add_scratch(recorder, s->count, 4, &view));
        VKR_TRY(check_reach(p, "indices", &view));
        p->values_temp = vkr_place_of_view(&view);
    }
    p->sorted = s->sorted;
    if (p->passes >= 3 && !vkr_is_there(&p->sorted))
        VKR_TRY(add_scratch(recorder, s->count, size, &p->sorted));
    return VKR_SUCCESS;
}

/* ---- Steps ---- */

/* The kernel for units of 1, 2, 4 or 8 bytes. */
static uint32_t kernel_of(const sort_plan *p, bool scatters)
{
    static const uint32_t kernels[2][2][4] = {
        {{VKR_KERNEL_SORT_COUNT_8_SHUFFLE, VKR_KERNEL_SORT_COUNT_16_SHUFFLE,
          VKR_KERNEL_SORT_COUNT_32_SHUFFLE, VKR_KERNEL_SORT_COUNT_64_SHUFFLE},
         {VKR_KERNEL_SORT_COUNT_8_SHARED, VKR_KERNEL_SORT_COUNT_16_SHARED,
          VKR_KERNEL_SORT_COUNT_32_SHARED, VKR_KERNEL_SORT_COUNT_64_SHARED}},
        {{VKR_KERNEL_SORT_SCATTER_8_SHUFFLE, VKR_KERNEL_SORT_SCATTER_16_SHUFFLE,
          VKR_KERNEL_SORT_SCATTER_32_SHUFFLE, VKR_KERNEL_SORT_SCATTER_64_SHUFFLE},
         {VKR_KERNEL_SORT_SCATTER_8_SHARED, VKR_KERNEL_SORT_SCATTER_16_SHARED,
          VKR_KERNEL_SORT_SCATTER_32_SHARED, VKR_KERNEL_SORT_SCATTER_64_SHARED}}};
    return kernels[scatters][p->shared][vkr_log2_up(p->sorting->keys.type->size)];
}

/* What the steps of a pass have in common. */
static vkr_pass new_pass(const sort_plan *p, uint32_t pass, uint64_t first_row)
{
    const vkr_sorting *s = p->sorting;
    vkr_pass step = {.walk = &p->walk};
    struct vkr_sort_push *push = VKR_PUSH(&step, vkr_sort_push);
    step.constants[VKR_CONST_WORKGROUP] = p->workgroup;
    step.constants[VKR_SORT_CONST_FLAGS] = p->flags | (pass == 0 ? VKR_SORT_FLAG_FIRST : 0);
    step.constants[VKR_SORT_CONST_SUBGROUPS] = vkr_walk_subgroups(&p->walk);
    step.constants[VKR_SORT_CONST_RANKS] = p->ranks;
    step.constants[VKR_SORT_CONST_COPIES] = p->copies;
    vkr_set_order(&s->order, &step.constants[VKR_SORT_CONST_KEY_FORM]);
    push->groups = (uint32_t)p->groups;
    push->rows = (uint32_t)vkr_min(p->batch, p->rows - first_row);
    push->first_row = (uint32_t)first_row;
    push->row_length = (uint32_t)p->row;
    push->count = (uint32_t)s->count;
    push->pass = pass;
    push->begin = s->begin;
    push->end = s->end;
    step.slots[VKR_SORT_SLOT_TABLE] = (vkr_bound){.place = p->table};
    return step;
}

/* Binds what both kernels read of the keys. */
static void bind_keys(const sort_plan *p, uint32_t pass, vkr_pass *step)
{
    const uint64_t count = p->sorting->count;
    step->slots[VKR_SORT_SLOT_SOURCE] =
        vkr_items(vkr_place_of_view(pass == 0 ? &p->sorting->keys : &p->sorted), 0, count);
    step->slots[VKR_SORT_SLOT_TEMP] = vkr_items(p->temp, 0, count);
}

static VkrResult emit(VkrRecorder recorder, vkr_pass *step, uint64_t groups)
{
    const vkr_window window = {.groups = groups};
    return vkr_emit_window(recorder, step, &window);
}

static VkrResult add_count(VkrRecorder recorder, const sort_plan *p, vkr_pass step, uint32_t pass)
{
    const VkrGpuCount *count = p->sorting->gpu_count;
    step.card = &vkr_sort_count_card;
    step.kernel = kernel_of(p, false);
    bind_keys(p, pass, &step);
    if (pass == 0 && count != NULL && count->buffer != VK_NULL_HANDLE) {
        step.constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(count);
        step.slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(count);
    }
    return emit(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows * p->groups);
}

static VkrResult add_spine(VkrRecorder recorder, const sort_plan *p, vkr_pass step)
{
    step.card = &vkr_sort_spine_card;
    step.kernel = p->shared ? VKR_KERNEL_SORT_SPINE_SHARED : VKR_KERNEL_SORT_SPINE_SHUFFLE;
    return emit(recorder, &step, (uint64_t)VKR_PUSH(&step, vkr_sort_push)->rows * VKR_SORT_DIGITS);
}

static VkrResult add_scatter(VkrRecorder recorder, const sort_plan *p, vkr_pass step, uint32_t pass)
{
    const vkr_sorting *s = p->sorting;
    step.card = &vkr_sort_scatter_card;
    step.kernel = kernel_of(p, true);
    bind_keys(p, pass, &step);
    step.slots[VKR_SORT_SLOT_SORTED] = vkr_items(vkr_place_of_view(&p->sorted), 0, s->count);
    if (vkr_is_there(&s->ranked)) {
        const vkr_view *read = pass == 0 ? &s->values : &s->ranked;
        step.slots[VKR_SORT_SLOT_VALUES] = vkr_items(vkr_place_of_view(read), 0, s->count);
        step.slots[VKR_SORT_SLOT_VALUES_TEMP] = vkr_items(p->values_temp, 0, s->count);
        step.slots[VKR_SORT_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
    }
    return emit(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows * p->groups);
}

static bool is_same(const vkr_view *a, const vkr_view *b)
{
    return vkr_is_there(a) && a->buffer == b->buffer && a->offset == b->offset;
}

VkrResult vkr_plan_sort(VkrRecorder recorder, const vkr_sorting *s)
{
    sort_plan p = {.sorting = s, .caps = &s->walk->context->caps};
    const bool in_place = is_same(&s->keys, &s->sorted) || is_same(&s->values, &s->ranked);
    p.walk = vkr_new_groups_walk(recorder, s->walk->call);
    p.walk.label = s->walk->label;
    VKR_TRY(choose_workgroup(&p));
    if (s->count == 0)
        return VKR_SUCCESS;
    p.walk.workgroup_size = p.workgroup;
    p.passes = (uint32_t)vkr_divide_up(s->end - s->begin, VKR_SORT_DIGIT) + in_place;
    p.flags |= (in_place ? VKR_SORT_FLAG_EXTRA : 0) |
               (vkr_is_there(&s->sorted) ? VKR_SORT_FLAG_KEYS : 0) |
               (vkr_is_there(&s->ranked) ? VKR_SORT_FLAG_VALUES : 0) |
               (vkr_is_there(&s->values) ? VKR_SORT_FLAG_CARRIED : 0);
    choose_groups(&p);
    VKR_TRY(add_memory(recorder, &p));
    for (uint64_t first = 0; first < p.rows; first += p.batch)
        for (uint32_t pass = 0; pass < p.passes; pass++) {
            const vkr_pass step = new_pass(&p, pass, first);
            VKR_TRY(add_count(recorder, &p, step, pass));
            VKR_TRY(add_spine(recorder, &p, step));
            VKR_TRY(add_scatter(recorder, &p, step, pass));
        }
    return VKR_SUCCESS;
}
