/* SPDX-License-Identifier: MIT */
/* parts.h: cuts against a search for the owner of each element, places of partials, and totals of
 * parts against the oracle's scan of the whole. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle_parts.h"
#include "oracle_scan.h"

static uint64_t seed = 1;

static uint64_t random_bits(void)
{
    seed += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = seed;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- Cuts ---- */

static bool is_in(uint64_t i, uint64_t first, uint64_t count)
{
    return i >= first && i - first < count;
}

static void check_cut(uint64_t first, uint64_t count, uint64_t whole, uint64_t block)
{
    VkrPartCut cut;
    uint64_t sent = 0, owned = 0, received = 0;
    assert_int_equal(vkrCutPart(first, count, whole, block, &cut), VKR_SUCCESS);
    for (uint64_t i = 0; i < whole; i++) {
        const bool owns = is_in(i / block * block, first, count), has = is_in(i, first, count);
        assert_int_equal(is_in(i, cut.first, cut.count), owns);
        assert_int_equal(is_in(i, first, cut.sent), has && !owns);
        sent += has && !owns;
        owned += owns;
        received += owns && !has;
    }
    assert_true(cut.sent == sent && cut.count == owned && cut.received == received);
    assert_true(cut.first % block == 0 || cut.first == whole);
}

TEST(test_cuts)
{
    for (uint64_t block = 1; block <= 5; block++)
        for (uint64_t whole = 0; whole <= 12; whole++)
            for (uint64_t first = 0; first <= whole; first++)
                for (uint64_t count = 0; count <= whole - first; count++)
                    check_cut(first, count, whole, block);
}

/* Indices near 2^64 do not wrap. */
TEST(test_long_cuts)
{
    const uint64_t whole = UINT64_MAX - 1, block = VKR_TREE_BLOCK, last = whole / block * block;
    VkrPartCut cut;
    assert_int_equal(vkrCutPart(0, whole, whole, block, &cut), VKR_SUCCESS);
    assert_true(cut.count == whole && cut.sent == 0 && cut.received == 0);
    assert_int_equal(vkrCutPart(last + 1, 3, whole, block, &cut), VKR_SUCCESS);
    assert_true(cut.sent == 3 && cut.count == 0 && cut.first == whole);
    assert_int_equal(vkrCutPart(last, 3, whole, block, &cut), VKR_SUCCESS);
    assert_true(cut.first == last && cut.count == whole - last && cut.received == cut.count - 3);
    assert_int_equal(vkrCutPart(0, 1, whole, UINT64_MAX, &cut), VKR_SUCCESS);
    assert_true(cut.count == whole && cut.received == whole - 1);
}

TEST(test_wrong_cuts)
{
    VkrPartCut cut;
    assert_int_equal(vkrCutPart(0, 4, 4, 0, &cut), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrCutPart(5, 0, 4, 1, &cut), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrCutPart(1, 4, 4, 1, &cut), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrCutPart(2, UINT64_MAX, 4, 1, &cut), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(vkrCutPart(0, 4, 4, 1, NULL), VKR_ERROR_INVALID_ARGUMENT);
}

/* ---- Partials ---- */

static void check_range(uint64_t first, uint64_t count, VkDeviceSize offset, VkDeviceSize size)
{
    const VkrReduceLayout layout = {.segments = 1, .partialsSize = 60};
    VkDeviceSize at = 7, bytes = 7;
    const uint64_t whole = 4 * VKR_TREE_BLOCK + 1;
    assert_int_equal(vkrGetPartialsRange(&layout, whole, first, count, &at, &bytes), VKR_SUCCESS);
    assert_true(at == offset && bytes == size);
}

TEST(test_partials)
{
    const uint64_t block = VKR_TREE_BLOCK;
    check_range(0, 4 * block + 1, 0, 60);
    check_range(0, block, 0, 12);
    check_range(2 * block, 2 * block, 24, 24);
    check_range(3 * block, block + 1, 36, 24);
    check_range(4 * block, 1, 48, 12);
    check_range(block, 0, 12, 0);
    check_range(4 * block + 1, 0, 60, 0);
}

TEST(test_wrong_partials)
{
    const uint64_t block = VKR_TREE_BLOCK;
    const VkrReduceLayout good = {.segments = 1, .partialsSize = 8},
                          odd = {.segments = 1, .partialsSize = 9};
    const VkrReduceLayout none = {.segments = 1}, rows = {.segments = 2, .partialsSize = 8};
    VkDeviceSize offset = 7, size = 7;
    const struct {
        const VkrReduceLayout *layout;
        uint64_t whole, first, count;
        VkDeviceSize *offset, *size;
    } wrong[] = {{NULL, 2 * block, 0, block, &offset, &size},
                 {&good, 2 * block, 0, block, NULL, &size},
                 {&good, 2 * block, 0, block, &offset, NULL},
                 {&good, 2 * block, 1, block, &offset, &size},
                 {&good, 2 * block, 0, block + 1, &offset, &size},
                 {&good, 2 * block, 0, 2 * block + 1, &offset, &size},
                 {&good, 2 * block, 3 * block, 0, &offset, &size},
                 {&good, 0, 0, 0, &offset, &size},
                 {&odd, 2 * block, 0, block, &offset, &size},
                 {&none, 2 * block, 0, block, &offset, &size},
                 {&rows, 2 * block, 0, block, &offset, &size}};
    for (uint32_t i = 0; i < ARRAY_SIZE(wrong); i++)
        assert_int_equal(vkrGetPartialsRange(wrong[i].layout, wrong[i].whole, wrong[i].first,
                                             wrong[i].count, wrong[i].offset, wrong[i].size),
                         VKR_ERROR_INVALID_ARGUMENT);
    assert_true(offset == 7 && size == 7);
    assert_int_equal(vkrGetPartialsRange(&none, 0, 0, 0, &offset, &size), VKR_SUCCESS);
    assert_true(offset == 0 && size == 0);
}

/* ---- Totals ---- */

static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                            VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};

