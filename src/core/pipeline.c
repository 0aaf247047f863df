/* SPDX-License-Identifier: MIT */
/* Compiles variants to pipelines on first use. The context keeps the pipelines. */
#include <string.h>

#include "../spirv/grammar.h"
#include "../spirv/inline.h"
#include "../spirv/prune.h"
#include "context.h"
#include "hook.h"
#include "kernel_list.h"
#include "layout.h"
#include "memory.h"
#include "message.h"
#include "pipeline.h"
#include "unpack.h"

struct vkr_pipeline {
    struct vkr_pipeline *next;
    vkr_variant variant;
    VkPipeline handle;
    const vkr_layout *layout;
    /* That of `layout`; or one of its own, with set 1, where the function has one. */
    VkPipelineLayout pipeline_layout;
};

static bool has_own_layout(const struct vkr_pipeline *pipeline)
{
    const vkr_function *function = pipeline->variant.function;
    return function && function->module->set_layout;
}

static void destroy_pipeline(VkrContext context, struct vkr_pipeline *pipeline)
{
    const VkAllocationCallbacks *allocator = vkr_allocator(context);
    context->vk.vkDestroyPipeline(context->device, pipeline->handle, allocator);
    if (has_own_layout(pipeline))
        context->vk.vkDestroyPipelineLayout(context->device, pipeline->pipeline_layout, allocator);
    vkr_free(context, pipeline);
}

static bool same_variant(const vkr_variant *a, const vkr_variant *b)
{
    return a->kernel == b->kernel && a->image_format == b->image_format &&
           a->function == b->function && a->constant_count == b->constant_count &&
           memcmp(&a->bindings, &b->bindings, sizeof a->bindings) == 0 &&
           memcmp(a->constants, b->constants, a->constant_count * sizeof a->constants[0]) == 0;
}

/* FNV-1a, by words. */
static uint32_t list_of(const vkr_variant *variant)
{
    uint32_t hash = 2166136261u ^ variant->kernel ^ variant->image_format << 16;
    for (uint32_t i = 0; i < variant->constant_count; i++)
        hash = (hash * 16777619u) ^ variant->constants[i];
    return (hash ^ hash >> 16) % VKR_PIPELINE_LISTS;
}

/* Call it with context->lock held. */
static const struct vkr_pipeline *find(const struct VkrContext_T *context,
                                       const vkr_variant *variant)
{
    const struct vkr_pipeline *first = context->pipelines[list_of(variant)];
    for (const struct vkr_pipeline *p = first; p; p = p->next) {
        if (same_variant(&p->variant, variant))
            return p;
    }
    return NULL;
}

/* The subgroup size may vary, so gl_SubgroupSize is the size with which a pipeline runs: some
 * devices report one size and run another. Full subgroups may be required if the workgroup size is
 * a multiple of the maximum subgroup size. */
static VkPipelineShaderStageCreateFlags stage_flags(const vkr_caps *caps,
                                                    const vkr_variant *variant)
{
    if (!(caps->features & VKR_FEATURE_SUBGROUP_SIZE_CONTROL))
        return 0;
    /* The constant is 0 if the kernel has workgroups of a fixed, small size. */
    const uint32_t workgroup = variant->constants[VKR_CONST_WORKGROUP];
    const bool full =
        workgroup && caps->max_subgroup_size && workgroup % caps->max_subgroup_size == 0;
    return VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT |
           (full ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0u);
}

static void set_name(const struct VkrContext_T *context, VkPipeline pipeline, const char *name)
{
    const VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = VK_OBJECT_TYPE_PIPELINE,
        .objectHandle = (uint64_t)pipeline,
        .pObjectName = name,
    };
    /* A name is optional, so a failure is ignored. */
    if (context->debug_utils)
        (void)context->debug.set_name(context->device, &info);
}

static VkResult create_pipeline(const struct VkrContext_T *context, VkShaderModule module,
                                struct vkr_pipeline *pipeline)
{
    const vkr_variant *variant = &pipeline->variant;
    VkSpecializationMapEntry entries[VKR_MAX_CONSTANTS];
    for (uint32_t i = 0; i < variant->constant_count; i++)
        entries[i] = (VkSpecializationMapEntry){
            .constantID = i, .offset = i * 4, .size = sizeof variant->constants[i]};
    const VkSpecializationInfo specialization = {
        .mapEntryCount = variant->constant_count,
        .pMapEntries = entries,
        .dataSize = variant->constant_count * sizeof variant->constants[0],
        .pData = variant->constants,
    };
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .flags = stage_flags(&context->caps, variant),
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &specialization},
        .layout = pipeline->pipeline_layout,
        .basePipelineIndex = -1,
    };
    return context->vk.vkCreateComputePipelines(context->device, context->pipeline_cache, 1, &info,
                                                vkr_allocator(context), &pipeline->handle);
}

