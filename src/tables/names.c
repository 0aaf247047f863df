/* SPDX-License-Identifier: MIT */
#include "names.h"

#include <stdio.h>
#include <string.h>

#include "types.h"

/* Appends a name to a set. */
static void append(vkr_names *names, const char *name)
{
    const size_t length = strlen(names->text);
    (void)snprintf(names->text + length, sizeof(names->text) - length, "%s%s",
                   length != 0 ? " | " : "", name);
}

vkr_names vkr_op_names(VkrOpFlags ops)
{
    const uint32_t unknown = ops >> VKR_OP_BITS << VKR_OP_BITS;
    vkr_names names = {""};
    char number[16];
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((ops >> i & 1) != 0)
            append(&names, vkr_ops[i].name);
    (void)snprintf(number, sizeof(number), "0x%x", unknown);
    if (unknown != 0)
        append(&names, number);
    else if (ops == 0)
        append(&names, "0");
    return names;
}
