/* SPDX-License-Identifier: MIT */
/* Reductions and scans by key (VKR_SEGMENTS_KEYS) against the oracle: all choices pairwise, and
 * runs of one element, of tiles and of all elements, at a size that needs many workgroups; the same
 * for words, where a single pass does all. */
#include "by_key_request.h"

#include <string.h>

#define MANY 70001u
#define LAYOUTS 7u

enum {
    AXIS_OPS,
    AXIS_KEY_TYPE,
    AXIS_OPERATION, /* reduction, or a scan in one of four directions */
    AXIS_KEY_COMPONENTS,
    AXIS_TYPE,
    AXIS_COMPONENTS, /* and the type of lengths */
    AXIS_DETERMINISM,
    AXIS_LIMITS,
    AXIS_GPU_COUNT,
    AXIS_OUTPUTS,
    AXIS_SHARED,
    AXIS_GEOMETRY,
    AXIS_BY_VALUE,
};

static const VkrOpFlags op_sets[] = {
    VKR_OP_SUM | VKR_OP_COUNT | VKR_OP_DOT,
    VKR_OP_MIN | VKR_OP_ARGMAX,
    VKR_OP_MAX | VKR_OP_MEAN,
    VKR_OP_PRODUCT | VKR_OP_L1,
    VKR_OP_XOR | VKR_OP_AND | VKR_OP_OR,
    VKR_OP_MIN | VKR_OP_VARIANCE | VKR_OP_NAN,
    VKR_OP_LOGSUMEXP | VKR_OP_MIN,
};
static const VkrType types[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I16,
                                VKR_TYPE_U8,  VKR_TYPE_U64, VKR_TYPE_F16};
static const VkrType gpu_counts[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const VkrType type = types[axes[AXIS_TYPE]];
    const VkrType key = axes[AXIS_SHARED] == 0 ? type : (VkrType)(axes[AXIS_KEY_TYPE] + 1);
    if (axes[AXIS_BY_VALUE] != 0 && !is_float(key))
        return false;
    return a->types[type] && (axes[AXIS_SHARED] == 0 || a->types[axes[AXIS_KEY_TYPE] + 1]) &&
           has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           (op_sets[axes[AXIS_OPS]] & ~operators_of(type, 0)) == 0;
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
    t->tuning = (tuning_row){.geometry = t->axes[AXIS_GEOMETRY],
                             .order = (VkrLoadOrder)(t->axes[AXIS_GPU_COUNT] % 2)};
}

/* ---- Placing ---- */

static VkrView place_view(test_request *t, bool written, VkrType type, uint32_t components,
                          uint64_t count)
{
    const uint32_t size = vkrTypeSize(type);
    const bool packed = ((const key_request *)t->own)->words || test_below(t, 2) == 0;
    const VkDeviceSize stride = size * (components + (packed ? 0 : test_below(t, 3)));
    return (written ? test_aligned_output : test_input)(
        t, type, components, stride, test_below(t, 2) == 0 ? 32 : size, count != 0 ? count : 1);
}

/* What is read: words begin in packs where the others of a row do. */
static VkrView place_read(test_request *t, bool written, VkrType type, uint32_t components)
{
    const key_request *s = t->own;
    if (!s->words)
        return place_view(t, written, type, components, s->capacity);
    VkrView view = (written ? test_aligned_output : test_input)(
        t, type, 1, 4, 32, s->phase + (s->capacity != 0 ? s->capacity : 1));
    const VkDeviceSize before = 4 * (VkDeviceSize)s->phase;
    if (written) {
        t->ports[t->port_count - 1].offset += before;
        test_end_port(t, before);
    }
    view.offset += before;
    view.size -= before;
    return view;
}

/* Count outputs of all kinds that tell something about runs; `apart` makes them lie so far apart
 * that a dispatch of their own writes them. */
static void place_counts(test_request *t, bool apart)
{
    static const VkrCountKind kinds[KEY_COUNTS] = {
        VKR_COUNT_KEPT, VKR_COUNT_STORED, VKR_COUNT_DISPATCH, VKR_COUNT_KEPT64, VKR_COUNT_REJECTED};
    key_request *s = t->own;
    VkrRuns *runs = &s->reduce.segments.runs;
    const bool alone = s->words && test_below(t, 2) == 0;
    const bool wide = alone && test_below(t, 2) == 0;
    const VkrBufferRange range = test_written(t, 4, KEY_COUNTS * 160);
    test_end_port(t, range.size - 4); /* there are gaps after the first one */
    runs->countOutputCount = alone ? 1 : apart ? KEY_COUNTS : 3;
    runs->countOutputs = s->counts;
    for (uint32_t i = 0; i < runs->countOutputCount; i++)
        s->counts[i] = (VkrCountOutput){.kind = wide ? VKR_COUNT_KEPT64 : kinds[i],
                                        .buffer = range.buffer,
                                        .offset = range.offset + (apart ? 160 : 12) * i,
                                        .scale = kinds[i] == VKR_COUNT_DISPATCH ? 64 : 0};
}

