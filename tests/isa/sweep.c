/* SPDX-License-Identifier: MIT */
/*
 * sweep FOLDER FIRST EVERY: compiles the pipelines of requests of every kind (requests.c), each
 * pipeline once, from request FIRST on, and only each EVERY-th request. sweep.py reads what it
 * writes:
 *
 *     FOLDER/pipelines   for each pipeline a line `## REQUEST | KERNEL CONSTANT.. | NAME`, and its
 *                        statistics; `refused REQUEST | NAME` where the driver refuses it, and
 *                        `unsupported REQUEST` where the library does
 *     FOLDER/last        the request that is compiled: after a crash the one after it is the next
 *     FOLDER/total       when all is done: the number of requests
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/unpack.h"
#include "requests.h"

static struct {
    VkrRecorder recorder;
    FILE *pipelines;
    FILE *last;
    uint32_t request;
    char name[256];
} made;

static FILE *open_file(const char *folder, const char *name, const char *mode)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, mode);
    if (file == NULL)
        isa_stop(path, 1);
    return file;
}

static void before(const vkr_step *step)
{
    (void)step;
    rewind(made.last);
    fprintf(made.last, "%" PRIu32 " %-255s\n", made.request, made.name);
    (void)fflush(made.last);
}

static void after(const vkr_step *step, VkResult result, VkPipeline pipeline)
{
    const vkr_variant *variant = &step->variant;
    if (result != VK_SUCCESS) {
        fprintf(made.pipelines, "refused %" PRIu32 " | %s: %d\n", made.request, made.name,
                (int)result);
    } else {
        fprintf(made.pipelines, "## %" PRIu32 " | %s", made.request,
                vkr_kernel_name(variant->kernel));
        for (uint32_t i = 0; i < variant->constant_count; i++)
            fprintf(made.pipelines, " %" PRIu32, variant->constants[i]);
        fprintf(made.pipelines, " %" PRIu32 " | %s\n", (uint32_t)variant->image_format, made.name);
        isa_print_statistics(made.pipelines, pipeline);
    }
    (void)fflush(made.pipelines);
}

static void be_silent(void *data, VkrResult result, const char *sentence)
{
    (void)data;
    (void)result;
    (void)sentence;
}

static void compile(const isa_family *family, uint32_t number)
{
    uint32_t at[ISA_CHOICES] = {0};
    for (uint32_t i = ISA_CHOICES; i-- > 0;) {
        const uint32_t size = family->sizes[i] ? family->sizes[i] : 1;
        at[i] = number % size;
        number /= size;
    }
    const size_t used = (size_t)snprintf(made.name, sizeof made.name, "%s: ", family->name);
    ISA_CALL(vkrBegin(made.recorder));
    family->record(made.recorder, at, made.name + used, sizeof made.name - used);
    const VkrResult result = isa_compile();
    if (result == VKR_ERROR_UNSUPPORTED || result == VKR_ERROR_INVALID_ARGUMENT)
        fprintf(made.pipelines, "unsupported %" PRIu32 "\n", made.request);
}

static uint32_t requests_of(const isa_family *family)
{
    uint32_t total = 1;
    for (uint32_t i = 0; i < ISA_CHOICES && family->sizes[i]; i++)
        total *= family->sizes[i];
    return total;
}

int main(int argc, char **argv)
{
    const isa_watcher watcher = {before, after, be_silent};
    if (argc != 4)
        return 2;
    const uint32_t first = (uint32_t)strtoul(argv[2], NULL, 10);
    const uint32_t every = (uint32_t)strtoul(argv[3], NULL, 10);
    uint32_t tried = 0;
    made.recorder = isa_open(&watcher, false);
    made.pipelines = open_file(argv[1], "pipelines", first ? "a" : "w");
    made.last = open_file(argv[1], "last", "w");
    for (size_t i = 0; i < isa_family_count; i++) {
        const uint32_t count = requests_of(&isa_families[i]);
        for (uint32_t number = 0; number < count; number++, made.request++) {
            if (made.request % every == 0) {
                tried++;
                if (made.request >= first)
                    compile(&isa_families[i], number);
            }
        }
    }
    FILE *total = open_file(argv[1], "total", "w");
    fprintf(total, "%" PRIu32 "\n", tried);
    (void)fclose(total);
    (void)fclose(made.last);
    (void)fclose(made.pipelines);
    isa_close();
    return 0;
}
