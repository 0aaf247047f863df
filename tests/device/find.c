/* SPDX-License-Identifier: MIT */
/* vkrCmdFind against the oracle of compactions: types, predicates, counts and limits, each with
 * several sizes and positions of the first element that passes. */
#include <string.h>

#include "compact_request.h"

#define DRAWN 64u /* elements from which those of a request are drawn */
#define MOST_BYTES 32u

enum { AXIS_TYPE, AXIS_TEST, AXIS_NEGATE, AXIS_COMPONENTS, AXIS_COUNT, AXIS_LIMITS, AXIS_PLACE };

static const VkrType count_types[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_U64};
static uint64_t searches, found;

typedef struct search {
    VkrType type;
    predicate_row test;
    bool negate;
    uint32_t components;
    VkrFindInfo info;
    uint64_t most;   /* elements */
    uint32_t one_in; /* elements that pass */
} search;

static bool is_unique(const search *s)
{
    return s->test == TEST_UNIQUE || s->test == TEST_UNIQUE_VALUES;
}

static bool has_constants(const uint32_t axes[MAX_AXES])
{
    return axes[AXIS_PLACE] % 2 != 0;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const predicate_row test = (predicate_row)axes[AXIS_TEST];
    return a->types[axes[AXIS_TYPE] + 1] && has_limits(a, (limits_row)axes[AXIS_LIMITS]) &&
           (test != TEST_UNIQUE_VALUES || is_float((VkrType)(axes[AXIS_TYPE] + 1))) &&
           (test != TEST_FLAGS_U8 || a->types[VKR_TYPE_U8]) &&
           (!has_constants(axes) || test == TEST_COMPARE || test == TEST_RANGE);
}

static void context(test_request *t)
{
    t->limits = (limits_row)t->axes[AXIS_LIMITS];
}

/* The index of the first of `count` elements that passes, or ~0. */
static uint64_t first_of(const search *s, const VkrView *input, const oracle_image *images,
                         uint32_t image_count, uint64_t count)
{
    uint64_t index = UINT64_MAX;
    const VkBuffer result = (VkBuffer)(uintptr_t)&index;
    oracle_image all[4] = {{result, &index}};
    const oracle_device of = {.images = all, .image_count = 1 + image_count};
    memcpy(all + 1, images, image_count * sizeof *images);
    const VkrCompactInfo info = {
        .input = *input,
        .count = count,
        .predicate = s->info.predicate,
        .keptIndices = {.buffer = result, .size = sizeof index, .type = VKR_TYPE_U64}};
    return oracle_compact(&of, &info).kept != 0 ? index : UINT64_MAX;
}

/* ---- A request ---- */

static VkrPredicate draw_predicate(test_request *t)
{
    static const VkrCompare compares[] = {VKR_COMPARE_LESS, VKR_COMPARE_EQUAL,
                                          VKR_COMPARE_GREATER_EQUAL, VKR_COMPARE_NOT_EQUAL};
    const search *s = t->own;
    VkrPredicate p = {.kind = kind_of_test(s->test),
                      .negate = s->negate,
                      .byValue = s->test == TEST_UNIQUE_VALUES};
    p.component = test_below(t, s->components);
    if (p.kind == VKR_PREDICATE_COMPARE)
        p.compare = compares[test_below(t, ARRAY_SIZE(compares))];
    if (s->test == TEST_RANGE)
        p.compare2 = VKR_COMPARE_LESS_EQUAL;
    if (is_float(s->type))
        p.a.f = 1.5, p.b.f = 3;
    else
        p.a.u = 20, p.b.u = 90;
    if (p.kind == VKR_PREDICATE_BITS) {
        p.compare = VKR_COMPARE_EQUAL;
        p.mask = 0x18;
        p.value = 8;
    }
    return p;
}

