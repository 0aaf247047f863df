/* SPDX-License-Identifier: MIT */
/* Wrong hooks, and their sentences. */
#include <stdio.h>

#include "hooks_case.h"

typedef struct wrong_row {
    const char *sentence;
    VkrHook hook;
    VkrMap map;
    VkrView view;
    uint64_t count;
} wrong_row;

void hooks_check_wrong(const harness *h, VkrRecorder recorder, VkrModule module,
                       VkDescriptorSet set, VkBuffer output)
{
    const VkrUse none = {.size = 1};
    const VkrUse no_levels = {.image = (VkImage)(uintptr_t)1,
                              .subresource = {.aspectMask = 1, .layerCount = 1}};
    const VkrUse fetches = {.buffer = output,
                            .size = 4,
                            .access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDEX_READ_BIT};
    const VkrHook good = {module, "as_float", set, 0, NULL};
    const wrong_row rows[] = {
        {"input.map.hook->module is NULL, but must be a module.",
         {NULL, "x", set, 0, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->name is NULL, but must be the name of a function of the module.",
         {module, NULL, set, 0, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->set is VK_NULL_HANDLE, but must be a descriptor set exactly where the "
         "module has a setLayout.",
         {module, "as_float", VK_NULL_HANDLE, 0, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->useCount is 13, but must be at most 12.",
         {module, "as_float", set, 13, &none},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->uses is NULL, but must point to the 2 of useCount.",
         {module, "as_float", set, 2, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->uses[0] has neither a buffer nor an image, but must have a buffer or an "
         "image.",
         {module, "as_float", set, 1, &none},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->name is \"is_kept\", but is_kept must return a number, but it returns a "
         "bool.",
         {module, "is_kept", set, 0, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->name is \"counted\", but counted uses calls, which main sets, or nothing "
         "does, and hooks are called without main.",
         {module, "counted", set, 0, NULL},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->uses[0].subresource has VK_IMAGE_ASPECT_COLOR_BIT as aspectMask, 0 "
         "levels and 1 layers, but none must be 0.",
         {module, "as_float", set, 1, &no_levels},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"input.map.hook->uses[0].access is VK_ACCESS_INDEX_READ_BIT | VK_ACCESS_SHADER_READ_BIT, "
         "but must have only bits of VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_SHADER_READ_BIT | "
         "VK_ACCESS_SHADER_WRITE_BIT.",
         {module, "as_float", set, 1, &fetches},
         {{0}, 0, 0, NULL},
         {0},
         9},
        {"count is VKR_COUNT_ALL, but must be a number where input.map.hook is given.",
         good,
         {{0}, 0, 0, NULL},
         {0},
         VKR_COUNT_ALL},
        {"count is 4294967296, but must be below 2^32 where input.map.hook is given.",
         good,
         {{0}, 0, 0, NULL},
         {0},
         UINT64_C(1) << 32},
        {"input.map has weights, a bias or a function, but must have none beside a hook.",
         good,
         {{0}, 1.0f, 0, NULL},
         {0},
         9},
        {"input has a buffer, texels, an image, an offset, a size or a stride, but must have none "
         "where "
         "input.map.hook stands for its elements.",
         good,
         {{0}, 0, 0, NULL},
         {.size = 4},
         9},
        {"input.type is u32, but must be undefined or f32, which as_float returns.",
         good,
         {{0}, 0, 0, NULL},
         {.type = VKR_TYPE_U32},
         9},
        {"input.components is 2, but must be 0 or 1, as as_float returns.",
         good,
         {{0}, 0, 0, NULL},
         {.components = 2},
         9},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrMap map = rows[i].map;
        VkrReduceInfo info = {.ops = VKR_OP_SUM,
                              .input = rows[i].view,
                              .count = rows[i].count,
                              .output = {output, 0, 4}};
        char wanted[512];
        map.hook = &rows[i].hook;
        info.input.map = &map;
        assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(recorder, &info), VKR_ERROR_INVALID_ARGUMENT);
        (void)snprintf(wanted, sizeof wanted, "vkrCmdReduce: %s", rows[i].sentence);
        assert_string_equal(h->sentence, wanted);
    }
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
}
