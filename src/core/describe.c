/* SPDX-License-Identifier: MIT */
/* Describes what a recorder has collected, for people (vkrDescribe). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "layout.h"
#include "message.h"
#include "recorder.h"
#include "schedule.h"
#include "unpack.h"
#include "vkreduce/testing.h"

#define COLUMNS 80u    /* after which a list goes on in another line */
#define MAX_LINE 512u  /* longer lines are cut off */
#define MAX_LABEL 160u /* likewise */

/* ---- Lines ---- */

typedef struct writer {
    PFN_vkrLine line;
    void *data;
    size_t length;
    char text[MAX_LINE];
} writer;

static void put(writer *w, const char *format, ...) VKR_PRINTF(2, 3);

static void put(writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(w->text + w->length, MAX_LINE - w->length, format, arguments);
    va_end(arguments);
    if (length > 0)
        w->length += (size_t)length;
    if (w->length >= MAX_LINE)
        w->length = MAX_LINE - 1;
}

static void end_line(writer *w)
{
    w->line(w->data, w->text);
    w->length = 0;
    w->text[0] = '\0';
}

/* Starts a member of the list `name`; the first one starts its line, too. */
static void start_member(writer *w, const char *name)
{
    if (w->length > COLUMNS)
        end_line(w);
    if (w->length == 0)
        put(w, "    %s:", name);
    put(w, " ");
}

static void end_list(writer *w)
{
    if (w->length > 0)
        end_line(w);
}

/* ---- Names ---- */

/* One of vkr_step::names. */
typedef struct entry {
    uint32_t number;
    const char *name;
    int length;
} entry;

/* The number before a name, which may be a sum; 0 if there is none. */
static uint32_t add_numbers(const char *text, const char *end)
{
    uint32_t sum = 0, number = 0;
    for (; text < end; text++) {
        const bool is_digit = *text >= '0' && *text <= '9';
        sum += is_digit ? 0 : number;
        number = is_digit ? 10 * number + (uint32_t)(*text - '0') : 0;
    }
    return sum;
}

/* Reads the next name of a kind; returns the text after it, or NULL if there is none. */
static const char *next_entry(const char *text, char kind, entry *e)
{
    while (text[0] != '\0' && text[0] != kind)
        text = strchr(text, '\n') + 1;
    if (text[0] == '\0')
        return NULL;
    const char *end = strchr(text, '\n');
    e->name = end;
    while (e->name[-1] != ' ')
        e->name--;
    e->number = add_numbers(text, e->name);
    e->length = (int)(end - e->name);
    return end + 1;
}

/* The name of a kind that has a number; an empty one if there is none. */
static entry find_entry(const vkr_step *step, char kind, uint32_t number)
{
    const char *const texts[] = {step->names, step->shared_names};
    entry e;
    for (uint32_t i = 0; i < 2; i++)
        for (const char *at = next_entry(texts[i], kind, &e); at; at = next_entry(at, kind, &e))
            if (e.number == number)
                return e;
    return (entry){number, "", 0};
}

/* ---- Numbers ---- */

static void put_flags(writer *w, const vkr_step *step, uint32_t flags)
{
    const char *separator = "";
    for (uint32_t bit = 0; bit < 32; bit++) {
        if ((flags >> bit & 1) == 0)
            continue;
        const entry e = find_entry(step, 'f', bit);
        put(w, "%s%.*s", separator, e.length, e.name);
        if (e.length == 0)
            put(w, "%" PRIu32, bit);
        separator = "|";
    }
}

static void put_constants(writer *w, const vkr_step *step)
{
    for (uint32_t i = 0; i < step->variant.constant_count; i++) {
        const uint32_t value = step->variant.constants[i];
        const entry e = find_entry(step, 'c', i);
        if (value == 0)
            continue;
        start_member(w, "constants");
        put(w, "%.*s=", e.length, e.name);
        if (strncmp(e.name, "FLAGS\n", 6) == 0)
            put_flags(w, step, value);
        else
            put(w, "%" PRIu32, value);
    }
    end_list(w);
}

/* Puts the fields that are not 0: the list is "push" or "uniforms", whose first letter is the kind
 * of its names. Returns the number of words that have names. */
