/* SPDX-License-Identifier: MIT */
/*
 * shaders/vkreduce/group.glsl, by group.comp: every operator of every type on every group path, and
 * an operator of the shader's own, bit for bit against folds from the first value to the last;
 * float sums whose order matters against the order that group.glsl names. The first argument is the
 * folder of the shaders. With STEP, which is for slow drivers, only every STEPth case is run, from
 * OFFSET on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "program.h"

#define MOST 256u /* invocations of a workgroup */
#define GROUPS 3u
#define MOST_WORDS 131072u
#define SHOWN 3u
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* ---- Values ---- */

/* As group.glsl and group_operator.glsl number them. */
typedef enum group_path_id { ARITHMETIC = 1, SHUFFLE, SHARED } group_path_id;
typedef enum op_id { DIGITS, SUM, PRODUCT, MIN, MAX, AND, OR, XOR, ARGMIN, ARGMAX, OPS } op_id;
static const char *const op_names[OPS] = {"digits", "sum", "product", "min",    "max",
                                          "and",    "or",  "xor",     "argmin", "argmax"};

typedef struct value_type {
    const char *name;
    uint32_t bytes;
    bool is_float, is_signed;
} value_type;

static const value_type types[] = {
    {"i32", 4, false, true},     {"u32", 4, false, false}, {"f32", 4, true, true},
    {"i64", 8, false, true},     {"u64", 8, false, false}, {"f64", 8, true, true},
    {"digits", 8, false, false},
};
static const value_type *const digits = &types[6];

typedef struct value {
    uint64_t bits;
    uint32_t index; /* of argmin and argmax */
} value;

static bool is_arg(op_id op)
{
    return op == ARGMIN || op == ARGMAX;
}

static value value_of(const value_type *t, uint64_t bits, uint32_t index)
{
    return (value){t->bytes == 4 ? (uint32_t)bits : bits, index};
}

static double number_of(const value_type *t, value v)
{
    const uint32_t low = (uint32_t)v.bits;
    float narrow;
    double wide;
    memcpy(&narrow, &low, sizeof(narrow));
    memcpy(&wide, &v.bits, sizeof(wide));
    return t->bytes == 4 ? (double)narrow : wide;
}

static value of_number(const value_type *t, double number)
{
    const float rounded = (float)number;
    uint32_t low;
    uint64_t bits;
    memcpy(&low, &rounded, sizeof(low));
    memcpy(&bits, &number, sizeof(bits));
    return (value){t->bytes == 4 ? low : bits, 0};
}

static int64_t signed_of(const value_type *t, value v)
{
    return t->bytes == 4 ? (int32_t)(uint32_t)v.bits : (int64_t)v.bits;
}

static bool is_nan(const value_type *t, value v)
{
    return t->is_float && isnan(number_of(t, v));
}

/* Whether a comes before b. Neither is NaN. */
static bool is_less(const value_type *t, value a, value b)
{
    if (t->is_float) {
        const double x = number_of(t, a), y = number_of(t, b);
        return x < y || (x == y && signbit(x) && !signbit(y));
    }
    return t->is_signed ? signed_of(t, a) < signed_of(t, b) : a.bits < b.bits;
}

static bool is_better(const value_type *t, op_id op, value a, value b)
{
    if (is_nan(t, a) || is_nan(t, b))
        return !is_nan(t, a);
    return op == MIN || op == ARGMIN ? is_less(t, a, b) : is_less(t, b, a);
}

/* The better of two values; of equal ones, the one with the smaller index. */
static value better_of(const value_type *t, op_id op, value a, value b)
{
    if (is_nan(t, a) && is_nan(t, b))
        return a;
    if (is_better(t, op, b, a) || (!is_better(t, op, a, b) && b.index < a.index))
        return b;
    return a;
}

static value combine_floats(const value_type *t, op_id op, value a, value b)
{
    const double x = number_of(t, a), y = number_of(t, b);
    if (t->bytes == 8)
        return of_number(t, op == SUM ? x + y : x * y);
    const float narrow = op == SUM ? (float)x + (float)y : (float)x * (float)y;
    return of_number(t, (double)narrow);
}

/* Numerals behind each other: the number, and the power of the base that its length is. */
static value append_digits(value a, value b)
{
    const uint32_t number = (uint32_t)a.bits, power = (uint32_t)(a.bits >> 32);
    const uint32_t number_b = (uint32_t)b.bits, power_b = (uint32_t)(b.bits >> 32);
    return (value){(uint64_t)(power * power_b) << 32 | (number * power_b + number_b), 0};
}

