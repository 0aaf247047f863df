/* SPDX-License-Identifier: MIT */
/*
 * The format in which the library holds modules: shaders/pack.c writes it and src/core/unpack.c
 * reads it.
 *
 * A module is a row of numbers, each in groups of 7 bits, lowest first, with bit 7 set in all
 * except the last: the words of its header; then for each instruction the number of its first word
 * in vkr_starts, which has its opcode and how many words it takes, and its operands.
 *
 * An operand is written in one of three ways: as it is; as its distance, base - operand, where base
 * is 1 + the greatest result so far; or as its change from the operand that was last in its slot of
 * an instruction with the same opcode (0 before the first one), whose sign is in bit 0. Every
 * operand has a slot, and the last slot is that of all further ones. vkr_written says for each
 * opcode which slots are distances and which are changes; results are known by Khronos' tables.
 */
#ifndef VKR_ARCHIVE_H
#define VKR_ARCHIVE_H

#define VKR_ARCHIVE_HEADER 5u    /* words */
#define VKR_ARCHIVE_OPCODES 400u /* operands of greater opcodes are written as they are */
#define VKR_ARCHIVE_OPERANDS 7u  /* slots: from 1 on, and so the bits of distances */
#define VKR_ARCHIVE_CHANGES 8u   /* the bits of changes are greater by this number */

#endif
