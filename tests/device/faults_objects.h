/* SPDX-License-Identifier: MIT */
/* The heap that denies an allocation, and the Vulkan objects that live. */
#ifndef VKR_TESTS_FAULTS_OBJECTS_H
#define VKR_TESTS_FAULTS_OBJECTS_H

#include "faults_vk.h"

typedef struct faults_object {
    const char *kind;
    uint64_t handle;
    uint64_t code; /* of a shader module: faults_hash */
    void *block;   /* that the driver would hold for a pipeline, or NULL */
} faults_object;

extern VkDevice faults_device; /* of the pipelines that outlive contexts */

/* Says so where a function does not get the context's callbacks, and returns them. */
const VkAllocationCallbacks *faults_check_callbacks(const VkAllocationCallbacks *callbacks,
                                                    const char *function);

/* Returns NULL where there is no such object. */
faults_object *faults_find(const char *kind, uint64_t handle);
faults_object *faults_born(const char *kind, uint64_t handle);

/* Notes that an object is destroyed. Returns whether the driver may see the call. */
bool faults_dies(const char *kind, uint64_t handle);

/* Returns VK_SUCCESS, or the code that the call must fail with. */
VkResult faults_inject(uint32_t entry);

/* Calls the driver. Failures of the heap during the call count as the driver's. */
#define THROUGH(function, call) (faults_enter_driver(), faults_through(#function, call))
void faults_enter_driver(void);
VkResult faults_through(const char *function, VkResult result);

/* FNV-1a, by words: what tells kernels apart. */
uint64_t faults_hash(const VkShaderModuleCreateInfo *info);

/* The pipeline that all lives share, which is compiled when it is first asked for. */
VkPipeline faults_twin(VkDevice device, VkPipelineCache cache,
                       const VkComputePipelineCreateInfo *info);

/* Stands for the driver, which would allocate the pipeline on the context's heap. */
VkResult faults_hand_out(VkPipeline twin, VkPipeline *pipeline);

#endif
