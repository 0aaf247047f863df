/* SPDX-License-Identifier: MIT */
/* Devices with little memory: calls choose chunks that fit, and memory that is kept makes room. */
#include "host_case.h"

#include "host_chunks.h"
#include "host_many.h"

static hearing heard;

static VkrHost open_small(const many_limits *limits)
{
    static VkrHostVulkan vulkan;
    VkrHostInfo info = case_info(&heard);
    VkrHost host;
    many_count = 1;
    many_version = 0;
    /* Of a discrete one arrays are not imported. */
    many_devices[0] = (many_device){"Little", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, false};
    many_limit = *limits;
    vulkan = (VkrHostVulkan){.getInstanceProcAddr = many_get};
    info.vulkan = &vulkan;
    info.device = NULL;
    EXPECT_OK(vkrCreateHost(&info, &host));
    return host;
}

static void close_small(VkrHost host)
{
    vkrDestroyHost(host);
    assert_int_equal(many_used.now, 0);
    many_limit = (many_limits){0};
}

/* The data fill more than half of the memory, or do not fit a buffer. */
HOST_TEST(test_small_devices)
{
    static const many_limits rows[] = {{(VkDeviceSize)16 << 20, 0}, {0, 3000000}};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const VkrHost host = open_small(&rows[i]);
        for (uint32_t call = 0; call < HOST_CHUNKS; call++)
            EXPECT_OK(host_chunks_run(host, call, HOST_CHUNKS_MOST, 0));
        assert_in_range(many_used.largest, 1, 3000000);
        close_small(host);
    }
}

/* Memory that is kept for later arrays makes room where there is no other. */
HOST_TEST(test_kept_memory)
{
    static unsigned char bytes[12 << 20];
    const many_limits limits = {.memory = (VkDeviceSize)16 << 20};
    const VkrHost host = open_small(&limits);
    VkrHostMemory memory, other;
    (void)state;
    for (size_t size = sizeof bytes; size > sizeof bytes / 2; size -= size / 8) {
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){bytes, size, VKR_HOST_READ}, &memory));
        EXPECT_OK(vkrHostRun(host));
    }
    /* There is none besides an array that is at work. */
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){bytes, sizeof bytes, VKR_HOST_READ}, &memory));
    EXPECT_ERROR(&heard, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "vkAllocateMemory",
                 vkrHostAlloc(host, sizeof bytes, VKR_HOST_MEMORY_DEVICE, &other));
    EXPECT_OK(vkrHostRun(host));
    close_small(host);
}
