/* SPDX-License-Identifier: MIT */
/* Compactions. */
/* Words of shared memory of an invocation, in which rows of lanes bring the elements of a tile in
 * order before they store them side by side; 0: each invocation stores its own elements. */
FIELD(staged_words, NUMBER, 0, 16)

/* On lavapipe an access of a lane to shared memory takes as long as one to a buffer. */
ROW(CPUS, ANY, 0)
/* Stores one by one write 4.1 times the sectors: an H100 took 98 us for 2^25 u32, and as much longer
 * as these sectors take. */
ROW(ALL, ANY, 16)
