/* SPDX-License-Identifier: MIT */
/* Reductions of segments: from which length on several invocations reduce a segment. */
FIELD(lane_bytes)  /* the longest row that an invocation reduces */
FIELD(team_bytes)  /* the longest row that a team of invocations reduces */
FIELD(group_bytes) /* the longest row that a workgroup reduces */
FIELD(listed_from) /* segments by offsets that have more elements are listed */
FIELD(team)        /* the number of invocations that reduce a shorter segment together */
FIELD(row_values)  /* values times operators of an invocation's share of a row */
FIELD(row_units)   /* the maximum number of units of a row that an invocation reads */
FIELD(busy)        /* that part of the tuned maximum of workgroups keeps the device busy */
FIELD(few_parts)   /* of a segment, which one invocation combines in any case */
FIELD(tile_lanes)  /* invocations that reduce a tile each count that many times */
FIELD(whole_tiles) /* they reduce large tiles, even without a whole row in flight */

ROW(CPUS, ANY, 256, 4096, 1u << 20, 256, 1, 128, 8, 1, 64, 1, 1)
/* GPUs take long for one load after the other, so there must be few parts or many segments. */
ROW(ALL, ANY, 16, 2048, 1u << 16, 256, 8, 0, 1, 8, 8, 8, 0)
