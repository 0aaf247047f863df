/* SPDX-License-Identifier: MIT */
/*
 * The steps of a sort. Rows that one workgroup has room for need one dispatch. Otherwise each digit
 * has a pass that counts, one that scans the counts, and one that scatters (shaders/cards/sort.h).
 * Rows that are too many for one table of counts are sorted in batches.
 */
#include <inttypes.h>

#include "../plan/rows.h"
#include "kernel_list.h"
#include "sort_request.h"

#define WORKGROUP 256u
#define SHARED_BYTES 16384u /* that a workgroup may need, unless its size is the caller's choice */
#define MAX_ALONE 16u       /* workgroup whose invocations sort alone */
#define SHARES_ON_CPU 256u  /* workgroups of a sort */
#define SHARES_ON_GPU 1024u
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
    uint64_t groups; /* shares of a row */
    uint32_t each;   /* shares of a workgroup */
    uint64_t batch;  /* rows of a table */
    vkr_place table;
    vkr_place temp, values_temp;
    vkr_view sorted; /* where a pass leaves keys that a later one reads, if they are not wanted */
} sort_plan;

/* ---- Workgroups ---- */

/* Which invocations rank keys together: a small subgroup, which compares; a subgroup of another
 * size, or a part of it; or 32 invocations that meet at barriers. */
static void choose_ranks(sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t sure = caps->sure_subgroup_size, max = caps->max_subgroup_size;
    const bool subgroups = caps->group_path != VKR_GROUP_PATH_SHARED;
    const uint32_t steps = VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_LOCKSTEP | VKR_SORT_FLAG_ALONE;
    p->flags &= ~steps;
    p->shared = false;
    if (subgroups && sure >= 2 && sure <= 16 && p->workgroup % sure == 0) {
        p->ranks = sure;
        p->flags |= VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_LOCKSTEP;
    } else if (subgroups && caps->full_subgroup_size >= 8 && p->workgroup % max == 0) {
        p->ranks = (uint32_t)vkr_min(caps->full_subgroup_size, 32);
        p->flags |= VKR_SORT_FLAG_LOCKSTEP;
    } else {
        p->ranks = (uint32_t)vkr_min(p->workgroup, 32);
        p->shared = true;
    }
    p->copies = (uint32_t)vkr_clamp(p->workgroup / 32, 1, 8);
}

static uint64_t shared_bytes(const sort_plan *p)
{
    if ((p->flags & VKR_SORT_FLAG_ALONE) != 0)
        return 4 * ((uint64_t)VKR_SORT_DIGITS * (p->workgroup + 1) + p->workgroup + 2);
    const uint64_t rows = p->workgroup / p->ranks;
    const bool compared = (p->flags & VKR_SORT_FLAG_COMPARED) != 0;
    const uint64_t ranking = rows * VKR_SORT_DIGITS * (compared ? 2 : 6);
    const uint64_t tile = (uint64_t)p->workgroup * VKR_SORT_ITEMS * 4;
    const uint64_t scatter = vkr_max(ranking, tile) + 8 * (uint64_t)VKR_SORT_DIGITS;
    const uint64_t count = (uint64_t)p->copies * VKR_SORT_DIGITS * 4 + 8;
    return vkr_max(scatter, count) + 4 * (uint64_t)p->workgroup;
}

static bool fits(const sort_plan *p)
{
    const bool chosen =
        p->sorting->workgroup_size != 0 || p->sorting->algorithm == VKR_SORT_ONE_WORKGROUP;
    const uint32_t most = chosen ? UINT32_MAX : SHARED_BYTES;
    return shared_bytes(p) <= vkr_min(most, p->caps->max_shared_memory);
}

static void set_workgroup(sort_plan *p, uint32_t workgroup)
{
    p->workgroup = workgroup;
    choose_ranks(p);
}

static VkrResult check_workgroup(const sort_plan *p)
{
    const uint32_t asked = p->sorting->workgroup_size, most = p->caps->max_workgroup_size;
    VKR_MUST(&p->walk, (asked & (asked - 1)) == 0,
             "workgroupSize is %u, but must be 0 or a power of two.", asked);
    VKR_NEED(&p->walk, asked <= most, "workgroupSize is %u, but must be at most %u on this device.",
             asked, most);
    return VKR_SUCCESS;
}

static bool has_small_subgroups(const vkr_caps *caps)
{
    return caps->group_path != VKR_GROUP_PATH_SHARED && caps->sure_subgroup_size >= 2 &&
           caps->sure_subgroup_size <= 16;
}

/* On a CPU, and in small workgroups, each invocation sorts alone: nothing else is needed there of
 * shared memory than a place of each digit for each invocation. */
