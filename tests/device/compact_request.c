/* SPDX-License-Identifier: MIT */
/* Draws requests of compactions, and places what they read. */
#include "compact_request.h"

#define REQUEST_BYTES 500000u /* of all arrays: several windows of SMALL_RANGE */
#define LOAD 32u              /* size of the widest load in bytes */

bool tests_flags(predicate_row predicate)
{
    return predicate >= TEST_FLAGS_U32 && predicate <= TEST_FLAGS_BITS;
}

VkrPredicateKind kind_of_test(predicate_row predicate)
{
    static const VkrPredicateKind kinds[TEST_COUNT] = {
        [TEST_NONZERO] = VKR_PREDICATE_NONZERO,
        [TEST_COMPARE] = VKR_PREDICATE_COMPARE,
        [TEST_RANGE] = VKR_PREDICATE_COMPARE,
        [TEST_FINITE] = VKR_PREDICATE_FINITE,
        [TEST_NAN] = VKR_PREDICATE_NAN,
        [TEST_BITS] = VKR_PREDICATE_BITS,
        [TEST_FLAGS_U32] = VKR_PREDICATE_FLAGS,
        [TEST_FLAGS_U8] = VKR_PREDICATE_FLAGS,
        [TEST_FLAGS_BITS] = VKR_PREDICATE_FLAGS,
        [TEST_UNIQUE] = VKR_PREDICATE_UNIQUE,
        [TEST_UNIQUE_VALUES] = VKR_PREDICATE_UNIQUE,
        [TEST_CONTINUED] = VKR_PREDICATE_UNIQUE,
    };
    return kinds[predicate];
}

void compact_context(test_request *t, const compact_row *row)
{
    t->limits = row->limits;
    t->tuning = row->tuning;
}

static bool one_in(test_request *t, uint32_t n)
{
    return test_below(t, n) == 0;
}

VkDeviceSize compact_alignment(const compact_request *s, uint32_t unit)
{
    return s->aligned ? LOAD : unit;
}

VkDeviceSize compact_stride(test_request *t, bool strided, uint32_t unit, uint32_t entry)
{
    if (strided)
        return entry + unit * (1 + test_below(t, 4));
    return one_in(t, 2) ? entry : 0;
}

/* ---- Choices that all requests of a row share ---- */

static void choose_predicate(test_request *t)
{
    compact_request *s = t->own;
    VkrPredicate *p = &s->info.predicate;
    const VkrCompare some = (VkrCompare)(1 + random_below(&t->structure, VKR_COMPARE_COUNT - 1));
    const VkrCompare other = (VkrCompare)(1 + random_below(&t->structure, VKR_COMPARE_COUNT - 1));
    *p = (VkrPredicate){.kind = kind_of_test(s->row.predicate), .negate = s->row.negate};
    p->component = random_below(&t->structure, s->row.components);
    p->byValue = s->row.predicate == TEST_UNIQUE_VALUES ||
                 (s->row.predicate == TEST_CONTINUED && is_float(s->row.type) && s->row.negate);
    if (p->kind == VKR_PREDICATE_COMPARE)
        p->compare = some;
    if (s->row.predicate == TEST_RANGE)
        p->compare2 = other;
    if (p->kind == VKR_PREDICATE_BITS)
        p->compare = some % 2 == 0 ? VKR_COMPARE_EQUAL : VKR_COMPARE_NOT_EQUAL;
}

static void choose_for_row(test_request *t)
{
    compact_request *s = t->own;
    const bool packed = s->row.packed;
    choose_predicate(t);
    s->strided_input = random_below(&t->structure, 3) == 0 && !packed;
    s->strided_outputs = random_below(&t->structure, 3) == 0 && !packed;
    s->strided_payloads = random_below(&t->structure, 3) == 0 && !packed;
    s->texels = random_below(&t->structure, 8) != 0 && s->row.tuning.path == VKR_LOAD_TEXEL;
    s->aligned = random_below(&t->structure, 3) == 0;
}

/* ---- Inputs ---- */

static void place_input(test_request *t, VkDeviceSize stride)
{
    compact_request *s = t->own;
    const compact_row *row = &s->row;
    const uint32_t unit = vkrTypeSize(row->type), element = unit * row->components;
    const VkDeviceSize step = stride != 0 ? stride : element;
    const VkDeviceSize bytes =
        (s->most > 0 ? (s->most - 1) * step + element : 0) + test_below(t, element);
    const bool all = one_in(t, 2) && bytes != 0, continued = row->predicate == TEST_CONTINUED;
    /* Elements beyond the count lie in the view, but must not be read. */
    const uint32_t beyond = all ? 0 : test_below(t, 3);
    VkrView *view = &s->info.input;
    *view = test_input(t, row->type, row->components, step, compact_alignment(s, unit),
                       s->most + beyond + continued);
    if (row->components == 1 && one_in(t, 2))
        view->components = 0;
    view->offset += continued ? step : 0;
    view->size = bytes + beyond * step;
    view->stride = stride;
    s->info.count = all ? VKR_COUNT_ALL : s->most;
    if (s->texels && view->size != 0)
        test_texels(t, view);
}

