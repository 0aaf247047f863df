/* SPDX-License-Identifier: MIT */
/* Compares each kernel's card with the modules that were made of it: bindings and their kinds,
 * bytes of push constants and of uniforms, ids of constants; and whether all of them have names. */
#include <fnmatch.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "../../src/plan/card.h"
#include "../../src/tables/kernels.h"

#define MAX_MONOID_BUFFERS 6u

/* The first pattern that matches a module's name gives its card. */
static const struct {
    const char *modules;
    const vkr_card *card;
} rows[] = {
    {"reduce_*_image_*", &vkr_reduce_image_card},
    {"reduce_*linked", &vkr_reduce_linked_card},
    {"reduce_*", &vkr_reduce_card},
    {"blocks_*", &vkr_blocks_card},
    {"segment_*linked", &vkr_segment_linked_card},
    {"segment_*", &vkr_segment_card},
    {"neighbours_*", &vkr_neighbour_card},
    {"tile_*_image_*", &vkr_tile_image_card},
    {"tile_*", &vkr_tile_card},
    {"write_*", &vkr_write_card},
    {"stage_?32_*", &vkr_stage_image_card},
    {"stage_*", &vkr_stage_card},
    {"histogram_*_image_*", &vkr_histogram_image_card},
    {"histogram_*", &vkr_histogram_card},
    {"edges_*", &vkr_edges_card},
    {"quantile", &vkr_quantile_card},
    {"bounds_*", &vkr_bounds_card},
    {"find_*", &vkr_find_card},
    {"select_spans_*", &vkr_select_spans_card},
    {"select_*", &vkr_select_card},
    {"spans", &vkr_spans_card},
    {"rank_*", &vkr_rank_card},
    {"nth_spans_*", &vkr_nth_spans_card},
    {"nth_*", &vkr_nth_card},
    {"pick_*", &vkr_pick_card},
    {"beside", &vkr_beside_card},
    {"transpose_*", &vkr_transpose_card},
    {"scan_*linked", &vkr_scan_linked_card},
    {"scan_columns_*", &vkr_scan_columns_card},
    {"masked_*", &vkr_masked_card},
    {"scan_*", &vkr_scan_card},
    {"tiles_*linked", &vkr_tiles_linked_card},
    {"tiles_*", &vkr_scan_card},
    {"keyed_*", &vkr_keyed_card},
    {"passes_*", &vkr_passes_card},
    {"expand_sums_*", &vkr_expand_sums_card},
    {"expand_spine_*", &vkr_expand_spine_card},
    {"expand_*", &vkr_expand_card},
    {"heads*", &vkr_heads_card},
    {"changes*", &vkr_changes_card},
    {"compact_*", &vkr_compact_card},
    {"marks_*", &vkr_marks_card},
    {"apply_spans_texel_*", &vkr_apply_spans_texel_card},
    {"apply_spans_*", &vkr_apply_spans_card},
    {"apply_texel_*", &vkr_apply_texel_card},
    {"apply_*", &vkr_apply_card},
    {"merge_split_*", &vkr_merge_split_card},
    {"merge_*", &vkr_merge_card},
    {"sort_bitonic_*", &vkr_sort_bitonic_card},
    {"sort_one_*", &vkr_sort_one_card},
    {"sort_merge_*", &vkr_sort_merge_card},
    {"sort_segments", &vkr_sort_segments_card},
    {"sort_count_*", &vkr_sort_count_card},
    {"sort_digits_*", &vkr_sort_digits_card},
    {"sort_bases_*", &vkr_sort_bases_card},
    {"sort_sweep_*", &vkr_sort_sweep_card},
    {"sort_spine_*", &vkr_sort_spine_card},
    {"sort_scatter_*", &vkr_sort_scatter_card},
    {"payload_*_texel", &vkr_payload_texel_card},
    {"payload_*", &vkr_payload_card},
    {"move_*_texel_*", &vkr_move_texel_card},
    {"move_*", &vkr_move_card},
    {"arguments", &vkr_arguments_card},
    {"ends", &vkr_ends_card},
    {"call", &vkr_call_card},
    {"monoid", &vkr_monoid_card},
    {"sums", &vkr_sums_card},
    {"block_scan", &vkr_sums_card},
    {"gather_*", &vkr_gather_card},
    {"sequential_*", &vkr_sequential_card},
    {"concatenate_*", &vkr_concatenate_card},
    {"pyramid_few_*", &vkr_pyramid_few_card},
    {"pyramid_many_*", &vkr_pyramid_many_card},
    {"pyramid_halves_*", &vkr_pyramid_halves_card},
    {"pyramid_*", &vkr_pyramid_card},
};

