/* SPDX-License-Identifier: MIT */
/* vkrCmdScan: what the caller asks for, checked. */
#include "internal.h"

VkrResult vkrGetScanType(VkrContext context, const VkrScanInfo *info, VkrType *type)
{
    (void)info;
    (void)type;
    return context ? vkr_fail(context, VKR_ERROR_UNSUPPORTED, "vkrGetScanType: not yet.")
                   : VKR_ERROR_INVALID_ARGUMENT;
}

VkrResult vkrCmdScan(VkrRecorder recorder, const VkrScanInfo *info)
{
    VkrResult result = vkr_operation_begin(recorder, "vkrCmdScan");
    if (result != VKR_SUCCESS)
        return result;
    (void)info;
    result =
        vkr_fail(vkr_recorder_context(recorder), VKR_ERROR_UNSUPPORTED, "vkrCmdScan: not yet.");
    return vkr_operation_end(recorder, result);
}
