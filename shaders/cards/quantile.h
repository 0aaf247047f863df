/* SPDX-License-Identifier: MIT */
/* The card of quantile.comp. A workgroup handles the counts of one component. */
#define VKR_CARD(name) vkr_quantile_##name
#define VKR_NAME(name) VKR_QUANTILE_##name

#define VKR_QUANTILE_SHARES 16 /* max shares of a dispatch */

BEGIN_CONSTANTS
WORKGROUP(256)
CONSTANT(FLAGS, 1, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
FLAG(COUNTS64, 0)
FLAG(EDGES64, 1)
FLAG(TRIMS, 2)   /* writes a trimmed mean */
FLAG(ADDS_UP, 3) /* writes sums of counts */
END_FLAGS

BEGIN_PUSH
PUSH(bins)
PUSH(shares) /* of this dispatch */
PUSH(ones)   /* bit s is set if share s is 1 */
PUSH(counts_base)
PUSH(edges_base)
PUSH(values_base)   /* of this dispatch's first share */
PUSH(values_stride) /* words from a component's values to those of the next */
PUSH(means_base)
PUSH(sums_base)
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
END_PUSH

/* Shares are in units of 2^-32, and a share of 1 is 0 with its bit of `ones` set. The shares of a
 * dispatch are followed by the two of the trimmed mean. */
BEGIN_UNIFORMS
UNIFORM4(shares0)
UNIFORM4(shares1)
UNIFORM4(shares2)
UNIFORM4(shares3)
UNIFORM4(trim) /* two of four are used */
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(COUNTS, 0, ALL, uint, vkr_counts)
BUFFER(EDGES, 1, ALL, uint, vkr_edges)
BUFFER(VALUES, 2, ALL, uint, vkr_values)
BUFFER(MEANS, 3, ALL, uint, vkr_means)
BUFFER(SUMS, 4, ALL, uint, vkr_sums)
UNIFORM_BLOCK(ALL, vkr_quantile_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_QUANTILE_SLOT_COUNTS, COUNTS, READ, ITEMS, AT(counts_base), 0)
SLOT(VKR_QUANTILE_SLOT_EDGES, EDGES, READ, ITEMS, AT(edges_base), 0)
SLOT(VKR_QUANTILE_SLOT_VALUES, VALUES, WRITE, ITEMS, AT(values_base), 0)
SLOT(VKR_QUANTILE_SLOT_MEANS, MEANS, WRITE, ITEMS, AT(means_base), 0)
SLOT(VKR_QUANTILE_SLOT_SUMS, SUMS, WRITE, ITEMS, AT(sums_base), 0)
END_SLOTS

KERNEL(QUANTILE, 0, vkr_quantile_card, ALL_CONSTANTS, 0)
#include "end.h"
