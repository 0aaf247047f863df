/* SPDX-License-Identifier: MIT */
/* Freezes every recording that ends. Programs are linked with --wrap=vkrEnd. */
#include "freeze.h"

VkrResult __real_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);
VkrResult __wrap_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);

VkrResult __wrap_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info)
{
    if (recorder != NULL)
        freeze_steps(recorder);
    return __real_vkrEnd(recorder, info);
}
