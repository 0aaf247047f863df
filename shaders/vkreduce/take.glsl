/* SPDX-License-Identifier: MIT */
/* What compact.comp does with the elements of a unit: it counts them, stores them one by one, or
 * queues them. */
#ifndef VKR_TAKE_GLSL
#define VKR_TAKE_GLSL

#define VKR_COUNT_ONLY 0u
#define VKR_STORE_EACH 1u
#define VKR_STORE_QUEUED 2u

/* This invocation's number of kept elements so far, and its next positions in the windows. Elements
 * outside a window are not stored. */
uint vkr_counted;
uint vkr_kept_at;
uint vkr_rejected_at;

/* ---- Marks ---- */

/* Each invocation of a pass that counts packs the marks of its units, one after the other, into
 * words; move.comp knows where they lie. */
const bool VKR_MARKS = (VKR_OUTPUTS & VKR_TO_MARKS) != 0u;
const uint VKR_MARKS_OF_WORD = 32u / VKR_STEP;
uint vkr_mark_word;
uint vkr_marked; /* units */
uint vkr_marks_at;

void vkr_open_marks(const uint group)
{
    uint rows = (push.items - 1u) / VKR_MARKS_OF_WORD + 1u;
    vkr_mark_word = 0u;
    vkr_marked = 0u;
    vkr_marks_at = push.kept_bases + group * VKR_WORKGROUP * rows +
                   vkr_group_rank() * (VKR_CONTIGUOUS ? rows : 1u);
}

void vkr_store_marks()
{
    vkr_kept_indices[vkr_marks_at] = vkr_mark_word;
    vkr_marks_at += VKR_CONTIGUOUS ? 1u : VKR_WORKGROUP;
    vkr_mark_word = 0u;
}

void vkr_mark_unit(const uint bits)
{
    uint place = vkr_marked % VKR_MARKS_OF_WORD;
    vkr_mark_word |= bits << place * VKR_STEP;
    vkr_marked++;
    if (place + 1u == VKR_MARKS_OF_WORD)
        vkr_store_marks();
}

void vkr_close_marks()
{
    if (VKR_MARKS && vkr_marked % VKR_MARKS_OF_WORD != 0u)
        vkr_store_marks();
}

/* ---- One by one ---- */

/* Copies part number `from` of the tested elements to part number `to` of an output, whose views
 * have these names. */
#if VKR_BYTES == 8
#define VKR_COPY_PART(values, words, pairs, packs, to, from)                                       \
    if (VKR_PART == 16u)                                                                           \
        packs[to] = vkr_loads[from];                                                               \
    else                                                                                           \
        values[to] = vkr_tested[from];
#else
#define VKR_COPY_PART(values, words, pairs, packs, to, from)                                       \
    if (VKR_PART == 16u)                                                                           \
        packs[to] = vkr_loads[from];                                                               \
    else if (VKR_PART == 8u)                                                                       \
        pairs[to] = vkr_tested_pairs[from];                                                        \
    else if (VKR_PART_VALUES != 1u)                                                                \
        words[to] = vkr_tested_words[from];                                                        \
    else                                                                                           \
        values[to] = vkr_tested[from];
#endif

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_kept_room = push.kept_count;
uint vkr_kept_base = vkr_low_half(push.kept_bases);
uint vkr_kept_stride = uniforms.kept_stride;
uint vkr_rejected_room = push.rejected_count;
uint vkr_rejected_base = vkr_low_half(push.rejected_bases);
uint vkr_rejected_stride = uniforms.rejected_stride;
uint vkr_tested_base = push.input_base;
uint vkr_tested_stride = push.input_stride;

/* The number of the first part of element i of the dispatch. */
uint vkr_part_of(const uint i)
{
    return (vkr_tested_base + i * vkr_tested_stride) / VKR_PART_VALUES;
}

void vkr_store_kept(const uint i)
{
    if (vkr_kept_at < vkr_kept_room) {
        uint to = vkr_kept_base + vkr_kept_at * vkr_kept_stride;
#if VKR_HAS_SOURCE
        if (VKR_FROM_SOURCE && (VKR_OUTPUTS & VKR_TO_KEPT) != 0u)
            vkr_kept_words[to] = vkr_source[push.source_base + i];
#endif
        if (!VKR_FROM_SOURCE && (VKR_OUTPUTS & VKR_TO_KEPT) != 0u) {
            uint from = vkr_part_of(i);
            for (uint p = 0u; p < VKR_PARTS; p++) {
                VKR_COPY_PART(vkr_kept, vkr_kept_words, vkr_kept_pairs, vkr_kept_packs, to + p,
                              from + p)
            }
        }
        if ((VKR_OUTPUTS & VKR_TO_KEPT_INDICES) != 0u)
            vkr_store_kept_index(vkr_kept_at, i);
    }
    vkr_kept_at++;
}

void vkr_store_rejected(const uint i)
{
    if (vkr_rejected_at < vkr_rejected_room) {
        uint to = vkr_rejected_base + vkr_rejected_at * vkr_rejected_stride;
#if VKR_HAS_SOURCE
        if (VKR_FROM_SOURCE && (VKR_OUTPUTS & VKR_TO_REJECTED) != 0u)
            vkr_rejected_words[to] = vkr_source[push.source_base + i];
#endif
        if (!VKR_FROM_SOURCE && (VKR_OUTPUTS & VKR_TO_REJECTED) != 0u) {
            uint from = vkr_part_of(i);
            for (uint p = 0u; p < VKR_PARTS; p++) {
                VKR_COPY_PART(vkr_rejected, vkr_rejected_words, vkr_rejected_pairs,
                              vkr_rejected_packs, to + p, from + p)
            }
        }
        if ((VKR_OUTPUTS & VKR_TO_REJECTED_INDICES) != 0u)
            vkr_store_rejected_index(vkr_rejected_at, i);
    }
    vkr_rejected_at++;
}

