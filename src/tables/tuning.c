/* SPDX-License-Identifier: MIT */
/* Built-in tuning: geometry and loads by device class, operation and value size. */
#include "../core/message.h"
#include "policies.h"
#include "tuning.h"

#define ANY 0u

typedef struct tuning_row {
    uint32_t classes; /* VKR_SCALAR_CPU.. */
    uint32_t vendor;
    uint32_t subgroup_size;
    VkrTuning tuning;
} tuning_row;

#define REDUCE VKR_OPERATION_REDUCE
#define SCAN VKR_OPERATION_SCAN
#define COMPACT VKR_OPERATION_COMPACT
#define ELEMENT VKR_LOAD_ELEMENT
#define VEC4 VKR_LOAD_VEC4
#define U64 VKR_LOAD_U64
#define TEXEL VKR_LOAD_TEXEL
#define COALESCED VKR_LOAD_COALESCED
#define CONTIGUOUS VKR_LOAD_CONTIGUOUS

/*
 * The first matching row is used; ANY matches every value. A row without texels also matches views
 * with texels, unless an earlier row does. The last row of each operation is not based on
 * measurements: its values are conservative.
 *
 * Columns: device class, vendor, subgroup size; operation, value size, texels, workgroup size,
 * workgroup size of trees, bytes for one workgroup, minimum and maximum of bytes per invocation,
 * maximum of workgroups, order, load path, flight; for scans and compactions also bytes per
 * invocation of a single-pass tile, and whether AUTO chooses single-pass algorithms. (See
 * VkrTuning.)
 *
 * The comments give measured ratios of running times.
 */
static const tuning_row rows[] = {
    /* SwiftShader: loads by element took 0.60 of the time of vec4 loads, and as long as texels. */
    {VKR_SCALAR_CPU,
     ANY,
     ANY,
     {REDUCE, ANY, 0, 16, 128, 16384, 1024, 4096, 256, COALESCED, ELEMENT, 1, 0, 0}},
    /* Lavapipe, texels: 16 coalesced loads in flight took 0.64 of the time of 4 contiguous ones;
     * shares of up to 256 KiB took 0.82 of the time of 16 KiB (2^22 elements). No other row was
     * faster on six of seven drivers. */
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {REDUCE, ANY, 1, 0, 128, 524288, 4096, 262144, 64, COALESCED, TEXEL, 16, 0, 0}},
    /* Lavapipe, storage buffers: contiguous loads took half the time of coalesced ones; loads of 32
     * bytes took 0.5 to 1.0 of the time of 16 bytes, except on lavapipe 22.3 with subgroups of 16,
     * where they took more than 3 times as long. */
    {VKR_VECTOR_CPU,
     ANY,
     16,
     {REDUCE, ANY, 0, 0, 128, 262144, 4096, 65536, 64, CONTIGUOUS, VEC4, 4, 0, 0}},
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {REDUCE, ANY, 0, 0, 128, 262144, 4096, 65536, 64, CONTIGUOUS, U64, 4, 0, 0}},
    {VKR_ALL_DEVICES,
     ANY,
     ANY,
     {REDUCE, ANY, 0, 256, 256, 65536, 64, 4096, 2048, COALESCED, VEC4, 4, 0, 0}},

    {VKR_SCALAR_CPU,
     ANY,
     ANY,
     {SCAN, ANY, 0, 16, 128, 16384, 1024, 4096, 256, CONTIGUOUS, ELEMENT, 1, 1024, 0}},
    /* Lavapipe: coalesced loads of a cache line per lane took 0.8 of the time of contiguous ones; 4
     * loads in flight took 0.8 of the time of 2 or 8; look-back took 2.2 times as long as
     * reduce-then-scan. */
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {SCAN, ANY, 1, 0, 128, 131072, 2048, 65536, 16, COALESCED, TEXEL, 4, 16384, 0}},
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {SCAN, ANY, 0, 0, 128, 131072, 2048, 65536, 16, COALESCED, VEC4, 4, 16384, 0}},
    /* Invocations hold a tile while they look back. For Mali PanVK spills 174 registers of a single
     * pass over u32, and up to 1,205 by keys, which take more than a minute to compile; of the
     * passes of reduce-then-scan none and 15. For Adreno Turnip gives a single pass over segments
     * 38 to 48 registers, which leaves 2 subgroups for each processor. */
    {VKR_ALL_DEVICES,
     VKR_ARM,
     ANY,
     {SCAN, ANY, 0, 256, 256, 16384, 64, 4096, 2048, COALESCED, VEC4, 4, 64, 0}},
    {VKR_ALL_DEVICES,
     VKR_QUALCOMM,
     ANY,
     {SCAN, ANY, 0, 256, 256, 16384, 64, 4096, 2048, COALESCED, VEC4, 4, 64, 0}},
    /* Intel: with 4 loads in flight tiles are compiled for 8 lanes instead of 16. */
    {VKR_ALL_DEVICES,
     VKR_INTEL,
     ANY,
     {SCAN, ANY, 0, 256, 256, 16384, 64, 4096, 2048, COALESCED, VEC4, 2, 32, 1}},
    /* On an H100 one workgroup took 13 us for 2^14 u32 (a compaction 21), a further dispatch with
     * its barrier 3. Look-back took 1.2 times as long as reduce-then-scan for 2^25 u32 when values
     * lay beside the words of tiles; according to a model of these runs it takes 0.65 times as long
     * with values in the words. */
    {VKR_ALL_DEVICES,
     ANY,
     ANY,
     {SCAN, ANY, 0, 256, 256, 16384, 64, 4096, 2048, COALESCED, VEC4, 4, 64, 1}},

    {VKR_SCALAR_CPU,
     ANY,
     ANY,
     {COMPACT, ANY, 0, 16, 128, 16384, 1024, 4096, 256, CONTIGUOUS, VEC4, 4, 1024, 0}},
    /* Lavapipe: shares of 33 KiB took 0.9 of the time of shares of 16 KiB, which compete for the
     * same cache sets; 8 loads in flight took 0.9 of the time of 4 or 16. */
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {COMPACT, ANY, 1, 0, 128, 131072, 2048, 33792, 16, CONTIGUOUS, TEXEL, 8, 4096, 0}},
    {VKR_VECTOR_CPU,
     ANY,
     ANY,
     {COMPACT, ANY, 0, 0, 128, 131072, 2048, 33792, 16, CONTIGUOUS, VEC4, 4, 4096, 0}},
    {VKR_ALL_DEVICES,
     ANY,
     ANY,
     {COMPACT, ANY, 0, 256, 256, 16384, 64, 4096, 2048, COALESCED, VEC4, 4, 64, 1}},
};