enum {
    OP_TYPE_INT = 21,
    OP_TYPE_VECTOR = 23,
    OP_TYPE_IMAGE = 25,
    OP_TYPE_ARRAY = 28,
    OP_TYPE_POINTER = 32,
    OP_CONSTANT = 43,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    DECORATION_SPEC_ID = 1,
    DECORATION_BINDING = 33,
    DECORATION_OFFSET = 35,
    CLASS_UNIFORM_CONSTANT = 0,
    CLASS_UNIFORM = 2,
    CLASS_PUSH_CONSTANT = 9,
    DIM_BUFFER = 5,
};

/* A module: what defines an id, the greatest offset of a struct's members, and what was found. */
typedef struct module {
    const uint32_t **ids;
    uint32_t *offsets, *bindings; /* 1 + the number of a binding */
    uint32_t constants;           /* 1 + the greatest id of one */
    uint32_t constant_ids;        /* a bit for each */
    uint32_t push_size, uniform_size;
    uint8_t kinds[VKR_MAX_BINDINGS];
} module;

/* The size of a struct up to the end of its last member, or of a type that a member can have. */
static uint32_t size_of(const module *m, uint32_t type)
{
    const uint32_t *words = m->ids[type];
    switch (words[0] & 0xffff) {
    case OP_TYPE_INT:
        return words[2] / 8;
    case OP_TYPE_VECTOR:
        return words[3] * size_of(m, words[2]);
    case OP_TYPE_ARRAY:
        return m->ids[words[3]][3] * size_of(m, words[2]);
    default:
        return m->offsets[type] + size_of(m, words[(words[0] >> 16) - 1]);
    }
}

static vkr_kind kind_of(const module *m, uint32_t class, uint32_t type)
{
    if (class == CLASS_UNIFORM)
        return VKR_KIND_UNIFORMS;
    if (class != CLASS_UNIFORM_CONSTANT)
        return VKR_KIND_BUFFER;
    const uint32_t *image = m->ids[type];
    if (image[3] == DIM_BUFFER)
        return VKR_KIND_TEXELS;
    return image[7] == 1 ? VKR_KIND_SAMPLED_IMAGE : VKR_KIND_STORAGE_IMAGE;
}

static void add_constant(module *m, uint32_t id)
{
    m->constants = id >= m->constants ? 1 + id : m->constants;
    m->constant_ids |= 1u << id;
}

static void read_instruction(module *m, const uint32_t *words)
{
    const uint32_t op = words[0] & 0xffff;
    if (op >= OP_TYPE_INT && op <= OP_TYPE_POINTER)
        m->ids[words[1]] = words;
    else if (op == OP_CONSTANT)
        m->ids[words[2]] = words;
    else if (op == OP_DECORATE && words[2] == DECORATION_BINDING)
        m->bindings[words[1]] = 1 + words[3];
    else if (op == OP_DECORATE && words[2] == DECORATION_SPEC_ID)
        add_constant(m, words[3]);
    else if (op == OP_MEMBER_DECORATE && words[3] == DECORATION_OFFSET &&
             words[4] > m->offsets[words[1]])
        m->offsets[words[1]] = words[4];
    if (op != OP_VARIABLE)
        return;
    const uint32_t type = m->ids[words[1]][3], binding = m->bindings[words[2]];
    if (binding > VKR_MAX_BINDINGS)
        abort();
    if (binding != 0)
        m->kinds[binding - 1] = (uint8_t)kind_of(m, words[3], type);
    if (words[3] == CLASS_PUSH_CONSTANT)
        m->push_size = size_of(m, type);
    else if (words[3] == CLASS_UNIFORM)
        m->uniform_size = size_of(m, type);
}

