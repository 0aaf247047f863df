/* SPDX-License-Identifier: MIT */
/*
 * The format in which the library holds modules: shaders/pack.c writes it and src/core/unpack.c
 * reads it.
 *
 * A module is a row of numbers, each in groups of 7 bits, lowest first, with bit 7 set in all
 * except the last: the words of its header; then for each instruction the number of its first word
 * in vkr_starts, which has its opcode and how many words it takes, and its operands: as they are, or
 * as base - operand, where base is 1 + the greatest result so far. vkr_distances says for each
 * opcode which operands are written as such distances; the last bit stands for all further ones.
 */
#ifndef VKR_ARCHIVE_H
#define VKR_ARCHIVE_H

#define VKR_ARCHIVE_HEADER 5u    /* words */
#define VKR_ARCHIVE_OPCODES 400u /* opcodes that may have distances; others have none */
#define VKR_ARCHIVE_OPERANDS 7u  /* bits 1 to 7 */

#endif
