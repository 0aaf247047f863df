/* SPDX-License-Identifier: MIT */
/* What stands between the library and the driver: group paths that are made wrong. */
#ifndef VKR_TESTS_SELFTEST_WRAP_H
#define VKR_TESTS_SELFTEST_WRAP_H

#include "../../src/plan/card.h"
#include "../../src/spirv/prune.h"
#include "harness.h"

#define MODULES 64u

/* The state of the functions that stand between the library and the driver. */
extern struct selftest_wrap {
    /* Bits 1 << VkrGroupPath: sums become products there, and other sets of operators lose one. */
    uint32_t wrong_group_paths;
    VkResult wait[2]; /* what the next waits return, after waiting all the same */
    uint32_t waits;
    uint32_t objects; /* that live: buffers and their views, memory, pools, fences */
    struct {
        VkShaderModule module;
        VkrGroupPath group_path;
    } modules[MODULES];
    uint32_t module_count;
    PFN_vkGetInstanceProcAddr instance;
    PFN_vkGetDeviceProcAddr device;
} wrap;

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_instance(VkInstance handle, const char *name);

#endif
