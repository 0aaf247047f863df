/* SPDX-License-Identifier: MIT */
/* VkrCompactInfo: payloads and count outputs. */
#include "compact.h"

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(payloads, PLAIN, INVALID, "payloads is NULL, but must point to the 2 of payloadCount.",          \
  i->payloads = NULL)                                                                              \
X(payload_none, PLAIN, INVALID, "payloads[1].size is 0, but must be 1 to 64.",                     \
  r->payloads[1].size = 0)                                                                         \
X(payload_large, PLAIN, INVALID, "payloads[0].size is 65, but must be 1 to 64.",                   \
  r->payloads[0].size = 65)                                                                        \
X(payload_u8, BARE, UNSUPPORTED, "payloads[1].size is 1, but must be a multiple of 2: this one "   \
  "needs storageBuffer8BitAccess.", r->payloads[1].size = 1)                                       \
X(payload_u16, BARE, UNSUPPORTED, "payloads[1].size is 6, but must be a multiple of 4: this one "  \
  "needs storageBuffer16BitAccess.", r->payloads[1].size = 6)                                      \
X(source_buffer, PLAIN, INVALID, "payloads[0].source.buffer is VK_NULL_HANDLE, but must be a "     \
  "buffer.", r->payloads[0].source.buffer = VK_NULL_HANDLE)                                        \
X(source_offset, PLAIN, INVALID, "payloads[0].source.offset is 2, but must be a multiple of 4.",   \
  r->payloads[0].source.offset = 2)                                                                \
X(source_size, PLAIN, INVALID, "payloads[1].source.size is 1999, but must be at least 2000.",      \
  r->payloads[1].source.size = 1999)                                                               \
X(source_stride, PLAIN, INVALID, "payloads[0].sourceStride is 14, but must be 0 or at least 12, "  \
  "the size of an entry, and a multiple of 4.", r->payloads[0].sourceStride = 14)                  \
X(source_close, PLAIN, INVALID, "payloads[0].sourceStride is 8, but must be 0 or at least 12, "    \
  "the size of an entry, and a multiple of 4.", r->payloads[0].sourceStride = 8)                   \
X(source_far, PLAIN, INVALID, "payloads[0].sourceStride is 18446744073709551615, but must be 0 "   \
  "or at least 12, the size of an entry, and a multiple of 4.",                                    \
  r->payloads[0].sourceStride = UINT64_MAX)                                                        \
X(target_buffer, PLAIN, INVALID, "payloads[1].target.buffer is VK_NULL_HANDLE, but must be a "     \
  "buffer.", r->payloads[1].target.buffer = VK_NULL_HANDLE)                                        \
X(target_offset, PLAIN, INVALID, "payloads[1].target.offset is 1, but must be a multiple of 2.",   \
  r->payloads[1].target.offset = 1)                                                                \
X(target_stride, PLAIN, INVALID, "payloads[1].targetStride is 3, but must be 0 or at least 2, "    \
  "the size of an entry, and a multiple of 2.", r->payloads[1].targetStride = 3)                   \
X(target_close, PLAIN, INVALID, "payloads[0].targetStride is 8, but must be 0 or at least 12, "    \
  "the size of an entry, and a multiple of 4.", r->payloads[0].targetStride = 8)                   \
X(payload_texels_short, PLAIN, INVALID, "payloads[0].texels is 11984 bytes at 0, but must hold "   \
  "source's 12000 bytes at 0, all but at most 15 at the end.",                                     \
  r->payloads[0].texels = ((VkrTexels){HANDLE(VkBufferView), 0, 11984}))                           \
X(payload_texels_late, PLAIN, INVALID, "payloads[1].texels is 2000 bytes at 16, but must hold "    \
  "source's 2000 bytes at 0, all but at most 15 at the end.",                                      \
  r->payloads[1].texels = ((VkrTexels){HANDLE(VkBufferView), 16, 2000}))                           \
X(counts, PLAIN, INVALID, "countOutputs is NULL, but must point to the 2 of countOutputCount.",    \
  i->countOutputs = NULL)                                                                          \
X(count_kind, PLAIN, INVALID, "countOutputs[1].kind is 8, but must be 0 to 7.",                    \
  r->counts[1].kind = VKR_COUNT_KIND_COUNT)                                                        \
X(count_tasks, PLAIN, UNSUPPORTED, "countOutputs[1].kind is 7, for mesh tasks, but the context's " \
  "limits.maxTaskWorkGroupCount and maxTaskWorkGroupTotalCount must then not be 0.",               \
  r->counts[1].kind = VKR_COUNT_MESH_TASKS)                                                        \
X(count_many_tasks, TASKS, UNSUPPORTED, "countOutputs[1] is for mesh tasks, and 1000 elements "    \
  "can be stored, but the context's limits for tasks need a capacity of at most 992.",             \
  simple(r); r->counts[1].kind = VKR_COUNT_MESH_TASKS; r->counts[1].scale = 62)                    \
X(count_few_tasks, FEW_TASKS, UNSUPPORTED, "countOutputs[1] is for mesh tasks, and 21 elements "   \
  "can be stored, but the context's limits for tasks need a capacity of at most 20.", simple(r);   \
  r->counts[1].kind = VKR_COUNT_MESH_TASKS; r->counts[1].scale = 1; i->capacity = 21)              \
X(count_any_tasks, TASKS, UNSUPPORTED, "countOutputs[1] is for mesh tasks, and "                   \
  "18446744073709551615 elements can be stored, but the context's limits for tasks need a "        \
  "capacity of at most 68719476720.", simple(r); i->kept = i->keptIndices = (VkrView){0};          \
  i->append.buffer = BUFFER('N'); r->counts[1].kind = VKR_COUNT_MESH_TASKS;                        \
  r->counts[1].scale = UINT32_MAX)                                                                 \
X(count_buffer, PLAIN, INVALID, "countOutputs[0].buffer is VK_NULL_HANDLE, but must be a buffer.", \
  r->counts[0].buffer = VK_NULL_HANDLE)                                                            \
X(count_offset, PLAIN, INVALID, "countOutputs[1].offset is 18, but must be a multiple of 4.",      \
  r->counts[1].offset = 18)

#define RIGHT_ROWS(X)                                                                              \
X(tasks, TASKS, simple(r); r->counts[1].kind = VKR_COUNT_MESH_TASKS; r->counts[1].scale = 63)      \
X(tasks_capacity, TASKS, simple(r); r->counts[1].kind = VKR_COUNT_MESH_TASKS; i->capacity = 16;    \
  r->counts[1].scale = 0; i->append.buffer = BUFFER('N'))                                          \
X(tasks_total, FEW_TASKS, simple(r); r->counts[1].kind = VKR_COUNT_MESH_TASKS; i->capacity = 20;   \
  r->counts[1].scale = 1)                                                                          \
X(shared_inputs, PLAIN, r->payloads[0].source = r->payloads[1].source;                             \
  r->payloads[0].source.size = 12000; i->gpuCount = ((VkrGpuCount){BUFFER('U'), 0, 0});            \
  constants(r, 0, 4))                                                                              \
X(capacity_of_payloads, PLAIN, r->payloads[0].target.size = 11)                                    \
X(target_empty, PLAIN, r->payloads[0].target.size = 0)                                             \
X(payload_texels, PLAIN, r->payloads[0].texels = ((VkrTexels){HANDLE(VkBufferView), 0, 12000});    \
  r->payloads[1].texels = ((VkrTexels){HANDLE(VkBufferView), 0, 1985}))
/* clang-format on */

OPERATION(compact_payloads, vkrCmdCompact, VkrCompactInfo, request.info, RIGHT, NULL)
