/* SPDX-License-Identifier: MIT */
/*
 * vkreduce: reductions, scans and compactions of data that already lives on the GPU, recorded into
 * the caller's own VkCommandBuffer.
 *
 * The library never submits, never waits and never reads back, except in the optional vkrSelfTest
 * (testing.h). The flow is always the same:
 *
 *     vkrBegin(recorder);
 *     vkrCmdReduce(recorder, &info);     collected; nothing reaches a command buffer yet
 *     vkrPrepare(recorder);              optional: compile and allocate ahead of time
 *     vkrEnd(recorder, &(VkrEndInfo){.commandBuffer = cmd, ...});
 *     ... the caller submits cmd, and once the GPU is done with it ...
 *     vkrReset(recorder);
 *
 * Each of these headers can be included alone.
 *
 * Compatibility: a program runs with every version of the library that has the MAJOR.MINOR of the
 * headers it was compiled with (core.h), because a new PATCH changes no function, enumerator or
 * structure, and no result except to fix a bug. The shared library is named by both numbers,
 * libvkreduce.so.MAJOR.MINOR: a new MINOR adds members to structures, so programs must be
 * recompiled for it. A new member that is 0, as older sources leave it, keeps the previous
 * behaviour. Before 1.0 a new MINOR may also rename, renumber or remove parts of the interface;
 * after 1.0 only a new MAJOR does, so that sources for 1.0 compile and mean the same with every
 * 1.x.
 */
#ifndef VKREDUCE_VKREDUCE_H
#define VKREDUCE_VKREDUCE_H

#include "core.h"      /* conventions; results, types, operators, views */
#include "device.h"    /* requirements, and the context */
#include "image.h"     /* images in place of buffers */
#include "map.h"       /* what happens to elements first: maps and masks */
#include "recorder.h"  /* begin, prepare, end, reset; synchronisation */
#include "module.h"    /* the application's own functions */
#include "segments.h"  /* independent parts of the data */
#include "reduce.h"    /* reductions, and determinism of float sums */
#include "scan.h"      /* prefix sums */
#include "compact.h"   /* compaction, partition, unique, run-length encoding */
#include "apply.h"     /* softmax, shares, standardised elements: of segments and elements */
#include "expand.h"    /* expansion, the inverse of compaction */
#include "sort.h"      /* stable sorts by keys */
#include "merge.h"     /* a stable merge of two sorted sequences */
#include "pyramid.h"   /* pyramids of images */
#include "histogram.h" /* histograms, quantiles */
#include "bin.h"       /* counting sorts by a small key */
#include "bounds.h"    /* searches in sorted data, the first element that passes a test */
#include "topk.h"      /* the k greatest or least elements */
#include "select.h"    /* the elements of given ranks */
#include "parts.h"     /* wholes on several devices: cuts, partials, totals */
#include "tuning.h"    /* geometry of operations, and profiles */

#endif
