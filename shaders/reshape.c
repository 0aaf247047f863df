/* SPDX-License-Identifier: MIT */
/*
 * reshape functions|loops|ids MODULE.spv..: in-place passes that spirv-opt lacks, which make a
 * module smaller and faster to compile. The build compiles and runs this program, on the build
 * machine.
 *
 * functions: removes what is for debuggers, except the names of weak functions (src/spirv/link.h),
 * and requests that functions stay functions, unless they are called from one place only, return
 * from one, and are not weak. Then spirv-opt only inlines code that no other call repeats, so
 * modules become smaller.
 *
 * loops: removes these requests, since drivers may inline as they like, and empties the continue
 * constructs of loops. GLSL compilers put a loop's increment, and spirv-opt often its whole body,
 * into the continue construct. Mesa's front end turns such a construct into a part of the next trip
 * that a flag guards, and then removes that part again, loop by loop, and each time processes the
 * whole shader: up to a third of the compile time of a pipeline of this library. If the continue
 * target has one predecessor, so that no `continue` skips it, this pass moves its instructions to a
 * block of their own before it.
 *
 * ids: numbers ids, starting at 1, in the order in which they occur, as src/core/unpack.h requires.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/spirv/grammar.h"

typedef struct function {
    uint32_t calls, returns;
    bool reached;
    bool is_weak;
} function;

/* A block, by its label's id. */
typedef struct block {
    uint32_t targeted; /* number of branches to it */
    bool continues;    /* the continue target of a loop */
    bool simple;       /* ends with OpBranch, and no construct starts in it */
    bool more;         /* has instructions besides its label and its end */
    uint32_t front;    /* the id of the block to which its instructions move, or 0 */
} block;

static void fail(const char *path, const char *why)
{
    (void)fprintf(stderr, "reshape: %s: %s\n", path, why);
    exit(1);
}

static uint32_t *read_words(const char *path, size_t *count)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET))
        fail(path, strerror(errno));
    *count = (size_t)size / 4;
    uint32_t *words = malloc(*count * 4 + 4);
    if (!words || fread(words, 4, *count, file) != *count)
        fail(path, "cannot be read");
    (void)fclose(file);
    if (*count < VKR_SPIRV_HEADER || words[0] != SpvMagicNumber)
        fail(path, "not SPIR-V of this machine's byte order");
    for (size_t at = VKR_SPIRV_HEADER; at < *count; at += vkr_length_of(words + at))
        if (vkr_length_of(words + at) == 0 || vkr_length_of(words + at) > *count - at)
            fail(path, "an instruction does not end in the module");
    return words;
}

/* ---- Functions ---- */

/* Counts the calls in reachable functions, and marks the called functions. Returns whether one was
 * new. */
static bool analyse_calls(const uint32_t *words, size_t count, function *functions)
{
    bool more = false;
    function *in = NULL;
    for (uint32_t id = 0; id < words[VKR_SPIRV_BOUND]; id++)
        functions[id].calls = functions[id].returns = 0;
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        const uint32_t opcode = vkr_opcode_of(w);
        if (opcode == SpvOpEntryPoint)
            functions[w[2]].reached = true;
        if (opcode == SpvOpFunction)
            in = &functions[w[2]];
        if (opcode == SpvOpFunctionCall && in->reached) {
            more |= !functions[w[3]].reached;
            functions[w[3]].reached = true;
            functions[w[3]].calls++;
        }
        if (opcode == SpvOpReturn || opcode == SpvOpReturnValue)
            in->returns++;
    }
    return more;
}

/* Whether an instruction is there for debuggers only. */
static bool is_debug(const uint32_t *instruction)
{
    switch (vkr_opcode_of(instruction)) {
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpString:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpModuleProcessed:
        return true;
    default:
        return false;
    }
}

/* Removes names. Returns the number of words that are left. */
static size_t remove_names(uint32_t *words, size_t count, function *functions)
{
    static const char weak[] = "vkr_hook_";
    size_t left = VKR_SPIRV_HEADER;
    for (size_t at = VKR_SPIRV_HEADER, length; at < count; at += length) {
        uint32_t *w = words + at;
        length = vkr_length_of(w);
        const bool is_weak = vkr_opcode_of(w) == SpvOpName &&
                             strncmp((const char *)(w + 2), weak, strlen(weak)) == 0;
        if (is_weak)
            functions[w[1]].is_weak = true;
        if (is_debug(w) && !is_weak)
            continue;
        memmove(words + left, w, length * sizeof *w);
        left += length;
    }
    return left;
}

static void keep_functions(uint32_t *words, size_t *count)
{
    function *functions = calloc(words[VKR_SPIRV_BOUND], sizeof *functions);
    if (!functions)
        fail("functions", "out of memory");
    *count = remove_names(words, *count, functions);
    while (analyse_calls(words, *count, functions)) {
    }
    for (size_t at = VKR_SPIRV_HEADER; at < *count; at += vkr_length_of(words + at)) {
        uint32_t *w = words + at;
        const function *f = &functions[vkr_opcode_of(w) == SpvOpFunction ? w[2] : 0];
        if (vkr_opcode_of(w) == SpvOpFunction && w[3] == 0 &&
            (f->calls != 1 || f->returns != 1 || f->is_weak))
            w[3] = SpvFunctionControlDontInlineMask;
    }
    free(functions);
}

