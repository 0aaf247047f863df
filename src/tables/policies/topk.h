/* SPDX-License-Identifier: MIT */
/* Selections of the first elements of rows. */
FIELD(workgroup) /* 0: a subgroup */
FIELD(short_row) /* rows of at most this number of elements are ordered as a whole */
FIELD(ranked)    /* lists of at most this number of entries are ordered by comparing each entry
                        * with all of them */

ROW(CPUS, ANY, 0, 16, 256)
ROW(ALL, ANY, 256, 256, 1024)
