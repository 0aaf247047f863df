/* SPDX-License-Identifier: MIT */
/* Rows for the table of wrong requests of an operation: what can be wrong with its view `input`,
 * which is 1,000 f32 at byte 256 of A in the plain request. */
#ifndef VKR_TESTS_REFUSALS_INPUT_H
#define VKR_TESTS_REFUSALS_INPUT_H

/* clang-format off */
/* For operations that compute with elements; what only orders them takes 64 bits everywhere. */
#define COMPUTED_ROWS(X)                                                                           \
X(type_i64, NO_I64, UNSUPPORTED, "input.type is i64, but must be a type that the context "         \
  "supports: this one needs shaderInt64.", i->input.type = VKR_TYPE_I64)                           \
X(type_f64, NO_F64, UNSUPPORTED, "input.type is f64, but must be a type that the context "         \
  "supports: this one needs shaderFloat64.", i->input.type = VKR_TYPE_F64)

#define INPUT_ROWS(X)                                                                              \
X(type_none, PLAIN, INVALID, "input.type is 0, but must be one of VKR_TYPE_I8 (1) to "             \
  "VKR_TYPE_BF16 (12).", i->input.type = VKR_TYPE_UNDEFINED)                                       \
X(type_unknown, PLAIN, INVALID, "input.type is 13, but must be one of VKR_TYPE_I8 (1) to "         \
  "VKR_TYPE_BF16 (12).", i->input.type = VKR_TYPE_COUNT)                                           \
X(type_negative, PLAIN, INVALID, "input.type is -1, but must be one of VKR_TYPE_I8 (1) to "        \
  "VKR_TYPE_BF16 (12).", i->input.type = (VkrType)-1)                                              \
X(type_u8, BARE, UNSUPPORTED, "input.type is u8, but must be a type that the context supports: "   \
  "this one needs storageBuffer8BitAccess.", i->input.type = VKR_TYPE_U8)                          \
X(type_f16, BARE, UNSUPPORTED, "input.type is f16, but must be a type that the context supports: " \
  "this one needs storageBuffer16BitAccess.", i->input.type = VKR_TYPE_F16)                        \
X(buffer, PLAIN, INVALID, "input.buffer is VK_NULL_HANDLE, but must be a buffer where size is "    \
  "not 0.", i->input.buffer = VK_NULL_HANDLE)                                                      \
X(offset, PLAIN, INVALID, "input.offset is 258, but must be a multiple of 4, the size of f32.",    \
  i->input.offset = 258)                                                                           \
X(size_whole, PLAIN, INVALID, "input.size is VK_WHOLE_SIZE, but must be a number of bytes unless " \
  "input.bufferSize is given, since the size of a buffer cannot be queried.",                      \
  i->input.size = VK_WHOLE_SIZE)                                                                   \
X(size_zero, PLAIN, INVALID, "input.size is 0, but must be a number of bytes unless "              \
  "input.bufferSize is given, since the size of a buffer cannot be queried.", i->input.size = 0)   \
X(size_past, PLAIN, INVALID, "input.size is 4000, but must be at most 3999, the rest of the "      \
  "buffer of 4255 bytes after offset 256.", i->input.bufferSize = 4255)                            \
X(offset_past, PLAIN, INVALID, "input.offset is 256, but must be at most 255, the value of "       \
  "input.bufferSize.", i->input.size = 0; i->input.bufferSize = 255)                               \
X(size_of_buffer, PLAIN, INVALID, "input.bufferSize is VK_WHOLE_SIZE, but must be 0 or a number "  \
  "of bytes.", i->input.bufferSize = VK_WHOLE_SIZE)                                                \
X(size_wraps, PLAIN, INVALID, "input.size is 18446744073709551360, but must stay below 2^64 when " \
  "offset, which is 256, is added.", i->input.size = UINT64_MAX - 255)                             \
X(components, PLAIN, INVALID, "input.components is 5, but must be 0 (for 1) to 4.",                \
  i->input.components = 5)                                                                         \
X(stride, PLAIN, INVALID, "input.stride is 6, but must be a multiple of 4, the size of f32.",      \
  i->input.stride = 6)                                                                             \
X(stride_small, PLAIN, INVALID, "input.stride is 8, but must be 0 or at least 12, the size of an " \
  "element.", i->input.components = 3; i->input.stride = 8)

/* What can be wrong with requests for sums: of a count on the GPU, and of types. */
#define SUM_ROWS(X)                                                                                \
X(gpu_offset, PLAIN, INVALID, "gpuCount.offset is 6, but must be a multiple of 4.",                \
  i->gpuCount.buffer = BUFFER('C'); i->gpuCount.offset = 6)                                        \
X(gpu_outside, PLAIN, INVALID, "gpuCount.offset is 18446744073709551612, but must lie inside the " \
  "buffer.", i->gpuCount.buffer = BUFFER('C'); i->gpuCount.offset = UINT64_MAX - 3)                \
X(gpu_type, PLAIN, INVALID, "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), "       \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->gpuCount.buffer = BUFFER('C');                               \
  i->gpuCount.type = VKR_TYPE_I32)                                                                 \
X(accumulator_i64, PLAIN, INVALID, "accumulator is i64 (7), but for elements of type f32 must be " \
  "undefined, f32 or f64.", i->accumulator = VKR_TYPE_I64)                                         \
X(accumulator_sign, PLAIN, INVALID, "accumulator is u64 (8), but for elements of type i8 must be " \
  "undefined, i32 or i64.", i->input.type = VKR_TYPE_I8; i->accumulator = VKR_TYPE_U64)            \
X(accumulator_min, PLAIN, INVALID, "accumulator is f32 (10), but for elements of type f64 must "   \
  "be undefined, f64.", i->input.type = VKR_TYPE_F64; i->accumulator = VKR_TYPE_F32)               \
X(accumulator_unknown, PLAIN, INVALID, "accumulator is ? (99), but for elements of type f32 must " \
  "be undefined, f32 or f64.", i->accumulator = (VkrType)99)                                       \
X(accumulator_wide, NO_F64, UNSUPPORTED, "accumulator is f64, but must be a type that the "        \
  "context supports: this one needs shaderFloat64.", i->accumulator = VKR_TYPE_F64)                \
X(accumulator_bare, BARE, UNSUPPORTED, "accumulator is u64, but must be a type that the context "  \
  "supports: this one needs shaderInt64.", i->input.type = VKR_TYPE_U32;                           \
  i->accumulator = VKR_TYPE_U64)                                                                   \
X(determinism, PLAIN, INVALID, "determinism is 3, but must be 0 to 2.",                            \
  i->determinism = (VkrDeterminism)3)                                                              \
X(workgroup, PLAIN, INVALID, "workgroupSize is 96, but must be 0 or a power of two.",              \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)
/* clang-format on */

#endif
