/* SPDX-License-Identifier: MIT */
/*
 * Tests shaders/vkreduce/group.glsl through group.comp: every operator of every type on every group
 * path, and an operator defined by the shader, bit for bit against folds from the first value to
 * the last; order-dependent float sums against the order that group.glsl specifies. The first
 * argument is the folder of the shaders. Each driver runs its share of the cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "group_model.h"
#include "program.h"

#define GROUPS 3u
#define MAX_WORDS 131072u
#define SHOWN 3u

/* ---- The device ---- */

static harness h;
static const char *folder;
static program p;
static harness_buffer input, output;
static uint32_t subgroup_size;
static uint32_t code[MAX_WORDS];
static size_t code_words;

static void read_subgroup_size(void)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    const VkSubgroupFeatureFlags needed =
        VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    vkGetPhysicalDeviceProperties2(h.physical_device, &properties);
    assert_true((subgroup.supportedOperations & needed) == needed);
    subgroup_size = subgroup.subgroupSize;
}

static int open_device(void **state)
{
    (void)state;
    const VkDeviceSize values = (VkDeviceSize)GROUPS * MAX_SIZE * 16;
    if (!harness_create_buffer(&h, values, &input) ||
        !harness_create_buffer(&h, values * FORMS, &output))
        return -1;
    const VkDescriptorBufferInfo buffers[] = {{input.buffer, 0, VK_WHOLE_SIZE},
                                              {output.buffer, 0, VK_WHOLE_SIZE}};
    program_open(h.device, buffers, ARRAY_SIZE(buffers), &p);
    read_subgroup_size();
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    program_close(h.device, &p);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    return 0;
}

static void load_code(const value_type *t, group_path_id group_path)
{
    static const char *const group_paths[] = {"", "arithmetic", "shuffle", "shared"};
    char path[4096];
    const int length = snprintf(path, sizeof(path), "%s/group_%s_%s.spv", folder, t->name,
                                group_paths[group_path]);
    assert_in_range(length, 1, sizeof(path) - 1);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    code_words = fread(code, 4, MAX_WORDS, file);
    assert_in_range(code_words, 1, MAX_WORDS - 1);
    assert_int_equal(fclose(file), 0);
}

