/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/glsl.h: functions of the application as GLSL text, compiled while the program runs.
 *
 * This is the header of a library of its own, libvkreduce-glsl (vkreduce-glsl for pkg-config),
 * which contains libshaderc or needs it. The library vkreduce has no compiler: an application that
 * brings its modules as SPIR-V does without this one.
 *
 *     const VkrGlslInfo info = {.name = "seen.glsl", .text = text, .textSize = size};
 *     VkrGlslCode spirv;
 *     if (vkrCompileGlsl(&info, &spirv) == VKR_SUCCESS) {
 *         const VkrModuleInfo module = {.code = spirv.code, .codeSize = spirv.codeSize};
 *         result = vkrCreateModule(context, &module, &seen);
 *     } else {
 *         fputs(spirv.messages, stderr);
 *     }
 *     vkrFreeGlsl(&spirv);
 *
 * The text is that of a compute shader, as module.h shows it: it starts with #version, and ends
 * with VKR_HOOKS or a main that calls the functions, since the compiler leaves out the others. The
 * line #include "vkreduce/hook.glsl" gets the library's own file; there are no other files to
 * include. The result is not optimised, so functions keep their names, by which vkreduce finds
 * them; what vkreduce links into its kernels is optimised by the driver.
 *
 * Any thread may call these functions. Calls of vkrCompileGlsl wait for each other, since the
 * compiler has state that all threads share. The first call starts the compiler, which takes up to
 * some tenths of a second, and which stays in memory until the process ends.
 *
 * The compiler runs in a thread that the call starts and ends, with a stack of 512 MiB: address
 * space, which has memory only where it is used. That suffices for whatever a text of the maximum
 * size nests. Macros can make far more of a text, whose nesting then has no bound; so texts of
 * strangers are for a process of their own.
 */
#ifndef VKREDUCE_GLSL_H
#define VKREDUCE_GLSL_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_MAX_GLSL_SIZE 262144u /* bytes */

/* Texts are read by the call only. */
typedef struct VkrGlslInfo {
    const char *name; /* optional: what messages and __FILE__ call the text; "glsl" */
    const char *text;
    size_t textSize; /* bytes, without a zero at the end; at most VKR_MAX_GLSL_SIZE */
    /* That of the context for which the code is: 1.1 gives SPIR-V 1.3, 1.2 gives 1.5, and 1.3 gives
     * 1.6. 0 is 1.1, whose code every context accepts. */
    uint32_t apiVersion;
} VkrGlslInfo;

/* What a compilation returns, in memory that belongs to the caller until vkrFreeGlsl. */
typedef struct VkrGlslCode {
    uint32_t *code; /* SPIR-V for VkrModuleInfo; NULL if the call failed */
    size_t codeSize;
    /* Lines with errors and warnings, such as "seen.glsl:3: error: 'x' : undeclared identifier";
     * empty if there are none. NULL only after VKR_ERROR_OUT_OF_HOST_MEMORY. */
    char *messages;
} VkrGlslCode;

/*
 * Compiles a text. *code is set in any case, and may be given to vkrFreeGlsl after any result:
 *
 *     VKR_SUCCESS                   code has the module; messages may have warnings
 *     VKR_ERROR_INVALID_ARGUMENT    the text is wrong, or a member of info is; messages says what
 *     VKR_ERROR_OUT_OF_HOST_MEMORY  there is not enough memory, or the compiler does not start
 *     VKR_ERROR_INVALID_STATE       the compiler failed itself, or its thread does not start;
 *                                   messages says what
 *
 * A code that vkrCompileGlsl returns is one that the compiler finds correct. Whether vkreduce can
 * call its functions is checked by vkrCreateModule and by the operation that names them.
 */
VKR_API VkrResult vkrCompileGlsl(const VkrGlslInfo *info, VkrGlslCode *code);

/* Frees the memory, and sets all members to 0. Ignores NULL. */
VKR_API void vkrFreeGlsl(VkrGlslCode *code);

#ifdef __cplusplus
}
#endif

#endif
