/* SPDX-License-Identifier: MIT */
/* The self-test. */
#ifndef VKR_SELFTEST_H
#define VKR_SELFTEST_H

#include "../core/context.h"

void vkr_destroy_self_test(VkrContext context, struct vkr_self_test *test);

#endif
