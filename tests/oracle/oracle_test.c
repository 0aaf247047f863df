/* SPDX-License-Identifier: MIT */
/* Known answers for the scalar reference, worked out by hand from vkreduce.h. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static const size_t size_of[] = {
    [VKR_TYPE_I8] = 1,  [VKR_TYPE_U8] = 1,  [VKR_TYPE_I16] = 2, [VKR_TYPE_U16] = 2,
    [VKR_TYPE_I32] = 4, [VKR_TYPE_U32] = 4, [VKR_TYPE_I64] = 8, [VKR_TYPE_U64] = 8,
    [VKR_TYPE_F16] = 2, [VKR_TYPE_F32] = 4, [VKR_TYPE_F64] = 8, [VKR_TYPE_BF16] = 2};

static uint64_t ask(const void *data, VkrType type, uint64_t count, VkrOp op, VkrType result)
{
    const oracle_reduce_info info = {.data = data,
                                     .stride = size_of[type],
                                     .data2 = data,
                                     .stride2 = size_of[type],
                                     .count = count,
                                     .type = type,
                                     .components = 1,
                                     .determinism = VKR_DETERMINISM_DEVICE};
    oracle_value value;
    uint64_t bits = 0;
    oracle_reduce(&info, op, 0, result, &value);
    assert_true(value.tolerance == 0);
    memcpy(&bits, value.bytes, size_of[result]);
    return bits;
}

static uint64_t f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint64_t f64(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

#define F32 VKR_TYPE_F32
#define U32 VKR_TYPE_U32
#define CANONICAL_NAN 0x7fc00000u

TEST(test_empty)
{
    const float nothing = 0;
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_MIN, F32), f32(INFINITY));
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_MAX, F32), f32(-INFINITY));
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_ABSMAX, F32), 0);
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_SUM, F32), 0);
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_PRODUCT, F32), f32(1));
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_MEAN, F32), CANONICAL_NAN);
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_L2, F32), 0);
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_ARGMIN, U32), 0xffffffff);
    assert_int_equal(ask(&nothing, F32, 0, VKR_OP_COUNT, VKR_TYPE_U64), 0);
    assert_int_equal(ask(&nothing, VKR_TYPE_I8, 0, VKR_OP_MIN, VKR_TYPE_I8), 0x7f);
    assert_int_equal(ask(&nothing, VKR_TYPE_I8, 0, VKR_OP_MAX, VKR_TYPE_I8), 0x80);
    assert_int_equal(ask(&nothing, VKR_TYPE_U16, 0, VKR_OP_MIN, VKR_TYPE_U16), 0xffff);
    assert_int_equal(ask(&nothing, VKR_TYPE_U16, 0, VKR_OP_MAX, VKR_TYPE_U16), 0);
    assert_int_equal(ask(&nothing, U32, 0, VKR_OP_AND, U32), 0xffffffff);
    assert_int_equal(ask(&nothing, U32, 0, VKR_OP_XOR, U32), 0);
    assert_int_equal(ask(&nothing, U32, 0, VKR_OP_PRODUCT, U32), 1);
    assert_int_equal(ask(&nothing, U32, 0, VKR_OP_MEAN, F32), CANONICAL_NAN);
}

TEST(test_zeros_and_ties)
{
    const float zeros[] = {0.0f, -0.0f, 0.0f, -0.0f};
    assert_int_equal(ask(zeros, F32, 2, VKR_OP_ARGMIN, U32), 1);
    assert_int_equal(ask(zeros, F32, 4, VKR_OP_ARGMIN, U32), 1);
    assert_int_equal(ask(zeros + 1, F32, 3, VKR_OP_ARGMAX, U32), 1);
    assert_int_equal(ask(zeros, F32, 2, VKR_OP_MIN, F32), 0x80000000);
    assert_int_equal(ask(zeros + 1, F32, 2, VKR_OP_MAX, F32), 0);
    assert_int_equal(ask(zeros + 1, F32, 1, VKR_OP_ABSMAX, F32), 0);
    const int32_t equal[] = {5, -7, -7, 9, 9};
    assert_int_equal(ask(equal, VKR_TYPE_I32, 5, VKR_OP_ARGMIN, U32), 1);
    assert_int_equal(ask(equal, VKR_TYPE_I32, 5, VKR_OP_ARGMAX, U32), 3);
}

TEST(test_nan)
{
    const uint32_t bits[] = {0xffc00001, 0x7f800001, 0x40000000, 0xbf800000};
    assert_int_equal(ask(bits, F32, 2, VKR_OP_MIN, F32), CANONICAL_NAN);
    assert_int_equal(ask(bits, F32, 2, VKR_OP_MAX, F32), CANONICAL_NAN);
    assert_int_equal(ask(bits, F32, 2, VKR_OP_ARGMAX, U32), 0xffffffff);
    assert_int_equal(ask(bits, F32, 2, VKR_OP_NAN, VKR_TYPE_U64), 2);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_NAN, VKR_TYPE_U64), 2);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_COUNT, VKR_TYPE_U64), 4);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_MIN, F32), 0xbf800000);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_ABSMAX, F32), 0x40000000);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_ARGMIN, U32), 3);
    assert_int_equal(ask(bits, F32, 4, VKR_OP_SUM, F32), CANONICAL_NAN);
    const uint16_t half[] = {0x7e01, 0xfe00};
    assert_int_equal(ask(half, VKR_TYPE_F16, 2, VKR_OP_MIN, VKR_TYPE_F16), 0x7e00);

    oracle_reduce_info info = {.data = bits + 1,
                               .stride = 4,
                               .count = 3,
                               .type = F32,
                               .components = 1,
                               .nan = VKR_NAN_PROPAGATE};
    oracle_value value;
    const uint32_t canonical = CANONICAL_NAN, first = 0;
    oracle_reduce(&info, VKR_OP_MAX, 0, F32, &value);
    assert_true(oracle_accepts(&value, F32, &canonical));
    assert_false(oracle_accepts(&value, F32, bits + 1));
    oracle_reduce(&info, VKR_OP_ARGMIN, 0, U32, &value);
    assert_true(oracle_accepts(&value, U32, &first));
}

TEST(test_integers)
{
    const int8_t bytes[] = {-128, 127, 3, -1};
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_ABSMAX, VKR_TYPE_U8), 128);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_SUM, VKR_TYPE_I32), 1);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_L1, U32), 259);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_SUMSQ, VKR_TYPE_I32),
                     128 * 128 + 127 * 127 + 10);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_PRODUCT, VKR_TYPE_I32), 128 * 127 * 3);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_AND, VKR_TYPE_I8), 0);
    assert_int_equal(ask(bytes, VKR_TYPE_I8, 4, VKR_OP_XOR, VKR_TYPE_I8), 0x80 ^ 0x7f ^ 3 ^ 0xff);
    const uint32_t big[] = {0xffffffff, 0xffffffff, 2};
    assert_int_equal(ask(big, U32, 3, VKR_OP_SUM, U32), 0);
    assert_int_equal(ask(big, U32, 3, VKR_OP_SUM, VKR_TYPE_U64), 0x200000000);
    assert_int_equal(ask(big, U32, 2, VKR_OP_DOT, U32), 2);
    const int64_t least[] = {INT64_MIN};
    assert_int_equal(ask(least, VKR_TYPE_I64, 1, VKR_OP_ABSMAX, VKR_TYPE_U64), (uint64_t)1 << 63);
    assert_int_equal(ask(least, VKR_TYPE_I64, 1, VKR_OP_MEAN, VKR_TYPE_F64), f64(-0x1p63));
}

/* Means and roots whose exact value lies halfway between two floats, or slightly to one side. */
TEST(test_rounding)
{
    const uint32_t tie_down[] = {1 << 25, 2}, tie_up[] = {1 << 25, 6}, above[] = {1 << 25, 2, 0};
    assert_int_equal(ask(tie_down, U32, 2, VKR_OP_MEAN, F32), f32(16777216));
    assert_int_equal(ask(tie_up, U32, 2, VKR_OP_MEAN, F32), f32(16777220));
    assert_int_equal(ask(above, U32, 3, VKR_OP_MEAN, F32), f32(11184811.0f));
    const uint64_t beside[] = {((uint64_t)1 << 60) + ((uint64_t)1 << 36) + 1};
    assert_int_equal(ask(beside, VKR_TYPE_U64, 1, VKR_OP_MEAN, F32), f32(0x1.000002p60f));
    const uint64_t tie[] = {((uint64_t)1 << 60) + ((uint64_t)1 << 36)};
    assert_int_equal(ask(tie, VKR_TYPE_U64, 1, VKR_OP_MEAN, F32), f32(0x1p60f));
    const int32_t thirds[] = {-1, 0, 0};
    assert_int_equal(ask(thirds, VKR_TYPE_I32, 3, VKR_OP_MEAN, F32), f32(-1.0f / 3.0f));
    assert_int_equal(ask(thirds, VKR_TYPE_I32, 3, VKR_OP_MEAN, VKR_TYPE_F64), f64(-1.0 / 3.0));
    const float small[] = {0x1p-126f, 0}, least[] = {0x1.8p-126f, 0};
    assert_int_equal(ask(small, F32, 2, VKR_OP_MEAN, F32), 0);
    assert_int_equal(ask(least, F32, 1, VKR_OP_MEAN, F32), f32(0x1.8p-126f));
    const float pair[] = {3, 4}, one[] = {1, 1};
    assert_int_equal(ask(pair, F32, 2, VKR_OP_L2, F32), f32(5));
    assert_int_equal(ask(one, F32, 2, VKR_OP_L2, F32), f32(0x1.6a09e6p0f));
    const double wide[] = {1, 1};
    assert_int_equal(ask(wide, VKR_TYPE_F64, 2, VKR_OP_L2, VKR_TYPE_F64), f64(0x1.6a09e667f3bcdp0));
    /* Compared with library functions that round correctly. */
    uint64_t state64 = 1;
    for (int i = 0; i < 20000; i++) {
        state64 = state64 * 6364136223846793005u + 1442695040888963407u;
        const double x = ldexp((double)(state64 >> 11), (int)(state64 % 200) - 150);
        const float y = (float)ldexp((double)(state64 >> 40), (int)(state64 % 60) - 50);
        const float root[] = {y};
        const uint64_t integer[] = {state64};
        assert_int_equal(ask(&x, VKR_TYPE_F64, 1, VKR_OP_MEAN, VKR_TYPE_F64), f64(x));
        assert_int_equal(ask(root, F32, 1, VKR_OP_L2, F32), f32(sqrtf(y * y)));
        assert_int_equal(ask(integer, VKR_TYPE_U64, 1, VKR_OP_MEAN, F32), f32((float)state64));
        assert_int_equal(ask(integer, VKR_TYPE_U64, 1, VKR_OP_MEAN, VKR_TYPE_F64),
                         f64((double)state64));
    }
}

