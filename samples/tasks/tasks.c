/* SPDX-License-Identifier: MIT */
/*
 * Recordings of two common tasks: the bounds of a mesh, and lists of the particles in the cells
 * of a grid. The results of both are compared with what plain C computes.
 */
#include <stddef.h>
#include <string.h>
#include "app.h"

const char app_name[] = "tasks";

/* ---- Bounds of a mesh ---- */

#define VERTICES 10000u

typedef struct vertex {
    float position[3];
    float normal[3];
    uint32_t colour;
} vertex;

/* Records the minima of x, y and z, followed by the maxima. */
static void record_bounds(VkCommandBuffer cmd, VkrRecorder recorder, VkBuffer vertices,
                          VkBuffer bounds)
{
    const VkrReduceInfo reduce = {.label = "bounds",
                                  .ops = VKR_OP_MIN | VKR_OP_MAX,
                                  .input = {.buffer = vertices,
                                            .offset = offsetof(vertex, position),
                                            .bufferSize = VERTICES * sizeof(vertex),
                                            .type = VKR_TYPE_F32,
                                            .components = 3,
                                            .stride = sizeof(vertex)},
                                  .count = VKR_COUNT_ALL,
                                  .output = {bounds, 0, 6 * sizeof(float)}};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdReduce(recorder, &reduce));
    check_vkr(vkrEnd(recorder, &end));
}

static void submit(const gpu *g, VkCommandBuffer cmd)
{
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));
}

static void find_bounds(const gpu *g, VkCommandBuffer cmd, VkrRecorder recorder)
{
    const buffer mesh =
        create_buffer(g, VERTICES * sizeof(vertex), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    const buffer bounds =
        create_buffer(g, 6 * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, ON_HOST);
    float expected[6] = {1e9f, 1e9f, 1e9f, -1e9f, -1e9f, -1e9f};
    vertex *vertices = mesh.map;
    for (uint32_t i = 0; i < VERTICES; i++) {
        vertices[i] = (vertex){.normal = {1000, 1000, 1000}};
        for (uint32_t c = 0; c < 3; c++) {
            const float x = (float)(i * (i + c) % 997) / (float)(c + 1) - 500;
            vertices[i].position[c] = x;
            expected[c] = x < expected[c] ? x : expected[c];
            expected[3 + c] = x > expected[3 + c] ? x : expected[3 + c];
        }
    }
    begin_commands(cmd);
    record_bounds(cmd, recorder, mesh.handle, bounds.handle);
    submit(g, cmd);
    if (memcmp(bounds.map, expected, sizeof expected) != 0)
        DIE(DIFFERENT, "the bounds are wrong\n");
    const float *found = bounds.map;
    printf("bounds: %g %g %g to %g %g %g\n", (double)found[0], (double)found[1], (double)found[2],
           (double)found[3], (double)found[4], (double)found[5]);
    destroy_buffer(g, &mesh);
    destroy_buffer(g, &bounds);
}

/* ---- Cell lists ---- */

enum { PARTICLES = 10000, CELLS = 1000 };

typedef struct particle {
    float position[3];
} particle;

typedef struct grid {
    buffer cells;     /* of each particle: CELLS or more outside the grid */
    buffer particles; /* in any order */
    buffer starts;    /* of each cell in the list, and the end of the last one */
    buffer list;      /* the particles in the grid, by cell */
} grid;

/* Records the list of all particles, in which those of a cell are neighbours. */
static void record_cells(VkCommandBuffer cmd, VkrRecorder recorder, const grid *g)
{
    const VkrPayload particles = {.size = sizeof(particle),
                                  .source = {g->particles.handle, 0, PARTICLES * sizeof(particle)},
                                  .target = {g->list.handle, 0, PARTICLES * sizeof(particle)}};
    const VkrBinInfo bin = {.label = "cells",
                            .keys = {.buffer = g->cells.handle,
                                     .bufferSize = PARTICLES * sizeof(uint32_t),
                                     .type = VKR_TYPE_U32},
                            .count = VKR_COUNT_ALL,
                            .binCount = CELLS,
                            .offsets = {g->starts.handle, 0, (CELLS + 1) * sizeof(uint32_t)},
                            .payloadCount = 1,
                            .payloads = &particles};
    const VkrEndInfo end = {.commandBuffer = cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    check_vkr(vkrBegin(recorder));
    check_vkr(vkrCmdBin(recorder, &bin));
    check_vkr(vkrEnd(recorder, &end));
}

static grid create_grid(const gpu *g)
{
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    grid made = {.cells = create_buffer(g, PARTICLES * sizeof(uint32_t), usage, ON_HOST),
                 .particles = create_buffer(g, PARTICLES * sizeof(particle), usage, ON_HOST),
                 .starts = create_buffer(g, (CELLS + 1) * sizeof(uint32_t), usage, ON_HOST),
                 .list = create_buffer(g, PARTICLES * sizeof(particle), usage, ON_HOST)};
    uint32_t *cells = made.cells.map;
    particle *particles = made.particles.map;
    for (uint32_t i = 0; i < PARTICLES; i++) {
        cells[i] = i * i % 1009;
        particles[i] = (particle){{(float)cells[i], (float)i, 0}};
    }
    return made;
}

static void destroy_grid(const gpu *g, const grid *made)
{
    destroy_buffer(g, &made->cells);
    destroy_buffer(g, &made->particles);
    destroy_buffer(g, &made->starts);
    destroy_buffer(g, &made->list);
}

/* Whether each cell lists its own particles, in their order. Returns their number, or 0. */
static uint32_t count_listed(const grid *g)
{
    const uint32_t *cells = g->cells.map;
    const uint32_t *starts = g->starts.map;
    const particle *list = g->list.map;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        uint32_t at = starts[cell];
        for (uint32_t i = 0; i < PARTICLES; i++)
            if (cells[i] == cell && list[at++].position[1] != (float)i)
                return 0;
        if (at != starts[cell + 1])
            return 0;
    }
    return starts[CELLS];
}

static void list_cells(const gpu *g, VkCommandBuffer cmd, VkrRecorder recorder)
{
    const grid cells = create_grid(g);
    begin_commands(cmd);
    record_cells(cmd, recorder, &cells);
    submit(g, cmd);
    const uint32_t listed = count_listed(&cells);
    if (listed == 0)
        DIE(DIFFERENT, "the lists of cells are wrong\n");
    printf("cell lists: %u of %d particles in %d cells\n", listed, PARTICLES, CELLS);
    destroy_grid(g, &cells);
}

int main(void)
{
    gpu g = {0};
    VkCommandBuffer cmds[2];
    VkrRecorder recorder;
    open_gpu(&g, NULL);
    VkCommandPool pool = create_commands(&g, 2, cmds);
    check_vkr(vkrCreateRecorder(g.context, &(VkrRecorderInfo){0}, &recorder));
    find_bounds(&g, cmds[0], recorder);
    check_vkr(vkrReset(recorder));
    list_cells(&g, cmds[1], recorder);
    vkrDestroyRecorder(recorder);
    vkDestroyCommandPool(g.device, pool, NULL);
    close_gpu(&g);
    return 0;
}
