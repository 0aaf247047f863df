/* SPDX-License-Identifier: MIT */
/* Counts of a compaction for other work on the GPU. The dispatch that knows them writes them, or
 * they are copied from the record afterwards. */
#include "compact.h"
#include "kernel_list.h"

/* The maximum number of bytes from the first to the last count that dispatches over elements write;
 * validation layers consider all of these bytes as written. */
#define MAX_SPAN 64u

static uint32_t scale_of(const VkrCountOutput *output)
{
    return output->scale != 0 ? output->scale : 1;
}

static uint32_t max_groups_of(const vkr_compact *c, const VkrCountOutput *output)
{
    const vkr_caps *caps = &c->walk.context->caps;
    return output->kind == VKR_COUNT_MESH_TASKS ? caps->max_tasks : caps->max_groups[0];
}

/* For kernels, a draw of mesh tasks is a dispatch with other limits. */
static uint32_t kind_of(const VkrCountOutput *output)
{
    return (uint32_t)(output->kind == VKR_COUNT_MESH_TASKS ? VKR_COUNT_DISPATCH : output->kind);
}

static bool has_groups(const VkrCountOutput *output)
{
    return kind_of(output) == VKR_COUNT_DISPATCH;
}

/* The limit of the first count, starting at `i`, that has one. */
static uint32_t next_max_groups(const vkr_compact *c, uint32_t i)
{
    const VkrCountOutput *outputs = c->info->countOutputs;
    while (i + 1 < c->info->countOutputCount && !has_groups(&outputs[i]))
        i++;
    return max_groups_of(c, &outputs[i]);
}

/* The number of counts, starting at `i`, that a dispatch can write: it knows one limit only. */
static uint32_t number_of_like(const vkr_compact *c, uint32_t i)
{
    const VkrCountOutput *outputs = c->info->countOutputs;
    const uint32_t max = next_max_groups(c, i);
    uint32_t end = i;
    while (end < c->info->countOutputCount &&
           (!has_groups(&outputs[end]) || max_groups_of(c, &outputs[end]) == max))
        end++;
    return end - i;
}

/* Whether a count overwrites the number of elements, which other dispatches may still read. */
static bool replaces_number(const vkr_compact *c)
{
    const VkrGpuCount *number = &c->info->gpuCount;
    const VkDeviceSize end = number->offset + (number->type == VKR_TYPE_U64 ? 8 : 4);
    return number->buffer == c->counts.buffer &&
           number->offset < c->counts.offset + c->counts.size && c->counts.offset < end;
}

/* Sets `counts` to the bytes from the first to the last count. Returns whether one descriptor
 * serves them all, for a dispatch that still reads the number of elements. */
static bool fit_one_descriptor(vkr_compact *c)
{
    const VkrCountOutput *outputs = c->info->countOutputs;
    VkDeviceSize first = UINT64_MAX, end = 0;
    for (uint32_t i = 0; i < c->info->countOutputCount; i++) {
        if (outputs[i].buffer != outputs[0].buffer)
            return false;
        first = vkr_min(first, outputs[i].offset);
        end = vkr_max(end, outputs[i].offset + vkr_size_of_count(outputs[i].kind));
    }
    c->counts = vkr_place_of_bytes(outputs[0].buffer, first, end - first, 4);
    return end - first <= MAX_SPAN && !replaces_number(c);
}

bool vkr_is_plain_count(vkr_compact *c)
{
    const VkrCountOutput *output = c->info->countOutputs;
    return c->info->countOutputCount == 1 && scale_of(output) == 1 &&
           (output->kind == VKR_COUNT_KEPT || output->kind == VKR_COUNT_KEPT64) &&
           fit_one_descriptor(c);
}

void vkr_choose_counts(vkr_compact *c, const vkr_all_stored *all)
{
    const uint32_t count = c->info->countOutputCount;
    const bool in_one = c->walk.one || c->walk.tiles;
    /* The indices of rejected elements use the same binding as counts. */
    const bool taken =
        in_one && all->count != 0 && all->sets[0].outputs[VKR_REJECTED][VKR_INDICES] != NULL;
    c->writes_counts = count != 0 && count <= VKR_COUNTS && !vkr_is_stream(c->info) && !taken &&
                       number_of_like(c, 0) == count && fit_one_descriptor(c);
}

void vkr_bind_counts(const vkr_compact *c, vkr_pass *pass)
{
    struct vkr_compact_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_compact_uniforms);
    if (!c->writes_counts)
        return;
    for (uint32_t i = 0; i < VKR_COUNTS; i++) {
        const VkrCountOutput *output = &c->info->countOutputs[i];
        uniforms->count_kinds[i] = UINT32_MAX;
        if (i >= c->info->countOutputCount)
            continue;
        const uint32_t word = (uint32_t)(output->offset - c->counts.offset) / 4;
        uniforms->count_kinds[i] = kind_of(output) + VKR_COUNT_WORD * word;
        uniforms->count_scales[i] = scale_of(output);
    }
    VKR_SET64(uniforms, positions, c->capacity);
    uniforms->max_groups = next_max_groups(c, 0);
    pass->constants[VKR_CONST_FLAGS] |= VKR_COMPACT_FLAG_COUNTS;
    pass->slots[VKR_COMPACT_SLOT_COUNTS].place = c->counts;
}

VkDeviceSize vkr_size_of_count(VkrCountKind kind)
{
    return kind >= VKR_COUNT_DISPATCH ? 12 : kind >= VKR_COUNT_KEPT64 ? 8 : 4;
}

VkrResult vkr_plan_counts(VkrRecorder recorder, const vkr_compact *c)
{
    const uint32_t all = c->writes_counts ? 0 : c->info->countOutputCount;
    for (uint32_t i = 0, like; i < all; i += like) {
        like = (uint32_t)vkr_min(number_of_like(c, i), VKR_ARGUMENTS);
        vkr_pass pass = {.walk = &c->walk,
                         .card = &vkr_arguments_card,
                         .kernel = VKR_KERNEL_ARGUMENTS,
                         .slots = {[VKR_ARGUMENTS_SLOT_RECORD] = {.place = c->record}}};
        struct vkr_arguments_push *push = VKR_PUSH(&pass, vkr_arguments_push);
        VKR_SET64(push, capacity, c->capacity);
        push->max_groups = next_max_groups(c, i);
        for (uint32_t k = 0; k < VKR_ARGUMENTS; k++) {
            push->kinds[k] = UINT32_MAX;
            if (k >= like)
                continue;
            const VkrCountOutput *output = &c->info->countOutputs[i + k];
            pass.slots[VKR_ARGUMENTS_SLOT_OUTPUTS + k].place = vkr_place_of_bytes(
                output->buffer, output->offset, vkr_size_of_count(output->kind), 4);
            push->kinds[k] = kind_of(output);
            push->scales[k] = scale_of(output);
        }
        VKR_TRY(vkr_emit_groups(recorder, &pass, 1));
    }
    return VKR_SUCCESS;
}
