/* SPDX-License-Identifier: MIT */
/* Pipelines of a context. */
#ifndef VKR_PIPELINE_H
#define VKR_PIPELINE_H

#include "step.h"

/* Finds or compiles the pipeline of a step's variant, and sets the step's pipeline and layout. If
 * it may not compile, a missing pipeline is VKR_ERROR_NOT_PREPARED. */
VkrResult vkr_get_pipeline(VkrContext context, vkr_step *step, bool compile);
void vkr_destroy_pipelines(VkrContext context);

/* Destroys the pipelines of the kernels into which functions of this module are linked. */
void vkr_destroy_pipelines_of(VkrContext context, const struct VkrModule_T *module);

#endif
