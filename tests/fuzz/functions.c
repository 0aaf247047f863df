/* SPDX-License-Identifier: MIT */
/*
 * Users' functions as the runner reads them. The first byte is a type of elements, the second the
 * number of their components, and the third a role; the rest is a text, which becomes a shader, or
 * words of SPIR-V, in which a function and its type are looked up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions/functions.h"
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* The shader must have the text at the line that its messages name, but for a line #version. */
static void try_text(const fuzz_bytes *bytes, function_role role, const input *in)
{
    static const char mark[] = "#define main own_main\n#line 1\n";
    char *text = fuzz_text(bytes);
    const size_t size = strlen(text);
    char *shader = text_complete(text, size, role, in);
    EXPECT(shader != NULL, "there is no shader");
    EXPECT(strncmp(shader, "#version", 8) == 0 || strchr(shader, '#') != NULL, "no version");
    const char *at = strstr(shader, mark);
    EXPECT(at != NULL, "no line");
    at += strlen(mark);
    for (size_t i = 0; i < size; i++)
        EXPECT(at[i] == text[i] || at[i] == ' ', "byte %zu is %d", i, at[i]);
    EXPECT(strstr(at + size, "#line 1000000\n") != NULL, "no end");
    free(shader);
    free(text);
}

/* The words end where the memory ends, so that a sanitizer sees what is read after them. */
static void try_words(const fuzz_bytes *bytes)
{
    const size_t count = bytes->left / sizeof(uint32_t);
    uint32_t *words = malloc(count * sizeof *words + (count == 0));
    function_values values;
    EXPECT(words != NULL, "no memory");
    memcpy(words, bytes->at, count * sizeof *words);
    const uint32_t function = spirv_function(words, count, "combine");
    if (function != 0 && spirv_values(words, count, function, &values))
        EXPECT(values.count >= 1 && values.count <= MAX_STATE, "%u values", values.count);
    (void)spirv_reads_last(words, count, function);
    free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    char sentence[96];
    const input in = {.type = (VkrType)(1 + fuzz_below(&bytes, VKR_TYPE_COUNT - 1)),
                      .components = 1 + (uint32_t)fuzz_below(&bytes, VKR_MAX_COMPONENTS),
                      .stride = 8};
    const function_role role = (function_role)fuzz_below(&bytes, ROLE_COUNT);
    for (uint32_t line = AFTER_TEXT + 90; line < AFTER_TEXT + 120; line++)
        (void)text_signature(role, &in, line, sentence);
    try_text(&bytes, role, &in);
    try_words(&bytes);
    return 0;
}
