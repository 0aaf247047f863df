/* SPDX-License-Identifier: MIT */
/* Reductions. Words are those for which an invocation has room, of states and of what it holds
 * beside them: with more of them, compilers of GPUs run out of registers and take up to half a
 * minute, and those of CPUs take minutes. */
FIELD(block_words, NUMBER, 32, 128)  /* states of all lanes of a unit, in blocks of the tree */
FIELD(lane_words, NUMBER, 16, 64)    /* the same, of all units that an invocation reads of a row */
FIELD(column_words, NUMBER, 16, 128) /* states of columns, with the rows in flight */
FIELD(window_words, NUMBER, 64, 512) /* states of a block of windows, with the elements around it */
FIELD(team_words, NUMBER, 160, 1024) /* states that an invocation keeps while a team merges */
FIELD(blocks_from, NUMBER, 2, 1024)  /* workgroups for which blocks are loaded by units */
FIELD(blocks_busy, NUMBER, 1, 64)    /* that part of maxGroups keeps the device busy with blocks */
FIELD(whole, NUMBER, 16, 65536)      /* maximum of the workgroups that reduce all elements .. */
FIELD(whole_each, NUMBER, 0, 64)     /* .. of each multiprocessor, if their number is known and this
                                      * is not 0; maxGroups is a maximum, too */

/* On lavapipe blocks of elements that are loaded one by one take ten times as long. */
ROW(SCALAR_CPU, ANY, 64, 32, 128, 512, 1024, 2, 8, 65536, 0)
ROW(VECTOR_CPU, ANY, 128, 32, 128, 512, 1024, 2, 8, 65536, 0)
/* H100, which has 132 multiprocessors: by `tune`, min and max of 2^25 f32 took 0.93 of the time
 * with 512 workgroups instead of 2,048. Sums of level DEVICE took 0.67 of the time with 1,024
 * instead of 256, which are a quarter of what is resident at once. */
ROW(ALL, NVIDIA, 64, 32, 28, 128, 160, 256, 2, 512, 4)
ROW(ALL, ANY, 64, 32, 28, 128, 160, 256, 2, 65536, 0)
