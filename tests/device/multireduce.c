/* SPDX-License-Identifier: MIT */
/*
 * Tests shaders/vkreduce/multireduce.glsl. A scalar model of every form is compared, lane by lane,
 * with separate reductions, for 2 to 128 lanes. The device is compared with the model, lane by
 * lane, for the number of lanes of its subgroups. The argument is the folder of the shaders
 * (multireduce.comp).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "multireduce_model.h"
#include "program.h"

#define MAX_VALUES 16u /* per lane of the device */
#define MAX_WORDS 65536u
#define GROUP 64u /* workgroup size */
#define GROUPS 7u
#define SHOWN 3
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const form_names[FORMS] = {"naive", "reduce", "swap",   "doubled",
                                              "push",  "fewer",  "shared", "shared_swap"};

/* ---- The model against separate reductions ---- */

static void fill(lanes *m, const value_kind *kind, uint32_t w, uint32_t k, uint32_t seed)
{
    m->kind = kind;
    m->w = w;
    m->k = k;
    for (uint32_t lane = 0; lane < w; lane++)
        for (uint32_t i = 0; i < k; i++)
            m->v[lane][i] = random_value(kind, &seed);
}

/* Integers, whose sum does not depend on the order. */
static void make_exact(lanes *m)
{
    for (uint32_t lane = 0; lane < m->w && !m->kind->ordered; lane++)
        for (uint32_t i = 0; i < m->k; i++) {
            float f;
            memcpy(&f, m->v[lane][i].words, sizeof(f));
            f = (float)(int)f;
            memcpy(m->v[lane][i].words, &f, sizeof(f));
        }
}

static value reduce_one(const lanes *m, uint32_t i)
{
    value sum = m->v[0][i];
    for (uint32_t lane = 1; lane < m->w; lane++)
        sum = m->kind->combine(sum, m->v[lane][i]);
    return sum;
}

static uint32_t cases;

static void check_model(const value_kind *kind, uint32_t w, uint32_t k, form_id form)
{
    static lanes m;
    value sums[MAX_LANES];
    fill(&m, kind, w, k, w * 131 + k);
    make_exact(&m);
    for (uint32_t i = 0; i < k; i++)
        sums[i] = reduce_one(&m, i);
    run_model(&m, form);
    for (uint32_t lane = 0; lane < w; lane++) {
        const uint32_t mine = lane % k;
        for (uint32_t i = 0; i < (form == NAIVE ? k : form == DOUBLED ? 2 : 1); i++) {
            const uint32_t wanted = form == NAIVE ? i : i == 1 ? k - 1 - mine : mine;
            if (memcmp(&m.v[lane][i], &sums[wanted], 4 * kind->words) != 0)
                fail_msg("%s of %s, %u values in %u lanes: value %u of lane %u is %08x, but should "
                         "be %08x",
                         form_names[form], kind->name, k, w, i, lane, m.v[lane][i].words[0],
                         sums[wanted].words[0]);
        }
    }
    cases++;
}

static void model_reduces(void **state)
{
    (void)state;
    cases = 0;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t w = 2; w <= MAX_LANES; w *= 2)
            for (uint32_t k = 2; k <= w; k *= 2)
                for (int form = 0; form < FORMS; form++)
                    check_model(&kinds[kind], w, k, (form_id)form);
    printf("# %u cases of the model\n", cases);
}

/* ---- The device against the model ---- */

static harness h;
static const char *folder;

static program p;
static harness_buffer input, output;

static uint32_t subgroup_size(void)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroup};
    vkGetPhysicalDeviceProperties2(h.physical_device, &properties);
    assert_true((subgroup.supportedOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0);
    return subgroup.subgroupSize;
}

