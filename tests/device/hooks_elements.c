/* SPDX-License-Identifier: MIT */
/*
 * Functions that take elements: each operation runs twice in one recording, on what such functions
 * return and on the same values in buffers, which the CPU has computed. Both must give the same
 * bits. The argument is the folder with hooks_elements.spv and hooks_wide.spv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks_elements.h"
#include "images.h"

#define MOST (HOOKS_COUNT + 100u)
#define MAX_STRIDE 80u
#define HALF (HOOKS_OUTPUT / 2)

static harness h;
static abilities device;
static test_contexts contexts;
static fetcher fetch;
static harness_buffer source, values, bits, written, outputs, numbers;
static uint32_t *codes[2];
static size_t sizes[2];
static VkrModule modules[LIMITS_COUNT][2];
static const char *folder;
static uint64_t random_state = 11;

/* ---- Recordings ---- */

static VkrModule module_of(limits_row limits, bool wide)
{
    static const tuning_row built_in;
    VkrModule *module = &modules[limits][wide];
    const VkrModuleInfo info = {.label = "elements", .code = codes[wide], .codeSize = sizes[wide]};
    if (!*module)
        assert_true(harness_check(
            &h, vkrCreateModule(get_context(&contexts, limits, &built_in), &info, module),
            "vkrCreateModule"));
    return *module;
}

static void run_case(limits_row limits, const hook_operation *operation, hook_case *hooked,
                     hook_case *plain, const char *name)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, limits, &built_in);
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    hook_case *const cases[] = {hooked, plain};
    for (uint32_t i = 0; i < 2; i++) {
        cases[i]->context = get_context(&contexts, limits, &built_in);
        cases[i]->recorder = recorder;
        cases[i]->plain = values.buffer;
        cases[i]->output = outputs.buffer;
        cases[i]->at = i == 0 ? HALF : 0;
        cases[i]->count = plain->count;
        cases[i]->gpu_count = plain->gpu_count;
    }
    *(uint64_t *)numbers.data = (plain->count * 2 + 2) / 3;
    memset(outputs.data, 0xcd, outputs.size);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, operation->add(hooked), operation->name));
    assert_true(harness_check(&h, operation->add(plain), operation->name));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    assert_memory_not_equal(outputs.data, "\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", 8);
    if (memcmp(outputs.data, (const char *)outputs.data + HALF, HALF) != 0)
        fail_msg("%s by %s, %u elements, limits %s: not as on a buffer", operation->name, name,
                 (uint32_t)plain->count, limits_names[limits]);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

static VkrView view_of_values(VkrType type, uint32_t components, uint32_t count)
{
    return (VkrView){.buffer = values.buffer,
                     .size = 4 * (VkDeviceSize)components * count,
                     .type = type,
                     .components = components};
}

/* The predicate for elements of 32 bits. */
static const char *keep_of(VkrType type, uint32_t components)
{
    static const char *const names[3][4] = {
        {"keep_float", "keep_vec2", "keep_vec3", "keep_vec4"},
        {"keep_int", "keep_ivec2", "keep_ivec3", "keep_ivec4"},
        {"keep_uint", "keep_uvec2", "keep_uvec3", "keep_uvec4"}};
    return names[type == VKR_TYPE_F32 ? 0 : type == VKR_TYPE_I32 ? 1 : 2][components - 1];
}

/* Sets the flags for values, as `keep_of` tests them. */
static void set_flags(uint32_t components, uint32_t count)
{
    const uint32_t *value = values.data;
    uint32_t *flag = bits.data;
    memset(bits.data, 0, bits.size);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t all = 0;
        for (uint32_t c = 0; c < components; c++)
            all ^= *value++;
        flag[i / 32] |= ((all >> 3 ^ all >> 31 ^ i) & 1) << i % 32;
    }
}

static bool is_by_flags(const hook_operation *o)
{
    return strcmp(o->name, "compaction by flags") == 0;
}

static void set_values(const element_row *row, const VkrView *view, uint32_t count)
{
    const VkDeviceSize size = vkrTypeSize(row->type) * row->components;
    (void)element_values(row, (const char *)source.data + view->offset,
                         view->stride ? view->stride : size, count, values.data, bits.data);
}

/* Runs an operation on what a function makes of a view; a compaction's predicate takes that. */
static void run_map(limits_row limits, const hook_operation *o, const element_row *row,
                    const VkrView *view, uint32_t components, uint32_t count, bool gpu_count)
{
    const VkrHook element = {.module = module_of(limits, vkrTypeSize(row->type) == 8),
                             .name = row->map};
    const VkrHook flag = {.module = module_of(limits, false),
                          .name = keep_of(row->result, components)};
    const VkrMap map = {.hook = &element};
    hook_case plain = {.view = view_of_values(row->result, components, count),
                       .flags = {.format = VKR_FLAGS_BITS, .range = {bits.buffer, 0, bits.size}},
                       .count = count};
    hook_case hooked = {.view = *view, .flags = plain.flags};
    if (gpu_count)
        plain.gpu_count = (VkrGpuCount){numbers.buffer, 0, VKR_TYPE_U64};
    hooked.view.map = &map;
    set_flags(components, count);
    if (is_by_flags(o))
        hooked.flags = (VkrFlagView){.hook = &flag};
    run_case(limits, o, &hooked, &plain, row->map);
}

