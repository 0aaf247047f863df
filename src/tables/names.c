/* SPDX-License-Identifier: MIT */
#include "names.h"

#include "types.h"

vkr_names vkr_op_names(VkrOpFlags ops)
{
    vkr_names names = {""};
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        vkr_name_bit(&names, &ops, 1u << i, vkr_ops[i].name);
    vkr_name_rest(&names, ops);
    return names;
}