static int open_device(void **state)
{
    (void)state;
    const VkDeviceSize most = (VkDeviceSize)GROUPS * GROUP * MAX_VALUES * sizeof(value);
    if (!harness_create_buffer(&h, most, &input) || !harness_create_buffer(&h, most, &output))
        return -1;
    const VkDescriptorBufferInfo buffers[] = {{input.buffer, 0, VK_WHOLE_SIZE},
                                              {output.buffer, 0, VK_WHOLE_SIZE}};
    program_open(h.device, buffers, ARRAY_SIZE(buffers), &p);
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

/* Loads the words of a shader. */
static size_t load_code(const value_kind *kind, uint32_t w, uint32_t k, uint32_t code[MAX_WORDS])
{
    char path[4096];
    const int length =
        snprintf(path, sizeof(path), "%s/multireduce_%s_%u_%u.spv", folder, kind->name, w, k);
    assert_in_range(length, 1, sizeof(path) - 1);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    const size_t words = fread(code, 4, MAX_WORDS, file);
    assert_in_range(words, 1, MAX_WORDS - 1);
    assert_int_equal(fclose(file), 0);
    return words;
}

static void dispatch(void)
{
    assert_true(harness_begin(&h));
    program_bind(h.cmd, &p);
    vkCmdDispatch(h.cmd, GROUPS, 1, 1);
    program_to_host(h.cmd);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

/* Each group of W invocations is the lanes of one reduction. */
static uint32_t compare(const value_kind *kind, uint32_t w, uint32_t k, form_id form)
{
    static lanes m;
    const uint32_t *in = input.data;
    const uint32_t *out = output.data;
    const uint32_t results = form == NAIVE ? k : form == DOUBLED ? 2 : 1;
    uint32_t wrong = 0;
    m.kind = kind;
    m.w = w;
    m.k = k;
    for (uint32_t first = 0; first < GROUPS * GROUP; first += w) {
        for (uint32_t lane = 0; lane < w; lane++)
            for (uint32_t i = 0; i < k; i++)
                memcpy(&m.v[lane][i], &in[((first + lane) * k + i) * kind->words], 4 * kind->words);
        run_model(&m, form);
        for (uint32_t lane = 0; lane < w; lane++)
            for (uint32_t i = 0; i < results; i++) {
                const uint32_t *got = &out[((first + lane) * k + i) * kind->words];
                if (memcmp(got, &m.v[lane][i], 4 * kind->words) == 0 || wrong++ >= SHOWN)
                    continue;
                printf("# %s of %s, %u values in %u lanes: value %u of invocation %u is %08x, but "
                       "should be %08x\n",
                       form_names[form], kind->name, k, w, i, first + lane, got[0],
                       m.v[lane][i].words[0]);
            }
    }
    cases++;
    return wrong;
}

/* Runs this driver's share of the forms; `first` is the number of the first one. */
static uint32_t run_forms(const value_kind *kind, uint32_t w, uint32_t k, uint32_t first)
{
    static uint32_t code[MAX_WORDS];
    const size_t words = load_code(kind, w, k, code);
    uint32_t seed = w * 257 + k;
    uint32_t *in = input.data;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < GROUPS * GROUP * k; i++) {
        const value v = random_value(kind, &seed);
        memcpy(&in[i * kind->words], &v, 4 * kind->words);
    }
    for (int form = 0; form < FORMS; form++) {
        if (!harness_has_case(first + (uint32_t)form))
            continue;
        program_use(h.device, &p, code, 4 * words, (uint32_t)form);
        memset(output.data, 0xcd, (size_t)output.size);
        dispatch();
        wrong += compare(kind, w, k, (form_id)form);
    }
    return wrong;
}

static void device_is_the_model(void **state)
{
    (void)state;
    const uint32_t size = subgroup_size();
    uint32_t wrong = 0, forms = 0;
    cases = 0;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t w = 4; w <= size && w <= MAX_VALUES; w *= 2)
            for (uint32_t k = 2; k <= w; k *= 2, forms += FORMS)
                wrong += run_forms(&kinds[kind], w, k, forms);
    printf("# %u cases, %u lanes that differ\n", cases, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(h.validation_messages, 0);
    /* Subgroups of 4 lanes have 32 cases, and larger ones have more. */
    assert_true(cases >= 32 / environment("VKR_TEST_STEP", 1) && cases > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_reduces),
        cmocka_unit_test(device_is_the_model),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: multireduce FOLDER\n");
        return 2;
    }
    folder = argv[1];
    return harness_run(&h, "multireduce", tests, sizeof(tests) / sizeof(tests[0]), open_device,
                       close_device);
}
