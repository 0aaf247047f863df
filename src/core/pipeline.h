/* SPDX-License-Identifier: MIT */
/* Pipelines of a context. */
#ifndef VKR_PIPELINE_H
#define VKR_PIPELINE_H

#include "step.h"

/* Finds the pipeline of a variant, or compiles it. Where it may not compile, a missing pipeline is
 * VKR_ERROR_NOT_PREPARED. */
VkrResult vkr_get_pipeline(VkrContext context, const vkr_variant *variant, bool compile,
                           VkPipeline *pipeline);
void vkr_destroy_pipelines(VkrContext context);

#endif
