/* SPDX-License-Identifier: MIT */
/* Passes every recording to freeze_steps before it ends. Programs need the option --wrap=vkrEnd. */
#include "freeze.h"

VkrResult __real_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);
VkrResult __wrap_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);

VkrResult __wrap_vkrEnd(VkrRecorder recorder, const VkrEndInfo *info)
{
    if (recorder != NULL)
        freeze_steps(recorder);
    return __real_vkrEnd(recorder, info);
}
