/* SPDX-License-Identifier: MIT */
/* libvkreduce-glsl: GLSL with functions of the application becomes SPIR-V, by libshaderc. */
#include "vkreduce/glsl.h"

#include <pthread.h>
#include <shaderc/shaderc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_SIZE ((size_t)512 << 20)

/* The compiler initialises locks of its own when it starts, even while other threads hold them. So
 * it is started once, and used by one thread at a time. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static shaderc_compiler_t compiler;

static const char hook_name[] = "vkreduce/hook.glsl";
static const char hook_text[] =
#include "hook_text.h"
    ;

/* ---- Messages ---- */

static VkrResult fail(VkrGlslCode *code, VkrResult result, const char *name, const char *what)
{
    const size_t size = strlen(name) + strlen(what) + sizeof ": error: \n";
    code->messages = malloc(size);
    if (code->messages == NULL)
        return VKR_ERROR_OUT_OF_HOST_MEMORY;
    (void)snprintf(code->messages, size, "%s: error: %s\n", name, what);
    return result;
}

/* ---- The version ---- */

/* Skips white space and comments. */
static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end) {
        const bool has_more = end - at > 1;
        if (strchr(" \t\r\n\v\f", *at) != NULL && *at != '\0') {
            at++;
        } else if (has_more && at[0] == '/' && at[1] == '/') {
            /* A backslash at the end continues the line, and so the comment. */
            for (at += 2;
                 at < end && (*at != '\n' || at[-1] == '\\' || (at[-1] == '\r' && at[-2] == '\\'));)
                at++;
        } else if (has_more && at[0] == '/' && at[1] == '*') {
            for (at += 2; end - at > 1 && (at[0] != '*' || at[1] != '/');)
                at++;
            at = end - at > 1 ? at + 2 : end;
        } else {
            break;
        }
    }
    return at;
}

/* Skips what may stand between the words of a line. */
static const char *skip_spaces(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

static bool take_word(const char **at, const char *end, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0)
        return false;
    *at = skip_spaces(*at + length, end);
    return true;
}

/* The compiler must know that it can compile compute shaders before it reads on: for other versions
 * it prints its own declarations to the standard output. So the line must be plain: what the
 * compiler might read in another way is refused. */
static bool has_version(const char *text, size_t size)
{
    const char *end = text + size;
    const char *at = skip_blanks(text, end);
    uint32_t number = 0;
    if (!take_word(&at, end, "#") || !take_word(&at, end, "version") ||
        (at[-1] != ' ' && at[-1] != '\t'))
        return false;
    for (; at < end && *at >= '0' && *at <= '9' && number < 1000; at++)
        number = 10 * number + (uint32_t)(*at - '0');
    const char *after = at;
    while (after < end && *after != '\n' && *after != '\r' && *after != '\\')
        after++;
    if (after < end && *after == '\\') /* the line goes on */
        return false;
    at = skip_spaces(at, end);
    return number < 1000 && (take_word(&at, end, "es") ? number == 310 || number == 320
                                                       : number >= 420 && number <= 460);
}

static VkrResult check(const VkrGlslInfo *info, const char *name, VkrGlslCode *code)
{
    const uint32_t version = info->apiVersion;
    if (info->text == NULL && info->textSize != 0)
        return fail(code, VKR_ERROR_INVALID_ARGUMENT, name,
                    "text is NULL, but textSize is not 0; it must point to the text");
    if (info->textSize > VKR_MAX_GLSL_SIZE)
        return fail(code, VKR_ERROR_INVALID_ARGUMENT, name,
                    "textSize is above 262144, which it must not exceed");
    if (version != 0 &&
        (version < VK_API_VERSION_1_1 || version >= VK_MAKE_API_VERSION(0, 2, 0, 0)))
        return fail(code, VKR_ERROR_INVALID_ARGUMENT, name,
                    "apiVersion must be 0, or a version of Vulkan from 1.1 to 1.3");
    if (info->text == NULL || !has_version(info->text, info->textSize))
        return fail(code, VKR_ERROR_INVALID_ARGUMENT, name,
                    "it must start with a #version of compute shaders, such as #version 450");
    return VKR_SUCCESS;
}

/* ---- Includes ---- */

static shaderc_include_result *include(void *data, const char *requested, int type,
                                       const char *requesting, size_t depth)
{
    static shaderc_include_result hook = {hook_name, sizeof hook_name - 1, hook_text,
                                          sizeof hook_text - 1, NULL};
    static const char sentence[] = "no file (only vkreduce/hook.glsl can be included)";
    static shaderc_include_result none = {"", 0, sentence, sizeof sentence - 1, NULL};
    (void)data, (void)type, (void)requesting, (void)depth;
    return strcmp(requested, hook_name) == 0 ? &hook : &none;
}

static void release_include(void *data, shaderc_include_result *result)
{
    (void)data, (void)result;
}

/* ---- Compilation ---- */

