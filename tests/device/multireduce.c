/* SPDX-License-Identifier: MIT */
/*
 * Tests shaders/vkreduce/multireduce.glsl. A scalar model of every form is compared, lane by lane,
 * with reductions one by one, for 2 to 128 lanes; and the device is compared with the model, lane
 * by lane, for as many lanes as its subgroups have. The argument is the folder of the shaders
 * (multireduce.comp).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "program.h"

#define MOST 128u       /* lanes of the model */
#define MOST_VALUES 16u /* of a lane of the device */
#define MOST_WORDS 65536u
#define GROUP 64u /* invocations of a workgroup */
#define GROUPS 7u
#define SHOWN 3
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

typedef enum form_id {
    NAIVE,
    MERGE,
    SWAP,
    DOUBLED,
    ONLINE,
    FEWER,
    SHARED,
    SHARED_SWAP,
    FORMS
} form_id;

static const char *const form_names[FORMS] = {"naive", "reduce", "swap",   "doubled",
                                              "push",  "fewer",  "shared", "shared_swap"};

/* ---- Values ---- */

typedef struct value {
    uint32_t words[2]; /* the second one of digits only */
} value;

typedef struct value_kind {
    const char *name;
    uint32_t words;
    bool ordered; /* not commutative */
    value (*combine)(value a, value b);
} value_kind;

static value add_floats(value a, value b)
{
    float x, y;
    memcpy(&x, a.words, sizeof(x));
    memcpy(&y, b.words, sizeof(y));
    x += y;
    memcpy(a.words, &x, sizeof(x));
    return a;
}

/* Numerals behind each other: the number, and the power of the base that its length is. */
static value append_digits(value a, value b)
{
    return (value){{a.words[0] * b.words[1] + b.words[0], a.words[1] * b.words[1]}};
}

static const value_kind kinds[] = {{"float", 1, false, add_floats},
                                   {"digits", 2, true, append_digits}};

