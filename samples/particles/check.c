/* SPDX-License-Identifier: MIT */
/* What the device has computed, and whether the CPU computes the same. */
#include <string.h>
#include "particles.h"
#include "scene.h"

static outcome summarise(const counts *c, const unsigned char *const arrays[ARRAYS])
{
    outcome result = {.counts = *c};
    for (size_t i = 0; i < c->live; i++) {
        Particle p;
        memcpy(&p.x, arrays[POSITION] + 8 * i, 8);
        memcpy(&p.vx, arrays[VELOCITY] + 8 * i, 8);
        memcpy(&p.colour, arrays[COLOUR] + 4 * i, 4);
        memcpy(&p.life, arrays[LIFE] + 4 * i, 4);
        result.checksum = add_particle(result.checksum, &p);
    }
    return result;
}

outcome read_outcome(const gpu *g, const options *o, const scene *s)
{
    const particles *last = &s->sets[o->frames & 1];
    const unsigned char *maps[BINDINGS];
    buffer copies[BINDINGS];
    VkCommandBuffer cmd;
    VkCommandPool pool = create_commands(g, 1, &cmd);

    begin_commands(cmd);
    wait_for(cmd, &computed, &copied_from);
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const VkDeviceSize size = i == COUNTS ? sizeof(counts) : whole(last, i).size;
        const VkBuffer source = i == COUNTS ? s->counts.handle : last->arrays[i].handle;
        copies[i] = create_buffer(g, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, ON_HOST);
        maps[i] = copies[i].map;
        vkCmdCopyBuffer(cmd, source, copies[i].handle, 1, &(VkBufferCopy){0, 0, size});
    }
    wait_for(cmd, &copied_to, &read_by_host);
    submit_commands(g, cmd, VK_NULL_HANDLE);
    CHECK(vkQueueWaitIdle(g->queue));

    outcome result = summarise((const counts *)copies[COUNTS].map, maps);
    for (uint32_t i = 0; i < BINDINGS; i++)
        destroy_buffer(g, &copies[i]);
    vkDestroyCommandPool(g->device, pool, NULL);
    return result;
}

void print_outcome(const char *where, const outcome *result)
{
    const counts *c = &result->counts;
    printf("%s: %u particles, %u of them newborn; next %u x %u x %u groups, %u vertices; "
           "checksum %016llx\n",
           where, c->live, c->live - c->survivors, c->move.x, c->move.y, c->move.z,
           c->draw.vertexCount, (unsigned long long)result->checksum);
}

int verify(const gpu *g, const options *o, const outcome *result)
{
    uint32_t full;
    outcome expected = simulate(g, o, &full);
    print_outcome("CPU", &expected);
    printf("The number was at its limit of %u after %u of %u frames.\n", o->particles, full,
           o->frames);
    if (memcmp(&result->counts, &expected.counts, sizeof(counts)) == 0 &&
        result->checksum == expected.checksum)
        return 0;
    printf("They are different.\n");
    return DIFFERENT;
}
