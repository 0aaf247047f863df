/* SPDX-License-Identifier: MIT */
/* Recordings as text that repeats them, and as C; and how wrong ones become small. */
#include "engine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- To text ---- */

static void add_number(test_line *line, const char *name, uint64_t number)
{
    const size_t used = strlen(line->text);
    snprintf(line->text + used, sizeof(line->text) - used, "%s%s=%" PRIu64, used != 0 ? " " : "",
             name, number);
}

static void add_word(test_line *line, const char *word)
{
    const size_t used = strlen(line->text);
    snprintf(line->text + used, sizeof(line->text) - used, "%s%s", used != 0 ? " " : "", word);
}

static void add_request(const test_request *t, test_line *line)
{
    add_word(line, t->of->name);
    for (uint32_t i = 0; i < MAX_AXES && t->of->axes[i].name != NULL; i++)
        if (t->axes[i] != 0)
            add_number(line, t->of->axes[i].name, t->axes[i]);
    if (t->fixed != 0)
        add_number(line, "fixed", t->fixed);
    add_number(line, "seed", t->seed);
    if (t->layout != 0)
        add_number(line, "layout", t->layout);
    if (t->most != TEST_ANY)
        add_number(line, "most", t->most);
}

void test_describe(const test_recording *r, test_line *line)
{
    line->text[0] = '\0';
    if (r->chain)
        add_word(line, "chain");
    if (r->linked)
        add_word(line, "linked");
    if (r->split != 0)
        add_number(line, "split", r->split);
    if (r->passes > 1)
        add_number(line, "passes", r->passes);
    for (uint32_t i = 0; i < r->count; i++) {
        if (i != 0)
            add_word(line, "+");
        add_request(&r->requests[i], line);
    }
}

/* ---- From text ---- */

static const test_operation *find_operation(const char *name, const test_operation *const *all)
{
    while (*all != NULL && strcmp((*all)->name, name) != 0)
        all++;
    return *all;
}

/* Sets what a request's word names. */
static bool set_number(test_request *t, const char *name, uint64_t number)
{
    for (uint32_t i = 0; i < MAX_AXES && t->of->axes[i].name != NULL; i++) {
        if (strcmp(t->of->axes[i].name, name) == 0) {
            t->axes[i] = (uint32_t)number;
            return number < t->of->axes[i].values;
        }
    }
    if (strcmp(name, "seed") == 0)
        t->seed = number;
    else if (strcmp(name, "layout") == 0)
        t->layout = (uint32_t)number;
    else if (strcmp(name, "most") == 0)
        t->most = (uint32_t)number;
    else if (strcmp(name, "fixed") == 0)
        t->fixed = (uint32_t)number;
    else
        return false;
    return true;
}

static bool take_word(const char *word, const test_operation *const *all, test_recording *r)
{
    char name[64];
    uint64_t number;
    const test_operation *of = find_operation(word, all);
    if (strcmp(word, "+") == 0)
        return r->count != 0;
    if (strcmp(word, "chain") == 0)
        return r->chain = true;
    if (strcmp(word, "linked") == 0)
        return r->linked = true;
    if (of != NULL && r->count < TEST_TOGETHER) {
        r->requests[r->count++] = (test_request){.of = of, .most = TEST_ANY};
        return true;
    }
    if (sscanf(word, "%63[^=]=%" SCNu64, name, &number) != 2)
        return false;
    if (r->count != 0)
        return set_number(&r->requests[r->count - 1], name, number);
    if (strcmp(name, "split") == 0)
        r->split = (uint32_t)number;
    else if (strcmp(name, "passes") == 0)
        r->passes = (uint32_t)number;
    else
        return false;
    return true;
}

