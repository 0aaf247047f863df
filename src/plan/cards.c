/* SPDX-License-Identifier: MIT */
/* The tables that the rows of cards become (card.h): for each card the fields that walks fill, the
 * bindings and the slots, and a vkr_card for each of its kernels. */
#include "card.h"

#define BEGIN_CONSTANTS _Static_assert((0
#define WORKGROUP(value) +1
#define SHARED(name, id, type, value) +(1 << (id))
#define CONSTANT(name, id, type, value) +(1 << (id))
#define UNUSED(id) +(1 << (id))
#define END_CONSTANTS                                                                              \
    ) == (1 << VKR_NAME(CONSTANT_COUNT)) - 1, "ids of constants have no gaps");                    \
    _Static_assert(VKR_NAME(CONSTANT_COUNT) <= VKR_MAX_CONSTANTS, "constants fit a variant");

#define BEGIN_FLAGS _Static_assert(sizeof(struct {
#define SHARED_FLAG(name, bit) char bit_##bit;
#define FLAG(name, bit) char bit_##bit;
#define END_FLAGS                                                                                  \
    char end;                                                                                      \
    }) != 0, "a bit that is two flags is a member twice, which is an error");

/* Push constants and uniforms are one list, which ends where the bindings begin. */
#define AT(name) VKR_FIELD(VKR_CARD(push), name)
#define IN_UNIFORMS(name) VKR_UNIFORM_FIELD(VKR_CARD(uniforms), name)
#define BEGIN_PUSH static const vkr_filled VKR_CARD(filled)[] = {
#define PUSH(name)
#define PUSH4(name)
#define PUSH_ARRAY(name, length)
#define PUSH_WALK(name, role) {VKR_ROLE_##role, AT(name), ALL},
#define PUSH_WALK_OF(name, role, kernels) {VKR_ROLE_##role, AT(name), (uint8_t)(kernels)},
#define END_PUSH
#define BEGIN_UNIFORMS
#define UNIFORM(name)
#define UNIFORM4(name)
#define UNIFORM_WALK(name, role) {VKR_ROLE_##role, IN_UNIFORMS(name), ALL},
#define END_UNIFORMS

#define ALL 0xff
#define IN(name) VKR_IN_##name
/* The number; one that is out of range makes an array of negative size, which does not compile. */
#define IN_RANGE(number) (uint8_t)((number) * sizeof(char[(number) < VKR_MAX_BINDINGS ? 1 : -1]))
#define BINDING(number, kind, kernels, size)                                                       \
    {IN_RANGE(number), VKR_KIND_##kind, (uint8_t)(kernels), size},
#define BEGIN_BINDINGS                                                                             \
    {VKR_ROLE_NONE, 0, 0} VKR_CLOSE static const vkr_binding VKR_CARD(bindings)[] = {
#define BUFFER(name, number, kernels, type, variable) BINDING(number, BUFFER, kernels, 0)
#define COHERENT(name, number, kernels, type, variable) BINDING(number, BUFFER, kernels, 0)
#define VIEW(number, type, variable)
#define COHERENT_VIEW(number, type, variable)
#define TEXELS(kernels) BINDING(VKR_BINDING_TEXELS, TEXELS, kernels, 0)
#define SAMPLED_IMAGE(name, number, kernels, variable) BINDING(number, SAMPLED_IMAGE, kernels, 0)
#define STORAGE_IMAGE(name, number, kernels, variable) BINDING(number, STORAGE_IMAGE, kernels, 0)
#define UNIFORM_BLOCK(kernels, type)                                                               \
    BINDING(VKR_BINDING_UNIFORMS, UNIFORMS, kernels, sizeof(struct type))
#define END_BINDINGS VKR_CLOSE

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT
#define CHANGE (READ | WRITE)
#define DECLARED 0
#define ITEMS VKR_TOUCH_ITEMS
#define GRANULES VKR_TOUCH_GRANULES
#define WINDOW VKR_TOUCH_WINDOW
#define BEGIN_SLOTS static const vkr_slot VKR_CARD(slots)[VKR_NAME(SLOTS) + 1] = {
#define SLOT(name, binding, access, touch, base, stride)                                           \
    [name] = {VKR_NAME(BINDING_##binding), access, touch, base, stride},
#define END_SLOTS {0} VKR_CLOSE

#define ALL_CONSTANTS VKR_NAME(CONSTANT_COUNT)
#define GIVES(name) (1 << VKR_CONST_##name)
#define GIVEN                                                                                      \
    (GIVES(WORKGROUP) | GIVES(COMPONENTS) | GIVES(SIGNED) | GIVES(SUBGROUPS) | GIVES(PATH) |       \
     GIVES(ORDER) | GIVES(BATCH))
#define KERNEL(name, bit, card, constants, given_)                                                 \
    const vkr_card card = {.slots = VKR_CARD(slots),                                               \
                           .bindings = VKR_CARD(bindings),                                         \
                           .filled = VKR_CARD(filled),                                             \
                           .names = VKR_CARD(card_names),                                          \
                           .binding_count = VKR_ARRAY_SIZE(VKR_CARD(bindings)),                    \
                           .kernel = VKR_IN_##name,                                                \
                           .given = given_,                                                        \
                           .constant_count = constants,                                            \
                           .push_size = sizeof(struct VKR_CARD(push))};

#include "../../shaders/cards/all.h"
