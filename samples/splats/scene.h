/* SPDX-License-Identifier: MIT */
/* All objects that the command buffers of the sample splats refer to. */
#ifndef SCENE_H
#define SCENE_H

#include "app.h"
#include "model.h"
#include "report.h"

#define PIXELS (WIDTH * HEIGHT)
#define FLOAT_FORMAT VK_FORMAT_R32G32B32A32_SFLOAT

typedef struct scene {
    uint32_t count; /* of all splats */
    buffer spheres;
    buffer shapes;
    buffer view;
    buffer draw;     /* a VkDrawIndirectCommand */
    buffer keys;     /* of splats that are seen .. */
    buffer outlines; /* .. and their outlines, at the same positions */
    buffer order;    /* of these positions */
    buffer boxes;    /* tiles, at the same positions as outlines */
    image target;
    buffer readback; /* the picture, keys and order */
    VkQueryPool times;
    bool timed; /* the queue has a clock */
    descriptor_set set;
    VkrModule functions;
    VkPipelineLayout layout;
    VkPipeline pipeline;
} scene;

/* Ends the program if the device cannot draw so many splats, or blend them. */
scene create_scene(const gpu *g, const model *m);
void destroy_scene(const gpu *g, const scene *s);

#endif
