/* SPDX-License-Identifier: MIT */
/*
 * Variances, standard deviations, L2 norms and logarithms of sums of exp(x), of data on which
 * simple formulas fail: large means with small deviations, outliers, equal elements, squares that
 * overflow or vanish, and more. Every result must be as close to the exact one as reduce.h states,
 * for populations and samples, in dispatches and in segments; at level DEVICE the bits are compared
 * too. Counts and means are computed along with them, with NaN ignored or not.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

#define MAX_COUNT 100003u
#define ROW_LENGTH 59u /* counts that are multiples of it are also reduced as rows */

static const uint32_t counts[] = {1, 2, 59, 5 * ROW_LENGTH, 9001, MAX_COUNT};

typedef enum kind {
    EQUAL,
    LARGE_MEAN,
    OUTLIER_FIRST,
    OUTLIER_LAST,
    SIGNS,
    WIDE_RANGE,
    RAMP,
    SUBNORMAL,
    INFINITE,
    WITH_NAN,
    RANDOM,
    CLUSTERS,
    GREATEST,
    LEAST,
    ALL_SCALES,
    RISING,
    FALLING,
    EDGES,
    JUMPS,
    KINDS,
} kind;

static const char *const names[KINDS] = {
    "equal",      "large mean", "outlier first", "outlier last", "signs",    "wide range", "ramp",
    "subnormal",  "infinite",   "with NaN",      "random",       "clusters", "greatest",   "least",
    "all scales", "rising",     "falling",       "edges",        "jumps",
};

static harness h;
static harness_buffer input, output;
static uint64_t checks, mismatches;

/* ---- Data ---- */

/* The bits of an f16, rounded toward zero. */
static uint16_t half_of(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return 0x7e00;
    if (size >= 65536)
        return sign | (isinf(size) ? 0x7c00 : 0x7bff);
    if (size < 0x1p-14)
        return sign | (uint16_t)ldexp(size, 24);
    const double fraction = frexp(size, &exponent);
    return sign | (uint16_t)((exponent + 14) << 10) | (uint16_t)(ldexp(fraction, 11) - 1024);
}

static void put(VkrType type, uint32_t i, double value)
{
    const float single = (float)value;
    uint16_t half = half_of(value);
    uint32_t word;
    memcpy(&word, &single, sizeof(word));
    if (type == VKR_TYPE_BF16)
        half = (uint16_t)(word >> 16);
    const uint32_t size = vkrTypeSize(type);
    char *at = (char *)input.data + (size_t)i * size;
    memcpy(at,
           type == VKR_TYPE_F64   ? (const void *)&value
           : type == VKR_TYPE_F32 ? (const void *)&single
                                  : (const void *)&half,
           size);
}

/* Magnitudes of data that suit the range and the precision of a type. */
typedef struct scale {
    double mean, least, subnormal;
    int lowest, highest; /* exponents of normal numbers */
} scale;

static scale scale_of(VkrType type)
{
    if (type == VKR_TYPE_F16)
        return (scale){1024, 0x1p-20, 0x1p-24, -14, 15};
    if (type == VKR_TYPE_BF16)
        return (scale){1e6, 0x1p13, 0x1p-133, -126, 127};
    return type == VKR_TYPE_F32 ? (scale){1e6, 0.1, 0x1p-149, -126, 127}
                                : (scale){1e15, 1, 0x1p-1074, -1022, 1023};
}

/* Numbers around those from which on other scales are used (reduce.h). */
static double edge_of(VkrType type, uint32_t i, double random)
{
    static const int narrow[] = {-62, -32, 2, 64, 66}, wide[] = {-512, -400, -120, 480, 512};
    const int exponent = type == VKR_TYPE_F16   ? -8
                         : type == VKR_TYPE_F64 ? wide[i / 3 % ARRAY_SIZE(wide)]
                                                : narrow[i / 3 % ARRAY_SIZE(narrow)];
    return ldexp(1 + random / 1024, exponent);
}

