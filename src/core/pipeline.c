/* SPDX-License-Identifier: MIT */
/* Compiles variants to pipelines on first use. The context keeps the pipelines. */
#include <stdio.h>
#include <string.h>

#include "context.h"
#include "function.h"
#include "kernel_list.h"
#include "layout.h"
#include "memory.h"
#include "message.h"
#include "pipeline.h"
#include "specialize.h"
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

/* Names a pipeline after its kernel, and after the function that is linked into it. */
static void name_pipeline(const struct VkrContext_T *context, const struct vkr_pipeline *pipeline,
                          const char *kernel)
{
    const vkr_function *function = pipeline->variant.function;
    char name[128];
    if (function)
        (void)snprintf(name, sizeof name, "%s %s %s", kernel, function->module->label,
                       function->info.name);
    set_name(context, pipeline->handle, function ? name : kernel);
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

/* Compiles the module of `kernel`, which is the variant's own or stands in for it. Fails only if
 * the driver was not asked. */
static VkrResult compile_kernel(VkrContext context, struct vkr_pipeline *pipeline, uint32_t kernel,
                                vkr_answer *answer)
{
    vkr_variant variant = pipeline->variant;
    variant.kernel = kernel;
    VKR_TRY(vkr_create_kernel(context, &variant, answer));
    if (answer->result != VK_SUCCESS)
        return VKR_SUCCESS;
    answer->call = "vkCreateComputePipelines";
    answer->result = create_pipeline(context, answer->module, pipeline);
    context->vk.vkDestroyShaderModule(context->device, answer->module, vkr_allocator(context));
    if (answer->result == VK_SUCCESS)
        name_pipeline(context, pipeline, vkr_kernel_name(kernel));
    return VKR_SUCCESS;
}

/* Whether a driver failed to compile a kernel for want of something other than memory. */
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
                 vkr_kernel_name(kernel), vkr_kernel_name(other));
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

/* If the driver refuses the kernel, another one may stand in for it. Some drivers compile when the
 * module is created, others when the pipeline is. The pipeline keeps its variant, so the driver is
 * asked only once. */
static VkrResult compile_variant(VkrContext context, struct vkr_pipeline *pipeline)
{
    static const uint16_t fallbacks[VKR_KERNEL_COUNT + 1] = {VKR_FALLBACK_KERNELS};
    const uint32_t kernel = pipeline->variant.kernel, other = fallbacks[kernel];
    vkr_answer answer;
    VKR_TRY(find_layouts(context, pipeline));
    VKR_TRY(compile_kernel(context, pipeline, kernel, &answer));
    if (is_refusal(answer.result) && other != 0) {
        VKR_TRY(compile_kernel(context, pipeline, other, &answer));
        if (answer.result == VK_SUCCESS)
            note_fallback(context, kernel, other);
    }
    if (answer.result == VK_SUCCESS)
        return VKR_SUCCESS;
    if (is_refusal(answer.result))
        atomic_store(&context->refused, kernel + 1);
    return vkr_fail_vk(context, answer.result, answer.call);
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
                        vkr_kernel_name(variant->kernel));
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
                        vkr_kernel_name(step->variant.kernel));
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
