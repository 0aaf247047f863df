/* SPDX-License-Identifier: MIT */
/* Image pyramids. */
FIELD(tiles, NUMBER, 0, 1)  /* AUTO makes several levels from tiles, not one after the other */
FIELD(rolled, NUMBER, 0, 1) /* loops over channels stay loops, which compile faster */
FIELD(run, NUMBER, 0, 256) /* texels in a row of an invocation of a level; 0: workgroups are squares
                             * of texels */

ROW(SCALAR_CPU, ANY, 0, 1, 0)
/* A run amortises the cost of starting an invocation. */
ROW(VECTOR_CPU, ANY, 0, 1, 64)
ROW(ALL, ANY, 1, 0, 0)
