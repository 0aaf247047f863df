/* SPDX-License-Identifier: MIT */
/* Makes the module of a variant from the code of its kernel. */
#include "specialize.h"

#include <string.h>

#include "../spirv/grammar.h"
#include "../spirv/inline.h"
#include "../spirv/prune.h"
#include "context.h"
#include "memory.h"
#include "message.h"
#include "monoid.h"
#include "unpack.h"

static void create_module(VkrContext context, const uint32_t *code, size_t words,
                          vkr_answer *answer)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = words * sizeof *code,
        .pCode = code,
    };
    answer->call = "vkCreateShaderModule";
    answer->result = context->vk.vkCreateShaderModule(context->device, &info,
                                                      vkr_allocator(context), &answer->module);
}

/* Declares storage images with a format, for devices that cannot write images without one. SPIR-V
 * cannot specialise the format, and a module for each format would be forty near-copies. */
static void name_format(uint32_t *code, size_t words, uint32_t format)
{
    /* These formats need no capability: the one for writes without a format becomes Shader. */
    const bool every_device =
        format <= 5 || (format >= 21 && format <= 24) || (format >= 30 && format <= 33);
    enum { STORAGE = 2 }; /* a storage image rather than a sampled one */
    for (size_t at = VKR_SPIRV_HEADER; at < words; at += vkr_length_of(code + at)) {
        uint32_t *word = &code[at];
        if (vkr_opcode_of(word) == SpvOpCapability &&
            word[1] == SpvCapabilityStorageImageWriteWithoutFormat)
            word[1] = every_device ? SpvCapabilityShader : SpvCapabilityStorageImageExtendedFormats;
        if (vkr_opcode_of(word) == SpvOpTypeImage && word[7] == STORAGE)
            word[8] = format;
    }
}

static VkrResult fail_out_of_memory(VkrContext context, const vkr_variant *variant)
{
    return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                    "Out of host memory to specialize the module of %s.",
                    vkr_kernel_name(variant->kernel));
}

/* Makes a module from a kernel's code after its calls were inlined: pruned again, since arguments
 * that are constants exclude more code. */
static VkrResult specialize_inlined(VkrContext context, const vkr_variant *variant,
                                    const uint32_t *code, size_t words, vkr_answer *answer)
{
    void *memory = vkr_alloc(context, vkr_prune_size(code, words));
    if (!memory)
        return fail_out_of_memory(context, variant);
    const uint32_t *left =
        vkr_prune(code, &words, variant->constants, variant->constant_count, memory);
    create_module(context, left ? left : code, words, answer);
    vkr_free(context, memory);
    return VKR_SUCCESS;
}

/* Prunes a module for a variant's constants. Returns NULL if the driver must compile the module as
 * it was built, which gives the same results. All modules of the library can be pruned, so the note
 * is for those who change them. */
static uint32_t *prune(VkrContext context, const vkr_variant *variant, const uint32_t *code,
                       size_t *words, void *memory)
{
    if (context->caps.modules_as_built)
        return NULL;
    uint32_t *left = vkr_prune(code, words, variant->constants, variant->constant_count, memory);
    if (!left)
        vkr_note(context,
                 "The module of %s has something that the library does not support: the driver "
                 "compiles all of it.",
                 vkr_kernel_name(variant->kernel));
    return left;
}

static VkrResult specialize_module(VkrContext context, const vkr_variant *variant,
                                   const uint32_t *code, size_t words, vkr_answer *answer)
{
    const size_t prunes = vkr_prune_size(code, words), inlines = vkr_inline_size(code, words);
    char *memory = vkr_alloc(context, prunes + inlines);
    if (!memory)
        return fail_out_of_memory(context, variant);
    uint32_t *left = prune(context, variant, code, &words, memory);
    const bool as_built = !left;
    if (as_built)
        left = memcpy(memory, code, words * sizeof *code);
    if (variant->image_format != 0)
        name_format(left, words, variant->image_format);
    VkrResult result = VKR_SUCCESS;
    if (as_built) {
        create_module(context, left, words, answer);
    } else {
        code = vkr_inline(left, &words, memory + prunes, inlines);
        result = specialize_inlined(context, variant, code, words, answer);
    }
    vkr_free(context, memory);
    return result;
}

/* Lists what is linked for a function: only that, or all functions of its monoid. */
static uint32_t list_links(const vkr_function *function, vkr_link_row rows[VKR_MAX_LINKS])
{
    const vkr_monoid *monoid = function->monoid;
    rows[0] = (vkr_link_row){function->weak, function->hook};
    if (monoid)
        memcpy(rows + 1, monoid->others, monoid->other_count * sizeof *rows);
    return monoid ? 1 + monoid->other_count : 1;
}

/* Links the variant's functions, if it has any, into its kernel's code. */
static VkrResult link_module(VkrContext context, const vkr_variant *variant, const uint32_t *code,
                             vkr_answer *answer)
{
    const vkr_function *function = variant->function;
    size_t words = vkr_kernels[variant->kernel].words;
    if (!function)
        return specialize_module(context, variant, code, words, answer);
    vkr_link_row rows[VKR_MAX_LINKS];
    /* A kernel can test an element several times, by several calls. */
    const vkr_link_info info = {.link_count = list_links(function, rows),
                                .links = rows,
                                .exact = function->info.kind == VKR_HOOK_KIND_PREDICATE};
    void *memory = vkr_alloc(context, vkr_link_size(code, words, &info));
    if (!memory)
        return fail_out_of_memory(context, variant);
    code = vkr_link(code, &words, &info, memory);
    const VkrResult result =
        code ? specialize_module(context, variant, code, words, answer)
             : vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "The function %s of module \"%s\" cannot be linked into %s.",
                        function->info.name, function->module->label,
                        vkr_kernel_name(variant->kernel));
    vkr_free(context, memory);
    return result;
}

VkrResult vkr_create_kernel(VkrContext context, const vkr_variant *variant, vkr_answer *answer)
{
    const uint32_t kernel = variant->kernel;
    void *memory = vkr_alloc(context, vkr_unpack_size(kernel));
    if (!memory)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "Out of host memory to unpack the module of %s.", vkr_kernel_name(kernel));
    const uint32_t *code = vkr_unpack(kernel, memory);
    const VkrResult result = code ? link_module(context, variant, code, answer)
                                  : vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                                             "The module of %s cannot be unpacked: the library's "
                                             "file is damaged, or its zstd is not the one that it "
                                             "was built for.",
                                             vkr_kernel_name(kernel));
    vkr_free(context, memory);
    return result;
}
