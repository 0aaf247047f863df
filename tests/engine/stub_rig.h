/* SPDX-License-Identifier: MIT */
/*
 * Recordings of the engine on a stub of Vulkan. It has devices that no driver here is, and executes
 * nothing: what recorders have collected is checked instead. Requests are placed as on a device,
 * but in memory that does not exist.
 */
#ifndef VKR_TESTS_STUB_RIG_H
#define VKR_TESTS_STUB_RIG_H

#include "engine.h"

#define TEST_STUBS 6u

/* Opens the rig on such a device, which a number below TEST_STUBS chooses. */
void test_open_stub(uint32_t number);
void test_close_stub(void);

#endif
