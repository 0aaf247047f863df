/* SPDX-License-Identifier: MIT */
/*
 * The steps of stream reduction. The first step marks rejected elements. Prefix sums of the marks
 * then give displacements, for the whole stream or inside blocks. Each output position searches
 * them for its element, or a loop reduces each block. Finally, what blocks keep is copied to its
 * place.
 */
#include "../compact/compact.h"
#include "kernel_list.h"

#include <inttypes.h>

#define NODES 16u /* nodes of a block, which VKR_BLOCK_SCAN_HYBRID scans by Hillis and Steele */
#define WHOLE 31u /* the shift of a block that can hold any stream */

/* The arrays of a stream reduction, each as one item, and what its passes share. */
typedef struct vkr_stream {
    const vkr_compact *compact;
    const vkr_all_stored *all;
    vkr_walk walk;    /* for passes in which an invocation has one item */
    vkr_view marks;   /* words, like all sums */
    vkr_view totals;  /* of blocks */
    vkr_view sums;    /* of marks, or of totals */
    vkr_place blocks; /* values */
    vkr_place block_indices;
    uint32_t shift; /* log2 of a block's elements */
    uint64_t block_count;
} vkr_stream;

/* ---- Arrays ---- */

/* Adds an array of words in scratch. */
static VkrResult add_words(VkrRecorder recorder, uint64_t count, vkr_view *view)
{
    *view = (vkr_view){.buffer = VKR_SCRATCH,
                       .type = &vkr_types[VKR_TYPE_U32],
                       .type_id = VKR_TYPE_U32,
                       .components = 1,
                       .stride = 4,
                       .capacity = count};
    return vkr_add_scratch(recorder, 4 * count, &view->offset);
}

static vkr_place all_of(const vkr_view *words)
{
    return vkr_place_of_bytes(words->buffer, words->offset, 4 * words->capacity, 4);
}

/* Adds the arrays for what blocks keep, if any output needs them. */
static VkrResult add_blocks(VkrRecorder recorder, vkr_stream *s)
{
    const uint64_t count = s->compact->walk.count;
    bool values = false, indices = false;
    for (uint32_t i = 0; i < s->all->count; i++) {
        values = values || s->all->sets[i].outputs[VKR_KEPT][VKR_VALUES] != NULL;
        indices = indices || s->all->sets[i].outputs[VKR_KEPT][VKR_INDICES] != NULL;
    }
    if (values) { /* otherwise there may be flags without an input */
        const vkr_view source = vkr_units_of_view(&s->compact->input);
        const VkDeviceSize size = count * vkr_element_size(&source);
        s->blocks = vkr_place_of_bytes(VKR_SCRATCH, 0, size, source.type->size);
        VKR_TRY(vkr_add_scratch(recorder, size, &s->blocks.offset));
    }
    return indices ? vkr_add_words(recorder, VKR_SCRATCH, count, 1, &s->block_indices)
                   : VKR_SUCCESS;
}

/* ---- Passes ---- */

static void finish_marks(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_stream *s = pass->operation;
    vkr_place marks = all_of(&s->marks);
    vkr_fill_tested(pass, s->compact, window, step);
    VKR_PUSH(step, vkr_compact_push)->kept_bases =
        vkr_fill(pass, step, VKR_COMPACT_SLOT_MARKS, marks, 0, 1) << 16;
}

static VkrResult add_marks(VkrRecorder recorder, const vkr_stream *s)
{
    const vkr_compact *c = s->compact;
    vkr_pass pass = vkr_compact_pass(c, VKR_MODE_ONE, 0);
    pass.kernel = c->tested.type->size == 1   ? VKR_KERNEL_MARKS_W8
                  : c->tested.type->size == 2 ? VKR_KERNEL_MARKS_W16
                  : c->tested.type->size == 4 ? VKR_KERNEL_MARKS_W32
                                              : VKR_KERNEL_MARKS_W64;
    pass.card = &vkr_marks_card;
    pass.finish = finish_marks;
    pass.operation = s;
    return vkr_emit(recorder, &pass);
}

/* The kernels of a card for elements that consist of units. */
typedef struct vkr_stream_kernel {
    const vkr_card *card;
    uint32_t of_units[3]; /* of 1, 2 and 4 bytes */
} vkr_stream_kernel;

