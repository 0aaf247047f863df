/* SPDX-License-Identifier: MIT */
/* What the files that print the tables of the support matrix share. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stddef.h>
#include "vkreduce/vkreduce.h"

/* Appends to the text of the section that is being printed. */
void put(const char *piece);

/* What each algorithm of scans and of compactions supports. */
void print_moves(VkrContext context);

/* The table of operations and guarantees: what the planners accept for each operation. */
void print_guarantees(VkrContext context);

#endif
