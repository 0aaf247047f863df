/* SPDX-License-Identifier: MIT */
/* What the tests of libvkreduce-host share: hosts that listen to what the library says, operations
 * on their memory, and what the oracle expects of them. */
#ifndef VKR_TESTS_HOST_CASE_H
#define VKR_TESTS_HOST_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "vkreduce/host.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE ((size_t)4096)

extern harness device;

/* ---- Hosts ---- */

/* What a host has said: the last error and the last note. */
typedef struct hearing {
    uint32_t errors, notes;
    VkrResult result;
    char sentence[8192];
    char note[1024];
} hearing;

/* Under the validation layer hosts use the test's instance, which counts the layer's messages. */
extern VkrHostVulkan watched;
VkrHostInfo case_info(hearing *h);
VkrHost case_open(hearing *h, uint32_t flags);

/* A call that failed has said one sentence with this part, which starts with the call's name. */
#define EXPECT_ERROR(h, expected, part, call)                                                      \
    do {                                                                                           \
        (h)->errors = 0;                                                                           \
        (h)->sentence[0] = '\0';                                                                   \
        assert_int_equal((call), (expected));                                                      \
        case_heard((h), (expected), #call, (part));                                                \
    } while (0)
#define EXPECT_OK(call) case_ok((call), #call, __FILE__, __LINE__)
void case_ok(VkrResult result, const char *call, const char *name, int line);
void case_heard(const hearing *h, VkrResult expected, const char *call, const char *part);

/* ---- Data ---- */

/* Random bytes, of which zeros are many enough for a compaction to leave some out. */
void case_fill(void *data, size_t size, uint32_t seed);

/* An array between guard bytes, `shift` bytes after the start of a page. */
typedef struct guarded {
    unsigned char *block, *data;
    size_t size, block_size;
} guarded;
guarded guarded_open(size_t size, size_t shift, uint32_t seed);
void guarded_close(guarded *g); /* checks the guard bytes */

/* ---- Operations ---- */

typedef enum case_kind {
    CASE_REDUCE,  /* a sum */
    CASE_SCAN,    /* an inclusive sum, in place if input and output are the same */
    CASE_COMPACT, /* the number of elements that are not 0, and from byte 16 on the elements */
    CASE_SORT,
    CASE_KINDS
} case_kind;

/* The type of elements whose arrays may start anywhere: bytes, if the device has them. */
VkrType case_small(VkrHost host);

/* Bytes that the output of an operation must have. */
VkDeviceSize case_room(case_kind kind, VkrType type, uint64_t count);
VkrResult case_record(VkrHost host, case_kind kind, VkrType type, const VkrHostMemory *input,
                      const VkrHostMemory *output, uint64_t count);
/* Whether the output is that of the operation on these elements. */
void case_check(VkrHost host, case_kind kind, VkrType type, const void *values, uint64_t count,
                const void *output);

/* Runs every kind on memory of the host that has these values, and checks it. */
void case_run_all(VkrHost host, VkrType type, const VkrHostMemory *input, const void *values,
                  uint64_t count);

/* ---- The tests ---- */

#define HOST_TEST(name) void name(void **state)
HOST_TEST(test_kinds);
HOST_TEST(test_copies);
HOST_TEST(test_too_large);
HOST_TEST(test_imports);
HOST_TEST(test_attach);
HOST_TEST(test_attach_many);
HOST_TEST(test_attach_large);
HOST_TEST(test_operations);
HOST_TEST(test_resubmission);
HOST_TEST(test_resubmission_of_arrays);
HOST_TEST(test_own_commands);
HOST_TEST(test_own_dispatches);
HOST_TEST(test_cancel);
HOST_TEST(test_failed_operation);
HOST_TEST(test_states);
HOST_TEST(test_arguments);
HOST_TEST(test_time);
HOST_TEST(test_operation_times);
HOST_TEST(test_shared_threads);
HOST_TEST(test_shared_order);
HOST_TEST(test_choice);
HOST_TEST(test_devices);
HOST_TEST(test_no_driver);
HOST_TEST(test_given);
HOST_TEST(test_incomplete);
HOST_TEST(test_features);
HOST_TEST(test_settings);
HOST_TEST(test_small_devices);
HOST_TEST(test_kept_memory);
HOST_TEST(test_timeout);
HOST_TEST(test_timeout_of_copies);
HOST_TEST(test_timeout_of_chunks);
HOST_TEST(test_progress);
HOST_TEST(test_lost);
HOST_TEST(test_failed_wait);
HOST_TEST(test_cache);
HOST_TEST(test_cache_damage);
HOST_TEST(test_cache_folder);
HOST_TEST(test_cache_together);

#endif
