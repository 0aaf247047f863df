/* SPDX-License-Identifier: MIT */
/* Counts, offsets, strides and capacities of a row's cases. */
#include <stdlib.h>

#include "compact_outputs.h"

#define CASE_BYTES 500000u /* size of all arrays of a case: several windows of SMALL_RANGE */
#define ROW_BYTES (12u << 20)
#define LOAD 32u /* size of the widest load in bytes */

/* ---- Buffers ---- */

bool open_compact_test(compact_test *t)
{
    static const char *const names[COMPACT_BUFFERS] = {"input", "arguments", "output", "scratch"};
    t->h.loader = limits_proc;
    t->contexts.h = &t->h;
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        if (!open_arena(&t->h, names[i], COMPACT_BYTES, &t->buffers[i]))
            return false;
    return true;
}

void close_compact_test(compact_test *t)
{
    close_contexts(&t->contexts);
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        close_arena(&t->h, &t->buffers[i]);
}

oracle_device oracle_of(compact_test *t, limits_row limits, oracle_image images[COMPACT_BUFFERS])
{
    const uint32_t lowered = limits_rows[limits].maxComputeWorkGroupCount;
    for (int i = 0; i < COMPACT_BUFFERS; i++)
        images[i] = (oracle_image){t->buffers[i].buffer.buffer, t->buffers[i].shadow};
    return (oracle_device){images, COMPACT_BUFFERS,
                           lowered != 0 ? lowered
                                        : t->h.properties.limits.maxComputeWorkGroupCount[0],
                           has_wide_indices(limits), limits_rows[limits].maxTaskWorkGroupCount[0]};
}

bool tests_flags(predicate_row predicate)
{
    return predicate >= TEST_FLAGS_U32 && predicate <= TEST_FLAGS_BITS;
}

bool is_stream(VkrCompactAlgorithm algorithm)
{
    return algorithm >= VKR_COMPACT_HORN;
}

bool flip(row_run *r, uint32_t one_in)
{
    return random_below(&r->t->random, one_in) == 0;
}

/* Room for `size` bytes at a random multiple of `alignment`, guarded on both sides. */
VkDeviceSize place(row_run *r, const char *name, int buffer, VkDeviceSize alignment,
                   VkDeviceSize size)
{
    const VkDeviceSize offset = arena_place(&r->t->buffers[buffer], &r->t->random, alignment, size);
    assert_true(r->region_count < MAX_REGIONS);
    r->regions[r->region_count++] = (region){name, r->case_count, buffer, offset, size};
    return offset;
}

/* Does the same at a random multiple of `unit`, at any distance from a multiple of the widest
 * load. */
VkDeviceSize compact_place_anywhere(row_run *r, const char *name, int buffer, uint32_t unit,
                                    VkDeviceSize size)
{
    const uint32_t common = (unit | LOAD) & (0u - (unit | LOAD));
    const VkDeviceSize phase =
        r->chosen.aligned ? 0 : unit * random_below(&r->t->random, LOAD / common);
    const VkDeviceSize whole = unit * LOAD / common; /* a multiple of both */
    return place(r, name, buffer, whole, phase + size) + phase;
}

/* ---- Inputs ---- */

VkDeviceSize compact_choose_stride(row_run *r, bool strided, uint32_t unit, uint32_t entry)
{
    if (strided)
        return entry + unit * (1 + random_below(&r->t->random, 4));
    return flip(r, 2) ? entry : 0;
}

static void choose_for_row(row_run *r)
{
    const compact_row *row = r->row;
    uint64_t *random = &r->t->random;
    const VkrCompare some = (VkrCompare)(1 + random_below(random, VKR_COMPARE_COUNT - 1));
    const bool bits = row->predicate == TEST_BITS;
    r->chosen = (row_choices){
        .component = random_below(random, row->components),
        .compare = !bits        ? some
                   : flip(r, 2) ? VKR_COMPARE_EQUAL
                                : VKR_COMPARE_NOT_EQUAL,
        .compare2 = (VkrCompare)(1 + random_below(random, VKR_COMPARE_COUNT - 1)),
        .strided_input = flip(r, 3) && !row->packed,
        .strided_outputs = flip(r, 3) && !row->packed,
        .strided_payloads = flip(r, 3) && !row->packed,
        .texels = row->tuning.path == VKR_LOAD_TEXEL && !flip(r, 8),
        .aligned = r->t->thin && flip(r, 2),
        .few = r->t->thin && flip(r, 2),
    };
    r->chosen.many = r->t->thin && !r->chosen.few;
}

