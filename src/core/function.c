/* SPDX-License-Identifier: MIT */
/* Creates modules: copies and checks their code, and finds the functions that can be hooks. */
#include "function.h"

#include <stdio.h>
#include <string.h>

#include "../spirv/layout.h"
#include "context.h"
#include "memory.h"
#include "message.h"
#include "pipeline.h"

#define CALL "vkrCreateModule"

/* ---- What a context supports ---- */

/* Vulkan promises the first ones; the others need features. Matrix and Shader are implied. */
static const struct {
    SpvCapability capability;
    VkrFeatureFlags features;
} capabilities[] = {
    {SpvCapabilityImageQuery, 0},
    {SpvCapabilityImageBuffer, 0},
    {SpvCapabilitySampledBuffer, 0},
    {SpvCapabilityImage1D, 0},
    {SpvCapabilitySampled1D, 0},
    {SpvCapabilityLinkage, 0}, /* which linking removes */
    {SpvCapabilityInt64, VKR_FEATURE_INT64},
    {SpvCapabilityFloat64, VKR_FEATURE_FLOAT64},
    {SpvCapabilityStorageBuffer8BitAccess, VKR_FEATURE_STORAGE_8BIT},
    {SpvCapabilityStorageBuffer16BitAccess, VKR_FEATURE_STORAGE_16BIT},
    {SpvCapabilityStorageImageWriteWithoutFormat, VKR_FEATURE_WRITE_WITHOUT_FORMAT},
    {SpvCapabilityStorageImageExtendedFormats, VKR_FEATURE_EXTENDED_FORMATS},
};

/* Extensions of which the capabilities say all that matters. */
static const char *const extensions[] = {
    "SPV_KHR_storage_buffer_storage_class",
    "SPV_KHR_8bit_storage",
    "SPV_KHR_16bit_storage",
    "SPV_KHR_non_semantic_info",
    "SPV_EXT_descriptor_indexing",
    "SPV_GOOGLE_decorate_string",
    "SPV_GOOGLE_hlsl_functionality1",
    "SPV_GOOGLE_user_type",
};

static VkrResult check_support(VkrContext context, const VkrModuleInfo *info,
                               const vkr_hooks *hooks)
{
    char sentence[VKR_HOOK_SENTENCE];
    uint32_t count = 0, all[VKR_ARRAY_SIZE(capabilities) + VKR_MAX_MODULE_CAPABILITIES];
    for (size_t i = 0; i < VKR_ARRAY_SIZE(capabilities); i++)
        if ((capabilities[i].features & ~context->caps.features) == 0)
            all[count++] = (uint32_t)capabilities[i].capability;
    for (uint32_t i = 0; i < info->capabilityCount; i++)
        all[count++] = info->capabilities[i];
    const vkr_hook_support support = {.version = context->caps.spirv_version,
                                      .capabilities = all,
                                      .capability_count = count,
                                      .extensions = extensions,
                                      .extension_count = VKR_ARRAY_SIZE(extensions),
                                      .any_extension = info->capabilityCount != 0};
    if (!vkr_check_hooks(hooks, &support, sentence, sizeof sentence))
        return vkr_fail(context, VKR_ERROR_UNSUPPORTED, CALL ": code is not supported: %s.",
                        sentence);
    return VKR_SUCCESS;
}

/* ---- Functions ---- */

/* The words of a state that a load returns. */
static uint32_t words_of(const vkr_hook *load)
{
    vkr_state state;
    return vkr_state_of(load->hooks, load->state, &state, NULL, 0) ? state.word_count : 0;
}

/* Whether a function has a signature and can be used. */
static bool is_usable(VkrModule module, uint32_t function, const char *name,
                      const vkr_signature *signature, vkr_hook *hook)
{
    char sentence[VKR_HOOK_SENTENCE];
    return vkr_find_hook(&module->hooks, name, signature, hook, sentence, sizeof sentence) &&
           hook->function == function; /* or another function has this name */
}

/* Adds a function of the module if it can be a hook. `name` has room for its name. */
static void add_function(VkrModule module, const vkr_hook_function *function, char *name)
{
    vkr_function *f = &module->functions[module->function_count];
    VkrHookKind kind = vkr_kind_of(vkr_type_in(&module->hooks, function->id, 0));
    vkr_signature s = vkr_signature_like(&module->hooks, function->id, kind);
    memcpy(name, function->name, function->name_length);
    if (!is_usable(module, function->id, name, &s, &f->hook)) {
        kind = VKR_HOOK_KIND_LOAD;
        s = vkr_signature_of_load(&module->hooks, function->id);
        if (!is_usable(module, function->id, name, &s, &f->hook))
            return;
    }
    f->module = module;
    f->weak = kind == VKR_HOOK_KIND_SINK ? "vkr_hook_store" : "vkr_hook_value";
    f->info = (VkrHookInfo){.name = name, .kind = kind, .type = vkr_type_of_components(s.result)};
    if (kind == VKR_HOOK_KIND_MAP)
        f->info.components = s.result.components;
    else if (kind == VKR_HOOK_KIND_LOAD)
        f->info.components = words_of(&f->hook);
    if (kind != VKR_HOOK_KIND_SINK && s.parameter_count == 2) {
        f->info.elementType = vkr_type_of_components(s.parameters[0]);
        f->info.elementComponents = s.parameters[0].components;
    }
    module->function_count++;
}

