/* SPDX-License-Identifier: MIT */
/*
 * The life of a context and a recorder on the stub of Vulkan. The first bytes choose which call
 * that creates something fails (0: none), with which code, and which allocation of host memory
 * fails (0: none); the next ones choose the device. Every call must keep to its contract: a call
 * that fails says so in one sentence and records nothing; what is recorded keeps to the device's
 * limits and to what the requests allow; nothing is left over in the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"

#define SCRATCH BUFFER('!')
#define MAX_USES 64u
#define LETTER_COUNT 26u /* letters of the buffers that the stub creates */

fuzz_bytes choices;

static PFN_vkCreateBuffer create_buffer_inside;

static struct {
    PFN_vkGetInstanceProcAddr get;
    PFN_vkGetDeviceProcAddr get_device;
    VkDeviceSize sizes[LETTER_COUNT]; /* of the buffers that the library creates */
    bool labels;                      /* dispatches name the operation that they belong to */
    VkrResult failed;                 /* the sticky error of the recording */
    VkrBufferRange scratch;           /* the caller's */
    operation operations[MAX_OPERATIONS];
    uint32_t count;
    bool calls; /* requests can have functions */
} life;

static const uint32_t function_code[] = {
#include "api_functions.inc"
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return setenv("CMOCKA_TEST_ABORT", "1", 1); /* failed assertions of the stub abort */
}

/* ---- Vulkan: as the stub has it, with the sizes of buffers ---- */

static VKAPI_ATTR VkResult VKAPI_CALL create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator,
                                                    VkBuffer *buffer)
{
    const VkResult result = create_buffer_inside(device, info, allocator, buffer);
    if (result == VK_SUCCESS)
        life.sizes[((uint64_t)*buffer - 'a') % LETTER_COUNT] = info->size;
    return result;
}

/* Caches functions, since all contexts ask for the same names, and comparing strings is slow under
 * libFuzzer. */
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get_device(VkDevice device, const char *name)
{
    static struct {
        const char *name;
        PFN_vkVoidFunction function;
    } known[4096];
    size_t i = (uintptr_t)name * 2654435761u % ARRAY_SIZE(known);
    while (known[i].name != name && known[i].name != NULL)
        i = (i + 1) % ARRAY_SIZE(known);
    if (known[i].name == NULL) {
        known[i].name = name;
        known[i].function = life.get_device(device, name);
        if (strcmp(name, "vkCreateBuffer") == 0) {
            create_buffer_inside = (PFN_vkCreateBuffer)known[i].function;
            known[i].function = (PFN_vkVoidFunction)create_buffer;
        }
    }
    return known[i].function;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction function = life.get(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0 || function == NULL)
        return function;
    life.get_device = (PFN_vkGetDeviceProcAddr)function;
    return (PFN_vkVoidFunction)get_device;
}

/* ---- Calls ---- */

bool heard(VkrResult result)
{
    const bool done = result == VKR_SUCCESS;
    EXPECT(result <= VKR_SUCCESS && result >= VKR_ERROR_VULKAN, "result %d", (int)result);
    EXPECT(fixture.sentences == !done, "%s: %u sentences, the last one '%s'", vkrResultName(result),
           fixture.sentences, fixture.sentence);
    EXPECT(done || fixture.result == result, "%s, and the message says %s", vkrResultName(result),
           vkrResultName(fixture.result));
    fixture.sentences = 0;
    return done;
}

/* Checks a call between vkrBegin and vkrEnd: after a failure it must fail with the same code. */
static bool heard_sticky(VkrResult result)
{
    EXPECT(life.failed == VKR_SUCCESS || result == life.failed, "%s after %s",
           vkrResultName(result), vkrResultName(life.failed));
    EXPECT(fixture.commands == 0, "%u commands before the end", fixture.commands);
    return heard(result);
}

static void collect(void)
{
    char label[8];
    const uint32_t creations = stub_creations();
    snprintf(label, sizeof label, "%u", life.count);
    const VkrResult result = collect_any(label, &life.operations[life.count]);
    /* The request was not tried, or the generator gave up because it could not use an earlier
     * answer of the library. */
    if (result == VKR_RESULT_MAX_ENUM || (result != VKR_SUCCESS && fixture.sentences == 0))
        return;
    if (heard_sticky(result))
        life.count++;
    else
        life.failed = result;
    EXPECT(stub_creations() == creations, "vkrCmd creates something");
}

