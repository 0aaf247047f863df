/* SPDX-License-Identifier: MIT */
/*
 * Pieces of rows: the consecutive elements that an invocation of the kernel `neighbours` loads at a
 * time. A piece is a unit (load.glsl), unless the invocation keeps the states of fewer elements:
 * then it is these elements, which are loaded as whole packs or, if they do not fill these, as
 * words.
 */
#ifndef VKR_PIECE_GLSL
#define VKR_PIECE_GLSL

/* The elements of an invocation: of its short rows, or of a row of its columns, or of its block. */
#define VKR_LANE_ELEMENTS                                                                          \
    (VKR_SHAPE == VKR_SHAPE_ROWS ? VKR_NEIGHBOURS * VKR_LENGTH : VKR_NEIGHBOURS)
const uint VKR_PIECE =
    VKR_LANE_ELEMENTS < VKR_UNIT_ELEMENTS ? VKR_LANE_ELEMENTS : VKR_UNIT_ELEMENTS;
const uint VKR_PIECE_BYTES = VKR_PIECE * VKR_COMPONENTS * uint(VKR_BYTES);
const uint VKR_PIECE_WORDS = VKR_PIECE_BYTES / 4u;
const uint VKR_PIECE_PACKS = (VKR_PIECE_WORDS + 3u) / 4u; /* the last one may be incomplete */
const bool VKR_IS_UNIT = VKR_PIECE == VKR_UNIT_ELEMENTS;

/* The first `count` words of the pack that starts with word `at`. */
#define VKR_PACK_OF_WORDS(words, at, count)                                                        \
    uvec4(words[at], count > 1u ? words[at + 1u] : 0u, count > 2u ? words[at + 2u] : 0u,           \
          count > 3u ? words[at + 3u] : 0u)

/* Loads piece p of the dispatch. */
VkrUnit vkr_load_piece(const uint p)
{
    VkrUnit piece;
    if (VKR_IS_UNIT)
        return vkr_load_unit(p);
#if VKR_VECTOR
    const uint loads = VKR_PIECE_BYTES / VKR_LOAD_BYTES;
    if (VKR_PIECE_BYTES % VKR_LOAD_BYTES == 0u) {
        [[unroll]] for (uint i = 0u; i < loads; i++) {
            VKR_LOAD_INTO(piece.packs, i, vkr_loads, vkr_load_base + p * loads + i)
            if (VKR_HAS(VKR_BIT_DOT)) {
                VKR_LOAD2_INTO(piece.packs2, i, push.load2_base + p * loads + i)
            }
        }
    }
#endif
    if (VKR_PIECE_BYTES % VKR_LOAD_BYTES != 0u) {
        [[unroll]] for (uint i = 0u; i < VKR_PIECE_PACKS; i++) {
            const uint left = VKR_PIECE_WORDS - 4u * i;
            uint at = vkr_input_base * uint(VKR_BYTES) / 4u + p * VKR_PIECE_WORDS + 4u * i;
            piece.packs[i] = VKR_PACK_OF_WORDS(vkr_words, at, left);
            at = push.input2_base * uint(VKR_BYTES) / 4u + p * VKR_PIECE_WORDS + 4u * i;
            if (VKR_HAS(VKR_BIT_DOT))
                piece.packs2[i] = VKR_PACK_OF_WORDS(vkr_words2, at, left);
        }
    }
    if (VKR_MASKED)
        piece.kept = vkr_kept(p * VKR_PIECE, VKR_PIECE);
    return piece;
}

#endif