static VkrResult create_module(VkrContext context, const uint32_t *code, size_t words,
                               VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = words * sizeof *code,
        .pCode = code,
    };
    const VkResult result =
        context->vk.vkCreateShaderModule(context->device, &info, vkr_allocator(context), module);
    return result ? vkr_fail_vk(context, result, "vkCreateShaderModule") : VKR_SUCCESS;
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
                    vkr_kernels[variant->kernel].name);
}

/* Makes a module from a kernel's code after its calls were inlined: pruned again, since arguments
 * that are constants exclude more code. */
static VkrResult specialize_inlined(VkrContext context, const vkr_variant *variant,
                                    const uint32_t *code, size_t words, VkShaderModule *module)
{
    void *memory = vkr_alloc(context, vkr_prune_size(code, words));
    if (!memory)
        return fail_out_of_memory(context, variant);
    const uint32_t *left =
        vkr_prune(code, &words, variant->constants, variant->constant_count, memory);
    const VkrResult result = create_module(context, left ? left : code, words, module);
    vkr_free(context, memory);
    return result;
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
                 vkr_kernels[variant->kernel].name);
    return left;
}

static VkrResult specialize_module(VkrContext context, const vkr_variant *variant,
                                   const uint32_t *code, size_t words, VkShaderModule *module)
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
    VkrResult result;
    if (as_built) {
        result = create_module(context, left, words, module);
    } else {
        code = vkr_inline(left, &words, memory + prunes, inlines);
        result = specialize_inlined(context, variant, code, words, module);
    }
    vkr_free(context, memory);
    return result;
}

/* Links the variant's function, if it has one, into its kernel's code. */
static VkrResult link_module(VkrContext context, const vkr_variant *variant, const uint32_t *code,
                             VkShaderModule *module)
{
    const vkr_function *function = variant->function;
    size_t words = vkr_kernels[variant->kernel].words;
    if (!function)
        return specialize_module(context, variant, code, words, module);
    const vkr_link_row row = {function->weak, function->hook};
    const vkr_link_info info = {.link_count = 1, .links = &row};
    void *memory = vkr_alloc(context, vkr_link_size(code, words, &info));
    if (!memory)
        return fail_out_of_memory(context, variant);
    code = vkr_link(code, &words, &info, memory);
    const VkrResult result =
        code ? specialize_module(context, variant, code, words, module)
             : vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                        "The function %s of module \"%s\" cannot be linked into %s.",
                        function->info.name, function->module->label,
                        vkr_kernels[variant->kernel].name);
    vkr_free(context, memory);
    return result;
}

static VkrResult unpack_module(VkrContext context, const vkr_variant *variant,
                               VkShaderModule *module)
{
    const uint32_t kernel = variant->kernel;
    void *memory = vkr_alloc(context, vkr_unpack_size(kernel));
    if (!memory)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "Out of host memory to unpack the module of %s.", vkr_kernels[kernel].name);
    const uint32_t *code = vkr_unpack(kernel, memory);
    const VkrResult result = code ? link_module(context, variant, code, module)
                                  : vkr_fail(context, VKR_ERROR_UNSUPPORTED,
                                             "The module of %s cannot be unpacked: the library's "
                                             "file is damaged, or its zstd is not the one that it "
                                             "was built for.",
                                             vkr_kernels[kernel].name);
    vkr_free(context, memory);
    return result;
}

/* Compiles the module of `kernel`, which is the variant's own or stands in for it. */
static VkrResult compile_kernel(VkrContext context, struct vkr_pipeline *pipeline, uint32_t kernel,
                                VkResult *created)
{
    vkr_variant variant = pipeline->variant;
    VkShaderModule module;
    variant.kernel = kernel;
    VKR_TRY(unpack_module(context, &variant, &module));
    *created = create_pipeline(context, module, pipeline);
    context->vk.vkDestroyShaderModule(context->device, module, vkr_allocator(context));
    if (*created == VK_SUCCESS)
        set_name(context, pipeline->handle, vkr_kernels[kernel].name);
    return VKR_SUCCESS;
}

/* Whether a driver failed to compile a pipeline for want of something other than memory. */
static bool is_refusal(VkResult result)
{
    return result < 0 && result != VK_ERROR_OUT_OF_HOST_MEMORY &&
           result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_DEVICE_LOST;
}

static void note_fallback(VkrContext context, uint32_t kernel, uint32_t other)
{
    if (!atomic_exchange(&context->noted_fallback, true))
        vkr_note(context,
                 "The driver cannot compile a pipeline of %s, although it announces all that the "
                 "pipeline needs; %s takes its place, and other kernels are replaced likewise.",
                 vkr_kernels[kernel].name, vkr_kernels[other].name);
}

