/* SPDX-License-Identifier: MIT */
/* Pipelines of a context. */
#ifndef VKR_PIPELINE_H
#define VKR_PIPELINE_H

#include "step.h"

/* Finds the pipeline of a step's variant, or compiles it, and sets it and its layout. Where it may
 * not compile, a missing pipeline is VKR_ERROR_NOT_PREPARED. */
VkrResult vkr_get_pipeline(VkrContext context, vkr_step *step, bool compile);
void vkr_destroy_pipelines(VkrContext context);

#endif
