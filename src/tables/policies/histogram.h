/* SPDX-License-Identifier: MIT */
/* Histograms: where elements are counted. */
FIELD(owned)     /* each invocation has counts of its own, where they fit its cache */
FIELD(copies)    /* of the counts in a workgroup's shared memory, at most */
FIELD(workgroup) /* 0: the tuned one of reductions */

ROW(CPUS, ANY, 1, 1, 0)
ROW(ALL, ANY, 0, 32, 256)
