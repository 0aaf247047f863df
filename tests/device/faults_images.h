/* SPDX-License-Identifier: MIT */
/* For faults.c: an image, and the levels of its pyramid. */
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
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS]; /* each with its own view, in GENERAL */
} faults_levels;

/* The images are R32_UINT; the first level has the words of a buffer. */
bool faults_open_levels(harness *h, faults_levels *l, VkBuffer texels);
void faults_close_levels(harness *h, faults_levels *l);

#endif
