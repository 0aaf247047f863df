/* SPDX-License-Identifier: MIT */
/* Sets of flags, as messages print them: by name. */
#ifndef VKR_FLAGS_H
#define VKR_FLAGS_H

#include "base.h"

/* The names of a set: "A | B". A sentence has room for one of them. */
typedef struct vkr_names {
    char text[768];
} vkr_names;

/* Types of flags. */
typedef enum vkr_flag_type {
    VKR_FLAGS_OF_CONTEXT,
    VKR_FLAGS_OF_FEATURES,
    VKR_FLAGS_OF_END,
    VKR_FLAGS_OF_REDUCE,
    VKR_FLAGS_OF_SCAN,
    VKR_FLAGS_OF_COMPACT,
    VKR_FLAGS_OF_HISTOGRAM,
    VKR_FLAGS_OF_SORT,
    VKR_FLAGS_OF_TOP_K,
    VKR_FLAGS_OF_SELECT,
    VKR_FLAGS_OF_BOUNDS,
    VKR_FLAGS_OF_MERGE,
    VKR_FLAGS_OF_ACCESS,
    VKR_FLAGS_OF_ASPECT,
    VKR_FLAGS_OF_MEMORY,
    VKR_FLAG_TYPE_COUNT
} vkr_flag_type;

/* The name of the enumeration that declares the flags, like "VkrSortFlagBits", and all of those
 * that have a name. */
const char *vkr_flag_type_name(vkr_flag_type type);
uint32_t vkr_known_flags(vkr_flag_type type);

/* The names of flags, like "VKR_SORT_DESCENDING_BIT | VKR_SORT_NAN_FIRST_BIT". Bits that have no
 * name are one hexadecimal number at the end, and the empty set is "0". */
vkr_names vkr_flag_names(vkr_flag_type type, uint32_t flags);

/* ---- For sets whose names are in other tables ---- */

/* Appends the name of a bit of `*left`, and takes the bit away. A bit whose name does not fit stays
 * there. */
void vkr_name_bit(vkr_names *names, uint32_t *left, uint32_t bit, const char *name);

/* Appends the bits that are left, as a number. */
void vkr_name_rest(vkr_names *names, uint32_t left);

#endif
