/* SPDX-License-Identifier: MIT */
/*
 * vkreduce: reductions of data that already lives on the GPU, recorded into the caller's own
 * VkCommandBuffer.
 *
 * But for vkrSelfTest, which is there to be called or not, the library never submits, never waits
 * and never reads back. The flow is always the same:
 *
 *     vkrBegin(recorder);
 *     vkrCmdReduce(recorder, &info);     collected; nothing reaches a command buffer yet
 *     vkrPrepare(recorder);              optional: compile and allocate ahead of time
 *     vkrEnd(recorder, &(VkrEndInfo){.commandBuffer = cmd, ...});
 *     ... the caller submits cmd, and once the GPU is done with it ...
 *     vkrReset(recorder);
 *
 * Conventions
 *  - A zero-initialised structure is a valid set of defaults for every optional field.
 *  - Sizes, offsets and strides are in bytes; counts are in elements (of `components` values).
 *  - A count of 0 is no element, on purpose or because it was never set; VKR_COUNT_ALL is all.
 *  - The library cannot ask a buffer for its size. A VkrView whose size is 0 or VK_WHOLE_SIZE ends
 *    where its buffer ends, which VkrView::bufferSize says; without bufferSize VK_WHOLE_SIZE is an
 *    error, and so is 0 where there is a buffer and the count is not 0. A VkrBufferRange is always
 *    as large as its size says: 0 is an empty range, which is an error wherever the call needs
 *    bytes in it, and VK_WHOLE_SIZE is an error.
 *  - Every failing call returns a VkrResult and, where the context has a message callback, says in
 *    one sentence which field was wrong, what it was and what it needs. Nothing is half done: a
 *    failed call has no effect but the sticky error of its recorder.
 *  - Once a Vulkan call of the library has returned VK_ERROR_DEVICE_LOST, the context and its
 *    recorders can only be destroyed: all their functions that return a VkrResult return
 *    VKR_ERROR_DEVICE_LOST and do nothing. But for vkrSelfTest the library never waits, so the
 *    application usually learns of a lost device first.
 *  - An application that uses volk includes volk.h before this header, or defines VK_NO_PROTOTYPES.
 *
 * Synchronisation
 *  - On entry the caller guarantees that inputs (GPU-resident counts too) are available and visible
 *    to COMPUTE_SHADER / SHADER_READ, and that earlier reads and writes of outputs are ordered
 *    before COMPUTE_SHADER / SHADER_WRITE.
 *  - On exit outputs were last written by COMPUTE_SHADER / SHADER_WRITE. vkrEnd makes them visible
 *    to the consumer that VkrEndInfo names; with none it records no closing barrier.
 *  - Operations of one recording that touch the same bytes run in the order in which they were
 *    collected; all others may overlap. Two VkBuffers bound to the same memory count as disjoint.
 *  - vkrEnd invalidates the bound compute pipeline, the compute descriptor sets and all push
 *    constants.
 *
 * Results
 *  - min, max, absmax, arg-min and arg-max compare order-preserving integer keys made from the bits
 *    in memory: exact and equal on every driver. -0 orders before +0. NaN is ignored unless
 *    VKR_NAN_PROPAGATE asks otherwise: only if all elements are NaN is the result NaN. min and max
 *    of nothing are +inf and -inf (the type's greatest and least value for integers), absmax of
 *    nothing is 0.
 *  - arg-min and arg-max give the smallest index among equal keys, so that arg-min of {+0, -0} is
 *    1. They give ~0 where there is no element or all are NaN. With VKR_NAN_PROPAGATE they give the
 *    index of the first NaN, if there is one.
 *  - Integer sum, product, sum of squares, L1 and dot wrap modulo 2^32, or 2^64 in a 64-bit
 *    accumulator.
 *  - mean and L2 are one correctly rounded division or square root (to nearest, ties to even;
 *    results that so rounded lie below the smallest normal number become +0) of a sum: for floats
 *    of the float sum, for integers of the exact sum modulo 2^64 (also of squares: the L2 norm of
 *    integers is right while the sum of their squares is below 2^64). The mean of nothing is NaN.
 *  - A float result that is NaN is the canonical quiet NaN (0x7e00, 0x7fc00000, 0x7ff8 << 48).
 *  - The result types are those that vkrGetReduceLayout reports:
 *
 *        min max and or xor      the element type
 *        absmax                  the element type, unsigned for integers
 *        sum product sumsq dot   the accumulator: 32 bits for 8- and 16-bit types and f16, else the
 *                                element type
 *        l1                      the accumulator, unsigned for integers
 *        mean l2                 f32; f64 for 64-bit element types and for an f64 accumulator
 *        argmin argmax           u32; u64 where the count can reach 2^32
 *        count nan               u64
 *
 * Determinism of float sums (sum, product, sumsq, l1, dot, mean, l2); all else is always exact
 *  - VKR_DETERMINISM_RUN, the default: the same device, driver, info and data give the same bits in
 *    every run.
 *  - VKR_DETERMINISM_NONE: no promise.
 *  - VKR_DETERMINISM_DEVICE: the same bits on every device, whatever the algorithm, subgroup size,
 *    offset, stride, window and source of the count. The value is defined by this tree, in IEEE 754
 *    arithmetic of the accumulator's type with rounding to nearest even:
 *      1. Element i of the input is replaced by +0 if it is subnormal in the element type, and
 *         widened to the accumulator. The leaf is the element, its absolute value (l1), its square
 *         (sumsq, l2) or its product with the second input's (dot).
 *      2. Elements form blocks of VKR_TREE_BLOCK (8192) by index. In a block, virtual lane v of
 *         VKR_TREE_WIDTH (128) starts at +0 (1 for product) and adds the leaves v, v + 128,
 *         v + 256, .. of the block in this order.
 *      3. For h = 64, 32, .. 1, lane v < h becomes lane v + lane (v + h). Lane 0 is the block's
 *         value.
 *      4. The block values are the leaves of the next level, until one value is left.
 *    After every addition a subnormal result is replaced by +0; after every multiplication (leaves
 *    too) one of magnitude at or below the smallest normal number is, since drivers that flush
 *    disagree on that one. Such reductions need workgroups of VKR_TREE_WIDTH, which Vulkan
 *    promises; a device without them gives VKR_ERROR_UNSUPPORTED.
 */
