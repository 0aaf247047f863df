/* SPDX-License-Identifier: MIT */
/* Monoids of users: functions of a module that share a type of states. */
#ifndef VKR_MONOID_H
#define VKR_MONOID_H

#include "../spirv/layout.h"
#include "function.h"

/* The functions other than `load`, each with the weak function of monoid.comp that it replaces. */
enum { VKR_MONOID_COMBINE, VKR_MONOID_IDENTITY, VKR_MONOID_FINISH, VKR_MONOID_FUNCTIONS };

typedef struct vkr_monoid {
    struct vkr_monoid *next;
    vkr_function load;
    uint32_t words; /* of a state */
    uint32_t other_count;
    vkr_link_row others[VKR_MONOID_FUNCTIONS];
    vkr_hook_type result; /* what finish returns; VKR_HOOK_STATE without it */
} vkr_monoid;

/* Finds the functions of a monoid, which the module keeps. On failure returns NULL and writes the
 * member that is wrong to *member, and a sentence of at most VKR_HOOK_SENTENCE bytes about it;
 * without a sentence, host memory ran out. */
const vkr_monoid *vkr_monoid_of(const VkrMonoid *monoid, const char **member, char *sentence);

void vkr_free_monoids(VkrModule module);

#endif
