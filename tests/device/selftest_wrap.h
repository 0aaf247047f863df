/* SPDX-License-Identifier: MIT */
/* Functions between the library and the driver that make group paths give wrong results. */
#ifndef VKR_TESTS_SELFTEST_WRAP_H
#define VKR_TESTS_SELFTEST_WRAP_H

#include "../../src/core/specialize.h"
#include "../../src/core/unpack.h"
#include "../../src/plan/card.h"
#include "../../src/spirv/prune.h"
#include "harness.h"

#define MODULES 64u

/* What is made wrong about the kernels of a group path. */
typedef enum selftest_fault {
    SELFTEST_WRONG,       /* sums become products, and other sets of operators lose one */
    SELFTEST_NO_PIPELINE, /* the driver refuses their pipelines, */
    SELFTEST_NO_MODULE,   /* or already their modules */
    SELFTEST_FAULTS
} selftest_fault;

/* The state of these functions. */
extern struct selftest_wrap {
    uint32_t faulty[SELFTEST_FAULTS]; /* bits 1 << VkrGroupPath */
    const char *reversed;             /* kernels that order the other way: "sort", or NULL */
    const char *kernel;               /* the name of the one that is being compiled */
    VkResult wait[2];                 /* results of the next waits, which wait nevertheless */
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
