/* SPDX-License-Identifier: MIT */
/* The words in which interfaces.c and the files beside it are written. No other file includes
 * them. */
#ifndef VKR_PLAN_INTERFACE_ROWS_H
#define VKR_PLAN_INTERFACE_ROWS_H

#include "interfaces.h"

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT
#define CHANGE (READ | WRITE)
#define ITEMS VKR_TOUCH_ITEMS
#define GRANULES VKR_TOUCH_GRANULES
#define WINDOW VKR_TOUCH_WINDOW

/* F(field) below is a field of the push constants of the family of kernels at hand, and U(field)
 * one of its uniforms. */
#define SIZES(constants, push) .constant_count = (constants), .push_size = sizeof(struct push)
#define UNIFORM_SIZE(uniforms) .uniform_size = sizeof(struct uniforms)

/* The fields that say where a dispatch stands in the walk over all elements. */
#define WALK(push) .first = VKR_FIELD(push, first_low), .count = VKR_FIELD(push, count)

/* Every kernel's push constants and uniforms have room in a step. */
#define FITS(push) _Static_assert(sizeof(struct push) <= VKR_MAX_PUSH, #push)
#define UNIFORMS_FIT(uniforms)                                                                     \
    _Static_assert(sizeof(struct uniforms) <= VKR_MAX_UNIFORMS, #uniforms)

#define BUFFER VKR_KIND_BUFFER
#define TEXELS [VKR_BINDING_TEXELS] = VKR_KIND_TEXELS
#define UNIFORMS [VKR_BINDING_UNIFORMS] = VKR_KIND_UNIFORMS

#endif
