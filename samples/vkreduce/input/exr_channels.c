/* SPDX-License-Identifier: MIT */
#include "input/formats.h"
#ifdef RUNNER_EXR
#include <stdio.h>
#include <string.h>
#include "input/exr_channels.h"
#include "status.h"

#define MAX_LISTED 300u /* bytes of the names of channels in a sentence */

static const char *type_name(exr_channel *c)
{
    return c->pixel_type == EXR_PIXEL_HALF   ? "half"
           : c->pixel_type == EXR_PIXEL_UINT ? "uint"
                                             : "float";
}

/* Lists the channels and their types for a sentence. */
static const char *list_channels(const exr_attr_chlist_t *all, char text[MAX_LISTED])
{
    text[0] = '\0';
    for (int i = 0; i < all->num_channels; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, MAX_LISTED - length, "%s%s (%s)", i > 0 ? ", " : "",
                 all->entries[i].name.str, type_name(&all->entries[i]));
    }
    return text;
}

/* What to do about channels that are not read together. */
static const char *remedy(const input_options *opts, const char *text)
{
    return opts->role != INPUT_OF_OPTION ? text : "save one of them as .npy";
}

/* ---- The order ---- */

static const char colours[] = "RGBYA?";

/* The length of the name of a channel's layer, which ends before the last dot. */
static size_t layer_length(exr_channel *c)
{
    const char *dot = strrchr(c->name.str, '.');
    return dot != NULL ? (size_t)(dot - c->name.str) : 0;
}

char exr_letter(exr_channel *c)
{
    const char *dot = strrchr(c->name.str, '.');
    const char *last = dot != NULL ? dot + 1 : c->name.str;
    return strlen(last) == 1 && strchr(colours, *last) != NULL ? *last : '?';
}

/* Compares the names of the layers; no layer comes before all others. */
static int compare_layers(exr_channel *a, exr_channel *b)
{
    const size_t lengths[] = {layer_length(a), layer_length(b)};
    const size_t both = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
    const int order = memcmp(a->name.str, b->name.str, both);
    return order != 0 ? order : (lengths[0] > lengths[1]) - (lengths[0] < lengths[1]);
}

/* Channels are ordered by their layers; in a layer red, green, blue, luminance and alpha come
 * first, and others follow by their names. */
static bool comes_first(exr_channel *a, exr_channel *b)
{
    const int layers = compare_layers(a, b);
    const long ranks = (long)(strchr(colours, exr_letter(a)) - strchr(colours, exr_letter(b)));
    if (layers != 0 || ranks != 0)
        return (layers != 0 ? layers : ranks) < 0;
    return strcmp(a->name.str, b->name.str) < 0;
}

/* ---- The choice ---- */

static int choose_all(exr_choice *chosen, const exr_attr_chlist_t *all, const char *name,
                      const input_options *opts)
{
    char text[MAX_LISTED];
    if (all->num_channels > (int)VKR_MAX_COMPONENTS)
        return fail(STATUS_USAGE, "%s: it has %d channels, %s, and at most %u are read; %s", name,
                    all->num_channels, list_channels(all, text), VKR_MAX_COMPONENTS,
                    remedy(opts, "--channels chooses them"));
    for (int i = 0; i < all->num_channels; i++) {
        uint32_t at = chosen->count++;
        for (; at > 0 && comes_first(&all->entries[i], chosen->channels[at - 1]); at--)
            chosen->channels[at] = chosen->channels[at - 1];
        chosen->channels[at] = &all->entries[i];
    }
    return STATUS_DONE;
}

static exr_channel *find_channel(const exr_attr_chlist_t *all, const char *name, size_t length)
{
    for (int i = 0; i < all->num_channels; i++)
        if (strlen(all->entries[i].name.str) == length &&
            memcmp(all->entries[i].name.str, name, length) == 0)
            return &all->entries[i];
    return NULL;
}

/* Chooses the channels that a list with commas names. */
static int choose_named(exr_choice *chosen, const exr_attr_chlist_t *all, const char *name,
                        const char *names)
{
    char text[MAX_LISTED];
    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");
        exr_channel *found = find_channel(all, at, length);
        if (found == NULL)
            return fail(STATUS_USAGE, "%s: it has no channel '%.*s'; its channels are %s", name,
                        (int)length, at, list_channels(all, text));
        for (uint32_t i = 0; i < chosen->count; i++)
            if (chosen->channels[i] == found)
                return fail(STATUS_USAGE, "--channels is '%s', which has '%s' twice", names,
                            found->name.str);
        if (chosen->count == VKR_MAX_COMPONENTS)
            return fail(STATUS_USAGE, "--channels is '%s'; it must name at most %u", names,
                        VKR_MAX_COMPONENTS);
        chosen->channels[chosen->count++] = found;
        at += length;
        if (*at == '\0')
            return STATUS_DONE;
    }
}

int exr_choose(exr_choice *chosen, const exr_attr_chlist_t *all, const char *name,
               const input_options *opts)
{
    char text[MAX_LISTED];
    int status = opts->channels != NULL ? choose_named(chosen, all, name, opts->channels)
                                        : choose_all(chosen, all, name, opts);
    if (status != STATUS_DONE)
        return status;
    if (chosen->count == 0)
        return fail(STATUS_USAGE, "%s: it has no channels", name);
    for (uint32_t i = 0; i < chosen->count; i++) {
        exr_channel *c = chosen->channels[i];
        if (c->pixel_type != chosen->channels[0]->pixel_type)
            return fail(STATUS_USAGE, "%s: its channels have several types, %s; %s", name,
                        list_channels(all, text), remedy(opts, "--channels chooses some of one"));
        if (c->x_sampling != 1 || c->y_sampling != 1)
            return fail(STATUS_USAGE,
                        "%s: its channel '%s' has a value for %d x %d pixels, which is not read, "
                        "of %s; %s",
                        name, c->name.str, c->x_sampling, c->y_sampling, list_channels(all, text),
                        remedy(opts, "--channels chooses others"));
    }
    return STATUS_DONE;
}

#endif
