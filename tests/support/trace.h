/* SPDX-License-Identifier: MIT */
/*
 * A context and a recorder on the Vulkan stub, with selectable limits and features. Dispatches are
 * recorded as data. All memory, also that of every Vulkan object, comes from a heap that counts and
 * can fail, so that an object created or destroyed without the context's callbacks is noticed.
 */
#ifndef VKR_TESTS_TRACE_H
#define VKR_TESTS_TRACE_H

#include "../../src/plan/card.h"
#include "stub.h"
#include "unit.h"
#include "vkreduce/vkreduce.h"

#define BUFFER(letter) ((VkBuffer)(uintptr_t)(letter))
#define HANDLE(Type) ((Type)(uintptr_t)1)
#define IMAGE(letter) ((VkImage)(uintptr_t)(letter))
#define VIEW(letter) ((VkImageView)(uintptr_t)(letter))

/* A field of 0 selects the value in parentheses. */
typedef struct trace_device {
    uint32_t range;          /* maxStorageBufferRange (128 MiB) */
    uint32_t granule;        /* minStorageBufferOffsetAlignment (64) */
    uint32_t groups;         /* maxComputeWorkGroupCount[0] (65,535) */
    uint32_t rows;           /* maxComputeWorkGroupCount[1] (65,535) */
    uint32_t workgroup;      /* maxComputeWorkGroupInvocations (1,024) */
    uint32_t shared;         /* maxComputeSharedMemorySize (32,768) */
    uint32_t buffers;        /* maxPerStageDescriptorStorageBuffers (16) */
    uint32_t storage_images; /* maxPerStageDescriptorStorageImages (16) */
    uint32_t version;        /* Vulkan (1.1) */
    VkrGroupPath group_path; /* the best path (arithmetic) */
    uint32_t vendor;         /* vendorID (0) */
    uint32_t sm_count;       /* shaderSMCount (without VK_NV_shader_sm_builtins) */
    bool cpu;                /* deviceType (a discrete GPU) */
    bool pools;              /* without push descriptors */
    bool bare;               /* without any optional feature */
    bool metal;              /* with VK_KHR_portability_subset */
    bool no_functions;       /* vkGetInstanceProcAddr finds no function */
    bool no_debug_utils;     /* it finds no function of VK_EXT_debug_utils */
    bool grid;               /* VkrTestHooks::gridCoordinates */
    bool built_in;           /* use the library's own tuning rows; otherwise `tuning` */
    VkrForwardProgress progress;
    VkrTuning tuning; /* for every size and view; treeWorkgroupSize 0: a plain row, by element */
    VkrLimits limits;
} trace_device;

#define TRACE_CONSTANTS 16u
#define TRACE_BINDINGS 16u
#define TRACE_KERNEL 48u
#define TRACE_UNIFORMS 20u

typedef struct trace_dispatch {
    uint32_t operation; /* the number in its label */
    uint32_t epoch;     /* compute barriers before it */
    bool filled;        /* a barrier has made all fills visible */
    char kernel[TRACE_KERNEL];
    uint32_t constant_count;
    uint32_t constants[TRACE_CONSTANTS];
    uint32_t push_size; /* bytes */
    union {
        struct vkr_reduce_push push;
        uint32_t words[32];
    };
    VkDescriptorBufferInfo bindings[TRACE_BINDINGS];
    VkBufferView texels;
    uint32_t images; /* number of bound images */
    uint32_t uniforms[TRACE_UNIFORMS];
    uint32_t groups[3];
} trace_dispatch;

#define MAX_DISPATCHES 80000u

typedef struct trace_fixture {
    VkrContextInfo info; /* the info that creates the context */
    VkrContext context;
    VkrRecorder recorder;
    VkrResult result; /* of the last error message */
    char sentence[1100];
    uint32_t sentences;
    VkAccessFlags made_visible; /* what barriers named as readers or writers */
    char note[1100];            /* the last message that is not an error */
    uint32_t notes;
    int64_t blocks;       /* live blocks of the heap */
    uint32_t allocations; /* number so far */
    uint32_t fail_at;     /* index of the allocation that fails */
    uint32_t commands;    /* number of all commands since trace_clear */
    uint32_t dispatch_count;
    trace_dispatch *dispatches;
    uint32_t fill_count;
    VkrBufferRange fills[64];
} trace_fixture;
extern trace_fixture fixture;

extern const VkrEndInfo plain_end;

/* The factor by which the number of random recordings is reduced (VKR_TEST_STEP), since they take
 * ten times as long under sanitizers. */
uint32_t trace_step(void);

/* Clears the fixture, and describes a context on such a device in fixture.info. */
void trace_describe(const trace_device *device);

/* Does the same, and creates the context and the recorder. */
void trace_open(const trace_device *device);

/* Destroys the recorder and the context, and checks that all allocations are freed. */
void trace_close(void);

/* Discards the commands. */
void trace_clear(void);

/* Checks that the last call returned `result` and that its message is exactly `sentence`. */
void assert_said(VkrResult actual, VkrResult result, const char *sentence);

/* Checks that exactly this note was printed since the last such check, and no error. */
void assert_noted(const char *note);

/* Checks that a whole recording of one operation still succeeds and dispatches. */
void assert_usable(void);

/* Checks that `call`, in a recording after a valid operation, refuses `info` with this code and
 * sentence, that nothing is recorded or leaked, and that the recorder works afterwards. */
void assert_refused(VkrResult (*call)(VkrRecorder recorder, const void *info), const void *info,
                    VkrResult code, const char *sentence);

/* The sum of 1,000 f32 at byte 256 of A, into O. */
VkrReduceInfo plain_reduce(void);

/* The inclusive prefix sums of the same elements, to byte 512 of B. */
VkrScanInfo plain_scan(void);

/* The same elements, except those that are 0, to byte 512 of B. */
VkrCompactInfo plain_compact(void);

/* A random number below `end`. The sequence is a function of the state alone. */
uint64_t random_below(uint64_t *state, uint64_t end);

#endif
