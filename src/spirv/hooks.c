/* SPDX-License-Identifier: MIT */
#include "hooks.h"

size_t vkr_hooks_size(const uint32_t *words, size_t count)
{
    (void)words;
    (void)count;
    return 64;
}

bool vkr_read_hooks(const uint32_t *words, size_t count, void *memory, vkr_hooks *hooks,
                    char *sentence, size_t room)
{
    (void)memory;
    *hooks = (vkr_hooks){.module = {.words = words, .count = count}};
    if (room > 0)
        sentence[0] = '\0';
    return false;
}

bool vkr_check_hooks(const vkr_hooks *hooks, const vkr_hook_support *support, char *sentence,
                     size_t room)
{
    if (room > 0)
        sentence[0] = '\0';
    return hooks->version <= support->version;
}

bool vkr_find_hook(const vkr_hooks *hooks, const char *name, const vkr_signature *signature,
                   vkr_hook *hook, char *sentence, size_t room)
{
    (void)name;
    (void)signature;
    *hook = (vkr_hook){.hooks = hooks};
    if (room > 0)
        sentence[0] = '\0';
    return false;
}

vkr_hook_type vkr_type_of_hook(const vkr_hooks *hooks, uint32_t type)
{
    (void)hooks;
    (void)type;
    return (vkr_hook_type){.kind = VKR_HOOK_OTHER};
}
