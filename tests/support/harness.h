/* SPDX-License-Identifier: MIT */
/*
 * A device for tests, opened the way an application would: with volk, and with what
 * vkrGetDeviceRequirements asks for. Environment:
 *
 *     VKR_TEST_DEVICE           part of a device's name, where several are enumerated
 *     VKR_TEST_VALIDATION=1     load the validation layer and count its messages
 *     VKR_TEST_TAKE             load the layer of a minimum-spec device (minspec/minspec.h)
 *     VKR_TEST_ALLOW_NO_DEVICE=1  no device: skipped, not failed
 *     VKR_TEST_FULL=1           longer sweeps
 *     VKR_TEST_AS_BUILT=1       drivers get modules as they were built (VkrTestHooks)
 *     VKR_TEST_FILTER=pattern   run the tests whose names match it (cmocka's * and ?)
 *
 * Failures print a "# ..." line and return false.
 */
#ifndef VKR_TESTS_HARNESS_H
#define VKR_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <volk.h>
#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.h"

/* The exit status that Meson reads as a skipped test. */
#define HARNESS_SKIP 77

struct CMUnitTest; /* <cmocka.h> */

typedef struct harness {
    uint32_t api_version;
    PFN_vkGetInstanceProcAddr loader;    /* of contexts; a test may substitute its own function */
    VkrForwardProgress forward_progress; /* of contexts */
    VkrTestHooks hooks;                  /* of contexts */
    bool wants_int16;                    /* enables shaderInt16, where the device has it */
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    VkrDeviceRequirements requirements;
    VkDevice device;
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkDebugUtilsMessengerEXT messenger; /* null without validation */
    uint32_t validation_messages;       /* warnings and errors so far */
    VkrResult result;                   /* result and sentence of the library's last message */
    char sentence[512];
} harness;

/* Host-visible, host-coherent memory that stays mapped. */
typedef struct harness_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size;
    void *data;
} harness_buffer;

/* Opens and prints the device. Returns 0 on success, otherwise the program's exit status:
 * HARNESS_SKIP or 1. */
int harness_open(harness *h);
void harness_close(harness *h);

/* Opens the device, runs the tests as one group with set_up before and tear_down after it (either
 * may be NULL), and closes the device. Returns the program's exit status. */
int harness_run(harness *h, const char *name, const struct CMUnitTest *tests, size_t count,
                int (*set_up)(void **state), int (*tear_down)(void **state));

/* Defines main, which does so with the tests that follow: HARNESS_MAIN(h, "name", open_all,
 * close_all, cmocka_unit_test(test_a), ..). */
#define HARNESS_MAIN(h, name, set_up, tear_down, ...)                                              \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return harness_run(&(h), name, tests, sizeof(tests) / sizeof(tests[0]), set_up,            \
                           tear_down);                                                             \
    }

bool harness_full(void);

/* The number in an environment variable, or `otherwise` if it is not set. */
uint32_t environment(const char *name, uint32_t otherwise);

/* Whether this program runs case n: each VKR_TEST_STEP-th case, or all without a step. The driver's
 * number VKR_TEST_FIRST and that of the run, VKR_TEST_RUN, choose the first case, so that drivers
 * run different cases, and runs after each other run all of them. */
bool harness_has_case(uint32_t n);

/* Creates a context with h->hooks. limits may be NULL. Messages go to h->result and h->sentence. */
bool harness_context(harness *h, const VkrLimits *limits, VkrContext *context);

/* Does the same with a tuning profile that uses this one row for every operation and value size,
 * with VEC4 instead of TEXEL for views without texels, and these policies of all kinds, or NULL. */
bool harness_tuned_context(harness *h, const VkrLimits *limits, const VkrTuning *tuning,
                           const VkrPolicy *policies, VkrContext *context);

/* The usage is storage, texel, transfer and indirect. A buffer that was destroyed or never created
 * is all zero. */
bool harness_create_buffer(harness *h, VkDeviceSize size, harness_buffer *buffer);
void harness_destroy_buffer(harness *h, harness_buffer *buffer);

/* harness_begin and harness_end record h->cmd; harness_submit submits it, any number of times, and
 * waits for it. */
bool harness_begin(harness *h);
bool harness_end(harness *h);
bool harness_submit(harness *h);

/* Prints the message of a failed call of the library. */
bool harness_check(harness *h, VkrResult result, const char *call);

#endif