static shaderc_compile_options_t create_options(uint32_t api_version)
{
    shaderc_compile_options_t options = shaderc_compile_options_initialize();
    const uint32_t version = api_version >= VK_API_VERSION_1_3   ? shaderc_env_version_vulkan_1_3
                             : api_version >= VK_API_VERSION_1_2 ? shaderc_env_version_vulkan_1_2
                                                                 : shaderc_env_version_vulkan_1_1;
    if (options == NULL)
        return NULL;
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, version);
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
    shaderc_compile_options_set_include_callbacks(options, include, release_include, NULL);
    return options;
}

static VkrResult copy(VkrGlslCode *code, const char *messages, const char *bytes, size_t size)
{
    const size_t length = strlen(messages);
    code->messages = malloc(length + 1);
    code->code = size != 0 ? malloc(size) : NULL;
    if (code->messages == NULL || (size != 0 && code->code == NULL)) {
        vkrFreeGlsl(code);
        return VKR_ERROR_OUT_OF_HOST_MEMORY;
    }
    memcpy(code->messages, messages, length + 1);
    if (size != 0)
        memcpy(code->code, bytes, size);
    code->codeSize = size;
    return VKR_SUCCESS;
}

static VkrResult take(shaderc_compilation_result_t from, const char *name, VkrGlslCode *code)
{
    const shaderc_compilation_status status = shaderc_result_get_compilation_status(from);
    const char *messages = shaderc_result_get_error_message(from);
    const bool succeeds = status == shaderc_compilation_status_success;
    const bool is_wrong = status == shaderc_compilation_status_compilation_error ||
                          status == shaderc_compilation_status_invalid_stage;
    const VkrResult failure = is_wrong ? VKR_ERROR_INVALID_ARGUMENT : VKR_ERROR_INVALID_STATE;
    if (!succeeds && (messages == NULL || messages[0] == '\0'))
        return fail(code, failure, name, "the compiler fails without a message");
    const VkrResult copied =
        copy(code, messages != NULL ? messages : "", shaderc_result_get_bytes(from),
             succeeds ? shaderc_result_get_length(from) : 0);
    return succeeds || copied != VKR_SUCCESS ? copied : failure;
}

static VkrResult compile(const VkrGlslInfo *info, const char *name, VkrGlslCode *code)
{
    VkrResult result = VKR_ERROR_OUT_OF_HOST_MEMORY;
    shaderc_compile_options_t options = create_options(info->apiVersion);
    if (compiler == NULL)
        compiler = shaderc_compiler_initialize();
    if (options != NULL && compiler != NULL) {
        shaderc_compilation_result_t compiled = shaderc_compile_into_spv(
            compiler, info->text, info->textSize, shaderc_compute_shader, name, "main", options);
        if (compiled != NULL)
            result = take(compiled, name, code);
        shaderc_result_release(compiled);
    }
    shaderc_compile_options_release(options);
    return result;
}

typedef struct call {
    const VkrGlslInfo *info;
    const char *name;
    VkrGlslCode *code;
    VkrResult result;
} call;

static void *run(void *data)
{
    call *c = data;
    c->result = compile(c->info, c->name, c->code);
    return NULL;
}

/* The compiler calls itself for what a text nests, up to some hundred thousand times for a text of
 * the maximum size. So it has a thread of its own, whose stack has memory only where it is used. */
static VkrResult compile_in_thread(const VkrGlslInfo *info, const char *name, VkrGlslCode *code)
{
    call c = {info, name, code, VKR_ERROR_OUT_OF_HOST_MEMORY};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0)
        return c.result;
    const bool starts = pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0 &&
                        pthread_create(&thread, &attributes, run, &c) == 0;
    (void)pthread_attr_destroy(&attributes);
    if (!starts)
        return fail(code, VKR_ERROR_INVALID_STATE, name,
                    "the compiler's thread, which has a stack of 512 MiB, does not start");
    (void)pthread_join(thread, NULL);
    return c.result;
}

VkrResult vkrCompileGlsl(const VkrGlslInfo *info, VkrGlslCode *code)
{
    *code = (VkrGlslCode){0};
    const char *name = info->name != NULL ? info->name : "glsl";
    VkrGlslInfo marked = *info;
    if (info->text != NULL && info->textSize >= 3 && memcmp(info->text, "\xef\xbb\xbf", 3) == 0) {
        marked.text += 3; /* the byte order mark of UTF-8 */
        marked.textSize -= 3;
    }
    VkrResult result = check(&marked, name, code);
    if (result != VKR_SUCCESS)
        return result;
    (void)pthread_mutex_lock(&lock);
    result = compile_in_thread(&marked, name, code);
    (void)pthread_mutex_unlock(&lock);
    return result;
}

void vkrFreeGlsl(VkrGlslCode *code)
{
    if (code == NULL)
        return;
    free(code->code);
    free(code->messages);
    *code = (VkrGlslCode){0};
}