TEST(test_canonical_tree)
{
    const uint64_t count = 8192 + 300;
    float *data = calloc(8192 + 300, sizeof(*data));
    assert_non_null(data);
    /* Lane 0 adds 1e8 and 4, which rounds to 1e8. Lane 64 adds 4 twice, and the sum 8 is
     * visible. */
    data[0] = 1e8f;
    data[128] = 4;
    data[64] = 4;
    data[192] = 4;
    assert_int_equal(ask(data, F32, 256, VKR_OP_SUM, F32), f32(100000008.0f));
    /* Lanes 0 and 2 are added before lane 1: a sum from left to right would lose both ones. */
    memset(data, 0, 256 * sizeof(*data));
    data[0] = 1e8f;
    data[2] = -1e8f;
    data[1] = 1;
    data[3] = 1;
    assert_int_equal(ask(data, F32, 4, VKR_OP_SUM, F32), f32(2));
    /* Two blocks: their values become leaves in two lanes of the next level. */
    memset(data, 0, count * sizeof(*data));
    data[0] = 1e8f;
    data[8192] = 3;
    data[8193] = 3;
    assert_int_equal(ask(data, F32, count, VKR_OP_SUM, F32), f32(100000008.0f));
    /* Subnormal numbers are flushed to zero, both elements and results. */
    const float tiny[] = {0x1p-127f, 0x1.8p-126f, -0x1p-126f};
    assert_int_equal(ask(tiny, F32, 1, VKR_OP_SUM, F32), 0);
    assert_int_equal(ask(tiny, F32, 3, VKR_OP_SUM, F32), 0);
    assert_int_equal(ask(tiny, F32, 3, VKR_OP_L1, F32), f32(0x1.4p-125f));
    assert_int_equal(ask(tiny + 2, F32, 1, VKR_OP_SUM, F32), f32(-0x1p-126f));
    assert_int_equal(ask(tiny + 2, F32, 1, VKR_OP_PRODUCT, F32), 0);
    const float squares[] = {0x1p-63f, 0x1.000002p-63f};
    assert_int_equal(ask(squares, F32, 1, VKR_OP_SUMSQ, F32), 0);
    assert_int_equal(ask(squares + 1, F32, 1, VKR_OP_SUMSQ, F32), f32(0x1.000004p-126f));
    const float minus[] = {-0.0f};
    assert_int_equal(ask(minus, F32, 1, VKR_OP_SUM, F32), 0);
    free(data);
}

