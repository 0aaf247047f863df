/* SPDX-License-Identifier: MIT */
/*
 * Sliding windows at level device. Their sums are those of the nodes of a binary tree over the
 * indices of all elements (reduce.h), of which a window has some as a whole, and two chains of
 * nodes that it has in part. VKR_NEIGHBOURS is a power of two, so a block of elements is a node. An
 * invocation reduces the windows that start in one block: the part of each window in that block,
 * and its part in the block where it ends. Then, level by level, it adds the whole nodes between
 * both blocks, which VKR_SHAPE_NODES has stored, to either part, until the two parts are all of the
 * window.
 */
#ifndef VKR_NODES_GLSL
#define VKR_NODES_GLSL

/* The first part of each window is in vkr_values. Every index of these is a constant. */
VkrStates vkr_ends[VKR_NEIGHBOURS];  /* the last part of each window */
VkrStates vkr_block[VKR_NEIGHBOURS]; /* the prefixes of a block */
#define VKR_EACH_ITEM(k) [[unroll]] for (uint k = 0u; k < VKR_NEIGHBOURS; k++)

/* Expands LEVEL(n) for each level of a block, whose nodes have n items each. */
#define VKR_EACH_LEVEL(LEVEL)                                                                      \
    if (VKR_NEIGHBOURS > 1u) {                                                                     \
        LEVEL(1u)                                                                                  \
    }                                                                                              \
    if (VKR_NEIGHBOURS > 2u) {                                                                     \
        LEVEL(2u)                                                                                  \
    }                                                                                              \
    if (VKR_NEIGHBOURS > 4u) {                                                                     \
        LEVEL(4u)                                                                                  \
    }                                                                                              \
    if (VKR_NEIGHBOURS > 8u) {                                                                     \
        LEVEL(8u)                                                                                  \
    }

/* Items become the sums from each to the end of its node, of twice the size at each level: those in
 * a node's first half join the second half. */
#define VKR_ADD_AFTER(size)                                                                        \
    VKR_EACH_ITEM(k)                                                                               \
        if ((k & size) == 0u)                                                                      \
            vkr_values[k] = vkr_combine(                                                           \
                vkr_values[k], vkr_values[min((k / size + 1u) * size, VKR_NEIGHBOURS - 1u)]);

/* The same for the sums from the start of a node to each item. */
#define VKR_ADD_BEFORE(size)                                                                       \
    VKR_EACH_ITEM(k)                                                                               \
        if ((k & size) != 0u)                                                                      \
            vkr_block[k] = vkr_combine(vkr_block[max(k / size * size, 1u) - 1u], vkr_block[k]);

VkrStates vkr_load_node(const uint at)
{
    VkrStates s = vkr_identities();
    VKR_EACH(c)
        vkr_replace_state(s, VKR_AT(c), vkr_load_partial(at + VKR_PLACE(c) * VKR_STATE_WORDS));
    return s;
}

#define VKR_NODE_WORDS (VKR_STATE_WORDS * VKR_ALL_COMPONENTS)

/* ---- Nodes ---- */

/* The nodes of a level that are stored: the index of the first one among all nodes of the level,
 * that of the last one, and where the first one lies, in words. */
struct VkrNodes {
    uint first;
    uint last;
    uint base;
};

VkrNodes vkr_next_level(const VkrNodes level)
{
    uint count = level.last - level.first + 1u;
    return VkrNodes(level.first >> 1, level.last >> 1, level.base + count * VKR_NODE_WORDS);
}

/* Stores the nodes of 2 `size` items, which are those of `stored`, of the items from `first`. */
#define VKR_STORE_NODES(size)                                                                      \
    VKR_EACH_ITEM(k)                                                                               \
        if (k % (2u * size) == 0u && first + k / (2u * size) >= stored.first &&                    \
            first + k / (2u * size) <= stored.last)                                                \
            vkr_store_partial(stored.base + (first + k / (2u * size) - stored.first) *             \
                                                VKR_NODE_WORDS,                                    \
                              vkr_values[k]);

#define VKR_NEXT_NODES(size)                                                                       \
    VKR_ADD_AFTER(size)                                                                            \
    if (VKR_INPUT == VKR_INPUT_PARTIALS) {                                                         \
        first >>= 1;                                                                               \
        VKR_STORE_NODES(size)                                                                      \
        stored = vkr_next_level(stored);                                                           \
    }

/* Reduces block n of the dispatch: of elements, to one node; or of nodes, to those of the next
 * levels. A node that has items outside of the dispatch gets a wrong value, which nothing reads:
 * no window has all of it. */
void vkr_reduce_nodes(const uint n)
{
    VkrUnit units[VKR_PIECES_OF_BLOCK];
    uint at = n * VKR_NEIGHBOURS;
    if (at >= vkr_ids)
        return;
    VkrNodes items = VkrNodes(uniforms.part_length, uniforms.part_length + uniforms.all_parts - 1u,
                              push.partials_base);
    VkrNodes stored = VkrNodes(items.first >> 1, items.last >> 1, vkr_stored_base);
    uint first = items.first / VKR_NEIGHBOURS * VKR_NEIGHBOURS + at;
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF_BLOCK && VKR_BY_UNIT; u++)
        units[u] = vkr_load_piece(at / VKR_PIECE + u);
    VKR_EACH_ITEM(k) {
        uint i = clamp(first + k, items.first, items.last) - items.first;
        vkr_values[k] = vkr_identities();
        if (VKR_INPUT == VKR_INPUT_PARTIALS)
            vkr_values[k] = vkr_load_node(items.base + i * VKR_NODE_WORDS);
        else
            vkr_take_item(vkr_values[k], units[k / VKR_PIECE], k, at + k);
    }
    VKR_EACH_LEVEL(VKR_NEXT_NODES)
    if (VKR_INPUT == VKR_INPUT_ELEMENTS)
        vkr_store_partial(vkr_stored_base + n * VKR_NODE_WORDS, vkr_values[0]);
}

