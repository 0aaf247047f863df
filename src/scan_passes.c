/* SPDX-License-Identifier: MIT */
#include "scan.h"

VkrResult vkr_plan_passes(VkrRecorder recorder, const vkr_scan *scan)
{
    (void)recorder;
    return vkr_fail(scan->context, VKR_ERROR_UNSUPPORTED, "vkrCmdScan: not yet.");
}
