/* SPDX-License-Identifier: MIT */
/* Pyramids of the tests: chains of levels, and their expected contents. */
#ifndef VKR_TESTS_PYRAMIDS_H
#define VKR_TESTS_PYRAMIDS_H

#include "images.h"
#include "oracle_pyramid.h"

/* A format of levels. */
typedef struct level_format {
    VkFormat format;
    oracle_stored stored;
    uint32_t bits[4];
    bool swapped; /* blue is the first channel */
} level_format;

/* Returns NULL if the tests do not know the format. */
const level_format *find_level_format(VkFormat format);

/* An image with one view per level. */
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

/* Records clears of all levels, in GENERAL, to a colour that rarely occurs in pyramids. */
void chain_clear(harness *h, const level_chain *chain);

/* The size of all levels starting at `first`, each at a multiple of 16. chain_download records a
 * copy of them; they must be visible to TRANSFER / TRANSFER_READ. */
VkDeviceSize chain_bytes(const level_chain *chain, uint32_t first);
void chain_download(harness *h, const level_chain *chain, uint32_t first, VkBuffer buffer,
                    VkDeviceSize offset);

/* Compares downloaded levels with the oracle's levels of a source whose texels, as texelFetch
 * returns them, are `fetched`. Returns the number of texels that differ, and prints some of
 * them. */
uint64_t chain_compare(const level_chain *chain, uint32_t first, VkrOpFlags ops, VkExtent2D source,
                       const uint32_t *fetched, const void *downloaded, const char *what);

/* The number of texels compared so far. */
uint64_t chain_texels(void);

#endif
