/* SPDX-License-Identifier: MIT */
/* Reductions of segments: from which length on several invocations reduce a segment. */
FIELD(lane_bytes, NUMBER, 16, 256)           /* max of a row that an invocation reduces */
FIELD(team_bytes, NUMBER, 512, 4096)         /* max of a row that a team of invocations reduces */
FIELD(group_bytes, NUMBER, 1 << 14, 1 << 20) /* max of a row that a workgroup reduces */
FIELD(listed_from, NUMBER, 64, 1024) /* segments by offsets that have more elements are listed */
FIELD(team, POWER, 1, 32)            /* invocations that reduce a shorter segment together */
FIELD(row_values, NUMBER, 0, 128)    /* values times operators of an invocation's share of a row */
FIELD(row_units, NUMBER, 1, 8)       /* max of units of a row that an invocation reads */
FIELD(busy, NUMBER, 1, 64)           /* that part of maxGroups keeps the device busy */
FIELD(few_parts, NUMBER, 1, 64)      /* of a segment, which one invocation combines in any case */
FIELD(tile_lanes, NUMBER, 1, 64)     /* invocations that reduce a tile each count that many times */
FIELD(whole_tiles, NUMBER, 0, 1)     /* they reduce large tiles, even without a row in flight */

ROW(CPUS, ANY, 256, 4096, 1 << 20, 256, 1, 128, 8, 1, 64, 1, 1)
/* GPUs take long for one load after the other, so there must be few parts or many segments. */
ROW(ALL, ANY, 16, 2048, 1 << 16, 256, 8, 0, 1, 8, 8, 8, 0)
