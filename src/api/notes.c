/* SPDX-License-Identifier: MIT */
/* The notes of vkrCreateContext, which succeeds nevertheless. */
#include "notes.h"

#include "../core/context.h"
#include "../core/features.h"
#include "../core/message.h"

/* Features that VkrLimits disables are left out on purpose. */
static void note_disabled_features(const struct VkrContext_T *context, const VkrContextInfo *info,
                                   const vkr_device_facts *facts)
{
    const VkrFeatureFlags chained =
        vkr_read_features(info->enabledFeatureChain, info->enabledFeatures);
    const VkrFeatureFlags left = facts->features & ~info->limits.disabledFeatures &
                                 ~vkr_enabled_features(info, facts->version);
    char names[VKR_MAX_NAMES] = "";
    for (uint32_t i = 0; i < VKR_FEATURE_BITS; i++) {
        const VkrFeature feature = (VkrFeature)(1u << i);
        if (left & 1u << i)
            vkr_add_name(names, chained & 1u << i ? vkr_feature_extension(feature, facts->version)
                                                  : vkr_feature_name(1u << i));
    }
    if (left)
        vkr_note(context,
                 "vkrCreateContext: the device has features that the library could use and that "
                 "enabledFeatureChain, enabledFeatures and enabledExtensions leave out: %s.",
                 names);
}

/* Extensions whose state is lost when vkrEnd binds or pushes descriptors. */
static void note_lost_state(const struct VkrContext_T *context, const VkrContextInfo *info)
{
    static const struct {
        const char *extension; /* a string, since the oldest supported headers lack a macro for
                                * it */
        const char *again;
    } rows[] = {
        {"VK_EXT_descriptor_buffer", "set descriptor buffer offsets and bind embedded samplers"},
        {"VK_EXT_descriptor_heap", "bind heaps and push data"},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        if (vkr_has_extension(info, rows[i].extension))
            vkr_note(context,
                     "vkrCreateContext: %s is enabled, and vkrEnd invalidates its state, for "
                     "graphics too: %s again after vkrEnd.",
                     rows[i].extension, rows[i].again);
}

void vkr_note_context(const struct VkrContext_T *context, const VkrContextInfo *info,
                      const vkr_device_facts *facts)
{
    note_disabled_features(context, info, facts);
    note_lost_state(context, info);
}