static void place_input(row_run *r, compact_case *c, VkDeviceSize stride)
{
    uint64_t *random = &r->t->random;
    VkrView *view = &c->info.input;
    const uint32_t unit = vkrTypeSize(r->row->type), element = unit * r->row->components;
    const VkDeviceSize step = stride != 0 ? stride : element;
    const VkDeviceSize before = r->row->predicate == TEST_CONTINUED ? step : 0;
    const VkDeviceSize bytes = c->most > 0 ? (c->most - 1) * step + element : 0;
    *view = (VkrView){
        .buffer = r->t->buffers[COMPACT_INPUT].buffer.buffer,
        .size = bytes + random_below(random, element),
        .type = r->row->type,
        .components = r->row->components == 1 && flip(r, 2) ? 0 : r->row->components,
        .stride = stride,
    };
    view->offset =
        before + compact_place_anywhere(r, "input", COMPACT_INPUT, unit, before + view->size);
    c->info.count = flip(r, 2) && view->size > 0 ? VKR_COUNT_ALL : c->most;
    /* Elements beyond the count lie in the view, but must not be read. */
    if (c->info.count == c->most)
        view->size += random_below(random, 3) * step;
    if (r->chosen.texels && view->size != 0)
        view->texels = arena_place_texels(&r->t->h, random, view->offset, view->size);
}

static void place_flags(row_run *r, compact_case *c)
{
    VkrFlagView *flags = &c->info.predicate.flags;
    flags->format = (VkrFlagFormat)(r->row->predicate - TEST_FLAGS_U32);
    const uint32_t unit = flags->format == VKR_FLAGS_U8 ? 1 : 4;
    const VkDeviceSize size =
        flags->format == VKR_FLAGS_BITS ? (c->most + 31) / 32 * 4 : c->most * unit;
    flags->range =
        (VkrBufferRange){r->t->buffers[COMPACT_INPUT].buffer.buffer,
                         compact_place_anywhere(r, "flags", COMPACT_INPUT, unit, size), size};
}

static VkrConstant choose_constant(row_run *r)
{
    static const distribution data[] = {DATA_RANDOM, DATA_INTEGRAL,  DATA_INTEGRAL, DATA_ZEROS,
                                        DATA_BITS,   DATA_SUBNORMAL, DATA_SOME_NAN, DATA_EXTREMES};
    uint64_t *random = &r->t->random;
    const VkrType type = r->row->type;
    VkrConstant constant = {.u = 0};
    fill_data(random, data[random_below(random, ARRAY_SIZE(data))],
              is_float(type) ? VKR_TYPE_F64 : type, 1, &constant, 8, 1);
    /* Half of the constants for f32 are arbitrary doubles, which must be rounded. */
    if (type == VKR_TYPE_F32 && flip(r, 2))
        fill_data(random, DATA_RANDOM, VKR_TYPE_F64, 1, &constant, 8, 1);
    if (type == VKR_TYPE_I8)
        constant.i = (int8_t)constant.u;
    if (type == VKR_TYPE_I16)
        constant.i = (int16_t)constant.u;
    if (type == VKR_TYPE_I32)
        constant.i = (int32_t)constant.u;
    return constant;
}

