/* SPDX-License-Identifier: MIT */
/* Geometry by device class. A row for a device nobody has measured is the conservative last one. */
#include "internal.h"

typedef struct tuning_row {
    VkPhysicalDeviceType device_type;
    uint32_t element_size; /* rows are for elements of at least this size */
    vkr_reduce_tuning tuning;
} tuning_row;

/* The first row that fits counts. Columns as in vkr_reduce_tuning. */
static const tuning_row rows[] = {
    /* Lavapipe 22.3: 16 invocations on a short run of memory are the best or level at 2^20 and 2^22
     * with subgroups of 4, 8 and 16, 2.8 times as fast as 64 at 2^25, and 2 times on lavapipe 25.0;
     * recursive at 128 is 1.3 times as fast as at 16 (tests/bench/NOTES.md). */
    {VK_PHYSICAL_DEVICE_TYPE_CPU, 0, {16, 128, 256, 1024, 256}},
    {VK_PHYSICAL_DEVICE_TYPE_MAX_ENUM, 0, {256, 256, 8, 64, 2048}},
};

vkr_reduce_tuning vkr_tune_reduce(const vkr_caps *caps, uint32_t element_size)
{
    for (size_t i = 0; i + 1 < VKR_ARRAY_SIZE(rows); i++)
        if (rows[i].device_type == caps->device_type && element_size >= rows[i].element_size)
            return rows[i].tuning;
    return rows[VKR_ARRAY_SIZE(rows) - 1].tuning;
}
