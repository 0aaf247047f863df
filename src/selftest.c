/* SPDX-License-Identifier: MIT */
/* Small reductions, scans and compactions whose answers are known, on every rung from the one in
 * use down. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

#define FEW 311u    /* a part of a workgroup where those are large, and no whole one where small */
#define MANY 20011u /* several workgroups, since an invocation reads SHARE bytes */
#define SHARE 64u
#define REGION 163840u /* bytes for a check's elements; MANY of 8 bytes fit */
#define SLOT 256u      /* for its results; Vulkan asks for no more of any offset */
#define SECONDS 60u    /* compiling may fall into the wait */
#define FILLER 0xc9    /* between elements and in place of results: neither is right by chance */
#define F32_NAN 0x7fc00000u

typedef struct self_check {
    VkrType type;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    uint32_t count;
    uint32_t skip; /* elements from a multiple of SLOT to the first */
    uint32_t stride;
    bool nan;    /* some elements are */
    bool texels; /* handed in */
} self_check;

#define EXTREMES (VKR_OP_MIN | VKR_OP_MAX)
#define TOTALS (VKR_OP_MIN | VKR_OP_SUM)

/* Each takes a pipeline or two per rung, and compiling is what the test costs. The loads are those
 * of the tuning: texels or packs behind a head, by element where the view is not tight. */
/* clang-format off */
static const self_check checks[] = {
    {VKR_TYPE_I32, TOTALS | VKR_OP_ARGMIN | VKR_OP_XOR, VKR_REDUCE_AUTO, MANY, 3, 1, false, false},
    {VKR_TYPE_I32, TOTALS, VKR_REDUCE_AUTO, FEW, 1, 3, false, false},
    {VKR_TYPE_F32, EXTREMES, VKR_REDUCE_SUBGROUP, MANY, 0, 1, true, false},
    {VKR_TYPE_F32, TOTALS, VKR_REDUCE_AUTO, MANY, 5, 1, false, true},
    {VKR_TYPE_U8, EXTREMES, VKR_REDUCE_AUTO, MANY, 7, 1, false, false},
    {VKR_TYPE_I64, TOTALS, VKR_REDUCE_AUTO, MANY, 1, 1, false, false},
    {VKR_TYPE_F64, TOTALS, VKR_REDUCE_AUTO, MANY, 0, 1, false, false},
};
/* clang-format on */
#define CHECKS (uint32_t) VKR_ARRAY_SIZE(checks)

/* Scans and compactions of the first check's elements: prefix sums, and those below 0. */
static const struct {
    VkrOperation operation;
    uint32_t algorithm; /* the operation's */
    bool waits;         /* not with VKR_FORWARD_PROGRESS_NONE */
} moves[] = {
    {VKR_OPERATION_SCAN, VKR_SCAN_REDUCE_THEN_SCAN, false},
    {VKR_OPERATION_SCAN, VKR_SCAN_SINGLE_PASS, true},
    {VKR_OPERATION_COMPACT, VKR_COMPACT_AUTO, false},
};
#define MOVES (uint32_t) VKR_ARRAY_SIZE(moves)
#define REGIONS (CHECKS + MOVES)

struct vkr_self_test {
    /* A region per check, a slot per check, for its results, and a region per move, for its. */
    VkBuffer buffer;
    VkDeviceMemory memory;
    unsigned char *data;
    VkBufferView texels; /* on the region of the check that takes them */
    VkCommandPool pool;
    VkCommandBuffer cmd;
    VkFence fence;
    VkrRecorder recorder;
    bool abandoned; /* the device may still use all this */
};

/* ---- What is known ---- */

static bool is_nan(const self_check *c, uint32_t i)
{
    return c->nan && i % 13 == 5;
}

