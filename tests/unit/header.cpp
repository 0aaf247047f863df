/* SPDX-License-Identifier: MIT */
#include "vkreduce/host.hpp"
#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.hpp"

#include <cstring>

#include "header_sizes.h"

const size_t header_sizes_cpp[] = {HEADER_SIZES};

static void count_messages(void *count, VkrResult result, const char *)
{
    *static_cast<int *>(count) += result == VKR_ERROR_INVALID_ARGUMENT;
}

/* Whether the creation of a context throws the sentence that the library says, which the
 * application's callback gets too. */
static bool throws_sentence(PFN_vkrMessage message, int *count)
{
    VkrContextInfo info = {};
    info.message = message;
    info.messageData = count;
    try {
        vkr::Context context(info);
        return false;
    } catch (const vkr::Error &error) {
        static const char start[] = "VKR_ERROR_INVALID_ARGUMENT: vkrCreateContext: instance is ";
        return std::strncmp(error.what(), start, sizeof start - 1) == 0;
    }
}

/* The same of a host. */
static bool throws_host_sentence(int *count)
{
    VkrHostInfo info = {};
    info.flags = 0x100;
    info.message = count_messages;
    info.messageData = count;
    try {
        vkr::Host host(info);
        return false;
    } catch (const vkr::Error &error) {
        static const char start[] = "VKR_ERROR_INVALID_ARGUMENT: vkrCreateHost: flags is 0x100,";
        return std::strncmp(error.what(), start, sizeof start - 1) == 0;
    }
}

/* Whether a call that has no context, and so no sentence, throws only the name of its result. */
static bool throws_name(void)
{
    try {
        vkr::Recorder recorder(nullptr, VkrRecorderInfo{});
        return false;
    } catch (const vkr::Error &error) {
        return error.result() == VKR_ERROR_INVALID_ARGUMENT &&
               std::strcmp(error.what(), "VKR_ERROR_INVALID_ARGUMENT") == 0;
    }
}

/* Whether sentences that no error has taken are forgotten once a call succeeds. */
static bool forgets(void)
{
    vkr::remember(nullptr, VKR_ERROR_INVALID_ARGUMENT, "old");
    vkr::check(VKR_SUCCESS);
    return throws_name();
}

int header_throws_cpp(void)
{
    int count = 0;
    return throws_sentence(nullptr, nullptr) && throws_name() &&
           throws_sentence(count_messages, &count) && count == 1 &&
           throws_host_sentence(&count) && count == 2 && forgets();
}

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
    vkr::Context context;
    context = vkr::Context();
    vkr::Host host;
    host = vkr::Host();
    if (host != nullptr)
        return 0;
    vkr::Module module;
    vkr::Module other = std::move(module);
    if (other != nullptr || context != nullptr)
        return 0;
    return vkrTypeSize(info.input.type) == 4 && vkrCmdReduce(nullptr, &info) != VKR_SUCCESS;
}
