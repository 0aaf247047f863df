/* SPDX-License-Identifier: MIT */
/* Radix sorts. */
FIELD(workgroup)       /* 0: up to 16 lanes of a subgroup, each of which sorts alone */
FIELD(alone_shares)    /* workgroups of a sort, where invocations sort alone */
FIELD(shares)          /* the same, where they sort together */
FIELD(large_workgroup) /* of large tiles */
FIELD(large_items)     /* of an invocation in a large tile */
FIELD(large_from)      /* elements of a row that is sorted by large tiles; 0: none is */

ROW(CPUS, ANY, 0, 256, 1024, 512, 16, 0)
/* On an H100 tiles of 512 x 16 keys took 0.81 of the time of 256 x 12 for 2^25 u32 (0.85 for u64),
 * but 1.05 of it for 2^22: they leave longer runs of each digit, and fewer workgroups. */
ROW(ALL, NVIDIA, 256, 256, 1024, 512, 16, 1u << 23)
ROW(ALL, ANY, 256, 256, 1024, 512, 16, 0)
