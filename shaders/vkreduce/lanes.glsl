/* SPDX-License-Identifier: MIT */
/* group.glsl with the settings of the library's kernels, which define a monoid and include this
 * file instead. The first monoid of a kernel has the default name. */
#define VKR_GROUP_SIZE VKR_WORKGROUP
#define VKR_GROUP_PATH VKR_BUILD_GROUP_PATH
#define VKR_GROUP_WIDTH VKR_ROW_SIZE
#define VKR_GROUP_SUBGROUPS VKR_SUBGROUPS
#define VKR_GROUP_FULL
#define VKR_GROUP_NEUTRAL
#include "group.glsl"

#ifndef VKR_LANES_GLSL
#define VKR_LANES_GLSL
bool vkr_is_leader()
{
    return vkr_group_rank() == 0u;
}
#endif