static void choose_predicate(row_run *r, compact_case *c)
{
    static const VkrPredicateKind kinds[TEST_COUNT] = {
        [TEST_NONZERO] = VKR_PREDICATE_NONZERO,  [TEST_COMPARE] = VKR_PREDICATE_COMPARE,
        [TEST_RANGE] = VKR_PREDICATE_COMPARE,    [TEST_FINITE] = VKR_PREDICATE_FINITE,
        [TEST_NAN] = VKR_PREDICATE_NAN,          [TEST_BITS] = VKR_PREDICATE_BITS,
        [TEST_FLAGS_U32] = VKR_PREDICATE_FLAGS,  [TEST_FLAGS_U8] = VKR_PREDICATE_FLAGS,
        [TEST_FLAGS_BITS] = VKR_PREDICATE_FLAGS, [TEST_UNIQUE] = VKR_PREDICATE_UNIQUE,
        [TEST_CONTINUED] = VKR_PREDICATE_UNIQUE,
    };
    uint64_t *random = &r->t->random;
    VkrPredicate *p = &c->info.predicate;
    const uint32_t size = vkrTypeSize(r->row->type);
    *p = (VkrPredicate){.kind = kinds[r->row->predicate],
                        .negate = r->row->negate,
                        .component = r->chosen.component};
    if (p->kind == VKR_PREDICATE_COMPARE) {
        p->compare = r->chosen.compare;
        p->a = choose_constant(r);
        p->b = choose_constant(r);
    }
    if (r->row->predicate == TEST_RANGE)
        p->compare2 = r->chosen.compare2;
    if (p->kind == VKR_PREDICATE_BITS) {
        p->compare = r->chosen.compare;
        for (int i = 0; i < 3; i++)
            p->mask |= UINT64_C(1) << random_below(random, size * 8);
        p->value = p->mask & next_random(random);
    }
    if (r->row->predicate == TEST_CONTINUED)
        c->info.flags = VKR_COMPACT_CONTINUED_BIT;
    if (r->row->gpu_constants)
        p->gpuConstants =
            (VkrBufferRange){r->t->buffers[COMPACT_ARGUMENTS].buffer.buffer,
                             place(r, "constants", COMPACT_ARGUMENTS, size, 2 * size), 2 * size};
}

static VkrGpuCount place_count(row_run *r, const char *name, VkrType type)
{
    if (type == VKR_TYPE_UNDEFINED)
        return (VkrGpuCount){0};
    return (VkrGpuCount){r->t->buffers[COMPACT_ARGUMENTS].buffer.buffer,
                         place(r, name, COMPACT_ARGUMENTS, 4, vkrTypeSize(type)),
                         type == VKR_TYPE_U32 && flip(r, 2) ? VKR_TYPE_UNDEFINED : type};
}

/* ---- Cases ---- */

/* Sizes of payloads; payloads with negative sizes move with the rejected elements. */
static const int payload_sets[PAYLOAD_SETS][MAX_PAYLOADS] = {
    {0}, {4}, {12, -16}, {1, 2}, {64, -8, 3}, {4, 8, 12, 4, -4}, {4, -12, 1, 2, 6, 64, -16},
};

/* The total size of all arrays per element, in bytes. */
static uint64_t weigh(const row_run *r, VkDeviceSize stride)
{
    const uint32_t element = vkrTypeSize(r->row->type) * r->row->components;
    uint64_t bytes = stride != 0 ? stride : element;
    for (uint32_t bit = OUT_KEPT; bit <= OUT_REJECTED_INDICES; bit *= 2)
        bytes += (r->row->outputs & bit) == 0 ? 0 : (bit & OUT_VALUES) != 0 ? element : 8;
    for (int i = 0; i < MAX_PAYLOADS; i++)
        bytes += 3 * (uint32_t)abs(payload_sets[r->row->payloads][i]);
    return bytes;
}

/* The first index: small, or so large that indices need 64 bits. */
static uint64_t choose_first(row_run *r)
{
    const bool wide = r->row->indices == VKR_TYPE_U64 ||
                      (r->row->indices == VKR_TYPE_UNDEFINED && has_wide_indices(r->row->limits));
    if (flip(r, 2))
        return 0;
    return random_below(&r->t->random, UINT32_C(1) << 31) + (wide ? UINT64_C(5) << 32 : 0);
}