#define OF_UNITS(name)                                                                             \
    {                                                                                              \
        VKR_KERNEL_##name##_8, VKR_KERNEL_##name##_16, VKR_KERNEL_##name##_32                      \
    }
static const vkr_stream_kernel gather = {&vkr_gather_card, OF_UNITS(GATHER)};
static const vkr_stream_kernel sequential = {&vkr_sequential_card, OF_UNITS(SEQUENTIAL)};
static const vkr_stream_kernel concatenate = {&vkr_concatenate_card, OF_UNITS(CONCATENATE)};

/* A pass over the elements. */
static vkr_pass new_pass(const vkr_stream *s, const vkr_card *card, uint32_t kernel, uint32_t flags)
{
    return (vkr_pass){.walk = &s->walk,
                      .card = card,
                      .kernel = kernel,
                      .constants = {[VKR_CONST_WORKGROUP] = s->walk.workgroup_size,
                                    [VKR_STREAM_CONST_FLAGS] = flags,
                                    [VKR_STREAM_CONST_SHIFT] = s->shift}};
}

/* Adds a step of `groups` workgroups. A dispatch can need more than the walk's elements do: its
 * workgroups can be smaller than the walk's, or it rounds up to whole blocks. */
static VkrResult emit_of(VkrRecorder recorder, const vkr_stream *s, const vkr_pass *pass,
                         uint64_t count, uint64_t groups)
{
    const vkr_caps *caps = &s->compact->walk.context->caps;
    const vkr_window window = {.count = count, .groups = groups};
    VKR_NEED(&s->walk, groups <= vkr_all_groups(caps),
             "algorithm is %s, but count is %" PRIu64 ", and %" PRIu64
             " workgroups of %u exceed maxComputeWorkGroupCount (%u, %u).",
             vkrCompactAlgorithmName(s->compact->info->algorithm), s->walk.count, groups,
             pass->constants[VKR_CONST_WORKGROUP], caps->max_groups[0], caps->max_groups[1]);
    return vkr_emit_window(recorder, pass, &window);
}

static VkrResult emit(VkrRecorder recorder, const vkr_stream *s, const vkr_pass *pass,
                      uint64_t groups)
{
    return emit_of(recorder, s, pass, s->compact->walk.count, groups);
}

/* The number of workgroups in which each invocation has one of `count` items. */
static uint64_t groups_of(const vkr_stream *s, uint64_t count)
{
    return vkr_divide_up(count, s->walk.workgroup_size);
}

/* A pass that reads elements of the input, or those that blocks keep. */
static vkr_pass new_mover(const vkr_stream *s, const vkr_stream_kernel *kernel, uint32_t flags)
{
    const vkr_compact *c = s->compact;
    const bool is_empty = c->input.buffer == VK_NULL_HANDLE;
    const vkr_view source = is_empty ? s->marks : vkr_units_of_view(&c->input);
    vkr_pass pass = new_pass(s, kernel->card, kernel->of_units[source.type->size / 2], flags);
    pass.constants[VKR_STREAM_CONST_UNITS] = source.components;
    if ((flags & VKR_STREAM_FLAG_VALUES) != 0 && kernel != &concatenate)
        pass.slots[VKR_STREAM_SLOT_SOURCE] =
            vkr_items(vkr_place_of_view(&source), 0, c->walk.count);
    return pass;
}

static uint32_t search_flag(const vkr_compact *c)
{
    const VkrStreamSearch search = c->info->stream.search;
    const bool is_while = search != VKR_STREAM_SEARCH_DEFAULT
                              ? search == VKR_STREAM_SEARCH_WHILE
                              : c->info->algorithm == VKR_COMPACT_ROGER;
    return is_while ? VKR_STREAM_FLAG_WHILE : 0;
}

/* ---- Sums ---- */

