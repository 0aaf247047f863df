/* SPDX-License-Identifier: MIT */
/*
 * Synchronization validation without a layer or a device. Like a layer, it assumes that a step
 * makes every access to a binding that its module can make with any specialisation constants, and
 * that it touches all bytes of the descriptor. So it sees the hazards that a layer would see, in
 * each recording of random requests.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/core/unpack.h"
#include "../../../src/tables/kernels.h"
#include "../../../src/core/layout.h"
#include "../../../src/core/recorder.h"
#include "../../../src/core/schedule.h"
#include "../../../src/plan/card.h"
#include "access.h"

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT
#define MAX_KERNELS 1024u
#define MAX_STEPS 100u /* pairs of steps are checked in recordings of up to this length */

/* ---- What a module can do ---- */

typedef struct module {
    bool known;
    vkr_bindings bindings;
    VkAccessFlags access[VKR_MAX_BINDINGS];
} module;

enum {
    OP_TYPE_IMAGE = 25,
    OP_TYPE_POINTER = 32,
    OP_VARIABLE = 59,
    OP_LOAD = 61,
    OP_STORE = 62,
    OP_ACCESS_CHAIN = 65,
    OP_IN_BOUNDS_ACCESS_CHAIN = 66,
    OP_DECORATE = 71,
    OP_ATOMIC_LOAD = 227,
    OP_ATOMIC_STORE = 228,
    OP_ATOMIC_XOR = 242,
    DECORATION_BINDING = 33,
    CLASS_UNIFORM = 2,
    CLASS_STORAGE_BUFFER = 12,
    DIM_BUFFER = 5,
    STORED = 2, /* the operand Sampled of an image that is stored to */
};

/* The kind of an image's type, and of a pointer by what it points to. */
static uint8_t kind_of_image(const uint32_t *words)
{
    return words[3] == DIM_BUFFER ? VKR_KIND_TEXELS
           : words[7] == STORED   ? VKR_KIND_STORAGE_IMAGE
                                  : VKR_KIND_SAMPLED_IMAGE;
}

static uint8_t kind_of_pointer(const uint8_t *kinds, const uint32_t *words)
{
    return words[2] == CLASS_UNIFORM          ? VKR_KIND_UNIFORMS
           : words[2] == CLASS_STORAGE_BUFFER ? VKR_KIND_BUFFER
                                              : kinds[words[3]];
}

/* bindings[id] becomes 1 + the number of the binding that the id is, or points into; and kinds[id]
 * the kind of a type. */
static void add_instruction(module *m, uint32_t *bindings, uint8_t *kinds, const uint32_t *words)
{
    const uint32_t op = words[0] & 0xffff, length = words[0] >> 16;
    uint32_t pointer = 0;
    VkAccessFlags access = 0;
    if (op == OP_TYPE_IMAGE) {
        kinds[words[1]] = kind_of_image(words);
    } else if (op == OP_TYPE_POINTER) {
        kinds[words[1]] = kind_of_pointer(kinds, words);
    } else if (op == OP_DECORATE && words[2] == DECORATION_BINDING) {
        bindings[words[1]] = 1 + words[3];
    } else if (op == OP_VARIABLE && bindings[words[2]] != 0) {
        if (bindings[words[2]] > VKR_MAX_BINDINGS || kinds[words[1]] == VKR_KIND_NONE)
            abort();
        m->bindings.kinds[bindings[words[2]] - 1] = kinds[words[1]];
    } else if (op == OP_ACCESS_CHAIN || op == OP_IN_BOUNDS_ACCESS_CHAIN) {
        bindings[words[2]] = bindings[words[3]];
    } else if (op == OP_LOAD || op == OP_ATOMIC_LOAD) {
        pointer = words[3];
        access = READ;
    } else if (op == OP_STORE || op == OP_ATOMIC_STORE) {
        pointer = words[1];
        access = WRITE;
    } else if (op > OP_ATOMIC_STORE && op <= OP_ATOMIC_XOR && length > 3) {
        pointer = words[3];
        access = READ | WRITE;
    }
    if (bindings[pointer] != 0)
        m->access[bindings[pointer] - 1] |= access;
}

