/* SPDX-License-Identifier: MIT */
/* Columns that become rows, for operations whose kernels need the elements of a segment beside each
 * other, and rows that become columns again. */
#ifndef VKR_TRANSPOSE_H
#define VKR_TRANSPOSE_H

#include "pass.h"

typedef struct vkr_transposition {
    const char *call;
    /* Of the source, which has fewer than 2^32 elements of one component. */
    uint64_t rows, columns;
    const VkrGpuCount *gpu_count; /* of elements where segments are columns */
    bool to_columns; /* rows become columns; otherwise columns become rows, and elements that do not
                      * exist become `pad` */
    uint64_t pad;    /* the bits of an element */
    const char *source_name, *name; /* of the source and of the target, for messages */
    vkr_view source, target;
} vkr_transposition;

/* Adds the steps. */
VkrResult vkr_plan_transposition(VkrRecorder recorder, const vkr_transposition *transposition);

#endif