/* Adds one pass of sums over all words, which leaves a sum for each. */
static VkrResult add_sum(VkrRecorder recorder, const vkr_stream *s, uint32_t mode,
                         const vkr_view *from, const vkr_view *to, uint64_t distance)
{
    const uint64_t count = s->sums.capacity, leaves = UINT64_C(1) << vkr_log2_up(count);
    const bool is_doubling = mode == VKR_PASS_DOUBLE;
    const uint64_t pairs = vkr_max(leaves / 2 / distance, 1);
    vkr_pass pass = new_pass(s, &vkr_sums_card, VKR_KERNEL_SUMS, mode);
    struct vkr_stream_push *push = VKR_PUSH(&pass, vkr_stream_push);
    push->distance = (uint32_t)distance;
    push->pairs = (uint32_t)pairs;
    push->is_root = 2 * distance >= leaves;
    if (is_doubling || distance == 1)
        pass.slots[VKR_STREAM_SLOT_SUMS].place = all_of(from);
    /* Doublings only write, but validation layers cannot know which mode of the module is used. */
    pass.slots[VKR_STREAM_SLOT_TOTALS_SCANNED].place = all_of(to);
    return emit_of(recorder, s, &pass, count, groups_of(s, is_doubling ? count : pairs));
}

/* Passes alternate between two buffers. A single word needs one pass, as two words do. */
static VkrResult add_doublings(VkrRecorder recorder, vkr_stream *s, const vkr_view *from)
{
    const uint64_t count = from->capacity;
    vkr_view buffers[2];
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(buffers) && (i == 0 || count > 2); i++)
        VKR_TRY(add_words(recorder, count, &buffers[i]));
    for (uint32_t i = 0; i == 0 || UINT64_C(1) << i < count; i++) {
        s->sums = buffers[i % 2];
        VKR_TRY(add_sum(recorder, s, VKR_PASS_DOUBLE, from, &s->sums, UINT64_C(1) << i));
        from = &buffers[i % 2];
    }
    return VKR_SUCCESS;
}

/* Passes work in place, in a tree whose number of leaves is a power of two; the words may be
 * fewer. */
static VkrResult add_sweeps(VkrRecorder recorder, vkr_stream *s, const vkr_view *from)
{
    const uint32_t doublings = (uint32_t)vkr_max(vkr_log2_up(from->capacity), 1);
    vkr_view tree;
    VKR_TRY(add_words(recorder, UINT64_C(1) << doublings, &tree));
    s->sums = tree;
    s->sums.capacity = from->capacity;
    for (uint32_t i = 0; i < doublings; i++)
        VKR_TRY(add_sum(recorder, s, VKR_PASS_UP, from, &tree, UINT64_C(1) << i));
    for (uint32_t i = doublings; i-- > 0;)
        VKR_TRY(add_sum(recorder, s, VKR_PASS_DOWN, from, &tree, UINT64_C(1) << i));
    return VKR_SUCCESS;
}

/* Sets the inclusive sums of words. */
static VkrResult add_sums(VkrRecorder recorder, vkr_stream *s, const vkr_view *from, bool blelloch)
{
    return blelloch ? add_sweeps(recorder, s, from) : add_doublings(recorder, s, from);
}

/* ---- Outputs ---- */

/* Binds the outputs of a set, or only the record for NULL. */
static void bind_outputs(const vkr_stream *s, const vkr_stored *stored, vkr_pass *pass)
{
    struct vkr_stream_push *push = VKR_PUSH(pass, vkr_stream_push);
    pass->slots[VKR_STREAM_SLOT_RECORD].place = s->compact->record;
    if (stored == NULL)
        return;
    const vkr_view *values = stored->outputs[VKR_KEPT][VKR_VALUES];
    const vkr_view *indices = stored->outputs[VKR_KEPT][VKR_INDICES];
    const uint64_t limit = stored->limit[VKR_KEPT];
    push->kept_count = (uint32_t)limit;
    VKR_SET64(push, index, stored->first_index);
    if (values != NULL) {
        const vkr_view units = vkr_units_of_view(values);
        pass->slots[VKR_STREAM_SLOT_KEPT] = vkr_items(vkr_place_of_view(&units), 0, limit);
    }
    if (indices != NULL) {
        vkr_place place = vkr_place_of_view(indices);
        place.unit = 4;
        pass->slots[VKR_STREAM_SLOT_INDICES] = vkr_items(place, 0, limit);
    }
}