/* A second, recursive implementation of the tree, over sizes near the limits of blocks and
 * levels. */
static float recursive_block(const float *leaves, uint64_t count)
{
    float lane[128] = {0};
    for (uint64_t v = 0; v < 128; v++)
        for (uint64_t i = v; i < count; i += 128)
            lane[v] = lane[v] + leaves[i];
    for (int h = 64; h > 0; h /= 2)
        for (int v = 0; v < h; v++)
            lane[v] = lane[v] + lane[v + h];
    return lane[0];
}

static float recursive_tree(float *leaves, uint64_t count)
{
    const uint64_t blocks = count == 0 ? 1 : (count + 8191) / 8192;
    for (uint64_t b = 0; b < blocks; b++) {
        const uint64_t rest = count - b * 8192;
        leaves[b] = recursive_block(leaves + b * 8192, rest < 8192 ? rest : 8192);
    }
    return blocks == 1 ? leaves[0] : recursive_tree(leaves, blocks);
}

TEST(test_tree_sizes)
{
    const uint64_t counts[] = {0, 1, 127, 128, 129, 8191, 8192, 8193, 16384, 100000};
    float *data = malloc(100000 * sizeof(*data)), *copy = malloc(100000 * sizeof(*copy));
    assert_true(data != NULL && copy != NULL);
    for (uint32_t i = 0; i < 100000; i++)
        data[i] = (float)(i * 2654435761u) * (i % 3 == 0 ? -1e-3f : 1.0f);
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        memcpy(copy, data, 100000 * sizeof(*data));
        assert_int_equal(ask(data, F32, counts[i], VKR_OP_SUM, F32),
                         f32(recursive_tree(copy, counts[i])));
    }
    free(data);
    free(copy);
}

