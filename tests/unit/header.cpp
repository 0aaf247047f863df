/* SPDX-License-Identifier: MIT */
#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.hpp"

#include "header_sizes.h"

const size_t header_sizes_cpp[] = {HEADER_SIZES};

int header_calls_cpp(void)
{
    VkrReduceInfo info = {};
    info.ops = VKR_OP_MIN | VKR_OP_MAX;
    info.input.type = VKR_TYPE_F32;
    info.count = VKR_COUNT_ALL;
    VkrDeviceRequirements requirements = {};
    const VkrDeviceRequirementsInfo asked = {};
    const VkrReduceLayout layout = {};
    if (vkrGetDeviceRequirements(&asked, &requirements) != VKR_ERROR_INVALID_ARGUMENT ||
        vkrGetReduceResult(&layout, VKR_OP_MIN) != nullptr)
        return 0;
    try {
        vkr::Recorder recorder(nullptr, VkrRecorderInfo{});
        return 0;
    } catch (const vkr::Error &error) {
        if (error.result() != VKR_ERROR_INVALID_ARGUMENT)
            return 0;
    }
    vkr::Module module;
    vkr::Module other = std::move(module);
    if (other != nullptr)
        return 0;
    return vkrTypeSize(info.input.type) == 4 && vkrCmdReduce(nullptr, &info) != VKR_SUCCESS;
}
