/* SPDX-License-Identifier: MIT */
/* A context for each test of the self-test. */
#ifndef VKR_TESTS_SELFTEST_RUN_H
#define VKR_TESTS_SELFTEST_RUN_H

#include "selftest_wrap.h"

extern harness device;
extern VkrContext context;

/* The messages of the library since the context was opened: their number, and the first ones. The
 * device has the last one. */
extern uint32_t messages;
extern char message_texts[4][512];

/* Set-up and tear-down. The latter fails if objects are left. */
int open_context(void **state);
int close_context(void **state);

VkrResult self_test(VkrSelfTestReport *report);
VkrGroupPath group_path_in_use(void);

/* The best group path that the device supports. */
VkrGroupPath best_group_path(void);

/* Returns the sum of 0, 1, .. at a stride in bytes, from its own recording, and stores the expected
 * sum in *right. */
uint32_t sum(VkDeviceSize stride, uint32_t *right);

#endif
