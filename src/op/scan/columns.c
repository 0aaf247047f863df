/* SPDX-License-Identifier: MIT */
/*
 * Scans of columns: rows form strips, and the totals of strips are a matrix again, whose prefixes
 * the second pass over the elements starts from. Where columns alone occupy the device there is a
 * single strip, over which dispatches go one after the other.
 */
#include "scan.h"

#include <inttypes.h>

#include "../../plan/grid.h"
#include "../../tables/policies.h"

/* Trips of an invocation's loops for a row, and for each of its values. */
#define TRIPS_OF_ROW 4u
#define TRIPS_OF_VALUE 2u

/* The workgroup; the invocations that occupy the device; the rows of a strip, at least; and those
 * of a dispatch that goes over a single strip. A CPU walks down a column in steps of a row, each of
 * which is another page: fewer rows leave the pages where the next column finds them. */
typedef struct numbers {
    uint32_t classes, workgroup, lanes, min_strip, max_rows;
} numbers;

static const numbers *numbers_of(const vkr_walk *w)
{
    static const numbers rows[] = {{VKR_CPUS, 32, 256, 64, 256},
                                   {VKR_ALL_DEVICES, 128, 65536, 32, UINT32_MAX}};
    const numbers *row = rows;
    while (!vkr_fits_device(&w->context->caps, row->classes, VKR_ANY_VENDOR))
        row++;
    return row;
}

/* A matrix: the elements, or the totals of strips of the level below. */
typedef struct level {
    bool elements;
    uint64_t rows;
    uint64_t covered; /* rows of elements for which each of its rows stands */
    uint64_t strip;   /* its rows of a strip */
    vkr_place place;  /* its rows, where it is not that of elements */
    vkr_place above;  /* of a term for each strip and column, or for each column */
} level;

static uint64_t columns_of(const vkr_scan *s)
{
    return s->info->segments.length * s->input.components;
}

static uint64_t strips_of(const level *l)
{
    return vkr_divide_up(l->rows, l->strip);
}

/* ---- Geometry ---- */

/* Whether each row consists of whole loads, of which whole packs of results come. Where strips are
 * counted from an end that only the GPU knows, those of the columns of a load could differ. A scan
 * in place must not read as texels what it overwrites. */
static bool allows_loads(const void *operation, uint32_t loads)
{
    const vkr_scan *s = operation;
    const uint32_t unit = VKR_PACK / s->input.type->size;
    return loads != VKR_LOADS_U64 && !(loads == VKR_LOADS_TEXEL && s->in_place) &&
           vkr_head(&s->input, 0, loads) == 0 && vkr_is_packed(&s->output) &&
           s->output.offset % VKR_PACK == 0 && columns_of(s) % unit == 0 &&
           !(s->canonical && s->walk.reverse && s->info->gpuCount.buffer != VK_NULL_HANDLE);
}

/* The rows that an invocation goes over in one dispatch, and that one descriptor reaches. */
static uint64_t max_strip(const vkr_scan *s, const level *l)
{
    const vkr_caps *caps = &s->walk.context->caps;
    const uint64_t row = 4 * (uint64_t)s->partial_words * s->info->segments.length;
    if (!l->elements)
        return vkr_clamp(vkr_room(caps) / row, 1, VKR_RUN_TRIPS / (TRIPS_OF_ROW + TRIPS_OF_VALUE));
    const uint64_t input = vkr_view_reach(caps, &s->input, s->walk.count);
    const uint64_t output = vkr_view_reach(caps, &s->output, s->walk.count);
    const uint64_t reached = vkr_min(input, output) / s->info->segments.length;
    const uint64_t trips = VKR_RUN_TRIPS / (TRIPS_OF_ROW + TRIPS_OF_VALUE * s->walk.unit);
    return vkr_clamp(reached, 1, trips);
}

