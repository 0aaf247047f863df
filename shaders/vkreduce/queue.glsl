/* SPDX-License-Identifier: MIT */
/*
 * A queue of words that one invocation stores at consecutive positions in aligned packs of four,
 * without a branch that depends on the data: words are collected in a pack, and after every unit
 * the last complete pack is stored. Neighbours may share the first and the last pack, so their
 * words are stored one by one at the end. An invocation can use a queue if it fills at least one
 * pack.
 */
#ifndef VKR_QUEUE_GLSL
#define VKR_QUEUE_GLSL

struct VkrQueue {
    uvec4 open;   /* the pack that is being filled, which has `fill` words */
    VkrPack done; /* the last complete pack, which is stored at `target` */
    uvec4 head;   /* the pack before `first`, which a neighbour shares */
    uint fill;
    uint block;   /* the index of the pack `open` */
    uint target;
    uint first;   /* the first pack that belongs to this invocation alone */
    uint start;   /* the position of the first word */
};

VkrQueue vkr_kept_queue;
VkrQueue vkr_kept_index_queue;
VkrQueue vkr_rejected_queue;
VkrQueue vkr_rejected_index_queue;

/* Opens a queue for `count` words at position `start`. Returns whether they fill a pack. */
bool vkr_open_queue(out VkrQueue q, uint start, const uint count)
{
    q.open = q.head = uvec4(0u);
    q.done = VkrPack(0u);
    q.fill = start & 3u;
    q.block = start >> 2;
    q.first = q.target = (start + 3u) >> 2;
    q.start = start;
    return q.first < (start + count) >> 2;
}

/* Moves the words of x that are kept to the front, in their order. */
uvec4 vkr_pack_left(const uvec4 x, const bvec4 kept)
{
    bool both = kept.x && kept.y;
    bool either = kept.x || kept.y;
    uint first = kept.x ? x.x : kept.y ? x.y : kept.z ? x.z : x.w;
    uint second = both ? x.y : either && kept.z ? x.z : x.w;
    return uvec4(first, second, both && kept.z ? x.z : x.w, x.w);
}

/* Adds the first n words of x. */
void vkr_push(inout VkrQueue q, uvec4 x, const uint n)
{
    x = (q.fill & 1u) != 0u ? x.wxyz : x;
    x = (q.fill & 2u) != 0u ? x.zwxy : x;
    int filled = int(q.fill);
    uvec4 taken = uvec4(filled > 0 ? q.open.x : x.x, filled > 1 ? q.open.y : x.y,
                        filled > 2 ? q.open.z : x.z, x.w);
    uint fill = q.fill + n;
    bool complete = int(fill) > 3;
    q.head = complete && int(q.block) < int(q.first) ? taken : q.head;
    q.done = complete ? vkr_pack_of_words(taken) : q.done;
    q.target = complete ? max(q.block, q.first) : q.target;
    q.open = complete ? x : taken;
    q.block += fill >> 2;
    q.fill = fill & 3u;
}

/* Stores the words of incomplete packs. */
#define VKR_CLOSE_QUEUE(q, array, is_used)                                                         \
    for (uint i = q.start; i < 4u * q.first && is_used; i++)                                       \
        array[i] = q.head[i & 3u];                                                                 \
    for (uint i = 0u; i < q.fill && is_used; i++)                                                  \
        array[4u * q.block + i] = q.open[i];

#if VKR_HAS_QUEUE
/* The words of an element, and of a part of it (VKR_TO_PARTS_SHIFT). */
const uint VKR_WORDS_OF_PART = VKR_FROM_SOURCE || VKR_PART < 4u ? 1u : VKR_PART / 4u;
const uint VKR_WORDS = VKR_FROM_SOURCE || VKR_ELEMENT_BYTES < 4u ? 1u : VKR_ELEMENT_BYTES / 4u;

#define VKR_HAS_OUTPUT(output) ((VKR_OUTPUTS & (output)) != 0u)

bool vkr_fits(const uint at, const uint count, const uint room)
{
    return at <= room && count <= room - at;
}

/* Opens the queues for this invocation's elements, at these positions. Returns whether both can be
 * used. */
