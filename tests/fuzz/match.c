/* SPDX-License-Identifier: MIT */
/* What the sample match reads besides arrays: known matches from a file, and the numbers of
 * random:QUERIES:TRAIN:SEED. The first byte chooses between them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match.h"
#include "said.h"

#define MAX_ITEM_COUNT 4096u /* random descriptors */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* Known matches must be in order, name descriptors that exist, and be found again. */
static void check_known(const match_data *d)
{
    for (uint32_t i = 0; i < d->known_count; i++) {
        const match_pair pair = d->known[i];
        EXPECT(pair.query < d->counts[QUERY] && pair.train < d->counts[TRAIN], "(%u, %u)",
               pair.query, pair.train);
        EXPECT(match_is_known(d, pair), "pair %u is not found", i);
        EXPECT(i == 0 || d->known[i - 1].query <= pair.query, "pair %u is out of order", i);
    }
}

static void try_known(const fuzz_bytes *bytes)
{
    char *operands[] = {(char[]){"queries"}, (char[]){"train"}};
    const match_options opts = {.operands = operands,
                                .operand_count = SIDES,
                                .known = fuzz_file(bytes->at, bytes->left, ".npy")};
    match_data d = {.counts = {5, 200}};
    for (int i = 0; i < SIDES; i++)
        d.sides[i] = (input){.name = operands[i],
                             .source = SOURCE_RANDOM,
                             .file = -1,
                             .type = VKR_TYPE_U64,
                             .components = 1,
                             .size = (uint64_t)d.counts[i] * DESCRIPTOR};
    if (said_right(match_data_load(&d, &opts)))
        check_known(&d);
    match_data_close(&d);
}

/* The counts must be the numbers in the text. */
static void check_counts(const match_data *d, const char *text)
{
    char again[64];
    const size_t zeros = strspn(text, "0");
    const int length = snprintf(again, sizeof again, "%u:%u", d->counts[QUERY], d->counts[TRAIN]);
    EXPECT(zeros > 0 || strchr(text, ':')[1] == '0' || strncmp(text, again, (size_t)length) == 0,
           "'%s' is read as '%s'", text, again);
}

static void try_random(const fuzz_bytes *bytes)
{
    static const char start[] = "random:";
    char *text = fuzz_text(bytes);
    char *operand = malloc(strlen(start) + strlen(text) + 1);
    EXPECT(operand != NULL, "no memory");
    memcpy(operand, start, strlen(start));
    strcpy(operand + strlen(start), text);
    const match_options opts = {.operands = &operand, .operand_count = 1, .threshold = 20};
    match_data d;
    const bool opened = said_right(match_data_open(&d, &opts));
    if (opened)
        check_counts(&d, text);
    if (opened && d.counts[QUERY] <= MAX_ITEM_COUNT && d.counts[TRAIN] <= MAX_ITEM_COUNT &&
        said_right(match_data_load(&d, &opts)))
        check_known(&d);
    match_data_close(&d);
    free(operand);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    const bool is_file = fuzz_below(&bytes, 2) == 0;
    said_nothing();
    (is_file ? try_known : try_random)(&bytes);
    return 0;
}
