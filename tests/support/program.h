/* SPDX-License-Identifier: MIT */
/* A compute shader of a test, with storage buffers at bindings 0, 1, .. of set 0. Any failure makes
 * the test fail. */
#ifndef VKR_TESTS_PROGRAM_H
#define VKR_TESTS_PROGRAM_H

#include "harness.h"

#define PROGRAM_BUFFERS 4u
#define PROGRAM_CONSTANTS 5u

typedef struct program {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipeline pipeline;
} program;

void program_open(VkDevice device, const VkDescriptorBufferInfo *buffers, uint32_t count,
                  program *p);
void program_close(VkDevice device, program *p);

/* Rebuilds the pipeline with these values of constant_id 0, 1, .. */
void program_specialise(VkDevice device, program *p, const uint32_t *code, size_t size,
                        const uint32_t *constants, uint32_t count);
void program_use(VkDevice device, program *p, const uint32_t *code, size_t size, uint32_t constant);

void program_bind(VkCommandBuffer cmd, const program *p);

/* Makes what shaders have written visible to the host. */
void program_to_host(VkCommandBuffer cmd);

#endif
