/* SPDX-License-Identifier: MIT */
/* Shared by the tests of facts about blocks. */
#ifndef VKR_TESTS_STREAMS_FACTS_H
#define VKR_TESTS_STREAMS_FACTS_H

#include "program.h"

/* The buffers of streams_scan.comp and streams_search.comp. */
enum { NUMBERS, SCAN_SUMS, TOTALS, ADDITIONS };
enum { SUMS, LENGTHS, ELEMENTS, TRIPS };

uint32_t *words_of(int buffer);
uint32_t log2_of(uint32_t s);
void scan_blocks(int scan, uint32_t s, uint32_t workgroup, uint32_t groups);
void expect(const char *what, int scan, uint32_t s, uint32_t at, uint32_t is, uint32_t should);
void search_blocks(bool is_while, uint32_t slot, uint32_t trips, uint32_t blocks);
void figure_is_as_printed(void **state);

extern uint32_t wrong; /* number of wrong values */

#endif