/* Flags that a function returns are its own. */
static void place_flags(test_request *t)
{
    compact_request *s = t->own;
    VkrFlagView *flags = &s->info.predicate.flags;
    flags->format = (VkrFlagFormat)(s->row.predicate - TEST_FLAGS_U32);
    const uint32_t unit = flags->format == VKR_FLAGS_U8 ? 1 : 4;
    const VkDeviceSize at = compact_alignment(s, unit);
    const VkDeviceSize size =
        flags->format == VKR_FLAGS_BITS ? (s->most + 31) / 32 * 4 : s->most * unit;
    flags->range = s->row.called != NULL ? test_room(t, at, size) : test_read(t, at, size);
}

static VkrConstant draw_constant(test_request *t, VkrType type)
{
    static const distribution data[] = {DATA_RANDOM, DATA_INTEGRAL,  DATA_INTEGRAL, DATA_ZEROS,
                                        DATA_BITS,   DATA_SUBNORMAL, DATA_SOME_NAN, DATA_EXTREMES};
    VkrConstant constant = {.u = 0};
    fill_data(&t->random, data[test_below(t, ARRAY_SIZE(data))],
              is_float(type) ? VKR_TYPE_F64 : type, 1, &constant, 8, 1);
    /* Half of the constants for f32 are arbitrary doubles, which must be rounded. */
    if (type == VKR_TYPE_F32 && one_in(t, 2))
        fill_data(&t->random, DATA_RANDOM, VKR_TYPE_F64, 1, &constant, 8, 1);
    if (type == VKR_TYPE_I8)
        constant.i = (int8_t)constant.u;
    if (type == VKR_TYPE_I16)
        constant.i = (int16_t)constant.u;
    if (type == VKR_TYPE_I32)
        constant.i = (int32_t)constant.u;
    return constant;
}

static void draw_predicate(test_request *t)
{
    compact_request *s = t->own;
    VkrPredicate *p = &s->info.predicate;
    const uint32_t size = vkrTypeSize(s->row.type);
    if (p->kind == VKR_PREDICATE_COMPARE) {
        p->a = draw_constant(t, s->row.type);
        p->b = draw_constant(t, s->row.type);
    }
    if (p->kind == VKR_PREDICATE_BITS) {
        for (int i = 0; i < 3; i++)
            p->mask |= UINT64_C(1) << test_below(t, size * 8);
        p->value = p->mask & next_random(&t->random);
    }
    if (s->row.predicate == TEST_CONTINUED)
        s->info.flags = VKR_COMPACT_CONTINUED_BIT;
    if (s->row.gpu_constants)
        p->gpuConstants = test_read(t, size, 2 * (VkDeviceSize)size);
}

/* ---- A request ---- */

/* The first index: small, or so large that indices need 64 bits. */
static uint64_t draw_first(test_request *t, const compact_row *row)
{
    const bool wide = row->indices == VKR_TYPE_U64 ||
                      (row->indices == VKR_TYPE_UNDEFINED && has_wide_indices(row->limits));
    if (one_in(t, 2))
        return 0;
    return test_below(t, UINT32_C(1) << 31) + (wide ? UINT64_C(5) << 32 : 0);
}

void compact_make(test_request *t, const compact_row *row, uint64_t count)
{
    compact_request *s = t->own;
    VkrCompactInfo *info = &s->info;
    const uint32_t unit = vkrTypeSize(row->type), element = unit * row->components;
    s->row = *row;
    choose_for_row(t);
    const VkDeviceSize stride = compact_stride(t, s->strided_input, unit, element);
    const uint64_t most = row->only != 0 ? row->only : REQUEST_BYTES / compact_weigh(row, stride);
    s->most = count < most ? count : most;
    s->most = s->most < t->most ? s->most : t->most;
    s->room = test_below(t, 3);
    info->label = "row";
    info->count = s->most;
    info->algorithm = row->algorithm;
    info->stream = row->stream;
    info->workgroupSize = row->workgroup_size;
    info->firstIndex = draw_first(t, row);
    info->payloads = s->payloads;
    info->countOutputs = s->counts;
    if (s->room == 2)
        info->capacity = 1 + test_below(t, (uint32_t)s->most + 8);
    draw_predicate(t);
    if (tests_flags(row->predicate))
        place_flags(t);
    if (!tests_flags(row->predicate) || (row->outputs & OUT_VALUES) != 0 || one_in(t, 2))
        place_input(t, stride);
    compact_place_outputs(t);
    if (row->called == NULL)
        return;
    const VkrModuleInfo keep = {
        .label = "keep", .code = row->called->words, .codeSize = row->called->size};
    s->hook = (VkrHook){.module = get_module(&rig.contexts, test_context(), &keep), .name = "keep"};
    assert_non_null(s->hook.module);
}