static bool fits(const tuning_row *row, const vkr_caps *caps, VkrOperation operation,
                 VkBool32 texels, uint32_t value_size)
{
    return row->tuning.operation == operation && row->tuning.texels <= texels &&
           vkr_fits_device(caps, row->classes, row->vendor) &&
           (row->subgroup_size == ANY || row->subgroup_size == caps->subgroup_size) &&
           (row->tuning.valueSize == ANY || row->tuning.valueSize == value_size);
}

static VkrTuning choose(const vkr_caps *caps, VkrOperation operation, VkBool32 texels,
                        uint32_t value_size)
{
    const tuning_row *row = rows;
    while (!fits(row, caps, operation, texels, value_size))
        row++;
    VkrTuning tuning = row->tuning;
    tuning.texels = texels;
    tuning.valueSize = value_size;
    return tuning;
}

void vkr_tune(const vkr_caps *caps, vkr_tunings tunings)
{
    for (uint32_t operation = 0; operation < VKR_OPERATION_COUNT; operation++)
        for (VkBool32 texels = 0; texels <= 1; texels++)
            for (uint32_t size = 1; size <= 8; size *= 2)
                tunings[operation][vkr_tuning_index(texels, size)] =
                    choose(caps, (VkrOperation)operation, texels, size);
}

uint32_t vkr_tuning_index(VkBool32 texels, uint32_t value_size)
{
    uint32_t i = 0;
    while (1u << i < value_size)
        i++;
    return (texels ? VKR_VALUE_SIZES : 0) + i;
}

VkrResult vkrGetTuning(VkrContext context, VkrOperation operation, uint32_t valueSize,
                       VkBool32 texels, VkrTuning *tuning)
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
    VKR_TRY(vkr_check_device(context, "vkrGetTuning"));
    *tuning = context->tunings[operation][vkr_tuning_index(texels, valueSize)];
    return VKR_SUCCESS;
}
