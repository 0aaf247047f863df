/* SPDX-License-Identifier: MIT */
/* Selections of the first elements of rows. */
FIELD(workgroup, POWER, 0, 1024)  /* 0: a subgroup */
FIELD(short_row, NUMBER, 1, 1024) /* max length of rows that are ordered as a whole */
FIELD(ranked, NUMBER, 1, 1024)    /* max length of lists in which each entry is compared with all */

ROW(CPUS, ANY, 0, 16, 256)
ROW(ALL, ANY, 256, 256, 1024)
