/* SPDX-License-Identifier: MIT */
/*
 * Monoids of modules of their own, compared with the same on the CPU: states of texels that the
 * functions read, states of integers of 16 bits, and functions with Export linkage. The argument is
 * the folder with monoids_image.spv, monoids_short.spv and monoids_export.spv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks_set.h"
#include "images.h"

#define WIDTH 97u
#define HEIGHT 53u
#define COUNT (WIDTH * HEIGHT) /* texels, and elements */
#define GRANULE 256u           /* the maximum that a device may need for offsets */
#define MOST_WORDS 4u

static harness h;
static test_contexts contexts;
static harness_buffer words, outputs;
static uint8_t texels[COUNT];
static const char *folder;

/* A module; `step` combines a state with element i. */
typedef struct module_row {
    const char *name;
    uint32_t words; /* of a state */
    bool takes_words;
    uint32_t capability; /* SPIR-V's number, or 0 */
    uint32_t identity[MOST_WORDS];
    void (*step)(uint32_t i, uint32_t *state);
} module_row;

static uint32_t word_at(uint32_t i)
{
    return ((const uint32_t *)words.data)[i];
}

static void step_image(uint32_t i, uint32_t *state)
{
    state[0] *= 0x01000193u;
    state[1] = state[1] * 0x01000193u + texels[i];
}

static void step_export(uint32_t i, uint32_t *state)
{
    state[0] *= 0x01000193u;
    state[1] = state[1] * 0x01000193u + (word_at(i) ^ i);
}

static void step_short(uint32_t i, uint32_t *state)
{
    const uint32_t word = word_at(i), sum = (state[0] + word) & 0xffff, most = word >> 16;
    state[0] = sum | (sum >> 15 != 0 ? 0xffff0000u : 0);
    state[1] = most > state[1] ? most : state[1];
    state[2] ^= word & 0xffff;
    state[3] ^= i & 0xffff;
}

static const module_row image_row = {"monoids_image", 2, false, 0, {1}, step_image};
static const module_row export_row = {"monoids_export", 2, true, 0, {1}, step_export};
static const module_row short_row = {"monoids_short", 4, true, 22, {0}, step_short};

static VkrModule open_module(const module_row *row, VkDescriptorSetLayout layout)
{
    static const tuning_row built_in;
    VkrModuleInfo info = {.label = row->name,
                          .setLayout = layout,
                          .capabilityCount = row->capability != 0,
                          .capabilities = &row->capability};
    VkrModule module = NULL;
    uint32_t *code = hooks_read_code(folder, row->name, &info.codeSize);
    info.code = code;
    assert_non_null(code);
    assert_true(harness_check(
        &h, vkrCreateModule(get_context(&contexts, LIMITS_DEVICE, &built_in), &info, &module),
        "vkrCreateModule"));
    free(code);
    return module;
}

/* Where the result of a reduction lies, which follows the prefixes: in a granule of its own, since
 * synchronisation validation sees whole ones. */
static VkDeviceSize reduction_at(const module_row *row)
{
    const VkDeviceSize size = (VkDeviceSize)COUNT * row->words * 4;
    return (size + GRANULE - 1) / GRANULE * GRANULE;
}

/* Compares a reduction, which follows the prefixes of a scan of rows. */
static void compare(const module_row *row, uint32_t length)
{
    const size_t size = row->words * sizeof(uint32_t);
    const uint32_t *found = outputs.data;
    uint32_t state[MOST_WORDS], all[MOST_WORDS];
    memcpy(all, row->identity, sizeof all);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % length == 0)
            memcpy(state, row->identity, sizeof state);
        row->step(i, state);
        row->step(i, all);
        assert_memory_equal(found + (size_t)i * row->words, state, size);
    }
    assert_memory_equal((const char *)found + reduction_at(row), all, size);
}