static value combine(const value_type *t, op_id op, value a, value b)
{
    if (t->is_float && (op == SUM || op == PRODUCT))
        return combine_floats(t, op, a, b);
    switch (op) {
    case DIGITS:
        return append_digits(a, b);
    case SUM:
        return value_of(t, a.bits + b.bits, 0);
    case PRODUCT:
        return value_of(t, a.bits * b.bits, 0);
    case AND:
        return value_of(t, a.bits & b.bits, 0);
    case OR:
        return value_of(t, a.bits | b.bits, 0);
    case XOR:
        return value_of(t, a.bits ^ b.bits, 0);
    default:
        return better_of(t, op, a, b);
    }
}

static value identity_of(const value_type *t, op_id op)
{
    const bool is_max = op == MAX || op == ARGMAX;
    const uint64_t sign = t->bytes == 4 ? 0x80000000u : 0x8000000000000000u;
    switch (op) {
    case DIGITS:
        return (value){(uint64_t)1 << 32, 0};
    case PRODUCT:
        return t->is_float ? of_number(t, 1) : value_of(t, 1, 0);
    case AND:
        return value_of(t, ~(uint64_t)0, 0);
    case SUM:
    case OR:
    case XOR:
        return value_of(t, 0, 0);
    default:
        break;
    }
    value v = value_of(t, is_max ? 0 : ~(uint64_t)0, 0);
    if (t->is_float)
        v = of_number(t, is_max ? -INFINITY : INFINITY);
    else if (t->is_signed)
        v.bits ^= sign;
    v.index = is_arg(op) ? UINT32_MAX : 0;
    return v;
}

/* ---- Input ---- */

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % n);
}

static uint64_t random_bits(void)
{
    const uint64_t high = random_below(1u << 31), low = random_below(1u << 31);
    return high << 33 ^ low;
}

/* A number of any kind that minima have to order. */
static value random_number(const value_type *t, bool only_nan)
{
    static const double numbers[] = {0.0, -0.0, 1.5, -1.5, INFINITY, -INFINITY, 1e30, -1e-30};
    const uint64_t sign = t->bytes == 4 ? 0x80000000u : 0x8000000000000000u;
    const uint64_t infinity = t->bytes == 4 ? 0x7f800000u : 0x7ff0000000000000u;
    const uint32_t kind = only_nan ? 0 : random_below(12);
    const uint64_t signs = random_below(2) ? sign : 0;
    if (kind < 2)
        return (value){signs | infinity | (1u + random_below(1000)), 0};
    if (kind < 4)
        return (value){signs | (1u + random_below(1000)), 0}; /* subnormal */
    return of_number(t, numbers[kind - 4]);
}

/* Numbers whose sums and products no order changes. */
static value exact_number(const value_type *t, op_id op, uint32_t i)
{
    static const double factors[] = {1, -2, -1, 0.5, -1, 0.25, 1, -4};
    if (op == PRODUCT)
        return of_number(t, factors[i % ARRAY_SIZE(factors)]);
    return of_number(t, (double)random_below(2001) - 1000.0);
}

/* A number such that every order of additions rounds in its own way. */
static value inexact_number(const value_type *t)
{
    const double number = (double)random_bits() / 18446744073709551616.0;
    return of_number(t, 0.5 + number);
}

/* One of few different values, so that indices decide. */
static value few(const value_type *t, uint64_t bits)
{
    return value_of(t, bits % 5 - (t->is_signed ? 2 : 0), 0);
}

static value input_of(const value_type *t, op_id op, uint32_t group, uint32_t i, bool ordered)
{
    value v;
    if (t == digits)
        return (value){(uint64_t)(2 * random_below(1000) + 3) << 32 | random_below(10), 0};
    if (ordered)
        return inexact_number(t);
    if (t->is_float && (op == SUM || op == PRODUCT))
        return exact_number(t, op, i);
    if (t->is_float)
        v = random_number(t, group == 1 || (group == 2 && i < MOST / 16));
    else if (is_arg(op))
        v = few(t, random_bits() >> 8);
    else
        v = value_of(t, op == PRODUCT ? random_bits() | 1u : random_bits(), 0);
    /* Indices descend, so that the index decides which of equal values is chosen, not the
     * position. */
    v.index = is_arg(op) ? 5000u - i : 0;
    return v;
}

/* ---- What should come out ---- */

typedef struct test_case {
    const value_type *type;
    group_path_id group_path;
    op_id op;
    uint32_t size, width; /* of a workgroup, of a row */
    uint32_t rows;        /* at most, for the shader */
    uint32_t forms;       /* FORMS, or FEW_FORMS */
    bool ordered;         /* compare with the order that group.glsl names */
} test_case;