static uint32_t put_fields(writer *w, const char *list, const char *names, const uint32_t *words)
{
    entry e;
    uint32_t word = 0;
    for (const char *at = next_entry(names, list[0], &e); at; at = next_entry(at, list[0], &e)) {
        for (uint32_t i = 0; i == 0 || i < e.number; i++, word++) {
            if (words[word] == 0)
                continue;
            start_member(w, list);
            put(w, "%.*s", e.length, e.name);
            if (e.number > 1)
                put(w, "[%" PRIu32 "]", i);
            put(w, "=%" PRIu32, words[word]);
        }
    }
    end_list(w);
    return word;
}

static void put_numbers(writer *w, const vkr_step *step)
{
    put_constants(w, step);
    (void)put_fields(w, "push", step->names, step->push);
    if (step->uniform_size > 0 && put_fields(w, "uniforms", step->names, step->uniforms) == 0)
        (void)put_fields(w, "uniforms", step->shared_names, step->uniforms);
}

/* ---- Memory ---- */

static void put_range(writer *w, VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    const char *region = buffer == VKR_SCRATCH          ? "scratch"
                         : buffer == VKR_COUNTERS       ? "counters"
                         : buffer == VKR_UNIFORM_MEMORY ? "uniforms"
                                                        : NULL;
    if (region)
        put(w, "%s", region);
    else
        put(w, "buffer 0x%" PRIx64, (uint64_t)buffer);
    put(w, " + %" PRIu64 ", %" PRIu64 " bytes", offset, size);
}

static void put_descriptor(writer *w, vkr_kind kind, const vkr_descriptor *bound)
{
    if (kind == VKR_KIND_TEXELS)
        put(w, "buffer view 0x%" PRIx64, (uint64_t)bound->texels);
    else if (kind == VKR_KIND_SAMPLED_IMAGE || kind == VKR_KIND_STORAGE_IMAGE)
        put(w, "image view 0x%" PRIx64, (uint64_t)bound->image.imageView);
    else
        put_range(w, bound->buffer.buffer, bound->buffer.offset, bound->buffer.range);
}

static entry name_of_binding(const vkr_step *step, uint32_t number)
{
    static const char kinds[VKR_KIND_COUNT] = {[VKR_KIND_BUFFER] = 'b',
                                               [VKR_KIND_UNIFORMS] = 'b',
                                               [VKR_KIND_TEXELS] = 't',
                                               [VKR_KIND_SAMPLED_IMAGE] = 'i',
                                               [VKR_KIND_STORAGE_IMAGE] = 'o'};
    return find_entry(step, kinds[step->variant.bindings.kinds[number]], number);
}

static bool is_used(const vkr_step *step, uint32_t number)
{
    const vkr_kind kind = step->variant.bindings.kinds[number];
    const vkr_descriptor *bound = &step->bindings[number];
    return vkr_is_bound(kind, bound) &&
           (kind != VKR_KIND_BUFFER || bound->buffer.buffer != VKR_UNUSED);
}

/* Each binding has a line, but those that this variant of the kernel does not use share one. */
static void put_bindings(writer *w, const vkr_step *step)
{
    const uint8_t *kinds = step->variant.bindings.kinds;
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        if (kinds[i] == VKR_KIND_NONE || !is_used(step, i))
            continue;
        const entry e = name_of_binding(step, i);
        put(w, "    binding %" PRIu32 " %.*s: ", i, e.length, e.name);
        put_descriptor(w, kinds[i], &step->bindings[i]);
        end_line(w);
    }
    for (uint32_t i = 0; i < VKR_MAX_BINDINGS; i++) {
        if (kinds[i] == VKR_KIND_NONE || is_used(step, i))
            continue;
        const entry e = name_of_binding(step, i);
        start_member(w, "unused");
        put(w, "%.*s", e.length, e.name);
    }
    end_list(w);
}

static void put_access(writer *w, const vkr_access *a)
{
    const VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT;
    put(w, "    %s ",
        (a->access & writes) == 0    ? "reads"
        : (a->access & ~writes) == 0 ? "writes"
                                     : "changes");
    if (a->buffer)
        put_range(w, a->buffer, a->offset, a->size);
    else
        put(w, "image 0x%" PRIx64 ", levels %u + %u, layers %u + %u", (uint64_t)a->image,
            a->subresource.baseMipLevel, a->subresource.levelCount, a->subresource.baseArrayLayer,
            a->subresource.layerCount);
    end_line(w);
}