/* Floats are whole and small, so that their sums are exact in any order. */
static int64_t known_value(const self_check *c, uint32_t i)
{
    const vkr_type_info *type = &vkr_types[c->type];
    uint64_t bits = (i + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    bits ^= bits >> 29;
    if (type->is_float)
        return (int64_t)(bits % 1601) - 800;
    const uint64_t sign = type->is_signed ? UINT64_C(1) << (8 * type->size - 1) : 0;
    bits &= UINT64_MAX >> (64 - 8 * type->size);
    return (int64_t)((bits ^ sign) - sign);
}

/* The low bytes of what it returns are the value. */
static uint64_t encode(VkrType type, uint64_t number)
{
    const float f32 = (float)(int64_t)number;
    const double f64 = (double)(int64_t)number;
    uint32_t bits;
    switch (type) {
    case VKR_TYPE_F32:
        memcpy(&bits, &f32, sizeof bits);
        return bits;
    case VKR_TYPE_F64:
        memcpy(&number, &f64, sizeof number);
        return number;
    default:
        return number;
    }
}

static uint64_t right_answer(const self_check *c, VkrOp op, VkrType type)
{
    int64_t least = INT64_MAX;
    int64_t most = INT64_MIN;
    uint64_t sum = 0;
    uint64_t bits = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        const int64_t value = known_value(c, i);
        if (is_nan(c, i))
            continue;
        at = value < least ? i : at;
        least = value < least ? value : least;
        most = value > most ? value : most;
        sum += (uint64_t)value;
        bits ^= (uint64_t)value;
    }
    switch (op) {
    case VKR_OP_MIN:
        return encode(type, (uint64_t)least);
    case VKR_OP_MAX:
        return encode(type, (uint64_t)most);
    case VKR_OP_SUM:
        return encode(type, sum);
    case VKR_OP_XOR:
        return bits;
    default:
        return at; /* argmin */
    }
}

static void print_value(char text[32], VkrType type, uint64_t bits)
{
    const vkr_type_info *info = &vkr_types[type];
    const uint64_t sign = UINT64_C(1) << (8 * info->size - 1);
    const uint32_t low = (uint32_t)bits;
    float f32;
    double f64;
    memcpy(&f32, &low, sizeof f32);
    memcpy(&f64, &bits, sizeof f64);
    if (info->is_float)
        (void)snprintf(text, 32, "%.17g", info->size == 4 ? (double)f32 : f64);
    else if (info->is_signed)
        (void)snprintf(text, 32, "%" PRId64, (int64_t)((bits ^ sign) - sign));
    else
        (void)snprintf(text, 32, "%" PRIu64, bits);
}

/* ---- What it takes ---- */

static VkrResult create_buffer(VkrContext context, struct vkr_self_test *test)
{
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = REGIONS * REGION + CHECKS * SLOT,
                                       .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT};
    VkResult result =
        context->vk.vkCreateBuffer(context->device, &buffer, vkr_allocator(context), &test->buffer);
    if (result != VK_SUCCESS) {
        test->buffer = VK_NULL_HANDLE; /* a failed call may leave anything there */
        return vkr_fail_vk(context, result, "vkCreateBuffer");
    }
    VkMemoryRequirements needs;
    context->vk.vkGetBufferMemoryRequirements(context->device, test->buffer, &needs);
    const VkMemoryPropertyFlags needed =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    uint32_t type;
    const VkrResult chosen =
        vkr_choose_memory_type(context, needs.memoryTypeBits, needed, 0, &type);
    if (chosen != VKR_SUCCESS)
        return chosen;
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = type};
    result = context->vk.vkAllocateMemory(context->device, &memory, vkr_allocator(context),
                                          &test->memory);
    if (result != VK_SUCCESS) {
        test->memory = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkAllocateMemory");
    }
    result = context->vk.vkBindBufferMemory(context->device, test->buffer, test->memory, 0);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkBindBufferMemory");
    void *data;
    result = context->vk.vkMapMemory(context->device, test->memory, 0, VK_WHOLE_SIZE, 0, &data);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkMapMemory");
    test->data = data;
    return VKR_SUCCESS;
}

static VkrResult create_texels(VkrContext context, struct vkr_self_test *test)
{
    VkBufferViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                   .buffer = test->buffer,
                                   .format = VK_FORMAT_R32G32B32A32_UINT,
                                   .range = REGION};
    for (uint32_t i = 0; i < CHECKS; i++)
        if (checks[i].texels)
            info.offset = (VkDeviceSize)i * REGION;
    VkResult result = context->vk.vkCreateBufferView(context->device, &info, vkr_allocator(context),
                                                     &test->texels);
    if (result == VK_SUCCESS)
        return VKR_SUCCESS;
    test->texels = VK_NULL_HANDLE;
    return vkr_fail_vk(context, result, "vkCreateBufferView");
}

