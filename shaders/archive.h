/* SPDX-License-Identifier: MIT */
/*
 * The format of the modules in the library: shaders/pack.c writes it and src/core/unpack.c reads
 * it.
 *
 * A module is a sequence of numbers, each in groups of 7 bits, lowest first, with bit 7 set in all
 * except the last: the words of its header; then for each instruction the index of its first word
 * (its opcode and length) in vkr_starts, and its operands.
 *
 * An operand is written in one of three ways: unchanged; as its distance, base - operand, where
 * base is 1 + the greatest result so far; or as its change, with the sign in bit 0, from the
 * previous operand in the same slot of an instruction with the same opcode (0 before the first
 * one). Every operand has a slot, and all operands after the last slot share it. vkr_written says
 * for each opcode which slots are distances and which are changes; Khronos' tables tell which
 * operands are results.
 */
#ifndef VKR_ARCHIVE_H
#define VKR_ARCHIVE_H

#define VKR_ARCHIVE_HEADER 5u    /* words */
#define VKR_ARCHIVE_OPCODES 400u /* operands of greater opcodes are written unchanged */
#define VKR_ARCHIVE_OPERANDS 7u  /* slots: they start at 1, as do the bits of distances */
#define VKR_ARCHIVE_CHANGES 8u   /* the bits of changes are greater by this number */

#endif