static void set_passes(sort_plan *p, uint32_t workgroup)
{
    set_workgroup(p, workgroup);
    if (workgroup > MAX_ALONE)
        return;
    p->flags |= VKR_SORT_FLAG_ALONE;
    p->copies = workgroup;
    p->shared = true;
}

static VkrResult choose_workgroup(sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t asked = p->sorting->workgroup_size;
    const bool cpu = caps->device_type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint64_t lanes = vkr_clamp(caps->subgroup_size, 1, MAX_ALONE);
    set_passes(p, asked != 0
                      ? asked
                      : (uint32_t)vkr_min(caps->max_workgroup_size, cpu ? lanes : WORKGROUP));
    while (asked == 0 && !fits(p))
        set_passes(p, p->workgroup / 2);
    VKR_NEED(&p->walk, fits(p),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             p->workgroup, caps->max_shared_memory);
    return VKR_SUCCESS;
}

/* Chooses the smallest workgroup that has room for a row. Returns whether there is one. */
static bool choose_one_workgroup(sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t asked = p->sorting->workgroup_size;
    const bool wide = caps->full_subgroup_size >= 8 && caps->group_path != VKR_GROUP_PATH_SHARED;
    const uint32_t small = has_small_subgroups(caps) ? caps->sure_subgroup_size
                           : wide                    ? caps->max_subgroup_size
                                                     : 32;
    set_workgroup(p, asked != 0 ? asked : (uint32_t)vkr_min(small, caps->max_workgroup_size));
    while (asked == 0 && (uint64_t)p->workgroup * VKR_SORT_ITEMS < p->row &&
           p->workgroup < caps->max_workgroup_size && p->workgroup < 2 * WORKGROUP && fits(p))
        set_workgroup(p, 2 * p->workgroup);
    if (asked == 0 && !fits(p))
        set_workgroup(p, p->workgroup / 2);
    return fits(p) && p->row <= (uint64_t)p->workgroup * VKR_SORT_ITEMS;
}

/* ---- Rows and groups ---- */

/* The number of shares for which a table fits a descriptor, if each is a row. */
static uint64_t max_table_groups(const vkr_caps *caps)
{
    const uint64_t words = (caps->max_range - caps->granule) / 4 - VKR_SORT_RECORD;
    return vkr_max(words / (2 + 2 * VKR_SORT_DIGITS), 1);
}

/* Chooses the shares of a row. */
static void choose_groups(sort_plan *p)
{
    const bool alone = (p->flags & VKR_SORT_FLAG_ALONE) != 0;
    const uint64_t tile = (uint64_t)(alone ? 1 : p->workgroup) * VKR_SORT_ITEMS;
    const uint64_t tiles = vkr_divide_up(p->row, tile);
    const uint64_t trips = alone ? VKR_SORT_ITEMS : TILE_TRIPS;
    const uint64_t least = vkr_divide_up(tiles, VKR_ELEMENT_TRIPS / trips);
    const uint64_t most = vkr_min(MAX_GROUPS, max_table_groups(p->caps));
    const uint64_t all = vkr_min(most, alone ? SHARES_ON_CPU : SHARES_ON_GPU);
    p->groups = vkr_clamp(vkr_divide_up(all, p->rows), least, vkr_max(tiles, least));
    p->each = alone ? p->workgroup : 1;
    p->groups = vkr_divide_up(p->groups, p->each) * p->each;
    /* The pass that scans the counts has an invocation or a workgroup for each digit of a row. */
    const uint64_t scanned = vkr_all_groups(p->caps) * p->each / VKR_SORT_DIGITS;
    p->batch = vkr_clamp(vkr_min(most / p->groups, scanned), 1, p->rows);
}

/* ---- Memory ---- */

static VkrType type_of_size(uint32_t size)
{
    return size == 8   ? VKR_TYPE_U64
           : size == 4 ? VKR_TYPE_U32
           : size == 2 ? VKR_TYPE_U16
                       : VKR_TYPE_U8;
}

static VkrResult check_reaches(const sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    VKR_TRY(vkr_check_sort_reach(&p->walk, "keys", &s->keys));
    VKR_TRY(vkr_check_sort_reach(&p->walk, "sorted", &s->sorted));
    VKR_TRY(vkr_check_sort_reach(&p->walk, "payloads", &s->values));
    return vkr_check_sort_reach(&p->walk, "indices", &s->ranked);
}