uint64_t key_room(const key_request *s)
{
    const uint64_t room = s->reduce.segments.runs.capacity;
    return room != 0 && room < s->capacity ? room : s->capacity;
}

static void place_reduction(test_request *t)
{
    key_request *s = t->own;
    VkrReduceInfo *info = &s->reduce;
    VkrRuns *runs = &info->segments.runs;
    info->ops = s->ops;
    info->input2 = info->input;
    if (s->outputs != 0 && !(s->words && s->length != 0)) /* those store all of their runs */
        runs->capacity = test_below(t, 2) == 0 ? 0 : 1 + test_below(t, 300);
    if (s->outputs % 2 != 0)
        runs->uniqueKeys = place_view(t, true, s->key_type, s->key_components, key_room(s));
    if (s->outputs >= 2)
        runs->lengths = place_view(t, true, s->length_type, 1, key_room(s));
    if (s->outputs != 0)
        place_counts(t, s->outputs == 2);
    const VkrContext of = get_context(&rig.contexts, t->limits, &t->tuning);
    assert_true(harness_check(&rig.h, vkrGetReduceLayout(of, info, &s->layout), "layout"));
    assert_int_equal(s->layout.segments, key_room(s));
    info->output = test_written(t, s->layout.alignment, s->layout.size);
}

static void place(test_request *t, uint64_t count)
{
    key_request *s = t->own;
    s->capacity = count < t->most ? count : t->most;
    const VkrOp op = (VkrOp)(s->ops & (0u - s->ops));
    s->result = expected_type(s->type, VKR_TYPE_UNDEFINED, op);
    const bool in_place = s->is_scan && !s->over && s->result == s->type && test_below(t, 2) == 0;
    const VkrView input = place_read(t, in_place, s->type, s->components);
    const VkrView keys = s->shared ? input : place_read(t, s->over, s->key_type, s->key_components);
    s->reduce.label = s->scan.label = "by key";
    s->reduce.count = s->scan.count = s->capacity;
    s->reduce.input = s->scan.input = input;
    s->reduce.gpuCount = s->scan.gpuCount = test_count(t, s->gpu_count, s->capacity);
    s->reduce.segments = s->scan.segments =
        (VkrSegments){.kind = VKR_SEGMENTS_KEYS, .keys = keys, .byValue = s->by_value};
    if (!s->is_scan) {
        place_reduction(t);
        return;
    }
    s->scan.op = op;
    s->scan.output = in_place  ? input
                     : s->over ? keys
                               : place_view(t, true, s->result, s->components, s->capacity);
    s->scan.output.type = s->result;
}

/* ---- Rows ---- */

static uint64_t draw_count(test_request *t, uint32_t layout)
{
    static const uint32_t counts[] = {1, 31, 32, 33, 128, 1000, 4096, 4097, 8193, 9000};
    return layout == 0             ? 0
           : layout + 1 == LAYOUTS ? 1 + test_below(t, 9000)
                                   : counts[test_below(t, ARRAY_SIZE(counts))];
}

static void make(test_request *t)
{
    const uint32_t *axes = t->axes;
    key_request *s = t->own;
    s->is_scan = axes[AXIS_OPERATION] > 1;
    s->shared = axes[AXIS_SHARED] == 0;
    s->ops = op_sets[axes[AXIS_OPS]];
    s->type = types[axes[AXIS_TYPE]];
    s->components = axes[AXIS_COMPONENTS] + 1;
    s->key_type = s->shared ? s->type : (VkrType)(axes[AXIS_KEY_TYPE] + 1);
    s->key_components = s->shared ? s->components : axes[AXIS_KEY_COMPONENTS] + 1;
    s->length_type = axes[AXIS_COMPONENTS] == 1 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    s->gpu_count = gpu_counts[axes[AXIS_GPU_COUNT]];
    s->outputs = axes[AXIS_OUTPUTS];
    s->by_value = axes[AXIS_BY_VALUE] != 0;
    s->scan.flags = s->is_scan ? axes[AXIS_OPERATION] - 2 : 0;
    s->reduce.determinism = s->scan.determinism =
        axes[AXIS_DETERMINISM] == 0 ? VKR_DETERMINISM_RUN : VKR_DETERMINISM_DEVICE;
    place(t, draw_count(t, t->layout % LAYOUTS));
}

