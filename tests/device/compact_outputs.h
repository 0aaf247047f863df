/* SPDX-License-Identifier: MIT */
/* Chooses the locations of the inputs and outputs of a compaction. */
#ifndef VKR_TESTS_COMPACT_OUTPUTS_H
#define VKR_TESTS_COMPACT_OUTPUTS_H

#include "compact_case.h"

VkDeviceSize compact_place_anywhere(row_run *r, const char *name, int buffer, uint32_t unit,
                                    VkDeviceSize size);
VkDeviceSize compact_choose_stride(row_run *r, bool strided, uint32_t unit, uint32_t entry);
void compact_place_views(row_run *r, compact_case *c, uint32_t mode);
void compact_place_payload(row_run *r, compact_case *c, int bytes, uint32_t mode);

#endif
