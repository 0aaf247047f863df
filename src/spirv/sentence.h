/* SPDX-License-Identifier: MIT */
/* Writes sentences without the C library's formatted output. */
#ifndef VKR_SPIRV_SENTENCE_H
#define VKR_SPIRV_SENTENCE_H

#include <stddef.h>
#include <stdint.h>

/* What does not fit is left out; the text is always terminated, unless there is no room at all. */
typedef struct vkr_sentence {
    char *to;
    size_t room;
} vkr_sentence;

vkr_sentence vkr_start_sentence(char *text, size_t room);

void vkr_say(vkr_sentence *sentence, const char *text);

/* Writes a name that the module has. Bytes that are not printable become "?", and long names are
 * cut. */
void vkr_say_name(vkr_sentence *sentence, const char *name, size_t length);

void vkr_say_number(vkr_sentence *sentence, uint64_t number);

/* Writes the name of an instruction or a capability, or its number if it has none here. */
void vkr_say_opcode(vkr_sentence *sentence, uint32_t opcode);
void vkr_say_capability(vkr_sentence *sentence, uint32_t capability);

#endif
