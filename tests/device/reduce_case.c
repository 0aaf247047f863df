/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_run.h"

#define CASE_BYTES 400000u /* maximum per input: more than six windows of SMALL_RANGE */
#define PACK 16u
#define LOAD 32u /* size of the widest load in bytes */
#define AFFORDABLE 150000u

/* ---- Buffers ---- */

bool open_reduce_test(reduce_test *t)
{
    static const char *const names[] = {"input", "input2", "counts", "output", "scratch"};
    t->h.loader = limits_proc;
    t->contexts.h = &t->h;
    for (int i = 0; i < BUFFER_COUNT; i++)
        if (!open_arena(&t->h, names[i], BUFFER_BYTES, &t->buffers[i]))
            return false;
    return true;
}

void close_reduce_test(reduce_test *t)
{
    close_contexts(&t->contexts);
    for (int i = 0; i < BUFFER_COUNT; i++)
        close_arena(&t->h, &t->buffers[i]);
}

/* ---- Comparison ---- */

void compare_value(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual)
{
    char expected_text[64], actual_text[64];
    oracle_value value;
    oracle_reduce(info, op, component, type, &value);
    if (!oracle_proves(&value)) {
        t->unproven++;
        return;
    }
    t->oracle_cases++;
    if (oracle_accepts(&value, type, actual))
        return;
    if (t->mismatches++ - t->mismatches_before >= SHOWN)
        return;
    oracle_format(expected_text, sizeof(expected_text), type, value.bytes);
    oracle_format(actual_text, sizeof(actual_text), type, actual);
    printf("# %s of %" PRIu64 " elements, component %u, stride %zu: %s, but should be %s within "
           "%g (%s)\n",
           vkrOpName(op), info->count, component, info->stride, actual_text, expected_text,
           value.tolerance, what);
}

void compare_index(reduce_test *t, const char *what, const oracle_reduce_info *info, VkrOp op,
                   uint32_t component, VkrType type, const void *actual, const uint64_t *numbers)
{
    oracle_value value;
    uint64_t expected = 0, found = 0;
    oracle_reduce(info, op, component, type, &value);
    memcpy(&expected, value.bytes, vkrTypeSize(type));
    memcpy(&found, actual, vkrTypeSize(type));
    expected = expected < info->count ? numbers[expected] : expected;
    t->oracle_cases++;
    if (found != expected && t->mismatches++ - t->mismatches_before < SHOWN)
        printf("# %s, component %u: %" PRIu64 ", but should be %" PRIu64 " (%s)\n", vkrOpName(op),
               component, found, expected, what);
}

void reduce_describe_row(const reduce_row *row, char *text, size_t size)
{
    snprintf(text, size,
             "%s, ops 0x%x, %u components, accumulator %s, nan %d, determinism %d, algorithm %s%s, "
             "workgroup %u, GPU count %s, limits %s, geometry %u, %s %s",
             vkrTypeName(row->type), row->ops, row->components, vkrTypeName(row->accumulator),
             (int)row->nan, (int)row->determinism, vkrReduceAlgorithmName(row->algorithm),
             row->consume ? " in place" : "", row->workgroup_size, vkrTypeName(row->gpu_count),
             limits_names[row->limits], row->tuning.geometry, vkrLoadOrderName(row->tuning.order),
             vkrLoadPathName(row->tuning.path));
}

/* ---- Cases of a row ---- */

static void place_input(row_run *r, reduce_case *c, int input)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(r->row->type), element = size * r->row->components;
    const VkDeviceSize tail = c->capacity > 0 ? element : 0;
    const VkDeviceSize extra = random_below(random, size); /* an incomplete last element */
    const uint64_t before = c->capacity > 0 ? c->capacity - 1 : 0;
    if (input == 1 && r->meets_packs)
        c->stride[1] = element;
    else if (input == 1 && (random_below(random, 2) == 0 || c->stride[0] == element))
        c->stride[1] = element + size * random_below(random, 4);
    else if (input == 1)
        c->stride[1] = c->stride[0];
    c->size[input] = before * c->stride[input] + tail + extra;
    /* Any distance from a multiple of the widest load; two inputs often have the same one. */
    const uint32_t common = r->meets_packs ? (element | LOAD) & (0u - (element | LOAD)) : size;
    uint32_t phase = common * random_below(random, LOAD / common);
    if (input == 1 && (r->meets_packs || random_below(random, 2) == 0))
        phase = (uint32_t)(c->offset[0] % LOAD);
    c->offset[input] =
        arena_place(&r->t->buffers[BUFFER_INPUT + input], random, LOAD, phase + c->size[input]) +
        phase;
    /* Elements beyond the count lie in the view, but must not be read. */
    if (!c->all)
        c->size[input] += random_below(random, 3) * c->stride[input];
}

