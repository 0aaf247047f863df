/* SPDX-License-Identifier: MIT */
/* How rows are cut into the shares of workgroups and of teams of invocations, and what the
 * dispatches of a mode have in common. */
#include "../../tables/policies.h"
#include "apply.h"

#include "kernel_list.h"

/* The workgroup, and the quads of four elements that an invocation has of a row at most, for as
 * long as a workgroup has invocations. Those that it loads at once stay in registers; a CPU has
 * none for them, but needs no barriers where one invocation has a row. */
typedef struct numbers {
    uint32_t classes, workgroup, quads;
} numbers;

static const numbers *numbers_of(const vkr_walk *w)
{
    static const numbers rows[] = {{VKR_CPUS, 8, 32}, {VKR_ALL_DEVICES, 256, VKR_APPLY_QUADS}};
    const numbers *row = rows;
    while (!vkr_fits_device(&w->context->caps, row->classes, VKR_ANY_VENDOR))
        row++;
    return row;
}

uint64_t vkr_apply_quads(const vkr_apply *a, uint64_t elements)
{
    return vkr_divide_up(elements + a->lead, 4);
}

/* Whether elements are loaded as texels, as the tuning row says. These must hold all elements, and
 * what is written must not be read as texels. */
static bool has_texels(const vkr_apply *a)
{
    const VkrTexels *texels = &a->input.texels;
    const uint32_t size = a->input.type->size;
    return a->packed && !a->in_place && texels->view != VK_NULL_HANDLE &&
           a->walk.tuning->path == VKR_LOAD_TEXEL && texels->offset % (4 * size) == 0 &&
           texels->offset + texels->size >= a->input.offset + a->walk.count * size &&
           texels->size / size <= UINT32_MAX;
}

VkrResult vkr_choose_apply_walk(vkr_apply *a)
{
    vkr_walk *w = &a->walk;
    const uint32_t in = a->input.type->size, out = a->output.type->size;
    const uint64_t first = a->input.offset / in;
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE, &a->input);
    VKR_TRY(vkr_choose_workgroup(w, a->info->workgroupSize, numbers_of(w)->workgroup,
                                 &(vkr_shared){.per_slot = 4}));
    const bool is_aligned = first % 4 == 0 && (a->pitch % 4 == 0 || a->rows == 1) && !a->by_offsets;
    a->packed = a->input.stride == in && a->input.offset % in == 0;
    a->lead = a->packed && !is_aligned ? 3 : 0;
    a->stores_packs = a->packed && a->output.stride == out && a->output.offset % out == 0 &&
                      (a->output.offset / out - first) % 4 == 0;
    a->whole = a->stores_packs && is_aligned && a->length % 4 == 0 && w->count % 4 == 0 &&
               a->info->gpuCount.buffer == VK_NULL_HANDLE;
    a->texels = has_texels(a);
    a->share = VKR_APPLY_TILE - (a->lead != 0 ? 4 : 0);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

/* The card of a mode, and its kernels by the sizes of elements and of outputs. */
typedef struct family {
    const vkr_card *card;
    uint32_t kernels[2][2];
} family;

#define FAMILY(card, name)                                                                         \
    {                                                                                              \
        &card,                                                                                     \
        {                                                                                          \
            {VKR_KERNEL_##name##_16_16, VKR_KERNEL_##name##_16_32},                                \
            {                                                                                      \
                VKR_KERNEL_##name##_32_16, VKR_KERNEL_##name##_32_32                               \
            }                                                                                      \
        }                                                                                          \
    }

static const family *family_of(const vkr_apply *a, bool texels)
{
    static const family families[2][2] = {
        {FAMILY(vkr_apply_card, APPLY), FAMILY(vkr_apply_texel_card, APPLY_TEXEL)},
        {FAMILY(vkr_apply_spans_card, APPLY_SPANS),
         FAMILY(vkr_apply_spans_texel_card, APPLY_SPANS_TEXEL)}};
    return &families[a->by_offsets][texels];
}

vkr_pass vkr_apply_pass(const vkr_apply *a, uint32_t mode, uint64_t quads)
{
    const vkr_walk *w = &a->walk;
    const bool by_teams = mode == (a->by_offsets ? VKR_MODE_OF_FEW : VKR_MODE_OF_ROWS);
    const family *kind = family_of(a, a->texels && mode != VKR_MODE_OF_STATES);
    const uint64_t each = numbers_of(w)->quads;
    uint32_t team = w->workgroup_size, held = VKR_APPLY_QUADS;
    while (by_teams && team > 1 && quads <= team / 2 * each)
        team /= 2;
    while (held > 1 && quads <= (uint64_t)team * held / 2)
        held /= 2;
    const bool once = quads <= (uint64_t)team * held;
    const uint32_t flags = (a->by_offsets ? 0 : vkr_count_flags(&a->info->gpuCount)) |
                           (once ? VKR_APPLY_FLAG_ONCE : 0) |
                           (a->packed ? VKR_APPLY_FLAG_PACKED_INPUT : 0) |
                           (a->stores_packs ? VKR_APPLY_FLAG_PACKED_OUTPUT : 0) |
                           (a->whole ? VKR_APPLY_FLAG_WHOLE : 0) |
                           (a->input.type_id == VKR_TYPE_BF16 ? VKR_APPLY_FLAG_INPUT_BFLOAT : 0) |
                           (a->output.type_id == VKR_TYPE_BF16 ? VKR_APPLY_FLAG_OUTPUT_BFLOAT : 0);
    vkr_pass pass = {.walk = w,
                     .card = kind->card,
                     .kernel = kind->kernels[a->input.type->size == 4][a->output.type->size == 4],
                     .constants = {[VKR_CONST_WORKGROUP] = w->workgroup_size,
                                   [VKR_APPLY_CONST_MODE] = mode,
                                   [VKR_APPLY_CONST_FUNCTION] = (uint32_t)a->info->function,
                                   [VKR_APPLY_CONST_TEAM] = team,
                                   [VKR_APPLY_CONST_HELD] = held,
                                   [VKR_APPLY_CONST_FLAGS] = flags}};
    struct vkr_apply_push *push = VKR_PUSH(&pass, vkr_apply_push);
    push->share = (uint32_t)a->share;
    push->row_length = (uint32_t)a->length;
    push->row_pitch = (uint32_t)a->pitch;
    return pass;
}

/* ---- Texels ---- */

static void finish_texels(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_apply *a = pass->operation;
    struct vkr_apply_push *push = VKR_PUSH(step, vkr_apply_push);
    const VkDeviceSize start = a->input.offset - a->input.texels.offset;
    const uint64_t first = window->row * a->pitch + window->part * a->share;
    vkr_fill_texels(step, &a->input);
    push->first_element = (uint32_t)first;
    push->input_base = (uint32_t)(start / a->input.type->size + first);
    push->input_stride = 1;
}

void vkr_bind_apply_texels(const vkr_apply *a, vkr_pass *pass)
{
    pass->finish = finish_texels;
    pass->operation = a;
}