static VkrResult choose_walk(vkr_scan *s)
{
    vkr_walk *w = &s->walk;
    vkr_start_walk(w, VKR_OPERATION_SCAN, VKR_FAMILY_SCAN_COLUMNS, &s->input);
    w->apart = true;
    VKR_TRY(vkr_choose_workgroup(w, s->info->workgroupSize, numbers_of(w)->workgroup,
                                 &(vkr_shared){.ops = (VkrOpFlags)s->info->op}));
    vkr_choose_loads(w, allows_loads, s);
    w->batch =
        (uint32_t)vkr_clamp(w->tuning->flight * (w->loads != 0 ? 1 : 2), 1, VKR_COLUMN_BATCH);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

static uint32_t flags_of_pass(const vkr_scan *s, const level *l, uint32_t flags)
{
    const VkrScanInfo *info = s->info;
    const bool gpu = s->initial.buffer != VK_NULL_HANDLE;
    const bool exclusive = l->elements && (info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    return flags | vkr_count_flags(&info->gpuCount) |
           (info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (s->canonical ? VKR_FLAG_CANONICAL : 0) |
           (exclusive ? VKR_SCAN_COLUMNS_FLAG_EXCLUSIVE : 0) |
           (s->walk.reverse ? VKR_SCAN_COLUMNS_FLAG_REVERSE : 0) |
           (gpu ? VKR_SCAN_COLUMNS_FLAG_GPU_INITIAL : 0) |
           (!gpu && info->initial != NULL ? VKR_SCAN_COLUMNS_FLAG_INITIAL : 0);
}

/* Each result of a full piece lies in packs. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_scan *s = pass->operation;
    struct vkr_scan_columns_push *push = VKR_PUSH(step, vkr_scan_columns_push);
    const uint32_t unit = s->words ? 4 : s->output.type->size;
    (void)window;
    push->store_base = push->output_base * unit / VKR_PACK;
}

/* What the slots of a pass bind of the strips of a box. Between the dispatches of a single strip
 * its state takes the places of the total and of the initial value. */
static void bind(const vkr_scan *s, const level *l, uint32_t mode, uint32_t flags, vkr_pass *pass)
{
    const uint64_t strip = vkr_min(l->strip, l->rows);
    const uint64_t elements = strip * s->info->segments.length, columns = columns_of(s);
    const bool totals = mode == VKR_MODE_TOTALS, one = mode == VKR_MODE_ONE;
    const vkr_place none = {0};
    const vkr_bound state = vkr_items(l->above, 0, columns);
    const vkr_bound above = vkr_row_items("scratch", l->above, columns, columns);
    vkr_bound own = vkr_row_items("scratch", l->place, strip * columns, strip * columns);
    own.all = l->rows * columns;
    vkr_bound *slots = pass->slots;
    if (l->elements) {
        const vkr_place input = s->walk.count != 0 ? vkr_place_of_view(&s->input) : none;
        const vkr_place output = s->walk.count != 0 && !totals ? s->results : none;
        slots[VKR_SCAN_COLUMNS_SLOT_INPUT] = vkr_row_items("input", input, elements, elements);
        slots[VKR_SCAN_COLUMNS_SLOT_RESULTS] = vkr_row_items("output", output, elements, elements);
        slots[VKR_SCAN_COLUMNS_SLOT_INPUT].all = s->walk.count;
        slots[VKR_SCAN_COLUMNS_SLOT_RESULTS].all = s->walk.count;
    } else {
        slots[VKR_SCAN_COLUMNS_SLOT_LEVEL] = own;
        slots[VKR_SCAN_COLUMNS_SLOT_NEW] = own;
    }
    if (totals)
        slots[VKR_SCAN_COLUMNS_SLOT_NEW] = above;
    else if (!one)
        slots[VKR_SCAN_COLUMNS_SLOT_ABOVE] = above;
    if (one && (flags & VKR_SCAN_COLUMNS_FLAG_TOP) != 0)
        slots[VKR_SCAN_COLUMNS_SLOT_INITIAL].place = s->initial;
    else if (one)
        slots[VKR_SCAN_COLUMNS_SLOT_INITIAL] = state;
    if (one && (flags & VKR_SCAN_COLUMNS_FLAG_END) != 0)
        slots[VKR_SCAN_COLUMNS_SLOT_TOTAL].place = s->total;
    else if (one)
        slots[VKR_SCAN_COLUMNS_SLOT_TOTAL] = state;
    slots[VKR_SCAN_COLUMNS_SLOT_COUNT].place = vkr_place_of_count(&s->info->gpuCount);
}

/* Adds a pass of a mode over `strips` strips of a level, starting at `first`. */
static VkrResult add_strips(VkrRecorder recorder, const vkr_scan *s, const level *l, uint32_t mode,
                            uint32_t flags, uint64_t first, uint64_t strips)
{
    vkr_walk walk = s->walk;
    if (!l->elements)
        vkr_set_loads(&walk, 0);
    const uint64_t columns = columns_of(s);
    const uint32_t unit = walk.loads != 0 ? walk.unit : 1;
    const vkr_grid grid = {
        .first_row = first, .rows = strips, .parts = columns / unit, .share = walk.workgroup_size};
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_scan_columns_card,
        .kernel = vkr_walk_kernel(&walk),
        .constants = {[VKR_CONST_OPS] = (uint32_t)s->info->op,
                      [VKR_CONST_FLAGS] = flags_of_pass(s, l, flags),
                      [VKR_CONST_INPUT] = l->elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_SCAN_COLUMNS_CONST_MODE] = mode},
        .finish = finish,
        .operation = s};
    struct vkr_scan_columns_push *push = VKR_PUSH(&pass, vkr_scan_columns_push);
    push->total_base = UINT32_MAX;
    push->row_length = (uint32_t)s->info->segments.length;
    push->columns = (uint32_t)columns;
    push->components = s->input.components;
    push->parts = (uint32_t)grid.parts;
    push->strip = (uint32_t)l->strip;
    push->rows = (uint32_t)l->rows;
    push->covered = (uint32_t)vkr_min(l->covered, UINT32_MAX);
    struct vkr_scan_columns_uniforms *uniforms = VKR_UNIFORMS(&pass, vkr_scan_columns_uniforms);
    vkr_set_initial(s, uniforms->initial_low, uniforms->initial_high);
    bind(s, l, mode, flags, &pass);
    return vkr_emit_grid(recorder, &pass, &grid);
}

static VkrResult add_all(VkrRecorder recorder, const vkr_scan *s, const level *l, uint32_t mode)
{
    return add_strips(recorder, s, l, mode, 0, 0, strips_of(l));
}

/* Adds the dispatches that go over a level as over a single strip: each leaves the state in which
 * the next one starts. */
static VkrResult add_one(VkrRecorder recorder, const vkr_scan *s, level *l)
{
    const uint64_t windows = vkr_max(strips_of(l), 1);
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->partial_words / s->input.components,
                          windows > 1 ? columns_of(s) : 0, &l->above));
    VKR_FIT(&s->walk, windows == 1 || !s->canonical || !s->walk.reverse,
            "determinism is VKR_DETERMINISM_DEVICE, flags has VKR_SCAN_REVERSE_BIT and "
            "segments.kind is columns, but the totals of %" PRIu64 " blocks of rows",
            l->rows);
    if (windows > VKR_MAX_WINDOWS)
        return vkr_refuse_dispatches(&s->walk, VKR_MAX_WINDOWS, "count is %" PRIu64, s->walk.count);
    for (uint64_t i = 0; i < windows; i++) {
        const uint32_t flags = (i == 0 ? VKR_SCAN_COLUMNS_FLAG_TOP : 0) |
                               (i == windows - 1 ? VKR_SCAN_COLUMNS_FLAG_END : 0);
        VKR_TRY(add_strips(recorder, s, l, VKR_MODE_ONE, flags,
                           s->walk.reverse ? windows - 1 - i : i, 1));
    }
    return VKR_SUCCESS;
}

