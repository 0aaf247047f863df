/* SPDX-License-Identifier: MIT */
/* Reductions and scans by monoids of an application, compared with the same on the CPU: every
 * monoid in every operation, and all other choices pairwise. */
#include "monoids.h"

#include <stdio.h>

#define MOST 40000u /* elements of a row: more than two windows of SMALL_RANGE */
#define LAYOUTS 6u

enum {
    AXIS_MONOID,
    AXIS_OPERATION,
    AXIS_FLAGS,
    AXIS_DIRECTION,
    AXIS_COUNT, /* of elements and, by offsets, of segments */
    AXIS_ENDS,
    AXIS_FINISH,
    AXIS_LIMITS,
    AXIS_GEOMETRY,
    AXIS_LOADS /* the path, and the order as the lowest bit */
};

#define OPERATION(name, of, few, many, ...)                                                        \
    [DO_##name] = {.kind = VKR_SEGMENTS_##of, .least = few, .most = many, __VA_ARGS__},
const monoid_operation monoid_operations[DO_COUNT] = {MONOID_OPERATIONS(OPERATION)};

bool monoids_has(const monoid_row *row)
{
    return (row->components == 0 || rig.device.types[row->element]) &&
           (row->module != MODULE_INT64 || rig.device.types[VKR_TYPE_I64]) &&
           (row->module != MODULE_SHORT || rig.h.requirements.features.features.shaderInt16);
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const monoid_row *row = &monoid_rows[axes[AXIS_MONOID]];
    const monoid_operation *o = &monoid_operations[axes[AXIS_OPERATION]];
    const monoid_flags flags = (monoid_flags)axes[AXIS_FLAGS];
    const bool has_flags = o->masked || o->kind == VKR_SEGMENTS_FLAGS;
    if (!has_limits(a, (limits_row)axes[AXIS_LIMITS]) || !monoids_has(row) ||
        (flags == IN_U8 && !a->types[VKR_TYPE_U8]))
        return false;
    if (!o->is_scan && (axes[AXIS_DIRECTION] != 0 || axes[AXIS_ENDS] != 0))
        return false;
    if (axes[AXIS_GEOMETRY] == 0 && axes[AXIS_LOADS] != 0)
        return false;
    return has_flags == (flags != NO_FLAGS) && (!o->pieces || axes[AXIS_COUNT] == 0) &&
           (axes[AXIS_FINISH] == 0 || row->finish != NULL);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
    t->tuning = (tuning_row){.geometry = t->axes[AXIS_GEOMETRY],
                             .order = (VkrLoadOrder)(t->axes[AXIS_LOADS] % 2),
                             .path = (VkrLoadPath)(t->axes[AXIS_LOADS] / 2)};
}

/* ---- Functions ---- */

static const uint32_t plain_code[] =
#include "monoids.inc"
    ;
static const uint32_t int64_code[] =
#include "monoids_int64.inc"
    ;
static const uint32_t export_code[] =
#include "monoids_export.inc"
    ;
static const uint32_t short_code[] =
#include "monoids_short.inc"
    ;
static const uint32_t image_code[] =
#include "monoids_image.inc"
    ;

VkrModule monoids_module_of(VkrContext context, monoid_module module)
{
    static const uint32_t int16 = 22; /* SPIR-V's number of the capability */
    const VkrModuleInfo infos[MODULE_COUNT] = {
        {"plain", plain_code, sizeof plain_code, rig.set_layouts[2], 0, NULL},
        {"int64", int64_code, sizeof int64_code, rig.set_layouts[2], 0, NULL},
        {"export", export_code, sizeof export_code, VK_NULL_HANDLE, 0, NULL},
        {"short", short_code, sizeof short_code, VK_NULL_HANDLE, 1, &int16},
        {"image", image_code, sizeof image_code, rig.set_layouts[0], 0, NULL}};
    const VkrModule made = get_module(&rig.contexts, context, &infos[module]);
    assert_non_null(made);
    return made;
}

static const char *name_function(char name[32], const char *what, const char *of)
{
    (void)snprintf(name, 32, "%s%s%s", what, *of != '\0' ? "_" : "", of);
    return name;
}

static VkrBufferRange place_words(test_request *t, bool is_read)
{
    const monoid_request *s = t->own;
    const VkDeviceSize size = is_read && s->capacity != 0 ? 4 * (VkDeviceSize)s->capacity : 4;
    /* The bound of results that are rounded is of the words that are drawn. */
    const bool own = !is_read || (s->row->bits & MONOID_ROUNDS) != 0;
    return (own ? test_room : test_read)(t, TEST_BUFFER_ALIGNMENT, size);
}

/* Places what functions read, in the set of the request. */
static void place_functions(test_request *t)
{
    monoid_request *s = t->own;
    const monoid_row *row = s->row;
    const bool of_words = row->components == 0 && row->module != MODULE_IMAGE;
    const bool of_others = (row->bits & MONOID_OTHERS) != 0 || s->c.flags == BY_FUNCTION;
    s->words = place_words(t, of_words);
    s->others = place_words(t, of_others);
    const VkrBufferRange ranges[] = {s->words, s->others};
    const VkDescriptorSet set = test_set(2, ranges, NULL);
    uint32_t uses = 0;
    for (uint32_t i = 0; i < 2; i++)
        if (i == 0 ? of_words : of_others)
            s->uses[uses++] = (VkrUse){
                .buffer = ranges[i].buffer, .offset = ranges[i].offset, .size = ranges[i].size};
    const VkrHook load = {monoids_module_of(test_context(), row->module),
                          name_function(s->load, "load", row->name), set, uses, s->uses};
    s->hook = load;
    if (row->module == MODULE_EXPORT || row->module == MODULE_SHORT)
        s->hook.set = VK_NULL_HANDLE;
    if (row->module == MODULE_IMAGE) {
        s->uses[0] =
            (VkrUse){.image = s->texture.image.image, .subresource = s->texture.part.range};
        s->hook.set = test_set(0, NULL, &s->texture);
        s->hook.useCount = 1;
    }
    s->starts =
        (VkrHook){monoids_module_of(test_context(), MODULE_PLAIN), "is_start", set, uses, s->uses};
    s->monoid = (VkrMonoid){&s->hook, name_function(s->combine, "combine", row->base),
                            name_function(s->identity, "identity", row->base),
                            s->c.finishes ? name_function(s->finish, "finish", row->base) : NULL,
                            (row->bits & MONOID_MOVES) != 0};
}

/* ---- Placing ---- */

static VkrView place_elements(test_request *t)
{
    const monoid_row *row = ((const monoid_request *)t->own)->row;
    const uint32_t n = ((const monoid_request *)t->own)->capacity;
    const uint32_t size = vkrTypeSize(row->element), element = size * row->components;
    const uint32_t gap = random_below(&t->structure, 4) == 0 ? size : 0;
    const bool aligned = random_below(&t->structure, 2) == 0;
    const bool texels = t->tuning.geometry == 0 || t->tuning.path == VKR_LOAD_TEXEL;
    if (row->components == 0)
        return (VkrView){0};
    VkrView view =
        test_input(t, row->element, row->components, element + gap, aligned ? 32 : size, n);
    if (texels && random_below(&t->structure, 4) != 0 && n != 0)
        test_texels(t, &view);
    return view;
}

static VkrFlagView place_flags(test_request *t)
{
    monoid_request *s = t->own;
    const VkDeviceSize n = s->capacity;
    const VkrFlagFormat format =
        s->c.flags == BY_FUNCTION ? VKR_FLAGS_BITS : (VkrFlagFormat)(s->c.flags - IN_U32);
    VkrFlagView flags = {.format = format};
    if (s->c.flags == NO_FLAGS)
        return (VkrFlagView){0};
    if (s->c.flags == BY_FUNCTION)
        flags.hook = &s->starts;
    else if (format == VKR_FLAGS_U8)
        flags.range = test_read(t, 1, n);
    else
        flags.range = test_read(t, 4, format == VKR_FLAGS_BITS ? (n + 31) / 32 * 4 : 4 * n);
    return flags;
}

static VkrGpuCount place_count(test_request *t, uint64_t capacity)
{
    static const VkrType types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
    return test_count(t, types[((const monoid_request *)t->own)->c.counted], capacity);
}

static VkrSegments place_segments(test_request *t)
{
    monoid_request *s = t->own;
    const uint32_t unit = s->o->is_long ? 8 : 4;
    VkrSegments segments = {.kind = s->o->kind, .length = s->length};
    s->entries = s->c.entries;
    if (s->o->kind == VKR_SEGMENTS_KEYS)
        segments.keys = test_own_input(t, VKR_TYPE_U32, 1, 4, 4, s->capacity);
    if (s->o->kind != VKR_SEGMENTS_OFFSETS)
        return segments;
    if (s->entries == 0)
        s->entries = 1 + test_below(t, test_below(t, 3) == 0 ? 4 : 400);
    segments.offsets = test_room(t, 4, (VkDeviceSize)s->entries * unit);
    segments.offsetType = s->o->is_long ? VKR_TYPE_U64 : VKR_TYPE_UNDEFINED;
    if (!s->o->is_scan)
        segments.gpuCount = place_count(t, s->entries - 1);
    return segments;
}

/* Places what both kinds of infos have, and returns the count. */
static uint64_t place_common(test_request *t)
{
    monoid_request *s = t->own;
    const bool scans = s->o->is_scan;
    s->input = scans ? &s->scan.input : &s->reduce.input;
    s->count = scans ? &s->scan.gpuCount : &s->reduce.gpuCount;
    s->segments = scans ? &s->scan.segments : &s->reduce.segments;
    s->flags = scans ? &s->scan.segments.flags : &s->reduce.mask.flags;
    *s->input = place_elements(t);
    *s->count = place_count(t, s->capacity);
    *s->segments = place_segments(t);
    *s->flags = place_flags(t);
    return s->input->size != 0 && test_below(t, 2) == 0 ? VKR_COUNT_ALL : s->capacity;
}

static void place_reduction(test_request *t)
{
    monoid_request *s = t->own;
    VkrReduceInfo *info = &s->reduce;
    info->label = "monoid";
    info->monoid = &s->monoid;
    info->count = place_common(t);
    assert_true(harness_check(&rig.h, vkrGetReduceLayout(test_context(), info, &s->layout),
                              "vkrGetReduceLayout"));
    assert_int_equal(s->layout.components, s->c.finishes ? s->row->finished : s->row->words);
    info->output = test_written(t, 4, s->layout.size);
    if (!s->o->pieces || s->capacity == 0)
        return;
    s->piece = 1 + test_below(t, 2);
    info->pieces = (VkrPieces){test_written(t, 4, s->layout.partialsSize), 0, s->capacity};
    test_end_port(t, s->layout.partialsSize);
}

static void place_scan(test_request *t)
{
    monoid_request *s = t->own;
    VkrScanInfo *info = &s->scan;
    const VkDeviceSize state = 4 * (VkDeviceSize)s->row->words;
    const VkDeviceSize size = s->c.finishes ? 4 * (VkDeviceSize)s->row->finished : state;
    const uint32_t gap = random_below(&t->structure, 3) == 0 ? 12 : 0;
    const VkDeviceSize stride = size + gap, n = s->capacity;
    info->label = "monoid";
    info->monoid = &s->monoid;
    info->flags = s->c.direction;
    info->count = place_common(t);
    const VkrBufferRange output = test_written(t, 4, n == 0 ? 0 : (n - 1) * stride + size);
    info->output = (VkrView){.buffer = output.buffer,
                             .offset = output.offset,
                             .size = output.size,
                             .stride = gap != 0 || test_below(t, 2) == 0 ? stride : 0};
    if ((s->c.ends & HAS_INITIAL) != 0)
        info->gpuInitial = ((s->row->bits & MONOID_ANY) != 0 ? test_read : test_room)(t, 4, state);
    if ((s->c.ends & HAS_TOTAL) != 0)
        info->total = test_written(t, 4, state);
}

void monoids_place(test_request *t, const monoid_choice *c)
{
    monoid_request *s = t->own;
    const monoid_operation *o = &monoid_operations[c->operation];
    s->c = *c;
    s->row = &monoid_rows[c->monoid];
    s->o = o;
    s->capacity = c->count < t->most ? c->count : t->most;
    s->length = c->length != 0 ? c->length
                : o->most != 0 ? o->least + test_below(t, o->most - o->least + 1)
                               : 0;
    if (!o->is_scan && (o->kind == VKR_SEGMENTS_ROWS || o->kind == VKR_SEGMENTS_COLUMNS))
        s->capacity -= s->capacity % s->length;
    place_functions(t);
    (o->is_scan ? place_scan : place_reduction)(t);
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {30011, 1, 4097, 1025, 128, 0, 20000, MOST};
    const uint32_t *axes = t->axes;
    monoids_place(t, &(monoid_choice){.monoid = axes[AXIS_MONOID],
                                      .operation = axes[AXIS_OPERATION],
                                      .count = test_size(t, sizes, ARRAY_SIZE(sizes), MOST),
                                      .flags = (monoid_flags)axes[AXIS_FLAGS],
                                      .direction = axes[AXIS_DIRECTION],
                                      .counted = axes[AXIS_COUNT],
                                      .ends = axes[AXIS_ENDS],
                                      .finishes = axes[AXIS_FINISH] != 0});
}

/* ---- Running ---- */

/* A call for each piece of the whole. */
static VkrResult record_pieces(VkrRecorder recorder, const monoid_request *s)
{
    VkrReduceInfo info = s->reduce;
    VkrResult result = VKR_SUCCESS;
    uint32_t length = VKR_TREE_BLOCK * s->piece;
    for (uint32_t first = 0; first < s->capacity && result == VKR_SUCCESS; first += length) {
        if (first != 0)
            length = VKR_TREE_BLOCK * (1 + first / VKR_TREE_BLOCK % 2);
        const uint32_t left = s->capacity - first;
        info.pieces.first = first;
        info.count = length < left ? length : left;
        if (s->row->components != 0) {
            info.input.offset = s->reduce.input.offset + first * info.input.stride;
            info.input.size = s->reduce.input.size - first * info.input.stride;
        }
        result = vkrCmdReduce(recorder, &info);
    }
    return result;
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    const monoid_request *s = t->own;
    if (s->o->is_scan)
        return vkrCmdScan(recorder, &s->scan);
    return s->piece != 0 ? record_pieces(recorder, s) : vkrCmdReduce(recorder, &s->reduce);
}

bool monoids_lie_anywhere(const monoid_operation *o)
{
    return !o->is_scan && (o->kind == VKR_SEGMENTS_KEYS || o->kind == VKR_SEGMENTS_WINDOWS ||
                           o->kind == VKR_SEGMENTS_OFFSETS);
}

/* One range must reach what lies anywhere, and the starts of runs. */
static bool may_refuse(const test_request *t)
{
    const monoid_request *s = t->own;
    return limits_rows[t->limits].maxStorageBufferRange != 0 && monoids_lie_anywhere(s->o) &&
           (s->o->kind == VKR_SEGMENTS_KEYS || s->row->components != 0) &&
           4 * s->capacity > SMALL_RANGE / 2;
}

static void print(const test_request *t)
{
    const monoid_request *s = t->own;
    printf("#     .monoid = {%s, %s, %s, %s, .commutative = %u},\n", s->load, s->combine,
           s->identity, s->finish, s->monoid.commutative);
    test_print_range("words", &s->words);
    test_print_range("others", &s->others);
    test_print_view("input", s->input);
    test_print_number("count", s->capacity);
    test_print_count("gpuCount", s->count);
    test_print_segments(s->segments);
    if (s->c.flags != NO_FLAGS)
        test_print_range("flags", &s->flags->range);
    test_print_range("output", &s->reduce.output);
    test_print_range("pieces.partials", &s->reduce.pieces.partials);
    test_print_view("output", &s->scan.output);
    test_print_number("flags", s->scan.flags);
    test_print_range("gpuInitial", &s->scan.gpuInitial);
    test_print_range("total", &s->scan.total);
}

const test_operation test_monoids = {
    .name = "monoids",
    .call = "vkrCmdReduce or vkrCmdScan",
    .axes = {[AXIS_MONOID] = {"monoid", MONOIDS},
             [AXIS_OPERATION] = {"operation", DO_COUNT},
             [AXIS_FLAGS] = {"flags", WAYS},
             [AXIS_DIRECTION] = {"direction", 4},
             [AXIS_COUNT] = {"count", 3},
             [AXIS_ENDS] = {"ends", 4},
             [AXIS_FINISH] = {"finish", 2},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_GEOMETRY] = {"geometry", GEOMETRIES},
             [AXIS_LOADS] = {"loads", 2 * VKR_LOAD_PATH_COUNT}},
    .urgent = DO_COUNT,
    .layouts = LAYOUTS,
    .thin = 3,
    .size = sizeof(monoid_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = monoids_fill,
    .record = record,
    .expect = monoids_expect,
    .may_refuse = may_refuse,
    .print = print,
    .enough = test_few_refused,
    .fixed = {{"test_long", MONOIDS_LONG_ROWS, monoids_make_long, 0, 4},
              {"test_many", MONOIDS_MANY_ROWS, monoids_make_many, 0, 13},
              {"test_windows", MONOIDS_WINDOW_ROWS, monoids_make_windows, 3, 7},
              {"test_long_segments", MONOIDS_SEGMENT_ROWS, monoids_make_segments, 0, 3},
              {"test_image", 2, monoids_make_image, 0, 0}},
    .others = monoids_others,
    .other_count = MONOIDS_OTHERS,
};