static bool read_module(module *m, uint32_t kernel)
{
    void *memory = malloc(vkr_unpack_size(kernel));
    const uint32_t *code = memory ? vkr_unpack(kernel, memory) : NULL;
    if (code != NULL) {
        m->ids = calloc(code[3], sizeof *m->ids); /* code[3]: ids are below it */
        m->offsets = calloc(code[3], sizeof *m->offsets);
        m->bindings = calloc(code[3], sizeof *m->bindings);
    }
    const bool is_there = code && m->ids && m->offsets && m->bindings;
    for (size_t at = 5; is_there && at < vkr_kernels[kernel].words; at += code[at] >> 16)
        read_instruction(m, &code[at]);
    free(m->ids);
    free(m->offsets);
    free(m->bindings);
    free(memory);
    return is_there;
}

/* Whether a card has a binding of this kind, which is then removed from `missing`. */
static bool has_binding(const vkr_card *card, uint32_t number, uint8_t kind, uint32_t *missing)
{
    for (uint32_t i = 0; i < card->binding_count; i++) {
        const vkr_binding *b = &card->bindings[i];
        if (b->number == number && b->kind == kind && (b->kernels & card->kernel) != 0) {
            *missing &= ~(1u << i);
            return true;
        }
    }
    return false;
}

static uint32_t uniform_size_of(const vkr_card *card)
{
    for (uint32_t i = 0; i < card->binding_count; i++) {
        if (card->bindings[i].size != 0 && (card->bindings[i].kernels & card->kernel) != 0)
            return card->bindings[i].size;
    }
    return 0;
}

/* ---- Names (vkr_step::names) ---- */

/* Returns the sum of the numbers of a kind, where no number stands for 1, and adds a bit for each
 * number. */
static uint32_t read_names(const char *names, char kind, uint32_t *numbers)
{
    uint32_t sum = 0;
    for (const char *line = names; *line != '\0'; line = strchr(line, '\n') + 1) {
        uint32_t number = 1, more = 0;
        if (line[0] != kind)
            continue;
        if (sscanf(line + 1, "((%u) + %u)", &number, &more) != 2)
            (void)sscanf(line + 1, "%u", &number);
        sum += number + more;
        *numbers |= 1u << (number + more);
    }
    return sum;
}

/* Whether the fields that have names are as long as the struct. */
static bool are_named(const vkr_card *card, char kind, uint32_t size)
{
    uint32_t numbers = 0, words = read_names(card->names, kind, &numbers);
    if (kind == 'u' && words == 0)
        words = read_names(vkr_shared_names, kind, &numbers);
    return 4 * words == size;
}

static const char *find_nameless(const vkr_card *card, const module *m)
{
    uint32_t constants = 0, bindings = 0;
    (void)read_names(card->names, 'c', &constants);
    (void)read_names(vkr_shared_names, 'c', &constants);
    for (const char *kind = "btio"; *kind != '\0'; kind++)
        (void)read_names(card->names, *kind, &bindings);
    if ((m->constant_ids & ~constants) != 0)
        return "has a constant without a name";
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (m->kinds[i] != VKR_KIND_NONE && (bindings >> i & 1) == 0)
            return "has a binding without a name";
    if (!are_named(card, 'p', card->push_size))
        return "has push constants without names";
    if (m->uniform_size != 0 && !are_named(card, 'u', m->uniform_size))
        return "has uniforms without names";
    return NULL;
}