static uint32_t flags_of(const vkr_stored *stored)
{
    if (stored == NULL)
        return 0;
    const vkr_view *indices = stored->outputs[VKR_KEPT][VKR_INDICES];
    return (stored->outputs[VKR_KEPT][VKR_VALUES] != NULL ? VKR_STREAM_FLAG_VALUES : 0) |
           (indices != NULL ? VKR_STREAM_FLAG_INDICES : 0) |
           (indices != NULL && indices->type->size == 8 ? VKR_STREAM_FLAG_INDICES64 : 0) |
           (stored->appended ? VKR_STREAM_FLAG_APPEND : 0);
}

/* Adds a search of the whole stream for what a set of outputs stores. */
static VkrResult add_gather(VkrRecorder recorder, const vkr_stream *s, const vkr_stored *stored)
{
    vkr_pass pass = new_mover(s, &gather, flags_of(stored) | search_flag(s->compact));
    VKR_PUSH(&pass, vkr_stream_push)->trips = vkr_log2_up(s->compact->walk.count);
    pass.slots[VKR_STREAM_SLOT_SUMS].place = all_of(&s->sums);
    bind_outputs(s, stored, &pass);
    return emit(recorder, s, &pass, stored == NULL ? 1 : groups_of(s, s->compact->walk.count));
}

/* Adds a copy of what blocks keep to a set of outputs. */
static VkrResult add_concatenation(VkrRecorder recorder, const vkr_stream *s,
                                   const vkr_stored *stored)
{
    const bool by_element = s->compact->info->stream.concatenation == VKR_CONCATENATION_ELEMENTS;
    const uint32_t flags = flags_of(stored) | (by_element ? VKR_STREAM_FLAG_BY_ELEMENT : 0);
    const uint64_t invocations = s->block_count << (by_element ? s->shift : 0);
    vkr_pass pass = new_mover(s, &concatenate, flags);
    pass.slots[VKR_STREAM_SLOT_TOTALS].place = all_of(&s->sums);
    if ((flags & VKR_STREAM_FLAG_VALUES) != 0)
        pass.slots[VKR_STREAM_SLOT_BLOCKS].place = s->blocks;
    if ((flags & VKR_STREAM_FLAG_INDICES) != 0)
        pass.slots[VKR_STREAM_SLOT_BLOCK_INDICES].place = s->block_indices;
    bind_outputs(s, stored, &pass);
    return emit(recorder, s, &pass,
                stored == NULL ? 1 : groups_of(s, invocations * (by_element ? 1 : VKR_STREAM_ROW)));
}

typedef VkrResult vkr_add_stored(VkrRecorder recorder, const vkr_stream *s,
                                 const vkr_stored *stored);

/* The last step counts what is kept, even where nothing is stored. */
static VkrResult add_outputs(VkrRecorder recorder, const vkr_stream *s, vkr_add_stored *add)
{
    for (uint32_t i = 0; i < s->all->count; i++)
        VKR_TRY(add(recorder, s, &s->all->sets[i]));
    return s->all->count == 0 ? add(recorder, s, NULL) : VKR_SUCCESS;
}

/* ---- Blocks ---- */

static void bind_reduced(const vkr_stream *s, vkr_pass *pass)
{
    pass->slots[VKR_STREAM_SLOT_BLOCKS_STORED].place = s->blocks;
    pass->slots[VKR_STREAM_SLOT_BLOCK_INDICES_STORED].place = s->block_indices;
}

static uint32_t flags_of_blocks(const vkr_stream *s)
{
    return (s->blocks.buffer != VK_NULL_HANDLE ? VKR_STREAM_FLAG_VALUES : 0) |
           (s->block_indices.buffer != VK_NULL_HANDLE ? VKR_STREAM_FLAG_INDICES : 0);
}

