/* SPDX-License-Identifier: MIT */
/* Linked with --wrap for each function below: spoils one word of every output before it is
 * verified, which shows that all outputs are verified. */
#include "array.h"
#include "busy.h"
#include "histograms.h"
#include "images.h"
#include "moves.h"
#include "ordered.h"
#include "recordings.h"
#include "status.h"
#include "windows.h"

void __wrap_verify_moved(const bench *b, row *r);
void __real_verify_moved(const bench *b, row *r);

/* Spoils, in turns, the first word, the one at a twentieth of the elements, and the last one, which
 * is the count of a compaction and the last value of all others. */
void __wrap_verify_moved(const bench *b, row *r)
{
    static uint32_t turn;
    const VkDeviceSize last = moves_size(r->arm, r->n) / 4 - 1;
    const VkDeviceSize places[] = {0, r->n / 20 < last ? r->n / 20 : last, last};
    uint32_t *words = b->copied.data;
    words[places[turn++ % COUNT_OF(places)]] ^= 0x40000000u;
    __real_verify_moved(b, r);
}

bool __wrap_busy_judges(const bench *b);

bool __wrap_busy_judges(const bench *b)
{
    return b->settings.busy > 0;
}

int __wrap_busy_read_empty(const bench *b, double *ns);

/* Pretends that the clock is low now and then: 1,008 ns are 1.5 times the least time. */
int __wrap_busy_read_empty(const bench *b, double *ns)
{
    static const double times[] = {672.0, 1009.0, 672.0, 1008.0, 1312.0};
    static uint32_t turn;
    *ns = b->busy != NULL ? times[turn++ % COUNT_OF(times)] : 0.0;
    return STATUS_DONE;
}

void __wrap_windows_verify(const bench *b, row *r);
void __real_windows_verify(const bench *b, row *r);

/* Spoils, in turns, the subgroup size, the first sum, the one in the middle, and the last one. */
void __wrap_windows_verify(const bench *b, row *r)
{
    static uint32_t turn;
    const uint32_t left = windows_count(r), places[] = {0, 0, left / 2, left - 1};
    const uint32_t place = turn++ % COUNT_OF(places), size = vkrTypeSize(r->arm->type);
    unsigned char *bytes = b->copied.data;
    if (place == 0)
        bytes[0] = 1;
    else
        bytes[WINDOW_HEAD + (size_t)size * places[place]] ^= 1;
    __real_windows_verify(b, r);
}

void __wrap_recordings_verify(uint32_t *found, const recordings *r, recording *entry);
void __real_recordings_verify(uint32_t *found, const recordings *r, recording *entry);

/* Spoils the result of the first operation of a chain, or of the second operation of any other
 * recording. */
void __wrap_recordings_verify(uint32_t *found, const recordings *r, recording *entry)
{
    found[r->slot / 4] ^= 1;
    __real_recordings_verify(found, r, entry);
}

void __wrap_images_verify(const bench *b, row *r);
void __real_images_verify(const bench *b, row *r);

/* Spoils the first word: a number from 0 to 1 becomes one below 0. */
void __wrap_images_verify(const bench *b, row *r)
{
    uint32_t *words = b->copied.data;
    words[0] ^= 0xc0000000u;
    __real_images_verify(b, r);
}

void __wrap_histograms_verify(const bench *b, row *r);
void __real_histograms_verify(const bench *b, row *r);

/* Spoils the first count. */
void __wrap_histograms_verify(const bench *b, row *r)
{
    uint32_t *words = b->copied.data;
    words[0] ^= 1u;
    __real_histograms_verify(b, r);
}

void __wrap_ordered_verify(const bench *b, row *r);
void __real_ordered_verify(const bench *b, row *r);

/* Spoils the first byte of, in turns, each output. */
void __wrap_ordered_verify(const bench *b, row *r)
{
    static uint32_t turn;
    unsigned char *bytes = b->copied.data;
    ordered_part part;
    do
        part = (ordered_part)(turn++ % ORDERED_PARTS);
    while (ordered_part_size(r->arm, r->n, part) == 0);
    bytes[ordered_part_start(r->arm, r->n, part)] ^= 0x40;
    __real_ordered_verify(b, r);
}
