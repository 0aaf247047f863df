/* SPDX-License-Identifier: MIT */
/* Geometry and loads by device class, operation and value size. */
#include "internal.h"

typedef enum device_class {
    CLASS_CPU,
    CLASS_DISCRETE,
    CLASS_INTEGRATED,
    CLASS_UNKNOWN, /* virtual ones too */
} device_class;

typedef struct tuning_row {
    device_class class;
    uint32_t subgroup_size; /* 0: any */
    VkrTuning tuning;       /* valueSize 0: any */
} tuning_row;

/* The first row that fits counts; the last one, which nothing measured, is the conservative one.
 * Columns: operation, value size, workgroup, tree workgroup, least and most bytes per invocation,
 * most groups, order, path, texels. Measurements: tests/bench/NOTES.md. */
static const tuning_row rows[] = {
    {CLASS_CPU,
     0,
     {VKR_OPERATION_REDUCE, 0, 0, 128, 1024, 16384, 1024, VKR_LOAD_CONTIGUOUS, VKR_LOAD_U64,
      VK_TRUE}},
    {CLASS_UNKNOWN,
     0,
     {VKR_OPERATION_REDUCE, 0, 256, 256, 64, 256, 2048, VKR_LOAD_COALESCED, VKR_LOAD_VEC4,
      VK_FALSE}},
};

static device_class classify(const vkr_caps *caps)
{
    switch (caps->device_type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return CLASS_CPU;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return CLASS_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return CLASS_INTEGRATED;
    default:
        return CLASS_UNKNOWN;
    }
}

static bool fits(const tuning_row *row, const vkr_caps *caps, VkrOperation operation,
                 uint32_t value_size)
{
    return row->tuning.operation == operation &&
           (row->class == CLASS_UNKNOWN || row->class == classify(caps)) &&
           (row->subgroup_size == 0 || row->subgroup_size == caps->subgroup_size) &&
           (row->tuning.valueSize == 0 || row->tuning.valueSize == value_size);
}

static VkrTuning choose(const vkr_caps *caps, VkrOperation operation, uint32_t value_size)
{
    const tuning_row *row = rows;
    while (!fits(row, caps, operation, value_size))
        row++;
    VkrTuning tuning = row->tuning;
    tuning.valueSize = value_size;
    return tuning;
}

void vkr_tune(const vkr_caps *caps, vkr_tunings tunings)
{
    for (uint32_t operation = 0; operation < VKR_OPERATION_COUNT; operation++)
        for (uint32_t i = 0; i < VKR_VALUE_SIZES; i++)
            tunings[operation][i] = choose(caps, (VkrOperation)operation, 1u << i);
}

uint32_t vkr_tuning_index(uint32_t value_size)
{
    uint32_t i = 0;
    while (1u << i < value_size)
        i++;
    return i;
}

VkrResult vkrGetTuning(VkrContext context, VkrOperation operation, uint32_t valueSize,
                       VkrTuning *tuning)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (tuning == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetTuning: tuning is NULL, but must point to a VkrTuning.");
    if ((uint32_t)operation >= VKR_OPERATION_COUNT)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetTuning: operation is %d, but must be 0 to %d.", (int)operation,
                        VKR_OPERATION_COUNT - 1);
    if (valueSize == 0 || valueSize > 8 || (valueSize & (valueSize - 1)) != 0)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetTuning: valueSize is %u, but must be 1, 2, 4 or 8.", valueSize);
    const VkrResult lost = vkr_check_device(context, "vkrGetTuning");
    if (lost != VKR_SUCCESS)
        return lost;
    *tuning = context->tunings[operation][vkr_tuning_index(valueSize)];
    return VKR_SUCCESS;
}