/* ---- Steps ---- */

static void put_step(writer *w, const vkr_step *step, uint32_t index)
{
    put(w, "  step %" PRIu32 ": %s", index, step->call);
    if (step->label)
        put(w, " \"%.*s\"", (int)MAX_LABEL, step->label);
    put(w, ": %s%s, ", vkr_kernel_name(step->variant.kernel),
        step->variant.function ? " with a function" : "");
    if (step->indirect.buffer) {
        put(w, "workgroups from ");
        put_range(w, step->indirect.buffer, step->indirect.offset,
                  sizeof(VkDispatchIndirectCommand));
    } else {
        put(w, "%" PRIu32 " x %" PRIu32 " workgroups", step->groups[0], step->groups[1]);
    }
    end_line(w);
    put_numbers(w, step);
    put_bindings(w, step);
    for (uint32_t i = 0; i < step->access_count; i++)
        put_access(w, &step->accesses[i]);
}

static void put_barrier(writer *w, const vkr_barrier *b)
{
    const bool fill = (b->src_stages & VK_PIPELINE_STAGE_TRANSFER_BIT) != 0;
    const bool steps = (b->src_stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) != 0;
    if (b->src_stages == 0)
        return;
    put(w, "barrier: %s%s%s -> compute(read|write)%s%s", fill ? "transfer(write)" : "",
        fill && steps ? ", " : "", steps ? "compute(write)" : "",
        b->dst_access & VK_ACCESS_UNIFORM_READ_BIT ? ", compute(uniform)" : "",
        b->dst_access & VK_ACCESS_INDIRECT_COMMAND_READ_BIT ? ", indirect(read)" : "");
    end_line(w);
}

static void put_opening(writer *w, const struct VkrRecorder_T *recorder, uint32_t levels)
{
    const vkr_mark *now = &recorder->now;
    put(w, "steps: %" PRIu32 ", levels: %" PRIu32, now->steps, levels);
    end_line(w);
    put(w, "memory: scratch has %" PRIu64 " bytes, counters have %" PRIu64, now->scratch,
        now->counters);
    end_line(w);
    if (now->counters == 0)
        return;
    put(w, vkr_has_tickets(recorder) ? "no fill: " : "fill: ");
    put_range(w, VKR_COUNTERS, 0, now->counters);
    put(w, vkr_has_tickets(recorder)
               ? ", are 0 at first; a barrier orders them at the end, or, "
                 "without a consumer or with the caller's scratch, at the start"
               : ", with 0");
    end_line(w);
}

static void describe(const struct VkrRecorder_T *recorder, const vkr_schedule *schedule, writer *w)
{
    const vkr_step *steps = recorder->steps;
    const uint32_t count = recorder->now.steps, *order = schedule->order;
    const vkr_access counters = {.buffer = VKR_COUNTERS,
                                 .size = vkr_has_tickets(recorder) ? 0 : recorder->now.counters};
    const uint32_t counter_level = vkr_first_level_of(steps, count, &counters);
    put_opening(w, recorder, schedule->levels);
    for (uint32_t i = 0; i < count; i++) {
        const vkr_step *step = &steps[order[i]];
        if (i == 0 || step->level != steps[order[i - 1]].level) {
            const vkr_barrier before =
                vkr_barrier_before(steps, order + i, count - i, counter_level);
            put_barrier(w, &before);
            put(w, "level %" PRIu32, step->level);
            end_line(w);
        }
        put_step(w, step, order[i]);
    }
}

VkrResult vkrDescribe(VkrRecorder recorder, PFN_vkrLine line, void *data)
{
    VKR_TRY(vkr_check_collecting(recorder, "vkrDescribe"));
    if (!line) {
        return vkr_fail(recorder->context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrDescribe: line is NULL, but must point to a function.");
    }
    const uint32_t count = recorder->now.steps;
    VKR_TRY(vkr_reserve_memory(recorder, "vkrDescribe", vkr_levels_size(recorder->steps, count)));
    const vkr_schedule schedule = vkr_assign_levels(recorder->steps, count, recorder->memory);
    writer w = {.line = line, .data = data};
    describe(recorder, &schedule, &w);
    return VKR_SUCCESS;
}