/* Adds the table, and the memory for what passes leave to later ones. */
static VkrResult add_memory(VkrRecorder recorder, sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const VkrType type = type_of_size(s->keys.type->size);
    const uint64_t groups = p->batch * p->groups;
    vkr_view view = {0};
    const uint64_t words =
        VKR_SORT_RECORD + groups * 2 + (p->batch + groups) * (uint64_t)VKR_SORT_DIGITS;
    VKR_NEED(&p->walk,
             4 * words <= p->caps->max_range - p->caps->granule && p->groups <= VKR_ELEMENT_TRIPS,
             "count is %" PRIu64 ", but must be so small that the counts of digits, %" PRIu64
             " bytes with workgroups of %u, fit maxStorageBufferRange (%" PRIu64 " bytes).",
             s->count, 4 * words, p->workgroup, p->caps->max_range);
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, words, 1, &p->table));
    if (p->passes >= 2) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &view));
        VKR_TRY(vkr_check_sort_reach(&p->walk, "keys", &view));
        p->temp = vkr_place_of_view(&view);
    }
    if (p->passes >= 2 && vkr_has_buffer(&s->ranked)) {
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, VKR_TYPE_U32, 1, &view));
        VKR_TRY(vkr_check_sort_reach(&p->walk, "indices", &view));
        p->values_temp = vkr_place_of_view(&view);
    }
    p->sorted = s->sorted;
    if (p->passes >= 3 && !vkr_has_buffer(&p->sorted))
        VKR_TRY(vkr_add_sort_scratch(recorder, s->count, type, 1, &p->sorted));
    return VKR_SUCCESS;
}

/* ---- Steps ---- */

/* The kernel for units of 1, 2, 4 or 8 bytes. */
enum { COUNT, SCATTER, ONE };
static uint32_t kernel_of(const sort_plan *p, uint32_t which)
{
    static const uint32_t kernels[3][2][4] = {
        {{VKR_KERNEL_SORT_COUNT_8_SHUFFLE, VKR_KERNEL_SORT_COUNT_16_SHUFFLE,
          VKR_KERNEL_SORT_COUNT_32_SHUFFLE, VKR_KERNEL_SORT_COUNT_64_SHUFFLE},
         {VKR_KERNEL_SORT_COUNT_8_SHARED, VKR_KERNEL_SORT_COUNT_16_SHARED,
          VKR_KERNEL_SORT_COUNT_32_SHARED, VKR_KERNEL_SORT_COUNT_64_SHARED}},
        {{VKR_KERNEL_SORT_SCATTER_8_SHUFFLE, VKR_KERNEL_SORT_SCATTER_16_SHUFFLE,
          VKR_KERNEL_SORT_SCATTER_32_SHUFFLE, VKR_KERNEL_SORT_SCATTER_64_SHUFFLE},
         {VKR_KERNEL_SORT_SCATTER_8_SHARED, VKR_KERNEL_SORT_SCATTER_16_SHARED,
          VKR_KERNEL_SORT_SCATTER_32_SHARED, VKR_KERNEL_SORT_SCATTER_64_SHARED}},
        {{VKR_KERNEL_SORT_ONE_8_SHUFFLE, VKR_KERNEL_SORT_ONE_16_SHUFFLE,
          VKR_KERNEL_SORT_ONE_32_SHUFFLE, VKR_KERNEL_SORT_ONE_64_SHUFFLE},
         {VKR_KERNEL_SORT_ONE_8_SHARED, VKR_KERNEL_SORT_ONE_16_SHARED,
          VKR_KERNEL_SORT_ONE_32_SHARED, VKR_KERNEL_SORT_ONE_64_SHARED}}};
    return kernels[which][p->shared][vkr_log2_up(p->sorting->keys.type->size)];
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
    step.kernel = kernel_of(p, COUNT);
    bind_keys(p, pass, &step);
    if (pass == 0 && count != NULL && count->buffer != VK_NULL_HANDLE) {
        step.constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(count);
        step.slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(count);
    }
    return emit(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows * (p->groups / p->each));
}

static VkrResult add_spine(VkrRecorder recorder, const sort_plan *p, vkr_pass step)
{
    step.card = &vkr_sort_spine_card;
    step.kernel = p->shared ? VKR_KERNEL_SORT_SPINE_SHARED : VKR_KERNEL_SORT_SPINE_SHUFFLE;
    return emit(
        recorder, &step,
        vkr_divide_up((uint64_t)VKR_PUSH(&step, vkr_sort_push)->rows * VKR_SORT_DIGITS, p->each));
}

