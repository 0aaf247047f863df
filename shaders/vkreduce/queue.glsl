/* SPDX-License-Identifier: MIT */
/*
 * Packed words that one invocation stores to consecutive places by aligned packs of four, without a
 * branch that depends on the data: words are collected in a pack, every unit stores the last pack
 * that is complete, and what the invocation shares of packs with its neighbours, at its first and
 * last place, is stored by word in the end. Serves invocations that fill at least one pack.
 */
#ifndef VKR_QUEUE_GLSL
#define VKR_QUEUE_GLSL

#define VKR_QUEUE(binding_, block, array, name)                                                    \
    layout(set = 0, binding = binding_, std430) buffer block                                       \
    {                                                                                              \
        uvec4 array[];                                                                             \
    };                                                                                             \
    VkrQueue name;

struct VkrQueue {
    uvec4 open;   /* its first `fill` words are taken */
    uvec4 done;   /* the last complete pack, and where it goes */
    uvec4 head;   /* the pack before `first`, which is a neighbour's too */
    uint fill;
    uint block;   /* where `open` goes, in packs */
    uint target;
    uint first;   /* complete packs of this invocation alone */
    uint start;   /* its first word */
};

VKR_QUEUE(VKR_COMPACT_KEPT, VkrKeptPacks, vkr_kept_packs, vkr_kept_queue)
VKR_QUEUE(VKR_COMPACT_KEPT_INDICES, VkrKeptIndexPacks, vkr_kept_index_packs, vkr_kept_index_queue)
VKR_QUEUE(VKR_COMPACT_REJECTED, VkrRejectedPacks, vkr_rejected_packs, vkr_rejected_queue)
VKR_QUEUE(VKR_COMPACT_REJECTED_INDICES, VkrRejectedIndexPacks, vkr_rejected_index_packs,
          vkr_rejected_index_queue)

/* For words start .. start + count. Says whether they fill a pack. */
bool vkr_open_queue(out VkrQueue q, uint start, uint count)
{
    q.open = q.done = q.head = uvec4(0u);
    q.fill = start & 3u;
    q.block = start >> 2;
    q.first = q.target = (start + 3u) >> 2;
    q.start = start;
    return q.first < (start + count) >> 2;
}

/* The words of x whose bits are set, in their order, at the front; `rest` of it is arbitrary. */
uvec4 vkr_pack_left(uvec4 x, uvec4 bits)
{
    uint n = bits.x;
    x.x = n == 0u ? x.y : x.x;
    n += bits.y;
    x.y = n <= 1u ? x.z : x.y;
    x.x = n == 0u ? x.z : x.x;
    n += bits.z;
    x.x = n == 0u ? x.w : x.x;
    x.y = n <= 1u ? x.w : x.y;
    x.z = n <= 2u ? x.w : x.z;
    return x;
}

/* Adds the first n words of x. */
void vkr_push(inout VkrQueue q, uvec4 x, uint n)
{
    x = (q.fill & 1u) != 0u ? x.wxyz : x;
    x = (q.fill & 2u) != 0u ? x.zwxy : x;
    uvec4 taken = uvec4(q.fill > 0u ? q.open.x : x.x, q.fill > 1u ? q.open.y : x.y,
                        q.fill > 2u ? q.open.z : x.z, x.w);
    uint fill = q.fill + n;
    bool complete = fill > 3u;
    q.head = complete && q.block < q.first ? taken : q.head;
    q.done = complete ? taken : q.done;
    q.target = complete ? max(q.block, q.first) : q.target;
    q.open = complete ? x : taken;
    q.block += fill >> 2;
    q.fill = fill & 3u;
}

/* The words of incomplete packs. */
#define VKR_CLOSE_QUEUE(q, array, is_used)                                                         \
    for (uint i = q.start; i < 4u * q.first && is_used; i++)                                       \
        array[i] = q.head[i & 3u];                                                                 \
    for (uint i = 0u; i < q.fill && is_used; i++)                                                  \
        array[4u * q.block + i] = q.open[i];

