/* SPDX-License-Identifier: MIT */
/*
 * Every Vulkan call with a VkResult, and every host allocation, fails in turn on a real driver:
 * at each call, with each code that the registry lists for the function and some that any function
 * may return. The life in which they fail is that of one context and one recorder: a self-test, and
 * two recordings of operations of every kind, executed and compared with the right answers. The
 * failing call must return the right code with the right sentence and record nothing; the same call
 * must then work, and nothing may be left in the end. A lost device stays lost.
 *
 * All other calls reach the driver, except that all lives share their pipelines (faults_vk.h).
 *
 *     faults            the tests
 *     faults --list     the functions, and the codes of each
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "faults_life.h"

/* ---- Configurations ---- */

static const faults_config configs[] = {
    {"push, prepared, named", {0}, .names = true, .prepares = true},
    {"push, windows, heap", {.maxStorageBufferRange = 65536}, .heap = true},
    {"sets, prepared, heap",
     {.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR},
     .heap = true,
     .prepares = true},
    {"sets, windows, named",
     {.disabledFeatures = VKR_FEATURE_PUSH_DESCRIPTOR, .maxStorageBufferRange = 65536},
     .names = true},
    {"every operation, heap", {OPERATION_LIMITS}, .heap = true, .all = true},
    {"self-test, heap", {.groupPath = VKR_GROUP_PATH_SHARED}, .heap = true, .self_tests = true},
};

/* Of entries with more calls than this, only a full run makes more than every third call fail;
 * which ones depends on the configuration. */
#define MANY_CALLS 12u

/* Codes that any function may return, among them one that vulkan.h does not list. */
static const VkResult any_errors[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_UNKNOWN,
                                      VK_ERROR_VALIDATION_FAILED_EXT, (VkResult)-12345};

static VkrResult translated(VkResult result)
{
    return result == VK_ERROR_OUT_OF_HOST_MEMORY     ? VKR_ERROR_OUT_OF_HOST_MEMORY
           : result == VK_ERROR_OUT_OF_DEVICE_MEMORY ? VKR_ERROR_OUT_OF_DEVICE_MEMORY
           : result == VK_ERROR_DEVICE_LOST          ? VKR_ERROR_DEVICE_LOST
           : result == VK_TIMEOUT                    ? VKR_ERROR_DEVICE_LOST
                                                     : VKR_ERROR_VULKAN;
}

/* ---- The effects of a fault ---- */

/* Checks that this call failed because of the plan's fault. */
static void check_failure(VkrResult result)
{
    const faults_plan *plan = &faults.plan;
    const bool by_heap = plan->allocation != UINT32_MAX;
    const VkResult cause = by_heap ? faults.driver_result : plan->result;
    const bool by_vulkan = !by_heap || faults.driver_call;
    VkrResult right = VKR_ERROR_OUT_OF_HOST_MEMORY;
    expect(faults.fired > 0, "fails without a fault");
    if (by_vulkan)
        right = translated(cause);
    if (result != right)
        faults_trouble("%s: returns %s, but must return %s", life.call, vkrResultName(result),
                       vkrResultName(right));
    expect(life.sentences == 1 && life.result == result, "there is not one sentence");
    if (by_vulkan && cause == VK_TIMEOUT) {
        expect(strstr(life.sentence, "did not end within") != NULL, "the sentence is wrong");
    } else if (by_vulkan) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s failed with %s.",
                 by_heap ? faults.driver_call : faults_entries[plan->entry].name,
                 faults_result_name(cause));
        expect(strcmp(life.sentence, sentence) == 0, "the sentence is wrong");
    } else {
        expect(strstr(life.sentence, "host memory") != NULL, "the sentence is wrong");
    }
}

/* Repeats the stage that failed; after a lost device, in a new context. */
static void try_again(size_t stage, VkrResult failure)
{
    faults.plan.forever = false;
    if (failure == VKR_ERROR_DEVICE_LOST && life.context) {
        check_lost();
        destroy();
        for (size_t i = 0; i < stage && !faults.trouble[0]; i++)
            expect(stages[i]() == VKR_SUCCESS, "does not work in a new context");
    }
    if (!faults.trouble[0])
        expect(stages[stage]() == VKR_SUCCESS, "does not work when tried again");
}

/* Runs a life with the plan's fault. Returns whether everything was correct. */
static bool live(const faults_config *config, const faults_plan *plan)
{
    faults_start(&device, plan);
    life.config = config;
    life.failures = life.replaced = 0;
    for (size_t i = 0; i < STAGES && !faults.trouble[0]; i++) {
        const VkrResult result = stages[i]();
        if (result == VKR_SUCCESS)
            continue;
        life.failures++;
        check_failure(result);
        if (!faults.trouble[0])
            try_again(i, result);
    }
    destroy();
    calling("the fault");
    const bool none = plan->entry == FAULTS_ENTRY_COUNT && plan->allocation == UINT32_MAX;
    expect(none == (faults.fired == 0), "it never came");
    expect(life.failures == (must_fail(plan) ? 1 : 0), "it is noticed more or less than once");
    if (faults.trouble[0] && life.open)
        life.open = !harness_end(&device);
    return !faults.trouble[0];
}

/* ---- All faults ---- */

typedef struct tally {
    uint32_t points, runs, wrong;
} tally;

static void try_one(const faults_config *config, const faults_plan *plan, const char *what,
                    tally *t)
{
    const bool right = live(config, plan);
    t->runs++;
    if (right)
        return;
    t->wrong++;
    if (t->wrong <= 10)
        print_message("# %s: %s: %s\n", config->name, what, faults.trouble);
}