static const char *compare(const vkr_card *card, uint32_t kernel, uint32_t *missing)
{
    module m = {0};
    if (!read_module(&m, kernel))
        return "cannot be read";
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (m.kinds[i] != VKR_KIND_NONE && !has_binding(card, i, m.kinds[i], missing))
            return "has a binding that its card lacks, or has of another kind";
    if (m.constants > card->constant_count)
        return "has a constant that its card lacks";
    if (m.push_size != card->push_size)
        return "has push constants of another size";
    if (m.uniform_size != 0 && m.uniform_size != uniform_size_of(card))
        return "has uniforms of another size";
    return find_nameless(card, &m);
}

static size_t row_of(uint32_t kernel)
{
    size_t row = 0;
    while (row < VKR_ARRAY_SIZE(rows) &&
           fnmatch(rows[row].modules, vkr_kernel_name(kernel), 0) != 0)
        row++;
    return row;
}

/* Checks that each binding of a card is in some module, whichever rows the card has. */
static int check_rows(const uint32_t *missing, const uint32_t *modules)
{
    int failed = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++) {
        uint32_t left = ~0u, count = 0;
        for (size_t k = 0; k < VKR_ARRAY_SIZE(rows); k++) {
            left &= rows[k].card == rows[i].card ? missing[k] : ~0u;
            count += rows[k].card == rows[i].card ? modules[k] : 0;
        }
        for (uint32_t b = 0; b < rows[i].card->binding_count && count != 0; b++) {
            const vkr_binding *binding = &rows[i].card->bindings[b];
            if ((left >> b & 1) == 0 || (binding->kernels & rows[i].card->kernel) == 0)
                continue;
            printf("# %s: no module has binding %u\n", rows[i].modules, binding->number);
            failed++;
        }
    }
    return failed;
}

/* Returns the number of kernels of monoids that leave an application fewer storage buffers than
 * module.h promises. */
static int check_monoids(void)
{
    static const vkr_card *const cards[] = {&vkr_reduce_linked_card, &vkr_segment_linked_card,
                                            &vkr_monoid_card};
    int failed = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(cards); i++) {
        uint32_t buffers = 0;
        for (uint32_t b = 0; b < cards[i]->binding_count; b++)
            buffers += cards[i]->bindings[b].kind == VKR_KIND_BUFFER &&
                       (cards[i]->bindings[b].kernels & cards[i]->kernel) != 0;
        if (buffers > MAX_MONOID_BUFFERS)
            printf("# card %zu of monoids has %u storage buffers\n", i, buffers);
        failed += buffers > MAX_MONOID_BUFFERS;
    }
    return failed;
}

int main(void)
{
    uint32_t missing[VKR_ARRAY_SIZE(rows)], modules[VKR_ARRAY_SIZE(rows)] = {0};
    const int monoids = check_monoids();
    int failed = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        missing[i] = ~0u;
    for (uint32_t kernel = 0; kernel < vkr_kernel_count; kernel++) {
        const size_t row = row_of(kernel);
        const char *wrong = "has no card";
        if (row < VKR_ARRAY_SIZE(rows)) {
            wrong = compare(rows[row].card, kernel, &missing[row]);
            modules[row]++;
        }
        failed += wrong != NULL;
        if (wrong != NULL)
            printf("# %s %s\n", vkr_kernel_name(kernel), wrong);
    }
    failed += check_rows(missing, modules);
    printf("%s 1 - %u modules have what their cards say\n", failed == 0 ? "ok" : "not ok",
           vkr_kernel_count);
    printf("%s 2 - kernels of monoids have at most %u storage buffers\n1..2\n",
           monoids == 0 ? "ok" : "not ok", MAX_MONOID_BUFFERS);
    return failed + monoids != 0;
}
