/* SPDX-License-Identifier: MIT */
/* What the operators of group.comp have in common. */
#define VKR_GROUP_SIZE SIZE
#define VKR_GROUP_PATH GROUP_PATH
#define VKR_GROUP_TYPE TYPE
#define VKR_GROUP_LEAD
#ifdef SHARED
#define VKR_GROUP_WIDTH ROWS
#else
#define VKR_GROUP_SUBGROUPS ROWS
#endif
