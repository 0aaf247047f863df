/* SPDX-License-Identifier: MIT */
/* Compactions and expansions. */
/* Words of shared memory of an invocation, in which rows of lanes bring the elements of a tile in
 * order before they store them side by side; 0: each invocation stores its own elements. */
FIELD(staged_words, NUMBER, 0, 16)
/* Of expansions: the workgroup; for each invocation the sources of a tile, for which shared memory
 * has room, and the sources and outputs of a share; and whether it has room for these, too, so that
 * they are stored side by side. */
FIELD(expand_workgroup, POWER, 2, 1024)
FIELD(expand_sources, POWER, 1, 256)
FIELD(expand_items, POWER, 1, 4096)
FIELD(expand_staged, NUMBER, 0, 1)

/* On lavapipe an access of a lane to shared memory takes as long as one to a buffer. */
ROW(CPUS, ANY, 0, 16, 32, 1024, 0)
/* Turnip needs 29 to 45 registers for the kernel that stages, and 12 to 16 for the other one, which
 * has 6 to 8 waves in place of 2. On Mali shared memory lies in the caches of all other memory. */
ROW(ALL, QUALCOMM, 0, 128, 4, 16, 1)
ROW(ALL, ARM, 0, 128, 4, 16, 1)
/* Stores one by one touch 4.1 times the sectors: an H100 took 183 us for 2^25 u32 of which 60 % are
 * kept, and 85 of them for these sectors. Staged ones touch 1.02 times the sectors. */
ROW(ALL, ANY, 16, 128, 4, 16, 1)