static void dispatch(const test_case *c)
{
    const uint32_t constants[] = {c->op, c->size, c->rows, c->forms == FORMS, leads(c)};
    program_specialise(h.device, &p, code, 4 * code_words, constants, ARRAY_SIZE(constants));
    memset(output.data, 0xcd, (size_t)output.size);
    assert_true(harness_begin(&h));
    program_bind(h.cmd, &p);
    vkCmdDispatch(h.cmd, GROUPS, 1, 1);
    program_to_host(h.cmd);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

static bool is_equal(const test_case *c, value wanted, const uint32_t *got)
{
    const value v = value_of(c->type, got[0] | (uint64_t)got[1] << 32, got[2]);
    if (v.index != wanted.index || got[3] != 0)
        return false;
    return v.bits == wanted.bits || (is_nan(c->type, v) && is_nan(c->type, wanted));
}

static uint32_t cases, wrong;

typedef value wanted_values[MAX_SIZE][FORMS];

static void compare(const test_case *c, uint32_t group, wanted_values *wanted)
{
    const uint32_t *got = (const uint32_t *)output.data + (size_t)group * c->size * FORMS * 4;
    for (uint32_t i = 0; i < c->size; i++, got += FORMS * 4)
        for (uint32_t form = 0; form < c->forms; form++) {
            if (form == LEAD && (i > 0 || !leads(c)))
                continue;
            const uint32_t from = form == REDUCE ? (group + 1) % GROUPS : group;
            const value v = wanted[from][i][form];
            const uint32_t *words = &got[form * 4];
            if (is_equal(c, v, words) || wrong++ >= SHOWN)
                continue;
            printf("# %s of %s on group path %d, workgroup %u of %u invocations, rows of %u (%u): "
                   "%s of invocation %u is %08x%08x, %u, but should be %016llx, %u\n",
                   op_names[c->op], c->type->name, (int)c->group_path, group, c->size, c->width,
                   c->rows, form_names[form], i, words[1], words[0], words[2],
                   (unsigned long long)v.bits, v.index);
        }
}

static void run(const test_case *c)
{
    static value in[MAX_SIZE];
    static wanted_values wanted[GROUPS];
    uint32_t *words = input.data;
    for (uint32_t group = 0; group < GROUPS; group++) {
        for (uint32_t i = 0; i < c->size; i++, words += 4) {
            in[i] = input_of(c->type, c->op, group, i, c->ordered);
            const uint32_t stored[] = {(uint32_t)in[i].bits, (uint32_t)(in[i].bits >> 32),
                                       in[i].index, 0};
            memcpy(words, stored, sizeof(stored));
            if (is_arg(c->op) && is_nan(c->type, in[i]))
                in[i].index = UINT32_MAX;
        }
        expect(c, in, wanted[group]);
    }
    dispatch(c);
    for (uint32_t group = 0; group < GROUPS; group++)
        compare(c, group, wanted);
    cases++;
}

/* ---- Cases ---- */

static bool is_available(const value_type *t, group_path_id group_path)
{
    const VkPhysicalDeviceFeatures *features = &h.requirements.features.features;
    /* Built-ins do not support 64-bit values. */
    if (t->bytes == 8 && group_path == ARITHMETIC)
        return false;
    if (t == digits || t->bytes == 4)
        return true;
    return features->shaderInt64 && (!t->is_float || features->shaderFloat64);
}

static bool has(const value_type *t, op_id op)
{
    const bool bitwise = op == AND || op == OR || op == XOR;
    return t == digits ? op == DIGITS : op != DIGITS && !(bitwise && t->is_float);
}

/* Case n of an operator. Sizes and widths have no common period. */
static test_case case_of(const value_type *t, group_path_id group_path, op_id op, uint32_t n)
{
    const uint32_t w = subgroup_size;
    const uint32_t sizes[] = {256, 3 * w, 1, 100, w, 2, w + 1, 3, 36};
    const uint32_t widths[] = {32, 4, 128, 8, 1, 64, 16, 2};
    test_case c = {t, group_path, op, sizes[n % ARRAY_SIZE(sizes)], w, 0, FORMS, false};
    if (group_path == SHARED)
        c.rows = c.width = widths[n % ARRAY_SIZE(widths)];
    else
        c.rows = n % 2 == 0 ? (c.size + w - 1) / w : (c.size + 3) / 4;
    return c;
}

static void run_cases(const value_type *t, group_path_id group_path, op_id op, uint32_t count)
{
    load_code(t, group_path);
    for (uint32_t n = 0; n < count; n++) {
        const test_case c = case_of(t, group_path, op, n);
        if (harness_has_case(n))
            run(&c);
    }
}

/* Checks that no value differs, and that enough cases ran: `min_cases`, or this driver's share of
 * each of up to three loops, which is rounded down. */
static void check(uint32_t min_cases)
{
    printf("# %u cases, %u values that differ\n", cases, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(h.validation_messages, 0);
    const uint32_t step = environment("VKR_TEST_STEP", 1);
    assert_true(cases + (step > 1 ? 2 : 0) >= min_cases / step);
    cases = 0;
}

/* One case of each operator, with sizes in turn. */
static void operators(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (size_t t = 0; t < ARRAY_SIZE(types); t++)
        for (group_path_id group_path = ARITHMETIC; group_path <= SHARED; group_path++) {
            if (!is_available(&types[t], group_path))
                continue;
            load_code(&types[t], group_path);
            for (op_id op = SUM; op < OPS; op++) {
                if (!has(&types[t], op) || !harness_has_case(n++))
                    continue;
                test_case c = case_of(&types[t], group_path, op, n);
                c.forms = FEW_FORMS;
                run(&c);
            }
        }
    check(72);
}

/* All sizes and widths, with a non-commutative operator and with built-in ones. */
static void sizes(void **state)
{
    (void)state;
    run_cases(digits, SHUFFLE, DIGITS, 18);
    run_cases(digits, SHARED, DIGITS, 24);
    run_cases(&types[1], ARITHMETIC, SUM, 9);
    check(51);
}

static void order_of_sums(void **state)
{
    (void)state;
    uint32_t n = 0;
    for (size_t t = 0; t < ARRAY_SIZE(types); t++)
        for (group_path_id group_path = SHUFFLE; group_path <= SHARED; group_path++) {
            if (!types[t].is_float || !is_available(&types[t], group_path))
                continue;
            load_code(&types[t], group_path);
            for (op_id op = SUM; op <= PRODUCT; op++) {
                test_case c = case_of(&types[t], group_path, op, op == SUM ? 0 : 3);
                c.ordered = true;
                if (harness_has_case(n++))
                    run(&c);
            }
        }
    check(4);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(sizes),
        cmocka_unit_test(order_of_sums),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: group FOLDER\n");
        return 2;
    }
    folder = argv[1];
    return harness_run(&h, "group", tests, sizeof(tests) / sizeof(tests[0]), open_device,
                       close_device);
}
