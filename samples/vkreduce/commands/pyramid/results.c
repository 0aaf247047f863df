/* SPDX-License-Identifier: MIT */
#include "commands/pyramid/results.h"

const pyramid_chain *pyramid_find_chain(const pyramid_results *results, VkrOp op, uint32_t *lane)
{
    const pyramid_chain *c = &results->chains[0];
    while ((c->ops & (VkrOpFlags)op) == 0)
        c++;
    *lane = op == VKR_OP_MAX ? c->lanes - source_lanes(c) : 0;
    return c;
}

const char *pyramid_name(VkrOp op)
{
    return op == VKR_OP_MEAN ? "average" : vkrOpName(op);
}

VkrType pyramid_type(const pyramid_request *r, VkrOp op)
{
    return op == VKR_OP_MEAN ? VKR_TYPE_F32 : r->in.type;
}
