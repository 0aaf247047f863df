/* SPDX-License-Identifier: MIT */
/* vkrCmdQuantile: what the caller asks for, checked. */
#include "../plan/check.h"

VkrResult vkrCmdQuantile(VkrRecorder recorder, const VkrQuantileInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, "vkrCmdQuantile"));
    (void)info;
    return vkr_operation_end(recorder, VKR_ERROR_UNSUPPORTED);
}
