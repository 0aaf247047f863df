/* SPDX-License-Identifier: MIT */
/* Monoids of users, which function.h describes. */
#ifndef VKR_MONOID_H
#define VKR_MONOID_H

#include "function.h"

/* Finds the functions of a monoid, which the module keeps. On failure returns NULL and writes the
 * member that is wrong to *member, and a sentence of at most VKR_HOOK_SENTENCE bytes about it;
 * without a sentence, host memory ran out. */
const vkr_monoid *vkr_monoid_of(const VkrMonoid *monoid, const char **member, char *sentence);

#endif