/* Runs a compaction whose predicate takes the elements of a view themselves. Its flags are written,
 * by a pass that calls it, or it is linked into the compaction. */
static void run_predicate(limits_row limits, const element_row *row, const VkrView *view,
                          uint32_t count, bool gpu_count, bool writes)
{
    const hook_operation *o = hook_operations;
    const VkrHook flag = {.module = module_of(limits, vkrTypeSize(row->type) == 8),
                          .name = row->keep};
    hook_case plain = {.view = *view,
                       .flags = {.format = VKR_FLAGS_BITS, .range = {bits.buffer, 0, bits.size}},
                       .count = count};
    hook_case hooked = {.view = *view, .flags = {.hook = &flag}};
    while (!is_by_flags(o))
        o++;
    if (writes)
        hooked.flags = (VkrFlagView){VKR_FLAGS_BITS, {written.buffer, 0, written.size}, &flag};
    if (gpu_count)
        plain.gpu_count = (VkrGpuCount){numbers.buffer, 0, VKR_TYPE_U32};
    run_case(limits, o, &hooked, &plain, row->keep);
}

static const uint32_t counts[] = {HOOKS_COUNT, 1, 4097, 33, 20000};
static const limits_row all_limits[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL, LIMITS_DEVICE,
                                        LIMITS_SHARED_SMALL};

/* A view of the source: packed, with space between elements, or with much space. */
static VkrView view_of_source(const element_row *row, uint32_t layout, uint32_t count)
{
    const uint32_t size = vkrTypeSize(row->type);
    const uint32_t strides[] = {0, size * (row->components + 3), MAX_STRIDE};
    return (VkrView){.buffer = source.buffer,
                     .offset = layout == 0 ? 0 : size * 5,
                     .size = source.size - 64,
                     .type = row->type,
                     .components = row->components,
                     .stride = count > 0 ? strides[layout] : 0};
}

/* Every operation, with several types of elements; a full run has all pairs. */
static void test_buffers(void **state)
{
    uint32_t n = 0, k = 0;
    (void)state;
    for (uint32_t i = 0; element_rows[i].map; i++)
        for (const hook_operation *o = hook_operations; o->name; o++) {
            const element_row *row = &element_rows[i];
            const uint32_t components = row->components * (vkrTypeSize(row->type) == 8 ? 2 : 1);
            const limits_row limits = all_limits[n % ARRAY_SIZE(all_limits)];
            if (components > o->components || (o->floats && row->result != VKR_TYPE_F32) ||
                strcmp(o->name, "compaction of indices") == 0 || !device.types[row->type] ||
                (k++ % 3 != 0 && !harness_full()))
                continue;
            if (harness_has_case(n)) {
                const uint32_t given = counts[n % ARRAY_SIZE(counts)];
                const uint32_t grain = o->grain > 1 ? o->grain : 1;
                const uint32_t count = grain > 1 ? given / grain * grain + grain : given;
                const VkrView view = view_of_source(row, n / 2 % 3, count);
                set_values(row, &view, count);
                run_map(limits, o, row, &view, components, count, o->gpu_counts && n % 3 == 2);
            }
            n++;
        }
    printf("# cases: %u\n", n);
}

static void test_predicates(void **state)
{
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; element_rows[i].map; i++)
        for (uint32_t layout = 0; layout < 3 && element_rows[i].keep; layout++, n++) {
            const element_row *row = &element_rows[i];
            const limits_row limits = all_limits[n / 3 % 2];
            const uint32_t count = counts[n % ARRAY_SIZE(counts)];
            const VkrView view = view_of_source(row, layout, count);
            if (!device.types[row->type] || !harness_has_case(n))
                continue;
            set_values(row, &view, count);
            run_predicate(limits, row, &view, count, n % 4 == 1, false);
            run_predicate(limits, row, &view, count, n % 4 == 1, true);
        }
}

/* ---- Images ---- */

/* A format, and the functions for its texels. */
static const struct {
    image_format format;
    element_row row;
} image_rows[] = {
    {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, 4},
     {VKR_TYPE_F32, 4, "of_vec4", "keep_vec4", VKR_TYPE_U32}},
    {{VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, 4},
     {VKR_TYPE_F32, 2, "of_vec2", "keep_vec2", VKR_TYPE_U32}},
    {{VK_FORMAT_R16_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT, 2},
     {VKR_TYPE_F32, 1, "of_float", "keep_float", VKR_TYPE_U32}},
    {{VK_FORMAT_R16G16_SINT, VK_IMAGE_ASPECT_COLOR_BIT, 4},
     {VKR_TYPE_I32, 2, "of_ivec2", "keep_ivec2", VKR_TYPE_I32}},
    {{VK_FORMAT_R8_UINT, VK_IMAGE_ASPECT_COLOR_BIT, 1},
     {VKR_TYPE_U32, 1, "scaled", "keep_uint", VKR_TYPE_F32}},
};