static bool is_ordered(VkrOp op)
{
    return op == VKR_OP_SUM || op == VKR_OP_PRODUCT;
}

/* Whether scans with the operator have results of the type. */
static bool has_results(VkrOp op, VkrType type)
{
    const type_row *t = &oracle_types[type];
    return is_ordered(op) ? t->bits >= 32
                          : t->kind != KIND_FLOAT || op == VKR_OP_MIN || op == VKR_OP_MAX;
}

/* Numbers of similar magnitudes, whose products stay near 1, among them special ones. */
static uint64_t draw(VkrType type, VkrOp op)
{
    const type_row *t = &oracle_types[type];
    const uint64_t r = random_bits(), mask = (sign_bit(t) << 1) - 1;
    const uint64_t one = (infinity_bits(t) >> 1) & infinity_bits(t);
    const uint64_t fraction = (UINT64_C(1) << t->fraction) - 1;
    if (t->kind != KIND_FLOAT)
        return r & mask;
    if (op == VKR_OP_PRODUCT) /* just above or below 1, or negative */
        return (one + (r & fraction) / 65536 - (r >> 60) % 2 * (fraction / 131072)) |
               (r >> 61) % 2 * sign_bit(t);
    if (op == VKR_OP_SUM && r % 64 != 0)
        return (one + (r >> 58) * (fraction + 1) / 2 * (r % 2)) ^ (r & (fraction | sign_bit(t)));
    return r % 3 == 0 ? (random_bits() & (fraction | sign_bit(t))) /* subnormal, or 0 */
           : r % 3 == 1 && op != VKR_OP_SUM ? nan_bits(t) | (random_bits() & mask)
                                            : random_bits() & mask & ~infinity_bits(t);
}

#define MAX_PARTS 4u
#define MAX_COMPONENTS 2u

/* A whole in parts, of components that have different totals. */
static void check_totals(VkrOp op, VkrType type, VkrNan nan, uint64_t part, bool initial)
{
    const uint32_t size = oracle_types[type].bits / 8, element = size * MAX_COMPONENTS;
    const uint64_t count = part * (MAX_PARTS - 1) + part / 3 + 1;
    unsigned char *data = malloc(count * element), start[16], totals[MAX_PARTS * 16], prefix[16];
    oracle_value *values = malloc((count + 1) * sizeof(*values));
    assert_true(data != NULL && values != NULL);
    for (uint64_t i = 0; i < count * MAX_COMPONENTS; i++)
        memcpy(data + i * size, &(uint64_t){draw(type, op)}, size);
    memcpy(start, &(uint64_t){draw(type, op)}, size);
    memcpy(start + size, &(uint64_t){draw(type, op)}, size);
    oracle_scan_info info = {.stride = element,
                             .type = type,
                             .components = MAX_COMPONENTS,
                             .op = op,
                             .nan = nan,
                             .determinism = VKR_DETERMINISM_DEVICE};
    for (uint32_t c = 0; c < MAX_COMPONENTS; c++)
        for (uint32_t i = 0; i < MAX_PARTS; i++) {
            info.data = data + i * part * element;
            info.count = i + 1 < MAX_PARTS ? part : count - i * part;
            assert_true(oracle_scan(&info, c, type, values));
            memcpy(totals + i * element + c * size, values[info.count].bytes, size);
        }
    memcpy(prefix, initial ? start : totals, element);
    assert_int_equal(vkrAddTotals(op, type, MAX_COMPONENTS, nan, MAX_PARTS - !initial,
                                  totals + (initial ? 0 : element), prefix),
                     VKR_SUCCESS);
    for (uint32_t c = 0; c < MAX_COMPONENTS; c++) {
        info.data = data;
        info.count = count;
        info.initial = initial ? start : NULL;
        assert_true(oracle_scan(&info, c, type, values));
        if (memcmp(prefix + c * size, values[count].bytes, size) != 0)
            fail_msg("%s of %s, parts of %llu", vkrOpName(op), vkrTypeName(type),
                     (unsigned long long)part);
    }
    free(values);
    free(data);
}

