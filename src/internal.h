/* SPDX-License-Identifier: MIT */
/* What the parts of the library know of each other. */
#ifndef VKR_INTERNAL_H
#define VKR_INTERNAL_H

#define VK_NO_PROTOTYPES
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <pthread.h>
#include <vulkan/vulkan.h>

#include "vkreduce/vkreduce.h"
#include "../shaders/interface.h"
#include "commands.h"
#include "kernels.h"

#if defined(__GNUC__)
#define VKR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define VKR_PRINTF(text, first)
#endif

#define VKR_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* ---- types.c: the tables ---- */

typedef struct vkr_type_info {
    const char *name;
    uint32_t size;
    bool is_float;
    bool is_signed;
    VkrFeatureFlags features; /* what a device needs to load and compute with it */
    VkrType accumulator;      /* default */
    VkrType wide;             /* the other accumulator, UNDEFINED if there is none */
    VkrType unsigned_type;    /* itself for floats */
} vkr_type_info;

typedef enum vkr_result_kind {
    VKR_RESULT_ELEMENT, /* the element type */
    VKR_RESULT_ELEMENT_UNSIGNED,
    VKR_RESULT_ACCUMULATOR,
    VKR_RESULT_ACCUMULATOR_UNSIGNED,
    VKR_RESULT_REAL,  /* f32 or f64 */
    VKR_RESULT_INDEX, /* u32 or u64 */
    VKR_RESULT_COUNT, /* u64 */
} vkr_result_kind;

typedef struct vkr_op_info {
    const char *name;
    vkr_result_kind result;
    bool integers_only;
    bool ordered;  /* the order of evaluation matters for floats */
    bool in_place; /* partial results can stand in for elements (VKR_REDUCE_CONSUME_INPUT_BIT) */
} vkr_op_info;

extern const vkr_type_info vkr_types[VKR_TYPE_COUNT];
extern const vkr_op_info vkr_ops[VKR_OP_BITS];

/* ---- context.c ---- */

/* Bytes of a load in packs, and of the widest one: a descriptor's start is a multiple of it. */
#define VKR_PACK 16u
#define VKR_MAX_PACK 32u

/* What the planners need to know of a device: plain data, so that they run without one. */
typedef struct vkr_caps {
    VkrFeatureFlags features;
    VkrRung rung;
    uint32_t subgroup_size; /* as reported */
    uint32_t
        min_subgroup_size; /* for sizing shared memory; never above 4, since reports are wrong */
    uint32_t max_subgroup_size;  /* for full subgroups */
    uint32_t sure_subgroup_size; /* of a workgroup that is one full subgroup; 0: not known */
    VkDeviceSize max_range;
    uint32_t max_groups[3];
    uint32_t max_workgroup_size; /* power of two */
    uint32_t max_shared_memory;
    uint32_t granule; /* minStorageBufferOffsetAlignment, at least VKR_MAX_PACK */
    VkPhysicalDeviceType device_type;
    uint32_t vendor_id;
    uint32_t device_id;
    uint32_t driver_build; /* its version, and its pipeline cache's UUID */
    bool wide_indices;     /* whatever the count */
    uint32_t muted_tile;   /* as VkrLimits::mutedTile */
} vkr_caps;

#define VKR_MAX_CONSTANTS 16

/* A kernel with its specialisation. Constant i has specialisation id i. */
typedef struct vkr_variant {
    uint32_t kernel; /* VKR_KERNEL_* */
    uint32_t constant_count;
    uint32_t constants[VKR_MAX_CONSTANTS];
} vkr_variant;

/* VK_EXT_debug_utils, whose commands are asked of the instance; set where debug_utils is. */
typedef struct vkr_debug {
    PFN_vkSetDebugUtilsObjectNameEXT set_name;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label;
} vkr_debug;

/* A row per operation, without and with texels, and value size of 1, 2, 4 and 8 bytes. */
#define VKR_VALUE_SIZES 4u
typedef VkrTuning vkr_tunings[VKR_OPERATION_COUNT][2 * VKR_VALUE_SIZES];

#define VKR_PIPELINE_LISTS 1024u

struct vkr_pipeline;  /* pipeline.c: one compiled variant, in a list under the context's lock */
struct vkr_self_test; /* selftest.c: what vkrSelfTest uses */