static void ask_uses(void)
{
    VkrUse uses[MAX_USES];
    uint32_t count = 0, some = (uint32_t)choose(MAX_USES);
    const uint32_t room = some;
    if (!heard_sticky(vkrGetUses(fixture.recorder, &count, NULL)) ||
        !heard_sticky(vkrGetUses(fixture.recorder, &some, uses)))
        return;
    EXPECT(some == (count < room ? count : room), "%u uses of %u", some, count);
    for (uint32_t i = 0; i < some; i++) {
        bool found = false;
        for (uint32_t k = 0; k < life.count; k++)
            for (uint32_t r = 0; r < life.operations[k].region_count; r++) {
                const region *allowed = &life.operations[k].regions[r];
                const uint64_t start = allowed->offset / plan.device.granule * plan.device.granule;
                found |= uses[i].buffer == allowed->buffer && uses[i].offset >= start &&
                         uses[i].offset + uses[i].size <= allowed->offset + allowed->size &&
                         (allowed->written || !(uses[i].access & VK_ACCESS_SHADER_WRITE_BIT));
            }
        EXPECT(found, "a use of %llu bytes at %llu of '%c' is none",
               (unsigned long long)uses[i].size, (unsigned long long)uses[i].offset,
               (int)(uintptr_t)uses[i].buffer);
    }
}

static void act(void)
{
    VkDeviceSize size;
    VkrResult result;
    switch (choose(6)) {
    case 0:
        (void)heard_sticky(vkrGetScratchSize(fixture.recorder, &size));
        break;
    case 1:
        if (!heard_sticky(result = vkrPrepare(fixture.recorder)))
            life.failed = result;
        break;
    case 2:
        ask_uses();
        break;
    case 3:
        EXPECT(!heard(vkrReset(fixture.recorder)), "it is reset while it collects");
        break;
    default:
        if (life.count < MAX_OPERATIONS - 1)
            collect();
    }
}

/* ---- What was recorded ---- */

static bool lies_in(const VkDescriptorBufferInfo *info, const region *r)
{
    return info->buffer == r->buffer &&
           info->offset >= r->offset / plan.device.granule * plan.device.granule &&
           info->offset + info->range <= r->offset + r->size;
}

static bool is_own(const VkDescriptorBufferInfo *info)
{
    const uint64_t letter = (uint64_t)info->buffer;
    return letter >= 'a' && letter < 'a' + LETTER_COUNT &&
           info->offset + info->range <= life.sizes[letter - 'a'];
}

static void check_binding(const trace_dispatch *d, uint32_t binding)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    const region scratch = {life.scratch.buffer, life.scratch.offset, life.scratch.size, true};
    EXPECT(info->offset % plan.device.granule == 0, "%s: binding %u at %llu", d->kernel, binding,
           (unsigned long long)info->offset);
    EXPECT(info->range >= 1 && info->range <= plan.device.maxStorageBufferRange,
           "%s: binding %u has %llu bytes", d->kernel, binding, (unsigned long long)info->range);
    bool found = is_own(info) || (life.scratch.buffer && lies_in(info, &scratch));
    for (uint32_t k = 0; k < life.count; k++)
        for (uint32_t i = 0; i < life.operations[k].region_count; i++)
            found |= (!life.labels || k == d->operation) &&
                     lies_in(info, &life.operations[k].regions[i]);
    EXPECT(found, "%s: binding %u is %llu bytes at %llu of '%c', outside what it was given",
           d->kernel, binding, (unsigned long long)info->range, (unsigned long long)info->offset,
           (int)(uintptr_t)info->buffer);
}

static void check_dispatch(const trace_dispatch *d)
{
    EXPECT(d->operation < life.count, "an operation %u", d->operation);
    EXPECT(d->push_size >= 4 && d->push_size <= 128 && d->push_size % 4 == 0, "%s pushes %u",
           d->kernel, d->push_size);
    EXPECT(d->constant_count == 0 ||
               (d->constants[VKR_CONST_WORKGROUP] >= 1 &&
                d->constants[VKR_CONST_WORKGROUP] <= plan.device.maxWorkgroupSize),
           "%s has workgroups of %u", d->kernel, d->constants[VKR_CONST_WORKGROUP]);
    for (int i = 0; i < 3; i++)
        EXPECT(d->groups[i] >= 1 && d->groups[i] <= plan.device.maxComputeWorkGroupCount[i],
               "%s has %u groups in dimension %d", d->kernel, d->groups[i], i);
    for (uint32_t i = 0; i < TRACE_BINDINGS; i++)
        if (d->bindings[i].buffer)
            check_binding(d, i);
}

/* The number of operations, which have the labels that they were given. */
static uint32_t ask_operations(void)
{
    VkrOperationName names[MAX_OPERATIONS];
    uint32_t count = MAX_OPERATIONS;
    if (life.failed != VKR_SUCCESS || !heard(vkrGetOperations(fixture.recorder, &count, names)))
        return 0;
    EXPECT(count == life.count, "%u operations of %u", count, life.count);
    for (uint32_t i = 0; i < count; i++)
        EXPECT(strtoul(names[i].label, NULL, 10) == i, "operation %u is %s", i, names[i].label);
    return count;
}

