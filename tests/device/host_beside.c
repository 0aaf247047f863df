/* SPDX-License-Identifier: MIT */
/* What a host offers to programs with commands and recorders of their own: times of these commands,
 * and further contexts. Prints TAP. */
#define VK_NO_PROTOTYPES
#include "vkreduce/vkreduce.h"

#include <stdio.h>
#include <string.h>

#include "vkreduce/host.h"

#define SIZE ((VkDeviceSize)64 << 20) /* filling as many bytes takes milliseconds */

static unsigned tests, failures;
static char said[512];

static void check(int good, const char *what)
{
    failures += !good;
    printf("%sok %u - %s\n", good ? "" : "not ", ++tests, what);
    if (!good)
        printf("# %s\n", said);
}

static void hear(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    (void)result;
    snprintf(said, sizeof said, "%s", sentence);
}

static int refuses(VkrResult result, const char *sentence)
{
    return result != VKR_SUCCESS && strcmp(said, sentence) == 0;
}

/* ---- Times ---- */

/* When the stamps and the fill are recorded: first, second or third; 0: not at all. Without an end,
 * the time ends with the operations. */
typedef struct order {
    int start, end, fill;
} order;

static void record_fill(VkrHost host, const VkrHostMemory *memory)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT};
    VkrHostVulkan vulkan;
    vkrGetHostVulkan(host, &vulkan);
    const PFN_vkCmdFillBuffer fill =
        (PFN_vkCmdFillBuffer)vulkan.getInstanceProcAddr(vulkan.instance, "vkCmdFillBuffer");
    const PFN_vkCmdPipelineBarrier wait = (PFN_vkCmdPipelineBarrier)vulkan.getInstanceProcAddr(
        vulkan.instance, "vkCmdPipelineBarrier");
    fill(vkrHostCommands(host), memory->buffer, 0, SIZE, 7);
    /* Some drivers start commands no earlier than at the next barrier. */
    wait(vkrHostCommands(host), VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
         1, &barrier, 0, NULL, 0, NULL);
}

/* Returns the time of a recording of a fill, in nanoseconds; 0 if a call fails. */
static uint64_t time_of(VkrHost host, const VkrHostMemory *memory, order places)
{
    uint64_t time = 0;
    VkrResult result = vkrHostBegin(host);
    for (int place = 1; place <= 3 && result == VKR_SUCCESS; place++) {
        if (place == places.fill)
            record_fill(host, memory);
        else if (place == places.start || place == places.end)
            result = vkrHostStamp(host, place == places.end);
    }
    if (result == VKR_SUCCESS)
        result = vkrHostSubmit(host);
    if (result == VKR_SUCCESS)
        result = vkrHostWait(host);
    if (result == VKR_SUCCESS)
        result = vkrGetHostTime(host, &time);
    return result == VKR_SUCCESS ? time + 1 : 0;
}

static void test_times(void)
{
    VkrHost host = NULL;
    VkrHostMemory memory = {0};
    const VkrHostInfo info = {.flags = VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_NO_CACHE_BIT,
                              .message = hear};
    check(vkrCreateHost(&info, &host) == VKR_SUCCESS &&
              vkrHostAlloc(host, SIZE, VKR_HOST_MEMORY_DEVICE, &memory) == VKR_SUCCESS,
          "a host");
    (void)time_of(host, &memory, (order){.fill = 1}); /* touches the memory */
    const uint64_t inside = time_of(host, &memory, (order){.start = 1, .fill = 2, .end = 3});
    const uint64_t open = time_of(host, &memory, (order){.start = 1, .fill = 2});
    const uint64_t after = time_of(host, &memory, (order){.start = 1, .end = 2, .fill = 3});
    const uint64_t end = time_of(host, &memory, (order){.end = 1, .fill = 2});
    printf("# %llu, %llu; %llu, %llu ns\n", (unsigned long long)inside, (unsigned long long)open,
           (unsigned long long)after, (unsigned long long)end);
    check(inside > 0 && open > 0 && after > 0 && end > 0, "times");
    check(inside / 4 > after && inside / 4 > end, "commands after the end are not measured");
    check(open / 4 > after, "without an end, the time ends with the operations");
    check(refuses(vkrHostStamp(host, VK_FALSE),
                  "vkrHostStamp: it needs a recording that vkrHostBegin has started."),
          "a stamp belongs to a recording");
    vkrHostFree(host, &memory);
    vkrDestroyHost(host);
}

/* ---- Contexts ---- */

static void test_contexts(void)
{
    const VkrContextInfo settings = {.limits = {.maxStorageBufferRange = 65536}};
    VkrHost host = NULL;
    VkrContext context = NULL;
    VkrContextProperties own, other;
    VkrHostVulkan vulkan;
    check(vkrCreateHost(&(VkrHostInfo){.flags = VKR_HOST_NO_CACHE_BIT, .message = hear}, &host) ==
                  VKR_SUCCESS &&
              vkrCreateHostContext(host, &settings, &context) == VKR_SUCCESS,
          "a host, and another context");
    vkrGetContextProperties(vkrHostContext(host), &own);
    vkrGetContextProperties(context, &other);
    check(other.maxStorageBufferRange == 65536 && own.maxStorageBufferRange > 65536,
          "it has settings of its own");
    check(other.features == own.features, "and the features of the device");
    vkrDestroyContext(context);
    check(refuses(vkrCreateHostContext(host, &(VkrContextInfo){.profile = "?", .profileSize = 1},
                                       &context),
                  said) &&
              context == NULL && strstr(said, "profile") != NULL,
          "a wrong profile is refused");
    check(refuses(vkrCreateHostContext(host, NULL, NULL),
                  "vkrCreateHostContext: context is NULL, but must be given."),
          "a context needs a place");
    vkrGetHostVulkan(host, &vulkan);
    check(vulkan.timestampBits > 0 && vulkan.timestampBits <= 64, "the bits of timestamps");
    vkrDestroyHost(host);
}

int main(void)
{
    test_times();
    test_contexts();
    printf("1..%u\n", tests);
    return failures != 0;
}