struct VkrContext_T {
    VkInstance instance;
    VkPhysicalDevice physical_device;
    VkDevice device;
    PFN_vkGetInstanceProcAddr get_instance_proc_addr;
    void *loader; /* of dlopen, or NULL */
    vkr_commands vk;
    bool debug_utils;
    vkr_debug debug;
    VkPipelineCache pipeline_cache;
    bool has_allocator;
    VkAllocationCallbacks allocator;
    PFN_vkrMessage message;
    void *message_data;
    VkrForwardProgress forward_progress;
    atomic_bool lost; /* a Vulkan call found the device lost; never cleared */
    vkr_caps caps;
    vkr_tunings tunings;
    VkPhysicalDeviceMemoryProperties memory;
    VkDescriptorSetLayout set_layout; /* storage buffers, and texels behind them; compute stage */
    VkPipelineLayout pipeline_layout; /* that set, and VKR_MAX_PUSH bytes of push constants */
    pthread_mutex_t lock;             /* guards pipelines */
    struct vkr_pipeline *pipelines[VKR_PIPELINE_LISTS]; /* by a hash of their variants */
    struct vkr_self_test *self_test; /* one that did not end: the device may still use it */
};

/* The context's VkAllocationCallbacks, or NULL. */
const VkAllocationCallbacks *vkr_allocator(const struct VkrContext_T *context);

/* Host memory through them: zeroed; NULL when out of memory. vkr_grow keeps the old contents,
 * and the old block where it fails. vkr_free takes NULL. */
void *vkr_alloc(const struct VkrContext_T *context, size_t size);
void *vkr_grow(const struct VkrContext_T *context, void *old, size_t old_size, size_t new_size);
void vkr_free(const struct VkrContext_T *context, void *pointer);

/* ---- device.c ---- */

/* What a physical device has, as far as the application's API version lets it be used. */
typedef struct vkr_device_facts {
    uint32_t version; /* the lesser of the application's and the device's */
    VkPhysicalDeviceProperties properties;
    VkrRung rung; /* the best one */
    uint32_t subgroup_size;
    uint32_t min_subgroup_size; /* both are subgroup_size without subgroup size control */
    uint32_t max_subgroup_size;
} vkr_device_facts;

/* What vkrGetDeviceRequirements and vkrCreateContext check alike; `call` goes into the sentence. */
VkrResult vkr_check_handle(const struct VkrContext_T *context, const char *call, const char *name,
                           const void *handle);
VkrResult vkr_check_version(const struct VkrContext_T *context, const char *call, uint32_t version);

/* Where the caller gave no vkGetInstanceProcAddr, opens the system's Vulkan loader; context->loader
 * is then for dlclose. */
VkrResult vkr_find_loader(struct VkrContext_T *context, const char *call);

/* Of the context's physical device, with its memory and messages. */
VkrResult vkr_query_device(struct VkrContext_T *context, const char *call, uint32_t version,
                           vkr_device_facts *facts, VkrDeviceRequirements *requirements);

/* The extension that a feature needs at an API version, or NULL. */
const char *vkr_feature_extension(VkrFeature feature, uint32_t version);

/* What Vulkan calls the first feature of a set. */
const char *vkr_feature_name(VkrFeatureFlags features);

/* ---- message.c ---- */

/* Formats one sentence, hands it to the message callback (if any) and returns `result`. */
VkrResult vkr_fail(const struct VkrContext_T *context, VkrResult result, const char *format, ...)
    VKR_PRINTF(3, 4);

/* The sentence of a build whose option `types` leaves out what elements of a type need, or their
 * wide accumulator. */
VkrResult vkr_fail_left_out(const struct VkrContext_T *context, const char *call,
                            const vkr_type_info *type, bool wide);

/* The same for a failed Vulkan call: "vkCreateBuffer failed with VK_ERROR_...". The one place that
 * learns of a lost device. */
VkrResult vkr_fail_vk(struct VkrContext_T *context, VkResult result, const char *call);

/* Fails for good once the device is lost: what every public function that needs it starts with. */
VkrResult vkr_check_device(const struct VkrContext_T *context, const char *call);

/* ---- pipeline.c ---- */

/* Finds or compiles a variant. Without compile, a missing one is VKR_ERROR_NOT_PREPARED. */
VkrResult vkr_get_pipeline(VkrContext context, const vkr_variant *variant, bool compile,
                           VkPipeline *pipeline);
void vkr_destroy_pipelines(VkrContext context);

/* ---- scratch.c ---- */

/* The first allowed memory type with all that is needed and wanted, or else with what is needed;
 * fails with a sentence where there is none. */
VkrResult vkr_choose_memory_type(const struct VkrContext_T *context, uint32_t allowed,
                                 VkMemoryPropertyFlags needed, VkMemoryPropertyFlags wanted,
                                 uint32_t *type);

