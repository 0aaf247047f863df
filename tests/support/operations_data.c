/* SPDX-License-Identifier: MIT */
/* What the rows read, as the host sees it. */
#include "operations_data.h"

#include <string.h>

const uint32_t *operation_other_words(const operation_data *data, size_t offset)
{
    return (const uint32_t *)(const void *)((const char *)data->others + offset);
}

const void *operation_slot(const operation_run *r, const operation_data *data, uint32_t slot)
{
    return (const char *)data->target + slot * r->slot;
}

bool operation_is_word(const char *at, VkDeviceSize offset, uint32_t right)
{
    return memcmp(at + offset, &right, sizeof right) == 0;
}

uint32_t operation_counted(const operation_run *r, const operation_row *row,
                           const operation_data *data)
{
    const uint32_t count = operation_other_words(data, OPERATION_COUNT_AT)[0];
    return row->more && count < r->count ? count : r->count;
}

/* ---- Data ---- */

static uint32_t random_word(uint32_t seed, uint32_t i)
{
    uint32_t word = (i + 1) * 2654435761u + seed * 40503u;
    word = (word ^ word >> 15) * 2246822519u;
    return word ^ word >> 13;
}

void operation_fill(const operation_run *r, uint32_t seed, uint32_t *source, void *others)
{
    const operation_data data = {.others = others};
    uint32_t *offsets = (uint32_t *)(uintptr_t)operation_other_words(&data, OPERATION_OFFSETS_AT);
    uint32_t *labels = (uint32_t *)(uintptr_t)operation_other_words(&data, OPERATION_LABELS_AT);
    uint32_t *keys = (uint32_t *)(uintptr_t)operation_other_words(&data, OPERATION_KEYS_AT);
    uint8_t *flags = (uint8_t *)others + OPERATION_FLAGS_AT;
    const uint32_t offset_count = r->count < 1000 ? 2 : 1000;
    const uint32_t count = r->count - r->count / 8 * (seed % 3);
    const uint32_t initial[] = {random_word(seed, 7) | 1, random_word(seed, 8)};
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t word = random_word(seed, i);
        source[i] = word % 50;
        labels[i] = ~word;
        flags[i] = word >> 9 & 7 ? 0 : 1 + (i & 63);
        keys[i] = i == 0 ? seed % 3 : keys[i - 1] + (word >> 17 & 3 ? 0 : 1);
    }
    for (uint32_t k = 0; k < offset_count; k++)
        offsets[k] = (uint32_t)((uint64_t)r->count * (k & ~3u) / (offset_count - 1));
    offsets[offset_count - 1] = r->count;
    memcpy((char *)others + OPERATION_COUNT_AT, &count, sizeof count);
    memcpy((char *)others + OPERATION_INITIAL_AT, initial, sizeof initial);
}

/* ---- Segments ---- */

static uint32_t end_of_run(const uint32_t *keys, uint32_t first, uint32_t count)
{
    uint32_t i = first + 1;
    while (i < count && keys[i] == keys[first])
        i++;
    return i;
}

bool operation_next_segment(const operation_run *r, const operation_row *row,
                            const operation_data *data, uint32_t index, operation_span *s)
{
    const VkrSegments segments = operation_segments(r, row);
    const uint32_t length = (uint32_t)segments.length, n = operation_counted(r, row, data);
    const uint32_t *offsets = operation_other_words(data, OPERATION_OFFSETS_AT);
    switch (row->segments) {
    case VKR_SEGMENTS_ROWS:
        *s = (operation_span){index * length, 1, length};
        return index < n / length;
    case VKR_SEGMENTS_COLUMNS:
        *s = (operation_span){index, length, n / length};
        return index < length;
    case VKR_SEGMENTS_WINDOWS:
        *s = (operation_span){index, 1, length};
        return index + length <= n;
    case VKR_SEGMENTS_OFFSETS:
        if (index + 1 >= segments.offsets.size / 4)
            return false;
        *s = (operation_span){offsets[index], 1, offsets[index + 1] - offsets[index]};
        return true;
    case VKR_SEGMENTS_KEYS:
        *s = (operation_span){s->first + s->count, 1, 0};
        if (s->first >= n)
            return false;
        s->count =
            end_of_run(operation_other_words(data, OPERATION_KEYS_AT), s->first, n) - s->first;
        return true;
    default:
        *s = (operation_span){0, 1, n};
        return index == 0;
    }
}

bool operation_starts_at(const operation_run *r, const operation_row *row,
                         const operation_data *data, uint32_t i)
{
    const VkrSegments segments = operation_segments(r, row);
    const uint8_t *flags = (const uint8_t *)data->others + OPERATION_FLAGS_AT;
    const uint32_t *keys = operation_other_words(data, OPERATION_KEYS_AT);
    const uint32_t *offsets = operation_other_words(data, OPERATION_OFFSETS_AT);
    uint32_t k = 0;
    switch (row->segments) {
    case VKR_SEGMENTS_FLAGS:
        return i == 0 || (row->detail == VKR_FLAGS_BITS ? flags[i / 8] >> i % 8 & 1 : flags[i]);
    case VKR_SEGMENTS_ROWS:
        return i % segments.length == 0;
    case VKR_SEGMENTS_OFFSETS:
        while (k < segments.offsets.size / 4 && offsets[k] < i)
            k++;
        return i == 0 || (k < segments.offsets.size / 4 && offsets[k] == i);
    case VKR_SEGMENTS_KEYS:
        return i == 0 || keys[i] != keys[i - 1];
    default:
        return i == 0;
    }
}