/* Writes that a function is of another kind. */
static void say_kind(const char *name, VkrHookKind wanted, VkrHookKind found, char *sentence)
{
    static const char *const results[] = {
        [VKR_HOOK_KIND_MAP] = "a number",
        [VKR_HOOK_KIND_PREDICATE] = "a bool",
        [VKR_HOOK_KIND_SINK] = "nothing",
    };
    const bool is_predicate = wanted == VKR_HOOK_KIND_PREDICATE;
    if (wanted == VKR_HOOK_KIND_MAP)
        (void)snprintf(sentence, VKR_HOOK_SENTENCE, "%s must return a number, but it returns %s",
                       name, results[found]);
    else
        (void)snprintf(sentence, VKR_HOOK_SENTENCE, "%s must be %s %s(%s), but it returns %s", name,
                       is_predicate ? "bool" : "void", name, is_predicate ? "uint" : "uint, uint",
                       results[found]);
}

/* Finds the only function of a kind that has a name. Sets *of_another_kind if there is none. */
static const vkr_function *find_function(const VkrHook *hook, VkrHookKind kind, bool *is_overloaded,
                                         const vkr_function **of_another_kind)
{
    const VkrModule module = hook->module;
    const vkr_function *found = NULL;
    *of_another_kind = NULL;
    *is_overloaded = false;
    for (uint32_t i = 0; i < module->function_count; i++) {
        const vkr_function *f = &module->functions[i];
        if (strcmp(f->info.name, hook->name) != 0 || f->info.kind == VKR_HOOK_KIND_LOAD)
            continue;
        if (f->info.kind != kind) {
            *of_another_kind = f;
        } else {
            *is_overloaded = found != NULL;
            found = f;
        }
        if (*is_overloaded)
            return NULL;
    }
    return found;
}

static void say_overloaded(const VkrHook *hook, char *sentence)
{
    (void)snprintf(sentence, VKR_HOOK_SENTENCE, "two functions of the module are named %s",
                   hook->name);
}

/* Writes why a function is missing, or what is wrong with it: for the kind that it has, or else for
 * the one that is wanted. */
static void say_missing(const VkrHook *hook, VkrHookKind kind, char *sentence)
{
    const vkr_hooks *hooks = &hook->module->hooks;
    uint32_t id = 0;
    vkr_hook found;
    for (uint32_t i = 0; i < hooks->function_count; i++) {
        const vkr_hook_function *f = &hooks->functions[i];
        if (strlen(hook->name) == f->name_length &&
            memcmp(hook->name, f->name, f->name_length) == 0)
            id = f->id;
    }
    if (id != 0 && kind == VKR_HOOK_KIND_PREDICATE && vkr_is_number(vkr_type_in(hooks, id, 0), 32))
        kind = VKR_HOOK_KIND_MAP;
    const vkr_signature s = vkr_signature_like(hooks, id, kind);
    if (vkr_find_hook(hooks, hook->name, &s, &found, sentence, VKR_HOOK_SENTENCE))
        say_overloaded(hook, sentence);
}

const vkr_function *vkr_function_of(const VkrHook *hook, VkrHookKind kind, char *sentence)
{
    bool is_overloaded;
    const vkr_function *other;
    const vkr_function *found = find_function(hook, kind, &is_overloaded, &other);
    if (found)
        return found;
    if (is_overloaded)
        say_overloaded(hook, sentence);
    else if (other)
        say_kind(hook->name, kind, other->info.kind, sentence);
    else
        say_missing(hook, kind, sentence);
    return NULL;
}

/* ---- Modules ---- */

static VkrResult check_info(VkrContext context, const VkrModuleInfo *info, VkrModule *module)
{
    const VkrResult invalid = VKR_ERROR_INVALID_ARGUMENT;
    if (!info)
        return vkr_fail(context, invalid,
                        CALL ": info is NULL, but must point to a VkrModuleInfo.");
    if (!module)
        return vkr_fail(context, invalid, CALL ": module is NULL, but must point to a VkrModule.");
    if (!info->code)
        return vkr_fail(context, invalid, CALL ": code is NULL, but must point to SPIR-V.");
    if (info->codeSize == 0 || info->codeSize % 4 != 0 || info->codeSize > VKR_MAX_MODULE_SIZE)
        return vkr_fail(context, invalid,
                        CALL ": codeSize is %zu, but must be a multiple of 4 from 4 to %u.",
                        info->codeSize, VKR_MAX_MODULE_SIZE);
    if (info->capabilityCount > VKR_MAX_MODULE_CAPABILITIES)
        return vkr_fail(context, invalid, CALL ": capabilityCount is %u, but must be at most %u.",
                        info->capabilityCount, VKR_MAX_MODULE_CAPABILITIES);
    if (info->capabilityCount != 0 && !info->capabilities)
        return vkr_fail(context, invalid,
                        CALL ": capabilities is NULL, but must point to the %u of capabilityCount.",
                        info->capabilityCount);
    return vkr_check_device(context, CALL);
}