static VkrResult create_commands(VkrContext context, uint32_t family, struct vkr_self_test *test)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                          .queueFamilyIndex = family};
    VkResult result = context->vk.vkCreateCommandPool(context->device, &pool,
                                                      vkr_allocator(context), &test->pool);
    if (result != VK_SUCCESS) {
        test->pool = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreateCommandPool");
    }
    const VkCommandBufferAllocateInfo cmd = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = test->pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    result = context->vk.vkAllocateCommandBuffers(context->device, &cmd, &test->cmd);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkAllocateCommandBuffers");
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result =
        context->vk.vkCreateFence(context->device, &fence, vkr_allocator(context), &test->fence);
    if (result != VK_SUCCESS) {
        test->fence = VK_NULL_HANDLE;
        return vkr_fail_vk(context, result, "vkCreateFence");
    }
    return vkrCreateRecorder(context, &(VkrRecorderInfo){.label = "vkreduce self-test"},
                             &test->recorder);
}

static void fill(const struct vkr_self_test *test)
{
    memset(test->data, FILLER, CHECKS * REGION);
    for (uint32_t i = 0; i < CHECKS; i++) {
        const self_check *c = &checks[i];
        const uint32_t size = vkr_types[c->type].size;
        for (uint32_t k = 0; k < c->count; k++) {
            const uint64_t bits =
                is_nan(c, k) ? F32_NAN : encode(c->type, (uint64_t)known_value(c, k));
            memcpy(test->data + i * REGION + (c->skip + k * c->stride) * size, &bits, size);
        }
    }
}

static VkrResult create(VkrContext context, uint32_t family, struct vkr_self_test **created)
{
    struct vkr_self_test *test = vkr_alloc(context, sizeof *test);
    *created = test;
    if (!test)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "vkrSelfTest: out of host memory for the test.");
    VkrResult result = create_buffer(context, test);
    if (result == VKR_SUCCESS)
        result = create_texels(context, test);
    if (result == VKR_SUCCESS)
        result = create_commands(context, family, test);
    if (result == VKR_SUCCESS)
        fill(test);
    return result;
}

void vkr_destroy_self_test(VkrContext context, struct vkr_self_test *test)
{
    const VkAllocationCallbacks *allocator = vkr_allocator(context);
    if (!test)
        return;
    vkrDestroyRecorder(test->recorder);
    context->vk.vkDestroyFence(context->device, test->fence, allocator);
    context->vk.vkDestroyCommandPool(context->device, test->pool, allocator);
    context->vk.vkDestroyBufferView(context->device, test->texels, allocator);
    context->vk.vkDestroyBuffer(context->device, test->buffer, allocator);
    context->vk.vkFreeMemory(context->device, test->memory, allocator);
    vkr_free(context, test);
}

/* ---- One rung ---- */

static VkrReduceInfo describe(const struct vkr_self_test *test, uint32_t i)
{
    const self_check *c = &checks[i];
    const uint32_t size = vkr_types[c->type].size;
    const VkDeviceSize region = (VkDeviceSize)i * REGION;
    return (VkrReduceInfo){
        .label = "vkreduce self-test",
        .ops = c->ops,
        .input = {.buffer = test->buffer,
                  .offset = region + (VkDeviceSize)c->skip * size,
                  .size = ((VkDeviceSize)(c->count - 1) * c->stride + 1) * size,
                  .type = c->type,
                  .stride = (VkDeviceSize)c->stride * size,
                  .texels = {.view = c->texels ? test->texels : VK_NULL_HANDLE,
                             .offset = region,
                             .size = REGION}},
        .count = c->count,
        .output = {.buffer = test->buffer,
                   .offset = (VkDeviceSize)CHECKS * REGION + (VkDeviceSize)i * SLOT,
                   .size = SLOT},
        .algorithm = c->algorithm};
}

static VkDeviceSize region_of_move(uint32_t m)
{
    return CHECKS * (REGION + SLOT) + (VkDeviceSize)m * REGION;
}

/* Its results, and behind them the total or the count. */
static VkrView results_of_move(const struct vkr_self_test *test, uint32_t m)
{
    return (VkrView){.buffer = test->buffer,
                     .offset = region_of_move(m),
                     .size = MANY * sizeof(uint32_t),
                     .type = VKR_TYPE_I32};
}

static VkrBufferRange end_of_move(const struct vkr_self_test *test, uint32_t m)
{
    return (VkrBufferRange){test->buffer, region_of_move(m) + MANY * sizeof(uint32_t),
                            sizeof(uint32_t)};
}

