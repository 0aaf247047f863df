/* SPDX-License-Identifier: MIT */
/* What the support matrix is written with. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stddef.h>
#include "vkreduce/vkreduce.h"

/* Appends to the text of the section that is being printed. */
void put(const char *piece);

/* What each algorithm of scans and of compactions serves. */
void print_moves(VkrContext context);

/* The table of operations and guarantees: of each operation, what the planners accept. */
void print_guarantees(VkrContext context);

#endif