static void add_case(row_run *r, uint64_t count)
{
    const compact_row *row = r->row;
    const uint32_t unit = vkrTypeSize(row->type), element = unit * row->components;
    const VkDeviceSize stride = compact_choose_stride(r, r->chosen.strided_input, unit, element);
    const uint64_t most = row->only != 0 ? row->only : CASE_BYTES / weigh(r, stride);
    const uint32_t mode = random_below(&r->t->random, 3);
    compact_case *c = &r->cases[r->case_count];
    if (r->case_count == MAX_CASES || r->t->buffers[COMPACT_INPUT].used > ROW_BYTES ||
        r->t->buffers[COMPACT_OUTPUT].used > ROW_BYTES)
        return;
    *c = (compact_case){.most = count < most ? count : most};
    c->info = (VkrCompactInfo){
        .label = "row",
        .count = c->most,
        .algorithm = row->algorithm,
        .stream = row->stream,
        .workgroupSize = row->workgroup_size,
        .firstIndex = choose_first(r),
        .append = place_count(r, "append", row->append),
        .gpuCount = place_count(r, "count", row->gpu_count),
    };
    if (mode == 2)
        c->info.capacity = 1 + random_below(&r->t->random, (uint32_t)c->most + 8);
    choose_predicate(r, c);
    if (tests_flags(row->predicate))
        place_flags(r, c);
    if (!tests_flags(row->predicate) || (row->outputs & OUT_VALUES) != 0 || flip(r, 2))
        place_input(r, c, stride);
    compact_place_views(r, c, mode);
    for (int i = 0; i < MAX_PAYLOADS && payload_sets[row->payloads][i] != 0; i++)
        compact_place_payload(r, c, payload_sets[row->payloads][i], mode);
    place_counts(r, c);
    r->case_count++;
}

/* Adds counts near the sizes of blocks, near the reach of a workgroup, and near powers of two. */
static void add_stream_cases(row_run *r, uint64_t w)
{
    uint64_t *random = &r->t->random;
    const uint64_t s = r->row->stream.block != 0 ? r->row->stream.block : 64;
    const uint64_t share = w > s ? w : s, power = UINT64_C(1) << (5 + random_below(random, 12));
    const uint64_t small[] = {0, 1, 2, s - 1, s, s + 1, share - 1, share, share + 1};
    const uint64_t large[] = {w * s / 8, w * s / 8 + 1, w * s + 1, 2 * share + 1,
                              7 * share, 127 * s + 1,   997,       7919,
                              30011,     power - 1,     power,     power + 1};
    for (size_t i = 0; i < ARRAY_SIZE(small); i++)
        add_case(r, small[i]);
    for (int i = 0; i < 7; i++)
        add_case(r, large[random_below(random, ARRAY_SIZE(large))]);
    add_case(r, random_below(random, 60000));
}

/* Adds counts near the sizes of subgroups, workgroups, tiles, windows and group limits. */
void add_cases(row_run *r)
{
    const VkrTuning tuning = get_tuning(&r->t->contexts, r->row->limits, &r->row->tuning,
                                        VKR_OPERATION_COMPACT, vkrTypeSize(r->row->type));
    const uint32_t size = vkrTypeSize(r->row->type) * r->row->components;
    uint64_t *random = &r->t->random;
    const uint64_t w = r->row->workgroup_size != 0 ? r->row->workgroup_size
                       : tuning.workgroupSize != 0 ? tuning.workgroupSize
                                                   : 8;
    const uint64_t tile = w * (tuning.tileBytes > size ? tuning.tileBytes / size : 1);
    const uint64_t share = w * (tuning.minBytes > size ? tuning.minBytes / size : 1);
    const uint64_t window = SMALL_RANGE / size;
    const uint64_t small[] = {0, 1, 2, 3, w - 1, w, w + 1, 31, 33, tile - 1, tile};
    const uint64_t large[] = {tile + 1,       2 * tile + 17, share,          share + 1,
                              7 * share,      7 * tile + 1,  33 * tile - 1,  100 * tile + 5,
                              window - 1,     window,        window + 1,     2 * window + 1,
                              CASE_BYTES / 8, CASE_BYTES,    3 * window - 1, 64 * w};
    choose_for_row(r);
    if (r->row->only != 0) {
        add_case(r, r->row->only);
        return;
    }
    if (is_stream(r->row->algorithm)) {
        add_stream_cases(r, w);
        return;
    }
    const bool few = r->chosen.few, many = r->chosen.many;
    for (size_t i = 0; i < ARRAY_SIZE(small) && !many; i++)
        add_case(r, small[i]);
    for (int i = 0; i < 6; i++)
        add_case(r, random_below(random, few ? (uint32_t)tile + 1 : 2000));
    for (int i = 0; i < 9 && !few; i++)
        add_case(r, large[random_below(random, ARRAY_SIZE(large))]);
    if (!few)
        add_case(r, 10000 + random_below(random, 60000));
}
