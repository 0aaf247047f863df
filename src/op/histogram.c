/* SPDX-License-Identifier: MIT */
/* vkrCmdHistogram: what the caller asks for, checked. */
#include "../plan/check.h"

VkrResult vkrCmdHistogram(VkrRecorder recorder, const VkrHistogramInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, "vkrCmdHistogram"));
    (void)info;
    return vkr_operation_end(recorder, VKR_ERROR_UNSUPPORTED);
}
