/* SPDX-License-Identifier: MIT */
/* Sets of operators, as messages print them. */
#ifndef VKR_NAMES_H
#define VKR_NAMES_H

#include "../core/flags.h"

/* The names of the operators in a set, like "min | argmin". Bits that are no operator are printed
 * as one hexadecimal number at the end, and the empty set is "0". */
vkr_names vkr_op_names(VkrOpFlags ops);

#endif