static double value_of(VkrType type, kind k, uint32_t i, uint32_t count, uint64_t *state)
{
    const scale s = scale_of(type);
    const double random = (double)(next_random(state) >> 11) * 0x1p-53 - 0.5;
    const int range = s.highest - s.lowest;
    switch (k) {
    case EQUAL:
        return s.mean / 3;
    case LARGE_MEAN:
        return s.mean + random * s.least * (type == VKR_TYPE_F16 ? 0x1p22 : 1);
    case OUTLIER_FIRST:
        return i == 0 ? s.mean : random;
    case OUTLIER_LAST:
        return i == count - 1 ? s.mean : random;
    case SIGNS:
        return (i % 2 != 0 ? -1 : 1) * (s.mean / 8 + random);
    case WIDE_RANGE: /* in f32, squares of deviations reach 1e36 */
        return type == VKR_TYPE_F16   ? ldexp(random, (int)(i % 24) - 10)
               : type == VKR_TYPE_F64 ? random * pow(10, (double)(i % 61) - 30)
                                      : random * pow(10, (double)(i % 49) - 30);
    case RAMP:
        return type == VKR_TYPE_F16 ? floor((double)i * 2048 / count) : (double)i + 0.25;
    case SUBNORMAL:
        return s.subnormal * floor(random * 2000);
    case INFINITE:
        return i == count / 2 ? (double)-INFINITY : random;
    case WITH_NAN:
        return i == count / 3 ? (double)NAN : random;
    case CLUSTERS:
        return (i / 7 % 2 != 0 ? s.mean : 1) + random;
    case GREATEST:
        return ldexp(1.99 * (random + 0.5), s.highest) * (i % 3 == 0 ? -1 : 1);
    case LEAST:
        return ldexp(1 + 15 * (random + 0.5), s.lowest) * (i % 3 == 0 ? -1 : 1);
    case ALL_SCALES:
        return ldexp(1 + random, s.lowest + (int)(next_random(state) % (uint64_t)range));
    case RISING:
        return ldexp(1 + random, s.lowest + (int)((uint64_t)i * (uint64_t)range / count));
    case FALLING:
        return ldexp(1 + random, s.highest - (int)((uint64_t)i * (uint64_t)range / count));
    case EDGES:
        return edge_of(type, i, random);
    case JUMPS: /* of exp(x), to other references */
        return 15 + random * 3 + 16 * (double)(i / 3 % 2000);
    default:
        return random;
    }
}

/* ---- Comparison ---- */

static void compare(const VkrReduceInfo *info, const VkrReduceLayout *layout, kind k)
{
    const uint32_t size = vkrTypeSize(info->input.type);
    const uint64_t length =
        info->segments.kind == VKR_SEGMENTS_ROWS ? info->segments.length : info->count;
    static const VkrOp ops[] = {VKR_OP_VARIANCE, VKR_OP_STDDEV, VKR_OP_L2,
                                VKR_OP_MEAN,     VKR_OP_COUNT,  VKR_OP_LOGSUMEXP};
    const bool device = info->determinism == VKR_DETERMINISM_DEVICE;
    for (uint64_t row = 0; row < layout->segments; row++) {
        oracle_reduce_info oracle = {.data = (const char *)input.data + row * length * size,
                                     .stride = size,
                                     .count = length,
                                     .type = info->input.type,
                                     .components = 1,
                                     .accumulator = info->accumulator,
                                     .nan = info->nan,
                                     .sample = (info->flags & VKR_REDUCE_SAMPLE_BIT) != 0};
        /* At level DEVICE the bits are compared too. */
        for (size_t o = 0; o < (device ? 2 : 1) * ARRAY_SIZE(ops); o++) {
            const VkrOp op = ops[o % ARRAY_SIZE(ops)];
            if (o >= ARRAY_SIZE(ops))
                oracle.determinism = VKR_DETERMINISM_DEVICE;
            else if (device && (op == VKR_OP_MEAN || op == VKR_OP_L2 || k == SUBNORMAL))
                continue; /* they have different bounds, or count as 0 */
            const VkrReduceResult *result = vkrGetReduceResult(layout, op);
            if (result == NULL)
                continue;
            const char *actual = (const char *)output.data + row * layout->stride + result->offset;
            oracle_value value;
            oracle_reduce(&oracle, op, 0, result->type, &value);
            checks += oracle_proves(&value);
            if (oracle_accepts(&value, result->type, actual))
                continue;
            char found[64], right[64];
            oracle_format(found, sizeof(found), result->type, actual);
            oracle_format(right, sizeof(right), result->type, value.bytes);
            if (mismatches++ < 40)
                printf("# %s of %" PRIu64 " %s, %s, determinism %d, nan %d, flags %u, row %" PRIu64
                       ": %s, but should be %s +- %g\n",
                       vkrOpName(op), length, vkrTypeName(info->input.type), names[k],
                       (int)info->determinism, (int)info->nan, info->flags, row, found, right,
                       value.tolerance);
        }
    }
}