/* Turns marks into sums inside blocks. */
static VkrResult add_block_scan(VkrRecorder recorder, const vkr_stream *s)
{
    const uint32_t block = 1u << s->shift;
    /* On CPUs barriers cost more in larger workgroups; the tuning of compactions considers this. */
    const uint32_t size = s->compact->walk.workgroup_size;
    const VkrBlockScan scan = s->compact->info->stream.blockScan;
    vkr_pass pass = new_pass(s, &vkr_sums_card, VKR_KERNEL_BLOCK_SCAN, 0);
    pass.constants[VKR_CONST_WORKGROUP] = size;
    pass.constants[VKR_STREAM_CONST_UNITS] = scan == VKR_BLOCK_SCAN_BLELLOCH ? 1
                                             : scan == VKR_BLOCK_SCAN_HYBRID
                                                 ? (uint32_t)vkr_min(block, NODES)
                                                 : block;
    pass.slots[VKR_STREAM_SLOT_SCANNED].place = all_of(&s->marks);
    pass.slots[VKR_STREAM_SLOT_TOTALS_STORED].place = all_of(&s->totals);
    return emit(recorder, s, &pass, vkr_divide_up(s->compact->walk.count, vkr_max(block, size)));
}

/* Reduces blocks by sums and a search. */
static VkrResult add_search(VkrRecorder recorder, const vkr_stream *s)
{
    const uint32_t flags = flags_of_blocks(s);
    vkr_pass pass =
        new_mover(s, &gather, flags | search_flag(s->compact) | VKR_STREAM_FLAG_IN_BLOCKS);
    if (flags == 0)
        return VKR_SUCCESS;
    VKR_PUSH(&pass, vkr_stream_push)->trips = s->shift;
    pass.slots[VKR_STREAM_SLOT_SUMS].place = all_of(&s->marks);
    bind_reduced(s, &pass);
    return emit(recorder, s, &pass, groups_of(s, s->compact->walk.count));
}

/* Reduces blocks by a loop. */
static VkrResult add_sequential(VkrRecorder recorder, const vkr_stream *s)
{
    vkr_pass pass = new_mover(s, &sequential, flags_of_blocks(s));
    pass.slots[VKR_STREAM_SLOT_SUMS].place = all_of(&s->marks);
    pass.slots[VKR_STREAM_SLOT_TOTALS_STORED].place = all_of(&s->totals);
    bind_reduced(s, &pass);
    return emit(recorder, s, &pass, groups_of(s, s->block_count));
}

static VkrResult plan_blocks(VkrRecorder recorder, vkr_stream *s)
{
    const VkrStreamOptions *options = &s->compact->info->stream;
    s->shift = vkr_log2_up(options->block != 0 ? options->block : 64);
    s->block_count = vkr_divide_up(s->compact->walk.count, UINT64_C(1) << s->shift);
    VKR_TRY(add_words(recorder, s->block_count, &s->totals));
    VKR_TRY(add_blocks(recorder, s));
    if (s->compact->info->algorithm == VKR_COMPACT_ROGER) {
        VKR_TRY(add_block_scan(recorder, s));
        VKR_TRY(add_search(recorder, s));
    } else {
        VKR_TRY(add_sequential(recorder, s));
    }
    VKR_TRY(add_sums(recorder, s, &s->totals, options->blockScan == VKR_BLOCK_SCAN_BLELLOCH));
    return add_outputs(recorder, s, add_concatenation);
}

/* Uses the workgroup size of scans by passes. */
static VkrResult choose_walk(vkr_stream *s)
{
    const vkr_compact *c = s->compact;
    const VkrTuning *tuning =
        &c->walk.context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, 4)];
    s->walk = c->walk;
    return vkr_choose_workgroup(&s->walk, c->info->workgroupSize, tuning->treeWorkgroupSize,
                                &(vkr_shared){0});
}

VkrResult vkr_plan_stream(VkrRecorder recorder, const vkr_compact *c, const vkr_all_stored *all)
{
    vkr_stream s = {.compact = c, .all = all, .shift = WHOLE};
    const VkrCompactAlgorithm algorithm = c->info->algorithm;
    VKR_TRY(choose_walk(&s));
    VKR_TRY(add_words(recorder, c->walk.count, &s.marks));
    VKR_TRY(add_marks(recorder, &s));
    if (algorithm != VKR_COMPACT_HORN && algorithm != VKR_COMPACT_BLELLOCH_GATHER)
        return plan_blocks(recorder, &s);
    VKR_TRY(add_sums(recorder, &s, &s.marks, algorithm == VKR_COMPACT_BLELLOCH_GATHER));
    return add_outputs(recorder, &s, add_gather);
}
