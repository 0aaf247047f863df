/* SPDX-License-Identifier: MIT */
/* Copies what a list of indices refers to, as sorts and selections leave it. */
#ifndef VKR_PICK_H
#define VKR_PICK_H

#include "rows.h"

typedef struct vkr_picking {
    const vkr_walk *walk;         /* the call and the number of elements, below 2^32 */
    const VkrGpuCount *gpu_count; /* or NULL */
    uint32_t workgroup_size;
    /* Rows of `length` elements, which start `row_pitch` elements apart; the last one may be
     * shorter. Each has `wanted` entries in the list, or as many as it has elements, and `pitch`
     * entries in the target. */
    uint64_t length, row_pitch, wanted, pitch;
    uint64_t entries; /* of all rows in the list */
    vkr_place list;   /* indices, which count from the start of their row; a null buffer: each entry
                       * keeps its position */
    const char *source_name, *name; /* of the source and of the target, for messages */
    vkr_view source;                /* a null buffer: the indices are stored */
    /* Elements of the source, where the walk counts entries of one row, which is the list; 0: the
     * walk's. */
    uint64_t sources;
    uint64_t first_source; /* the index of the source's first entry; the source has no others */
    vkr_view target;
    vkr_place spans; /* of the rows, which are segments between offsets (cards/span.h); or none */
    /* If not 0, the entries are one row of the list, in as many columns, of which an index is that
     * of a row; `row_pitch` elements lie from one column to the next, and `apart` from one row. */
    uint64_t columns, apart;
    bool padded;  /* entries that do not exist are stored as `pad` */
    uint64_t pad; /* the bits of an element of at most 8 bytes */
} vkr_picking;

/* Adds the steps. */
VkrResult vkr_plan_picking(VkrRecorder recorder, const vkr_picking *picking);

#endif