static bool is_whole(const test_recording *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const test_request *t = &r->requests[i];
        const uint32_t group = t->fixed == 0 ? 0 : (t->fixed - 1) % TEST_FIXED;
        const bool exists =
            t->fixed == 0 || (t->of->fixed[group].name != NULL &&
                              (t->fixed - 1) / TEST_FIXED < t->of->fixed[group].count);
        if (!exists || (t->fixed == 0 && !t->of->valid(&rig.device, t->axes))) {
            printf("# request %u, of %s, is not valid on this device\n", i, t->of->name);
            return false;
        }
    }
    return r->count != 0 && r->split < r->count;
}

bool test_parse(const char *text, const test_operation *const *all, test_recording *r)
{
    *r = (test_recording){.passes = 1};
    while (*text != '\0') {
        char word[128];
        const size_t length = strcspn(text, " ");
        if (length >= sizeof(word))
            return false;
        memcpy(word, text, length);
        word[length] = '\0';
        if (length != 0 && !take_word(word, all, r)) {
            printf("# \"%s\" is neither an operation nor a choice with one of its values\n", word);
            return false;
        }
        text += length + (text[length] == ' ');
    }
    return is_whole(r);
}

/* ---- Smaller ---- */

#define TRIES 80u

/* Keeps a change if the recording stays wrong. */
static bool keeps(test_recording *r, const test_recording *changed, uint32_t *tries)
{
    static test_recording now;
    if (*tries == 0)
        return false;
    --*tries;
    now = *changed;
    for (uint32_t i = 0; i < now.count; i++)
        if (now.requests[i].fixed == 0 &&
            !now.requests[i].of->valid(&rig.device, now.requests[i].axes))
            return false;
    if (test_run(&now, false) != TEST_WRONG)
        return false;
    *r = *changed;
    return true;
}

static bool drop_requests(test_recording *r, uint32_t *tries)
{
    static test_recording less;
    bool any = false;
    for (uint32_t i = 0; i < r->count && r->count > 1;) {
        less = *r;
        less.count--;
        for (uint32_t k = i; k < less.count; k++)
            less.requests[k] = r->requests[k + 1];
        if (less.split > i || less.split == less.count)
            less.split -= less.split != 0;
        if (keeps(r, &less, tries))
            any = true;
        else
            i++;
    }
    return any;
}

static bool simplify(test_recording *r, uint32_t *tries)
{
    static test_recording less;
    bool any = false;
    less = *r;
    less.split = 0;
    any |= r->split != 0 && keeps(r, &less, tries);
    less = *r;
    less.passes = 1;
    any |= r->passes > 1 && keeps(r, &less, tries);
    less = *r;
    less.linked = false;
    any |= r->linked && keeps(r, &less, tries);
    return any;
}

static bool lower_axes(test_recording *r, uint32_t *tries)
{
    static test_recording less;
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++) {
        for (uint32_t axis = 0; axis < MAX_AXES; axis++) {
            if (r->requests[i].axes[axis] == 0)
                continue;
            less = *r;
            less.requests[i].axes[axis] = 0;
            any |= keeps(r, &less, tries);
        }
    }
    return any;
}

static bool lower_sizes(test_recording *r, uint32_t *tries)
{
    static test_recording less;
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t most = r->requests[i].most;
        most = most == TEST_ANY ? 1u << 20 : most / 2;
        for (; most != 0; most /= 2) {
            less = *r;
            less.requests[i].most = most;
            if (!keeps(r, &less, tries))
                break;
            any = true;
        }
    }
    return any;
}

void test_shrink(test_recording *r)
{
    uint32_t tries = TRIES;
    bool smaller = true;
    while (smaller) {
        smaller = drop_requests(r, &tries);
        smaller |= simplify(r, &tries);
        smaller |= lower_sizes(r, &tries);
        smaller |= lower_axes(r, &tries);
    }
}

/* ---- As C ---- */

static void print_type(VkrType type)
{
    printf(".type = VKR_TYPE_");
    for (const char *c = vkrTypeName(type); *c != '\0'; c++)
        printf("%c", toupper((unsigned char)*c));
}

static const char *buffer_name(VkBuffer buffer)
{
    return buffer == rig.written.buffer.buffer ? "written" : "given";
}

