/* SPDX-License-Identifier: MIT */
/*
 * Recordings of the engine of rows on a stub of Vulkan. The bytes choose the device and, for each
 * request, the operation, the values of its axes, what it draws its sizes and places from, and
 * whether it reads what earlier ones write. What is recorded must keep to the rules of
 * engine/stub_rig.h.
 */
#include <stdlib.h>

#include "fuzz.h"
#include "stub_rig.h"

#define MOST_REQUESTS 4u
#define TRIES 8u /* values of axes that do not go together */

static fuzz_bytes bytes;
static uint32_t opened = TEST_STUBS; /* none */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return setenv("CMOCKA_TEST_ABORT", "1", 1); /* failed assertions abort */
}

/* Contexts stay open for the next inputs, which mostly have the same device. */
static void open_device(uint32_t number)
{
    if (number == opened)
        return;
    if (opened != TEST_STUBS)
        test_close_stub();
    test_open_stub(number);
    opened = number;
}

static uint64_t below(uint64_t *state, uint64_t bound)
{
    (void)state;
    return fuzz_below(&bytes, bound);
}

/* A request that is valid on the device and in contexts with these limits; false: the bytes choose
 * none. */
static bool choose_request(test_request *t, limits_row limits)
{
    uint32_t count = 0, tries = TRIES;
    while (test_operations[count] != NULL)
        count++;
    *t = (test_request){.of = test_operations[fuzz_below(&bytes, count)]};
    t->layout = (uint32_t)fuzz_below(&bytes, t->of->layouts);
    t->most = UINT32_MAX >> fuzz_below(&bytes, 32);
    t->seed = fuzz_below(&bytes, 65536);
    while (tries > 0 && !test_draw_axes(t, NULL, below, limits))
        tries--;
    return tries > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static test_recording r;
    bytes = (fuzz_bytes){data, size};
    open_device((uint32_t)fuzz_below(&bytes, TEST_STUBS));
    r = (test_recording){.linked = fuzz_below(&bytes, 2) != 0};
    for (uint64_t left = 1 + fuzz_below(&bytes, MOST_REQUESTS); left > 0; left--) {
        test_request *t = &r.requests[r.count];
        if (!choose_request(t, r.count == 0 ? LIMITS_COUNT : r.requests[0].limits))
            break;
        /* Requests with images have no links. */
        if (t->of->alone && r.count != 0)
            break;
        r.count++;
        if (t->of->alone)
            break;
    }
    if (r.count == 0)
        return 0;
    r.split = r.count > 1 ? (uint32_t)fuzz_below(&bytes, r.count) : 0;
    test_check(&r);
    EXPECT(rig.mismatches == 0 && limit_violations() == 0, "the lines above say what is wrong");
    return 0;
}