/* ---- Fixed requests ---- */

static const uint64_t lengths[] = {1, 2, 31, 256, 257, 8192, MANY - 1, MANY};

/* Of each length two reductions, of which one says only what the keys are, and two scans, of which
 * one needs several windows of keys. */
static bool make_lengths(test_request *t, uint32_t number)
{
    const uint32_t kind = number % 4, other = number / 4 + kind;
    key_request *s = t->own;
    t->limits = kind == 2 ? LIMITS_SMALL : LIMITS_DEVICE;
    /* Neighbouring invocations load neighbouring packs of keys. */
    t->tuning = (tuning_row){.geometry = other % 4 == 0 ? 3 : 0};
    s->is_scan = kind % 3 != 0;
    s->ops = VKR_OP_SUM | VKR_OP_MAX;
    s->type = s->length_type = VKR_TYPE_U32;
    s->key_type = other % 2 == 0 ? VKR_TYPE_U32 : VKR_TYPE_F32;
    s->by_value = other % 4 == 1;
    s->components = s->key_components = 1;
    s->outputs = kind == 3 ? 1 : 3;
    s->length = lengths[number / 4];
    s->scan.flags = other % 2 == 0 ? 0 : VKR_SCAN_REVERSE_BIT;
    place(t, MANY);
    return true;
}

/* Keys by value, of each type of floats: many zeros and NaN. */
static bool make_values(test_request *t, uint32_t number)
{
    static const VkrType floats[] = {VKR_TYPE_F16, VKR_TYPE_BF16, VKR_TYPE_F32, VKR_TYPE_F64};
    key_request *s = t->own;
    s->is_scan = number % 2 != 0;
    s->ops = VKR_OP_SUM | VKR_OP_MAX;
    s->type = s->length_type = VKR_TYPE_U32;
    s->key_type = floats[number / 4];
    s->by_value = true;
    s->components = 1;
    s->key_components = 1 + number / 2 % 2;
    s->outputs = 3;
    if (rig.device.types[s->key_type])
        place(t, 5000);
    return rig.device.types[s->key_type];
}

/* Rows of words whose tiles stay in registers: those of 256 invocations with 8 elements each. */
#define TILE_OF_WORDS 2048u
#define REQUESTS_OF_WORDS (LAYOUTS + 1) /* of a row; the last one is long */
#define ROWS_OF_WORDS 16u

static void draw_words(key_request *s, uint64_t *row)
{
    static const VkrType words[] = {VKR_TYPE_F32, VKR_TYPE_U32, VKR_TYPE_I32};
    static const VkrOpFlags ops[] = {VKR_OP_SUM, VKR_OP_MAX, VKR_OP_MIN, VKR_OP_PRODUCT,
                                     VKR_OP_AND, VKR_OP_OR,  VKR_OP_XOR};
    s->words = true;
    s->shared = !s->over && random_below(row, 4) == 0;
    s->type = words[random_below(row, ARRAY_SIZE(words))];
    s->key_type = s->shared ? s->type : words[random_below(row, ARRAY_SIZE(words))];
    s->by_value = is_float(s->key_type) && random_below(row, 4) != 0;
    s->length_type = VKR_TYPE_U32;
    s->components = s->key_components = 1;
    s->ops = ops[random_below(row, is_float(s->type) ? 4 : ARRAY_SIZE(ops))];
    s->gpu_count = gpu_counts[random_below(row, ARRAY_SIZE(gpu_counts))];
    s->outputs = random_below(row, 4);
    s->phase = random_below(row, 4);
    s->scan.flags = s->is_scan ? random_below(row, 4) : 0;
}

