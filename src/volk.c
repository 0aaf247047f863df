/* SPDX-License-Identifier: MIT */
/* The one file with volk's code. Its names are prefixed, so that the library can be linked, also
 * statically, into an application that has a volk of its own; its globals stay untouched. */
#include "volk_names.h"
#define VOLK_IMPLEMENTATION
#include "internal.h"

struct loader {
    PFN_vkGetDeviceProcAddr get;
    VkDevice device;
};

static PFN_vkVoidFunction load(void *context, const char *name)
{
    const struct loader *loader = context;
    return loader->get(loader->device, name);
}

void vkr_load_device_table(struct VolkDeviceTable *table, VkDevice device,
                           PFN_vkGetDeviceProcAddr get)
{
    struct loader loader = {.get = get, .device = device};
    volkGenLoadDeviceTable(table, &loader, load);
}

PFN_vkVoidFunction vkr_load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                     const char *name)
{
    return get(instance, name);
}
