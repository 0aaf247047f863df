/* SPDX-License-Identifier: MIT */
/* All objects that the command buffer of the sample hiz refers to. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "hiz.h"

#define ID_FORMAT VK_FORMAT_R32_UINT
#define LEVEL_FORMAT PAIR_FORMAT

/* The results that are copied to the host, in this order. */
enum { IDS, DEPTHS, PYRAMID, VERDICTS, SHOWN, SHOWN_DEPTHS, COUNT, COPIES };

typedef struct scene {
    buffer boxes;
    buffer all; /* the indices of the boxes that are drawn first */
    image ids;
    image depth;
    image levels; /* the pyramid .. */
    VkImageView level_views[LEVELS];
    buffer verdicts;
    buffer visible; /* the indices of the visible boxes .. */
    buffer draw;    /* .. and the arguments of their draw */
    image shown;
    image shown_depth;
    buffer readback;
    VkDeviceSize offsets[COPIES + 1];
    descriptor_set set;
    VkPipelineLayout layout;
    VkPipeline draw_pipeline;
    VkPipeline test_pipeline;
} scene;

scene create_scene(const gpu *g);
void destroy_scene(const gpu *g, const scene *s);

#endif
