/* SPDX-License-Identifier: MIT */
/* The reference for sums of windows, in plain loops. */
#include <stdlib.h>
#include <string.h>
#include "status.h"
#include "windows.h"
#include "oracle.h"

/* A value that windows.comp makes. */
static uint32_t made(uint32_t thread, uint32_t batch, uint32_t window)
{
    return ((thread * 0x9e3779b1u + batch * 0x85ebca6bu) >> 24) + window * 7u;
}

static uint32_t sum_of_window(const struct windows *w, uint32_t window)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->lanes; i++)
        sum += w->values[window + i];
    return sum;
}

/* The sum of one invocation's values: of one window in each batch. */
static uint32_t sum_of_made(const struct windows *w, uint32_t thread)
{
    const uint32_t own = thread % w->lanes;
    uint32_t sum = 0;
    for (uint32_t batch = 0; batch < WINDOW_MADE / w->lanes; batch++)
        for (uint32_t lane = 0; lane < w->lanes; lane++)
            sum += made(thread - own + lane, batch, own);
    return sum;
}

bool windows_expect(struct windows *w)
{
    uint64_t state = 1;
    const uint32_t threads = w->most / WINDOW_BATCHES;
    w->values = malloc(sizeof *w->values * ((size_t)w->most + w->lanes));
    w->sums = malloc(sizeof *w->sums * ((size_t)w->most + threads));
    if (w->values == NULL || w->sums == NULL)
        return false;
    for (uint32_t i = 0; i < w->most + w->lanes; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        w->values[i] = (uint32_t)(state >> 33) % WINDOW_VALUES;
    }
    for (uint32_t i = 0; i < w->most; i++)
        w->sums[i] = sum_of_window(w, i);
    for (uint32_t i = 0; i < threads; i++)
        w->sums[w->most + i] = sum_of_made(w, i);
    return true;
}

/* Stores one value as a type. */
static void store(VkrType type, uint32_t value, void *to)
{
    const float f = (float)value;
    const double d = value;
    switch (type) {
    case VKR_TYPE_F64:
        memcpy(to, &d, sizeof d);
        break;
    case VKR_TYPE_F32:
        memcpy(to, &f, sizeof f);
        break;
    default:
        memcpy(to, &value, sizeof value);
    }
}

void windows_write(const struct windows *w, uint32_t type, void *elements)
{
    const uint32_t size = vkrTypeSize(window_types[type]);
    for (uint32_t i = 0; i < w->most + w->lanes; i++)
        store(window_types[type], w->values[i], (char *)elements + (size_t)size * i);
}

static bool right_subgroups(const bench *b, const arm *a)
{
    uint32_t seen;
    memcpy(&seen, b->copied.data, sizeof seen);
    if (seen >= b->windows->lanes && (a->window.form != WINDOW_ADD || seen == b->windows->lanes))
        return true;
    (void)fail(STATUS_DIFFERENCE, "%s: it ran in subgroups of %u, but was built for %u", a->name,
               seen, b->windows->lanes);
    return false;
}

static bool right_sums(const bench *b, const row *r)
{
    const arm *a = r->arm;
    const uint32_t size = vkrTypeSize(a->type);
    const uint32_t *sums = b->windows->sums + (a->window.made ? b->windows->most : 0);
    const char *found = (const char *)b->copied.data + WINDOW_HEAD;
    for (uint32_t i = 0, left = windows_count(r); i < left; i++) {
        char wanted[8], text[40];
        store(a->type, sums[i], wanted);
        if (memcmp(found + (size_t)size * i, wanted, size) == 0)
            continue;
        oracle_format(text, sizeof text, a->type, found + (size_t)size * i);
        (void)fail(STATUS_DIFFERENCE, "%s: sum %u of %u is %s; the scalar reference gives %u",
                   a->name, i, left, text, sums[i]);
        return false;
    }
    return true;
}

void windows_verify(const bench *b, row *r)
{
    r->verdict = right_subgroups(b, r->arm) && right_sums(b, r) ? VERDICT_YES : VERDICT_NO;
}
