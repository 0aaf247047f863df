/* SPDX-License-Identifier: MIT */
/* Histograms: where elements are counted. */
FIELD(owned, NUMBER, 0, 1)   /* each invocation has counts of its own, where they fit its cache */
FIELD(copies, NUMBER, 1, 32) /* max of copies of the counts in a workgroup's shared memory */
FIELD(workgroup, POWER, 0, 1024) /* 0: the tuned one of reductions */

ROW(CPUS, ANY, 1, 1, 0)
ROW(ALL, ANY, 0, 32, 256)
