/* SPDX-License-Identifier: MIT */
/*
 * The operators and the parts of the state of a reduction, for C and for GLSL. The other files of
 * this folder define how a part starts, adds an element and is combined, and how an operator's
 * result follows from its parts.
 */
#ifndef VKR_OPERATORS_LIST_H
#define VKR_OPERATORS_LIST_H

/* Name, number, and contents in partial results: keys, which have the words of an element; indices;
 * sums, which have those of an accumulator; and squares of integers. */
#define VKR_PARTS(PART)                                                                            \
    PART(LEAST, 0, 1, 0, 0, 0)                                                                     \
    PART(GREATEST, 1, 1, 0, 0, 0)                                                                  \
    PART(ABSMAX, 2, 1, 0, 0, 0)                                                                    \
    PART(ARGMIN, 3, 1, 1, 0, 0)                                                                    \
    PART(ARGMAX, 4, 1, 1, 0, 0)                                                                    \
    PART(SUM, 5, 0, 0, 1, 0)                                                                       \
    PART(PRODUCT, 6, 0, 0, 1, 0)                                                                   \
    PART(SUMSQ, 7, 0, 0, 1, 0)                                                                     \
    PART(L1, 8, 0, 0, 1, 0)                                                                        \
    PART(DOT, 9, 0, 0, 1, 0)                                                                       \
    PART(ALL, 10, 1, 0, 0, 0)                                                                      \
    PART(ANY, 11, 1, 0, 0, 0)                                                                      \
    PART(PARITY, 12, 1, 0, 0, 0)                                                                   \
    PART(NAN, 13, 0, 1, 0, 0)                                                                      \
    PART(TOTAL, 14, 1, 1, 0, 0)                                                                    \
    PART(SQUARES, 15, 0, 1, 0, 1)                                                                  \
    PART(SPREAD, 16, 0, 1, 5, 0)                                                                   \
    PART(SEEN, 17, 0, 1, 0, 0)   /* the number of elements, if it depends on a mask */             \
    PART(SCALED, 18, 0, 0, 2, 0) /* of sums of squares, which contain it */                        \
    PART(SCALE, 19, 0, 0, 1, 0)  /* of spreads, which contain it */                                \
    PART(EXPS, 20, 0, 0, 2, 0)

/* Name, bit, parts for floats, parts for integers; in the order of the bits. Each row is OP(with,
 * ..), so the code that expands the rows can pass an argument of its own. */
#define VKR_OPERATORS(OP, with)                                                                    \
    OP(with, MIN, 0, VKR_PART_LEAST | VKR_PART_SEEN, VKR_PART_LEAST | VKR_PART_SEEN)               \
    OP(with, MAX, 1, VKR_PART_GREATEST | VKR_PART_SEEN, VKR_PART_GREATEST | VKR_PART_SEEN)         \
    OP(with, SUM, 2, VKR_PART_SUM, VKR_PART_SUM)                                                   \
    OP(with, PRODUCT, 3, VKR_PART_PRODUCT, VKR_PART_PRODUCT)                                       \
    OP(with, MEAN, 4, VKR_PART_SUM | VKR_PART_SEEN, VKR_PART_TOTAL | VKR_PART_SEEN)                \
    OP(with, SUMSQ, 5, VKR_PART_SUMSQ, VKR_PART_SUMSQ)                                             \
    OP(with, L1, 6, VKR_PART_L1, VKR_PART_L1)                                                      \
    OP(with, L2, 7, VKR_PART_SUMSQ | VKR_PART_SCALED, VKR_PART_SQUARES)                            \
    OP(with, ABSMAX, 8, VKR_PART_ABSMAX | VKR_PART_SEEN, VKR_PART_ABSMAX | VKR_PART_SEEN)          \
    OP(with, ARGMIN, 9, VKR_PART_ARGMIN, VKR_PART_ARGMIN)                                          \
    OP(with, ARGMAX, 10, VKR_PART_ARGMAX, VKR_PART_ARGMAX)                                         \
    OP(with, AND, 11, 0, VKR_PART_ALL)                                                             \
    OP(with, OR, 12, 0, VKR_PART_ANY)                                                              \
    OP(with, XOR, 13, 0, VKR_PART_PARITY)                                                          \
    OP(with, COUNT, 14, VKR_PART_SEEN, VKR_PART_SEEN)                                              \
    OP(with, NAN, 15, VKR_PART_NAN, 0)                                                             \
    OP(with, DOT, 16, VKR_PART_DOT, VKR_PART_DOT)                                                  \
    OP(with, VARIANCE, 17, VKR_PART_SPREAD | VKR_PART_SCALE,                                       \
       VKR_PART_TOTAL | VKR_PART_SQUARES | VKR_PART_SEEN)                                          \
    OP(with, STDDEV, 18, VKR_PART_SPREAD | VKR_PART_SCALE,                                         \
       VKR_PART_TOTAL | VKR_PART_SQUARES | VKR_PART_SEEN)                                          \
    OP(with, LOGSUMEXP, 19, VKR_PART_EXPS, 0)

#ifdef VKR_GLSL
#define VKR_PART_BIT(name, number, keys, indices, sums, squares)                                   \
    const uint VKR_PART_##name = 1u << (number);
#define VKR_OPERATOR_BIT(with, name, bit, floats, integers) const uint VKR_BIT_##name = 1u << (bit);
VKR_PARTS(VKR_PART_BIT)
VKR_OPERATORS(VKR_OPERATOR_BIT, 0)
#else
#define VKR_PART_BIT(name, number, keys, indices, sums, squares) VKR_PART_##name = 1 << (number),
#define VKR_OPERATOR_BIT(with, name, bit, floats, integers) VKR_BIT_##name = 1 << (bit),
enum vkr_part_bit { VKR_PARTS(VKR_PART_BIT) };
enum vkr_operator_bit { VKR_OPERATORS(VKR_OPERATOR_BIT, 0) };
#endif

#endif