#if VKR_BYTES == 4
#define VKR_HAS_OUTPUT(output) ((VKR_OUTPUTS & (output)) != 0u)

bool vkr_fits(uint at, uint count, uint room)
{
    return at <= room && count <= room - at;
}

/* For this invocation's elements at these positions. Says whether queues serve it. */
bool vkr_open_queues(uint kept_at, uint kept, uint rejected_at, uint rejected)
{
    bool serve = true;
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT | VKR_TO_KEPT_INDICES))
        serve = serve && vkr_fits(kept_at, kept, push.kept_count);
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES))
        serve = serve && vkr_fits(rejected_at, rejected, push.rejected_count);
    uint kept_base = kept_at + vkr_low_half(push.kept_bases);
    uint kept_index_base = kept_at + vkr_high_half(push.kept_bases);
    uint rejected_base = rejected_at + vkr_low_half(push.rejected_bases);
    uint rejected_index_base = rejected_at + vkr_high_half(push.rejected_bases);
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT))
        serve = vkr_open_queue(vkr_kept_queue, kept_base, kept) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES))
        serve = vkr_open_queue(vkr_kept_index_queue, kept_index_base, kept) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED))
        serve = vkr_open_queue(vkr_rejected_queue, rejected_base, rejected) && serve;
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES))
        serve = vkr_open_queue(vkr_rejected_index_queue, rejected_index_base, rejected) && serve;
    return serve;
}

void vkr_queue_unit(uvec4 values, uint index, uint present, uint kept)
{
    uvec4 indices = index + uvec4(0u, 1u, 2u, 3u);
    uvec4 bits = uvec4(kept, kept >> 1, kept >> 2, kept >> 3) & 1u;
    uint n = bits.x + bits.y + bits.z + bits.w;
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT)) {
        vkr_push(vkr_kept_queue, vkr_pack_left(values, bits), n);
        vkr_kept_packs[vkr_kept_queue.target] = vkr_kept_queue.done;
    }
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES)) {
        vkr_push(vkr_kept_index_queue, vkr_pack_left(indices, bits), n);
        vkr_kept_index_packs[vkr_kept_index_queue.target] = vkr_kept_index_queue.done;
    }
    kept = present & ~kept;
    bits = uvec4(kept, kept >> 1, kept >> 2, kept >> 3) & 1u;
    n = bits.x + bits.y + bits.z + bits.w;
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED)) {
        vkr_push(vkr_rejected_queue, vkr_pack_left(values, bits), n);
        vkr_rejected_packs[vkr_rejected_queue.target] = vkr_rejected_queue.done;
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES)) {
        vkr_push(vkr_rejected_index_queue, vkr_pack_left(indices, bits), n);
        vkr_rejected_index_packs[vkr_rejected_index_queue.target] = vkr_rejected_index_queue.done;
    }
}

void vkr_close_queues(bool is_used)
{
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT)) {
        VKR_CLOSE_QUEUE(vkr_kept_queue, vkr_kept, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_KEPT_INDICES)) {
        VKR_CLOSE_QUEUE(vkr_kept_index_queue, vkr_kept_indices, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED)) {
        VKR_CLOSE_QUEUE(vkr_rejected_queue, vkr_rejected, is_used)
    }
    if (VKR_HAS_OUTPUT(VKR_TO_REJECTED_INDICES)) {
        VKR_CLOSE_QUEUE(vkr_rejected_index_queue, vkr_rejected_indices, is_used)
    }
}
#else
bool vkr_open_queues(uint kept_at, uint kept, uint rejected_at, uint rejected)
{
    return false;
}

void vkr_queue_unit(uvec4 values, uint index, uint present, uint kept)
{
}

void vkr_close_queues(bool is_used)
{
}
#endif

#endif
