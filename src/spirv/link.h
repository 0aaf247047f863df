/* SPDX-License-Identifier: MIT */
/*
 * Puts users' functions (hooks.h) into a kernel's module.
 *
 * A kernel has weak functions, which it calls where a user's function may be. Their names (OpName,
 * up to "(") are what the kernel's module keeps for linking. A weak function keeps its id and its
 * type, and gets a new body: it calls the user's function. That one, the functions that it calls,
 * and the types, constants and variables that these use become part of the kernel's module, with
 * new ids. The result is meant for vkr_prune and vkr_inline, which leave no calls.
 *
 * One weak function serves users' functions of many types: if its first parameter is a uvec4, this
 * holds the bits of what the user's function has there, a number or a vector of at most 16 bytes;
 * or the user's function lacks this parameter. If its result is a uvec4, its first components are
 * the bits of what the user's function returns: numbers of 32 bits, or a bool as 0 or 1.
 *
 * A kernel with states (layout.h) has a struct vkr_hook_state of one uint, which stands for the
 * user's type T in the signatures of weak functions; the linker makes T its only member. The
 * kernel may copy such values, and pass them to functions. Where it must move one by words, it has
 * two functions, for example
 *
 *     uint put_word(uint i, uint word, uint k) { .. }
 *     vkr_hook_state put(uint i, vkr_hook_state state) { .. put_word(i, state.word, 0) .. }
 *
 * Each function that has a companion whose name ends with _word gets a new body, which calls that
 * one for each word k. The state is its last parameter, or its result, or both. The function
 * uint vkr_hook_words() returns the number of words.
 */
#ifndef VKR_SPIRV_LINK_H
#define VKR_SPIRV_LINK_H

#include "hooks.h"

enum { VKR_MAX_LINKS = 8 };

typedef struct vkr_link_row {
    const char *weak; /* the name of the kernel's weak function: "vkr_hook_keep" */
    vkr_hook hook;    /* what vkr_find_hook has found */
} vkr_link_row;

/* All functions that are linked into one kernel. Several may come from one module, and then share
 * its variables; for that their hooks must have the same `hooks`. */
typedef struct vkr_link_info {
    uint32_t link_count; /* at most VKR_MAX_LINKS */
    const vkr_link_row *links;
    /* Drivers do not contract the arithmetic of users' functions, nor lower its precision: a result
     * does not depend on the place from which a function is called. */
    bool exact;
} vkr_link_info;

/* The size in bytes of the memory that linking needs. */
size_t vkr_link_size(const uint32_t *kernel, size_t count, const vkr_link_info *info);

/* Writes the kernel's module of *count words, with the users' functions in place of the weak ones,
 * to memory of that size, which must be aligned as malloc aligns. Sets *count and returns the new
 * module, which lies in that memory; equal arguments give equal words. Returns NULL if that is not
 * possible: the kernel lacks one of the weak functions, its type does not suit the hook, or the
 * kernel has something unsupported (module.h). */
const uint32_t *vkr_link(const uint32_t *kernel, size_t *count, const vkr_link_info *info,
                         void *memory);

#endif
