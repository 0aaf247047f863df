/* SPDX-License-Identifier: MIT */
/* Functions between the library and the driver that make group paths give wrong results. */
#ifndef VKR_TESTS_SELFTEST_WRAP_H
#define VKR_TESTS_SELFTEST_WRAP_H

#include "../../src/plan/card.h"
#include "../../src/spirv/prune.h"
#include "harness.h"

#define MODULES 64u

/* The state of these functions. */
extern struct selftest_wrap {
    /* Bits 1 << VkrGroupPath: on these paths sums become products, and other sets of operators lose
     * one. */
    uint32_t wrong_group_paths;
    uint32_t refused_group_paths; /* bits too: their pipelines do not compile */
    VkResult wait[2];             /* results of the next waits, which wait nevertheless */
    uint32_t waits;
    uint32_t objects; /* number of live ones: buffers and their views, memory, pools, fences */
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
