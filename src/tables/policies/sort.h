/* SPDX-License-Identifier: MIT */
/* Radix sorts. */
FIELD(workgroup, POWER, 0, 1024)         /* 0: up to 16 lanes of a subgroup, which sort alone */
FIELD(alone_shares, NUMBER, 16, 2048)    /* workgroups of a sort whose invocations sort alone */
FIELD(alone_keys, NUMBER, 12, 65536)     /* min of such a workgroup's share for an invocation */
FIELD(shares, NUMBER, 16, 2048)          /* the same, where they sort together */
FIELD(large_workgroup, POWER, 256, 1024) /* of large tiles */
FIELD(large_items, NUMBER, 12, 16)       /* of an invocation in a large tile */
FIELD(large_from, NUMBER, 0, UINT32_MAX) /* elements of a row with large tiles; 0: none has them */
FIELD(one_bytes, NUMBER, 16384, 65536)   /* of shared memory, where one workgroup sorts a row */
FIELD(looks, POWER, 1, 8) /* tiles whose words a sweep loads before it looks at the first one */

/* A share has counters of 256 values in each of a sort's passes: on lavapipe 4,096 keys in shares
 * of 16 took six times as long as in shares of 1,024. There words are loaded one after the other: a
 * sweep that looked at eight took 1.6 times as long. */
ROW(CPUS, ANY, 0, 256, 1024, 1024, 512, 16, 0, 16384, 1)
/* On an H100 tiles of 512 x 16 keys took 0.81 of the time of 256 x 12 for 2^25 u32 (0.85 for u64),
 * but 1.05 of it for 2^22: they leave longer runs of each digit, and fewer workgroups. By three
 * passes for each digit 4,096 keys took 70 us, and 2,000 in one workgroup 15: with 48 KiB of shared
 * memory, where the device has these, one workgroup sorts up to 10,240 keys. */
ROW(ALL, NVIDIA, 256, 256, 1024, 1024, 512, 16, 1 << 23, 49152, 8)
ROW(ALL, ANY, 256, 256, 1024, 1024, 512, 16, 0, 49152, 8)
