/* SPDX-License-Identifier: MIT */
/* The life in which calls fail: what it does, and what it must do when one has failed. */
#ifndef VKR_TESTS_FAULTS_LIFE_H
#define VKR_TESTS_FAULTS_LIFE_H

#include "faults_images.h"
#include "faults_vk.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define ELEMENTS 20000u /* two windows of the smallest range */
#define CONSUMED 1000u
#define GPU_COUNT 1234u
#define SLOT 256u        /* bytes apart that outputs lie */
#define LIMIT (1u << 31) /* compactions keep what is below it */
#define SEGMENT 5004u    /* elements of the one segment by offsets that is so long */
#define MORE 16u         /* operations in the second recording, so that lists and pools grow */

/* What varies from life to life. */
typedef struct faults_config {
    const char *name;
    VkrLimits limits;
    bool heap;
    bool names; /* VKR_CONTEXT_DEBUG_UTILS_BIT */
    bool prepares;
    bool self_tests; /* on the last group path alone, which is one submit */
} faults_config;

/* What has no tuning of its own. */
enum { OPERATION_IMAGE = VKR_OPERATION_COUNT, OPERATION_PYRAMID };

typedef struct faults_operation {
    const char *label;
    uint32_t operation; /* VkrOperation, or one of those above */
    uint32_t algorithm; /* the operation's */
    uint32_t count;
    bool gpu_count;
    bool consumes;
} faults_operation;

/* ---- faults_operations.c ---- */

extern harness device;

/* The operation that writes into a slot. */
const faults_operation *operation_at(uint32_t slot);
uint32_t operation_count(void);
VkrResult collect_one(const faults_operation *operation, uint32_t slot);

/* Fills the input, and computes the right answers. */
bool open_buffers(void);
void close_buffers(void);
void clear_outputs(void);

/* Checks the word that each operation writes alone, and what scans and compactions share. */
void check_answers(uint32_t count);

/* ---- faults_life.c ---- */

typedef struct faults_life {
    const faults_config *config;
    VkrContext context;
    VkrRecorder recorder;
    VkrResult result; /* of the last message */
    char sentence[1024];
    uint32_t sentences; /* in the call under test */
    const char *call;   /* the call under test */
    uint32_t failures;  /* of calls, by the plan */
    bool open;          /* the command buffer, from life to life while nothing is recorded in it */
} faults_life;
extern faults_life life;

/* Says `what` went wrong unless the condition holds. */
void expect(bool condition, const char *what);

/* To be called before every call whose messages are counted. */
void calling(const char *call);

/* Whether the library must notice the fault; else it must go on as if nothing had happened. */
bool must_fail(const faults_plan *plan);

/* What a life does: each returns what its first failing call returned. */
#define STAGES 7
extern VkrResult (*const stages[STAGES])(void);

VkrResult end_recording(void);
VkrResult reset(void);
void destroy(void);

/* ---- faults_lost.c ---- */

/* Checks that every call says that the device is lost, and does nothing, twice. */
void check_lost(void);

#endif
