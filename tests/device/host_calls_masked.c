/* SPDX-License-Identifier: MIT */
/* Scans of arrays that leave elements out. */
#include "host_calls.h"

static VkrResult scan(const call_case *c, uint32_t flags, const void *input, void *output,
                      const void *mask, VkrFlagFormat format)
{
    const VkrHostScanInfo info = {.scan = {.op = VKR_OP_SUM,
                                           .flags = flags,
                                           .input = {.type = c->type},
                                           .count = c->count,
                                           .mask = {.flags = {.format = format}}},
                                  .input = input,
                                  .output = output,
                                  .mask = mask,
                                  .chunkSize = c->chunk};
    return vkrHostScan(c->host, &info);
}

/* The same as a scan of zeros in place of what is left out. A reversed scan with a mask of bits has
 * no chunks. */
static void masked_case(const call_case *c, VkrFlagFormat format, uint32_t flags)
{
    const uint32_t size = vkrTypeSize(c->type);
    const bool bits = format == VKR_FLAGS_BITS;
    unsigned char *data = take(c->count * size), *zeros = take(c->count * size);
    unsigned char *output = take(c->count * 8), *expected = take(c->count * 8);
    uint32_t *mask = take(4 * c->count);
    const bool refuses =
        bits && (flags & VKR_SCAN_REVERSE_BIT) != 0 && c->chunk != 0 && c->chunk < c->count * 8;
    fill(c->type, data, c->count);
    memcpy(zeros, data, c->count * size);
    for (uint64_t i = 0; i < c->count; i++)
        mask[i] = 0;
    for (uint64_t i = 0; i < c->count; i++) {
        const bool kept = i * 7 % 5 > 1;
        mask[bits ? i / 32 : i] |= (uint32_t)kept << (bits ? i % 32 : 0);
        if (!kept)
            memset(zeros + i * size, 0, size);
    }
    if (scan(c, flags, zeros, expected, NULL, VKR_FLAGS_U32) != VKR_SUCCESS)
        fail_msg("%s", sentence);
    const VkrResult result = scan(c, flags, data, output, mask, format);
    if (result == VKR_SUCCESS)
        assert_same(c, "masked", output, expected, c->count * (size == 8 ? 8 : 4));
    else if (!refuses || result != VKR_ERROR_INVALID_ARGUMENT)
        fail_msg("%s", sentence);
    void *const all[] = {data, zeros, output, expected, mask};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        drop(all[i]);
}

static void masked_all(const call_case *c)
{
    masked_case(c, VKR_FLAGS_BITS, 0);
    masked_case(c, VKR_FLAGS_U32, VKR_SCAN_REVERSE_BIT);
    masked_case(c, VKR_FLAGS_BITS, VKR_SCAN_REVERSE_BIT | VKR_SCAN_EXCLUSIVE_BIT);
}

EXTERN_TEST(test_scan_masked)
{
    static const VkrType types[] = {VKR_TYPE_U32, VKR_TYPE_I16, VKR_TYPE_UNDEFINED};
    each_case(types, masked_all);
}