static void finish(void)
{
    VkrEndInfo info = plain_end;
    VkDeviceSize size = 0;
    const uint32_t operations = ask_operations();
    if (life.failed == VKR_SUCCESS)
        (void)heard(vkrGetScratchSize(fixture.recorder, &size));
    if (choose(2)) {
        info.scratch = (VkrBufferRange){SCRATCH, plan.device.granule * choose(10), size};
        info.timestamps = HANDLE(VkQueryPool);
        info.queryCount = operations + 1;
    }
    if (choose(4) == 0)
        info.flags = VKR_END_NO_COMPILE_BIT;
    if (choose(4) == 0)
        disturb(&info, sizeof info);
    if ((uint64_t)info.scratch.buffer > '!')
        info.scratch.buffer = BUFFER('A' + (uint64_t)info.scratch.buffer % LETTERS);
    life.scratch = info.scratch;
    const VkrResult result = vkrEnd(fixture.recorder, &info);
    EXPECT(life.failed == VKR_SUCCESS || result == life.failed, "%s", vkrResultName(result));
    if (!heard(result))
        EXPECT(fixture.commands == 0, "a failed vkrEnd records %u commands", fixture.commands);
    for (uint32_t i = 0; i < fixture.dispatch_count; i++)
        check_dispatch(&fixture.dispatches[i]);
    for (uint32_t i = 0; i < fixture.fill_count; i++) {
        const VkDescriptorBufferInfo fill = {fixture.fills[i].buffer, fixture.fills[i].offset,
                                             fixture.fills[i].size};
        const region scratch = {life.scratch.buffer, life.scratch.offset, life.scratch.size, true};
        EXPECT(is_own(&fill) || lies_in(&fill, &scratch), "a fill outside of scratch");
    }
}

static void record(void)
{
    trace_clear();
    life.count = 0;
    life.failed = VKR_SUCCESS;
    if (!heard(vkrBegin(fixture.recorder)))
        return;
    for (uint64_t n = 1 + choose(6); n > 0; n--)
        act();
    if (choose(16))
        finish();
    else
        (void)heard(vkrBegin(fixture.recorder)); /* discards everything */
}

/* ---- Life ---- */

static const VkResult codes[] = {
    VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST,
    VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTED_POOL,      VK_ERROR_UNKNOWN,
};

static void describe(void)
{
    uint64_t unused = 0;
    const uint32_t creation = (uint32_t)choose(256), code = (uint32_t)choose(ARRAY_SIZE(codes));
    const uint32_t allocation = (uint32_t)choose(256);
    const uint64_t strange = choose(256);
    trace_device device = random_device(&unused);
    device.rows = 0; /* 65,535, which Vulkan guarantees */
    device.bare = strange % 8 == 1;
    device.no_debug_utils = strange % 8 == 2;
    device.buffers = strange % 8 == 3 ? (uint32_t)choose(16) : 0;
    device.version = strange % 8 == 4 ? VK_MAKE_VERSION(1, choose(4), 0) : 0;
    trace_describe(&device);
    if (strange % 8 == 5)
        disturb(&fixture.info.limits, sizeof fixture.info.limits);
    if (strange % 8 == 6)
        fixture.info.forwardProgress = (VkrForwardProgress)choose(256);
    if (strange % 8 == 7)
        fixture.info.flags = (uint32_t)choose(256);
    memset(&life, 0, sizeof life);
    life.calls = strange / 8 % 4 == 3;
    life.get = fixture.info.getInstanceProcAddr;
    fixture.info.getInstanceProcAddr = get;
    life.labels = fixture.info.flags == VKR_CONTEXT_DEBUG_UTILS_BIT;
    if (creation > 0)
        stub_fail(creation - 1, codes[code]);
    if (allocation > 0)
        fixture.fail_at = allocation - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    choices = (fuzz_bytes){data, size};
    describe();
    const VkrRecorderInfo info = {.label = choose(2) ? "frame" : NULL,
                                  .scratchChunkSize =
                                      choose(2) ? 0 : (VkDeviceSize)1 << choose(64)};
    const bool opened = heard(vkrCreateContext(&fixture.info, &fixture.context));
    EXPECT(opened == (fixture.context != NULL), "a context, or none");
    if (opened && heard(vkrCreateRecorder(fixture.context, &info, &fixture.recorder))) {
        const VkrModuleInfo module = {.code = function_code, .codeSize = sizeof function_code};
        vkrGetContextProperties(fixture.context, &plan.device);
        if (life.calls)
            (void)heard(vkrCreateModule(fixture.context, &module, &functions));
        for (uint64_t n = 1 + choose(3); n > 0; n--) {
            record();
            if (choose(2))
                (void)heard(vkrReset(fixture.recorder));
        }
    }
    vkrDestroyModule(functions);
    functions = NULL;
    trace_close();
    return 0;
}
