/* SPDX-License-Identifier: MIT */
/* Kernels of the benchmark: their descriptor sets and pipelines. */
#ifndef BENCH_KERNEL_H
#define BENCH_KERNEL_H

#include "device/gpu.h"

#define MAX_KERNEL_BINDINGS 4u

/* Layouts of kernels whose set 0 has one descriptor per binding. */
typedef struct kernel_layout {
    VkDescriptorType types[MAX_KERNEL_BINDINGS];
    uint32_t bindings;
    uint32_t push_size; /* bytes of push constants */
    VkDescriptorSetLayout set;
    VkPipelineLayout pipeline;
    VkDescriptorPool pool;
} kernel_layout;

/* A descriptor. Only the member for the type of its binding is used. */
typedef struct kernel_descriptor {
    VkDescriptorBufferInfo buffer;
    VkDescriptorImageInfo image;
    VkBufferView texels;
} kernel_descriptor;

typedef struct kernel_code {
    const uint32_t *words;
    size_t size; /* bytes */
} kernel_code;

/* Creates the objects of a layout whose types, bindings and push_size are set, with room for `sets`
 * sets. kernel_layout_close may follow a failure. */
int kernel_layout_open(kernel_layout *l, const gpu *g, uint32_t sets);
void kernel_layout_close(kernel_layout *l, const gpu *g);

int kernel_set(const kernel_layout *l, const gpu *g, const kernel_descriptor *descriptors,
               VkDescriptorSet *set);

/* Creates a pipeline. The values are those of specialization constants 0, 1, .. */
int kernel_pipeline(const kernel_layout *l, const gpu *g, kernel_code code, const uint32_t *values,
                    uint32_t count, VkPipeline *pipeline);

/* Records a dispatch. */
void kernel_dispatch(const kernel_layout *l, VkCommandBuffer commands, VkPipeline pipeline,
                     VkDescriptorSet set, const void *push, uint32_t groups);

#endif
