/* SPDX-License-Identifier: MIT */
/*
 * Wrong arguments, in a table for each operation: each row makes one thing of a plain request
 * wrong, and has the code and the sentence with which the operation must refuse it. A second table
 * has requests that are only just valid.
 *
 * The file of an operation has a static request; set_plain, which makes it plain; SCOPE,
 * declarations that the statements of rows use; the lists WRONG_ROWS and RIGHT_ROWS; and OPERATION,
 * which makes the tables from them.
 */
#ifndef VKR_TESTS_REFUSALS_H
#define VKR_TESTS_REFUSALS_H

#include "trace.h"

/* The devices that rows name. */
typedef enum refusal_device {
    PLAIN,
    BARE,        /* without any optional feature */
    NO_I64,      /* without 64-bit integers */
    NO_F64,      /* without doubles */
    NO_FORMATS,  /* cannot write images whose format the shader does not name */
    NO_PROGRESS, /* no workgroup may wait for another */
    NARROW,      /* bindings of up to 64 KiB */
    CRAMPED,     /* bindings of up to 16 KiB, and 2 x 2 workgroups */
    FOUR_GROUPS, /* 2 x 2 workgroups */
    TWO_GROUPS,  /* 1 x 2 workgroups */
    SMALL,       /* workgroups of up to 256 */
    TINY,        /* workgroups of up to 64, which is below what Vulkan guarantees */
    TIGHT,       /* 1 KiB of shared memory, and no subgroups */
    SHARED,      /* no subgroups */
    TASKS,       /* 8 x 2 mesh tasks */
    FEW_TASKS,   /* 20 mesh tasks in all, and more in a row */
    CPU,
    DEVICE_COUNT
} refusal_device;

/* A valid request may have any number of dispatches. */
#define ANY_DISPATCHES UINT32_MAX

typedef struct refusal {
    const char *name;
    refusal_device device;
    VkrResult code; /* VKR_SUCCESS: it is valid */
    const char *sentence;
    uint32_t min_dispatches; /* 0: none at all */
    void (*change)(void);
} refusal;

/* A call that answers a question about a request. Under its own name it refuses the wrong rows
 * whose names start with one of `matters`; it accepts all others. */
typedef struct question {
    const char *call;
    VkrResult (*ask)(const void *info);
    const char *const *matters; /* ends with NULL */
    uint32_t refusals;
} question;

typedef struct operation {
    const char *call;
    const char *info_type;
    void (*set_plain)(void);
    VkrResult (*record)(VkrRecorder recorder, const void *info);
    const void *info;
    const refusal *wrong, *right;
    size_t wrong_count, right_count;
    const question *question; /* NULL: there is none */
} operation;

/* Rows X(name, device, code, sentence after "call: ", statements), as functions and as a table. */
#define WRONG_FUNCTION(name, device, code, sentence, ...)                                          \
    static void wrong_##name(void)                                                                 \
    {                                                                                              \
        SCOPE;                                                                                     \
        __VA_ARGS__;                                                                               \
    }
#define VKR_ERROR_INVALID VKR_ERROR_INVALID_ARGUMENT
#define WRONG_ROW(name, device, code, sentence, ...)                                               \
    {#name, device, VKR_ERROR_##code, sentence, 0, wrong_##name},

/* Rows X(name, device, statements), and X(name, device, min_dispatches, statements). */
#define COUNTED_FUNCTION(name, device, dispatches, ...)                                            \
    static void right_##name(void)                                                                 \
    {                                                                                              \
        SCOPE;                                                                                     \
        __VA_ARGS__;                                                                               \
    }
#define COUNTED_ROW(name, device, dispatches, ...)                                                 \
    {#name, device, VKR_SUCCESS, NULL, dispatches, right_##name},
#define RIGHT_FUNCTION(name, device, ...) COUNTED_FUNCTION(name, device, 0, __VA_ARGS__)
#define RIGHT_ROW(name, device, ...) COUNTED_ROW(name, device, ANY_DISPATCHES, 0)
#define SOME_FUNCTION RIGHT_FUNCTION
#define SOME_ROW(name, device, ...) COUNTED_ROW(name, device, 1, 0)

/* KIND says which dispatches the rows of RIGHT_ROWS must have: RIGHT, any number; SOME, at least
 * one; COUNTED, at least the number in each row, and none if that is 0. */
#define OPERATION(name, function, Info, request_, KIND, question_)                                 \
    WRONG_ROWS(WRONG_FUNCTION)                                                                     \
    RIGHT_ROWS(KIND##_FUNCTION)                                                                    \
    static const refusal wrong_rows[] = {WRONG_ROWS(WRONG_ROW)};                                   \
    static const refusal right_rows[] = {RIGHT_ROWS(KIND##_ROW)};                                  \
    static VkrResult record(VkrRecorder recorder, const void *wanted)                              \
    {                                                                                              \
        return function(recorder, wanted);                                                         \
    }                                                                                              \
    const operation name##_operation = {#function,                                                 \
                                        #Info,                                                     \
                                        set_plain,                                                 \
                                        record,                                                    \
                                        &request_,                                                 \
                                        wrong_rows,                                                \
                                        right_rows,                                                \
                                        ARRAY_SIZE(wrong_rows),                                    \
                                        ARRAY_SIZE(right_rows),                                    \
                                        question_};

extern const operation reduce_operation, segments_operation, images_operation, masks_operation,
    tiles_operation, scan_operation, compact_operation, compact_payloads_operation,
    histogram_operation, quantile_operation, pyramid_operation, bounds_operation, find_operation,
    topk_operation, expand_operation, select_operation, sort_operation, merge_operation,
    bin_operation, apply_operation;

/* The question of vkrGetReduceLayout. */
VkrResult ask_reduce_layout(const void *info);

/* contexts.c and recorders.c */
void refuse_contexts(void **state);
void refuse_requirements(void **state);
void take_unusable_devices(void **state);
void refuse_recorders(void **state);
void refuse_ends(void **state);
void refuse_null(void **state);
void refuse_order(void **state);
void refuse_after_mistakes(void **state);
void refuse_without_callback(void **state);

/* Rows that lie apart, and what is said where they overlap. */
#define ROWS_APART ((VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 10, .pitch = 12})
#define ROWS_OVERLAP ((VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 10, .pitch = 9})
#define ROWS_OVERLAP_SAID                                                                          \
    "segments.pitch is 9, but must be 0 or at least segments.length, which is 10."

#endif
