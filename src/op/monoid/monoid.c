/* SPDX-License-Identifier: MIT */
/* Checks of monoids, and passes of monoid.comp. */
#include "monoid.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../plan/image.h"
#include "../../spirv/layout.h"
#include "kernel_list.h"

/* Tiles round the count up, and numbers of items have 32 bits. */
#define MAX_COUNT (UINT64_C(0x100000000) - 0x10000)

/* Elements that a descriptor must reach where they lie: the tile of a workgroup. */
#define MIN_REACH 8192u

_Static_assert(VKR_MAX_HOOK_USES + 6 <= VKR_MAX_ACCESSES, "uses fit a step");
_Static_assert(VKR_MAX_STATE_WORDS *VKR_MONOID_WORKGROUP * 4 <= 16384,
               "states fit the shared memory that every device has");

/* ---- Checks ---- */

VkrResult vkr_check_unused(const vkr_walk *w, const vkr_unused_field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++)
        VKR_MUST(w, !fields[i].is_given, "%s is given, but must be 0 where monoid is given.",
                 fields[i].name);
    return VKR_SUCCESS;
}

VkrResult vkr_check_monoid_determinism(const vkr_walk *w, VkrDeterminism determinism)
{
    VKR_TRY(vkr_check_choice(w, "determinism", (int)determinism, VKR_DETERMINISM_DEVICE + 1));
    VKR_NEED(w, determinism != VKR_DETERMINISM_DEVICE,
             "determinism is VKR_DETERMINISM_DEVICE, but must be another where monoid is given: "
             "devices may round the operations of its functions differently.");
    return VKR_SUCCESS;
}

bool vkr_is_given(const VkrView *view)
{
    return view->buffer != VK_NULL_HANDLE || view->image != NULL || view->map != NULL ||
           view->size != 0 || view->offset != 0 || view->stride != 0 || view->bufferSize != 0 ||
           view->type != VKR_TYPE_UNDEFINED || view->components != 0 ||
           view->texels.view != VK_NULL_HANDLE;
}

static VkrResult check_functions(const vkr_walk *w, const VkrMonoid *monoid)
{
    const VkrHook *hook = monoid->hook;
    const struct {
        bool is_given;
        const char *name;
    } rows[] = {{hook != NULL, "hook"},
                {hook != NULL && hook->module != NULL, "hook->module"},
                {hook != NULL && hook->name != NULL, "hook->name"},
                {monoid->combine != NULL, "combine"},
                {monoid->identity != NULL, "identity"}};
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        VKR_MUST(w, rows[i].is_given, "monoid.%s is NULL, but must be given.", rows[i].name);
    VKR_MUST(w, hook->module->context == w->context,
             "monoid.hook->module belongs to another context, but must belong to the recorder's.");
    return VKR_SUCCESS;
}

