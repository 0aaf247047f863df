/* SPDX-License-Identifier: MIT */
/* Wrong sinks, and their sentences. */
#include "hooks_case.h"

static void check_wrong(const harness *h, VkrRecorder recorder, const VkrCompactInfo *info,
                        VkrResult result, const char *sentence)
{
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdCompact(recorder, info), result);
    assert_string_equal(h->sentence, sentence);
    vkrReset(recorder);
}

void sinks_check_wrong(const harness *h, VkrRecorder recorder, const VkrHook *hook, VkBuffer source,
                       VkBuffer output)
{
    const VkrUse use = {
        .buffer = output, .offset = 4, .size = 4, .access = VK_ACCESS_SHADER_WRITE_BIT};
    VkrHook sink = *hook;
    VkrCompactInfo info = {.input = {.buffer = source, .size = 64, .type = VKR_TYPE_F32},
                           .count = 9,
                           .keptIndices = {.buffer = output, .size = 64},
                           .sink = &sink};
    const VkrResult invalid = VKR_ERROR_INVALID_ARGUMENT;
    sink.name = "gives";
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: sink->name is \"gives\", but gives must be void gives(uint, uint), "
                "but it returns a number.");
    sink.name = "takes_int";
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: sink->name is \"takes_int\", but takes_int must be void "
                "takes_int(uint, uint), but its first parameter is an int.");
    sink.name = "takes_one";
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: sink->name is \"takes_one\", but takes_one must be void "
                "takes_one(uint, uint), but it has 1 parameter.");
    sink.name = "note";
    sink.set = VK_NULL_HANDLE;
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: sink->set is VK_NULL_HANDLE, but must be a descriptor set exactly "
                "where the module has a setLayout.");
    sink.set = hook->set;
    sink.uses = &use;
    sink.useCount = 1;
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: sink->uses[0] overlaps keptIndices, but must be apart from it.");
    sink.useCount = 0;
    info.algorithm = VKR_COMPACT_SINGLE_PASS;
    check_wrong(h, recorder, &info, VKR_ERROR_UNSUPPORTED,
                "vkrCmdCompact: algorithm is single-pass, but sink must then be NULL.");
    info.algorithm = VKR_COMPACT_AUTO;
    info.count = UINT64_C(1) << 32;
    info.input.size = UINT64_C(1) << 34;
    info.keptIndices = (VkrView){.buffer = VK_NULL_HANDLE};
    check_wrong(h, recorder, &info, invalid,
                "vkrCmdCompact: count is 4294967296, but must be below 2^32 where sink is given.");
}
