/* SPDX-License-Identifier: MIT */
/* The heap that denies an allocation, and the live Vulkan objects. */
#ifndef VKR_TESTS_FAULTS_OBJECTS_H
#define VKR_TESTS_FAULTS_OBJECTS_H

#include "faults_vk.h"

typedef struct faults_object {
    const char *kind;
    uint64_t handle;
    uint64_t code; /* faults_hash of a shader module */
    void *block;   /* stands for the driver's allocation for a pipeline, or NULL */
} faults_object;

extern VkDevice faults_device; /* the device of the pipelines that outlive contexts */

/* Returns the callbacks, and reports a function that does not get those of the context. */
const VkAllocationCallbacks *faults_check_callbacks(const VkAllocationCallbacks *callbacks,
                                                    const char *function);

/* Returns NULL if there is no such object. */
faults_object *faults_find(const char *kind, uint64_t handle);
faults_object *faults_born(const char *kind, uint64_t handle);

/* Records that an object is destroyed. Returns whether the driver may see the call. */
bool faults_dies(const char *kind, uint64_t handle);

/* Returns VK_SUCCESS, or the code that the call must fail with. */
VkResult faults_inject(uint32_t entry);

/* Calls the driver. Heap failures during the call count as the driver's. */
#define THROUGH(function, call) (faults_enter_driver(), faults_through(#function, call))
void faults_enter_driver(void);
VkResult faults_through(const char *function, VkResult result);

/* FNV-1a, by words; identifies kernels. */
uint64_t faults_hash(const VkShaderModuleCreateInfo *info);

/* The pipeline that all lives share, compiled on first use. */
VkPipeline faults_twin(VkDevice device, VkPipelineCache cache,
                       const VkComputePipelineCreateInfo *info);

/* Acts as the driver, which would allocate the pipeline on the context's heap. */
VkResult faults_hand_out(VkPipeline twin, VkPipeline *pipeline);

#endif
