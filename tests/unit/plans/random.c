/* SPDX-License-Identifier: MIT */
#include "random.h"

static VkrTuning random_tuning(uint64_t *seed)
{
    VkrTuning tuning = {.workgroupSize = random_below(seed, 4) ? 1u << random_below(seed, 11) : 0,
                        .treeWorkgroupSize = 2u << random_below(seed, 10),
                        .oneGroupBytes = (uint32_t)random_below(seed, 1u << random_below(seed, 21)),
                        .minBytes = 1 + (uint32_t)random_below(seed, 1u << random_below(seed, 13)),
                        .maxGroups = 1 + (uint32_t)random_below(seed, 1u << random_below(seed, 17)),
                        .order = (VkrLoadOrder)random_below(seed, VKR_LOAD_ORDER_COUNT),
                        .path = (VkrLoadPath)random_below(seed, VKR_LOAD_PATH_COUNT),
                        .flight = 1 + (uint32_t)random_below(seed, 32),
                        .tileBytes = (uint32_t)random_below(seed, 1u << random_below(seed, 17)),
                        .lookBack = (VkBool32)random_below(seed, 2)};
    tuning.maxBytes = (uint32_t)ONE_OF(seed, 65536, 8192 + random_below(seed, 20000));
    return tuning;
}

trace_device random_device(uint64_t *seed)
{
    trace_device device = {
        .range = (uint32_t)ONE_OF(seed, 1u << 27, 1u << 30, UINT32_MAX, 65536, 100000),
        .granule = (uint32_t)ONE_OF(seed, 1, 4, 16, 64, 256),
        .groups = (uint32_t)ONE_OF(seed, 65535, 65535, INT32_MAX, 7, 1),
        .rows = (uint32_t)ONE_OF(seed, 65535, 65535, 2),
        .workgroup = (uint32_t)ONE_OF(seed, 128, 256, 1024),
        .shared = (uint32_t)ONE_OF(seed, 16384, 32768, 49152),
        .group_path = (VkrGroupPath)random_below(seed, VKR_GROUP_PATH_COUNT),
        .cpu = random_below(seed, 2),
        .pools = random_below(seed, 2),
        .built_in = random_below(seed, 2),
    };
    if (random_below(seed, 4))
        device.tuning = random_tuning(seed);
    device.progress = (VkrForwardProgress)random_below(seed, 3);
    if (random_below(seed, 2))
        device.limits.maxStorageBufferRange = 65536;
    if (random_below(seed, 4) == 0)
        device.limits.maxComputeWorkGroupCount = 1;
    if (random_below(seed, 4)) {
        device.limits.maxTaskWorkGroupCount[0] = (uint32_t)ONE_OF(seed, 65535, 65535, 1u << 22, 9);
        device.limits.maxTaskWorkGroupCount[1] = device.limits.maxTaskWorkGroupCount[2] = 65535;
        device.limits.maxTaskWorkGroupTotalCount =
            (uint32_t)ONE_OF(seed, 1u << 22, 1u << 22, UINT32_MAX);
    }
    return device;
}

VkrView random_view(uint64_t *seed, const VkrContextProperties *device, VkrType type,
                    uint32_t components, uint64_t windows)
{
    const uint64_t unit = vkrTypeSize(type);
    const uint64_t groups =
        (uint64_t)device->maxComputeWorkGroupCount[0] * device->maxComputeWorkGroupCount[1];
    const uint64_t range_limit = device->maxStorageBufferRange;
    const uint64_t reach = range_limit < 128 * groups ? range_limit : 128 * groups;
    VkrView view = {.buffer = BUFFER('A' + (int)random_below(seed, 3)),
                    .offset = unit * random_below(seed, 300),
                    .type = type,
                    .components = components};
    if (random_below(seed, 3) == 0)
        view.stride = unit * (components + ONE_OF(seed, 0, 1, 5, 100, 1000));
    if (random_below(seed, 50) == 0)
        view.stride = unit * (range_limit / unit + random_below(seed, 3) - 1);
    const uint64_t size = (uint64_t)1 << random_below(seed, 40);
    view.size = random_below(seed, size < reach * windows ? size : reach * windows);
    return view;
}
