/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/parts.h: wholes whose parts lie on several devices or machines.
 *
 * Each part is elements first .. first + count of a whole. A device turns its part into a few
 * bytes, which the application carries to where the parts are combined, by whatever means it has:
 *
 *     operation   data of a part                          how the parts are combined
 *     reduction   its partials (VkrPieces::partials):     put next to each other at the offsets of
 *                 a fixed number of bytes for each block  vkrGetPartialsRange; vkrCmdReduce with a
 *                 of VKR_TREE_BLOCK elements              piece at the end of the whole combines
 *                                                         them
 *     scan        VkrScanInfo::total of the part, or of   vkrAddTotals: the prefix before a part
 *                 each of its blocks of VKR_SCAN_BLOCK    is VkrScanInfo::initial of its scan
 *     histogram   its counts                              added, each modulo its 32 or 64 bits
 *     compaction  its number of kept elements             added in order: the sum of those before
 *                                                         a part is where the part's output starts
 *
 * All results are those of the whole: exact ones however it is cut, and with VKR_DETERMINISM_DEVICE
 * the bits of float sums too, if it is cut at blocks (vkrCutPart): of VKR_TREE_BLOCK elements for
 * reductions, of VKR_SCAN_BLOCK for scans, where the data of a part are the totals of its blocks.
 * Partials have the same layout on every device that has the same endianness, and, with
 * VKR_DETERMINISM_DEVICE, the same bits; all parts must use the same version of the library.
 *
 * The functions of this header run on the host and need no context. Any thread may call them. They
 * return VKR_ERROR_INVALID_ARGUMENT and write nothing if an argument is wrong.
 */
#ifndef VKREDUCE_PARTS_H
#define VKREDUCE_PARTS_H

#include "core.h"
#include "reduce.h"
#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How a part that may start and end anywhere becomes one of whole blocks. A block belongs to the
 * part that has its first element. Each part sends the elements before the first block that starts
 * in it to the owner of that block, which is one part, and receives the elements that complete its
 * own last block, perhaps from several parts.
 */
typedef struct VkrPartCut {
    uint64_t sent;  /* elements at the part's start that another part owns: all of them if no
                        * block starts in the part */
    uint64_t first; /* index of the first element that the part owns: a multiple of the block, or
                        * the end of the whole if there is no later block */
    uint64_t count; /* elements that the part owns: whole blocks, except at the end of the whole */
    uint64_t received; /* how many of these, the last ones, come from other parts */
} VkrPartCut;

/* Cuts the elements first .. first + count of a whole at multiples of `block`, which is not 0. */
VKR_API VkrResult vkrCutPart(uint64_t first, uint64_t count, uint64_t whole, uint64_t block,
                             VkrPartCut *cut);

/*
 * Returns where the partials of the piece first .. first + count lie in VkrPieces::partials.
 * `layout` is that of the whole: it is made with VkrPieces::count, or a count without pieces, equal
 * to `whole`. first is a multiple of VKR_TREE_BLOCK, and so is count, unless the piece ends the
 * whole.
 */
VKR_API VkrResult vkrGetPartialsRange(const VkrReduceLayout *layout, uint64_t whole, uint64_t first,
                                      uint64_t count, VkDeviceSize *offset, VkDeviceSize *size);

/*
 * Adds totals to a prefix, in order: prefix = prefix + totals[0] + totals[1] + .. , where + is the
 * operator of a scan. The prefix and each total are `components` values of `type`, which is the
 * type of the scan's results (vkrGetScanType), in memory that need not be aligned. The bits are
 * those of VkrScanInfo::total at level VKR_DETERMINISM_DEVICE.
 *
 * The prefix starts as the initial value of the whole or, where the scan has none, as a copy of the
 * first total: then the function gets the others. The total of no element is the initial value or
 * the identity, not a part's own contribution, so parts without elements are left out.
 *
 * `nan` is that of the scan, VKR_NAN_IGNORE or VKR_NAN_PROPAGATE: the minimum of NaN and a number
 * depends on it.
 */
VKR_API VkrResult vkrAddTotals(VkrOp op, VkrType type, uint32_t components, VkrNan nan,
                               uint64_t count, const void *totals, void *prefix);

#ifdef __cplusplus
}
#endif

#endif