static void run(VkrRecorder recorder, VkrContext context, VkrReduceInfo *info, VkrType type,
                uint32_t count)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkrReduceLayout layout;
    info->ops = VKR_OP_VARIANCE | VKR_OP_STDDEV | VKR_OP_L2 | VKR_OP_MEAN | VKR_OP_COUNT;
    info->ops |= operators_of(type, 0) & VKR_OP_LOGSUMEXP;
    info->input = (VkrView){.buffer = input.buffer, .size = input.size, .type = type};
    info->count = count;
    assert_true(harness_check(&h, vkrGetReduceLayout(context, info, &layout), "layout"));
    info->output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, info), "vkrCmdReduce"));
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    for (kind k = 0; k < KINDS; k++) {
        uint64_t state = 77 + (uint64_t)k;
        for (uint32_t i = 0; i < count; i++)
            put(type, i, value_of(type, k, i, count, &state));
        memset(output.data, 0xcd, output.size);
        assert_true(harness_submit(&h));
        compare(info, &layout, k);
    }
}

/* Populations and samples, with NaN ignored or not: each choice needs its own pipelines. */
#define CHOICES 4u
static const VkrType types[] = {VKR_TYPE_F16, VKR_TYPE_BF16, VKR_TYPE_F32, VKR_TYPE_F64};

/* Whether this driver runs a choice of a type. */
static bool has_choice(uint32_t type, uint32_t choice)
{
    return harness_has_case(type * CHOICES + choice);
}

static void test_type(void **state)
{
    const VkrType type = **(const VkrType *const *)state;
    const uint32_t number = (uint32_t)(*(const VkrType *const *)state - types);
    const VkrRecorderInfo recorder_info = {.label = "variance"};
    const uint64_t before = mismatches;
    VkrContext context;
    VkrRecorder recorder;
    assert_true(harness_context(&h, NULL, &context));
    if (!vkrIsTypeSupported(context, type)) {
        print_message("# %s is not a type of this device\n", vkrTypeName(type));
        vkrDestroyContext(context);
        return;
    }
    assert_true(
        harness_check(&h, vkrCreateRecorder(context, &recorder_info, &recorder), "recorder"));
    for (uint32_t i = 0; i < 2 * ARRAY_SIZE(counts); i++) {
        const uint32_t count = counts[i / 2], choice = i % CHOICES;
        VkrReduceInfo info = {.flags = choice % 2 != 0 ? VKR_REDUCE_SAMPLE_BIT : 0,
                              .nan = choice < 2 ? VKR_NAN_SKIP : VKR_NAN_IGNORE};
        if (!has_choice(number, choice))
            continue;
        run(recorder, context, &info, type, count);
        info.determinism = VKR_DETERMINISM_DEVICE;
        run(recorder, context, &info, type, count);
        if (count % ROW_LENGTH != 0)
            continue;
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = ROW_LENGTH};
        info.determinism = VKR_DETERMINISM_RUN;
        run(recorder, context, &info, type, count);
    }
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_int_equal(mismatches, before);
}

static int open_all(void **state)
{
    (void)state;
    return harness_create_buffer(&h, 8 * MAX_COUNT, &input) &&
                   harness_create_buffer(&h, 1u << 16, &output)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", checks, mismatches);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_SIZE(types)];
    size_t count = 0;
    for (uint32_t i = 0; i < ARRAY_SIZE(types); i++)
        if (has_choice(i, 0) || has_choice(i, 1) || has_choice(i, 2) || has_choice(i, 3))
            tests[count++] = (struct CMUnitTest){vkrTypeName(types[i]), test_type, NULL, NULL,
                                                 (void *)(uintptr_t)&types[i]};
    return harness_run(&h, "variance", tests, count, open_all, close_all);
}
