/* SPDX-License-Identifier: MIT */
/* Wrong monoids, and their sentences. */
#include <stdio.h>
#include <string.h>

#include "monoids.h"

typedef struct reduction_row {
    const char *sentence;
    VkrMonoid monoid;
    VkrReduceInfo info; /* without the monoid */
} reduction_row;

typedef struct scan_row {
    const char *sentence;
    VkrScanInfo info;
} scan_row;

#define AT_9(...)                                                                                  \
    {                                                                                              \
        .count = 9, .output = {output, 0, 64}, __VA_ARGS__                                         \
    }

static void check(VkrResult result, const char *call, const char *sentence)
{
    char expected[300];
    (void)snprintf(expected, sizeof expected, "%s: %s", call, sentence);
    if (result == VKR_SUCCESS)
        fail_msg("accepted, but must be refused: %s", expected);
    if (strncmp(rig.h.sentence, expected, strlen(expected)) != 0)
        fail_msg("%s\nis not\n%s", rig.h.sentence, expected);
}

static void check_reductions(VkrRecorder recorder, VkrModule module, VkDescriptorSet set,
                             VkBuffer output)
{
    const VkrUse overlaps = {.buffer = output, .offset = 4, .size = 4};
    const VkrHook hash = {module, "load_hash", set, 0, NULL};
    const VkrHook lost = {module, "load_lost", set, 0, NULL};
    const VkrHook no_set = {module, "load_hash", VK_NULL_HANDLE, 0, NULL};
    const VkrHook no_module = {NULL, "load_hash", set, 0, NULL};
    const VkrHook no_name = {module, NULL, set, 0, NULL};
    const VkrHook on_output = {module, "load_hash", set, 1, &overlaps};
    const VkrMonoid good = {&hash, "combine_hash", "identity_hash", NULL, VK_FALSE};
    const reduction_row rows[] = {
        {"monoid.hook is NULL, but must be given.", {.combine = "combine_hash"}, AT_9(.ops = 0)},
        {"monoid.hook->module is NULL, but must be given.", {.hook = &no_module}, AT_9(.ops = 0)},
        {"monoid.hook->name is NULL, but must be given.", {.hook = &no_name}, AT_9(.ops = 0)},
        {"monoid.combine is NULL, but must be given.", {.hook = &hash}, AT_9(.ops = 0)},
        {"monoid.identity is NULL, but must be given.",
         {&hash, "combine_hash", NULL, NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.combine is wrong: combine_box is about another type than load_hash, which returns "
         "the state.",
         {&hash, "combine_box", "identity_hash", NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.identity is wrong: combine_hash must be T combine_hash(), but it has 2 "
         "parameters.",
         {&hash, "combine_hash", "combine_hash", NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.finish is wrong: finish_box is about another type than load_hash, which returns "
         "the state.",
         {&hash, "combine_hash", "identity_hash", "finish_box", VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.hook->name is wrong: the module has no function load_lost",
         {&lost, "combine_hash", "identity_hash", NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.hook->set is VK_NULL_HANDLE, but must be a descriptor set exactly where the "
         "module has a setLayout.",
         {&no_set, "combine_hash", "identity_hash", NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"monoid.hook->uses[0] overlaps output, but must be apart from it.",
         {&on_output, "combine_hash", "identity_hash", NULL, VK_FALSE},
         AT_9(.ops = 0)},
        {"ops is given, but must be 0 where monoid is given.", good, AT_9(.ops = VKR_OP_SUM)},
        {"input is given, but must be 0 where monoid is given.", good,
         AT_9(.input = {.type = VKR_TYPE_U32})},
        {"mask is given, but must be 0 where monoid is given.", good,
         AT_9(.mask = {.flags = {.range = {output, 0, 4}}},
              .segments = {.kind = VKR_SEGMENTS_WINDOWS, .length = 3})},
        {"pieces is given, but must be 0 where monoid is given.", good,
         AT_9(.pieces = {.count = 9}, .segments = {.kind = VKR_SEGMENTS_COLUMNS, .length = 3})},
        {"output overlaps mask.flags.range, but must be apart from it.", good,
         AT_9(.mask = {.flags = {.range = {output, 4, 4}, .format = VKR_FLAGS_BITS}})},
        {"pieces.partials.size is 4, but must be at least 8 for a piece of pieces.count 9.", good,
         AT_9(.pieces = {{output, 64, 4}, 0, 9})},
        {"determinism is VKR_DETERMINISM_DEVICE, but must be another where monoid is given: "
         "devices may round the operations of its functions differently.",
         good, AT_9(.determinism = VKR_DETERMINISM_DEVICE)},
        {"output.size is 4, but must be at least 8.", good, {.count = 9, .output = {output, 0, 4}}},
        {"count is VKR_COUNT_ALL, but must be a number where monoid.hook takes no elements.",
         good,
         {.count = VKR_COUNT_ALL, .output = {output, 0, 64}}},
        {"count is 4294901761, but must be at most 4294901760 where monoid is given.",
         good,
         {.count = UINT64_C(4294901761),
          .output = {output, 0, 64},
          .segments = {.kind = VKR_SEGMENTS_WINDOWS, .length = 1}}},
        {"count is 4294901760, but must be at most ",
         good,
         {.count = UINT64_C(4294901760),
          .output = {output, 0, 64},
          .segments = {.kind = VKR_SEGMENTS_OFFSETS, .offsets = {output, 128, 12}}}},
        {"segments.kind is tiles, but must be none, rows, columns, windows, offsets or keys where "
         "monoid is given.",
         good, AT_9(.segments = {.kind = VKR_SEGMENTS_TILES})},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrReduceInfo info = rows[i].info;
        info.monoid = &rows[i].monoid;
        assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
        check(vkrCmdReduce(recorder, &info), "vkrCmdReduce", rows[i].sentence);
    }
}

static void check_scans(VkrRecorder recorder, VkrModule module, VkDescriptorSet set,
                        VkBuffer output)
{
    const VkrHook hash = {module, "load_hash", set, 0, NULL};
    const VkrMonoid good = {&hash, "combine_hash", "identity_hash", NULL, VK_FALSE};
    const VkrView view = {.buffer = output, .size = 256};
    const VkrView strided = {.buffer = output, .size = 256, .stride = 6};
    const VkrView typed = {.buffer = output, .size = 256, .type = VKR_TYPE_U32};
    const uint32_t zero = 0;
    const scan_row rows[] = {
        {"op is given, but must be 0 where monoid is given.",
         {.op = VKR_OP_SUM, .count = 9, .output = view}},
        {"output.type is given, but must be 0 where monoid is given.",
         {.count = 9, .output = typed}},
        {"initial is given, but must be 0 where monoid is given.",
         {.count = 9, .output = view, .initial = &zero}},
        {"segments.kind is columns, but must be another one for scans by a monoid.",
         {.count = 9, .output = view, .segments = {.kind = VKR_SEGMENTS_COLUMNS, .length = 3}}},
        {"segments.length is 0, but must be at least 1.",
         {.count = 9, .output = view, .segments = {.kind = VKR_SEGMENTS_ROWS}}},
        {"output overlaps segments.flags, but must be apart from it.",
         {.count = 9,
          .output = view,
          .segments = {.kind = VKR_SEGMENTS_FLAGS,
                       .flags = {.range = {output, 4, 4}, .format = VKR_FLAGS_BITS}}}},
        {"output.stride is 6, but must be 0, or a multiple of 4 of at least 8, the size of a "
         "result.",
         {.count = 9, .output = strided}},
        {"output.size is 256, but must be at least 264.", {.count = 33, .output = view}},
        {"total.size is 4, but must be at least 8.",
         {.count = 9, .output = view, .total = {output, 512, 4}}},
        {"total overlaps output, but must be apart from it.",
         {.count = 9, .output = view, .total = {output, 8, 8}}},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrScanInfo info = rows[i].info;
        info.monoid = &good;
        assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
        check(vkrCmdScan(recorder, &info), "vkrCmdScan", rows[i].sentence);
    }
}

/* The greatest count that module.h allows where functions have loops and segments lie anywhere. */
static void check_most(VkrRecorder recorder, VkrModule module, VkDescriptorSet set, VkBuffer output)
{
    const VkrHook hash = {module, "load_hash", set, 0, NULL};
    const VkrMonoid good = {&hash, "combine_hash", "identity_hash", NULL, VK_FALSE};
    const VkrReduceInfo most = {
        .count = 1000000000,
        .output = {output, 0, 64},
        .segments = {.kind = VKR_SEGMENTS_OFFSETS, .offsets = {output, 128, 12}},
        .monoid = &good};
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdReduce(recorder, &most), VKR_SUCCESS);
}

void monoids_check_wrong(VkrRecorder recorder, VkrModule module, VkDescriptorSet set,
                         VkBuffer output)
{
    check_reductions(recorder, module, set, output);
    check_scans(recorder, module, set, output);
    check_most(recorder, module, set, output);
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
}
