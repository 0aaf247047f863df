/* SPDX-License-Identifier: MIT */
/* The life of a context in which calls fail: the steps of a life, and the required behaviour after
 * a failure. */
#ifndef VKR_TESTS_FAULTS_LIFE_H
#define VKR_TESTS_FAULTS_LIFE_H

#include "faults_images.h"
#include "faults_vk.h"
#include "operations.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define ELEMENTS 20000u /* two windows of the smallest range */
#define CONSUMED 1000u
#define GPU_COUNT 1234u
#define SLOT 256u        /* distance in bytes between outputs */
#define LIMIT (1u << 31) /* compactions keep the values below it */
#define SEGMENT 5004u    /* elements of the one long segment that offsets describe */
#define MORE 16u         /* operations of the second recording; lists and pools must grow */

/* The settings that vary from life to life. */
typedef struct faults_config {
    const char *name;
    VkrLimits limits;
    bool heap;
    bool names; /* VKR_CONTEXT_DEBUG_UTILS_BIT */
    bool prepares;
    bool all;        /* the operations are those of the table that all tests share */
    bool self_tests; /* of the last group path only, which needs one submit */
} faults_config;

/* Operations without tuning of their own. */
enum { OPERATION_IMAGE = VKR_OPERATION_COUNT, OPERATION_PYRAMID };

typedef struct faults_operation {
    const char *label;
    uint32_t operation; /* VkrOperation, or one of the two above */
    uint32_t algorithm; /* the operation's */
    uint32_t count;
    bool gpu_count;
    bool consumes;
} faults_operation;

/* ---- faults_operations.c ---- */

extern harness device;

VkrResult collect_one(const faults_operation *operation, uint32_t slot);

/* The operations of the recordings of life.config: how many there are in the first and in the
 * second one, and how one is collected. */
uint32_t operation_count(bool second);
VkrResult collect_at(uint32_t index);

/* Fills the input, and computes the expected results. */
bool open_buffers(void);
void close_buffers(void);
void clear_outputs(void);

/* Checks the result of each of the first `count` operations in its own slot, and the prefixes and
 * the kept elements, which all scans and all compactions write to the same places. */
void check_answers(uint32_t count);

/* ---- faults_table.c: the same for operations of the table ---- */

bool open_table(void);
void close_table(void);
uint32_t table_count(void);
const operation_row *table_row(uint32_t index);
VkrResult table_collect(uint32_t index);
void table_clear(void);
void table_check(void);

/* ---- faults_life.c ---- */

typedef struct faults_life {
    const faults_config *config;
    VkrContext context;
    VkrRecorder recorder;
    VkrModule module; /* of the functions of the table's operations */
    VkrResult result; /* of the last message */
    char sentence[1024];
    uint32_t sentences; /* number of messages in the call under test */
    uint32_t replaced;  /* notes about kernels that do not compile */
    const char *call;   /* the call under test */
    uint32_t failures;  /* number of failed calls, according to the plan */
    bool open;          /* the command buffer is begun; lives share it while it is empty */
} faults_life;
extern faults_life life;

/* Prints that `what` is wrong unless the condition holds. */
void expect(bool condition, const char *what);

/* Must be called before every call whose messages are counted. */
void calling(const char *call);

/* Whether the library must report the fault; otherwise it must continue as if nothing had
 * happened. */
bool must_fail(const faults_plan *plan);

/* The stages of a life. Each returns the result of its first call that failed, or VKR_SUCCESS. */
#define STAGES 8
extern VkrResult (*const stages[STAGES])(void);

VkrResult end_recording(void);
VkrResult reset(void);
void destroy(void);

/* ---- faults_lost.c ---- */

/* Checks, twice, that every call reports the lost device and does nothing. */
void check_lost(void);

#endif
