/* SPDX-License-Identifier: MIT */
/* Calls out of order and wrong arguments: a row for each sentence. */
#include "host_case.h"

static hearing heard;
static VkrHost host;
static VkrHostMemory memory;
static VkrHostArray array;
static uint64_t words[64];

/* ---- Calls out of order ---- */

typedef enum place { IDLE, BEGUN, ENDED, FLYING, WAITED } place;

static void come_to(place where)
{
    host = case_open(&heard, VKR_HOST_UNMAPPED_BIT);
    array = (VkrHostArray){words, sizeof words, VKR_HOST_READ};
    EXPECT_OK(vkrHostAlloc(host, 64, VKR_HOST_MEMORY_DEVICE, &memory));
    if (where >= BEGUN)
        EXPECT_OK(vkrHostBegin(host));
    if (where == ENDED)
        EXPECT_OK(vkrHostEnd(host));
    if (where >= FLYING)
        EXPECT_OK(vkrHostSubmit(host));
    if (where == WAITED)
        EXPECT_OK(vkrHostWait(host));
}

static void leave(void)
{
    VkrHostMemory copy = memory;
    vkrHostCancel(host);
    (void)vkrHostWait(host);
    vkrHostFree(host, &copy);
    vkrDestroyHost(host);
}

static VkrResult begin(void)
{
    return vkrHostBegin(host);
}

static VkrResult copy_in(void)
{
    return vkrHostCopyIn(host, &memory, &memory, 0);
}

static VkrResult copy_out(void)
{
    return vkrHostCopyOut(host, &memory, &memory, 0);
}

static VkrResult attach(void)
{
    VkrHostMemory attached;
    return vkrHostAttach(host, &array, &attached);
}

static VkrResult end(void)
{
    return vkrHostEnd(host);
}

static VkrResult submit(void)
{
    return vkrHostSubmit(host);
}

static VkrResult wait(void)
{
    return vkrHostWait(host);
}

static VkrResult run(void)
{
    return vkrHostRun(host);
}

static VkrResult read(void)
{
    return vkrHostRead(host, &memory, 0, 4, words);
}

static VkrResult write(void)
{
    return vkrHostWrite(host, &memory, 0, 4, words);
}

static VkrResult stamp(void)
{
    return vkrHostStamp(host, VK_TRUE);
}

static VkrResult create_context(void)
{
    VkrContext context;
    const VkrResult result = vkrCreateHostContext(host, NULL, &context);
    if (result == VKR_SUCCESS)
        vkrDestroyContext(context);
    return result;
}

#define STARTED "it needs a recording that vkrHostBegin has started."
static const struct {
    VkrResult (*call)(void);
    place allowed[4]; /* ends with IDLE, unless idle is true */
    bool idle;
    const char *sentence; /* NULL: it is allowed everywhere */
} states[] = {
    {begin,
     {WAITED},
     true,
     "it needs a host without a recording that was not submitted and waited"},
    {copy_in, {BEGUN}, false, STARTED},
    {copy_out, {ENDED}, false, "it needs operations that vkrHostEnd has ended."},
    {attach, {BEGUN}, false, STARTED},
    {end, {BEGUN}, false, STARTED},
    {submit, {BEGUN, ENDED, WAITED}, false, "it needs a recording that is not at work already."},
    {wait, {FLYING}, false, "it needs a recording that vkrHostSubmit has submitted."},
    {run, {BEGUN, ENDED, WAITED}, false, STARTED},
    {stamp, {BEGUN}, false, STARTED},
    {create_context, {BEGUN, ENDED, FLYING, WAITED}, true, NULL},
    {read, {BEGUN, ENDED, WAITED}, true, "a submission is at work; call vkrHostWait first."},
    {write, {BEGUN, ENDED, WAITED}, true, "a submission is at work; call vkrHostWait first."},
};

static bool is_allowed(size_t row, place where)
{
    for (size_t i = 0; i < 4 && states[row].allowed[i] != IDLE; i++)
        if (states[row].allowed[i] == where)
            return true;
    return where == IDLE && states[row].idle;
}

HOST_TEST(test_states)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(states); i++)
        for (place where = IDLE; where <= WAITED; where++) {
            come_to(where);
            heard.errors = 0;
            const VkrResult result = states[i].call();
            const bool allowed = is_allowed(i, where);
            if (result != (allowed ? VKR_SUCCESS : VKR_ERROR_INVALID_STATE) ||
                heard.errors != !allowed ||
                (!allowed && strstr(heard.sentence, states[i].sentence) == NULL))
                fail_msg("call %zu in state %d returns %s, \"%s\"", i, (int)where,
                         vkrResultName(result), heard.sentence);
            leave();
        }
}

/* ---- Arguments ---- */

/* Each row of these tables is one call in one of these places. */
#define INVALID(place, part, call)                                                                 \
    do {                                                                                           \
        come_to(place);                                                                            \
        EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, part, call);                              \
        leave();                                                                                   \
    } while (0)