/* The results of an invocation, in the order in which group.comp stores them. */
enum {
    REDUCE,
    EXCLUSIVE,
    TOTAL_E,
    LEAD,
    INCLUSIVE,
    TOTAL_I,
    ROW_REDUCE,
    ROW_INCLUSIVE,
    ROW_EXCLUSIVE,
    ROW_TOTAL,
    FIRST,
    ROWS_EXCLUSIVE,
    ROWS_TOTAL
};
#define FORMS 13u
#define FEW_FORMS 4u
static const char *const form_names[FORMS] = {
    "reduce",
    "exclusive",
    "exclusive's total",
    "lead",
    "inclusive",
    "inclusive's total",
    "subgroup_reduce",
    "subgroup_inclusive",
    "subgroup_exclusive",
    "subgroup_exclusive's total",
    "first",
    "subgroups_exclusive",
    "subgroups_exclusive's total",
};

/* lead needs an operator that commutes, and, by shared memory, a power of two. */
static bool leads(const test_case *c)
{
    return c->op != DIGITS && (c->group_path != SHARED || (c->size & (c->size - 1)) == 0);
}

static value both(const test_case *c, value a, value b)
{
    return combine(c->type, c->op, a, b);
}

/* Hillis and Steele's order, or that of a fold. */
static void scan(const test_case *c, const value *in, uint32_t count, bool ordered, value *out)
{
    value before[MOST];
    memcpy(out, in, count * sizeof(*out));
    for (uint32_t i = 1; i < count && !ordered; i++)
        out[i] = both(c, out[i - 1], out[i]);
    for (uint32_t d = 1; d < count && ordered; d *= 2) {
        memcpy(before, out, count * sizeof(*out));
        for (uint32_t i = d; i < count; i++)
            out[i] = both(c, before[i - d], before[i]);
    }
}

/* Reduces by pairs that lie 1, 2, 4, .. apart, or by a fold. */
static value reduce(const test_case *c, const value *in, uint32_t count, bool ordered)
{
    value v[MOST];
    memcpy(v, in, count * sizeof(*v));
    for (uint32_t i = 1; i < count && !ordered; i++)
        v[0] = both(c, v[0], v[i]);
    for (uint32_t d = 1; d < count && ordered; d *= 2)
        for (uint32_t i = 0; i + d < count; i += 2 * d)
            v[i] = both(c, v[i], v[i + d]);
    return v[0];
}

static uint32_t filled(const test_case *c, uint32_t row)
{
    return c->size - row < c->width ? c->size - row : c->width;
}

static void expect_rows(const test_case *c, const value *in, value out[][FORMS])
{
    value scanned[MOST];
    for (uint32_t row = 0; row < c->size; row += c->width) {
        const uint32_t count = filled(c, row);
        const value sum = reduce(c, &in[row], count, c->ordered);
        scan(c, &in[row], count, c->ordered, scanned);
        for (uint32_t i = 0; i < count; i++) {
            out[row + i][ROW_REDUCE] = sum;
            out[row + i][ROW_INCLUSIVE] = scanned[i];
            out[row + i][ROW_EXCLUSIVE] = i > 0 ? scanned[i - 1] : identity_of(c->type, c->op);
            out[row + i][ROW_TOTAL] = scanned[count - 1];
            out[row + i][FIRST] = in[0];
        }
    }
}

/* What rows combine to, one after the other. */
static void expect_subgroups(const test_case *c, value out[][FORMS])
{
    value before = identity_of(c->type, c->op), total = out[0][ROW_REDUCE];
    for (uint32_t row = 0; row < c->size; row += c->width) {
        if (row > 0) {
            before = total;
            total = both(c, total, out[row][ROW_REDUCE]);
        }
        for (uint32_t i = row; i < row + filled(c, row); i++)
            out[i][ROWS_EXCLUSIVE] = before;
    }
    for (uint32_t i = 0; i < c->size; i++)
        out[i][ROWS_TOTAL] = total;
}

static value expect_lead(const test_case *c, const value *in, value out[][FORMS])
{
    value v[MOST];
    if (c->group_path == SHARED) {
        memcpy(v, in, c->size * sizeof(*v));
        for (uint32_t apart = c->size / 2; apart > 0; apart /= 2)
            for (uint32_t i = 0; i < apart; i++)
                v[i] = both(c, v[i], v[i + apart]);
        return v[0];
    }
    const uint32_t rows = (c->size + c->width - 1) / c->width;
    if (rows == 1)
        return out[0][ROW_REDUCE];
    for (uint32_t lane = 0; lane < c->width; lane++) {
        v[lane] = identity_of(c->type, c->op);
        for (uint32_t row = lane; row < rows; row += c->width)
            v[lane] = both(c, v[lane], out[row * c->width][ROW_REDUCE]);
    }
    return reduce(c, v, c->width, c->ordered);
}