static void place_flags(test_request *t, VkrFlagView *flags)
{
    const search *s = t->own;
    flags->format = s->test == TEST_FLAGS_U8    ? VKR_FLAGS_U8
                    : s->test == TEST_FLAGS_U32 ? VKR_FLAGS_U32
                                                : VKR_FLAGS_BITS;
    flags->range = test_room(t, 4,
                             s->test == TEST_FLAGS_U8    ? s->most
                             : s->test == TEST_FLAGS_U32 ? 4 * s->most
                                                         : (s->most + 31) / 32 * 4);
}

static void make(test_request *t)
{
    static const uint32_t sizes[] = {0, 1, 2, 31, 33, 257, 5000, 40000, 150000};
    static const uint32_t rare[] = {1, 3, 300, 20000, UINT32_MAX};
    search *s = t->own;
    s->type = (VkrType)(t->axes[AXIS_TYPE] + 1);
    s->test = (predicate_row)t->axes[AXIS_TEST];
    s->negate = t->axes[AXIS_NEGATE] != 0;
    s->components = t->axes[AXIS_COMPONENTS] + 1;
    const uint32_t size = vkrTypeSize(s->type), bytes = size * s->components;
    const uint32_t stride = bytes + (t->axes[AXIS_PLACE] / 2 != 0 ? size : 0);
    s->most = test_size(t, sizes, ARRAY_SIZE(sizes), (1u << 20) / (stride + 4));
    s->one_in = rare[test_below(t, ARRAY_SIZE(rare))];
    VkrFindInfo *info = &s->info;
    info->label = "find";
    info->count = s->most;
    info->predicate = draw_predicate(t);
    info->input =
        test_input(t, s->type, s->components, stride, test_below(t, 2) ? 16 : size, s->most);
    if (tests_flags(s->test))
        place_flags(t, &info->predicate.flags);
    if (has_constants(t->axes))
        info->predicate.gpuConstants = test_room(t, size, 2 * (VkDeviceSize)size);
    info->index = test_written(t, 4, 8);
    if (!has_wide_indices(t->limits))
        test_end_port(t, 4);
    info->gpuCount = test_count(t, count_types[t->axes[AXIS_COUNT]], s->most);
}

/* ---- Data ---- */

static void draw_element(test_request *t, void *at)
{
    const search *s = t->own;
    const uint32_t size = vkrTypeSize(s->type);
    for (uint32_t c = 0; c < s->components; c++)
        fill_data(&t->random, (distribution)test_below(t, DATA_COUNT), s->type, 1,
                  (char *)at + c * size, size, 1);
}

/* Whether a drawn element passes, as far as that depends on it alone. */
static bool passes(const search *s, void *element)
{
    const VkrView one = {.buffer = (VkBuffer)(uintptr_t)element,
                         .size = (VkDeviceSize)vkrTypeSize(s->type) * s->components,
                         .type = s->type,
                         .components = s->components};
    const oracle_image images[] = {{one.buffer, element},
                                   {rig.given.buffer.buffer, rig.given.shadow}};
    return tests_flags(s->test) || is_unique(s) || first_of(s, &one, images, 2, 1) == 0;
}

/* Draws elements of which one in `one_in` passes, where such elements were found. */
static void fill_elements(test_request *t)
{
    const search *s = t->own;
    const VkrView *input = &s->info.input;
    const size_t bytes = (size_t)vkrTypeSize(s->type) * s->components;
    static unsigned char drawn[2][DRAWN][MOST_BYTES]; /* those that fail, and those that pass */
    uint32_t numbers[2] = {0};
    unsigned char element[MOST_BYTES];
    for (uint32_t i = 0; i < DRAWN; i++) {
        draw_element(t, element);
        const bool good = passes(s, element);
        memcpy(drawn[good][numbers[good]++], element, bytes);
    }
    for (uint64_t i = 0; i < s->most; i++) {
        const bool wanted = test_below(t, s->one_in) == 0;
        const uint32_t kind = numbers[wanted] != 0 ? wanted : !wanted;
        unsigned char *at = test_element(input, i);
        memcpy(at, drawn[kind][test_below(t, numbers[kind])], bytes);
        if (is_unique(s) && i != 0 && wanted == s->negate)
            memcpy(at, at - input->stride, bytes);
        if (s->test == TEST_UNIQUE_VALUES)
            vary_floats(&t->random, s->type, s->components, false, at);
    }
}

