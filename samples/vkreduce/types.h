/* SPDX-License-Identifier: MIT */
/* The library's types. volk, which declares Vulkan's functions as pointers, must come before any
 * other header of Vulkan. */
#ifndef RUNNER_TYPES_H
#define RUNNER_TYPES_H

#include <volk.h>
#include "vkreduce/vkreduce.h"

#endif
