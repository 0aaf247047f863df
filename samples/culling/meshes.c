/* SPDX-License-Identifier: MIT */
/* The meshes, from -1 to 1 in each direction. Those that stand on the ground have no bottom. */
#include <math.h>
#include <string.h>
#include "town.h"

#define PHI 1.618034f

static const vec3 corners[] = {{-1, -1, -1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, 1},
                               {-1, 1, -1},  {1, 1, -1},  {1, 1, 1},  {-1, 1, 1}};
static const uint16_t box[] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7,
                               2, 7, 6, 3, 0, 4, 3, 4, 7, 4, 5, 6, 4, 6, 7};

/* Walls up to the eaves, two gables, and a roof along z. */
#define EAVES 0.35f
static const vec3 house_corners[] = {{-1, -1, -1},    {1, -1, -1},    {1, -1, 1},    {-1, -1, 1},
                                     {-1, EAVES, -1}, {1, EAVES, -1}, {1, EAVES, 1}, {-1, EAVES, 1},
                                     {0, 1, -1},      {0, 1, 1}};
static const uint16_t house[] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4,
                                 3, 4, 7, 4, 5, 8, 6, 7, 9, 5, 6, 9, 5, 9, 8, 7, 4, 8, 7, 8, 9};

static const vec3 tree_corners[] = {{1, -1, 0},  {0.5f, -1, 0.866f},   {-0.5f, -1, 0.866f},
                                    {-1, -1, 0}, {-0.5f, -1, -0.866f}, {0.5f, -1, -0.866f},
                                    {0, 1, 0}};
static const uint16_t tree[] = {0, 1, 6, 1, 2, 6, 2, 3, 6, 3, 4, 6, 4, 5, 6, 5, 0, 6};

static const vec3 ball_corners[] = {{-1, PHI, 0}, {1, PHI, 0}, {-1, -PHI, 0}, {1, -PHI, 0},
                                    {0, -1, PHI}, {0, 1, PHI}, {0, -1, -PHI}, {0, 1, -PHI},
                                    {PHI, 0, -1}, {PHI, 0, 1}, {-PHI, 0, -1}, {-PHI, 0, 1}};
static const uint16_t ball[] = {0, 11, 5,  0, 5,  1, 0, 1, 7, 0, 7,  10, 0, 10, 11, 1, 5, 9, 5, 11,
                                4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,  9,  4, 3,  4,  2, 3, 2, 6, 3,
                                6, 8,  3,  8, 9,  4, 9, 5, 2, 4, 11, 6,  2, 10, 8,  6, 7, 9, 8, 1};

#define LENGTH(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define PART(corners, indices, scale)                                                              \
    {                                                                                              \
        corners, indices, LENGTH(corners), LENGTH(indices), scale                                  \
    }

static const struct {
    const vec3 *corners;
    const uint16_t *indices;
    uint32_t corner_count, index_count;
    float scale;
} parts[MESHES] = {[CRATE] = PART(corners, box, 1),
                   [HOUSE] = PART(house_corners, house, 1),
                   [TREE] = PART(tree_corners, tree, 1),
                   [BALL] = PART(ball_corners, ball, 1 / PHI)};

uint32_t make_meshes(vec3 *vertices, uint16_t *indices, Mesh meshes[MESHES + 1])
{
    uint32_t first = 0, vertex = 0;
    for (uint32_t m = 0; m < MESHES; m++) {
        meshes[m].index_count = parts[m].index_count;
        meshes[m].first_index = first;
        meshes[m].vertex_offset = (int)vertex;
        memcpy(indices + first, parts[m].indices, parts[m].index_count * sizeof *indices);
        for (uint32_t i = 0; i < parts[m].corner_count; i++, vertex++)
            for (int c = 0; c < 3; c++)
                vertices[vertex][c] = parts[m].corners[i][c] * parts[m].scale;
        first += parts[m].index_count;
    }
    return vertex;
}
