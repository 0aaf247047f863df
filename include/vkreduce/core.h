/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/core.h: results of calls, element types, operators, and views of the caller's data.
 *
 * Conventions
 *  - A zero-initialised structure is a valid set of defaults for every optional field.
 *  - Sizes, offsets and strides are in bytes; counts are in elements (of `components` values each).
 *  - A count of 0 means no element, whether it was set on purpose or never set. The first such
 *    count with an input that has elements causes a note (PFN_vkrMessage). VKR_COUNT_ALL means all
 *    elements.
 *  - The library cannot ask a buffer for its size. A VkrView whose size is 0 or VK_WHOLE_SIZE ends
 *    where its buffer ends, which VkrView::bufferSize says. Without bufferSize, VK_WHOLE_SIZE is an
 *    error, and so is 0 where there is a buffer and the count is not 0. A VkrBufferRange is always
 *    as large as its size says: 0 is an empty range, which is an error wherever the call needs
 *    bytes in it, and VK_WHOLE_SIZE is an error.
 *  - Every failing call returns a VkrResult and, where the context has a message callback, says in
 *    one sentence which field was wrong, what its value was and what it must be. Nothing is half
 *    done: a failed call has no effect except the sticky error of its recorder.
 *  - Once a Vulkan call of the library has returned VK_ERROR_DEVICE_LOST, the context and its
 *    recorders can only be destroyed: all their functions that return a VkrResult return
 *    VKR_ERROR_DEVICE_LOST and do nothing. The library never waits, except in vkrSelfTest, so the
 *    application usually learns of a lost device first.
 *  - An application that uses volk includes volk.h before these headers, or defines
 *    VK_NO_PROTOTYPES.
 *
 * Results of operators, in reductions and in scans
 *  - min, max, absmax, arg-min and arg-max compare order-preserving integer keys made from the bits
 *    in memory, so they are exact and equal on every driver. -0 orders before +0. NaN is ignored
 *    unless VKR_NAN_PROPAGATE asks otherwise: the result is NaN only if all elements are NaN. min
 *    and max of no element are +inf and -inf (for integers the type's largest and smallest value),
 *    and absmax of no element is 0.
 *  - arg-min and arg-max give the smallest index among equal keys, so that arg-min of {+0, -0} is
 *    1. They give ~0 where there is no element or all are NaN. With VKR_NAN_PROPAGATE they give the
 *    index of the first NaN, if there is one.
 *  - Integer sum, product, sum of squares, L1 and dot wrap modulo 2^32, or modulo 2^64 in a 64-bit
 *    accumulator.
 *  - mean and L2 are one correctly rounded division or square root (to nearest, ties to even; a
 *    result that is below the smallest normal number after this rounding becomes +0) of a sum. For
 *    floats that is the float sum. For integers it is the exact sum of the values or of their
 *    squares, whatever the accumulator: mean and L2 never wrap. The mean of no element is NaN.
 *  - variance and standard deviation never wrap either: those of integers are the exact number,
 *    rounded once as a mean is; reduce.h defines those of floats. They are NaN where the divisor is
 *    0: without elements or, for a sample, with fewer than two.
 *  - A float result that is NaN is the canonical quiet NaN (0x7e00, 0x7fc00000, 0x7ff8 << 48;
 *    bf16: 0x7fc0).
 *  - The result types are those that vkrGetReduceLayout reports:
 *
 *        min max and or xor      the element type
 *        absmax                  the element type, unsigned for integers
 *        sum product sumsq dot   the accumulator: 32 bits for 8- and 16-bit types, else the element
 *                                type
 *        l1                      the accumulator, unsigned for integers
 *        mean l2 variance stddev f32; f64 for 64-bit element types and for an f64 accumulator
 *        logsumexp               f32, of f32, f16 and bf16 with an f32 accumulator
 *        argmin argmax           u32; u64 where the count can reach 2^32
 *        count nan               u64
 */
#ifndef VKREDUCE_CORE_H
#define VKREDUCE_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && !defined(VKR_STATIC)
#ifdef VKR_BUILD
#define VKR_API __declspec(dllexport)
#else
#define VKR_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define VKR_API __attribute__((visibility("default")))
#else
#define VKR_API
#endif

#define VKR_VERSION_MAJOR 0
#define VKR_VERSION_MINOR 1
#define VKR_VERSION_PATCH 0

/* A context stands for one VkDevice (device.h); a recorder records work for it (recorder.h). */
typedef struct VkrContext_T *VkrContext;
typedef struct VkrRecorder_T *VkrRecorder;

/* ---- Results of calls ---- */

typedef enum VkrResult {
    VKR_SUCCESS = 0,
    VKR_ERROR_INVALID_ARGUMENT = -1, /* a field is wrong on every device */
    VKR_ERROR_UNSUPPORTED = -2,   /* valid, but not with this device, context or forced algorithm */
    VKR_ERROR_INVALID_STATE = -3, /* a call out of order, such as vkrCmdReduce before vkrBegin */
    VKR_ERROR_NOT_PREPARED = -4,  /* VKR_END_NO_COMPILE_BIT is set and a pipeline is missing */
    VKR_ERROR_SCRATCH_TOO_SMALL = -5, /* VkrEndInfo::scratch is below vkrGetScratchSize */
    VKR_ERROR_OUT_OF_HOST_MEMORY = -6,
    VKR_ERROR_OUT_OF_DEVICE_MEMORY = -7,
    VKR_ERROR_DEVICE_LOST = -8,
    VKR_ERROR_VULKAN = -9,   /* any other failure of a Vulkan call; the message names it */
    VKR_ERROR_TIMEOUT = -10, /* a wait of libvkreduce-host (host.h) took too long */
    VKR_RESULT_MAX_ENUM = 0x7fffffff
} VkrResult;

/*
 * Called with one complete sentence for every error, from the thread that made the failing call;
 * and with VKR_SUCCESS for a note: the call succeeds, but the application may have meant something
 * else. Notes are few: vkrEnableFeatures and vkrCreateContext name features that are left out,
 * vkrCreateContext also names extensions whose state vkrEnd invalidates (recorder.h), and the first
 * operation of a context whose count is 0 although its input has elements reports that. So does,
 * for each of these, the first one with a field that is not used because of another one: an array
 * of an operation whose number of entries is 0, an offset or a size without a buffer, a field of
 * another kind of segments, predicate or bins, `i` of a constant for floats. Notes are for the
 * developer; a program need not act on them.
 */
typedef void (*PFN_vkrMessage)(void *userData, VkrResult result, const char *sentence);

/* ---- Element types and operators ---- */

/* Element types. Types of 8 and 16 bits need storage access of that size only: arithmetic is 32
 * bits wide. In f32 a subnormal f16 is a normal number, but a subnormal bf16 stays subnormal: in
 * sums and products a device may treat it as 0, as it may any subnormal f32 (reduce.h). */
typedef enum VkrType {
    VKR_TYPE_UNDEFINED = 0,
    VKR_TYPE_I8 = 1,
    VKR_TYPE_U8 = 2,
    VKR_TYPE_I16 = 3,
    VKR_TYPE_U16 = 4,
    VKR_TYPE_I32 = 5,
    VKR_TYPE_U32 = 6,
    VKR_TYPE_I64 = 7,
    VKR_TYPE_U64 = 8,
    VKR_TYPE_F16 = 9,
    VKR_TYPE_F32 = 10,
    VKR_TYPE_F64 = 11,
    VKR_TYPE_BF16 = 12, /* bfloat16: the upper half of an f32 */
    VKR_TYPE_COUNT = 13,
    VKR_TYPE_MAX_ENUM = 0x7fffffff
} VkrType;

/* Operators. Each is one bit, so that a set of them (VkrOpFlags) can be computed in one read of the
 * data. */
typedef enum VkrOp {
    VKR_OP_MIN = 1 << 0,
    VKR_OP_MAX = 1 << 1,
    VKR_OP_SUM = 1 << 2,
    VKR_OP_PRODUCT = 1 << 3,
    VKR_OP_MEAN = 1 << 4,
    VKR_OP_SUMSQ = 1 << 5,  /* sum of squares */
    VKR_OP_L1 = 1 << 6,     /* sum of absolute values */
    VKR_OP_L2 = 1 << 7,     /* square root of the sum of squares */
    VKR_OP_ABSMAX = 1 << 8, /* largest absolute value */
    VKR_OP_ARGMIN = 1 << 9,
    VKR_OP_ARGMAX = 1 << 10,
    VKR_OP_AND = 1 << 11, /* bitwise; integers only, as are OR and XOR */
    VKR_OP_OR = 1 << 12,
    VKR_OP_XOR = 1 << 13,
    VKR_OP_COUNT = 1 << 14,     /* number of elements, with NaN unless VKR_NAN_SKIP */
    VKR_OP_NAN = 1 << 15,       /* number of NaN elements */
    VKR_OP_DOT = 1 << 16,       /* sum of products with VkrReduceInfo::input2 */
    VKR_OP_VARIANCE = 1 << 17,  /* the mean of the squared deviations from the mean, or, with
                                * VKR_REDUCE_SAMPLE_BIT, their sum divided by one less than the
                                * number of elements */
    VKR_OP_STDDEV = 1 << 18,    /* square root of the variance */
    VKR_OP_LOGSUMEXP = 1 << 19, /* logarithm of the sum of exp(x), in f32: not of integers or F64,
                                 * nor with an accumulator of F64 */
    VKR_OP_MAX_ENUM = 0x7fffffff
} VkrOp;
#define VKR_OP_BITS 20u
typedef uint32_t VkrOpFlags;

/* What is promised about the bits of float sums; everything else is always exact. reduce.h and
 * scan.h define the value that VKR_DETERMINISM_DEVICE gives. */
typedef enum VkrDeterminism {
    VKR_DETERMINISM_RUN = 0, /* the same bits in every run with the same device, driver, info and
                              * data */
    VKR_DETERMINISM_NONE = 1,
    VKR_DETERMINISM_DEVICE = 2, /* the same bits on every device */
    VKR_DETERMINISM_MAX_ENUM = 0x7fffffff
} VkrDeterminism;

/* What reductions and scans do with NaN elements. Operations on integers ignore this setting, since
 * integers are never NaN. */
typedef enum VkrNan {
    VKR_NAN_IGNORE = 0,    /* min, max and the like ignore NaN; sums that have one are NaN */
    VKR_NAN_PROPAGATE = 1, /* min, max and the like are NaN where there is one */
    /* In reductions: sums, products, norms, means and variances skip NaN, and divide by the number
     * of the other elements, which is what VKR_OP_COUNT gives. A dot product skips pairs with a
     * NaN. VKR_OP_NAN still counts NaN, and min, max, absmax, arg-min and arg-max behave as with
     * IGNORE. Not allowed with VKR_REDUCE_CONSUME_INPUT_BIT. In scans: sums and products skip NaN,
     * and min and max behave as with IGNORE. */
    VKR_NAN_SKIP = 2,
    VKR_NAN_MAX_ENUM = 0x7fffffff
} VkrNan;

/* ---- Views ---- */

/* A count that stands for every element that fits into the view. */
#define VKR_COUNT_ALL UINT64_MAX

/* The maximum number of values in an element. */
#define VKR_MAX_COMPONENTS 4u

/* A range of a buffer: exactly `size` bytes. */
typedef struct VkrBufferRange {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
} VkrBufferRange;

/*
 * A VkBufferView of VK_FORMAT_R32G32B32A32_UINT on the buffer of a VkrView, which some devices read
 * faster than a storage buffer (vkrGetTuning says whether this device does: VKR_LOAD_TEXEL). offset
 * and size are those of its VkBufferViewCreateInfo, in bytes: it starts at or before the start of
 * the VkrView and ends at most 15 bytes before the end of the VkrView. The buffer needs
 * UNIFORM_TEXEL_BUFFER usage; the buffer view must live until execution ends. It is a hint: results
 * are the same with and without it, except the bits of float sums below VKR_DETERMINISM_DEVICE.
 */
typedef struct VkrTexels {
    VkBufferView view; /* VK_NULL_HANDLE: none */
    VkDeviceSize offset;
    VkDeviceSize size;
} VkrTexels;

struct VkrImage; /* image.h */
struct VkrMap;   /* map.h */

/*
 * The caller's data as elements of a type. Element i lies at offset + i * stride and has
 * `components` consecutive values. offset and stride are multiples of the type's size; stride 0
 * means tightly packed, components 0 means 1. The view holds every element that lies wholly below
 * offset + size, which must be in the buffer. Buffers need STORAGE_BUFFER usage.
 *
 * Where `image` is not NULL the elements are the texels of an image. Then components can be less
 * than the number of channels of its format: the first channels are used, and 0 means all of them.
 * type is VKR_TYPE_UNDEFINED or what vkrFormatType returns, and all other members are 0.
 */
typedef struct VkrView {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size; /* 0 or VK_WHOLE_SIZE: up to the end of the buffer, which needs bufferSize */
    VkrType type;
    uint32_t components; /* 1 to 4 */
    VkDeviceSize stride;
    VkrTexels texels;        /* optional */
    VkDeviceSize bufferSize; /* optional: VkBufferCreateInfo::size of the buffer; the view must then
                              * lie in it */
    const struct VkrImage *image; /* optional: in place of a buffer */
    const struct VkrMap *map;     /* optional, where the view is read: elements are mapped first */
} VkrView;

/* An element count that the GPU reads when the work executes: u32 (type 0 or VKR_TYPE_U32) or u64,
 * little-endian, at an offset that is a multiple of 4. It is clamped to the host's count. */
typedef struct VkrGpuCount {
    VkBuffer buffer; /* VK_NULL_HANDLE: the count is the host's */
    VkDeviceSize offset;
    VkrType type;
} VkrGpuCount;

typedef enum VkrFlagFormat {
    VKR_FLAGS_U32 = 0,  /* the flag is set where the u32 is not 0 */
    VKR_FLAGS_U8 = 1,   /* the same for a u8; needs VKR_FEATURE_STORAGE_8BIT */
    VKR_FLAGS_BITS = 2, /* flag i is bit i % 32 of u32 i / 32; the offset is a multiple of 4 */
    VKR_FLAG_FORMAT_COUNT = 3,
    VKR_FLAG_FORMAT_MAX_ENUM = 0x7fffffff
} VkrFlagFormat;

struct VkrHook;   /* module.h */
struct VkrMonoid; /* module.h */

/* The caller's array of flags, one per element. */
typedef struct VkrFlagView {
    VkrFlagFormat format;
    VkrBufferRange range; /* holds a flag for every element below the host's count */
    /* Optional: a predicate of the application in place of the array (module.h); that of a
     * compaction may take the elements of the input, after its map. Then a range is optional too:
     * the flags are written there, in the format VKR_FLAGS_BITS, which must be given; those at or
     * past the GPU's count are 0. The range overlaps nothing that the operation or the predicate
     * accesses. */
    const struct VkrHook *hook;
} VkrFlagView;

/* ---- Names ---- */

/* All functions vkr..Name return static strings in the words of the command line ("argmin", "f32",
 * "subgroup", "shuffle"), or "?" for a value that does not exist. */
VKR_API const char *vkrResultName(VkrResult result);
VKR_API const char *vkrTypeName(VkrType type);
VKR_API const char *vkrOpName(VkrOp op);

/* The size of one value in bytes; 0 for a type that does not exist. */
VKR_API uint32_t vkrTypeSize(VkrType type);

#ifdef __cplusplus
}
#endif

#endif