TEST(test_totals)
{
    for (uint32_t type = 1; type < VKR_TYPE_COUNT; type++)
        for (uint32_t i = 0; i < ARRAY_SIZE(ops); i++) {
            const bool canonical = is_ordered(ops[i]) && oracle_types[type].kind == KIND_FLOAT;
            for (uint32_t k = 0; k < (canonical ? 2 : 60) && has_results(ops[i], (VkrType)type);
                 k++)
                check_totals(ops[i], (VkrType)type,
                             k / 2 % 2 != 0 ? VKR_NAN_PROPAGATE : VKR_NAN_IGNORE,
                             canonical ? VKR_SCAN_BLOCK : 1 + k % 5, k % 2 != 0);
        }
}

static uint64_t edge(const type_row *t, uint32_t i)
{
    const uint64_t normal = UINT64_C(1) << t->fraction, infinity = infinity_bits(t);
    const uint64_t one = (infinity >> 1) & infinity;
    const uint64_t bases[] = {0,           normal,    infinity, one, one / 2 & infinity,
                              nan_bits(t), normal / 2};
    const uint64_t bits = (bases[i / 6] + i % 3 - (i / 6 != 0)) & (sign_bit(t) - 1);
    return bits | (i / 3 % 2 != 0 ? sign_bit(t) : 0);
}

/* One addition of all pairs of edge cases, with the oracle's arithmetic. */
TEST(test_edges)
{
    for (uint32_t i = 0; i < 4u * 42u * 42u; i++) {
        const VkrType type = i % 2 != 0 ? VKR_TYPE_F64 : VKR_TYPE_F32;
        const VkrOp op = i / 2 % 2 != 0 ? VKR_OP_SUM : VKR_OP_PRODUCT;
        const type_row *t = &oracle_types[type];
        const uint64_t a = edge(t, i / 4 % 42), b = edge(t, i / 4 / 42);
        if (is_subnormal(t, b)) /* no total is */
            continue;
        const double x = to_double(type, is_subnormal(t, a) ? 0 : a);
        const double value = oracle_combine(type == VKR_TYPE_F32, op, x, to_double(type, b));
        uint64_t expected = 0, actual = a;
        if (type == VKR_TYPE_F32)
            memcpy(&expected, &(float){(float)value}, 4);
        else
            memcpy(&expected, &value, 8);
        expected = value != value ? nan_bits(t) : expected;
        assert_int_equal(vkrAddTotals(op, type, 1, VKR_NAN_IGNORE, 1, &b, &actual), VKR_SUCCESS);
        if (actual != expected)
            fail_msg("%s of %s: %llx and %llx give %llx, expected %llx", vkrOpName(op),
                     vkrTypeName(type), (unsigned long long)a, (unsigned long long)b,
                     (unsigned long long)actual, (unsigned long long)expected);
    }
}

TEST(test_wrong_totals)
{
    const float totals[4] = {1, 2, 3, 4};
    float prefix[4] = {5, 6, 7, 8};
    const struct {
        uint32_t op, type, components, nan;
        const void *totals;
        void *prefix;
    } wrong[] = {{VKR_OP_MEAN, VKR_TYPE_F32, 1, 0, totals, prefix},
                 {0, VKR_TYPE_F32, 1, 0, totals, prefix},
                 {VKR_OP_SUM | VKR_OP_MIN, VKR_TYPE_F32, 1, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_UNDEFINED, 1, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_COUNT, 1, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F16, 1, 0, totals, prefix},
                 {VKR_OP_PRODUCT, VKR_TYPE_U8, 1, 0, totals, prefix},
                 {VKR_OP_AND, VKR_TYPE_F32, 1, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F32, 0, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F32, 5, 0, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F32, 1, VKR_NAN_SKIP, totals, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F32, 1, 0, NULL, prefix},
                 {VKR_OP_SUM, VKR_TYPE_F32, 1, 0, totals, NULL}};
    for (uint32_t i = 0; i < ARRAY_SIZE(wrong); i++)
        assert_int_equal(vkrAddTotals((VkrOp)wrong[i].op, (VkrType)wrong[i].type,
                                      wrong[i].components, (VkrNan)wrong[i].nan, 1, wrong[i].totals,
                                      wrong[i].prefix),
                         VKR_ERROR_INVALID_ARGUMENT);
    assert_true(prefix[0] == 5 && prefix[1] == 6);
    assert_int_equal(vkrAddTotals(VKR_OP_SUM, VKR_TYPE_F32, 4, VKR_NAN_IGNORE, 0, NULL, prefix),
                     VKR_SUCCESS);
    assert_true(prefix[0] == 5 && prefix[3] == 8);
}

TEST_MAIN("parts", CASE(test_cuts), CASE(test_long_cuts), CASE(test_wrong_cuts),
          CASE(test_partials), CASE(test_wrong_partials), CASE(test_totals), CASE(test_edges),
          CASE(test_wrong_totals))