static void check_memory_calls(void)
{
    VkrHostMemory got;
    INVALID(IDLE, "memory is NULL, but must be given.",
            vkrHostAlloc(host, 4, VKR_HOST_MEMORY_DEVICE, NULL));
    INVALID(IDLE, "kind is 5, but must be a VkrHostMemoryKind.",
            vkrHostAlloc(host, 4, VKR_HOST_MEMORY_KIND_COUNT, &got));
    INVALID(IDLE, "kind is -1, but must be a VkrHostMemoryKind.",
            vkrHostAlloc(host, 4, (VkrHostMemoryKind)-1, &got));
    INVALID(IDLE, "memory is NULL, but must be given.", vkrHostImport(host, words, 8, NULL));
    INVALID(IDLE, "data is NULL, but must be given.", vkrHostImport(host, NULL, 8, &got));
    INVALID(IDLE, "memory is NULL, but must be given.", vkrHostWrite(host, NULL, 0, 4, words));
    INVALID(IDLE, "memory is NULL, but must be given.", vkrHostRead(host, NULL, 0, 4, words));
    INVALID(IDLE, "data is NULL, but must be given, since size is 4.",
            vkrHostWrite(host, &memory, 0, 4, NULL));
    INVALID(IDLE, "data is NULL, but must be given, since size is 4.",
            vkrHostRead(host, &memory, 0, 4, NULL));
    INVALID(IDLE, "offset is 65 and size 0, but their sum must be at most 64, the memory's size.",
            vkrHostWrite(host, &memory, 65, 0, words));
    INVALID(IDLE, "offset is 60 and size 5, but their sum must be at most 64",
            vkrHostRead(host, &memory, 60, 5, words));
    INVALID(IDLE, "offset is 2 and size 18446744073709551615, but their sum",
            vkrHostRead(host, &memory, 2, UINT64_MAX, words));
}

static void check_recording_calls(void)
{
    const VkrHostMemory small = {.size = 4};
    VkrHostMemory got;
    INVALID(BEGUN, "memory is NULL, but must be given.", vkrHostAttach(host, &array, NULL));
    INVALID(BEGUN, "array is NULL, but must be given.", vkrHostAttach(host, NULL, &got));
    INVALID(BEGUN, "array.access is 0, but must be a VkrHostAccess.",
            vkrHostAttach(host, &(VkrHostArray){words, 8, (VkrHostAccess)0}, &got));
    INVALID(BEGUN, "array.access is 4, but must be a VkrHostAccess.",
            vkrHostAttach(host, &(VkrHostArray){words, 8, (VkrHostAccess)4}, &got));
    INVALID(BEGUN, "array.data is NULL, but must be given, since array.size is 8.",
            vkrHostAttach(host, &(VkrHostArray){NULL, 8, VKR_HOST_READ}, &got));
    INVALID(BEGUN, "size is 65, but must be at most 64, which from has, and 64, which to has.",
            vkrHostCopyIn(host, &memory, &memory, 65));
    INVALID(BEGUN, "size is 5, but must be at most 4, which from has, and 64, which to has.",
            vkrHostCopyIn(host, &small, &memory, 5));
    INVALID(ENDED, "size is 5, but must be at most 64, which from has, and 4, which to has.",
            vkrHostCopyOut(host, &memory, &small, 5));
    INVALID(BEGUN, "from is NULL, but must be given.", vkrHostCopyIn(host, NULL, &memory, 5));
    INVALID(BEGUN, "to is NULL, but must be given.", vkrHostCopyIn(host, &memory, NULL, 5));
    INVALID(ENDED, "to is NULL, but must be given.", vkrHostCopyOut(host, &memory, NULL, 5));
    INVALID(IDLE, "nanoseconds is NULL, but must be given.", vkrGetHostTime(host, NULL));
    INVALID(IDLE, "count is NULL, but must be given.", vkrGetHostTimes(host, NULL, NULL));
    INVALID(IDLE, "context is NULL, but must be given.", vkrCreateHostContext(host, NULL, NULL));
}

static void check_shared(void)
{
    const VkPhysicalDeviceFeatures features = {0};
    const VkrContextInfo context = {0};
    const VkAllocationCallbacks allocator = {0};
    const VkrHostVulkan vulkan = {0};
    const VkrHostInfo rows[] = {{.device = "0"},         {.turn = 1},
                                {.cacheFolder = "/tmp"}, {.features = &features},
                                {.context = &context},   {.allocator = &allocator},
                                {.vulkan = &vulkan}};
    static const char *const sentences[] = {
        "device is given, but must be NULL where shared is given.",
        "turn is 1, but must be 0 where shared is given.",
        "cacheFolder is given, but must be NULL where shared is given.",
        "features is given, but must be NULL where shared is given.",
        "context is given, but must be NULL where shared is given.",
        "allocator is given, but must be NULL where shared is given.",
        "vulkan is given, but must be NULL where shared is given."};
    VkrHost none = (VkrHost)(void *)words;
    come_to(IDLE);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const VkrHostInfo asked = case_info(&heard);
        VkrHostInfo info = rows[i];
        info.shared = host;
        info.message = asked.message;
        info.messageData = asked.messageData;
        EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, sentences[i], vkrCreateHost(&info, &none));
        assert_null(none);
    }
    leave();
}

HOST_TEST(test_arguments)
{
    VkrHostInfo info = case_info(&heard);
    VkrHost none = (VkrHost)(void *)words;
    (void)state;
    EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, "host is NULL, but must be given.",
                 vkrCreateHost(&info, NULL));
    EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT, "count is NULL, but must be given.",
                 vkrGetHostDevices(&info, NULL, NULL, NULL));
    info.flags = 0x18;
    EXPECT_ERROR(&heard, VKR_ERROR_INVALID_ARGUMENT,
                 "flags is 0x18, but must have no bits but those of VkrHostFlagBits.",
                 vkrCreateHost(&info, &none));
    assert_null(none);
    vkrDestroyHost(NULL);
    assert_string_equal(vkrResultName(VKR_ERROR_TIMEOUT), "VKR_ERROR_TIMEOUT");
    check_shared();
    check_memory_calls();
    check_recording_calls();
}
