/* SPDX-License-Identifier: MIT */
/* Sets of names, as messages print them. */
#ifndef VKR_NAMES_H
#define VKR_NAMES_H

#include "../core/base.h"

/* The longest set: every operator, and the bits that have no name. */
typedef struct vkr_names {
    char text[256];
} vkr_names;

/* The names of the operators in a set, like "min | argmin". Bits that are no operator are printed
 * as one hexadecimal number at the end, and the empty set is "0". */
vkr_names vkr_op_names(VkrOpFlags ops);

#endif