/* Reads texels into the source. */
static void read_texels(test_image *image, uint32_t components)
{
    image_fill(&image->request, &random_state, values.data);
    fetcher_reset(&fetch);
    assert_true(harness_begin(&h));
    image_upload(&h, image, values.buffer, 0);
    image_fetch(&h, &fetch, &image->info, components, source.buffer, 0, source.size);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

static void run_image(uint32_t k)
{
    const element_row *row = &image_rows[k].row;
    const image_request request = {.format = &image_rows[k].format,
                                   .view_type = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                   .width = 75,
                                   .height = 40,
                                   .layers = 2,
                                   .layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    test_image image;
    if (!image_supported(&h, &request))
        return;
    assert_true(image_create(&h, &request, &image));
    image.info.rectangle = (VkRect2D){{5, 3}, {50, 30}};
    const uint32_t count = 50 * 30 * 2;
    const VkrView view = {.image = &image.info, .components = row->components};
    read_texels(&image, row->components);
    uint32_t n = k;
    for (const hook_operation *o = hook_operations; o->name; o++, n++) {
        if (row->components > o->components || (o->floats && row->result != VKR_TYPE_F32) ||
            strcmp(o->name, "compaction of indices") == 0 || o->grain == 9 || !harness_has_case(n))
            continue;
        set_values(row, &view, count);
        run_map(all_limits[n % 2], o, row, &view, row->components, count,
                o->gpu_counts && n % 3 == 0);
    }
    set_values(row, &view, count);
    run_predicate(LIMITS_DEVICE, row, &view, count, false, false);
    image_destroy(&h, &image);
}

static void test_images(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < ARRAY_SIZE(image_rows); k++)
        run_image(k);
}

static void test_wrong(void **state)
{
    static const tuning_row built_in;
    const VkrModule wide = device.types[VKR_TYPE_F64] ? module_of(LIMITS_DEVICE, true) : NULL;
    (void)state;
    elements_check_wrong(&h, get_recorder(&contexts, LIMITS_DEVICE, &built_in),
                         module_of(LIMITS_DEVICE, false), wide, values.buffer, outputs.buffer);
}

/* ---- What is known of the functions ---- */

static void test_lists(void **state)
{
    VkrHookInfo infos[40];
    uint32_t count = ARRAY_SIZE(infos), maps = 0, keeps = 0;
    (void)state;
    assert_int_equal(vkrGetModuleHooks(module_of(LIMITS_DEVICE, false), &count, infos),
                     VKR_SUCCESS);
    assert_int_equal(count, 26); /* `test`, too */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; element_rows[k].map; k++) {
            const element_row *row = &element_rows[k];
            if (vkrTypeSize(row->type) != 4 || infos[i].elementType != row->type ||
                infos[i].elementComponents != row->components)
                continue;
            maps += strcmp(infos[i].name, row->map) == 0 && infos[i].kind == VKR_HOOK_KIND_MAP &&
                    infos[i].type == row->result && infos[i].components == row->components;
            keeps += strcmp(infos[i].name, row->keep) == 0 &&
                     infos[i].kind == VKR_HOOK_KIND_PREDICATE &&
                     infos[i].type == VKR_TYPE_UNDEFINED && infos[i].components == 0;
        }
    assert_int_equal(maps, 12);
    assert_int_equal(keeps, 12);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    h.loader = limits_proc;
    device = device_abilities(&h);
    contexts.h = &h;
    codes[0] = hooks_read_code(folder, "hooks_elements", &sizes[0]);
    codes[1] = hooks_read_code(folder, "hooks_wide", &sizes[1]);
    if (!codes[0] || !codes[1] || !fetcher_open(&h, &fetch) ||
        !harness_create_buffer(&h, MAX_STRIDE * MOST, &source) ||
        !harness_create_buffer(&h, 16 * MOST, &values) ||
        !harness_create_buffer(&h, MOST / 8 + 64, &bits) ||
        !harness_create_buffer(&h, MOST / 8 + 64, &written) ||
        !harness_create_buffer(&h, HOOKS_OUTPUT, &outputs) ||
        !harness_create_buffer(&h, 64, &numbers))
        return -1;
    for (uint32_t i = 0; i < source.size / 4; i++)
        ((uint32_t *)source.data)[i] = (uint32_t)next_random(&random_state);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LIMITS_COUNT; i++)
        for (uint32_t wide = 0; wide < 2; wide++)
            vkrDestroyModule(modules[i][wide]);
    close_contexts(&contexts);
    fetcher_close(&h, &fetch);
    harness_buffer *const buffers[] = {&source, &values, &bits, &written, &outputs, &numbers};
    for (uint32_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&h, buffers[i]);
    free(codes[0]);
    free(codes[1]);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers), cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_images), cmocka_unit_test(test_wrong), cmocka_unit_test(test_lists)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&h, "hooks_elements", tests, ARRAY_SIZE(tests), open_all, close_all);
}
