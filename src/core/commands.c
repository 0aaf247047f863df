/* SPDX-License-Identifier: MIT */
#include "commands.h"

void vkr_load_commands(vkr_commands *commands, VkDevice device, PFN_vkGetDeviceProcAddr get)
{
#define LOAD(name) commands->name = (PFN_##name)get(device, #name);
    VKR_COMMANDS(LOAD)
#undef LOAD
}

PFN_vkVoidFunction vkr_load_instance(PFN_vkGetInstanceProcAddr get, VkInstance instance,
                                     const char *name)
{
    return get(instance, name);
}