#ifndef VKREDUCE_VKREDUCE_H
#define VKREDUCE_VKREDUCE_H

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

/* As a count: every element that fits into the view. */
#define VKR_COUNT_ALL UINT64_MAX

/* The canonical tree of VKR_DETERMINISM_DEVICE. */
#define VKR_TREE_WIDTH 128u
#define VKR_TREE_BLOCK 8192u

/* Largest number of values in an element. */
#define VKR_MAX_COMPONENTS 4u

typedef enum VkrResult {
    VKR_SUCCESS = 0,
    VKR_ERROR_INVALID_ARGUMENT = -1, /* a field is wrong on every device */
    VKR_ERROR_UNSUPPORTED = -2,   /* valid, but not with this device, context or forced algorithm */
    VKR_ERROR_INVALID_STATE = -3, /* a call out of order, such as vkrCmdReduce before vkrBegin */
    VKR_ERROR_NOT_PREPARED = -4,  /* VKR_END_NO_COMPILE_BIT, and a pipeline is missing */
    VKR_ERROR_SCRATCH_TOO_SMALL = -5, /* VkrEndInfo::scratch is below vkrGetScratchSize */
    VKR_ERROR_OUT_OF_HOST_MEMORY = -6,
    VKR_ERROR_OUT_OF_DEVICE_MEMORY = -7,
    VKR_ERROR_DEVICE_LOST = -8,
    VKR_ERROR_VULKAN = -9, /* any other failure of a Vulkan call; the message names it */
    VKR_RESULT_MAX_ENUM = 0x7fffffff
} VkrResult;

/* Element types. 8- and 16-bit types and f16 need storage access of that size only: arithmetic is
 * 32 bits wide. */
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
    VKR_TYPE_COUNT = 12,
    VKR_TYPE_MAX_ENUM = 0x7fffffff
} VkrType;

/* Operators. A bit set of them is computed in one read of the data. Results are laid out in the
 * order of the bits. */
typedef enum VkrOp {
    VKR_OP_MIN = 1 << 0,
    VKR_OP_MAX = 1 << 1,
    VKR_OP_SUM = 1 << 2,
    VKR_OP_PRODUCT = 1 << 3,
    VKR_OP_MEAN = 1 << 4,
    VKR_OP_SUMSQ = 1 << 5,  /* sum of squares */
    VKR_OP_L1 = 1 << 6,     /* sum of absolute values */
    VKR_OP_L2 = 1 << 7,     /* square root of the sum of squares */
    VKR_OP_ABSMAX = 1 << 8, /* greatest absolute value */
    VKR_OP_ARGMIN = 1 << 9,
    VKR_OP_ARGMAX = 1 << 10,
    VKR_OP_AND = 1 << 11, /* bitwise; integers only, as are OR and XOR */
    VKR_OP_OR = 1 << 12,
    VKR_OP_XOR = 1 << 13,
    VKR_OP_COUNT = 1 << 14, /* number of elements, NaN included */
    VKR_OP_NAN = 1 << 15,   /* number of NaN elements */
    VKR_OP_DOT = 1 << 16,   /* sum of products with VkrReduceInfo::input2 */
    VKR_OP_MAX_ENUM = 0x7fffffff
} VkrOp;
#define VKR_OP_BITS 17u
typedef uint32_t VkrOpFlags;

