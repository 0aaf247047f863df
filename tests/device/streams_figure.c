/* SPDX-License-Identifier: MIT */
/* Fig. 6 of the document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "streams_facts.h"

#define FIGURE_BLOCK 16u
#define FIGURE_BLOCKS 4u

/* Blocks, the number of elements removed up to each element, the remaining elements, and how far
 * the block moves. */
static const struct {
    const char *block, *sums, *left;
    uint32_t displacement;
} figure[FIGURE_BLOCKS] = {
    {"43X192XX7X6X58X5", "0011112334455566", "4319276585", 0},
    {"431X2X6XX7X98XX5", "0001122344555677", "431267985", 6},
    {"X87XX235XXX6XX1X", "1112333345667889", "8723561", 13},
    {"1XXX45X7X6X8329X", "0123334455666667", "145768329", 22},
};

static void check_figure_sums(int scan)
{
    for (uint32_t i = 0; i < FIGURE_BLOCK * FIGURE_BLOCKS; i++)
        words_of(NUMBERS)[i] = figure[i / FIGURE_BLOCK].block[i % FIGURE_BLOCK] == 'X';
    scan_blocks(scan, FIGURE_BLOCK, FIGURE_BLOCK, FIGURE_BLOCKS);
    for (uint32_t i = 0; i < FIGURE_BLOCK * FIGURE_BLOCKS; i++)
        expect("sum", scan, FIGURE_BLOCK, i, words_of(SCAN_SUMS)[i],
               (uint32_t)(figure[i / FIGURE_BLOCK].sums[i % FIGURE_BLOCK] - '0'));
}

/* The displacement of a block is the exclusive prefix sum of the blocks' totals. */
static void check_displacements(int scan)
{
    uint32_t totals[FIGURE_BLOCKS];
    memcpy(totals, words_of(TOTALS), sizeof(totals));
    memcpy(words_of(NUMBERS), totals, sizeof(totals));
    scan_blocks(scan, FIGURE_BLOCKS, FIGURE_BLOCKS, 1);
    for (uint32_t b = 0; b < FIGURE_BLOCKS; b++)
        expect("displacement", scan, FIGURE_BLOCK, b, words_of(SCAN_SUMS)[b] - totals[b],
               figure[b].displacement);
}

static void check_reduced_blocks(int scan, bool is_while)
{
    search_blocks(is_while, FIGURE_BLOCK, log2_of(FIGURE_BLOCK), FIGURE_BLOCKS);
    for (uint32_t b = 0; b < FIGURE_BLOCKS; b++) {
        const uint32_t *found = words_of(ELEMENTS) + b * FIGURE_BLOCK;
        const size_t left = strlen(figure[b].left);
        for (uint32_t i = 0; i < FIGURE_BLOCK; i++)
            expect("element", scan, FIGURE_BLOCK, b * FIGURE_BLOCK + i,
                   found[i] < FIGURE_BLOCK ? (uint32_t)figure[b].block[found[i]] : 0,
                   i < left ? (uint32_t)figure[b].left[i] : 0);
    }
}

void figure_is_as_printed(void **state)
{
    (void)state;
    uint32_t sums[FIGURE_BLOCK * FIGURE_BLOCKS];
    for (int scan = 0; scan < VKR_BLOCK_SCAN_COUNT; scan++) {
        check_figure_sums(scan);
        memcpy(sums, words_of(SCAN_SUMS), sizeof(sums));
        check_displacements(scan);
        memcpy(words_of(SUMS), sums, sizeof(sums));
        for (uint32_t b = 0; b < FIGURE_BLOCKS; b++)
            words_of(LENGTHS)[b] = FIGURE_BLOCK;
        check_reduced_blocks(scan, true);
        check_reduced_blocks(scan, false);
    }
    assert_int_equal(wrong, 0);
}
