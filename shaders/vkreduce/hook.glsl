/* SPDX-License-Identifier: MIT */
/*
 * For shaders with functions that vkreduce links into its kernels (module.h). A compiler keeps only
 * what main calls, so VKR_HOOKS makes a main that calls the functions, which nobody ever runs:
 * VKR_HOOKS(load(0u)), or, for several functions, VKR_HOOKS(load(0u); is_visible(0u)).
 */
#ifndef VKREDUCE_HOOK_GLSL
#define VKREDUCE_HOOK_GLSL

#define VKR_HOOKS(calls)                                                                           \
    void main()                                                                                    \
    {                                                                                              \
        calls;                                                                                     \
    }

#endif