/* ---- Levels ---- */

/* Whether the columns of a level occupy the device, or its rows are few. At level DEVICE only the
 * totals of blocks are one chain. */
static bool is_one(const vkr_scan *s, const level *l)
{
    const numbers *n = numbers_of(&s->walk);
    const uint64_t lanes = columns_of(s) / (l->elements ? s->walk.unit : 1);
    if (s->canonical)
        return l->covered > VKR_SCAN_RUN || l->rows == 0;
    return lanes >= n->lanes || l->rows <= n->min_strip;
}

/* The rows of a strip: as few as leave enough strips for the device, since the level above is then
 * small, too. */
static uint64_t choose_strip(const vkr_scan *s, const level *l)
{
    const numbers *n = numbers_of(&s->walk);
    const uint64_t lanes = columns_of(s) / (l->elements ? s->walk.unit : 1);
    const uint64_t most = max_strip(s, l);
    if (is_one(s, l))
        return vkr_min(most, n->max_rows);
    if (s->canonical)
        return VKR_SCAN_RUN;
    const uint64_t strips = vkr_divide_up(n->lanes, lanes);
    return vkr_min(vkr_max(l->rows / strips, n->min_strip), most);
}

static VkrResult plan_level(VkrRecorder recorder, const vkr_scan *s, level *l)
{
    l->strip = choose_strip(s, l);
    if (is_one(s, l))
        return add_one(recorder, s, l);
    level next = {.rows = strips_of(l), .covered = l->covered * l->strip};
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->partial_words / s->input.components,
                          next.rows * columns_of(s), &next.place));
    l->above = next.place;
    VKR_TRY(add_all(recorder, s, l, VKR_MODE_TOTALS));
    VKR_TRY(plan_level(recorder, s, &next));
    return add_all(recorder, s, l, VKR_MODE_APPLY);
}

/* Strips that are counted from the end start anywhere, so that one dispatch must reach all. */
static VkrResult check_reach(const vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const vkr_caps *caps = &w->context->caps;
    const uint64_t reach = vkr_min(vkr_view_reach(caps, &s->input, w->count),
                                   vkr_view_reach(caps, &s->output, w->count));
    VKR_FIT(w, columns_of(s) * (s->partial_words / s->input.components) * 4 <= vkr_room(caps),
            "segments.length is %" PRIu64 ", and a row of totals", s->info->segments.length);
    VKR_FIT(w, !s->canonical || !w->reverse || reach >= w->count,
            "determinism is VKR_DETERMINISM_DEVICE, flags has VKR_SCAN_REVERSE_BIT and "
            "segments.kind is columns, but all elements, count (%" PRIu64 "),",
            w->count);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_scan_columns(VkrRecorder recorder, vkr_scan *s)
{
    level elements = {
        .elements = true, .rows = s->walk.count / s->info->segments.length, .covered = 1};
    if (s->walk.count == 0 && s->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS;
    VKR_TRY(choose_walk(s));
    VKR_TRY(check_reach(s));
    return plan_level(recorder, s, &elements);
}
