/* SPDX-License-Identifier: MIT */
/* A lost device stays lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "faults_life.h"

static VkrResult lost_begin(void)
{
    return vkrBegin(life.recorder);
}

static VkrResult lost_pyramid(void)
{
    const faults_operation operation = {.operation = OPERATION_PYRAMID};
    return collect_one(&operation, 0);
}

static VkrResult lost_scan_type(void)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM, .input.type = VKR_TYPE_F32};
    VkrType type;
    return vkrGetScanType(life.context, &info, &type);
}

static VkrResult lost_scratch_size(void)
{
    VkDeviceSize size;
    return vkrGetScratchSize(life.recorder, &size);
}

static VkrResult lost_uses(void)
{
    uint32_t count;
    return vkrGetUses(life.recorder, &count, NULL);
}

static VkrResult lost_operations(void)
{
    uint32_t count;
    return vkrGetOperations(life.recorder, &count, NULL);
}

static VkrResult lost_prepare(void)
{
    return vkrPrepare(life.recorder);
}

static VkrResult lost_recorder(void)
{
    const VkrRecorderInfo info = {0};
    VkrRecorder recorder = NULL;
    const VkrResult result = vkrCreateRecorder(life.context, &info, &recorder);
    expect(recorder == NULL, "a recorder comes of a lost device");
    return result;
}

static VkrResult lost_layout(void)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM, .input.type = VKR_TYPE_F32};
    VkrReduceLayout layout;
    return vkrGetReduceLayout(life.context, &info, &layout);
}

static VkrResult lost_tuning(void)
{
    VkrTuning tuning;
    return vkrGetTuning(life.context, VKR_OPERATION_REDUCE, 4, VK_FALSE, &tuning);
}

static VkrResult lost_profile(void)
{
    size_t size;
    return vkrWriteProfile(life.context, &(VkrProfile){0}, &size, NULL);
}

static VkrResult lost_self_test(void)
{
    const VkrSelfTestInfo info = {.queue = device.queue, .queueFamilyIndex = device.family};
    return vkrSelfTest(life.context, &info, NULL);
}

static void expect_lost(VkrResult result)
{
    expect(result == VKR_ERROR_DEVICE_LOST, "a lost device is forgotten");
    expect(life.result == VKR_ERROR_DEVICE_LOST && life.sentences == 1 &&
               strncmp(life.sentence, life.call, strlen(life.call)) == 0 &&
               strstr(life.sentence, "device lost"),
           "the sentence about a lost device is wrong");
}

void check_lost(void)
{
    static const struct {
        const char *name;
        VkrResult (*call)(void);
    } calls[] = {
        {"vkrBegin", lost_begin},
        {"vkrCmdPyramid", lost_pyramid},
        {"vkrGetScanType", lost_scan_type},
        {"vkrGetScratchSize", lost_scratch_size},
        {"vkrGetUses", lost_uses},
        {"vkrGetOperations", lost_operations},
        {"vkrPrepare", lost_prepare},
        {"vkrEnd", end_recording},
        {"vkrReset", reset},
        {"vkrCreateRecorder", lost_recorder},
        {"vkrGetReduceLayout", lost_layout},
        {"vkrGetTuning", lost_tuning},
        {"vkrWriteProfile", lost_profile},
        {"vkrSelfTest", lost_self_test},
    };
    const uint32_t before = faults.all_calls, objects = faults.objects;
    const int64_t blocks = faults.blocks;
    for (uint32_t twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
            calling(calls[i].name);
            expect_lost(calls[i].call());
        }
        for (uint32_t i = 0; i < table_count(); i++)
            if (life.module || !table_row(i)->monoid)
                expect_lost(table_collect(i));
    }
    calling("a lost device");
    expect(faults.all_calls == before && faults.objects == objects && faults.blocks == blocks,
           "something is created on it");
}
