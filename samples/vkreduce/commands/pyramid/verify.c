/* SPDX-License-Identifier: MIT */
/* --verify of pyramid: the scalar reference, level by level. */
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "status.h"
#include "oracle_pyramid.h"

static void compare_level(const pyramid_request *r, const pyramid_chain *c, uint32_t k,
                          const oracle_level *expected, bool *differs)
{
    const uint32_t *words = pyramid_words(r, c, k);
    const uint64_t count = pyramid_texels(r->extents[k]) * c->lanes;
    uint64_t i = 0;
    while (i < count && words[i] == expected->texels[i])
        i++;
    if (i == count || *differs)
        return;
    (void)fail(STATUS_DIFFERENCE,
               "--verify: level %u, texel (%llu, %llu), has the bits 0x%x; the scalar reference "
               "gives 0x%x",
               k + 1, (unsigned long long)(i / c->lanes % expected->width),
               (unsigned long long)(i / c->lanes / expected->width), words[i], expected->texels[i]);
    *differs = true;
}

static bool make_level(const pyramid_chain *c, VkExtent2D size, oracle_level *level)
{
    *level = (oracle_level){size.width, size.height, NULL};
    level->texels = malloc((size_t)pyramid_texels(size) * c->lanes * sizeof(uint32_t));
    return level->texels != NULL;
}

static bool verify_chain(const pyramid_request *r, const pyramid_chain *c, bool *differs)
{
    const oracle_pyramid p = {.ops = c->ops,
                              .stored = c->floats ? ORACLE_FLOAT : ORACLE_UINT,
                              .channels = c->lanes,
                              .bits = {32, 32, 32, 32}};
    oracle_level below, level;
    if (!make_level(c, r->size, &below))
        return false;
    oracle_pyramid_source(&p, c->source, &below);
    for (uint32_t k = 0; k < r->count; k++) {
        if (!make_level(c, r->extents[k], &level)) {
            free(below.texels);
            return false;
        }
        oracle_pyramid_level(&p, &below, &level);
        compare_level(r, c, k, &level, differs);
        free(below.texels);
        below = level;
    }
    free(below.texels);
    return true;
}

int pyramid_verify(job *j)
{
    const pyramid_results *results = j->results;
    for (uint32_t i = 0; i < results->chain_count; i++)
        if (!verify_chain(j->request, &results->chains[i], &j->task.differs))
            return fail(STATUS_VULKAN, "--verify: out of memory");
    return STATUS_DONE;
}
