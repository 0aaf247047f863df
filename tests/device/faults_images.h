/* SPDX-License-Identifier: MIT */
/* An image, and levels of a pyramid of it, for faults.c. */
#ifndef VKR_TESTS_FAULTS_IMAGES_H
#define VKR_TESTS_FAULTS_IMAGES_H

#include "harness.h"

#define IMAGE_COLUMNS 25u
#define IMAGE_ROWS 40u
#define IMAGE_TEXELS (IMAGE_COLUMNS * IMAGE_ROWS)

typedef struct faults_levels {
    VkImage image;
    VkDeviceMemory memory;
    uint32_t count;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS]; /* each with a view of its own, in GENERAL */
} faults_levels;

/* R32_UINT, of which the first level has the words of a buffer. */
bool faults_open_levels(harness *h, faults_levels *l, VkBuffer texels);
void faults_close_levels(harness *h, faults_levels *l);

#endif
