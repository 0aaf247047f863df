/* SPDX-License-Identifier: MIT */
/* Reads files with functions, and compiles those that are text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "functions/functions.h"
#include "status.h"
#ifdef RUNNER_GLSL
#include "vkreduce/glsl.h"
#endif

static const char *const options[ROLE_COUNT] = {"map", "predicate", "operator"};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

/* ---- Text ---- */

#ifdef RUNNER_GLSL
/* The first error among the compiler's messages: "NAME:LINE: error: SENTENCE". */
typedef struct error {
    uint32_t line; /* 0: it has none */
    int length;
    const char *sentence;
    uint32_t count; /* of all errors */
} error;

static error find_error(const char *messages, const char *name)
{
    static const char mark[] = ": error: ";
    const char *at = strstr(messages, mark);
    error e = {.sentence = messages, .length = (int)strcspn(messages, "\n")};
    if (at == NULL)
        return e;
    const char *line = at; /* of the messages, where warnings may come first */
    while (line > messages && line[-1] != '\n')
        line--;
    const size_t size = strlen(name);
    if (strncmp(line, name, size) == 0 && line[size] == ':')
        e.line = (uint32_t)strtoul(line + size + 1, NULL, 10);
    e.sentence = at + strlen(mark) + strspn(at + strlen(mark), " ");
    e.length = (int)strcspn(e.sentence, "\n");
    for (; at != NULL; at = strstr(at + 1, mark))
        e.count++;
    return e;
}

static bool has_words(const error *e, const char *words)
{
    const char *at = strstr(e->sentence, words);
    return at != NULL && at < e->sentence + e->length;
}

static int refuse_text(const functions *f, const input *in, const char *messages)
{
    const error e = find_error(messages, f->file);
    char signature[96], more[48] = "";
    if (text_signature(f->role, in, e.line, signature) != NULL) {
        if (has_words(&e, "'State' : undeclared"))
            return fail(STATUS_USAGE, "%s: it needs a type State, a struct or a #define", f->file);
        if (has_words(&e,
                      ": no matching overloaded function")) /* of a call that is not the user's */
            return fail(STATUS_USAGE, "%s: it needs a function %s", f->file, signature);
        return fail(STATUS_USAGE, "%s: it needs a function %s: %.*s", f->file, signature, e.length,
                    e.sentence);
    }
    if (e.line >= AFTER_TEXT)
        return fail(STATUS_USAGE, "%s: after its last line: %.*s", f->file, e.length, e.sentence);
    if (e.count > 1)
        snprintf(more, sizeof more, " (the first of %u errors)", e.count);
    if (e.line == 0)
        return fail(STATUS_USAGE, "%s: %.*s%s", f->file, e.length, e.sentence, more);
    return fail(STATUS_USAGE, "%s:%u: %.*s%s", f->file, e.line, e.length, e.sentence, more);
}

static VkrResult compile_shader(const functions *f, char *shader, VkrGlslCode *spirv)
{
    const VkrGlslInfo info = {.name = f->file, .text = shader, .textSize = strlen(shader)};
    VkrResult result = vkrCompileGlsl(&info, spirv);
    if (result != VKR_ERROR_INVALID_ARGUMENT)
        return result;
    const error e = find_error(spirv->messages, f->file);
    if (e.count != 1 || !text_drop_finish(shader, e.line))
        return result;
    VkrGlslCode other;
    const VkrGlslInfo without = {.name = f->file, .text = shader, .textSize = strlen(shader)};
    const bool is_right = vkrCompileGlsl(&without, &other) == VKR_SUCCESS;
    vkrFreeGlsl(is_right ? spirv : &other);
    if (is_right)
        *spirv = other;
    return is_right ? VKR_SUCCESS : result;
}