/* Makes the n-th call of an entry fail with each of its codes; only a full run uses more than one
 * per call, in turn. */
static void try_point(const faults_config *config, uint32_t entry, uint32_t n, tally *t)
{
    faults_plan plan = FAULTS_NONE;
    char what[128];
    plan.entry = entry;
    plan.nth = n;
    uint32_t codes = ARRAY_SIZE(any_errors);
    for (size_t i = 0; faults_entries[entry].documented[i] != VK_SUCCESS; i++)
        codes++;
    const uint32_t turn = t->points++ % codes;
    for (uint32_t i = 0; i < codes; i++) {
        plan.result = i < ARRAY_SIZE(any_errors)
                          ? any_errors[i]
                          : faults_entries[entry].documented[i - ARRAY_SIZE(any_errors)];
        if (!harness_full() && i != turn)
            continue;
        snprintf(what, sizeof what, "%s call %" PRIu32 " %s", faults_entries[entry].name, n,
                 faults_result_name(plan.result));
        try_one(config, &plan, what, t);
    }
}

static void choose(size_t i, bool heap)
{
    faults.heap = heap;
    faults.group = (uint32_t)i;
}

static void test_vulkan(void **state)
{
    (void)state;
    tally t = {0};
    uint32_t points[FAULTS_ENTRY_COUNT] = {0};
    for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
        uint32_t calls[FAULTS_ENTRY_COUNT];
        choose(i, configs[i].heap);
        if (!live(&configs[i], &FAULTS_NONE))
            fail_msg("%s: %s", configs[i].name, faults.trouble);
        memcpy(calls, faults.calls, sizeof calls);
        for (uint32_t entry = 0; entry < FAULTS_ENTRY_COUNT; entry++) {
            points[entry] += calls[entry];
            const uint32_t every = harness_full() || calls[entry] <= MANY_CALLS ? 1 : 3;
            for (uint32_t n = (uint32_t)i % every; n < calls[entry]; n += every)
                try_point(&configs[i], entry, n, &t);
        }
    }
    for (uint32_t entry = 0; entry < FAULTS_ENTRY_COUNT; entry++) {
        print_message("# %-36s %" PRIu32 " points\n", faults_entries[entry].name, points[entry]);
        assert_true(points[entry] > 0);
    }
    assert_true(points[ENTRY_vkCreateBuffer] > ARRAY_SIZE(configs)); /* scratch grew */
    assert_true(points[ENTRY_vkAllocateDescriptorSets] > 64);        /* pools grew */
    print_message("# faults: %" PRIu32 " points x %.1f errors = %" PRIu32 " runs, %" PRIu32
                  " wrong\n",
                  t.points, (double)t.runs / t.points, t.runs, t.wrong);
    assert_int_equal(t.wrong, 0);
    assert_true(t.points >= 200 && t.runs >= (harness_full() ? 6 : 1) * t.points);
}

/* The driver's own allocations fail too, since they use the same callbacks. */
static void test_heap(void **state)
{
    (void)state;
    tally t = {0};
    uint32_t own = 0;
    const uint32_t every = environment("VKR_TEST_STEP", 1);
    for (size_t i = 0; i < ARRAY_SIZE(configs); i++) {
        choose(i, true);
        if (!live(&configs[i], &FAULTS_NONE))
            fail_msg("%s: %s", configs[i].name, faults.trouble);
        /* What the operations have in common is in the other configurations. */
        const uint32_t step = every * (configs[i].all && !harness_full() ? 2 : 1);
        const uint32_t allocations = faults.allocations;
        for (uint32_t n = (uint32_t)i % step; n < allocations; n += step) {
            faults_plan plan = FAULTS_NONE;
            char what[64];
            plan.allocation = n;
            snprintf(what, sizeof what, "allocation %" PRIu32, n);
            t.points++;
            try_one(&configs[i], &plan, what, &t);
            own += faults.driver_call == NULL;
        }
    }
    print_message("# faults: %" PRIu32 " allocations, of them %" PRIu32 " in the library = %" PRIu32
                  " runs, %" PRIu32 " wrong\n",
                  t.points, own, t.runs, t.wrong);
    assert_int_equal(t.wrong, 0);
    assert_true(every > 1 || own >= 40);
}

/* A list of extensions that keeps growing while it is read leads to an error. */
static void test_incomplete(void **state)
{
    (void)state;
    tally t = {0};
    faults_plan plan = FAULTS_NONE;
    plan.entry = ENTRY_vkEnumerateDeviceExtensionProperties;
    plan.result = VK_INCOMPLETE;
    plan.forever = true;
    choose(0, false);
    try_one(&configs[0], &plan, "VK_INCOMPLETE for ever", &t);
    assert_int_equal(t.wrong, 0);
}

/* ---- The program ---- */

static void list_entries(void)
{
    for (size_t i = 0; i < FAULTS_ENTRY_COUNT; i++) {
        printf("%s", faults_entries[i].name);
        for (const VkResult *code = faults_entries[i].documented; *code != VK_SUCCESS; code++)
            printf(" %s", faults_result_name(*code));
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vulkan), cmocka_unit_test(test_heap),
                                       cmocka_unit_test(test_incomplete)};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_entries();
        return 0;
    }
    const int problem = harness_open(&device);
    if (problem != 0)
        return problem;
    const int failures = open_buffers() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    faults_close();
    close_buffers();
    harness_close(&device);
    return failures;
}