static bool serves_move(VkrContext context, uint32_t m)
{
    const bool waits = !moves[m].waits || context->forward_progress != VKR_FORWARD_PROGRESS_NONE;
    return waits && (moves[m].operation != VKR_OPERATION_SCAN ||
                     vkrIsTypeSupported(context, checks[0].type));
}

static VkrResult collect_move(const struct vkr_self_test *test, uint32_t m)
{
    const VkrReduceInfo first = describe(test, 0);
    const VkrBufferRange end = end_of_move(test, m);
    if (moves[m].operation == VKR_OPERATION_SCAN)
        return vkrCmdScan(test->recorder,
                          &(VkrScanInfo){.label = first.label,
                                         .op = VKR_OP_SUM,
                                         .input = first.input,
                                         .output = results_of_move(test, m),
                                         .count = MANY,
                                         .algorithm = (VkrScanAlgorithm)moves[m].algorithm,
                                         .total = end});
    const VkrCountOutput count = {VKR_COUNT_KEPT, end.buffer, end.offset, 1};
    return vkrCmdCompact(
        test->recorder,
        &(VkrCompactInfo){.label = first.label,
                          .input = first.input,
                          .count = MANY,
                          .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS},
                          .algorithm = (VkrCompactAlgorithm)moves[m].algorithm,
                          .kept = results_of_move(test, m),
                          .countOutputCount = 1,
                          .countOutputs = &count});
}

static VkrResult collect(VkrContext context, const struct vkr_self_test *test)
{
    VkrResult result = vkrReset(test->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(test->recorder);
    for (uint32_t i = 0; i < CHECKS && result == VKR_SUCCESS; i++) {
        const VkrReduceInfo info = describe(test, i);
        if (vkrIsTypeSupported(context, checks[i].type))
            result = vkrCmdReduce(test->recorder, &info);
    }
    for (uint32_t m = 0; m < MOVES && result == VKR_SUCCESS; m++)
        if (serves_move(context, m))
            result = collect_move(test, m);
    return result;
}

static VkrResult record(VkrContext context, const struct vkr_self_test *test)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkrEndInfo end = {.commandBuffer = test->cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkResult result = context->vk.vkResetCommandPool(context->device, test->pool, 0);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkResetCommandPool");
    result = context->vk.vkBeginCommandBuffer(test->cmd, &begin);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkBeginCommandBuffer");
    VkrResult ended = vkrEnd(test->recorder, &end);
    if (ended != VKR_SUCCESS)
        return ended;
    result = context->vk.vkEndCommandBuffer(test->cmd);
    return result == VK_SUCCESS ? VKR_SUCCESS : vkr_fail_vk(context, result, "vkEndCommandBuffer");
}

/* A wait can fail for want of memory while the work goes on. It is then waited for once more, since
 * only what has ended, or will never run, can be freed. */
static VkrResult wait_for(VkrContext context, struct vkr_self_test *test)
{
    const uint64_t time = UINT64_C(1000000000) * SECONDS;
    const VkResult result =
        context->vk.vkWaitForFences(context->device, 1, &test->fence, VK_TRUE, time);
    VkResult last = result;
    if (result != VK_SUCCESS && result != VK_TIMEOUT && result != VK_ERROR_DEVICE_LOST)
        last = context->vk.vkWaitForFences(context->device, 1, &test->fence, VK_TRUE, time);
    test->abandoned = last != VK_SUCCESS && last != VK_ERROR_DEVICE_LOST;
    if (last != VK_SUCCESS)
        atomic_store(&context->lost, true);
    if (result == VK_TIMEOUT)
        return vkr_fail(context, VKR_ERROR_DEVICE_LOST,
                        "vkrSelfTest: the work on rung %s did not end within %u s, so that the "
                        "device counts as lost.",
                        vkrRungName(context->caps.rung), SECONDS);
    return result == VK_SUCCESS ? VKR_SUCCESS : vkr_fail_vk(context, result, "vkWaitForFences");
}

static VkrResult submit(VkrContext context, VkQueue queue, struct vkr_self_test *test)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &test->cmd};
    VkResult result = context->vk.vkResetFences(context->device, 1, &test->fence);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkResetFences");
    result = context->vk.vkQueueSubmit(queue, 1, &info, test->fence);
    if (result != VK_SUCCESS)
        return vkr_fail_vk(context, result, "vkQueueSubmit");
    return wait_for(context, test);
}