/* ---- Loops ---- */

/* Whether operand k of an instruction is the label of a block that it branches to. */
static bool is_target(const uint32_t *instruction, uint32_t k)
{
    switch (vkr_opcode_of(instruction)) {
    case SpvOpBranch:
        return k == 1;
    case SpvOpBranchConditional:
        return k == 2 || k == 3;
    case SpvOpSwitch: /* with 32-bit literals: the shaders have no others */
        return k >= 2 && k % 2 == 0;
    default:
        return false;
    }
}

static void analyse_blocks(const uint32_t *words, size_t count, block *blocks)
{
    block *in = NULL;
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        const uint32_t *w = words + at;
        const uint32_t opcode = vkr_opcode_of(w), length = vkr_length_of(w);
        if (opcode == SpvOpLabel) {
            in = &blocks[w[1]];
            in->simple = true;
            continue;
        }
        if (!in)
            continue;
        for (uint32_t k = 1; k < length; k++)
            blocks[is_target(w, k) ? w[k] : 0].targeted++;
        if (opcode == SpvOpLoopMerge)
            blocks[w[2]].continues = true;
        if (opcode == SpvOpLoopMerge || opcode == SpvOpSelectionMerge)
            in->simple = false;
        if (opcode >= SpvOpBranch && opcode <= SpvOpUnreachable) { /* ends a block */
            in->simple &= opcode == SpvOpBranch;
            in = NULL;
        } else {
            in->more = true;
        }
    }
}

static void write_words(const uint32_t *words, size_t count, FILE *file)
{
    if (fwrite(words, 4, count, file) != count) {
        perror("reshape");
        exit(1);
    }
}

static void write_module(uint32_t *words, size_t count, const block *blocks, FILE *file)
{
    const block *in = NULL;
    uint32_t label[2] = {0};
    write_words(words, VKR_SPIRV_HEADER, file);
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        uint32_t *w = words + at;
        const uint32_t length = vkr_length_of(w);
        if (vkr_opcode_of(w) == SpvOpFunction)
            w[3] &= ~(uint32_t)SpvFunctionControlDontInlineMask;
        for (uint32_t k = 1; k < length; k++)
            if (is_target(w, k) && blocks[w[k]].front)
                w[k] = blocks[w[k]].front;
        if (vkr_opcode_of(w) == SpvOpLabel) {
            in = &blocks[w[1]];
            memcpy(label, w, sizeof label);
            if (in->front)
                w[1] = in->front;
        } else if (in && in->front && vkr_opcode_of(w) == SpvOpBranch) {
            const uint32_t branch[] = {vkr_first_word(SpvOpBranch, 2), label[1]};
            write_words(branch, 2, file);
            write_words(label, 2, file);
            in = NULL;
        }
        write_words(w, length, file);
    }
}

static void empty_continues(uint32_t *words, size_t count, FILE *file)
{
    const uint32_t bound = words[VKR_SPIRV_BOUND];
    block *blocks = calloc(bound, sizeof *blocks);
    if (!blocks)
        fail("loops", "out of memory");
    analyse_blocks(words, count, blocks);
    for (uint32_t id = 1; id < bound; id++) {
        const block *b = &blocks[id];
        if (b->continues && b->simple && b->more && b->targeted == 1)
            blocks[id].front = words[VKR_SPIRV_BOUND]++;
    }
    write_module(words, count, blocks, file);
    free(blocks);
}

/* ---- Ids ---- */

static void number_ids(const char *path, uint32_t *words, size_t count)
{
    uint32_t *numbers = calloc(words[VKR_SPIRV_BOUND], sizeof *numbers);
    uint32_t next = 1;
    if (!numbers)
        fail(path, "out of memory");
    for (size_t at = VKR_SPIRV_HEADER; at < count; at += vkr_length_of(words + at)) {
        vkr_operands operands;
        vkr_start_operands(&operands, words + at);
        for (uint32_t k = 1; k < vkr_length_of(words + at); k++) {
            const vkr_word kind = vkr_next_word(&operands);
            uint32_t *word = &words[at + k];
            if (kind == VKR_WORD_UNKNOWN)
                fail(path, "an instruction is not in Khronos' tables");
            if (kind == VKR_WORD_LITERAL)
                continue;
            if (numbers[*word] == 0)
                numbers[*word] = next++;
            *word = numbers[*word];
        }
    }
    words[VKR_SPIRV_BOUND] = next;
    free(numbers);
}

static void reshape(const char *path, const char *what)
{
    size_t count;
    uint32_t *words = read_words(path, &count);
    FILE *file = fopen(path, "wb");
    if (!file)
        fail(path, strerror(errno));
    if (strcmp(what, "loops") == 0) {
        empty_continues(words, count, file);
    } else {
        if (strcmp(what, "functions") == 0)
            keep_functions(words, &count);
        else
            number_ids(path, words, count);
        write_words(words, count, file);
    }
    if (fclose(file))
        fail(path, strerror(errno));
    free(words);
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    if (strcmp(what, "functions") != 0 && strcmp(what, "loops") != 0 && strcmp(what, "ids") != 0)
        return 2;
    for (int i = 2; i < argc; i++)
        reshape(argv[i], what);
    return 0;
}
