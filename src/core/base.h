/* SPDX-License-Identifier: MIT */
/* What every file includes: Vulkan without prototypes, so that no file calls a global Vulkan
 * function, and the public header. */
#ifndef VKR_BASE_H
#define VKR_BASE_H

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#include "vkreduce/vkreduce.h"

#define VKR_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A struct by which words are accessed that an array holds: a compiler must not assume that such
 * accesses leave the words as they are. */
#ifdef __GNUC__
#define VKR_MAY_ALIAS __attribute__((may_alias))
#else
#define VKR_MAY_ALIAS
#endif

#endif
