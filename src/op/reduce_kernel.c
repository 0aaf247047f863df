/* SPDX-License-Identifier: MIT */
/* Which kernel serves a reduction. */
#include <stdio.h>

#include "reduce.h"

uint32_t vkr_find_reduce_kernel(const vkr_reduce *r, uint32_t loads)
{
    static const char *const loads_names[] = {
        [0] = "", [VKR_LOADS_VEC4] = "", [VKR_LOADS_U64] = "_u64", [VKR_LOADS_TEXEL] = "_texel"};
    char name[64];
    (void)snprintf(name, sizeof(name), "%s_%s%s%s%s_%s", r->kernels,
                   vkr_class_name(r->input.type_id), r->wide ? "_wide" : "",
                   r->input.components > 1 ? "_vector" : "", loads_names[loads],
                   vkrRungName(r->walk.rung));
    return vkr_find_kernel(name);
}

bool vkr_has_loads(const vkr_reduce *r, uint32_t loads)
{
    return vkr_find_reduce_kernel(r, loads) < vkr_kernel_count;
}