static void run(const module_row *row, const VkrHook *hook)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, LIMITS_DEVICE, &built_in);
    const VkDeviceSize size = (VkDeviceSize)COUNT * row->words * 4;
    const VkrMonoid monoid = {hook, "combine", "identity", NULL, VK_FALSE};
    const VkrView none = {0}, elements = {.buffer = words.buffer,
                                          .size = (VkDeviceSize)COUNT * 4,
                                          .type = VKR_TYPE_U32,
                                          .components = 1};
    const VkrScanInfo scan = {.input = row->takes_words ? elements : none,
                              .count = COUNT,
                              .output = {.buffer = outputs.buffer, .size = size},
                              .segments = {.kind = VKR_SEGMENTS_ROWS, .length = 1000},
                              .monoid = &monoid};
    const VkrReduceInfo reduce = {
        .input = scan.input,
        .count = COUNT,
        .output = {outputs.buffer, reduction_at(row), (VkDeviceSize)row->words * 4},
        .monoid = &monoid};
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    memset(outputs.data, 0xcd, outputs.size);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &reduce), "vkrCmdReduce"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    compare(row, 1000);
    assert_int_equal(h.validation_messages, 0);
}

static void test_export(void **state)
{
    const VkrHook hook = {open_module(&export_row, VK_NULL_HANDLE), "load", VK_NULL_HANDLE, 0,
                          NULL};
    (void)state;
    run(&export_row, &hook);
    vkrDestroyModule(hook.module);
}

static void test_short(void **state)
{
    (void)state;
    if (!h.requirements.features.features.shaderInt16) {
        printf("# the device lacks shaderInt16\n");
        return;
    }
    const VkrHook hook = {open_module(&short_row, VK_NULL_HANDLE), "load", VK_NULL_HANDLE, 0, NULL};
    run(&short_row, &hook);
    vkrDestroyModule(hook.module);
}

/* ---- An image ---- */

static void open_set(VkImageView view, hooks_set *s)
{
    const VkDescriptorSetLayoutBinding binding = {.descriptorType =
                                                      VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    assert_int_equal(vkCreateDescriptorSetLayout(h.device, &layout, NULL, &s->layout), VK_SUCCESS);
    assert_int_equal(vkCreateDescriptorPool(h.device, &pool, NULL, &s->pool), VK_SUCCESS);
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = s->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &s->layout};
    assert_int_equal(vkAllocateDescriptorSets(h.device, &allocate, &s->set), VK_SUCCESS);
    const VkDescriptorImageInfo image = {.imageView = view,
                                         .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = s->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                        .pImageInfo = &image};
    vkUpdateDescriptorSets(h.device, 1, &write, 0, NULL);
}

/* Creates an image and copies the texels to it. */
static void fill_image(test_image *image)
{
    static const image_format format = {VK_FORMAT_R8_UINT, VK_IMAGE_ASPECT_COLOR_BIT, 1};
    const image_request request = {.format = &format,
                                   .view_type = VK_IMAGE_VIEW_TYPE_2D,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .layers = 1,
                                   .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    assert_true(image_create(&h, &request, image));
    memcpy(texels, words.data, sizeof texels);
    assert_true(harness_begin(&h));
    image_upload(&h, image, words.buffer, 0);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

static void test_image_load(void **state)
{
    test_image image;
    hooks_set set;
    (void)state;
    fill_image(&image);
    open_set(image.view, &set);
    const VkrUse use = {.image = image.image,
                        .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
    const VkrHook hook = {open_module(&image_row, set.layout), "load", set.set, 1, &use};
    run(&image_row, &hook);
    vkrDestroyModule(hook.module);
    hooks_close_set(&h, &set);
    image_destroy(&h, &image);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    uint64_t random = 5;
    (void)state;
    contexts.h = &h;
    if (!harness_create_buffer(&h, 4 * COUNT, &words) ||
        !harness_create_buffer(&h, 4 * MOST_WORDS * (COUNT + 1) + GRANULE, &outputs))
        return -1;
    for (uint32_t i = 0; i < COUNT; i++)
        ((uint32_t *)words.data)[i] = (uint32_t)next_random(&random);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    close_contexts(&contexts);
    harness_destroy_buffer(&h, &words);
    harness_destroy_buffer(&h, &outputs);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_export), cmocka_unit_test(test_short),
                                       cmocka_unit_test(test_image_load)};
    folder = argc > 1 ? argv[1] : ".";
    h.wants_int16 = true;
    return harness_run(&h, "monoids-modules", tests, ARRAY_SIZE(tests), open_all, close_all);
}
