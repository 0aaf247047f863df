/* SPDX-License-Identifier: MIT */
/*
 * Recordings of valid requests, checked as in ranges.c: they must reach everything that is asked
 * for and nothing else, and put barriers where they are needed. The numbers that the tests draw at
 * random come from the input.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ranges.h"
#include "fuzz.h"

#define MAX_REQUESTS 2u

static fuzz_bytes choices;

uint64_t __wrap_random_below(uint64_t *state, uint64_t end);

uint64_t __wrap_random_below(uint64_t *state, uint64_t end)
{
    (void)state;
    return fuzz_below(&choices, end);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return setenv("CMOCKA_TEST_ABORT", "1", 1); /* failed assertions abort */
}

/* Collects a request. Returns whether it is in the plan: the library may refuse what the device
 * cannot do. */
static bool collect(uint64_t *seed)
{
    static VkrResult (*const rows[])(uint64_t * seed, const char *label, operation *o) = {
        collect_segments, collect_scan, collect_compact, collect_order};
    char label[8];
    operation *o = &plan.operations[plan.count];
    *o = (operation){.rotation = (uint32_t)fuzz_below(&choices, LETTERS)};
    snprintf(label, sizeof label, "%u", plan.count);
    const VkrResult result = rows[fuzz_below(&choices, ARRAY_SIZE(rows))](seed, label, o);
    plan.count += result == VKR_SUCCESS;
    EXPECT(result == VKR_SUCCESS || result == VKR_ERROR_UNSUPPORTED, "%s", fixture.sentence);
    return result == VKR_SUCCESS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t seed = 0;
    choices = (fuzz_bytes){data, size};
    trace_device device = random_device(&seed);
    device.rows = 0; /* 65,535, which Vulkan guarantees */
    trace_open(&device);
    begin_plan();
    for (uint64_t n = 1 + fuzz_below(&choices, MAX_REQUESTS); n > 0; n--)
        if (!collect(&seed))
            begin_plan();
    end_plan(&seed);
    trace_close();
    return 0;
}
