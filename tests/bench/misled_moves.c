/* SPDX-License-Identifier: MIT */
/* Linked with --wrap=verify_moved: spoils one word of what each copy, scan and compaction left
 * before it is looked at, so that all of them are known to be verified. */
#include "parts.h"

void __wrap_verify_moved(const bench *b, row *r);
void __real_verify_moved(const bench *b, row *r);

/* In turns: the first word, one among the first tenth, the last one. The last word of a compaction
 * is its count; of all else the last value. */
void __wrap_verify_moved(const bench *b, row *r)
{
    static uint32_t turn;
    const VkDeviceSize last = moves_size(r->arm, r->n) / 4 - 1;
    const VkDeviceSize places[] = {0, r->n / 20, last};
    uint32_t *words = b->copied.map;
    words[places[turn++ % COUNT_OF(places)]] ^= 0x40000000u;
    __real_verify_moved(b, r);
}
