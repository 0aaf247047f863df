/* SPDX-License-Identifier: MIT */
/* The record of counts in scratch, with the partials behind it. */
#include "compact.h"

uint32_t vkr_bind_record(const vkr_compact *c, vkr_step *step, uint32_t binding,
                         VkAccessFlags access)
{
    const VkDeviceSize size = 4 * (VkDeviceSize)VKR_RECORD_WORDS + 8 * (c->partials + 1);
    const VkDeviceSize slack =
        vkr_bind(&c->context->caps, step, binding, VKR_SCRATCH, c->record, size);
    vkr_use(step, VKR_SCRATCH, c->record, size, access);
    return (uint32_t)(slack / 4);
}
