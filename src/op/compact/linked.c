/* SPDX-License-Identifier: MIT */
/* Which functions are linked into the kernels that test elements. The others are called in a pass
 * of their own, which writes their flags. */
#include "../../core/function.h"
#include "../../plan/call.h"
#include "compact.h"

/* The buffers and texels of a step of a compaction. Other accesses are those of the function. */
#define ACCESSES 9u

/* A layout of an application has all storage buffers but this number of those that a stage can
 * have, where these are at least MANY (vkreduce/module.h). */
#define MANY (2 * VKR_MAX_BUFFERS)

/* Calls of a function with loops by an invocation, which makes as many again where another
 * workgroup is late. */
#define MAX_CALLS 16u

/* Whether a function accesses some of these bytes, or writes them. A size of 0 stands for the whole
 * buffer. */
static bool accesses(const VkrHook *hook, bool writes, VkBuffer buffer, VkDeviceSize offset,
                     VkDeviceSize size)
{
    const VkDeviceSize rest = UINT64_MAX - offset;
    const vkr_access bytes = {
        .buffer = buffer, .offset = offset, .size = size == 0 || size > rest ? rest : size};
    for (uint32_t i = 0; i < hook->useCount && buffer != VK_NULL_HANDLE; i++) {
        const VkrUse *use = &hook->uses[i];
        const vkr_access other = {.buffer = use->buffer, .offset = use->offset, .size = use->size};
        if (use->buffer && (!writes || (use->access & VK_ACCESS_SHADER_WRITE_BIT) != 0) &&
            vkr_overlap(&bytes, &other))
            return true;
    }
    return false;
}

/* Whether a function accesses an output, which may be written while other elements are tested. */
static bool accesses_outputs(const VkrCompactInfo *info, const VkrHook *hook)
{
    const VkrView *const views[] = {&info->kept, &info->keptIndices, &info->runLengths,
                                    &info->rejected, &info->rejectedIndices};
    bool found = false;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        found |= accesses(hook, false, views[i]->buffer, views[i]->offset, views[i]->size);
    for (uint32_t i = 0; info->payloads != NULL && i < info->payloadCount; i++) {
        const VkrBufferRange *target = &info->payloads[i].target;
        found |= target->size != 0 &&
                 accesses(hook, false, target->buffer, target->offset, target->size);
    }
    for (uint32_t i = 0; info->countOutputs != NULL && i < info->countOutputCount; i++) {
        const VkrCountOutput *output = &info->countOutputs[i];
        found |= accesses(hook, false, output->buffer, output->offset, 12);
    }
    return found;
}

/* Whether a function writes what the operation reads, which may be read before. */
static bool writes_inputs(const VkrCompactInfo *info, const VkrHook *hook)
{
    bool found = accesses(hook, true, info->input.buffer, info->input.offset, info->input.size) ||
                 accesses(hook, true, info->gpuCount.buffer, info->gpuCount.offset, 8) ||
                 accesses(hook, true, info->append.buffer, info->append.offset, 8);
    for (uint32_t i = 0; info->payloads != NULL && i < info->payloadCount; i++) {
        const VkrBufferRange *source = &info->payloads[i].source;
        found |= accesses(hook, true, source->buffer, source->offset, source->size);
    }
    return found;
}

const vkr_function *vkr_linked_function(const vkr_compact *c)
{
    const VkrFlagView *flags = &c->info->predicate.flags;
    const VkrModule module = flags->hook->module;
    const vkr_caps *caps = &c->walk.context->caps;
    char sentence[VKR_HOOK_SENTENCE];
    /* The flags are an output, or stream reduction reads them many times. */
    if (c->walk.count == 0 || flags->range.buffer != VK_NULL_HANDLE || vkr_is_stream(c->info))
        return NULL;
    if (module->has_loops && (c->finds || c->calls_loops))
        return NULL;
    /* Flags are small enough for a single pass where elements are not. */
    if (c->info->algorithm == VKR_COMPACT_SINGLE_PASS && vkr_has_buffer(&c->input) &&
        vkr_view_reach(caps, &c->input, c->walk.count) < c->walk.count)
        return NULL;
    if (module->set_layout != VK_NULL_HANDLE && caps->max_storage_buffers < MANY)
        return NULL;
    if (flags->hook->useCount > VKR_MAX_ACCESSES - ACCESSES ||
        accesses_outputs(c->info, flags->hook) || writes_inputs(c->info, flags->hook))
        return NULL;
    return vkr_function_of(flags->hook, VKR_HOOK_KIND_PREDICATE, sentence);
}

bool vkr_calls_too_often(const vkr_compact *c)
{
    return c->function != NULL && c->function->module->has_loops &&
           !(c->walk.tiles && c->walk.items <= MAX_CALLS);
}