static const module *module_of(uint32_t kernel)
{
    static module modules[MAX_KERNELS];
    module *m = &modules[kernel];
    if (kernel >= MAX_KERNELS || kernel >= vkr_kernel_count)
        abort();
    if (m->known)
        return m;
    void *memory = malloc(vkr_unpack_size(kernel));
    const uint32_t *code = memory ? vkr_unpack(kernel, memory) : NULL;
    if (!code)
        abort();
    const size_t count = vkr_kernels[kernel].words;
    uint32_t *bindings = calloc(code[3], sizeof *bindings); /* code[3]: ids are below it */
    uint8_t *kinds = calloc(code[3], sizeof *kinds);
    if (!bindings || !kinds)
        abort();
    for (size_t at = 5; at < count; at += code[at] >> 16)
        add_instruction(m, bindings, kinds, &code[at]);
    free(bindings);
    free(kinds);
    free(memory);
    m->known = true;
    return m;
}

/* ---- Rules ---- */

static char violation[256];

static const char *say(const vkr_step *step, uint32_t binding, const char *what)
{
    snprintf(violation, sizeof violation, "%s, binding %u: %s",
             vkr_kernel_name(step->variant.kernel), binding, what);
    return violation;
}

static bool overlap(const VkDescriptorBufferInfo *a, VkBuffer buffer, VkDeviceSize offset,
                    VkDeviceSize size)
{
    return a->buffer == buffer && a->offset < offset + size && offset < a->offset + a->range;
}

static VkAccessFlags declared_of(const vkr_step *step, const VkDescriptorBufferInfo *bound)
{
    VkAccessFlags declared = 0;
    for (uint32_t i = 0; i < step->access_count; i++) {
        const vkr_access *a = &step->accesses[i];
        if (overlap(bound, a->buffer, a->offset, a->size))
            declared |= a->access;
    }
    return declared;
}

/* What a step does with a buffer. Kernels that call an application's functions have few bindings:
 * what some of their variants store, others load. */
static VkAccessFlags access_of(const vkr_step *step, uint32_t binding)
{
    const VkAccessFlags access = module_of(step->variant.kernel)->access[binding];
    const VkAccessFlags declared = declared_of(step, &step->bindings[binding].buffer);
    const bool linked = strstr(vkr_kernel_name(step->variant.kernel), "_linked") != NULL;
    return linked && declared != 0 ? access & declared : access;
}

static const char *check_declared(const vkr_step *step, uint32_t binding, VkAccessFlags access)
{
    const vkr_kind kind = step->variant.bindings.kinds[binding];
    const VkDescriptorBufferInfo *bound = &step->bindings[binding].buffer;
    const VkAccessFlags declared = declared_of(step, bound);
    if (!vkr_is_bound(kind, &step->bindings[binding]))
        return say(step, binding, "nothing is bound");
    if (kind != VKR_KIND_BUFFER)
        return NULL;
    if (bound->buffer != VKR_UNUSED && (access & ~declared) != 0)
        return say(step, binding,
                   access & ~declared & WRITE ? "what the module stores is not declared as written"
                                              : "what the module loads is not declared as read");
    return NULL;
}

static bool is_own(VkBuffer buffer)
{
    return buffer == VKR_SCRATCH || buffer == VKR_COUNTERS || buffer == VKR_UNUSED;
}

/* Whether descriptors of two steps must not meet. The caller places the outputs of different
 * operations, perhaps in the same granule. The library places those of one operation apart, except
 * for segments so long that each becomes a whole reduction. */
static bool may_not_meet(const vkr_step *a, const vkr_step *b)
{
    return a->operation == b->operation &&
           strncmp(vkr_kernel_name(a->variant.kernel), "reduce_", 7) != 0;
}

static const VkDescriptorBufferInfo *buffer_of(const vkr_step *step, uint32_t binding)
{
    static const VkDescriptorBufferInfo none;
    const bool is_buffer = step->variant.bindings.kinds[binding] == VKR_KIND_BUFFER;
    return is_buffer ? &step->bindings[binding].buffer : &none;
}

/* Returns a violation if two steps touch the same bytes without a barrier between them, or if one
 * of them touches a place that belongs to the other. */
static const char *check_pair(const vkr_step *a, const vkr_step *b)
{
    const bool apart = may_not_meet(a, b);
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        const VkDescriptorBufferInfo *first = buffer_of(a, i);
        for (uint32_t k = 0; (apart || is_own(first->buffer)) && k < VKR_MAX_BINDINGS; k++) {
            const VkDescriptorBufferInfo *second = buffer_of(b, k);
            if (!overlap(first, second->buffer, second->offset, second->range))
                continue;
            if (first->buffer == VKR_UNUSED)
                return say(a, i, "another step has its place");
            if (a->level == b->level && ((access_of(a, i) | access_of(b, k)) & WRITE) &&
                access_of(a, i) && access_of(b, k))
                return say(b, k, "another step of the level meets it");
        }
    }
    return NULL;
}