static uint32_t random_word(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static value random_value(const value_kind *k, uint32_t *state)
{
    const float f = (float)random_word(state) / 65536.0f - 100.0f;
    value v = {{random_word(state) % 10, 2 * (random_word(state) % 1000) + 3}};
    if (!k->ordered)
        memcpy(v.words, &f, sizeof(f));
    return v;
}

/* ---- The model: what W lanes hold of K values ---- */

typedef struct lanes {
    const value_kind *kind;
    uint32_t w, k;
    value v[MOST][MOST]; /* of a lane, a value */
} lanes;

static value in_order(const lanes *m, uint32_t lane, uint32_t mask, value own, value other)
{
    return m->kind->ordered && (lane & mask) != 0 ? m->kind->combine(other, own)
                                                  : m->kind->combine(own, other);
}

/* How a round combines a lane's own value with the other one: own first, own last, or in the order
 * of the lanes. */
typedef enum ordering { OWN_FIRST, OWN_LAST, AS_THEY_LIE } ordering;

static void round_of(lanes *m, uint32_t i, uint32_t mask, ordering order)
{
    value before[MOST];
    for (uint32_t lane = 0; lane < m->w; lane++)
        before[lane] = m->v[lane][i];
    for (uint32_t lane = 0; lane < m->w; lane++) {
        const value own = before[lane];
        const value other = before[lane ^ mask];
        m->v[lane][i] = order == OWN_FIRST  ? m->kind->combine(own, other)
                        : order == OWN_LAST ? m->kind->combine(other, own)
                                            : in_order(m, lane, mask, own, other);
    }
}

static void merge(lanes *m, uint32_t mask, uint32_t i, uint32_t j)
{
    round_of(m, i, mask, OWN_FIRST);
    round_of(m, j, mask, OWN_LAST);
    for (uint32_t lane = 0; lane < m->w; lane++)
        if ((lane & mask) != 0)
            m->v[lane][i] = m->v[lane][j];
}

/* Each half of the lanes keeps one of two values and gives the other one away; by shared memory
 * too. */
static void exchange(lanes *m, uint32_t mask, uint32_t i, uint32_t j)
{
    value given[MOST];
    for (uint32_t lane = 0; lane < m->w; lane++) {
        const bool upper = (lane & mask) != 0;
        given[lane] = m->v[lane][upper ? i : j];
        m->v[lane][i] = m->v[lane][upper ? j : i];
    }
    for (uint32_t lane = 0; lane < m->w; lane++)
        m->v[lane][i] = in_order(m, lane, mask, m->v[lane][i], given[lane ^ mask]);
}

static void tree(lanes *m, void (*pair)(lanes *m, uint32_t mask, uint32_t i, uint32_t j))
{
    uint32_t mask = 1;
    for (; mask < m->k; mask *= 2)
        for (uint32_t i = 0; i < m->k; i += 2 * mask)
            pair(m, mask, i, i + mask);
    for (; mask < m->w; mask *= 2)
        round_of(m, 0, mask, AS_THEY_LIE);
}

static void naive(lanes *m)
{
    for (uint32_t mask = 1; mask < m->w; mask *= 2)
        for (uint32_t i = 0; i < m->k; i++)
            round_of(m, i, mask, AS_THEY_LIE);
}

/* Value after value, with a register for each of `merges` levels, and one for the results. */
static void online(lanes *m, uint32_t merges)
{
    value r[MOST][8];
    memset(r, 0, sizeof(r));
    for (uint32_t i = 0; i < m->k; i++) {
        uint32_t level = 0;
        for (; 1u << level < m->w; level++) {
            const uint32_t mask = 1u << level;
            const bool odd = (i & mask) != 0;
            round_of(m, i, mask, mask >= m->k ? AS_THEY_LIE : odd ? OWN_LAST : OWN_FIRST);
            if (level >= merges)
                continue;
            for (uint32_t lane = 0; lane < m->w; lane++) {
                if (odd && (lane & mask) == 0)
                    m->v[lane][i] = r[lane][level];
                else if (!odd)
                    r[lane][level] = m->v[lane][i];
            }
            if (!odd)
                break;
        }
        for (uint32_t lane = 0; 1u << level >= m->w && lane < m->w; lane++)
            if ((lane & (m->k - 1)) >> merges == i >> merges)
                r[lane][merges] = m->v[lane][i];
    }
    for (uint32_t lane = 0; lane < m->w; lane++)
        m->v[lane][0] = r[lane][merges];
}

static uint32_t log2_of(uint32_t n)
{
    uint32_t l = 0;
    while (1u << l < n)
        l++;
    return l;
}

/* One register less than there are levels. */
static uint32_t fewer(uint32_t k)
{
    return log2_of(k) - 1;
}

/* Runs a form; results are in value 0, of naive in all, of doubled also in value 1. */
static void run_model(lanes *m, form_id form)
{
    static lanes second;
    switch (form) {
    case NAIVE:
        naive(m);
        return;
    case DOUBLED:
        second = *m;
        for (uint32_t lane = 0; lane < m->w; lane++)
            for (uint32_t i = 0; i < m->k; i++)
                second.v[lane][i] = m->v[lane][m->k - 1 - i];
        tree(m, merge);
        tree(&second, merge);
        for (uint32_t lane = 0; lane < m->w; lane++)
            m->v[lane][1] = second.v[lane][0];
        return;
    case ONLINE:
        online(m, log2_of(m->k));
        return;
    case FEWER:
        online(m, fewer(m->k));
        return;
    case MERGE:
        tree(m, merge);
        return;
    default:
        tree(m, exchange);
    }
}

/* ---- The model against reductions one by one ---- */

static void fill(lanes *m, const value_kind *kind, uint32_t w, uint32_t k, uint32_t seed)
{
    m->kind = kind;
    m->w = w;
    m->k = k;
    for (uint32_t lane = 0; lane < w; lane++)
        for (uint32_t i = 0; i < k; i++)
            m->v[lane][i] = random_value(kind, &seed);
}

/* Whole numbers, whose sum no order changes. */
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
    value sums[MOST];
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
    for (size_t kind = 0; kind < ARRAY_SIZE(kinds); kind++)
        for (uint32_t w = 2; w <= MOST; w *= 2)
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
    const VkDeviceSize most = (VkDeviceSize)GROUPS * GROUP * MOST_VALUES * sizeof(value);
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
static size_t load_code(const value_kind *kind, uint32_t w, uint32_t k, uint32_t code[MOST_WORDS])
{
    char path[4096];
    const int length =
        snprintf(path, sizeof(path), "%s/multireduce_%s_%u_%u.spv", folder, kind->name, w, k);
    assert_in_range(length, 1, sizeof(path) - 1);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    const size_t words = fread(code, 4, MOST_WORDS, file);
    assert_in_range(words, 1, MOST_WORDS - 1);
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

/* Each W invocations are lanes of a reduction of their own. */
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

static uint32_t run_forms(const value_kind *kind, uint32_t w, uint32_t k)
{
    static uint32_t code[MOST_WORDS];
    const size_t words = load_code(kind, w, k, code);
    uint32_t seed = w * 257 + k;
    uint32_t *in = input.data;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < GROUPS * GROUP * k; i++) {
        const value v = random_value(kind, &seed);
        memcpy(&in[i * kind->words], &v, 4 * kind->words);
    }
    for (int form = 0; form < FORMS; form++) {
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
    uint32_t wrong = 0;
    cases = 0;
    for (size_t kind = 0; kind < ARRAY_SIZE(kinds); kind++)
        for (uint32_t w = 4; w <= size && w <= MOST_VALUES; w *= 2)
            for (uint32_t k = 2; k <= w; k *= 2)
                wrong += run_forms(&kinds[kind], w, k);
    printf("# %u cases, %u lanes that differ\n", cases, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(h.validation_messages, 0);
    assert_true(cases >= 32); /* 4 lanes at least */
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
    const int code = harness_open(&h);
    if (code != 0)
        return code;
    const int failed = cmocka_run_group_tests(tests, open_device, close_device);
    harness_close(&h);
    return failed;
}
