/* SPDX-License-Identifier: MIT */
/* The card of stage.comp, which writes copies of texels, or mapped elements, to a buffer. */
#define VKR_CARD(name) vkr_stage_##name
#define VKR_NAME(name) VKR_STAGE_##name

BEGIN_CONSTANTS
UNUSED(1)
UNUSED(6)
VKR_WALK_CONSTANTS
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(BITS, 26) /* writes bits that mark which texels are not 0 */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(count, COUNT)
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
PUSH_WALK(items, ITEMS)   /* elements per invocation */
PUSH(base)                /* of the values written, in words */
PUSH(source_base)         /* of elements of a buffer */
PUSH(source_stride)
END_PUSH

BEGIN_BINDINGS
BUFFER(VALUES, 0, ALL, uint, vkr_values)
VIEW(0, uvec4, vkr_fours)
BUFFER(SOURCE, 1, IN(STAGE), VkrStored, vkr_source)
SAMPLED_IMAGE(IMAGE, VKR_BINDING_IMAGE, IN(STAGE_IMAGE), vkr_image)
UNIFORM_BLOCK(ALL, vkr_image_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_STAGE_SLOT_VALUES, VALUES, WRITE, GRANULES, AT(base), 0)
SLOT(VKR_STAGE_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
END_SLOTS

KERNEL(STAGE, 0, vkr_stage_card, ALL_CONSTANTS, GIVEN & ~(GIVES(SUBGROUPS) | GIVES(PATH)))
KERNEL(STAGE_IMAGE, 1, vkr_stage_image_card, ALL_CONSTANTS,
       GIVEN & ~(GIVES(SUBGROUPS) | GIVES(PATH)))
#include "end.h"