static void add_case(row_run *r, uint64_t count, bool packed)
{
    uint64_t *random = &r->t->random;
    const uint32_t size = vkrTypeSize(r->row->type), element = size * r->row->components;
    reduce_case *c = &r->cases[r->case_count];
    if (r->case_count == MAX_CASES)
        return;
    *c = (reduce_case){.all = random_below(random, 2) == 0};
    c->stride[0] = element + (packed || r->meets_packs ? 0 : size * (1 + random_below(random, 5)));
    const uint64_t most = CASE_BYTES / (c->stride[0] > 2 * element ? c->stride[0] : 2 * element);
    c->capacity = c->count = count < most ? count : most;
    place_input(r, c, 0);
    if (r->row->ops & VKR_OP_DOT)
        place_input(r, c, 1);
    const bool unasked = random_below(random, 8) == 0;
    if (r->row->tuning.path == VKR_LOAD_TEXEL ? r->meets_packs || !unasked : unasked)
        c->texels = arena_place_texels(&r->t->h, random, c->offset[0], c->size[0]);
    if (r->row->gpu_count != VKR_TYPE_UNDEFINED)
        c->count_offset =
            arena_place(&r->t->buffers[BUFFER_COUNTS], random, 4, vkrTypeSize(r->row->gpu_count));
    c->output =
        arena_place(&r->t->buffers[BUFFER_OUTPUT], random, r->layout.alignment, r->layout.size);
    r->case_count++;
}

/* Adds counts at the edges of subgroups, workgroups, tiles, blocks of the canonical tree, windows
 * and group limits. */
static void add_edges(row_run *r, uint64_t w, uint64_t batch, uint64_t share, uint64_t window)
{
    const uint64_t always[] = {0, 1, w - 1, w, w + 1, window + 1, 3 * window};
    const uint64_t some[] = {2,
                             3,
                             5,
                             2 * w,
                             2 * w + 1,
                             w * SMALL_GROUPS,
                             w * SMALL_GROUPS + 1,
                             w * 64 - 1,
                             w * 64,
                             w * 64 + 1,
                             share - 1,
                             share,
                             share + 1,
                             2 * share + 17,
                             w * batch - 1,
                             w * batch + 16,
                             3 * w * batch + 33,
                             w * w - 1,
                             w * w,
                             w * w + 1,
                             VKR_TREE_BLOCK - 1,
                             VKR_TREE_BLOCK,
                             VKR_TREE_BLOCK + 1,
                             window - 1,
                             window,
                             2 * window,
                             2 * window + 1};
    uint64_t *random = &r->t->random;
    for (size_t i = 0; i < ARRAY_SIZE(always); i++)
        add_case(r, always[i], random_below(random, 2) == 0);
    for (int i = 0; i < 8; i++)
        add_case(r, some[random_below(random, ARRAY_SIZE(some))], random_below(random, 2) == 0);
    for (int i = 0; i < 6; i++)
        add_case(r, random_below(random, 500), random_below(random, 2) == 0);
    add_case(r, 10000 + random_below(random, 60000), true);
}

/* Adds counts for which one workgroup is enough with any algorithm, so that one pipeline is too. */
static void add_small(row_run *r, uint64_t w)
{
    uint64_t *random = &r->t->random;
    for (uint64_t i = 0; i < 4; i++) {
        add_case(r, i, random_below(random, 2) == 0);
        add_case(r, w - i, random_below(random, 2) == 0);
    }
    for (int i = 0; i < 12; i++)
        add_case(r, random_below(random, (uint32_t)w + 1), random_below(random, 2) == 0);
}

/* Adds counts that need several workgroups, if the views can be long enough. */
static void add_large(row_run *r, uint64_t w, uint64_t window)
{
    uint64_t *random = &r->t->random;
    const uint64_t chunk = w * 64 > VKR_TREE_BLOCK ? w * 64 : VKR_TREE_BLOCK;
    const uint64_t edges[] = {chunk + 1, 2 * chunk - 1, 2 * chunk, 2 * chunk + 1, w * w + 1};
    for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
        add_case(r, edges[i] > chunk ? edges[i] : chunk + w, random_below(random, 4) != 0);
    for (uint64_t i = 1; i < 4; i++)
        add_case(r, chunk + window * i - random_below(random, 2), true);
    for (int i = 0; i < 6; i++)
        add_case(r, chunk + 1 + random_below(random, 20000), random_below(random, 4) != 0);
}