static VkrResult add_scatter(VkrRecorder recorder, const sort_plan *p, vkr_pass step, uint32_t pass)
{
    const vkr_sorting *s = p->sorting;
    step.card = &vkr_sort_scatter_card;
    step.kernel = kernel_of(p, SCATTER);
    bind_keys(p, pass, &step);
    step.slots[VKR_SORT_SLOT_SORTED] = vkr_items(vkr_place_of_view(&p->sorted), 0, s->count);
    if (vkr_has_buffer(&s->ranked)) {
        const vkr_view *read = pass == 0 ? &s->values : &s->ranked;
        step.slots[VKR_SORT_SLOT_VALUES] = vkr_items(vkr_place_of_view(read), 0, s->count);
        step.slots[VKR_SORT_SLOT_VALUES_TEMP] = vkr_items(p->values_temp, 0, s->count);
        step.slots[VKR_SORT_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
    }
    return emit(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows * (p->groups / p->each));
}

static bool is_same(const vkr_view *a, const vkr_view *b)
{
    return vkr_has_buffer(a) && a->buffer == b->buffer && a->offset == b->offset;
}

/* ---- Both algorithms ---- */

static VkrResult plan_one(VkrRecorder recorder, sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const VkrGpuCount *count = s->gpu_count;
    p->batch = vkr_min(p->rows, vkr_all_groups(p->caps));
    for (uint64_t first = 0; first < p->rows; first += p->batch) {
        vkr_pass step = new_pass(p, 0, first);
        step.card = &vkr_sort_one_card;
        step.kernel = kernel_of(p, ONE);
        step.slots[VKR_SORT_SLOT_TABLE] = (vkr_bound){0};
        step.slots[VKR_SORT_SLOT_SOURCE] = vkr_items(vkr_place_of_view(&s->keys), 0, s->count);
        step.slots[VKR_SORT_SLOT_SORTED] = vkr_items(vkr_place_of_view(&s->sorted), 0, s->count);
        step.slots[VKR_SORT_SLOT_VALUES] = vkr_items(vkr_place_of_view(&s->values), 0, s->count);
        step.slots[VKR_SORT_SLOT_RANKED] = vkr_items(vkr_place_of_view(&s->ranked), 0, s->count);
        if (count != NULL && count->buffer != VK_NULL_HANDLE) {
            step.constants[VKR_SORT_CONST_FLAGS] |= vkr_count_flags(count);
            step.slots[VKR_SORT_SLOT_COUNT].place = vkr_place_of_count(count);
        }
        VKR_TRY(emit(recorder, &step, VKR_PUSH(&step, vkr_sort_push)->rows));
    }
    return VKR_SUCCESS;
}

static VkrResult plan_passes(VkrRecorder recorder, sort_plan *p)
{
    const vkr_sorting *s = p->sorting;
    const bool in_place = is_same(&s->keys, &s->sorted) || is_same(&s->values, &s->ranked);
    p->passes = (uint32_t)vkr_divide_up(s->end - s->begin, VKR_SORT_DIGIT) + in_place;
    p->flags |= in_place ? VKR_SORT_FLAG_EXTRA : 0;
    choose_groups(p);
    VKR_TRY(add_memory(recorder, p));
    for (uint64_t first = 0; first < p->rows; first += p->batch)
        for (uint32_t pass = 0; pass < p->passes; pass++) {
            const vkr_pass step = new_pass(p, pass, first);
            VKR_TRY(add_count(recorder, p, step, pass));
            VKR_TRY(add_spine(recorder, p, step));
            VKR_TRY(add_scatter(recorder, p, step, pass));
        }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_sort(VkrRecorder recorder, const vkr_sorting *s)
{
    sort_plan p = {.sorting = s, .caps = &s->walk->context->caps};
    p.walk = vkr_new_groups_walk(recorder, s->walk->call);
    p.walk.label = s->walk->label;
    p.walk.count = s->count;
    p.row = s->row == 0 || s->row > s->count ? s->count : s->row;
    p.rows = s->count == 0 ? 0 : vkr_divide_up(s->count, p.row);
    p.flags = (vkr_has_buffer(&s->sorted) ? VKR_SORT_FLAG_KEYS : 0) |
              (vkr_has_buffer(&s->ranked) ? VKR_SORT_FLAG_VALUES : 0) |
              (vkr_has_buffer(&s->values) ? VKR_SORT_FLAG_CARRIED : 0);
    VKR_TRY(check_workgroup(&p));
    VKR_TRY(check_reaches(&p));
    const bool one = s->algorithm != VKR_SORT_THREE_PASS && choose_one_workgroup(&p);
    VKR_NEED(&p.walk, one || s->algorithm != VKR_SORT_ONE_WORKGROUP,
             "algorithm is one-workgroup, but a workgroup of %u must then have room for %" PRIu64
             " elements, and it has room for %u.",
             p.workgroup, p.row, p.workgroup * VKR_SORT_ITEMS);
    if (!one)
        VKR_TRY(choose_workgroup(&p));
    p.walk.workgroup_size = p.workgroup;
    if (s->count == 0)
        return VKR_SUCCESS;
    return one ? plan_one(recorder, &p) : plan_passes(recorder, &p);
}
