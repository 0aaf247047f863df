/* SPDX-License-Identifier: MIT */
#include "freeze.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/core/unpack.h"
#include "../../../src/core/recorder.h"

static struct {
    bool opened, shown;
    FILE *file;
    uint64_t show; /* the number of a recording; 0: none; UINT64_MAX: all */
    uint64_t recordings;
    uint64_t hash;
} freezer;

static bool is_open(void)
{
    const char *name = getenv("VKR_TEST_FREEZE");
    if (!freezer.opened && name != NULL) {
        const char *show = getenv("VKR_TEST_FREEZE_SHOW");
        freezer.file = fopen(name, "w");
        const bool all = show != NULL && strcmp(show, "all") == 0;
        freezer.show = all ? UINT64_MAX : show != NULL ? strtoull(show, NULL, 10) : 0;
        if (freezer.file == NULL)
            abort();
    }
    freezer.opened = true;
    return freezer.file != NULL;
}

/* Adds text to the hash, which is FNV-1a, and writes it if this recording is shown. */
static void put(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *c = text; *c != '\0'; c++)
        freezer.hash = (freezer.hash ^ (uint8_t)*c) * UINT64_C(1099511628211);
    if (freezer.shown)
        (void)fputs(text, freezer.file);
}

static void start(void)
{
    freezer.recordings++;
    freezer.shown = freezer.show == UINT64_MAX || freezer.recordings == freezer.show;
    freezer.hash = UINT64_C(14695981039346656037);
}

static void finish(const char *what, uint32_t count)
{
    (void)fprintf(freezer.file, "%" PRIu64 " %s %u %016" PRIx64 "\n", freezer.recordings, what,
                  count, freezer.hash);
    (void)fflush(freezer.file);
}

static int compare_accesses(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(vkr_access));
}

/* Accesses are sorted, since the order in which an operation declares them means nothing. */
static void put_accesses(const vkr_step *step)
{
    vkr_access accesses[VKR_MAX_ACCESSES];
    memset(accesses, 0, sizeof accesses);
    for (uint32_t i = 0; i < step->access_count; i++) {
        accesses[i].buffer = step->accesses[i].buffer;
        accesses[i].offset = step->accesses[i].offset;
        accesses[i].size = step->accesses[i].size;
        accesses[i].image = step->accesses[i].image;
        accesses[i].subresource = step->accesses[i].subresource;
        accesses[i].access = step->accesses[i].access;
    }
    qsort(accesses, step->access_count, sizeof accesses[0], compare_accesses);
    for (uint32_t i = 0; i < step->access_count; i++)
        put("\n access %x: %" PRIx64 " %" PRIx64 " + %" PRIx64 " %" PRIx64 " %u %u %u %u",
            accesses[i].access, (uint64_t)(uintptr_t)accesses[i].buffer,
            (uint64_t)accesses[i].offset, (uint64_t)accesses[i].size,
            (uint64_t)(uintptr_t)accesses[i].image, accesses[i].subresource.baseMipLevel,
            accesses[i].subresource.levelCount, accesses[i].subresource.baseArrayLayer,
            accesses[i].subresource.layerCount);
}

static void put_descriptor(const vkr_step *step, uint32_t i)
{
    const VkDescriptorBufferInfo *buffer = &step->bindings[i].buffer;
    const VkDescriptorImageInfo *image = &step->bindings[i].image;
    const uint32_t kind = step->variant.bindings.kinds[i];
    if (kind == VKR_KIND_BUFFER)
        put("\n binding %u: %" PRIx64 " %" PRIx64 " + %" PRIx64, i,
            (uint64_t)(uintptr_t)buffer->buffer, (uint64_t)buffer->offset, (uint64_t)buffer->range);
    if (kind == VKR_KIND_SAMPLED_IMAGE || kind == VKR_KIND_STORAGE_IMAGE)
        put("\n binding %u: %" PRIx64 " layout %d", i, (uint64_t)(uintptr_t)image->imageView,
            (int)image->imageLayout);
}

static void put_step(const vkr_step *step)
{
    const vkr_variant *variant = &step->variant;
    put("%s format %u groups %u %u\n constants", vkr_kernel_name(variant->kernel),
        variant->image_format, step->groups[0], step->groups[1]);
    for (uint32_t i = 0; i < variant->constant_count; i++)
        put(" %x", variant->constants[i]);
    put("\n push");
    for (uint32_t i = 0; i < step->push_size / 4; i++)
        put(" %u:%x", i, step->push[i]);
    put("\n uniforms");
    for (uint32_t i = 0; i < step->uniform_size / 4; i++)
        put(" %u:%x", i, step->uniforms[i]);
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++)
        put_descriptor(step, i);
    put("\n texels %" PRIx64, (uint64_t)(uintptr_t)step->bindings[VKR_BINDING_TEXELS].texels);
    put_accesses(step);
    put("\n");
}

void freeze_steps(VkrRecorder recorder)
{
    if (!is_open())
        return;
    start();
    for (uint32_t i = 0; i < recorder->now.steps; i++)
        put_step(&recorder->steps[i]);
    put("scratch %" PRIx64 " counters %" PRIx64 "\n", (uint64_t)recorder->now.scratch,
        (uint64_t)recorder->now.counters);
    finish("steps", recorder->now.steps);
}

void freeze_refusal(const char *sentence)
{
    if (!is_open())
        return;
    start();
    put("%s\n", sentence);
    finish("refused", 0);
}