void test_print_range(const char *name, const VkrBufferRange *range)
{
    if (range->buffer != VK_NULL_HANDLE)
        printf("#     .%s = {%s, %" PRIu64 ", %" PRIu64 "},\n", name, buffer_name(range->buffer),
               range->offset, range->size);
}

void test_print_view(const char *name, const VkrView *view)
{
    if (view->buffer == VK_NULL_HANDLE)
        return;
    printf("#     .%s = {.buffer = %s, .offset = %" PRIu64 ", .size = %" PRIu64 ", ", name,
           buffer_name(view->buffer), view->offset, view->size);
    print_type(view->type);
    printf(", .components = %u, .stride = %" PRIu64 "%s},\n", view->components, view->stride,
           view->map != NULL ? ", .map = &map" : "");
}

void test_print_count(const char *name, const VkrGpuCount *count)
{
    if (count->buffer == VK_NULL_HANDLE)
        return;
    printf("#     .%s = {%s, %" PRIu64 ", ", name, buffer_name(count->buffer), count->offset);
    print_type(count->type);
    printf("},\n");
}

void test_print_payloads(uint32_t count, const VkrPayload *payloads)
{
    if (count == 0)
        return;
    printf("#     .payloadCount = %u, .payloads = (const VkrPayload[]){\n", count);
    for (uint32_t i = 0; i < count; i++) {
        const VkrPayload *p = &payloads[i];
        printf("#     {.size = %u, .sourceStride = %" PRIu64 ", .targetStride = %" PRIu64 ",\n",
               p->size, p->sourceStride, p->targetStride);
        test_print_range("source", &p->source);
        test_print_range("target", &p->target);
        printf("#     },\n");
    }
    printf("#     },\n");
}

void test_print_segments(const VkrSegments *segments)
{
    static const char *const kinds[] = {
        [VKR_SEGMENTS_NONE] = "NONE",       [VKR_SEGMENTS_FLAGS] = "FLAGS",
        [VKR_SEGMENTS_ROWS] = "ROWS",       [VKR_SEGMENTS_OFFSETS] = "OFFSETS",
        [VKR_SEGMENTS_COLUMNS] = "COLUMNS", [VKR_SEGMENTS_WINDOWS] = "WINDOWS",
        [VKR_SEGMENTS_TILES] = "TILES",     [VKR_SEGMENTS_KEYS] = "KEYS"};
    if (segments->kind == VKR_SEGMENTS_NONE)
        return;
    printf("#     .segments = {.kind = VKR_SEGMENTS_%s, .length = %" PRIu64 ", .pitch = %" PRIu64
           ", .offsets = {given, %" PRIu64 ", %" PRIu64 "}, ",
           kinds[segments->kind], segments->length, segments->pitch, segments->offsets.offset,
           segments->offsets.size);
    printf(".offsetType = %u, .flags.format = %u},\n", (uint32_t)segments->offsetType,
           (uint32_t)segments->flags.format);
    test_print_count("segments.gpuCount", &segments->gpuCount);
    test_print_range("segments.flags.range", &segments->flags.range);
    test_print_view("segments.keys", &segments->keys);
}

void test_print_predicate(const VkrPredicate *p)
{
    printf("#     .predicate = {.kind = %u, .negate = %u, .component = %u, .compare = %u, "
           ".compare2 = %u, .a.u = %#" PRIx64 ", .b.u = %#" PRIx64 ",\n",
           (uint32_t)p->kind, p->negate, p->component, (uint32_t)p->compare, (uint32_t)p->compare2,
           p->a.u, p->b.u);
    test_print_range("gpuConstants", &p->gpuConstants);
    printf("#     .mask = %#" PRIx64 ", .value = %#" PRIx64 ", .flags.format = %u,\n", p->mask,
           p->value, (uint32_t)p->flags.format);
    test_print_range("flags.range", &p->flags.range);
    printf("#     },\n");
}

void test_print_number(const char *name, uint64_t number)
{
    if (number != 0)
        printf("#     .%s = %" PRIu64 ",\n", name, number);
}
