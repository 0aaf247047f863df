/* SPDX-License-Identifier: MIT */
/* What makes numbers of 32 bits of the words of an element that a user's function takes. */
#ifndef VKR_CARD_WIDEN_H
#define VKR_CARD_WIDEN_H

#define VKR_WIDEN_NONE 0u
#define VKR_WIDEN_HALF 1u
#define VKR_WIDEN_BFLOAT 2u
#define VKR_WIDEN_I8 24u /* the number of bits before the sign */
#define VKR_WIDEN_I16 16u

#endif