/* Prints the first wrong result on a rung into `sentence`. */
static void compare(VkrContext context, const struct vkr_self_test *test, uint32_t i,
                    VkrSelfTestReport *report, char sentence[256])
{
    const VkrRung rung = context->caps.rung;
    const VkrReduceInfo info = describe(test, i);
    VkrReduceLayout layout;
    if (!vkrIsTypeSupported(context, checks[i].type) ||
        vkrGetReduceLayout(context, &info, &layout) != VKR_SUCCESS)
        return;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrOp op = (VkrOp)(1u << bit);
        const VkrReduceResult *where = &layout.results[bit];
        if (!(info.ops & (uint32_t)op))
            continue;
        uint64_t found = 0;
        const uint32_t size = vkrTypeSize(where->type);
        memcpy(&found, test->data + info.output.offset + where->offset, size);
        const uint64_t right =
            right_answer(&checks[i], op, where->type) & UINT64_MAX >> (64 - 8 * size);
        report->checks[rung]++;
        if (found == right)
            continue;
        char texts[2][32];
        print_value(texts[0], where->type, found);
        print_value(texts[1], where->type, right);
        if (report->wrong[rung]++ == 0)
            (void)snprintf(sentence, 256, "%s of %u %s by algorithm %s is %s, but must be %s",
                           vkrOpName(op), checks[i].count, vkrTypeName(checks[i].type),
                           vkrReduceAlgorithmName(checks[i].algorithm), texts[0], texts[1]);
    }
}

/* Takes down a wrong word of a move. Returns whether it is right. */
static bool compare_word(const struct vkr_self_test *test, uint32_t m, uint32_t i, uint32_t right,
                         bool first, char sentence[256])
{
    const bool scan = moves[m].operation == VKR_OPERATION_SCAN;
    int32_t found;
    memcpy(&found, test->data + region_of_move(m) + i * sizeof found, sizeof found);
    if ((uint32_t)found == right)
        return true;
    if (first)
        (void)snprintf(sentence, 256,
                       "%s %" PRIu32 " of %u i32 by algorithm %s is %" PRId32
                       ", but must be %" PRId32,
                       i == MANY ? "result"
                       : scan    ? "prefix"
                                 : "kept element",
                       i, MANY,
                       scan ? vkrScanAlgorithmName((VkrScanAlgorithm)moves[m].algorithm)
                            : vkrCompactAlgorithmName((VkrCompactAlgorithm)moves[m].algorithm),
                       found, (int32_t)right);
    return false;
}

/* The results count as one, the total or the count as another. */
static void compare_move(VkrContext context, const struct vkr_self_test *test, uint32_t m,
                         VkrSelfTestReport *report, char sentence[256])
{
    const bool scan = moves[m].operation == VKR_OPERATION_SCAN;
    uint32_t *wrong = &report->wrong[context->caps.rung];
    uint32_t sum = 0;
    uint32_t kept = 0;
    bool good = true;
    for (uint32_t i = 0; i < MANY && good; i++) {
        const int64_t value = known_value(&checks[0], i);
        sum += (uint32_t)value;
        if (scan)
            good = compare_word(test, m, i, sum, *wrong == 0, sentence);
        else if (value < 0)
            good = compare_word(test, m, kept++, (uint32_t)value, *wrong == 0, sentence);
    }
    *wrong += !good;
    if (good && !compare_word(test, m, MANY, scan ? sum : kept, *wrong == 0, sentence))
        ++*wrong;
    report->checks[context->caps.rung] += 2;
}

static VkrResult run_rung(VkrContext context, VkQueue queue, struct vkr_self_test *test,
                          VkrSelfTestReport *report)
{
    const VkrRung rung = context->caps.rung;
    char sentence[256];
    memset(test->data + CHECKS * REGION, FILLER, CHECKS * SLOT + MOVES * REGION);
    VkrResult result = collect(context, test);
    if (result == VKR_SUCCESS)
        result = record(context, test);
    if (result == VKR_SUCCESS)
        result = submit(context, queue, test);
    for (uint32_t i = 0; i < CHECKS && result == VKR_SUCCESS; i++)
        compare(context, test, i, report, sentence);
    for (uint32_t m = 0; m < MOVES && result == VKR_SUCCESS; m++)
        if (serves_move(context, m))
            compare_move(context, test, m, report, sentence);
    if (report->wrong[rung] != 0)
        (void)vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                       "vkrSelfTest: rung %s is not usable: %u of %u results are wrong; the first "
                       "is that %s.",
                       vkrRungName(rung), report->wrong[rung], report->checks[rung], sentence);
    return result;
}

