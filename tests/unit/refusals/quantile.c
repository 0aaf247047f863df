/* SPDX-License-Identifier: MIT */
/* VkrQuantileInfo. */
#include "refusals.h"

#include <math.h>

static VkrQuantileInfo info;
static double shares[VKR_MAX_SHARES + 1];
#define SCOPE                                                                                      \
    VkrQuantileInfo *const i = &info;                                                              \
    (void)i

/* Three quantiles, a trimmed mean and cumulative counts, of 100 counts in C. */
static void set_plain(void)
{
    shares[0] = 0;
    shares[1] = 0.5;
    shares[2] = 1;
    info = (VkrQuantileInfo){.binCount = 100,
                             .counts = {BUFFER('C'), 4, 400},
                             .edges = {BUFFER('E'), 0, 404},
                             .shareCount = 3,
                             .shares = shares,
                             .quantiles = {BUFFER('Q'), 0, 12},
                             .trim = {0.1, 0.95},
                             .trimmedMean = {BUFFER('M'), 8, 4},
                             .cumulative = {BUFFER('S'), 0, 800}};
}

/* A dispatch computes up to 16 shares. */
static void set_shares(uint32_t count)
{
    info.shareCount = count;
    info.quantiles.size = 4 * VKR_MAX_SHARES;
    for (uint32_t s = 0; s < count; s++)
        shares[s] = (double)s / count;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(no_bins, PLAIN, INVALID, "binCount is 0, but must be from 1 to 65536.", i->binCount = 0)         \
X(many_bins, PLAIN, INVALID, "binCount is 65537, but must be from 1 to 65536.",                    \
  i->binCount = 65537)                                                                             \
X(components, PLAIN, INVALID, "components is 5, but must be from 1 to 4, or 0 for 1.",             \
  i->components = 5)                                                                               \
X(count_type, PLAIN, INVALID, "countType is 10, but must be VKR_TYPE_UNDEFINED (for u32), "        \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->countType = VKR_TYPE_F32)                                    \
X(edge_type, PLAIN, INVALID, "edgeType is u32, but must be f32 or f64.",                           \
  i->edgeType = VKR_TYPE_U32)                                                                      \
X(many_shares, PLAIN, INVALID, "shareCount is 65, but must be at most 64.", i->shareCount = 65)    \
X(no_shares, PLAIN, INVALID, "shares is NULL, but must point to the 3 of shareCount.",             \
  i->shares = NULL)                                                                                \
X(share_below, PLAIN, INVALID, "shares[1] is -0.5, but must be from 0 to 1.", shares[1] = -0.5)    \
X(share_above, PLAIN, INVALID, "shares[2] is 1.5, but must be from 0 to 1.", shares[2] = 1.5)      \
X(share_nan, PLAIN, INVALID, "shares[0] is nan, but must be from 0 to 1.",                         \
  shares[0] = (double)NAN)                                                                         \
X(trim_below, PLAIN, INVALID, "trim[0] is -1, but must be from 0 to 1.", i->trim[0] = -1)          \
X(trim_above, PLAIN, INVALID, "trim[1] is 2, but must be from 0 to 1.", i->trim[1] = 2)            \
X(trim_order, PLAIN, INVALID, "trim[0] is 0.95, but must be less than trim[1], 0.95, by at least " \
  "2^-32.", i->trim[0] = 0.95)                                                                     \
X(counts_small, PLAIN, INVALID, "counts.size is 399, but must be at least 400.",                   \
  i->counts.size = 399)                                                                            \
X(counts_wide, PLAIN, INVALID, "counts.size is 400, but must be at least 800.",                    \
  i->countType = VKR_TYPE_U64)                                                                     \
X(counts_offset, PLAIN, INVALID, "counts.offset is 2, but must be a multiple of 4.",               \
  i->counts.offset = 2)                                                                            \
X(edges_small, PLAIN, INVALID, "edges.size is 404, but must be at least 808.",                     \
  i->edgeType = VKR_TYPE_F64)                                                                      \
X(edges_more, PLAIN, INVALID, "edges.size is 404, but must be at least 808.", i->components = 2;   \
  i->counts.size = 800)                                                                            \
X(quantiles_small, PLAIN, INVALID, "quantiles.size is 8, but must be at least 12.",                \
  i->quantiles.size = 8)                                                                           \
X(mean_small, PLAIN, INVALID, "trimmedMean.size is 3, but must be at least 4.",                    \
  i->trimmedMean.size = 3)                                                                         \
X(sums_small, PLAIN, INVALID, "cumulative.size is 796, but must be at least 800.",                 \
  i->cumulative.size = 796)                                                                        \
X(nothing, PLAIN, INVALID, "shareCount is 0, but must be at least 1 where neither trimmedMean "    \
  "nor cumulative is given.", i->shareCount = 0;                                                   \
  i->trimmedMean = i->cumulative = (VkrBufferRange){0})                                            \
X(outputs, PLAIN, INVALID, "quantiles overlaps trimmedMean, but must be apart from it.",           \
  i->quantiles = ((VkrBufferRange){BUFFER('M'), 0, 12}))                                           \
X(in_place, PLAIN, INVALID, "cumulative overlaps counts, but must be apart from it.",              \
  i->cumulative = ((VkrBufferRange){BUFFER('C'), 0, 800}))                                         \
X(counts_range, NARROW, UNSUPPORTED, "counts takes 80000 bytes, but must fit "                     \
  "maxStorageBufferRange "                                                                         \
  "(65536 bytes, less up to 64 for alignment).", i->binCount = 20000; i->counts.size = 80000;      \
  i->edges.size = 80004)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(shares_alone, PLAIN, 1, i->trimmedMean = i->cumulative = (VkrBufferRange){0};                    \
  i->trim[0] = i->trim[1] = (double)NAN)                                                           \
X(no_shares, PLAIN, 1, i->shareCount = 0; i->quantiles.size = 0)                                   \
X(all_shares, PLAIN, 4, set_shares(VKR_MAX_SHARES))                                                \
X(some_shares, PLAIN, 2, set_shares(17))
/* clang-format on */

OPERATION(quantile, vkrCmdQuantile, VkrQuantileInfo, info, COUNTED, NULL)