/* ---- Windows ---- */

/* The windows of an invocation that end in the first of two blocks, and those that end in the
 * second one. */
#define VKR_EACH_IN_FIRST(i) VKR_EACH_ITEM(i) if (VKR_LENGTH + i < VKR_NEIGHBOURS)
#define VKR_EACH_IN_SECOND(i) VKR_EACH_ITEM(i) if (VKR_LENGTH + i >= VKR_NEIGHBOURS)

/* Computes the prefixes of the block whose elements start `skipped` elements into the tail, of
 * those elements that are in any window, and takes the last parts of windows from them. */
#define VKR_TAKE_ENDS(skipped, EACH)                                                               \
    VKR_EACH_ITEM(k) {                                                                             \
        vkr_block[k] = vkr_identities();                                                           \
        uint i = skipped + k;                                                                      \
        uint unit = min(i / VKR_PIECE, VKR_PIECES_OF(VKR_TAIL) - 1u);                              \
        if (i < VKR_TAIL)                                                                          \
            vkr_take_item(vkr_block[k], tail[unit], i, behind + i);                                \
    }                                                                                              \
    VKR_EACH_LEVEL(VKR_ADD_BEFORE)                                                                 \
    EACH(i) {                                                                                      \
        uint count = (VKR_LENGTH + i) % VKR_NEIGHBOURS;                                            \
        vkr_ends[i] = vkr_block[max(count, 1u) - 1u];                                              \
        if (count == 0u)                                                                           \
            vkr_ends[i] = vkr_identities();                                                        \
    }

/* Adds whole nodes to both parts of windows, which start in block `start` and end in block `end` of
 * all blocks. */
void vkr_add_nodes(uint start, uint end)
{
    VkrNodes nodes = VkrNodes(uniforms.part_length, uniforms.part_length + uniforms.all_parts - 1u,
                              push.partials_base);
    uint second = end + 1u;
    for (uint level = 0u; level < push.parts; level++) {
        /* Once both parts are halves of one node, nothing is between them. */
        bool in_first = (start ^ end) > 1u, in_second = (start ^ second) > 1u;
        [[dont_flatten]] if ((start & 1u) == 0u && (in_first || in_second)) {
            VkrStates node = vkr_load_node(nodes.base + (start + 1u - nodes.first) *
                                                            VKR_NODE_WORDS);
            if (in_first)
                VKR_EACH_IN_FIRST(i)
                    vkr_values[i] = vkr_combine(vkr_values[i], node);
            if (in_second)
                VKR_EACH_IN_SECOND(i)
                    vkr_values[i] = vkr_combine(vkr_values[i], node);
        }
        [[dont_flatten]] if ((end & 1u) != 0u && in_first) {
            VkrStates node = vkr_load_node(nodes.base + (end - 1u - nodes.first) * VKR_NODE_WORDS);
            VKR_EACH_IN_FIRST(i)
                vkr_ends[i] = vkr_combine(node, vkr_ends[i]);
        }
        [[dont_flatten]] if ((second & 1u) != 0u && in_second) {
            VkrStates node =
                vkr_load_node(nodes.base + (second - 1u - nodes.first) * VKR_NODE_WORDS);
            VKR_EACH_IN_SECOND(i)
                vkr_ends[i] = vkr_combine(node, vkr_ends[i]);
        }
        start >>= 1;
        end >>= 1;
        second >>= 1;
        nodes = vkr_next_level(nodes);
    }
}

/* Reduces the windows that start in block n of the dispatch. */
void vkr_reduce_windows_by_nodes(const uint n)
{
    VkrUnit units[VKR_PIECES_OF_BLOCK];
    VkrUnit tail[VKR_PIECES_OF(VKR_TAIL)];
    uint at = n * VKR_NEIGHBOURS;
    if (at >= vkr_ids)
        return;
    uint behind = at + vkr_segment_length - VKR_LENGTH;
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF_BLOCK && VKR_BY_UNIT; u++)
        units[u] = vkr_load_piece(at / VKR_PIECE + u);
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF(VKR_TAIL) && VKR_BY_UNIT; u++)
        tail[u] = vkr_load_piece(behind / VKR_PIECE + u);
    VKR_EACH_ITEM(k) {
        vkr_values[k] = vkr_identities();
        vkr_take_item(vkr_values[k], units[k / VKR_PIECE], k, at + k);
    }
    VKR_EACH_LEVEL(VKR_ADD_AFTER)
    VKR_TAKE_ENDS(0u, VKR_EACH_IN_FIRST)
    VKR_TAKE_ENDS(VKR_NEIGHBOURS, VKR_EACH_IN_SECOND)
    uint start = uniforms.part_length + push.first_part + n;
    vkr_add_nodes(start, start + vkr_segment_length / VKR_NEIGHBOURS);
    VKR_EACH_ITEM(i)
        vkr_values[i] = vkr_combine(vkr_values[i], vkr_ends[i]);
    vkr_store_windows(at);
}

#endif
