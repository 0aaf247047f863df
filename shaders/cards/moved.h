/* SPDX-License-Identifier: MIT */
/* Rows that the cards of moves share: by marks (move.h) and by lists (payload.h). Their push
 * constants and slots start with these. */
#ifndef VKR_CARDS_MOVED_H
#define VKR_CARDS_MOVED_H

#define VKR_MOVED_PUSH                                                                             \
    PUSH(record_base)                                                                              \
    PUSH(source_base) /* units: of texels, in those of the buffer view */                          \
    PUSH(source_stride)                                                                            \
    PUSH(source_count) /* entries of the window of the source */                                   \
    PUSH(target_base)  /* units; lengths: words */                                                 \
    PUSH(target_stride)                                                                            \
    PUSH(target_low) /* the first position of the window of the target */                          \
    PUSH(target_high)                                                                              \
    PUSH(target_count)

/* `buffer` is the kernel that reads the source as a buffer, and `texel` the one that reads it as
 * texels. Binding 0 says which entries move. */
#define VKR_MOVED_BINDINGS(buffer, texel)                                                          \
    BUFFER(RECORD, 1, ALL, uint, vkr_record)                                                       \
    BUFFER(SOURCE, 2, IN(buffer), VkrUnit, vkr_source)                                             \
    BUFFER(TARGET, 3, ALL, VkrUnit, vkr_target)                                                    \
    TEXELS(IN(texel)) /* in place of SOURCE */

#define VKR_MOVED_SLOTS                                                                            \
    SLOT(VKR_NAME(SLOT_RECORD), RECORD, READ, ITEMS, AT(record_base), 0)                           \
    SLOT(VKR_NAME(SLOT_SOURCE), SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))           \
    SLOT(VKR_NAME(SLOT_TARGET), TARGET, WRITE, WINDOW, AT(target_base), AT(target_stride))

#endif
