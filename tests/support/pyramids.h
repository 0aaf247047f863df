/* SPDX-License-Identifier: MIT */
/* Pyramids of the tests' own: chains of levels, and what they must hold. */
#ifndef VKR_TESTS_PYRAMIDS_H
#define VKR_TESTS_PYRAMIDS_H

#include "images.h"
#include "oracle_pyramid.h"

/* A format of levels. */
typedef struct level_format {
    VkFormat format;
    oracle_stored stored;
    uint32_t bits[4];
    bool swapped; /* blue comes first */
} level_format;

/* NULL where the tests know no such format. */
const level_format *find_level_format(VkFormat format);

/* An image with a view for each of its levels, from the first one on. */
typedef struct level_chain {
    VkImage image;
    VkDeviceMemory memory;
    const level_format *format;
    uint32_t layers, count;
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS + 1];
    VkrImage infos[VKR_MAX_PYRAMID_LEVELS + 1]; /* in GENERAL */
} level_chain;

typedef struct chain_request {
    const level_format *format;
    VkImageViewType view_type;
    VkExtent2D extent; /* of the first level */
    uint32_t count, layers;
} chain_request;

bool chain_supported(const harness *h, const chain_request *request);
bool chain_create(harness *h, const chain_request *request, level_chain *chain);
void chain_destroy(harness *h, level_chain *chain);

/* Records that all levels become a colour that few pyramids have, in GENERAL. */
void chain_clear(harness *h, const level_chain *chain);

/* The bytes of the levels from `first` on, each at a multiple of 16; and a copy of them, after
 * TRANSFER / TRANSFER_READ. */
VkDeviceSize chain_bytes(const level_chain *chain, uint32_t first);
void chain_download(harness *h, const level_chain *chain, uint32_t first, VkBuffer buffer,
                    VkDeviceSize offset);

/* Compares downloaded levels with what the oracle makes of a source whose texels, as texelFetch
 * returns them, are `fetched`. Returns the number of texels that differ, and prints some. */
uint64_t chain_compare(const level_chain *chain, uint32_t first, VkrOpFlags ops, VkExtent2D source,
                       const uint32_t *fetched, const void *downloaded, const char *what);

/* The number of texels compared so far. */
uint64_t chain_texels(void);

#endif