static void expect_workgroup(const test_case *c, const value *in, value out[][FORMS])
{
    value scanned[MOST];
    scan(c, in, c->size, false, scanned);
    for (uint32_t i = 0; i < c->size; i++) {
        out[i][REDUCE] = out[i][TOTAL_I] = out[i][TOTAL_E] = scanned[c->size - 1];
        out[i][INCLUSIVE] = scanned[i];
        out[i][EXCLUSIVE] = i > 0 ? scanned[i - 1] : identity_of(c->type, c->op);
    }
}

/* Combines row after row from the values of rows. */
static void expect_ordered(const test_case *c, value out[][FORMS])
{
    value sum = out[0][ROW_REDUCE], total = out[filled(c, 0) - 1][ROW_INCLUSIVE];
    for (uint32_t i = 0; i < c->size; i++) {
        const bool first = i < c->width, starts = i % c->width == 0;
        if (!first && starts) {
            sum = both(c, sum, out[i][ROW_REDUCE]);
            total = both(c, total, out[i + filled(c, i) - 1][ROW_INCLUSIVE]);
        }
    }
    value before = identity_of(c->type, c->op);
    for (uint32_t i = 0; i < c->size; i++) {
        const bool first = i < c->width, starts = i % c->width == 0;
        if (!first && starts) {
            const value row = out[i - 1][ROW_INCLUSIVE];
            before = i == c->width ? row : both(c, before, row);
        }
        out[i][REDUCE] = sum;
        out[i][TOTAL_I] = out[i][TOTAL_E] = total;
        out[i][INCLUSIVE] = first ? out[i][ROW_INCLUSIVE] : both(c, before, out[i][ROW_INCLUSIVE]);
        out[i][EXCLUSIVE] = first || !starts ? out[i][ROW_EXCLUSIVE] : before;
        if (!first && !starts)
            out[i][EXCLUSIVE] = both(c, before, out[i][ROW_EXCLUSIVE]);
    }
}

/* ---- The device ---- */

static harness h;
static const char *folder;
static uint32_t step = 1, offset = 0; /* cases offset, offset + step, .. are run */
static program p;
static harness_buffer input, output;
static uint32_t subgroup_size;
static uint32_t code[MOST_WORDS];
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
    const VkDeviceSize values = (VkDeviceSize)GROUPS * MOST * 16;
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
    code_words = fread(code, 4, MOST_WORDS, file);
    assert_in_range(code_words, 1, MOST_WORDS - 1);
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

typedef value wanted_values[MOST][FORMS];

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
    static value in[MOST];
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
        expect_rows(c, in, wanted[group]);
        if (c->ordered)
            expect_ordered(c, wanted[group]);
        else
            expect_workgroup(c, in, wanted[group]);
        expect_subgroups(c, wanted[group]);
        if (leads(c))
            wanted[group][0][LEAD] = expect_lead(c, in, wanted[group]);
    }
    dispatch(c);
    for (uint32_t group = 0; group < GROUPS; group++)
        compare(c, group, wanted);
    cases++;
}

/* ---- Which cases there are ---- */

static bool is_available(const value_type *t, group_path_id group_path)
{
    const VkPhysicalDeviceFeatures *features = &h.requirements.features.features;
    /* Values of 64 bits have no built-ins. */
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
    for (uint32_t n = offset; n < count; n += step) {
        const test_case c = case_of(t, group_path, op, n);
        run(&c);
    }
}

/* Checks that no value differs, and that there were enough cases; with a step there are fewer. */
static void check(uint32_t least)
{
    printf("# %u cases, %u values that differ\n", cases, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(h.validation_messages, 0);
    assert_true(cases >= least / step);
    cases = 0;
}

/* One of each; sizes take turns. */
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
                if (!has(&types[t], op) || n++ % step != offset)
                    continue;
                test_case c = case_of(&types[t], group_path, op, n);
                c.forms = FEW_FORMS;
                run(&c);
            }
        }
    check(72);
}

/* All sizes and widths, by an operator that does not commute and by built-ins. */
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
                if (n++ % step == offset)
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
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: group FOLDER [STEP OFFSET]\n");
        return 2;
    }
    folder = argv[1];
    if (argc == 4) {
        step = (uint32_t)strtoul(argv[2], NULL, 10);
        offset = (uint32_t)strtoul(argv[3], NULL, 10);
    }
    if (step == 0 || offset >= step) {
        fprintf(stderr, "OFFSET should be below STEP\n");
        return 2;
    }
    const int status = harness_open(&h);
    if (status != 0)
        return status;
    const int failed = cmocka_run_group_tests(tests, open_device, close_device);
    harness_close(&h);
    return failed;
}