/* ---- selftest.c ---- */

void vkr_destroy_self_test(VkrContext context, struct vkr_self_test *test);

/* ---- levels.c, schedule.c: steps, levels, barriers ---- */

#define VKR_MAX_BINDINGS 8 /* storage buffers */
#define VKR_MAX_WRITES (VKR_MAX_BINDINGS + 1)
#define VKR_MAX_PUSH 128
#define VKR_MAX_ACCESSES 12

/* Every kernel's bindings have room in a step. */
_Static_assert(VKR_REDUCE_BINDINGS <= VKR_MAX_BINDINGS, "VKR_REDUCE_BINDINGS");
_Static_assert(VKR_SCAN_BINDINGS <= VKR_MAX_BINDINGS, "VKR_SCAN_BINDINGS");
_Static_assert(VKR_COMPACT_BINDINGS <= VKR_MAX_BINDINGS, "VKR_COMPACT_BINDINGS");
_Static_assert(VKR_PAYLOAD_BINDINGS <= VKR_MAX_BINDINGS, "VKR_PAYLOAD_BINDINGS");
_Static_assert(VKR_HEADS_BINDINGS <= VKR_MAX_BINDINGS, "VKR_HEADS_BINDINGS");
_Static_assert(VKR_ARGUMENTS + 1 <= VKR_MAX_BINDINGS, "VKR_ARGUMENTS");
_Static_assert(VKR_BINDING_TEXELS == VKR_MAX_BINDINGS, "VKR_BINDING_TEXELS");

/* Stands for the recording's scratch in bindings and accesses until vkrEnd knows the buffer;
 * offsets are relative to the start of that scratch. */
#define VKR_SCRATCH ((VkBuffer)(uintptr_t)UINTPTR_MAX)

/* A range of a buffer, or subresources of an image, that a step reads or writes. */
typedef struct vkr_access {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    VkImage image; /* used where buffer is null */
    VkImageSubresourceRange subresource;
    VkPipelineStageFlags stages;
    VkAccessFlags access;
} vkr_access;

/* One dispatch. Ops fill everything but `pipeline` and what levels are. */
typedef struct vkr_step {
    const char *label; /* not owned; NULL or alive until vkrEnd: the recorder copies it on add */
    vkr_variant variant;
    VkPipeline pipeline;
    uint32_t push_size;
    uint32_t push[VKR_MAX_PUSH / 4];
    uint32_t groups[2]; /* gl_WorkGroupID.x and .y; ignored where indirect.buffer is set */
    /* A VkDispatchIndirectCommand of the caller's, or a null buffer; among the accesses too. */
    VkrBufferRange indirect;
    uint32_t binding_count;
    VkDescriptorBufferInfo bindings[VKR_MAX_BINDINGS];
    VkBufferView texels; /* binding VKR_BINDING_TEXELS; null: none */
    uint32_t access_count;
    vkr_access accesses[VKR_MAX_ACCESSES];
    /* Set by vkr_assign_levels. */
    uint32_t level;
    bool waits_for_arguments; /* an earlier step writes those of its indirect dispatch */
} vkr_step;

/* Whether they share bytes or subresources. */
bool vkr_overlap(const vkr_access *a, const vkr_access *b);

/* Two steps conflict where they touch the same bytes or subresources and one of them writes. */
typedef struct vkr_schedule {
    uint32_t levels; /* how many there are */
    uint32_t *order; /* of the steps by level, and in a level as they were collected; in `memory` */
    uint64_t work;   /* comparisons and looks at nodes: what tests hold its growth to */
} vkr_schedule;

/* Bytes of memory that vkr_assign_levels needs; UINT64_MAX where there are too many ranges. */
uint64_t vkr_levels_size(const vkr_step *steps, uint32_t count);

/* Puts each step on the first level after the last step it conflicts with. Order of the array is
 * the order of collection. */
vkr_schedule vkr_assign_levels(vkr_step *steps, uint32_t count, void *memory);

/* What vkr_record needs besides the steps; every handle is ready. */
typedef struct vkr_recording {
    const vkr_commands *vk;
    VkCommandBuffer cmd;
    VkPipelineLayout layout;
    bool push_descriptors;
    const VkDescriptorSet *sets; /* one per step where there are no push descriptors */
    bool debug_utils;
    const vkr_debug *debug;    /* where debug_utils */
    VkrBufferRange scratch;    /* of this recording; buffer null if none is needed */
    bool scratch_used_before;  /* open with a barrier */
    VkDeviceSize counter_size; /* leading bytes of scratch to fill with zeros; 0: no fill */
    VkPipelineStageFlags consumer_stages;
    VkAccessFlags consumer_access;
} vkr_recording;

