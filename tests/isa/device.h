/* SPDX-License-Identifier: MIT */
/*
 * A device of which only the compiler is used, for isa.c and sweep.c. It may be a null device,
 * which compiles but executes nothing: RADV has one for each family of GPUs, and Mesa's other
 * drivers have one where drm-shim plays the kernel's part. So operations are planned, and the
 * pipelines of their steps are compiled, but nothing is recorded.
 */
#ifndef ISA_DEVICE_H
#define ISA_DEVICE_H

#include <vulkan/vulkan.h> /* with prototypes, which the library does without */

#include <stdbool.h>
#include <stdio.h>

#include "../../src/core/recorder.h"

/* Ends the program. */
void isa_stop(const char *what, int code);

/* The loader's functions, which these programs are linked with. */
#define ISA_CALL(call)                                                                             \
    do {                                                                                           \
        const int code_ = (int)(call);                                                             \
        if (code_ < 0)                                                                             \
            isa_stop(#call, code_);                                                                \
    } while (0)

/* Called before and after a pipeline is compiled, but not for one that the context already has. */
typedef struct isa_watcher {
    void (*before)(const vkr_step *step);
    void (*after)(const vkr_step *step, VkResult result, VkPipeline pipeline);
    PFN_vkrMessage message;
} isa_watcher;

/* Opens the first device, prints its name, and returns a recorder. Without `instructions` the
 * compiler does not keep them, which takes some compilers a long time. */
VkrRecorder isa_open(const isa_watcher *watcher, bool instructions);
void isa_close(void);

/* Compiles the pipelines of the steps that the recorder has collected. Returns the first failure,
 * or the failure of the operation itself. */
VkrResult isa_compile(void);

/* Writes lines `# NAME: VALUE` for the pipeline that was compiled last: milliseconds of processor
 * time, words of SPIR-V, and for each executable the compiler's own statistics. */
void isa_print_statistics(FILE *file, VkPipeline pipeline);
void isa_print_instructions(FILE *file, VkPipeline pipeline);

/* ---- What operations name: handles of objects that are never accessed ---- */

#define ISA_ROOM (UINT64_C(1) << 32)

VkBuffer isa_buffer(uint64_t number);
VkrBufferRange isa_range(uint64_t number);
VkrView isa_view(uint64_t number, VkrType type, uint32_t components, uint64_t count);

/* A level of 4096 x 4096 texels, or of an image of that size. */
VkrImage isa_image(VkFormat format, uint32_t level, VkImageLayout layout);

#endif
