/* SPDX-License-Identifier: MIT */
/* The scalar reference with planted mistakes: what it expects is off by one unit in the last place,
 * by a bit, or by a bin. The linker puts these functions in place of the reference's (--wrap) in
 * the runner and the bench, to prove that they find such differences. */
#include "oracle.h"
#include "oracle_compact.h"
#include "oracle_histogram.h"
#include "oracle_pyramid.h"
#include "oracle_scan.h"

#define DECLARE(type, name, parameters)                                                            \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters

DECLARE(void, oracle_reduce,
        (const oracle_reduce_info *info, VkrOp op, uint32_t component, VkrType type,
         oracle_value *value));
DECLARE(void, oracle_end, (oracle_fold * fold, oracle_value *value));
DECLARE(void, oracle_scan_add,
        (oracle_prefixes * prefixes, const void *data, const unsigned char *heads, uint64_t count,
         oracle_value *values));
DECLARE(void, oracle_scan_end, (oracle_prefixes * prefixes, oracle_value *total));
DECLARE(oracle_counts, oracle_compact, (const oracle_device *device, const VkrCompactInfo *info));
DECLARE(void, oracle_pyramid_level,
        (const oracle_pyramid *p, const oracle_level *below, oracle_level *level));

DECLARE(uint32_t, oracle_bins_find, (const oracle_bins *bins, const void *value));

static void mislead(oracle_value *value)
{
    value->bytes[0] ^= 1;
    value->tolerance = 0.0;
}

void __wrap_oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                          VkrType type, oracle_value *value)
{
    __real_oracle_reduce(info, op, component, type, value);
    mislead(value);
}

void __wrap_oracle_end(oracle_fold *fold, oracle_value *value)
{
    __real_oracle_end(fold, value);
    if (value != NULL)
        mislead(value);
}

void __wrap_oracle_scan_add(oracle_prefixes *prefixes, const void *data, const unsigned char *heads,
                            uint64_t count, oracle_value *values)
{
    __real_oracle_scan_add(prefixes, data, heads, count, values);
    mislead(&values[count - 1]);
}

void __wrap_oracle_scan_end(oracle_prefixes *prefixes, oracle_value *total)
{
    __real_oracle_scan_end(prefixes, total);
    if (total != NULL)
        mislead(total);
}

oracle_counts __wrap_oracle_compact(const oracle_device *device, const VkrCompactInfo *info)
{
    const VkBuffer outputs[] = {info->kept.buffer, info->keptIndices.buffer, info->rejected.buffer,
                                info->rejectedIndices.buffer};
    oracle_counts counts = __real_oracle_compact(device, info);
    for (uint32_t i = 0; i < device->image_count; i++)
        for (uint32_t k = 0; k < 4; k++)
            if (device->images[i].buffer == outputs[k])
                *(unsigned char *)device->images[i].data ^= 1;
    return counts;
}

void __wrap_oracle_pyramid_level(const oracle_pyramid *p, const oracle_level *below,
                                 oracle_level *level)
{
    __real_oracle_pyramid_level(p, below, level);
    level->texels[0] ^= 1;
}

/* The bin before the right one, or the one after it for the first bin. */
uint32_t __wrap_oracle_bins_find(const oracle_bins *bins, const void *value)
{
    const uint32_t bin = __real_oracle_bins_find(bins, value);
    return bin == 0 ? 1 : bin - 1;
}
