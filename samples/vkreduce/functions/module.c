/* SPDX-License-Identifier: MIT */
/* Functions on a device. */
#include <stdlib.h>
#include <string.h>
#include "functions/functions.h"
#include "status.h"

static const char *const names[ROLE_COUNT] = {"map", "keep", "lift"};

int functions_create(functions *f, const gpu *g)
{
    if (f->file == NULL)
        return STATUS_DONE;
    const VkrModuleInfo info = {.label = f->file, .code = f->code, .codeSize = f->size};
    gpu_set_subject(f->file);
    const int status = gpu_status(vkrCreateModule(g->vulkan.context, &info, &f->module));
    f->hook = (VkrHook){.module = f->module, .name = names[f->role]};
    return status;
}

void functions_close(functions *f)
{
    gpu_set_subject(NULL);
    vkrDestroyModule(f->module);
    free(f->code);
    *f = (functions){0};
}

VkrMonoid functions_monoid(const functions *f)
{
    return (VkrMonoid){.hook = &f->hook,
                       .combine = "combine",
                       .identity = "identity",
                       .finish = f->has_finish ? "finish" : NULL,
                       .commutative = f->is_commutative};
}

/* ---- Maps ---- */

/* The components of what the map returns, once the library has accepted it. */
static uint32_t count_components(const functions *f)
{
    VkrHookInfo *hooks = calloc(VKR_MAX_MODULE_FUNCTIONS, sizeof *hooks);
    uint32_t count = VKR_MAX_MODULE_FUNCTIONS, components = 0;
    if (hooks != NULL && vkrGetModuleHooks(f->module, &count, hooks) == VKR_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            if (hooks[i].kind == VKR_HOOK_KIND_MAP && strcmp(hooks[i].name, f->hook.name) == 0)
                components = hooks[i].components;
    free(hooks);
    return components;
}

int functions_describe(const functions *f, const gpu *g, const input *in, texel_source *source)
{
    VkrReduceLayout layout;
    const VkrMap map = {.hook = &f->hook};
    const VkrReduceInfo info = {.ops = VKR_OP_MIN,
                                .input = {.size = input_span(in, 1),
                                          .type = in->type,
                                          .components = in->components,
                                          .stride = input_pitch(in),
                                          .map = &map},
                                .count = 1};
    if (f->file == NULL)
        return STATUS_DONE;
    const int status = gpu_status(vkrGetReduceLayout(g->vulkan.context, &info, &layout));
    if (status != STATUS_DONE)
        return status;
    source->function = &f->hook;
    source->function_type = layout.results[0].type;
    source->function_components = count_components(f);
    return source->function_components > 0 ? status : fail(STATUS_VULKAN, "out of memory");
}

/* Computes minima of single elements: these are the values themselves. */
static int evaluate(const gpu *g, const texel_source *source, const VkrHostMemory *data,
                    const VkrHostMemory *values, uint64_t count)
{
    const input *in = &source->stored;
    const VkrReduceInfo info = {.label = "values of the map",
                                .ops = VKR_OP_MIN,
                                .input =
                                    texels_view(source, (VkrView){.buffer = data->buffer,
                                                                  .offset = in->offset,
                                                                  .size = in->size - in->offset,
                                                                  .type = in->type,
                                                                  .components = in->components,
                                                                  .stride = in->stride}),
                                .count = count,
                                .segments = {.kind = VKR_SEGMENTS_ROWS, .length = 1},
                                .output = {.buffer = values->buffer, .size = values->size}};
    const int status = gpu_upload(g->host, data, in);
    if (status != STATUS_DONE)
        return status;
    VkrResult result = vkrHostBegin(g->host);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(vkrHostRecorder(g->host), &info);
    return gpu_status(result == VKR_SUCCESS ? vkrHostRun(g->host) : result);
}

int functions_evaluate(const task *t, const texel_source *source, input *in)
{
    const gpu *g = &t->gpu;
    VkrHostMemory data = {0}, values = {0};
    if (source->function == NULL || in->count == 0)
        return STATUS_DONE;
    unsigned char *memory = malloc((size_t)in->size);
    int status =
        memory != NULL
            ? gpu_status(vkrHostAlloc(g->host, source->stored.size, VKR_HOST_MEMORY_DEVICE, &data))
            : fail(STATUS_VULKAN, "--verify: out of memory");
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(g->host, in->size, VKR_HOST_MEMORY_READBACK, &values));
    if (status == STATUS_DONE)
        status = evaluate(g, source, &data, &values, in->count);
    if (status == STATUS_DONE) {
        memcpy(memory, values.data, (size_t)in->size);
        input_use_memory(in, memory, in->size);
        memory = NULL;
    }
    free(memory);
    vkrHostFree(g->host, &data);
    vkrHostFree(g->host, &values);
    return status;
}