static void fill_flags(test_request *t)
{
    const search *s = t->own;
    const VkrFlagView *flags = &s->info.predicate.flags;
    unsigned char *bytes = test_bytes(flags->range.buffer, flags->range.offset);
    uint32_t *words = (uint32_t *)(void *)bytes;
    memset(bytes, 0, flags->range.size);
    for (uint64_t i = 0; i < s->most; i++) {
        const bool set = (test_below(t, s->one_in) == 0) != s->negate;
        if (flags->format == VKR_FLAGS_U8)
            bytes[i] = set ? (unsigned char)(i % 255 + 1) : 0;
        else if (flags->format == VKR_FLAGS_U32)
            words[i] = set ? (uint32_t)i << 8 | 1 : 0;
        else if (set)
            words[i / 32] |= 1u << i % 32;
    }
}

static void fill(test_request *t)
{
    const search *s = t->own;
    const VkrPredicate *p = &s->info.predicate;
    if (p->gpuConstants.buffer != VK_NULL_HANDLE) {
        const uint32_t size = vkrTypeSize(s->type);
        const uint64_t constants[] = {oracle_constant(s->type, p->a),
                                      oracle_constant(s->type, p->b)};
        for (uint32_t i = 0; i < 2; i++)
            memcpy(test_bytes(p->gpuConstants.buffer, p->gpuConstants.offset + i * size),
                   &constants[i], size);
    }
    if (test_fills(t, s->info.input.buffer, s->info.input.offset))
        fill_elements(t);
    if (tests_flags(s->test))
        fill_flags(t);
}

/* ---- Running ---- */

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdFind(recorder, &((const search *)t->own)->info);
}

static void expect(test_request *t)
{
    const search *s = t->own;
    const VkrFindInfo *info = &s->info;
    const oracle_image images[] = {{rig.given.buffer.buffer, rig.given.shadow},
                                   {rig.written.buffer.buffer, rig.written.shadow}};
    const uint64_t index =
        first_of(s, &info->input, images, 2, test_counted(&info->gpuCount, s->most));
    memcpy(test_bytes(info->index.buffer, info->index.offset), &index,
           has_wide_indices(t->limits) ? 8 : 4);
    rig.cases++;
    searches++;
    found += index != UINT64_MAX;
}

static bool enough(uint32_t rows)
{
    return rows < 10 || (found > searches / 4 && found < searches);
}

static void print(const test_request *t)
{
    const VkrFindInfo *info = &((const search *)t->own)->info;
    test_print_view("input", &info->input);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_predicate(&info->predicate);
    test_print_range("index", &info->index);
}

const test_operation test_find = {
    .name = "find",
    .call = "vkrCmdFind",
    .axes = {[AXIS_TYPE] = {"type", VKR_TYPE_COUNT - 1},
             [AXIS_TEST] = {"test", TEST_CONTINUED},
             [AXIS_NEGATE] = {"negate", 2},
             [AXIS_COMPONENTS] = {"components", VKR_MAX_COMPONENTS},
             [AXIS_COUNT] = {"count", ARRAY_SIZE(count_types)},
             [AXIS_LIMITS] = {"limits", LIMITS_COUNT},
             [AXIS_PLACE] = {"place", 4}},
    .triples = 1u << AXIS_TYPE | 1u << AXIS_TEST | 1u << AXIS_NEGATE | 1u << AXIS_COMPONENTS |
               1u << AXIS_COUNT | 1u << AXIS_LIMITS,
    .layouts = 8,
    .size = sizeof(search),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .enough = enough,
    .print = print,
};