typedef enum VkrDeterminism {
    VKR_DETERMINISM_RUN = 0,
    VKR_DETERMINISM_NONE = 1,
    VKR_DETERMINISM_DEVICE = 2,
    VKR_DETERMINISM_MAX_ENUM = 0x7fffffff
} VkrDeterminism;

typedef enum VkrNan {
    VKR_NAN_IGNORE = 0,
    VKR_NAN_PROPAGATE = 1,
    VKR_NAN_MAX_ENUM = 0x7fffffff
} VkrNan;

/* How the work is cut into dispatches. All give the same exact results; float sums may differ below
 * level DEVICE. */
typedef enum VkrReduceAlgorithm {
    /* Serves every valid request; at level DEVICE, where a block of the tree fits
     * maxStorageBufferRange (strides below 16 KiB on every device). */
    VKR_REDUCE_AUTO = 0,
    /* One dispatch; the workgroup that finishes last combines the partials. */
    VKR_REDUCE_SINGLE = 1,
    /* Two steps: subgroup operations to one partial per workgroup, then one group combines. */
    VKR_REDUCE_SUBGROUP = 2,
    /* Shared-memory tree, one element per invocation, again over the partials (Ramalho 2014). */
    VKR_REDUCE_TREE = 3,
    /* In place: workgroup k of W reads (id + k W) W^step and writes k W^(step + 1) (OPENRNDR). */
    VKR_REDUCE_RECURSIVE = 4,
    /* Of segments only, which take no other: */
    VKR_REDUCE_LANES = 5,  /* an invocation each; windows of more than a few elements by way of
                            * partials of aligned blocks, of blocks of these, and so on */
    VKR_REDUCE_MERGE = 6,  /* a few invocations of a subgroup together take as many segments as they
                            * are: multi-reduction (Parker, MacKinnon 2017) */
    VKR_REDUCE_GROUPS = 7, /* a workgroup each */
    VKR_REDUCE_SPLIT = 8,  /* several workgroups each */
    VKR_REDUCE_ALGORITHM_COUNT = 9,
    VKR_REDUCE_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrReduceAlgorithm;

/* The ladder of ways to talk inside a workgroup, best first. A context uses the first one its
 * device has. */
typedef enum VkrRung {
    VKR_RUNG_AUTO = 0,
    VKR_RUNG_ARITHMETIC = 1, /* subgroup arithmetic and shuffle */
    VKR_RUNG_SHUFFLE = 2,    /* subgroup shuffle */
    VKR_RUNG_SHARED = 3,     /* shared memory */
    VKR_RUNG_COUNT = 4,
    VKR_RUNG_MAX_ENUM = 0x7fffffff
} VkrRung;

/*
 * Whether a waiting workgroup may rely on others to advance. Right answers never depend on it: what
 * waits does so for a bounded time and then does the others' work itself. This says whether waiting
 * pays.
 */
typedef enum VkrForwardProgress {
    VKR_FORWARD_PROGRESS_AUTO = 0, /* the single-pass algorithms can be asked for; AUTO algorithms
                                    * choose them where the tuning says that they are faster */
    VKR_FORWARD_PROGRESS_NONE = 1, /* they are an error, and never chosen */
    VKR_FORWARD_PROGRESS_OCCUPANCY = 2, /* a workgroup that has started keeps running: AUTO
                                         * algorithms choose them wherever they can serve */
    VKR_FORWARD_PROGRESS_MAX_ENUM = 0x7fffffff
} VkrForwardProgress;

/* What the library can use of a device. */
typedef enum VkrFeature {
    VKR_FEATURE_PUSH_DESCRIPTOR = 1 << 0,
    VKR_FEATURE_SUBGROUP_SIZE_CONTROL = 1 << 1, /* pipelines know their true subgroup size */
    VKR_FEATURE_STORAGE_8BIT = 1 << 2,          /* i8, u8 */
    VKR_FEATURE_STORAGE_16BIT = 1 << 3,         /* i16, u16, f16 */
    VKR_FEATURE_INT64 = 1 << 4,                 /* i64, u64 */
    VKR_FEATURE_FLOAT64 = 1 << 5,               /* f64, with INT64 */
    VKR_FEATURE_MAX_ENUM = 0x7fffffff
} VkrFeature;
#define VKR_FEATURE_BITS 6u
typedef uint32_t VkrFeatureFlags;

typedef struct VkrContext_T *VkrContext;
typedef struct VkrRecorder_T *VkrRecorder;

/* Called with one complete sentence for every error, from the thread that made the failing call. */
typedef void (*PFN_vkrMessage)(void *userData, VkrResult result, const char *sentence);

/* ---- Devices ---- */

typedef struct VkrRequirement {
    VkrFeature feature; /* 0 for a requirement that is no option */
    const char *name;   /* the Vulkan feature, limit or extension */
    VkBool32 available;
    VkBool32 required;   /* without it vkrCreateContext fails */
    const char *without; /* what its absence costs: one sentence */
} VkrRequirement;

#define VKR_MAX_REQUIREMENTS 16u
#define VKR_MAX_EXTENSIONS 8u

/*
 * What to enable on a device so that the library can use all of it. `features` heads a chain that
 * can be handed to VkDeviceCreateInfo::pNext as it is, with nothing but available features set; the
 * chain points into this very structure, so do not copy it. Applications with a chain of their own
 * take the bits they lack.
 */
typedef struct VkrDeviceRequirements {
    VkBool32 usable; /* all that is required is available */
    uint32_t extensionCount;
    const char *extensions[VKR_MAX_EXTENSIONS];
    uint32_t requirementCount;
    VkrRequirement requirements[VKR_MAX_REQUIREMENTS];
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDevice16BitStorageFeatures storage16;
    VkPhysicalDevice8BitStorageFeatures storage8;
    VkPhysicalDeviceSubgroupSizeControlFeatures subgroupSizeControl;
} VkrDeviceRequirements;

typedef struct VkrDeviceRequirementsInfo {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    /* What the application asks for in VkApplicationInfo: at least 1.1; 0 is 1.1. */
    uint32_t apiVersion;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* NULL: the system's Vulkan loader */
    PFN_vkrMessage message;                        /* optional */
    void *messageData;
} VkrDeviceRequirementsInfo;

/*
 * Before device creation. A device that lacks what is required is no error: `usable` is VK_FALSE
 * then, and the requirements say why. Thread-safe.
 */
VKR_API VkrResult vkrGetDeviceRequirements(const VkrDeviceRequirementsInfo *info,
                                           VkrDeviceRequirements *requirements);

/* ---- Context ---- */

typedef enum VkrContextFlagBits {
    /* VK_EXT_debug_utils is enabled on the instance: labels and object names are set. */
    VKR_CONTEXT_DEBUG_UTILS_BIT = 1 << 0,
    VKR_CONTEXT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrContextFlagBits;

/* Limits below the device's own, to test windows, group limits and what large counts need on small
 * data. 0 keeps the device's. */
typedef struct VkrLimits {
    VkDeviceSize maxStorageBufferRange; /* at least 65,536 */
    uint32_t maxComputeWorkGroupCount;  /* of dimension 0; dimension 1 keeps the device's */
    VkrRung rung;                       /* the best rung to use */
    VkrFeatureFlags disabledFeatures;
    VkBool32 wideIndices; /* indices are u64, as if counts could reach 2^32 */
    uint32_t mutedTile;   /* 1 + the tile of single-pass algorithms that never publishes anything */
} VkrLimits;

/* How an invocation walks its share of the input. */
typedef enum VkrLoadOrder {
    VKR_LOAD_COALESCED = 0,  /* invocations side by side */
    VKR_LOAD_CONTIGUOUS = 1, /* each on a run of its own */
    VKR_LOAD_ORDER_COUNT = 2,
    VKR_LOAD_ORDER_MAX_ENUM = 0x7fffffff
} VkrLoadOrder;

/* How it loads. The wide ones serve tightly packed views; what they cannot reach (heads and tails,
 * strides, elements that never meet a load's alignment) goes by element. */
typedef enum VkrLoadPath {
    VKR_LOAD_ELEMENT = 0,
    VKR_LOAD_VEC4 = 1,  /* 16 bytes of a storage buffer, as four words */
    VKR_LOAD_U64 = 2,   /* 32 bytes, as four words of 64 bits; VEC4 where there is no INT64 */
    VKR_LOAD_TEXEL = 3, /* 16 bytes of VkrView::texels */
    VKR_LOAD_PATH_COUNT = 4,
    VKR_LOAD_PATH_MAX_ENUM = 0x7fffffff
} VkrLoadPath;

typedef enum VkrOperation {
    VKR_OPERATION_REDUCE = 0,
    VKR_OPERATION_SCAN = 1,
    VKR_OPERATION_COMPACT = 2,
    VKR_OPERATION_COUNT = 3,
    VKR_OPERATION_MAX_ENUM = 0x7fffffff
} VkrOperation;

/* Geometry and loads of an operation on values of one size, in views with or without texels.
 * Results never depend on it, but for the bits of float sums below level DEVICE. */
typedef struct VkrTuning {
    VkrOperation operation;
    uint32_t valueSize;         /* bytes: 1, 2, 4 or 8 */
    VkBool32 texels;            /* for views that have VkrView::texels */
    uint32_t workgroupSize;     /* a power of two up to 1024; 0: one subgroup */
    uint32_t treeWorkgroupSize; /* of algorithms of one element per invocation;
                                 * a power of two from 2 on */
    uint32_t oneGroupBytes;     /* inputs up to this size are for one workgroup */
    uint32_t minBytes;          /* that an invocation reads before there are more workgroups */
    uint32_t maxBytes;          /* that it reads at most of larger inputs: 16 to 262,144 */
    uint32_t maxGroups;         /* more bytes per invocation beyond, up to maxBytes */
    VkrLoadOrder order;
    VkrLoadPath path;   /* TEXEL only where texels is set */
    uint32_t flight;    /* times 16 bytes that it starts to load before it uses any: 1 to 32; fewer
                       * where many operators share a read */
    uint32_t tileBytes; /* that an invocation of a single-pass algorithm has: up to 65,536 */
    VkBool32 lookBack;  /* AUTO chooses single-pass algorithms where they serve */
} VkrTuning;

typedef struct VkrContextInfo {
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    uint32_t apiVersion; /* as in VkrDeviceRequirementsInfo */
    uint32_t flags;      /* VkrContextFlagBits */
    /* What was enabled on the device: the VkDeviceCreateInfo::pNext chain (or NULL, and then
     * VkDeviceCreateInfo::pEnabledFeatures), and its extensions. Only what is named is used. */
    const void *enabledFeatureChain;
    const VkPhysicalDeviceFeatures *enabledFeatures;
    uint32_t enabledExtensionCount;
    const char *const *enabledExtensions;
    PFN_vkGetInstanceProcAddr getInstanceProcAddr; /* NULL: the system's Vulkan loader */
    VkPipelineCache pipelineCache;                 /* optional; outlives the context; not
                                                    * externally synchronised */
    const VkAllocationCallbacks *allocator; /* optional; copied; for host and Vulkan objects */
    PFN_vkrMessage message;
    void *messageData;
    VkrForwardProgress forwardProgress;
    VkrLimits limits;
    /* Optional: text of vkrWriteProfile, which replaces the built-in tuning. One that is malformed
     * (VKR_ERROR_INVALID_ARGUMENT) or of another device, driver build or subgroup size
     * (VKR_ERROR_UNSUPPORTED) is refused. */
    const char *profile;
    size_t profileSize; /* without a terminating zero */
} VkrContextInfo;

typedef struct VkrContextProperties {
    VkrFeatureFlags features;
    VkrRung rung;
    uint32_t subgroupSize;              /* as the device reports it; nothing relies on it */
    VkDeviceSize maxStorageBufferRange; /* after VkrLimits */
    uint32_t maxComputeWorkGroupCount[3];
    uint32_t maxWorkgroupSize; /* largest VkrReduceInfo::workgroupSize */
    VkDeviceSize granule;      /* minStorageBufferOffsetAlignment, at least 32 */
    VkBool32 documents; /* scans by passes are there: this build's option documents is true */
} VkrContextProperties;

/*
 * The library's view of one VkDevice. The handles in `info` must outlive the context; the context
 * does not own them. All functions that take a context may be called from any thread. Fails with
 * VKR_ERROR_UNSUPPORTED on a device that lacks a requirement. Destroy it after all its recorders;
 * NULL is ignored.
 */
VKR_API VkrResult vkrCreateContext(const VkrContextInfo *info, VkrContext *context);
VKR_API void vkrDestroyContext(VkrContext context);
VKR_API void vkrGetContextProperties(VkrContext context, VkrContextProperties *properties);

/* The row that operations of the context use for values of a size (1, 2, 4 or 8 bytes). */
VKR_API VkrResult vkrGetTuning(VkrContext context, VkrOperation operation, uint32_t valueSize,
                               VkBool32 texels, VkrTuning *tuning);

/*
 * Writes rows as a profile of this context's device: lines of text, to be kept in a file and handed
 * to VkrContextInfo::profile. With text NULL, *size becomes the number of bytes; else *size is the
 * room there is and becomes what was written, no terminating zero. What has no row keeps its
 * built-in one.
 */
VKR_API VkrResult vkrWriteProfile(VkrContext context, uint32_t tuningCount,
                                  const VkrTuning *tunings, size_t *size, char *text);

typedef struct VkrSelfTestInfo {
    VkQueue queue; /* compute-capable; externally synchronised during the call */
    uint32_t queueFamilyIndex;
} VkrSelfTestInfo;

typedef struct VkrSelfTestReport {
    VkrRung before; /* the rung in use when the call began, and when it ended */
    VkrRung after;
    uint32_t checks[VKR_RUNG_COUNT]; /* results compared on each rung */
    uint32_t wrong[VKR_RUNG_COUNT];  /* that were not right */
} VkrSelfTestReport;

/*
 * Runs small reductions, scans and compactions with known answers on the rung in use and on those
 * below it, says through the message callback which rungs gave wrong ones, and steps down to the
 * best that gave none.
 * (What always uses shared memory, such as level DEVICE, trusts wrong[VKR_RUNG_SHARED] to be 0.)
 * Fails with VKR_ERROR_UNSUPPORTED where no rung is right: then the context must not be used. After
 * any other failure it is as before.
 *
 * The only call that submits and waits; it creates and destroys what it needs. Work that has not
 * ended after a minute is VKR_ERROR_DEVICE_LOST, and what it uses is freed with the context:
 * destroy that once the queue is idle or the device lost. Call it right after vkrCreateContext, or
 * at least while no recorder is collecting and no other thread uses the context. `report` may be
 * NULL.
 */
VKR_API VkrResult vkrSelfTest(VkrContext context, const VkrSelfTestInfo *info,
                              VkrSelfTestReport *report);

/* Whether elements of a type can be reduced with this context, and accumulators have it: by the
 * device, and by what this build of the library has (its option types). */
VKR_API VkBool32 vkrIsTypeSupported(VkrContext context, VkrType type);

/* ---- Views ---- */

/* A range of a buffer: exactly `size` bytes. */
typedef struct VkrBufferRange {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
} VkrBufferRange;

/*
 * A VkBufferView of VK_FORMAT_R32G32B32A32_UINT on the buffer of a VkrView, which some devices read
 * faster than a storage buffer (vkrGetTuning says whether this one does: VKR_LOAD_TEXEL). offset
 * and size are those of its VkBufferViewCreateInfo, in bytes: offset at or before the view's, the
 * end at most 15 bytes before the view's. The buffer needs UNIFORM_TEXEL_BUFFER usage; the buffer
 * view must live until execution ends. It is a hint: results are the same with and without, but for
 * the bits of float sums below level DEVICE.
 */
typedef struct VkrTexels {
    VkBufferView view; /* VK_NULL_HANDLE: none */
    VkDeviceSize offset;
    VkDeviceSize size;
} VkrTexels;

/*
 * A typed window on the caller's data. Element i lies at offset + i * stride and has `components`
 * consecutive values. offset and stride are multiples of the type's size; stride 0 means tightly
 * packed, components 0 means 1. The view holds every element that lies wholly below offset + size,
 * which must be in the buffer. Buffers need STORAGE_BUFFER usage.
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
} VkrView;

/* An element count that the GPU reads when the work executes: u32 (type 0 or VKR_TYPE_U32) or u64,
 * little-endian, at an offset that is a multiple of 4. It is clamped to the host's count. */
typedef struct VkrGpuCount {
    VkBuffer buffer; /* VK_NULL_HANDLE: the count is the host's */
    VkDeviceSize offset;
    VkrType type;
} VkrGpuCount;

typedef enum VkrFlagFormat {
    VKR_FLAGS_U32 = 0,  /* set where not 0 */
    VKR_FLAGS_U8 = 1,   /* likewise; needs VKR_FEATURE_STORAGE_8BIT */
    VKR_FLAGS_BITS = 2, /* flag i is bit i % 32 of the u32 i / 32; offset a multiple of 4 */
    VKR_FLAG_FORMAT_COUNT = 3,
    VKR_FLAG_FORMAT_MAX_ENUM = 0x7fffffff
} VkrFlagFormat;

/* A flag per element. */
typedef struct VkrFlags {
    VkrFlagFormat format;
    VkrBufferRange range; /* holds a flag for every element below the host's count */
} VkrFlags;

/* ---- Segments ---- */

typedef enum VkrSegmentKind {
    VKR_SEGMENTS_NONE = 0,
    VKR_SEGMENTS_FLAGS = 1, /* scans: a segment starts where VkrSegments::flags says so */
    VKR_SEGMENTS_ROWS = 2,  /* runs of `length` elements; of scans the last one may be shorter */
    /* Scans: a segment starts at each of VkrSegments::offsets; those at or past the count start
     * none. Reductions: segment i runs from offset i to offset i + 1, which must not be less. */
    VKR_SEGMENTS_OFFSETS = 3,
    VKR_SEGMENTS_COLUMNS = 4, /* reductions: of rows of `length` elements the i-th of every row */
    VKR_SEGMENTS_WINDOWS = 5, /* reductions: every run of `length` consecutive elements */
    VKR_SEGMENT_KIND_COUNT = 6,
    VKR_SEGMENT_KIND_MAX_ENUM = 0x7fffffff
} VkrSegmentKind;

/*
 * Independent parts of the data.
 *
 * A scan starts anew in each, with the initial value; element 0 always starts one. Reversed, it
 * runs from a segment's last element to its first.
 *
 * A reduction gives a result for each: count / length of rows, and length of columns, where count
 * must be a multiple of length; count - length + 1 of windows, none where count is less than
 * length; of offsets one less than there are. A GPU-resident count cuts segments off: each has
 * those of its elements that lie below it, perhaps none.
 */
typedef struct VkrSegments {
    VkrSegmentKind kind;
    VkrFlags flags;
    uint64_t length;
    /* Element indices, at a multiple of 4; those of empty segments repeat. A scan takes an empty
     * range too: all elements are one segment then. */
    VkrBufferRange offsets;
    VkrType offsetType;     /* UNDEFINED: u32; U32 or U64 */
    /* Reductions by offsets: the number of segments, if the GPU knows it; clamped to what `offsets`
     * holds. Results of segments from there on are not written. */
    VkrGpuCount gpuCount;
} VkrSegments;

/* ---- Reduce ---- */

typedef enum VkrReduceFlagBits {
    /* The caller gives the input up: VKR_REDUCE_RECURSIVE works in place on it and leaves the
     * result in element 0 as well as in the output. Takes one operator whose partial results have
     * the element type: min, max, and, or, xor, and sum, product, mean where the accumulator is the
     * element type; one window; any number of components. Every element at an index below the
     * host's count may be overwritten. */
    VKR_REDUCE_CONSUME_INPUT_BIT = 1 << 0,
    VKR_REDUCE_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrReduceFlagBits;

/*
 * A reduction of data that is not all on the device at once. The whole of `count` elements is cut
 * into pieces; vkrCmdReduce is called once for each, in any number of recordings that execute in
 * order, with everything the same but input, count and `first`. Each call leaves its piece's
 * partials in `partials`; the one whose piece ends the whole combines them all and writes the
 * output. Indices count from the start of the whole, and at level DEVICE the bits are those of the
 * whole. Takes no gpuCount, no VKR_REDUCE_CONSUME_INPUT_BIT and algorithm AUTO or SUBGROUP.
 * VkrReduceLayout::partialsSize says how much room `partials` needs; nothing else may be written
 * there in between.
 */
typedef struct VkrPieces {
    VkrBufferRange partials; /* null buffer: the input is the whole */
    uint64_t first;          /* index of the piece's element 0; a multiple of VKR_TREE_BLOCK, as is
                              * the count of every piece but the last */
    uint64_t count;          /* elements of the whole */
} VkrPieces;

typedef struct VkrReduceInfo {
    const char *label; /* optional: names the work in a capture and in messages */
    VkrOpFlags ops;    /* one or more VkrOp */
    VkrView input;
    VkrView input2; /* for VKR_OP_DOT: the same type and components, its own stride; else ignored */
    /* Elements; VKR_COUNT_ALL is the whole view. 0, which a zero-initialised structure has, is no
     * element: the results are those of nothing. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrBufferRange output; /* where vkrGetReduceLayout's results go; may overlap the input, but not
                            * where there are segments */
    VkrType accumulator;   /* UNDEFINED: default; I64, U64: integers of that sign; F64: floats */
    VkrNan nan;
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two; at level DEVICE 0 or VKR_TREE_WIDTH */
    uint32_t flags;         /* VkrReduceFlagBits */
    VkrPieces pieces;       /* optional */
    /* Optional: a reduction of each segment, in one go; ROWS, COLUMNS, WINDOWS or OFFSETS. Takes no
     * pieces and no flags. Indices count from a segment's first element, level DEVICE is the tree
     * of each segment, and an empty segment gives the identities. The output must be apart from all
     * that is read. What must fit maxStorageBufferRange: the input, offsets and results of OFFSETS;
     * a window of WINDOWS, and partials of its blocks; at level DEVICE 8192 rows of COLUMNS. */
    VkrSegments segments;
} VkrReduceInfo;

typedef struct VkrReduceResult {
    VkrType type;        /* UNDEFINED where the operator is not in the set */
    VkDeviceSize offset; /* of component 0, from output.offset; components are consecutive */
} VkrReduceResult;

/*
 * Where each result lies in the output: in the order of the operator bits, each aligned to its own
 * element size (scalar block layout). Two operations of one recording whose outputs lie at least
 * `spacing` apart never share a descriptor granule; packed outputs give the same results, but
 * synchronisation validation, which sees whole granules, may report them.
 */
typedef struct VkrReduceLayout {
    uint32_t components;
    VkDeviceSize alignment; /* of VkrReduceInfo::output.offset */
    VkDeviceSize size;
    VkDeviceSize spacing;
    VkDeviceSize partialsSize; /* of VkrPieces::partials for pieces.count elements */
    uint64_t segments;         /* 1 without */
    VkDeviceSize stride;       /* bytes from a segment's results to those of the next */
    VkrReduceResult results[VKR_OP_BITS]; /* by bit number; vkrGetReduceResult takes a VkrOp */
} VkrReduceLayout;

/* Reads ops, input's type, components, count and sizes, accumulator, pieces.count if it is not 0,
 * and kind, length, offsetType and the size of offsets of segments; buffers may be null and output
 * empty. */
VKR_API VkrResult vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info,
                                     VkrReduceLayout *layout);

/* The result of an operator in `layout`, which must outlive its use. NULL where the operator is not
 * one of those that the layout was made for, or `op` is not exactly one operator. */
VKR_API const VkrReduceResult *vkrGetReduceResult(const VkrReduceLayout *layout, VkrOp op);

/* ---- Scan, compaction ---- */

#include "scan.h"
#include "compact.h"

/* ---- Recorder ---- */

typedef struct VkrRecorderInfo {
    const char *label;
    VkDeviceSize scratchChunkSize; /* smallest piece of scratch memory to allocate; 0: 1 MiB */
} VkrRecorderInfo;

typedef enum VkrEndFlagBits {
    /* Fail with VKR_ERROR_NOT_PREPARED rather than compile a pipeline. */
    VKR_END_NO_COMPILE_BIT = 1 << 0,
    VKR_END_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrEndFlagBits;

typedef struct VkrEndInfo {
    /* In the recording state, outside a render pass, of a family with compute; secondary command
     * buffers are fine. */
    VkCommandBuffer commandBuffer;
    uint32_t flags; /* VkrEndFlagBits */
    /* Who reads the outputs next. Both 0: no closing barrier. */
    VkPipelineStageFlags consumerStages;
    VkAccessFlags consumerAccess;
    /* Scratch of the caller's, STORAGE_BUFFER and TRANSFER_DST usage, its offset a multiple of the
     * context's granule, not used by anything else until the work has executed. Without
     * a buffer the recorder uses its own. */
    VkrBufferRange scratch;
} VkrEndInfo;

/* One access of the recording, as data for a render graph. Buffers and images are told apart by the
 * null handle. */
typedef struct VkrUse {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image;
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} VkrUse;

/*
 * Collects operations and records them. One thread at a time; one recorder per frame in flight. It
 * owns descriptor sets and scratch memory that recorded command buffers use: do not destroy or
 * reset it before they have executed. Besides scratch, and also where that is the caller's, it has
 * a little memory that nothing ever reads or writes (a granule for each dispatch, 64 KiB at first):
 * what a kernel can bind but a dispatch does not use is bound there, so that neither validation nor
 * a driver sees an access to the caller's memory that does not happen. NULL is ignored by
 * vkrDestroyRecorder.
 */
VKR_API VkrResult vkrCreateRecorder(VkrContext context, const VkrRecorderInfo *info,
                                    VkrRecorder *recorder);
VKR_API void vkrDestroyRecorder(VkrRecorder recorder);

/* Starts a recording; forgets operations that were collected and not ended, and their error. */
VKR_API VkrResult vkrBegin(VkrRecorder recorder);

/*
 * Collects a reduction. An error is sticky: later calls up to vkrEnd return it and vkrEnd records
 * nothing. `info` is not kept; the buffers it names are used when the command buffer executes.
 */
VKR_API VkrResult vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *info);

/* Bytes of scratch that the operations collected so far need, for VkrEndInfo::scratch. */
VKR_API VkrResult vkrGetScratchSize(VkrRecorder recorder, VkDeviceSize *size);

/* Compiles the pipelines, and allocates the descriptor sets and the recorder's own scratch, that
 * vkrEnd will need. */
VKR_API VkrResult vkrPrepare(VkrRecorder recorder);

/*
 * The caller's resources that the collected operations touch, one entry per resource, range and
 * kind of access. With uses NULL, *useCount becomes their number; else at most *useCount are
 * written and *useCount becomes how many.
 */
VKR_API VkrResult vkrGetUses(VkrRecorder recorder, uint32_t *useCount, VkrUse *uses);

/*
 * Records everything and forgets it, also where it fails. All memory, sets and pipelines are
 * acquired before the first command, so a failed call has recorded nothing. The command buffer may
 * be submitted again, but not concurrently with itself, until vkrReset.
 */
VKR_API VkrResult vkrEnd(VkrRecorder recorder, const VkrEndInfo *info);

/* Reuses scratch and descriptor sets: the GPU must be done with everything recorded. Keeps the
 * memory. Not between vkrBegin and vkrEnd. */
VKR_API VkrResult vkrReset(VkrRecorder recorder);

/* ---- Names ---- */

/* Static strings in the words of the command line ("argmin", "f32", "subgroup", "shuffle"); "?" for
 * no such value. */
VKR_API const char *vkrOpName(VkrOp op);
VKR_API const char *vkrTypeName(VkrType type);
VKR_API const char *vkrReduceAlgorithmName(VkrReduceAlgorithm algorithm);
VKR_API const char *vkrRungName(VkrRung rung);
VKR_API const char *vkrLoadOrderName(VkrLoadOrder order);
VKR_API const char *vkrLoadPathName(VkrLoadPath path);
VKR_API const char *vkrOperationName(VkrOperation operation);
VKR_API const char *vkrResultName(VkrResult result);

/* Bytes of one value; 0 for no such type. */
VKR_API uint32_t vkrTypeSize(VkrType type);

#ifdef __cplusplus
}
#endif

#endif
