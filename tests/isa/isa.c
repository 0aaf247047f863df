/* SPDX-License-Identifier: MIT */
/*
 * isa FOLDER LOG2 CODE: shows what a GPU's compiler makes of the pipelines of cases.c, for 2^LOG2
 * elements. Each pipeline becomes a file FOLDER/CASE.STEP.KERNEL.txt with its statistics and, if
 * CODE is 1, its instructions, which isa.py reads. On stderr the program prints the name of a
 * pipeline before it is compiled, so a crash of the compiler has a name, and a line `refused CASE:
 * ..` where the library has no such operation for the device. A pipeline that an earlier case needs
 * too is printed only there.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "cases.h"

static struct {
    VkrRecorder recorder;
    const char *folder;
    const char *name;   /* of the case */
    char pipeline[128]; /* its step that is compiled */
} made;

/* What a compiler itself prints goes to the same stream. */
static void before(const vkr_step *step)
{
    snprintf(made.pipeline, sizeof made.pipeline, "%s.%td.%s", made.name,
             step - made.recorder->steps, vkr_kernel_name(step->variant.kernel));
    fprintf(stderr, "compile %s\n", made.pipeline);
}

static void after(const vkr_step *step, VkResult result, VkPipeline pipeline)
{
    (void)step;
    char path[512];
    if (result != VK_SUCCESS)
        return;
    snprintf(path, sizeof path, "%s/%s.txt", made.folder, made.pipeline);
    FILE *file = fopen(path, "w");
    if (file == NULL)
        isa_stop(path, 1);
    isa_print_statistics(file, pipeline);
    isa_print_instructions(file, pipeline);
    (void)fclose(file);
}

static void print_message(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    const bool refused = result == VKR_ERROR_UNSUPPORTED && made.name != NULL;
    fprintf(stderr, "%s %s: %s\n", refused ? "refused" : "message", made.name ? made.name : "",
            sentence);
}

int main(int argc, char **argv)
{
    const isa_watcher watcher = {before, after, print_message};
    if (argc != 4)
        return 2;
    made.folder = argv[1];
    made.recorder = isa_open(&watcher, strcmp(argv[3], "1") == 0);
    isa_start_cases(made.recorder, UINT64_C(1) << strtoul(argv[2], NULL, 10));
    for (size_t i = 0; i < isa_case_count; i++) {
        made.name = isa_cases[i].name;
        ISA_CALL(vkrBegin(made.recorder));
        isa_cases[i].record();
        const VkrResult result = isa_compile();
        if (result != VKR_SUCCESS && result != VKR_ERROR_UNSUPPORTED)
            isa_stop(made.name, result);
    }
    isa_end_cases();
    isa_close();
    return 0;
}
