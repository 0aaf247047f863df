/* SPDX-License-Identifier: MIT */
/* Selections of the first elements of rows. */
FIELD(workgroup, POWER, 0, 1024)  /* 0: a subgroup */
FIELD(short_row, NUMBER, 1, 1024) /* max length of rows that are ordered as a whole */
FIELD(ranked, NUMBER, 1, 1024)    /* max length of lists in which each entry is compared with all */
FIELD(part, NUMBER, 1, 65536)     /* min length of the parts of a row */

/* A part has 2,048 counters: on lavapipe the ten greatest of 2^15 f32 in parts of 1,024 took three
 * times as long. */
ROW(CPUS, ANY, 0, 32, 256, 16384)
ROW(ALL, ANY, 256, 256, 1024, 1)
