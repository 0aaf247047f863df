/* SPDX-License-Identifier: MIT */
/* The scalar reference with a planted mistake: what it expects is off by one unit in the last
 * place. Linked with the runner, it proves that --verify finds such a difference. */
#define oracle_reduce right_reduce
#define oracle_end right_end
#include "oracle.c"
#undef oracle_reduce
#undef oracle_end

void oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                   VkrType result_type, oracle_value *value);
void oracle_end(oracle_fold *fold, oracle_value *value);

static void mislead(oracle_value *value)
{
    value->bytes[0] ^= 1;
    value->tolerance = 0.0;
}

void oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                   VkrType result_type, oracle_value *value)
{
    right_reduce(info, op, component, result_type, value);
    mislead(value);
}

void oracle_end(oracle_fold *fold, oracle_value *value)
{
    right_end(fold, value);
    if (value != NULL)
        mislead(value);
}
