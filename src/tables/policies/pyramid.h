/* SPDX-License-Identifier: MIT */
/* Image pyramids. */
FIELD(tiles)  /* AUTO makes several levels from tiles, not one after the other */
FIELD(rolled) /* loops over channels stay loops, which compile faster */
FIELD(run)    /* texels of an invocation of a level, in a row; 0: workgroups are squares of
                        * texels */

ROW(SCALAR_CPU, ANY, 0, 1, 0)
/* A run amortises the cost of starting an invocation. */
ROW(VECTOR_CPU, ANY, 0, 1, 64)
ROW(ALL, ANY, 1, 0, 0)
