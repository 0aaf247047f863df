/* SPDX-License-Identifier: MIT */
/* One reduction of mapped elements, of which a mask keeps some. */
#ifndef VKR_TESTS_MAPS_RUN_H
#define VKR_TESTS_MAPS_RUN_H

#include "maps_cases.h"
#include "oracle_map.h"

#define LEAD 24u /* bytes before a buffer's elements, so that loads are not aligned at the start */
#define ARGS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)

typedef struct map_run {
    const map_case *c;
    test_image image, mask_image;
    VkrImage part;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    uint64_t elements, count;
    bool *keeps;  /* one per element */
    char *mapped; /* mapped elements, one after the other */
} map_run;

VkrType maps_type_of(const map_case *c);
VkDeviceSize maps_stride_of(const map_case *c);
VkrType maps_seen_type(const map_case *c);
uint32_t maps_seen_components(const map_case *c);
size_t maps_seen_size(const map_case *c);
void maps_check_segments(map_run *r);

extern reduce_test test;
extern harness_buffer texels, mask_texels, values, kept, outputs, counts, offsets;

#endif