/* Descriptors need a layout. All are in set 1, or the functions that have them are refused. */
static VkrResult check_descriptors(VkrContext context, VkrModule module)
{
    const vkr_module *m = &module->hooks.module;
    for (size_t at = VKR_SPIRV_HEADER; at < m->count && !module->set_layout;
         at += vkr_length_of(m->words + at)) {
        const uint32_t *w = m->words + at;
        if (vkr_opcode_of(w) == SpvOpDecorate && w[2] == SpvDecorationDescriptorSet)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            CALL ": setLayout is VK_NULL_HANDLE, but must be the layout of set 1, "
                                 "since the module has descriptors.");
    }
    return VKR_SUCCESS;
}

/* Whether any function has a loop, whose number of trips the library does not know. */
static bool has_loops(const vkr_module *m)
{
    for (size_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at))
        if (vkr_opcode_of(m->words + at) == SpvOpLoopMerge)
            return true;
    return false;
}

/* Copies the code, and reads the copy. */
static VkrResult read_code(VkrContext context, const VkrModuleInfo *info, VkrModule module)
{
    char sentence[VKR_HOOK_SENTENCE];
    const size_t words = info->codeSize / 4;
    uint32_t *code = (uint32_t *)module->memory;
    char *memory = (char *)module->memory + (info->codeSize + 15) / 16 * 16;
    memcpy(code, info->code, info->codeSize);
    if (!vkr_read_hooks(code, words, memory, &module->hooks, sentence, sizeof sentence))
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT, CALL ": code cannot be used: %s.",
                        sentence);
    VKR_TRY(check_support(context, info, &module->hooks));
    module->has_loops = has_loops(&module->hooks.module);
    return check_descriptors(context, module);
}

static VkrResult add_functions(VkrContext context, VkrModule module)
{
    const uint32_t count = module->hooks.function_count;
    size_t names = 0;
    if (count > VKR_MAX_MODULE_FUNCTIONS)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": code has %u functions that could be hooks, but must have at most "
                             "%u.",
                        count, VKR_MAX_MODULE_FUNCTIONS);
    for (uint32_t i = 0; i < count; i++)
        names += (size_t)module->hooks.functions[i].name_length + 1;
    module->functions = vkr_alloc(context, count * sizeof(vkr_function) + names + 1);
    if (!module->functions)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        CALL ": out of host memory for %u functions.", count);
    char *name = (char *)(module->functions + count);
    for (uint32_t i = 0; i < count; i++) {
        add_function(module, &module->hooks.functions[i], name);
        name += module->hooks.functions[i].name_length + 1;
    }
    return VKR_SUCCESS;
}

static VkrModule new_module(VkrContext context, const VkrModuleInfo *info)
{
    const size_t label = info->label ? strlen(info->label) : 0;
    VkrModule module = vkr_alloc(context, sizeof *module + label + 1);
    if (!module)
        return NULL;
    module->context = context;
    module->set_layout = info->setLayout;
    module->label = (char *)(module + 1);
    if (info->label)
        memcpy(module->label, info->label, label);
    module->memory = vkr_alloc(context, (info->codeSize + 15) / 16 * 16 +
                                            vkr_hooks_size(info->code, info->codeSize / 4));
    if (module->memory)
        return module;
    vkrDestroyModule(module);
    return NULL;
}

VkrResult vkrCreateModule(VkrContext context, const VkrModuleInfo *info, VkrModule *module)
{
    if (!context)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(check_info(context, info, module));
    VkrModule created = new_module(context, info);
    if (!created)
        return vkr_fail(context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        CALL ": out of host memory for a module of %zu bytes.", info->codeSize);
    VkrResult result = read_code(context, info, created);
    if (result == VKR_SUCCESS)
        result = add_functions(context, created);
    if (result == VKR_SUCCESS)
        *module = created;
    else
        vkrDestroyModule(created);
    return result;
}

void vkrDestroyModule(VkrModule module)
{
    if (!module)
        return;
    vkr_destroy_pipelines_of(module->context, module);
    while (module->monoids) {
        vkr_monoid *monoid = module->monoids;
        module->monoids = monoid->next;
        vkr_free(module->context, monoid);
    }
    vkr_free(module->context, module->functions);
    vkr_free(module->context, module->memory);
    vkr_free(module->context, module);
}

VkrResult vkrGetModuleHooks(VkrModule module, uint32_t *hookCount, VkrHookInfo *hooks)
{
    if (!module)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (!hookCount)
        return vkr_fail(module->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetModuleHooks: hookCount is NULL, but must point to a uint32_t.");
    const bool fits = !hooks || *hookCount > module->function_count;
    *hookCount = fits ? module->function_count : *hookCount;
    for (uint32_t i = 0; hooks && i < *hookCount; i++)
        hooks[i] = module->functions[i].info;
    return VKR_SUCCESS;
}