static bool make_words(test_request *t, uint32_t number)
{
    static const uint64_t long_runs[] = {
        0, 1, 2, TILE_OF_WORDS - 1, TILE_OF_WORDS, TILE_OF_WORDS + 1, 3 * TILE_OF_WORDS - 1, MANY};
    key_request *s = t->own;
    const uint32_t part = number % REQUESTS_OF_WORDS, i = number / REQUESTS_OF_WORDS;
    const bool is_long = part == LAYOUTS;
    uint64_t row = (t->seed - number) * 1009 + 2 * i + is_long; /* seeds ascend with numbers */
    t->tuning = (tuning_row){.geometry = 4, .path = VKR_LOAD_VEC4};
    if (!has_arithmetic(&rig.device, LIMITS_DEVICE) || rig.device.workgroup < 256)
        return false;
    s->is_scan = i % 2 != 0;
    s->over = i % 8 == 1 && !is_long;
    s->length = is_long ? long_runs[i / 2] : 0;
    draw_words(s, &row);
    place(t, is_long ? MANY : draw_count(t, part));
    return true;
}

/* ---- Running ---- */

static void count_line(void *data, const char *line)
{
    uint32_t *lines = data;
    *lines += strstr(line, ": keyed_") != NULL;
}

/* The number of dispatches so far that reduce or scan words by key in a single pass. */
static uint32_t single_passes(VkrRecorder recorder)
{
    uint32_t lines = 0;
    assert_int_equal(vkrDescribe(recorder, count_line, &lines), VKR_SUCCESS);
    return lines;
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    const key_request *s = t->own;
    const bool in_place = s->is_scan && s->scan.output.offset == s->scan.input.offset &&
                          s->scan.output.buffer == s->scan.input.buffer;
    const uint32_t before = s->words ? single_passes(recorder) : 0;
    const VkrResult result =
        s->is_scan ? vkrCmdScan(recorder, &s->scan) : vkrCmdReduce(recorder, &s->reduce);
    if (s->words && result == VKR_SUCCESS && rig.inspect == NULL)
        assert_int_equal(single_passes(recorder) - before,
                         s->capacity != 0 && !s->over && !in_place);
    return result;
}

/* The arrays of a reduction must fit one descriptor. */
static bool may_refuse(const test_request *t)
{
    const key_request *s = t->own;
    return !s->is_scan && limits_rows[t->limits].maxStorageBufferRange != 0;
}

static void print(const test_request *t)
{
    const key_request *s = t->own;
    test_print_view("input", s->is_scan ? &s->scan.input : &s->reduce.input);
    test_print_number("count", s->capacity);
    test_print_count("gpuCount", &s->scan.gpuCount);
    test_print_segments(&s->scan.segments);
    test_print_number("determinism", s->scan.determinism);
    if (s->is_scan) {
        test_print_number("op", s->scan.op);
        test_print_number("flags", s->scan.flags);
        test_print_view("output", &s->scan.output);
        return;
    }
    const VkrRuns *runs = &s->reduce.segments.runs;
    test_print_number("ops", s->ops);
    test_print_range("output", &s->reduce.output);
    test_print_view("segments.runs.uniqueKeys", &runs->uniqueKeys);
    test_print_view("segments.runs.lengths", &runs->lengths);
    test_print_number("segments.runs.capacity", runs->capacity);
    test_print_number("segments.runs.countOutputCount", runs->countOutputCount);
}

const test_operation test_by_key = {
    .name = "by_key",
    .call = "vkrCmdReduce or vkrCmdScan",
    .axes = {[AXIS_OPS] = {"ops", ARRAY_SIZE(op_sets)},
             [AXIS_KEY_TYPE] = {"key-type", VKR_TYPE_COUNT - 1},
             [AXIS_OPERATION] = {"operation", 6},
             [AXIS_KEY_COMPONENTS] = {"key-components", VKR_MAX_COMPONENTS},
             [AXIS_TYPE] = {"type", ARRAY_SIZE(types)},
             [AXIS_COMPONENTS] = {"components", 3},
             [AXIS_DETERMINISM] = {"determinism", 2},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_GPU_COUNT] = {"gpu-count", ARRAY_SIZE(gpu_counts)},
             [AXIS_OUTPUTS] = {"outputs", 4},
             [AXIS_SHARED] = {"shared", 4},
             [AXIS_GEOMETRY] = {"geometry", 3},
             [AXIS_BY_VALUE] = {"by-value", 2}},
    .layouts = LAYOUTS,
    .size = sizeof(key_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = key_fill,
    .record = record,
    .expect = key_expect,
    .may_refuse = may_refuse,
    .print = print,
    .enough = test_few_refused,
    .fixed = {{"test_lengths", 4 * ARRAY_SIZE(lengths), make_lengths, 0, 0},
              {"test_values", 16, make_values, 0, 0},
              {"test_pairs_of_words", REQUESTS_OF_WORDS *ROWS_OF_WORDS, make_words, 0, 0}},
};
