/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of maps. */
#ifndef VKR_TESTS_ORACLE_MAP_H
#define VKR_TESTS_ORACLE_MAP_H

#include <stdint.h>
#include "vkreduce/vkreduce.h"

/* The bits of the mapped value of an element. */
uint32_t oracle_map(const VkrMap *map, VkrType type, uint32_t components, const void *element);

#endif
