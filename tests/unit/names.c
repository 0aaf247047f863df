/* SPDX-License-Identifier: MIT */
/* Sets of operators as messages print them: each alone, all of them, and bits that are none. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "../../src/tables/names.h"

#define ALL ((UINT32_C(1) << VKR_OP_BITS) - 1)

TEST(test_single)
{
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        assert_string_equal(vkr_op_names(UINT32_C(1) << i).text, vkrOpName((VkrOp)(1u << i)));
    assert_string_equal(vkr_op_names(0).text, "0");
}

TEST(test_sets)
{
    char all[512] = "";
    for (uint32_t i = 0; i < VKR_OP_BITS; i++) {
        strcat(all, i > 0 ? " | " : "");
        strcat(all, vkrOpName((VkrOp)(1u << i)));
    }
    assert_string_equal(vkr_op_names(VKR_OP_MIN | VKR_OP_MAX).text, "min | max");
    assert_string_equal(vkr_op_names(VKR_OP_ARGMAX | VKR_OP_SUM | VKR_OP_L2).text,
                        "sum | l2 | argmax");
    assert_string_equal(vkr_op_names(ALL).text, all);
    /* The longest set has room for all of it. */
    snprintf(all + strlen(all), sizeof(all) - strlen(all), " | 0x%x", ~ALL);
    assert_string_equal(vkr_op_names(UINT32_MAX).text, all);
}

TEST(test_unknown)
{
    const uint32_t next = ALL + 1;
    char number[16];
    snprintf(number, sizeof(number), "0x%x", next);
    assert_string_equal(vkr_op_names(next).text, number);
    assert_string_equal(vkr_op_names(UINT32_C(0x80000000)).text, "0x80000000");
    assert_string_equal(vkr_op_names(UINT32_C(0xc0000000) | VKR_OP_DOT).text, "dot | 0xc0000000");
}

TEST_MAIN("names", CASE(test_single), CASE(test_sets), CASE(test_unknown))