/* Loops are used instead of branches, since some drivers execute both sides of a branch. */
void vkr_store_each(const uint begin, const uint present, const uint kept)
{
    if ((VKR_OUTPUTS & (VKR_TO_KEPT | VKR_TO_KEPT_INDICES)) != 0u) {
        for (uint left = kept; left != 0u; left &= left - 1u)
            vkr_store_kept(begin + uint(findLSB(left)));
    }
    if ((VKR_OUTPUTS & (VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES)) != 0u) {
        for (uint left = present & ~kept; left != 0u; left &= left - 1u)
            vkr_store_rejected(begin + uint(findLSB(left)));
    }
}

/* ---- Queued ---- */

#if VKR_HAS_QUEUE

/* Only CPU drivers load texels; GPUs need short modules. */
#if VKR_LOADS == VKR_LOADS_TEXEL
#define VKR_FOURS_OF_UNIT [[unroll]]
#else
#define VKR_FOURS_OF_UNIT [[dont_unroll]]
#endif

/* Loads the words of a unit, whose elements have at least one word each, one by one; those of
 * elements that do not exist are 0. */
uvec4 vkr_load_words(const uint u, const uint present)
{
    uvec4 words = uvec4(0u);
    for (uint w = 0u; w < 4u && !VKR_FROM_SOURCE && !VKR_UNREAD; w++) {
        uint k = w / VKR_WORDS;
        if ((present >> k & 1u) != 0u) {
            uint at = vkr_tested_at(vkr_begin_of(u) + k) * uint(VKR_BYTES) / 4u;
            words[w] = vkr_tested_words[at + w % VKR_WORDS];
        }
    }
    return words;
}

/* Queues a full unit that has been loaded. Short units have at most four elements, and where values
 * are queued, these fill the pack. */
void vkr_queue_loaded(const VkrUnit unit, const VkrChoice kept, const uint u)
{
    uint index = push.index_low + vkr_begin_of(u);
    if (VKR_UNIT <= 4u) {
        bvec4 is_kept = bvec4(kept.is[0], VKR_UNIT > 1u && kept.is[1], false, false);
#if VKR_BYTES < 8
        is_kept.z = VKR_UNIT > 2u && kept.is[2];
        is_kept.w = VKR_UNIT > 2u && kept.is[3];
#endif
        bvec4 present = bvec4(true, VKR_UNIT > 1u, VKR_UNIT > 2u, VKR_UNIT > 2u);
        vkr_queue_unit(unit.packs[0], index, present, is_kept);
        return;
    }
#if VKR_BYTES < 4
    uint bits = vkr_bits_of(kept);
    VKR_FOURS_OF_UNIT for (uint k = 0u; k < VKR_UNIT; k += 4u) {
#if VKR_HAS_SOURCE
        uvec4 values = vkr_source_values(vkr_begin_of(u) + k);
#else
        uvec4 values = uvec4(0u);
#endif
        vkr_queue_unit(values, index + k, bvec4(true), vkr_four(bits >> k));
    }
#endif
}

/* Queues a unit whose elements are loaded one by one. */
void vkr_queue_elements(const uint u, const uint present, const uint kept)
{
    uint index = push.index_low + vkr_begin_of(u);
    if (VKR_UNIT <= 4u) {
        vkr_queue_unit(vkr_load_words(u, present), index, vkr_four(present), vkr_four(kept));
        return;
    }
#if VKR_BYTES < 4
    [[dont_unroll]] for (uint k = 0u; k < VKR_STEP; k += 4u) {
#if VKR_HAS_SOURCE
        uvec4 values = vkr_source_present(vkr_begin_of(u) + k, present >> k);
#else
        uvec4 values = uvec4(0u);
#endif
        vkr_queue_unit(values, index + k, vkr_four(present >> k), vkr_four(kept >> k));
    }
#endif
}

#else
#define vkr_queue_loaded(unit, kept, u)
#define vkr_queue_elements(u, present, kept)
#endif

/* ---- Units ---- */

/* Counts or queues the elements of a full unit that has been loaded. */
void vkr_take_loaded(const VkrUnit unit, const VkrBefore before, const uint u, const uint what)
{
    VkrChoice kept = vkr_test_loaded(unit, u, before);
    if (what == VKR_COUNT_ONLY) {
        vkr_counted += vkr_number_of(kept);
        if (VKR_MARKS)
            vkr_mark_unit(vkr_bits_of(kept));
    } else {
        vkr_queue_loaded(unit, kept, u);
    }
}

/* Does the same for a unit whose elements are loaded one by one. */
void vkr_take_elements(const uint u, const uint what)
{
    uint present = vkr_present(u);
    uint kept = vkr_test_elements(u, present);
    if (what == VKR_COUNT_ONLY) {
        vkr_counted += uint(bitCount(kept));
        if (VKR_MARKS)
            vkr_mark_unit(kept);
    } else if (what == VKR_STORE_QUEUED) {
        vkr_queue_elements(u, present, kept);
    } else {
        vkr_store_each(vkr_begin_of(u), present, kept);
    }
}

#endif