/* Checks the elements that load takes, or that there are none. Sets the count. */
static VkrResult check_elements(vkr_monoid_work *work, const VkrView *input, uint64_t count)
{
    const VkrHookInfo *load = &work->monoid->load.info;
    vkr_walk *w = &work->walk;
    if (load->elementType == VKR_TYPE_UNDEFINED) {
        const vkr_unused_field field = {vkr_is_given(input), "input"};
        VKR_TRY(vkr_check_unused(w, &field, 1));
        VKR_MUST(w, count != VKR_COUNT_ALL,
                 "count is VKR_COUNT_ALL, but must be a number where monoid.hook takes no "
                 "elements.");
        w->count = count;
    } else {
        VKR_MUST(w, input->map == NULL,
                 "input.map is given, but must be NULL where monoid is given.");
        VKR_TRY(vkr_check_input(w, "input", input, count, &work->elements));
        VKR_TRY(vkr_check_element(w, "input", &work->elements, load));
        VKR_TRY(vkr_check_count(w, count, &work->elements));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_check_monoid_count(const vkr_monoid_work *work)
{
    const vkr_walk *w = &work->walk;
    VKR_NEED(w, w->count <= MAX_COUNT,
             "count is %" PRIu64 ", but must be at most %" PRIu64 " where monoid is given.",
             w->count, MAX_COUNT);
    return VKR_SUCCESS;
}

VkrResult vkr_check_monoid_handles(const vkr_monoid_work *work, const VkrView *input)
{
    const vkr_walk *w = &work->walk;
    VKR_TRY(vkr_check_hook_handles(w, "monoid.hook", work->info->hook));
    return work->elements.type != NULL ? vkr_check_input_handles(w, "input", input, &work->elements)
                                       : VKR_SUCCESS;
}

VkrResult vkr_check_monoid(const vkr_walk *w, const VkrMonoid *monoid, const VkrView *input,
                           uint64_t count, const VkrGpuCount *gpu_count, vkr_monoid_work *work)
{
    char sentence[VKR_HOOK_SENTENCE];
    const char *member;
    VKR_TRY(check_functions(w, monoid));
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", gpu_count));
    *work = (vkr_monoid_work){.walk = *w, .info = monoid, .gpu_count = gpu_count};
    work->monoid = vkr_monoid_of(monoid, &member, sentence);
    VKR_MUST(w, work->monoid != NULL || sentence[0] == '\0', "monoid.%s is wrong: %s.", member,
             sentence);
    if (work->monoid == NULL)
        return vkr_fail(w->context, VKR_ERROR_OUT_OF_HOST_MEMORY,
                        "%s: out of host memory for a monoid.", w->call);
    const vkr_hook_type *result = &work->monoid->result;
    work->result = result->kind == VKR_HOOK_STATE ? 0 : result->components;
    work->result_words = work->result != 0 ? work->result : work->monoid->words;
    work->state_words = work->monoid->words;
    work->words = (vkr_view){
        .type = &vkr_types[VKR_TYPE_U32], .type_id = VKR_TYPE_U32, .components = 1, .stride = 4};
    work->walk.view = &work->words;
    work->walk.workgroup_size = VKR_MONOID_WORKGROUP;
    return check_elements(work, input, count);
}

VkrResult vkr_check_monoid_regions(const vkr_monoid_work *work, const vkr_region *regions,
                                   size_t count)
{
    const vkr_walk *w = &work->walk;
    const VkrHook *hook = work->info->hook;
    const vkr_region elements = vkr_region_of_view("input", &work->elements, w->count, false);
    VKR_TRY(vkr_check_regions(w, regions, count, "be apart from it"));
    VKR_TRY(vkr_check_disjoint(w, &elements, regions, count, "be apart from it"));
    for (uint32_t i = 0; i < hook->useCount; i++) {
        const VkrUse *use = &hook->uses[i];
        char name[32];
        (void)snprintf(name, sizeof name, "monoid.hook->uses[%u]", i);
        const vkr_region region =
            vkr_region_of_bytes(name, use->buffer, use->offset, use->size,
                                (use->access & VK_ACCESS_SHADER_WRITE_BIT) != 0);
        VKR_TRY(vkr_check_disjoint(w, &region, regions, count, "be apart from it"));
        VKR_TRY(vkr_check_disjoint(w, &region, &elements, 1, "be apart from it"));
    }
    return VKR_SUCCESS;
}

vkr_linked vkr_linked_of_monoid(const vkr_monoid_work *work)
{
    return (vkr_linked){.monoid = work->monoid,
                        .hook = work->info->hook,
                        .ordered = !work->info->commutative,
                        .has_loops = work->monoid->load.module->has_loops,
                        .words = work->state_words,
                        .result = work->result,
                        .taken = work->taken};
}

vkr_view vkr_words_of_monoid(const vkr_monoid_work *work, const vkr_linked *linked)
{
    const vkr_place *place = &work->taken.place;
    vkr_view words = vkr_words_of_linked(linked);
    if (place->buffer == work->elements.buffer && place->offset == work->elements.offset)
        words.texels = work->elements.texels;
    return words;
}

/* ---- Passes ---- */

VkrResult vkr_add_states(VkrRecorder recorder, const vkr_monoid_work *work, uint64_t count,
                         vkr_place *place)
{
    const vkr_caps *caps = &work->walk.context->caps;
    *place = vkr_place_of_words(VKR_SCRATCH, 0, work->state_words);
    VKR_FIT(&work->walk, count <= vkr_place_reach(caps, place),
            "count is %" PRIu64 ", which needs %" PRIu64 " partial states of %" PRIu64
            " bytes, but they",
            work->walk.count, count, place->size);
    return vkr_add_words(recorder, VKR_SCRATCH, work->state_words, count, place);
}

/* Links the monoid, and declares what its functions access. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_monoid_work *work = pass->operation;
    (void)window;
    step->variant.function = &work->monoid->load;
    vkr_use_hook(work->info->hook, step);
}

/* The tiles of a workgroup, for each of which a state or a result is written. */
static uint32_t tiles_of_group(const vkr_monoid_pass *p)
{
    return p->mode == VKR_MONOID_RANGE ? VKR_MONOID_WORKGROUP : VKR_MONOID_WORKGROUP / p->team;
}

/* Whether the elements of tiles can be read four at a time: they are single words without gaps, and
 * all tiles start at a multiple of 16 bytes. */
static bool is_wide(const vkr_monoid_work *work, const vkr_monoid_pass *p)
{
    const vkr_taken *taken = &work->taken;
    const bool aligned =
        taken->place.stride == 4 && taken->place.offset % 16 == 0 && p->items % 4 == 0;
    return p->mode == VKR_MONOID_FOLD && (p->flags & VKR_MONOID_FLAG_STATES) == 0 &&
           taken->words == 1 && taken->widen == VKR_WIDEN_NONE && aligned;
}

static vkr_pass describe(const vkr_monoid_work *work, const vkr_monoid_pass *p)
{
    const bool counts =
        work->gpu_count->buffer != VK_NULL_HANDLE && (p->flags & VKR_MONOID_FLAG_STATES) == 0;
    vkr_pass pass = {
        .walk = &work->walk,
        .card = &vkr_monoid_card,
        .kernel = VKR_KERNEL_MONOID,
        .constants = {[VKR_MONOID_CONST_MODE] = p->mode,
                      [VKR_MONOID_CONST_WORDS] = work->monoid->words,
                      [VKR_MONOID_CONST_TEAM] = p->team,
                      [VKR_CONST_FLAGS] = p->flags |
                                          (counts ? vkr_count_flags(work->gpu_count) : 0) |
                                          (is_wide(work, p) ? VKR_MONOID_FLAG_WIDE : 0),
                      [VKR_MONOID_CONST_RESULT] = work->result,
                      [VKR_MONOID_CONST_ELEMENT] = work->taken.words,
                      [VKR_MONOID_CONST_WIDEN] = work->taken.widen},
        .slots = {[VKR_MONOID_SLOT_SOURCE] = vkr_items(p->source, p->first_source, p->sources)},
        .finish = finish,
        .operation = work,
    };
    if (counts)
        pass.slots[VKR_MONOID_SLOT_COUNT] =
            (vkr_bound){.place = vkr_place_of_count(work->gpu_count)};
    struct vkr_monoid_push *push = VKR_PUSH(&pass, vkr_monoid_push);
    *push = p->push;
    push->items = p->items;
    push->extent = (uint32_t)p->extent;
    push->capacity = (uint32_t)work->walk.count;
    return pass;
}

VkrResult vkr_take_monoid_elements(VkrRecorder recorder, vkr_monoid_work *work)
{
    const vkr_walk *w = &work->walk;
    return vkr_take_elements(recorder, w, &work->monoid->load, w->count, &work->elements, MIN_REACH,
                             &work->taken);
}

/* Whether a pass reads elements that lie one after the other, so that its windows can. */
static bool is_contiguous(const vkr_monoid_pass *p)
{
    return p->mode != VKR_MONOID_RANGE;
}

/* The number of the first element of a tile; elements lie one after the other. */
static uint64_t element_of(const vkr_monoid_pass *p, uint64_t tile, uint64_t count)
{
    return vkr_min(tile * p->team * p->items, count);
}

/* The maximum number of tiles whose elements one descriptor reaches. */
static uint64_t reach_of_elements(const vkr_monoid_work *work, const vkr_monoid_pass *p)
{
    const vkr_caps *caps = &work->walk.context->caps;
    const vkr_place *place = &work->taken.place;
    if (place->buffer == VK_NULL_HANDLE || (p->flags & VKR_MONOID_FLAG_STATES) != 0 ||
        work->walk.count <= vkr_place_window(caps, place, 0))
        return UINT64_MAX;
    return is_contiguous(p) ? vkr_place_reach(caps, place) / ((uint64_t)p->team * p->items) : 0;
}

/* Binds the elements of a window of tiles. */
static void bind_elements(const vkr_monoid_work *work, const vkr_monoid_pass *p,
                          const vkr_window *window, vkr_pass *pass)
{
    const uint64_t count = work->walk.count, end = window->first + window->count;
    uint64_t first = 0, last = count;
    if (is_contiguous(p) && window->count < p->tiles) {
        first = element_of(p, window->first, count);
        last = end < p->tiles ? element_of(p, end, count) : count;
    }
    VKR_PUSH(pass, vkr_monoid_push)->first_element = (uint32_t)first;
    if ((p->flags & VKR_MONOID_FLAG_STATES) == 0)
        pass->slots[VKR_MONOID_SLOT_ELEMENTS] = vkr_items(work->taken.place, first, last - first);
}

/* The number of tiles of a dispatch, or 0 if none fits. */
static uint64_t tiles_of_dispatch(const vkr_monoid_work *work, const vkr_monoid_pass *p)
{
    const vkr_caps *caps = &work->walk.context->caps;
    const uint64_t per_group = tiles_of_group(p);
    const uint64_t reach = vkr_place_reach(caps, &p->target);
    uint64_t most = vkr_min(vkr_all_groups(caps) * per_group, VKR_MAX_REACH);
    most = vkr_min(vkr_min(most, reach), reach_of_elements(work, p));
    return p->tiles <= most ? p->tiles : most - most % per_group;
}

VkrResult vkr_add_monoid_pass(VkrRecorder recorder, const vkr_monoid_work *work,
                              const vkr_monoid_pass *p)
{
    const uint64_t most = tiles_of_dispatch(work, p);
    vkr_pass pass = describe(work, p);
    struct vkr_monoid_push *push = VKR_PUSH(&pass, vkr_monoid_push);
    VKR_FIT(&work->walk, most != 0 || p->tiles == 0, "the %s that %u invocations read or write",
            is_contiguous(p) ? "elements and results" : "elements, all of them, and the results",
            VKR_MONOID_WORKGROUP);
    for (uint64_t tile = 0; tile < p->tiles; tile += most) {
        const uint64_t tiles = vkr_min(most, p->tiles - tile);
        const vkr_window window = {.first = tile,
                                   .count = tiles,
                                   .groups = vkr_divide_up(tiles, tiles_of_group(p)),
                                   .is_last = tile + tiles == p->tiles};
        push->tiles = (uint32_t)tiles;
        push->first_tile = (uint32_t)tile;
        bind_elements(work, p, &window, &pass);
        pass.slots[VKR_MONOID_SLOT_TARGET] = vkr_items(p->target, p->first_target + tile, tiles);
        VKR_TRY(vkr_emit_window(recorder, &pass, &window));
    }
    return VKR_SUCCESS;
}