/* ---- All of them ---- */

static VkrResult check_family(VkrContext context, uint32_t index)
{
    VkQueueFamilyProperties families[64];
    uint32_t count = VKR_ARRAY_SIZE(families);
    PFN_vkGetPhysicalDeviceQueueFamilyProperties get =
        (PFN_vkGetPhysicalDeviceQueueFamilyProperties)vkr_load_instance(
            context->get_instance_proc_addr, context->instance,
            "vkGetPhysicalDeviceQueueFamilyProperties");
    if (!get)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: getInstanceProcAddr has no "
                        "vkGetPhysicalDeviceQueueFamilyProperties for the instance.");
    get(context->physical_device, &count, families);
    if (index < count && families[index].queueFlags & VK_QUEUE_COMPUTE_BIT)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                    "vkrSelfTest: queueFamilyIndex is %u, but must be a family with compute among "
                    "the device's %u.",
                    index, count);
}

static VkrResult check_arguments(VkrContext context, const VkrSelfTestInfo *info)
{
    if (!info)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: info is NULL, but must point to a VkrSelfTestInfo.");
    if (!info->queue)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrSelfTest: queue is NULL, but must be a queue of the device.");
    return check_family(context, info->queueFamilyIndex);
}

/* Rungs change what the planner does for everyone: hence before the first recorder. */
static VkrResult run_rungs(VkrContext context, VkQueue queue, struct vkr_self_test *test,
                           VkrSelfTestReport *report)
{
    VkrResult result = VKR_SUCCESS;
    vkr_tunings kept;
    memcpy(kept, context->tunings, sizeof kept);
    for (uint32_t i = 0; i < VKR_OPERATION_COUNT * 2 * VKR_VALUE_SIZES; i++) {
        VkrTuning *row = &context->tunings[i / (2 * VKR_VALUE_SIZES)][i % (2 * VKR_VALUE_SIZES)];
        row->oneGroupBytes = 0;
        row->minBytes = SHARE;
        row->maxBytes = SHARE;
        row->tileBytes = SHARE;
    }
    for (int rung = (int)report->before; rung < VKR_RUNG_COUNT && result == VKR_SUCCESS; rung++) {
        context->caps.rung = (VkrRung)rung;
        result = run_rung(context, queue, test, report);
    }
    memcpy(context->tunings, kept, sizeof kept);
    context->caps.rung = report->before;
    return result;
}

/* The best rung without a wrong answer. */
static VkrResult settle(VkrContext context, VkrSelfTestReport *report)
{
    int rung = (int)report->before;
    while (rung < VKR_RUNG_SHARED && report->wrong[rung] != 0)
        rung++;
    context->caps.rung = (VkrRung)rung;
    report->after = (VkrRung)rung;
    if (report->wrong[rung] == 0)
        return VKR_SUCCESS;
    return vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                    "vkrSelfTest: no rung gives right answers, so that the context must not be "
                    "used.");
}

VkrResult vkrSelfTest(VkrContext context, const VkrSelfTestInfo *info, VkrSelfTestReport *report)
{
    if (!context)
        return VKR_ERROR_INVALID_ARGUMENT;
    struct vkr_self_test *test = NULL;
    VkrSelfTestReport found = {.before = context->caps.rung, .after = context->caps.rung};
    VkrResult result = vkr_check_device(context, "vkrSelfTest");
    if (result == VKR_SUCCESS)
        result = check_arguments(context, info);
    if (result == VKR_SUCCESS)
        result = create(context, info->queueFamilyIndex, &test);
    if (result == VKR_SUCCESS)
        result = run_rungs(context, info->queue, test, &found);
    if (result == VKR_SUCCESS)
        result = settle(context, &found);
    if (report)
        *report = found;
    if (test && test->abandoned)
        context->self_test = test; /* freed with the context */
    else
        vkr_destroy_self_test(context, test);
    return result;
}