bool vkr_open_queues(const uint kept_at, const uint kept, const uint rejected_at,
                     const uint rejected)
{
    bool serve = true;
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT | VKR_TO_KEPT_INDICES))
        serve = serve && vkr_fits(kept_at, kept, push.kept_count);
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES))
        serve = serve && vkr_fits(rejected_at, rejected, push.rejected_count);
    uint kept_base = kept_at * VKR_WORDS + vkr_low_half(push.kept_bases) * VKR_WORDS_OF_PART;
    uint kept_index_base = kept_at + vkr_high_half(push.kept_bases);
    uint rejected_base =
        rejected_at * VKR_WORDS + vkr_low_half(push.rejected_bases) * VKR_WORDS_OF_PART;
    uint rejected_index_base = rejected_at + vkr_high_half(push.rejected_bases);
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT))
        serve = vkr_open_queue(vkr_kept_queue, kept_base, kept * VKR_WORDS) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES))
        serve = vkr_open_queue(vkr_kept_index_queue, kept_index_base, kept) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED))
        serve = vkr_open_queue(vkr_rejected_queue, rejected_base, rejected * VKR_WORDS) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES))
        serve = vkr_open_queue(vkr_rejected_index_queue, rejected_index_base, rejected) && serve;
    return serve;
}

/* The lowest four bits. */
bvec4 vkr_four(const uint bits)
{
    return notEqual(uvec4(bits) & uvec4(1u, 2u, 4u, 8u), uvec4(0u));
}

uint vkr_number_of(const bvec4 kept)
{
    uvec4 n = uvec4(kept);
    return n.x + n.y + n.z + n.w;
}

/* Which words of a pack belong to these elements, with which the pack starts. */
bvec4 vkr_words_of_elements(const bvec4 elements)
{
    bvec4 words = elements;
    if (VKR_WORDS == 2u)
        words = elements.xxyy;
    if (VKR_WORDS == 4u)
        words = elements.xxxx;
    return words;
}

/* Queues up to four elements, whose values fill a pack: the first of them has this index. */
void vkr_queue_unit(const uvec4 values, const uint index, const bvec4 present, const bvec4 kept)
{
    uvec4 indices = index + uvec4(0u, 1u, 2u, 3u);
    uint n = vkr_number_of(kept);
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT)) {
        vkr_push(vkr_kept_queue, vkr_pack_left(values, vkr_words_of_elements(kept)),
                 n * VKR_WORDS);
        vkr_kept_packs[vkr_kept_queue.target] = vkr_kept_queue.done;
    }
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES)) {
        vkr_push(vkr_kept_index_queue, vkr_pack_left(indices, kept), n);
        vkr_kept_index_packs[vkr_kept_index_queue.target] = vkr_kept_index_queue.done;
    }
    bvec4 rejected = bvec4(present.x && !kept.x, present.y && !kept.y, present.z && !kept.z,
                           present.w && !kept.w);
    n = vkr_number_of(rejected);
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED)) {
        vkr_push(vkr_rejected_queue, vkr_pack_left(values, vkr_words_of_elements(rejected)),
                 n * VKR_WORDS);
        vkr_rejected_packs[vkr_rejected_queue.target] = vkr_rejected_queue.done;
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES)) {
        vkr_push(vkr_rejected_index_queue, vkr_pack_left(indices, rejected), n);
        vkr_rejected_index_packs[vkr_rejected_index_queue.target] = vkr_rejected_index_queue.done;
    }
}

void vkr_close_queues(const bool is_used)
{
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT)) {
        VKR_CLOSE_QUEUE(vkr_kept_queue, vkr_kept_words, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES)) {
        VKR_CLOSE_QUEUE(vkr_kept_index_queue, vkr_kept_indices, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED)) {
        VKR_CLOSE_QUEUE(vkr_rejected_queue, vkr_rejected_words, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES)) {
        VKR_CLOSE_QUEUE(vkr_rejected_index_queue, vkr_rejected_indices, is_used)
    }
}
#else
bool vkr_open_queues(const uint kept_at, const uint kept, const uint rejected_at,
                     const uint rejected)
{
    return false;
}

void vkr_close_queues(const bool is_used)
{
}
#endif

#endif
