/* SPDX-License-Identifier: MIT */
/*
 * Limits for the trips of an invocation through its loops: some drivers end all loops of an
 * invocation after 65,535 trips in total. A kernel goes over elements, then over partials, then
 * over what remains. Each of these has a budget, and the budgets that one dispatch can need add up
 * to less than that total.
 */
#ifndef VKR_PLAN_TRIPS_H
#define VKR_PLAN_TRIPS_H

/* For scans and compactions. A single workgroup for all elements reads a run twice. Tiles have a
 * small budget, since an invocation may also compute the tiles of other workgroups. */
#define VKR_RUN_TRIPS 25000u
#define VKR_TILE_TRIPS 1500u
#define VKR_PREFIX_TRIPS 7000u /* over the partials of runs, which are scanned */
#define VKR_CHAIN_TRIPS 20000u /* over all blocks of a chain, in one invocation */
#define VKR_MOVE_TRIPS 10000u  /* over entries of a list */
#define VKR_MARK_TRIPS 56000u  /* over marks and the entries that they stand for */
#define VKR_SPAN_TRIPS 56000u  /* over the whole segments that a workgroup has, one by one */

/* For reductions, also those of segments. A loop over elements is inside one over strands
 * (shaders/vkreduce/strands.glsl), which adds a 32nd to its trips. */
#define VKR_ELEMENT_TRIPS 48000u
#define VKR_PARTIAL_TRIPS 14000u
#define VKR_LIST_TRIPS 56000u /* over the parts of a segment, by an invocation without elements */

#endif
