/* SPDX-License-Identifier: MIT */
/* Chooses where a compaction writes its counts. */
#include "compact_case.h"

static VkDeviceSize size_of_count(VkrCountKind kind)
{
    return kind >= VKR_COUNT_DISPATCH ? 12 : kind >= VKR_COUNT_KEPT64 ? 8 : 4;
}

/* In half of the cases, makes a count overwrite the append position or the number of elements on
 * the GPU. Returns whether it does. */
static bool replace_count(row_run *r, const VkrGpuCount *replaced, VkrCountOutput *output)
{
    if (replaced->buffer == VK_NULL_HANDLE || !flip(r, 2))
        return false;
    output->kind = replaced->type == VKR_TYPE_U64 ? VKR_COUNT_KEPT64 : VKR_COUNT_KEPT;
    output->kind = (VkrCountKind)((int)output->kind + (flip(r, 2) ? 1 : 0));
    output->offset = replaced->offset;
    return true;
}

void place_counts(row_run *r, compact_case *c)
{
    static const uint32_t scales[] = {0, 1, 3, 64, 256, 0x10001};
    uint64_t *random = &r->t->random;
    const uint32_t count = random_below(random, MAX_COUNT_OUTPUTS + 1);
    const bool together = flip(r, 2);
    VkDeviceSize at =
        together ? place(r, "counts", COMPACT_ARGUMENTS, 4, 16 * MAX_COUNT_OUTPUTS) : 0;
    for (uint32_t i = 0; i < count || (i == 0 && r->row->outputs == 0); i++) {
        VkrCountOutput *output = &c->counts[c->info.countOutputCount++];
        output->kind = (VkrCountKind)random_below(random, VKR_COUNT_KIND_COUNT);
        /* The library refuses mesh tasks for any number of elements. */
        if (output->kind == VKR_COUNT_MESH_TASKS && c->info.capacity == 0 &&
            c->info.append.buffer != VK_NULL_HANDLE)
            output->kind = VKR_COUNT_DISPATCH;
        output->buffer = r->t->buffers[COMPACT_ARGUMENTS].buffer.buffer;
        if (i == 0 && (replace_count(r, &c->info.append, output) ||
                       replace_count(r, &c->info.gpuCount, output)))
            continue;
        const VkDeviceSize size = size_of_count(output->kind);
        output->scale = scales[random_below(random, ARRAY_SIZE(scales))];
        output->offset = together ? at : place(r, "counts", COMPACT_ARGUMENTS, 4, size);
        at += size + 4 * random_below(random, (16 - (uint32_t)size) / 4 + 1);
    }
}
