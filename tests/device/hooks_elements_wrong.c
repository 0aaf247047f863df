/* SPDX-License-Identifier: MIT */
/* Wrong uses of functions that take elements, and their sentences. */
#include <string.h>

#include "hooks_elements.h"

typedef struct setting {
    const harness *h;
    VkrRecorder recorder;
    VkBuffer elements, output;
} setting;

static VkrView view_of(VkBuffer buffer, VkrType type, uint32_t components)
{
    return (VkrView){.buffer = buffer, .size = 128, .type = type, .components = components};
}

/* Checks the sentence of a reduction by a map, or of a compaction by a predicate. */
static void check_wrong(const setting *s, VkrModule module, const char *name, const VkrView *view,
                        bool predicate, const char *sentence)
{
    const VkrRecorder recorder = s->recorder;
    const VkrHook hook = {.module = module, .name = name};
    const VkrMap map = {.hook = &hook};
    VkrReduceInfo reduce = {
        .ops = VKR_OP_SUM, .input = *view, .count = 9, .output = {s->output, 0, 64}};
    const VkrCompactInfo compact = {.input = *view,
                                    .count = 9,
                                    .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags.hook = &hook},
                                    .keptIndices = {.buffer = s->output, .size = 64}};
    reduce.input.map = &map;
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    assert_int_equal(predicate ? vkrCmdCompact(recorder, &compact)
                               : vkrCmdReduce(recorder, &reduce),
                     VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(strchr(s->h->sentence, ' ') + 1, sentence);
    /* No other flags have elements. */
    reduce.input = view_of(s->elements, VKR_TYPE_F32, 1);
    reduce.mask.flags.hook = &hook;
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    if (predicate) {
        assert_int_equal(vkrCmdReduce(recorder, &reduce), VKR_ERROR_INVALID_ARGUMENT);
        assert_string_equal(s->h->sentence,
                            "vkrCmdReduce: mask.flags.hook->name is \"keep_float\", which takes "
                            "elements, but must be bool keep_float(uint): only the predicate of a "
                            "compaction has elements.");
    }
    vkrReset(recorder);
}

void elements_check_wrong(const harness *h, VkrRecorder recorder, VkrModule module, VkrModule wide,
                          VkBuffer elements, VkBuffer output)
{
    const setting s = {h, recorder, elements, output};
    const VkrView words = view_of(elements, VKR_TYPE_U32, 1);
    const VkrView vectors = view_of(elements, VKR_TYPE_F32, 2);
    const VkrView none = {.buffer = VK_NULL_HANDLE};
    check_wrong(&s, module, "of_float", &words, false,
                "input.type is u32, but must be f32, f16 or bf16 for the first parameter of "
                "of_float.");
    check_wrong(&s, module, "of_int", &words, false,
                "input.type is u32, but must be i32, i16 or i8 for the first parameter of of_int.");
    check_wrong(&s, module, "of_float", &vectors, false,
                "input.components is 2, but must be 1 for the first parameter of of_float.");
    check_wrong(&s, module, "of_float", &none, false,
                "input.type is 0, but must be one of VKR_TYPE_I8 (1) to VKR_TYPE_BF16 (12).");
    check_wrong(&s, module, "of_matrix", &vectors, false,
                "input.map.hook->name is \"of_matrix\", but of_matrix must be float "
                "of_matrix(float, uint), but its first parameter is a matrix.");
    check_wrong(&s, module, "of_three", &vectors, false,
                "input.map.hook->name is \"of_three\", but of_three must be float "
                "of_three(float, uint), but it has 3 parameters.");
    check_wrong(&s, module, "keep_float", &vectors, false,
                "input.map.hook->name is \"keep_float\", but keep_float must return a number, but "
                "it returns a bool.");
    check_wrong(&s, module, "keep_float", &words, true,
                "input.type is u32, but must be f32, f16 or bf16 for the first parameter of "
                "keep_float.");
    check_wrong(&s, module, "keep_float", &vectors, true,
                "input.components is 2, but must be 1 for the first parameter of keep_float.");
    check_wrong(&s, module, "keep_float", &none, true,
                "input is empty, but must have the elements that keep_float takes.");
    if (wide) {
        check_wrong(&s, wide, "of_double", &vectors, false,
                    "input.type is f32, but must be f64 for the first parameter of of_double.");
        check_wrong(&s, wide, "of_dvec3", &vectors, false,
                    "input.map.hook->name is \"of_dvec3\", but of_dvec3 must be float "
                    "of_dvec3(float, uint), but its first parameter is a dvec3.");
    }
}
