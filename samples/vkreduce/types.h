/* SPDX-License-Identifier: MIT */
/* The library's types. volk, which declares Vulkan's functions as pointers, must be included before
 * any other Vulkan header. */
#ifndef RUNNER_TYPES_H
#define RUNNER_TYPES_H

#include <volk.h>
#include "vkreduce/vkreduce.h"

#endif
