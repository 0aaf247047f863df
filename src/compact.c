/* SPDX-License-Identifier: MIT */
/* vkrCmdCompact: what the caller asks for, checked. */
#include "internal.h"

VkrResult vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    VkrResult result = vkr_operation_begin(recorder, "vkrCmdCompact");
    if (result != VKR_SUCCESS)
        return result;
    (void)info;
    result =
        vkr_fail(vkr_recorder_context(recorder), VKR_ERROR_UNSUPPORTED, "vkrCmdCompact: not yet.");
    return vkr_operation_end(recorder, result);
}