/* The descriptor writes of a step; bindings without a buffer are left out. Returns their number. */
uint32_t vkr_write_bindings(const vkr_step *step, VkDescriptorSet set,
                            VkWriteDescriptorSet writes[VKR_MAX_WRITES]);

/* Records opening barrier, fill, levels and closing barrier. The only caller of vkCmd*. */
void vkr_record(const vkr_recording *recording, const vkr_step *steps, uint32_t count,
                const uint32_t *order);

/* ---- recorder.c: what an operation does with its recorder ---- */

/* Every vkrCmd* starts and ends with these: state and sticky error; on failure everything the
 * operation had added is taken back. */
VkrResult vkr_operation_begin(VkrRecorder recorder, const char *call);
VkrResult vkr_operation_end(VkrRecorder recorder, VkrResult result);

const struct VkrContext_T *vkr_recorder_context(VkrRecorder recorder);

/* Adds a step; copies everything, the label too. Bindings below binding_count that it leaves
 * without a buffer get a place of the recorder's own, which no other step has: a kernel declares
 * all that any of its variants touches, and whoever validates takes every declared access for one
 * that happens. So no memory of the caller's may stand there, and none that another step could
 * meet. Such a place is no access of the step's, and no part of the recording's scratch. */
VkrResult vkr_add_step(VkrRecorder recorder, const vkr_step *step);

/* Scratch of this recording, granule-aligned, uninitialised; and counters, zeroed by one fill when
 * the work executes, each in a granule that no other operation shares. Offsets are relative to
 * their own region: steps name the regions VKR_SCRATCH and VKR_COUNTERS. vkrEnd puts the counters
 * first and the scratch behind them. */
VkrResult vkr_add_scratch(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
VkrResult vkr_add_counters(VkrRecorder recorder, VkDeviceSize size, VkDeviceSize *offset);
#define VKR_COUNTERS ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 1))

/* The places of unused bindings, until vkrEnd knows their buffer; the offset is the place's. */
#define VKR_UNUSED ((VkBuffer)(uintptr_t)(UINTPTR_MAX - 2))

/* ---- view.c: validation shared by the operations ---- */

/* A view with its defaults filled in. */
typedef struct vkr_view {
    VkBuffer buffer;
    VkDeviceSize offset;
    VkDeviceSize size;
    const vkr_type_info *type;
    VkrType type_id;
    uint32_t components;
    VkDeviceSize stride;
    uint64_t capacity; /* elements that fit */
    VkrTexels texels;
} vkr_view;

/* `call` and `field` go into the sentence: "vkrCmdReduce: input.stride is 3, ...". `count` is that
 * of the operation: for 0 a view may be empty. */
VkrResult vkr_check_view(const struct VkrContext_T *context, const char *call, const char *field,
                         const VkrView *view, uint64_t count, vkr_view *out);
/* How many elements of such a size it holds. */
uint64_t vkr_view_capacity(const vkr_view *view, uint64_t element_size);
/* Apart, since a layout can be asked for before there are buffers. */
VkrResult vkr_check_buffer(const struct VkrContext_T *context, const char *call, const char *field,
                           const vkr_view *view);
VkrResult vkr_check_range(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrBufferRange *range, VkDeviceSize alignment, VkDeviceSize size);
VkrResult vkr_check_flags(const struct VkrContext_T *context, const char *call, const char *field,
                          const VkrFlags *flags, uint64_t count);
/* The accumulator that is asked for; UNDEFINED: the type's own. */
VkrResult vkr_check_accumulator(const struct VkrContext_T *context, const char *call,
                                const vkr_type_info *type, VkrType asked, VkrType *accumulator);
VkrResult vkr_check_choice(const struct VkrContext_T *context, const char *call, const char *field,
                           int value, int count);
VkrResult vkr_check_gpu_count(const struct VkrContext_T *context, const char *call,
                              const char *field, const VkrGpuCount *count);

/* ---- tuning.c, profile.c ---- */

/* The built-in rows for a device. */
void vkr_tune(const vkr_caps *caps, vkr_tunings tunings);

/* The column of a value size of 1, 2, 4 or 8. */
uint32_t vkr_tuning_index(VkBool32 texels, uint32_t value_size);

/* Replaces rows by those of a profile. */
VkrResult vkr_read_profile(const struct VkrContext_T *context, const char *profile, size_t size,
                           vkr_tunings tunings);

#endif