TEST(test_half_and_format)
{
    const uint16_t half[] = {0x3c00, 0xc000, 0x0001, 0x7bff};
    char text[64];
    assert_int_equal(ask(half, VKR_TYPE_F16, 2, VKR_OP_SUM, F32), f32(-1));
    assert_int_equal(ask(half + 2, VKR_TYPE_F16, 1, VKR_OP_SUM, F32), 0);
    assert_int_equal(ask(half, VKR_TYPE_F16, 4, VKR_OP_MAX, VKR_TYPE_F16), 0x7bff);
    oracle_format(text, sizeof(text), VKR_TYPE_F16, half + 3);
    assert_string_equal(text, "65504");
    oracle_format(text, sizeof(text), VKR_TYPE_I8, &(int8_t){-5});
    assert_string_equal(text, "-5");
    oracle_format(text, sizeof(text), VKR_TYPE_U64, &(uint64_t){UINT64_MAX});
    assert_string_equal(text, "18446744073709551615");
    oracle_format(text, sizeof(text), F32, &(float){0.1f});
    assert_string_equal(text, "0.10000000149011612");
}

TEST(test_stride)
{
    const int16_t fields[] = {9, 1, 2, 9, 3, 4, 9, 5, 6};
    const oracle_reduce_info info = {
        .data = fields + 1, .stride = 6, .count = 3, .type = VKR_TYPE_I16, .components = 2};
    oracle_value value;
    oracle_reduce(&info, VKR_OP_SUM, 1, VKR_TYPE_I32, &value);
    assert_true(oracle_accepts(&value, VKR_TYPE_I32, &(int32_t){12}));
    oracle_reduce(&info, VKR_OP_MAX, 0, VKR_TYPE_I16, &value);
    assert_true(oracle_accepts(&value, VKR_TYPE_I16, &(int16_t){5}));
}