static int compile(functions *f, const char *text, size_t size, const input *in)
{
    VkrGlslCode spirv;
    char *shader = text_complete(text, size, f->role, in);
    if (shader == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", f->file);
    const VkrResult result = compile_shader(f, shader, &spirv);
    free(shader);
    int status = STATUS_DONE;
    if (result == VKR_ERROR_OUT_OF_HOST_MEMORY)
        status = fail(STATUS_VULKAN, "%s: out of memory", f->file);
    else if (result != VKR_SUCCESS)
        status = refuse_text(f, in, spirv.messages);
    f->code = spirv.code;
    f->size = spirv.codeSize;
    spirv.code = NULL;
    vkrFreeGlsl(&spirv);
    return status;
}
#else
static int compile(functions *f, const char *text, size_t size, const input *in)
{
    (void)text, (void)size, (void)in;
    return fail(STATUS_USAGE,
                "%s: this program was built without libshaderc, which compiles GLSL; compile it by "
                "glslc -O0 and give the .spv file",
                f->file);
}
#endif

/* ---- Files ---- */

static int read_bytes(const functions *f, uint32_t most, char **bytes, size_t *size)
{
    input in;
    int status = input_open_bytes(&in, f->file, most);
    if (status == STATUS_DONE && in.size > most)
        status = fail(STATUS_USAGE, "%s: it is too large: functions have at most %u bytes", f->file,
                      most);
    if (status == STATUS_DONE && in.size == 0)
        status = fail(STATUS_USAGE, "%s: there is no data; it must have functions", f->file);
    *size = (size_t)in.size;
    if (status == STATUS_DONE) {
        *bytes = calloc(*size + 1, 1);
        status = *bytes != NULL ? input_read(&in, 0, *size, *bytes)
                                : fail(STATUS_VULKAN, "%s: out of memory", f->file);
    }
    input_close(&in);
    return status;
}

static int open_text(functions *f, const input *in)
{
    char *text = NULL;
    size_t size;
    int status = read_bytes(f, MAX_TEXT, &text, &size);
    if (status == STATUS_DONE && strlen(text) != size)
        status = fail(STATUS_USAGE, "%s: byte %zu is 0; it must be text", f->file, strlen(text));
    const size_t mark = status == STATUS_DONE && strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    if (status == STATUS_DONE)
        status = compile(f, text + mark, size - mark, in);
    free(text);
    return status;
}

static int open_spirv(functions *f)
{
    char *bytes = NULL;
    int status = read_bytes(f, VKR_MAX_MODULE_SIZE, &bytes, &f->size);
    f->code = (uint32_t *)(void *)bytes;
    if (status == STATUS_DONE && f->size % sizeof(uint32_t) != 0)
        return fail(STATUS_USAGE,
                    "%s: it is truncated: it has %zu bytes, and SPIR-V has words of 4", f->file,
                    f->size);
    return status;
}

/* Finds out what an operator's results consist of. */
static int find_values(functions *f)
{
    const size_t count = f->size / sizeof(uint32_t);
    const uint32_t finish = spirv_function(f->code, count, "finish");
    const uint32_t combine = spirv_function(f->code, count, "combine");
    const uint32_t lift = spirv_function(f->code, count, "lift");
    f->has_finish = finish != 0;
    f->is_commutative = spirv_function(f->code, count, "vkr_commutative") != 0;
    f->reads_index = spirv_reads_last(f->code, count, lift);
    if (combine == 0) /* the library says what is wrong */
        return STATUS_DONE;
    const bool has_state = spirv_values(f->code, count, combine, &f->state);
    f->results = f->state;
    if (has_state && (finish == 0 || spirv_values(f->code, count, finish, &f->results)))
        return STATUS_DONE;
    return fail(
        STATUS_USAGE,
        "%s: what %s returns must consist of 1 to %u values of 32 bits: float, int or uint, "
        "or vectors, matrices, arrays or structs of them",
        f->file, has_state ? "finish" : "combine", MAX_STATE);
}

int functions_open(functions *f, function_role role, const char *name, const input *in)
{
    *f = (functions){.file = name, .role = role};
    if (name == NULL)
        return STATUS_DONE;
    const bool is_text = ends_with(name, ".glsl");
    if (!is_text && !ends_with(name, ".spv"))
        return fail(STATUS_USAGE,
                    "--%s is '%s'; the name of a file with functions must end in .glsl or .spv",
                    options[role], name);
    int status = is_text ? open_text(f, in) : open_spirv(f);
    return status == STATUS_DONE && role == ROLE_OPERATOR ? find_values(f) : status;
}

bool functions_have_types(const function_values *values)
{
    for (uint32_t i = 1; i < values->count; i++)
        if (values->types[i] != values->types[0])
            return true;
    return false;
}
