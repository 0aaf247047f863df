/* SPDX-License-Identifier: MIT */
/* Everything of the sample hiz that its command buffer names. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "hiz.h"

#define ID_FORMAT VK_FORMAT_R32_UINT
#define LEVEL_FORMAT VK_FORMAT_R32G32_SFLOAT

/* What is copied to the host, one after the other. */
enum { IDS, DEPTHS, PYRAMID, VERDICTS, SHOWN, SHOWN_DEPTHS, COUNT, COPIES };

typedef struct scene {
    buffer boxes;
    buffer all; /* the indices of the boxes that are drawn first */
    image ids;
    image depth;
    image levels; /* the pyramid .. */
    VkImageView level_views[LEVELS];
    buffer verdicts;
    buffer visible; /* the indices of these .. */
    buffer draw;    /* .. and the arguments of their draw */
    image shown;
    image shown_depth;
    buffer readback;
    VkDeviceSize offsets[COPIES + 1];
    VkDescriptorSetLayout set_layout;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline draw_pipeline;
    VkPipeline test_pipeline;
} scene;

scene create_scene(const gpu *g);
void destroy_scene(const gpu *g, const scene *s);

#endif