/* Data in portions gives the same result as the whole data, including the tolerance. */
TEST(test_portions)
{
    enum { COUNT = 40000 };
    static float x[COUNT], y[COUNT];
    const uint64_t ends[] = {0, 1, 8191, 8192, 8192, 30001, COUNT};
    oracle_reduce_info info = {.data = x,
                               .stride = 4,
                               .data2 = y,
                               .stride2 = 4,
                               .count = COUNT,
                               .type = F32,
                               .components = 1};
    for (int i = 0; i < COUNT; i++) {
        x[i] = 1 / (float)(i * 7919 % COUNT + 1);
        y[i] = (float)(i % 13) - 6.3f;
    }
    for (int level = 0; level <= VKR_DETERMINISM_DEVICE; level++) {
        info.determinism = (VkrDeterminism)level;
        for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
            const VkrOp op = (VkrOp)(1u << bit);
            if (op == VKR_OP_AND || op == VKR_OP_OR || op == VKR_OP_XOR)
                continue;
            const bool whole = op == VKR_OP_ARGMIN || op == VKR_OP_ARGMAX || op == VKR_OP_COUNT ||
                               op == VKR_OP_NAN;
            oracle_value expected, actual;
            oracle_fold *fold = oracle_begin(&info, op, 0, whole ? VKR_TYPE_U64 : F32);
            assert_non_null(fold);
            for (size_t i = 1; i < sizeof(ends) / sizeof(ends[0]); i++)
                oracle_add(fold, x + ends[i - 1], y + ends[i - 1], ends[i] - ends[i - 1]);
            oracle_end(fold, &actual);
            oracle_reduce(&info, op, 0, whole ? VKR_TYPE_U64 : F32, &expected);
            assert_memory_equal(actual.bytes, expected.bytes, sizeof(actual.bytes));
            assert_true(actual.tolerance == expected.tolerance);
        }
    }
    info.components = 2; /* no elements and no data; the second component */
    oracle_value sum;
    oracle_fold *nothing = oracle_begin(&info, VKR_OP_DOT, 1, F32);
    assert_non_null(nothing);
    oracle_add(nothing, NULL, NULL, 0);
    oracle_end(nothing, &sum);
    assert_int_equal(sum.bytes[0] | sum.bytes[1] | sum.bytes[2] | sum.bytes[3], 0);
    oracle_end(oracle_begin(&info, VKR_OP_SUM, 0, F32), NULL);
    oracle_end(NULL, NULL);
}

TEST_MAIN("oracle_test", CASE(test_empty), CASE(test_zeros_and_ties), CASE(test_nan),
          CASE(test_integers), CASE(test_rounding), CASE(test_canonical_tree),
          CASE(test_tree_sizes), CASE(test_half_and_format), CASE(test_stride), CASE(test_portions))
