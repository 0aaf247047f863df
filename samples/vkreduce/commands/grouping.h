/* SPDX-License-Identifier: MIT */
/* --by: a sort brings the elements of each key together, in the same recording as the operation
 * that then reads them. Elements of a key keep their order. */
#ifndef RUNNER_GROUPING_H
#define RUNNER_GROUPING_H

#include "device/gpu.h"
#include "device/task.h"
#include "input/segments.h"

#define GROUPING_INPUTS 2u

/* Buffers of what the sort writes. */
typedef struct grouping {
    uint64_t count; /* elements */
    uint32_t input_count;
    bool by_value;
    uint32_t sizes[GROUPING_INPUTS]; /* of an element, in bytes */
    VkrHostMemory keys, indices, moved[GROUPING_INPUTS];
} grouping;

/* Replaces an input whose elements do not follow each other without gaps by a copy whose do. */
int grouping_pack(input *in);

/* Describes what is sorted: elements of inputs, which must be packed. */
void grouping_add(grouping *g, const input *in);

/* Checks that the device can move the elements. `text` is the file of --by. */
int grouping_check(const grouping *g, const task *t, const char *text);

/* The bytes of all buffers of the sort. */
uint64_t grouping_bytes(const grouping *g, const segments *s);

/* Creates the buffers; the indices may be read back. */
int grouping_create(grouping *g, const task *t, const segments *s);
void grouping_close(grouping *g, const task *t);

/* Collects the sort of keys and of the elements in `sources`. */
VkrResult grouping_sort(const grouping *g, VkrRecorder recorder, VkrView keys,
                        const VkBuffer *sources, VkrGpuCount gpu_count);

/* Collects the way back: entry i of the source, which belongs to element i of those that the sort
 * has brought together, goes where that element is in the input. */
VkrResult grouping_return(const grouping *g, VkrRecorder recorder, VkBuffer source, VkBuffer target,
                          uint32_t size, VkrGpuCount gpu_count);

/* ---- grouping_reference.c: --verify ---- */

/* The groups that the scalar reference finds. Group i has elements offsets[i] to offsets[i + 1] - 1
 * of those that `order` lists, each by its index in the input; NULL: of the input itself. */
typedef struct found_groups {
    uint64_t count;
    uint64_t *offsets;
    uint32_t *order;
} found_groups;

/* found_groups_free may follow a failed groups_find. */
int groups_find(const segments *s, uint64_t count, found_groups *found);
void found_groups_free(found_groups *found);

/* Loads all elements of an input in that order, as input_load does. */
int groups_load(const found_groups *found, const input *in, void *data);

/* Makes an input of them, which input_close closes, even after a failure. */
int groups_move(const found_groups *found, const input *in, input *moved);

#endif