/* Sets the layouts of a pipeline. */
static VkrResult find_layouts(VkrContext context, struct vkr_pipeline *pipeline)
{
    VKR_TRY(vkr_get_layout(context, &pipeline->variant.bindings, &pipeline->layout));
    pipeline->pipeline_layout = pipeline->layout->pipeline;
    if (!has_own_layout(pipeline))
        return VKR_SUCCESS;
    const VkDescriptorSetLayout sets[] = {pipeline->layout->set,
                                          pipeline->variant.function->module->set_layout};
    pipeline->pipeline_layout = VK_NULL_HANDLE;
    const VkResult result =
        vkr_create_pipeline_layout(context, sets, 2, &pipeline->pipeline_layout);
    if (result) /* what the call has left there is undefined */
        pipeline->pipeline_layout = VK_NULL_HANDLE;
    return result ? vkr_fail_vk(context, result, "vkCreatePipelineLayout") : VKR_SUCCESS;
}

/* If the driver refuses the kernel, another one may stand in for it. The pipeline keeps its
 * variant, so the driver is asked only once. */
static VkrResult compile_variant(VkrContext context, struct vkr_pipeline *pipeline)
{
    static const uint16_t fallbacks[VKR_KERNEL_COUNT + 1] = {VKR_FALLBACK_KERNELS};
    const uint32_t kernel = pipeline->variant.kernel, other = fallbacks[kernel];
    VkResult created;
    VKR_TRY(find_layouts(context, pipeline));
    VKR_TRY(compile_kernel(context, pipeline, kernel, &created));
    if (is_refusal(created) && other != 0) {
        VKR_TRY(compile_kernel(context, pipeline, other, &created));
        if (created == VK_SUCCESS)
            note_fallback(context, kernel, other);
    }
    if (created == VK_SUCCESS)
        return VKR_SUCCESS;
    if (is_refusal(created))
        atomic_store(&context->refused, kernel + 1);
    return vkr_fail_vk(context, created, "vkCreateComputePipelines");
}

/* Adds the pipeline to the context, or destroys it if another thread was faster. Returns the
 * pipeline that the context keeps. */
static const struct vkr_pipeline *insert(VkrContext context, struct vkr_pipeline *entry)
{
    vkr_enter(&context->lock);
    const struct vkr_pipeline *other = find(context, &entry->variant);
    if (!other) {
        struct vkr_pipeline **list = &context->pipelines[list_of(&entry->variant)];
        entry->next = *list;
        *list = entry;
    }
    vkr_leave(&context->lock);
    if (!other)
        return entry;
    destroy_pipeline(context, entry);
    return other;
}

static VkrResult add_pipeline(VkrContext context, const vkr_variant *variant,
                              const struct vkr_pipeline **pipeline)
{
    struct vkr_pipeline *entry = vkr_alloc(context, sizeof *entry);
    if (!entry)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "Out of host memory for a pipeline of %s.",
                        vkr_kernels[variant->kernel].name);
    entry->variant = *variant;
    const VkrResult result = compile_variant(context, entry);
    if (result) {
        entry->handle = VK_NULL_HANDLE; /* what a failed call has left there is undefined */
        destroy_pipeline(context, entry);
        return result;
    }
    *pipeline = insert(context, entry);
    return VKR_SUCCESS;
}

VkrResult vkr_get_pipeline(VkrContext context, vkr_step *step, bool compile)
{
    vkr_enter(&context->lock);
    const struct vkr_pipeline *pipeline = find(context, &step->variant);
    vkr_leave(&context->lock);
    if (!pipeline && !compile)
        return vkr_fail(context, VKR_ERROR_NOT_PREPARED,
                        "vkrEnd: flags has VKR_END_NO_COMPILE_BIT, but a pipeline of %s is not "
                        "compiled; call vkrPrepare first.",
                        vkr_kernels[step->variant.kernel].name);
    if (!pipeline)
        VKR_TRY(add_pipeline(context, &step->variant, &pipeline));
    step->pipeline = pipeline->handle;
    step->layout = pipeline->layout;
    step->pipeline_layout = pipeline->pipeline_layout;
    return VKR_SUCCESS;
}

void vkr_destroy_pipelines(VkrContext context)
{
    for (uint32_t list = 0; list < VKR_PIPELINE_LISTS; list++) {
        while (context->pipelines[list]) {
            struct vkr_pipeline *entry = context->pipelines[list];
            context->pipelines[list] = entry->next;
            destroy_pipeline(context, entry);
        }
    }
}

/* The lists are locked while they change; a pipeline that is not in them is nobody else's. */
void vkr_destroy_pipelines_of(VkrContext context, const struct VkrModule_T *module)
{
    struct vkr_pipeline *gone = NULL;
    vkr_enter(&context->lock);
    for (uint32_t list = 0; list < VKR_PIPELINE_LISTS; list++) {
        struct vkr_pipeline **at = &context->pipelines[list];
        while (*at) {
            struct vkr_pipeline *entry = *at;
            if (!entry->variant.function || entry->variant.function->module != module) {
                at = &entry->next;
                continue;
            }
            *at = entry->next;
            entry->next = gone;
            gone = entry;
        }
    }
    vkr_leave(&context->lock);
    while (gone) {
        struct vkr_pipeline *entry = gone;
        gone = entry->next;
        destroy_pipeline(context, entry);
    }
}
