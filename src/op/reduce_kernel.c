/* SPDX-License-Identifier: MIT */
/* Which kernel serves a reduction. */
#include "reduce.h"

uint32_t vkr_find_reduce_kernel(const vkr_reduce *r, uint32_t loads)
{
    return vkr_find_kernel(r->kernels, vkr_class_of(r->input.type_id), r->wide,
                           r->input.components > 1, loads, r->walk.rung);
}

bool vkr_has_loads(const vkr_reduce *r, uint32_t loads)
{
    return vkr_find_reduce_kernel(r, loads) < vkr_kernel_count;
}
