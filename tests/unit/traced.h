/* SPDX-License-Identifier: MIT */
/* What the tests of traces share: one recorder on the stub of Vulkan, whose commands are compared
 * with a text. */
#ifndef VKR_TESTS_TRACED_H
#define VKR_TESTS_TRACED_H

#include "unit.h"

#include "stub.h"
#include "vkreduce/vkreduce.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define INNER "barrier compute(write) -> compute(read|write)\n"
#define FILLED "barrier transfer(copy-write) -> compute(read|write)\n"

extern VkrContext context;
extern VkrRecorder recorder;

typedef struct traced {
    const char *profile; /* tuning rows, which determine the expected texts */
    VkDeviceSize max_range;
    VkrForwardProgress progress;
    uint32_t max_tasks; /* of mesh tasks, in each dimension */
    bool host_visible;  /* the host can map memory of the device */
} traced;

/* Creates a context and a recorder, and begins a recording. */
void open_traced(const traced *options);

/* Ends the recording; without a consumer if `info` is NULL. */
void end_traced(const VkrEndInfo *info);

/* Destroys the recorder and the context. */
void close_traced(void);

/* Ends the recording, compares its commands with `golden`, and destroys everything. */
void expect_traced(const VkrEndInfo *info, const char *golden);

#endif
