/* SPDX-License-Identifier: MIT */
/* Tests of the recorder on the stub of Vulkan. */
#ifndef VKR_TESTS_RECORDER_H
#define VKR_TESTS_RECORDER_H

#include "unit.h"

#include "../../../src/core/recorder.h"
#include "../../../src/plan/pass.h"
#include "stub.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define CMD ((VkCommandBuffer)(uintptr_t)1)

extern const stub_options pushing, pooling;
extern const VkrEndInfo plain_end;

/* A context and a recorder, and a heap that counts. */
extern struct recorder_fixture {
    VkrContext context;
    VkrRecorder recorder;
    VkrResult result; /* of the last message */
    char message[1024];
    uint32_t messages;
    uint32_t blocks;      /* live blocks of host memory */
    uint32_t allocations; /* so far */
    uint32_t fail_at;     /* the allocation that fails */
} fixture;

/* Opens a context and a recorder on a stub with these options. */
void open_recorder(const stub_options *options, uint32_t flags, VkDeviceSize chunk_size);

/* Destroys both, and checks that nothing is left. */
void close_recorder(void);

/* A step that reads A and writes O. */
vkr_step simple_step(uint32_t groups);

/* Collects an operation of one step, without scratch if `scratch` is 0. The operation ends with the
 * result `failure`, after the step was added. */
VkrResult operate(uint32_t groups, VkDeviceSize scratch, bool counter, VkrResult failure);

/* Checks that a call failed with this code, and that its message has these words. */
void assert_failed(VkrResult actual, VkrResult expected, const char *words);

/* Ends the recording, and compares its commands with `golden`. */
void assert_ends(const VkrEndInfo *info, const char *golden);

/* states.c */
void test_states(void **state);
void test_sticky(void **state);
void test_begin_again(void **state);
void test_rollback(void **state);
void test_uses(void **state);
void test_uses_without_memory(void **state);
void test_image_uses(void **state);
void test_labels(void **state);
void test_consumer(void **state);
/* scratch.c */
void test_scratch(void **state);
void test_scratch_overflow(void **state);
void test_callers_scratch(void **state);
void test_unused(void **state);
void test_memory_types(void **state);
void test_reset(void **state);
void test_prepare(void **state);
void test_prepare_and_drop(void **state);
void test_prepare_failure(void **state);
/* timestamps.c */
void test_timestamps(void **state);
void test_timestamps_of_levels(void **state);
void test_operations(void **state);
/* uniforms.c */
void test_uniforms(void **state);
void test_uniform_failures(void **state);
void test_step_limits(void **state);
/* pipelines.c */
void test_sets(void **state);
void test_layouts(void **state);
void test_variants(void **state);
void test_full_subgroups(void **state);
void test_sure_subgroups(void **state);
void test_pool_growth(void **state);
/* failures.c */
void test_vulkan_failures(void **state);
void test_lost(void **state);
void test_heap_failures(void **state);

#endif
