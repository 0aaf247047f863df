/* SPDX-License-Identifier: MIT */
/* VkrMergeInfo. */
#include "refusals.h"

static VkrMergeInfo info;
static VkrMergePayload payload;
#define SCOPE                                                                                      \
    VkrMergeInfo *const i = &info;                                                                 \
    VkrMergePayload *const p = &payload;                                                           \
    (void)i;                                                                                       \
    (void)p

/* 1,000 and 500 keys. */
static void set_plain(void)
{
    payload = (VkrMergePayload){.size = 12,
                                .a = {BUFFER('P'), 0, 12000},
                                .b = {BUFFER('Q'), 0, 6000},
                                .target = {BUFFER('T'), 0, 18000}};
    info = (VkrMergeInfo){
        .a = {{.buffer = BUFFER('A'), .offset = 16, .size = 4000, .type = VKR_TYPE_U32}, 1000, {0}},
        .b = {{.buffer = BUFFER('B'), .size = 2000, .type = VKR_TYPE_U32}, 500, {0}},
        .merged = {.buffer = BUFFER('M'), .size = 6000},
        .indices = {.buffer = BUFFER('I'), .size = 6000},
        .payloadCount = 1,
        .payloads = &payload};
}

/* `count` keys of each of the two sequences. */
static void set_long(uint64_t count)
{
    info.a.keys.size = info.b.keys.size = 4 * count;
    info.a.count = info.b.count = count;
    info.merged.size = 8 * count;
    info.indices = (VkrView){0};
    info.payloadCount = 0;
    info.payloads = NULL;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(flags, PLAIN, INVALID, "flags is 0x8, but must have only bits of VkrMergeFlagBits.",             \
  i->flags = 8)                                                                                    \
X(a_components, PLAIN, INVALID, "a.keys.components is 2, but must be 1, also after a map.",        \
  i->a.keys.components = 2; i->a.count = 500)                                                      \
X(a_offset, PLAIN, INVALID, "a.keys.offset is 2, but must be a multiple of 4, the size of u32.",   \
  i->a.keys.offset = 2)                                                                            \
X(b_buffer, PLAIN, INVALID, "b.keys.buffer is VK_NULL_HANDLE, but must be a buffer where size is " \
  "not 0.", i->b.keys.buffer = VK_NULL_HANDLE)                                                     \
X(b_type, PLAIN, INVALID, "b.keys.type is f32, but must be u32 like a.keys.type.",                 \
  i->b.keys.type = VKR_TYPE_F32)                                                                   \
X(a_count, PLAIN, INVALID, "a.count is 1001, but must be VKR_COUNT_ALL or at most 1000, the "      \
  "number of elements that a.keys holds.", i->a.count = 1001)                                      \
X(sum, PLAIN, INVALID, "a.count is 2147483648 and b.count 2147483648, but their sum must be below "\
  "2^32.", set_long(UINT64_C(1) << 31))                                                            \
X(b_gpu_offset, PLAIN, INVALID, "b.gpuCount.offset is 6, but must be a multiple of 4.",            \
  i->b.gpuCount = ((VkrGpuCount){BUFFER('N'), 6, VKR_TYPE_U32}))                                   \
X(workgroup, PLAIN, INVALID, "workgroupSize is 96, but must be 0 or a power of two.",              \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(workgroup_shared, TIGHT, UNSUPPORTED, "workgroupSize is 512, but must be less to fit the "       \
  "device's 1024 bytes of shared memory.", i->workgroupSize = 512)                                 \
X(merged_type, PLAIN, INVALID, "merged.type is i32 (5), but must be undefined or u32.",            \
  i->merged.type = VKR_TYPE_I32)                                                                   \
X(merged_components, PLAIN, INVALID, "merged.components is 2, but must be 0 or 1.",                \
  i->merged.components = 2)                                                                        \
X(merged_short, PLAIN, INVALID, "merged.size is 5999, which is 1499 elements, but must hold the "  \
  "1500 of a.count and b.count.", i->merged.size = 5999)                                           \
X(indices_type, PLAIN, INVALID, "indices.type is u64 (8), but must be undefined or u32.",          \
  i->indices.type = VKR_TYPE_U64)                                                                  \
X(indices_short, PLAIN, INVALID, "indices.size is 4000, which is 1000 elements, but must hold the "\
  "1500 of a.count and b.count.", i->indices.size = 4000)                                          \
X(nothing, PLAIN, INVALID, "merged, indices and payloads are empty, but at least one of them must "\
  "be given.", i->merged = i->indices = (VkrView){0}; i->payloadCount = 0; i->payloads = NULL)     \
X(payloads, PLAIN, INVALID, "payloads is NULL, but must point to the 1 of payloadCount.",          \
  i->payloads = NULL)                                                                              \
X(payload_count, PLAIN, INVALID, "payloadCount is 9, but must be at most 8.", i->payloadCount = 9) \
X(payload_size, PLAIN, INVALID, "payloads[0].size is 65, but must be 1 to 64.", p->size = 65)      \
X(payload_a, PLAIN, INVALID, "payloads[0].a.size is 11999, but must be at least 12000.",           \
  p->a.size = 11999)                                                                               \
X(payload_b, PLAIN, INVALID, "payloads[0].b.offset is 2, but must be a multiple of 4.",            \
  p->b.offset = 2)                                                                                 \
X(payload_stride, PLAIN, INVALID, "payloads[0].bStride is 8, but must be 0 or at least 12, the "   \
  "size of an entry, and a multiple of 4.", p->bStride = 8)                                        \
X(payload_short, PLAIN, INVALID, "payloads[0].target.size is 17999, which is 1499 elements, but "  \
  "must hold the 1500 of a.count and b.count.", p->target.size = 17999)                            \
X(in_place, PLAIN, INVALID, "merged overlaps a.keys, but must be apart from it: a merge is never " \
  "in place.", i->merged.buffer = BUFFER('A'))                                                     \
X(over_b, PLAIN, INVALID, "indices overlaps b.keys, but must be apart from it: a merge is never "  \
  "in place.", i->indices.buffer = BUFFER('B'))                                                    \
X(over_merged, PLAIN, INVALID, "indices overlaps merged, but must be apart from it: a merge is "   \
  "never in place.", i->indices.buffer = BUFFER('M'))                                              \
X(over_payload, PLAIN, INVALID, "payloads[0].target overlaps payloads[0].b, but must be apart "    \
  "from it: a merge is never in place.", p->target.buffer = BUFFER('Q'))                           \
X(over_count, PLAIN, INVALID, "merged overlaps b.gpuCount, but must be apart from it: a merge is " \
  "never in place.", i->b.gpuCount = ((VkrGpuCount){BUFFER('M'), 0, VKR_TYPE_U32}))                \
X(pairs, NARROW, UNSUPPORTED, "a.count is 4000000 and b.count 4000000, but must need at most "     \
  "131072 dispatches of maxStorageBufferRange (65536 bytes).", set_long(4000000))                  \
X(far_apart, NARROW, UNSUPPORTED, "two elements of each output must fit maxStorageBufferRange "    \
  "(65536 bytes, less up to 64 for alignment).",                                                   \
  i->merged.stride = 65536; i->merged.size = UINT64_C(65536) * 1500)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 3, (void)i)                                                                        \
X(merged_alone, PLAIN, 2, i->indices = (VkrView){0}; i->payloadCount = 0; i->payloads = NULL)      \
X(all, PLAIN, 2, i->a.count = i->b.count = VKR_COUNT_ALL)                                          \
X(one_side, PLAIN, 2, i->a.count = 0)                                                              \
X(no_keys, PLAIN, 0, i->a.count = i->b.count = 0)                                                  \
X(same_keys, PLAIN, 2, i->b.keys.buffer = BUFFER('A'))                                             \
X(little_shared, TIGHT, 2, i->workgroupSize = 256)                                                 \
X(windows, NARROW, 8, set_long(100000))
/* clang-format on */

OPERATION(merge, vkrCmdMerge, VkrMergeInfo, info, COUNTED, NULL)