void reduce_add_cases(row_run *r)
{
    VkrContextProperties properties;
    vkrGetContextProperties(get_context(&r->t->contexts, r->row->limits, &r->row->tuning),
                            &properties);
    const VkrTuning tuning = get_tuning(&r->t->contexts, r->row->limits, &r->row->tuning,
                                        VKR_OPERATION_REDUCE, vkrTypeSize(r->row->type));
    const uint32_t wanted =
        tuning.workgroupSize != 0 ? tuning.workgroupSize : properties.subgroupSize;
    const uint32_t tuned =
        wanted < properties.maxWorkgroupSize ? wanted : properties.maxWorkgroupSize;
    const uint64_t w = r->row->workgroup_size != 0 ? r->row->workgroup_size : tuned;
    const uint32_t element = vkrTypeSize(r->row->type) * r->row->components;
    const bool tree = r->row->algorithm >= VKR_REDUCE_TREE;
    const uint64_t share = tree || tuning.minBytes < element ? w : w * (tuning.minBytes / element);
    r->meets_packs = r->t->thin && r->row->packs && random_below(&r->t->random, 4) != 0;
    const uint64_t window = SMALL_RANGE / element;
    if (!r->t->thin)
        add_edges(r, w, 1 + tuning.flight * PACK / element, share, window);
    else if (random_below(&r->t->random, 2) == 0)
        add_small(r, share);
    else
        add_large(r, w, window);
}

/* Tree and recursive use one invocation per element, with barriers, which is very slow on some
 * drivers; these run fewer cases and submissions. Returns the number of submissions. */
uint32_t reduce_afford(row_run *r, uint32_t submits)
{
    const VkrReduceAlgorithm algorithm = r->row->algorithm;
    uint64_t elements = 0;
    if (!r->t->thin || (algorithm != VKR_REDUCE_TREE && algorithm != VKR_REDUCE_RECURSIVE))
        return submits;
    for (uint32_t i = 0; i < r->case_count; i++) {
        elements += r->cases[i].capacity;
        if (elements > AFFORDABLE)
            r->case_count = i;
    }
    return elements > AFFORDABLE ? 2 : submits;
}

VkrReduceInfo reduce_case_info(const row_run *r, const reduce_case *c)
{
    const reduce_row *row = r->row;
    const arena *buffers = r->t->buffers;
    VkrView views[2];
    for (int i = 0; i < 2; i++)
        views[i] = (VkrView){
            .texels = i == 0 ? c->texels : (VkrTexels){0},
            .buffer = buffers[BUFFER_INPUT + i].buffer.buffer,
            .offset = c->offset[i],
            .size = c->size[i],
            .type = row->type,
            .components = row->components,
            .stride = c->stride[i],
        };
    return (VkrReduceInfo){
        .label = "row",
        .ops = row->ops,
        .input = views[0],
        .input2 = views[1],
        .count = c->all && c->size[0] > 0 ? VKR_COUNT_ALL : c->capacity,
        .gpuCount = {row->gpu_count ? buffers[BUFFER_COUNTS].buffer.buffer : VK_NULL_HANDLE,
                     c->count_offset, row->gpu_count},
        .output = {buffers[BUFFER_OUTPUT].buffer.buffer, c->output, r->layout.size},
        .accumulator = row->accumulator,
        .nan = row->nan,
        .determinism = row->determinism,
        .algorithm = row->algorithm,
        .workgroupSize = row->workgroup_size,
        .flags = (row->consume ? VKR_REDUCE_CONSUME_INPUT_BIT : 0u) |
                 (row->sample ? VKR_REDUCE_SAMPLE_BIT : 0u),
    };
}

/* Checks that the layout has the types that reduce.h states, in the order of the operators'
 * bits. */
void reduce_check_layout(row_run *r)
{
    const VkrContext context = get_context(&r->t->contexts, r->row->limits, &r->row->tuning);
    const VkrReduceInfo info = {.ops = r->row->ops,
                                .input = {.type = r->row->type, .components = r->row->components},
                                .accumulator = r->row->accumulator};
    VkDeviceSize end = 0;
    assert_true(harness_check(&r->t->h, vkrGetReduceLayout(context, &info, &r->layout),
                              "vkrGetReduceLayout"));
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &r->layout.results[bit];
        if ((r->row->ops >> bit & 1) == 0) {
            assert_int_equal(result->type, VKR_TYPE_UNDEFINED);
            continue;
        }
        VkrType expected = expected_type(r->row->type, r->row->accumulator, (VkrOp)(1u << bit));
        if (has_wide_indices(r->row->limits) && ((VKR_OP_ARGMIN | VKR_OP_ARGMAX) >> bit & 1) != 0)
            expected = VKR_TYPE_U64;
        assert_int_equal(result->type, expected);
        const uint32_t size = vkrTypeSize(result->type);
        assert_int_equal(result->offset, (end + size - 1) / size * size);
        assert_int_equal(r->layout.alignment % size, 0);
        end = result->offset + size * r->row->components;
    }
    assert_int_equal(r->layout.components, r->row->components);
    assert_int_equal(r->layout.size, end);
    assert_true(r->layout.spacing >= end);
}