const char *access_violation(VkrRecorder recorder)
{
    vkr_step *steps = recorder->steps;
    const uint32_t count = recorder->now.steps;
    const char *found = NULL;
    for (uint32_t i = 0; i < count && !found; i++) {
        const module *m = module_of(steps[i].variant.kernel);
        for (uint32_t k = 0; k < VKR_MAX_BINDINGS && !found; k++) {
            if (m->bindings.kinds[k] != steps[i].variant.bindings.kinds[k])
                found = say(&steps[i], k, "the table of bindings is not the module's");
            else if (m->bindings.kinds[k] != VKR_KIND_NONE)
                found = check_declared(&steps[i], k, access_of(&steps[i], k));
        }
    }
    if (count > MAX_STEPS)
        return found;
    const uint64_t size = vkr_levels_size(steps, count);
    void *memory = size < SIZE_MAX ? malloc((size_t)size) : NULL;
    if (memory == NULL)
        return "no memory for the levels";
    (void)vkr_assign_levels(steps, count, memory);
    free(memory);
    for (uint32_t i = 0; i < count && !found; i++)
        for (uint32_t k = 0; k < i && !found; k++)
            found = check_pair(&steps[k], &steps[i]);
    return found;
}

/* ---- Planted faults ---- */

static void declare_less(vkr_step *step, VkBuffer input)
{
    (void)input;
    for (uint32_t i = 0; i < step->access_count; i++)
        step->accesses[i].access &= ~(VkAccessFlags)WRITE;
}

static void declare_nothing_read(vkr_step *step, VkBuffer input)
{
    (void)input;
    for (uint32_t i = 0; i < step->access_count; i++)
        step->accesses[i].access &= ~(VkAccessFlags)READ;
}

static void fill_with_input(vkr_step *step, VkBuffer input)
{
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (buffer_of(step, i)->buffer == VKR_UNUSED)
            step->bindings[i].buffer = (VkDescriptorBufferInfo){input, 0, 4};
}

static void fill_with_nothing(vkr_step *step, VkBuffer input)
{
    (void)input;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (buffer_of(step, i)->buffer == VKR_UNUSED)
            step->bindings[i].buffer.buffer = VK_NULL_HANDLE;
}

static void share_a_place(vkr_step *step, VkBuffer input)
{
    (void)input;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        if (buffer_of(step, i)->buffer == VKR_UNUSED)
            step->bindings[i].buffer.offset = 0;
}

/* Each step declares a different byte, so that no barrier is recorded between them. */
static void share_scratch(vkr_step *step, VkBuffer input)
{
    VkDeviceSize place = 0;
    (void)input;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        if (buffer_of(step, i)->buffer == VKR_UNUSED) {
            place = step->bindings[i].buffer.offset != 0;
            step->bindings[i].buffer = (VkDescriptorBufferInfo){VKR_SCRATCH, 0, 4};
        }
    }
    step->accesses[step->access_count++] =
        (vkr_access){.buffer = VKR_SCRATCH, .offset = place, .size = 1, .access = READ | WRITE};
}

static void drop_a_binding(vkr_step *step, VkBuffer input)
{
    (void)input;
    step->variant.bindings.kinds[VKR_REDUCE_BINDING_COUNT] = VKR_KIND_NONE;
}

uint32_t access_plant(VkrRecorder recorder, VkBuffer input)
{
    static void (*const plants[])(vkr_step *, VkBuffer) = {
        declare_less,  declare_nothing_read, fill_with_input, fill_with_nothing,
        share_a_place, share_scratch,        drop_a_binding,
    };
    vkr_step kept[2];
    if (recorder->now.steps != 2)
        abort();
    memcpy(kept, recorder->steps, sizeof kept);
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(plants); i++) {
        for (uint32_t k = 0; k < 2; k++)
            plants[i](&recorder->steps[k], input);
        const bool found = access_violation(recorder) != NULL;
        memcpy(recorder->steps, kept, sizeof kept);
        if (!found)
            return 1 + i;
    }
    return 0;
}
