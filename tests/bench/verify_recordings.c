/* SPDX-License-Identifier: MIT */
#include "recordings.h"
#include "status.h"

/* Finds the first wrong word of the results, and its expected value. Returns false if all words are
 * right. */
static bool find_wrong(const recordings *r, const recording *entry, const uint32_t *found,
                       uint64_t *at, uint32_t *wanted)
{
    const uint64_t step = r->slot / 4;
    const bool of_windows = entry->shape == RECORDING_WINDOWS;
    const uint64_t inputs =
        of_windows ? (uint64_t)RECORDING_WINDOW / 4 * entry->count : entry->count;
    uint32_t value = r->words[0];
    uint64_t kept = 0;
    for (uint64_t i = 0; i < inputs; i++) {
        *at = entry->shape == RECORDING_CHAINED ? step * (i + 1) : step * i;
        if (entry->shape == RECORDING_CHAINED)
            value += r->words[step * i + 1];
        else
            value = of_windows ? r->words[i] : r->words[step * i] + r->words[step * i + 1];
        if (of_windows && value < RECORDING_KEPT_FROM)
            continue;
        *at = of_windows ? kept++ : *at;
        *wanted = value;
        if (found[*at] != value)
            return true;
    }
    *at = kept; /* nothing is written past what a compaction keeps */
    *wanted = r->words[kept];
    return of_windows && kept < inputs && found[kept] != *wanted;
}

void recordings_verify(uint32_t *found, const recordings *r, recording *entry)
{
    uint64_t at;
    uint32_t wanted;
    entry->verdict = find_wrong(r, entry, found, &at, &wanted) ? VERDICT_NO : VERDICT_YES;
    if (entry->verdict == VERDICT_NO)
        (void)fail(STATUS_DIFFERENCE, "%s: word %llu is %u; the scalar reference gives %u",
                   entry->name, (unsigned long long)at, found[at], wanted);
}
