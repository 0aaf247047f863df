/* SPDX-License-Identifier: MIT */
/* Descriptors from files or generated, their known matches, and the neighbours computed in plain
 * C. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "match.h"
#include "input/number.h"

#define NPY ".npy"

/* ---- Files ---- */

/* Opens a .npy file, and checks that it has rows of one type. */
static int open_rows(input *in, const char *name, VkrType type, uint64_t columns, const char *what)
{
    const size_t length = strlen(name);
    if (length < strlen(NPY) || strcasecmp(name + length - strlen(NPY), NPY) != 0)
        return fail(STATUS_USAGE,
                    "'%s' is not a " NPY " file; %s must be in one, as an array of (n, %u) %s",
                    name, what, (unsigned)columns, vkrTypeName(type));
    int status = input_open(in, name, &(input_options){.role = INPUT_OF_OPTION});
    if (status != STATUS_DONE || (in->type == type && in->columns == columns))
        return status;
    if (in->dimensions != 2)
        return fail(STATUS_USAGE,
                    "%s: its array of %s has %u dimension%s; %s must be one of (n, %u) %s", name,
                    vkrTypeName(in->type), in->dimensions, in->dimensions == 1 ? "" : "s", what,
                    (unsigned)columns, vkrTypeName(type));
    return fail(STATUS_USAGE, "%s: its array is one of (n, %llu) %s; %s must be one of (n, %u) %s",
                name, (unsigned long long)in->columns, vkrTypeName(in->type), what,
                (unsigned)columns, vkrTypeName(type));
}

/* Loads all values of a file into memory. */
static int load(input *in)
{
    unsigned char *memory = malloc((size_t)in->size + 1);
    if (memory == NULL)
        return fail(STATUS_VULKAN, "%s: there is no memory for its %llu bytes", in->name,
                    (unsigned long long)in->size);
    int status = input_read(in, 0, (size_t)in->size, memory);
    input_use_memory(in, memory, in->size);
    return status;
}

static int compare_pairs(const void *left, const void *right)
{
    const match_pair *a = left, *b = right;
    if (a->query != b->query)
        return a->query < b->query ? -1 : 1;
    return (a->train > b->train) - (a->train < b->train);
}

static int load_known(match_data *d, const char *name)
{
    input in = {.file = -1};
    int status = open_rows(&in, name, VKR_TYPE_U32, 2, "known matches");
    if (status == STATUS_DONE)
        status = load(&in);
    if (status == STATUS_DONE) {
        d->known = (match_pair *)in.memory;
        d->known_count = (uint32_t)(in.size / sizeof *d->known);
        in.memory = NULL;
    }
    for (uint32_t i = 0; status == STATUS_DONE && i < d->known_count; i++)
        if (d->known[i].query >= d->counts[QUERY] || d->known[i].train >= d->counts[TRAIN])
            status = fail(STATUS_USAGE,
                          "%s: its row %u is (%u, %u); it must be below (%u, %u), the numbers of "
                          "descriptors",
                          name, i, d->known[i].query, d->known[i].train, d->counts[QUERY],
                          d->counts[TRAIN]);
    if (status == STATUS_DONE)
        qsort(d->known, d->known_count, sizeof *d->known, compare_pairs);
    input_close(&in);
    return status;
}

/* ---- Made up ---- */

static int open_random(match_data *d, const char *name)
{
    char text[80];
    uint64_t numbers[3] = {0, 0, 0}; /* the seed is the last one */
    int length = snprintf(text, sizeof text, "%s", name + strlen("random:"));
    bool good = length >= 0 && (size_t)length < sizeof text;
    uint32_t count = 0;
    for (char *at = text; good && at != NULL; count++) {
        char *colon = strchr(at, ':');
        if (colon != NULL)
            *colon++ = '\0';
        good = count < 3 && parse_number(at, 0, count < 2 ? NONE - 1 : UINT64_MAX, &numbers[count]);
        at = colon;
    }
    if (!good || count < 2)
        return fail(STATUS_USAGE,
                    "'%s' must be random:QUERIES:TRAIN or random:QUERIES:TRAIN:SEED with whole "
                    "numbers: QUERIES and TRAIN below %u, SEED at most %llu",
                    name, NONE, (unsigned long long)UINT64_MAX);
    for (uint32_t i = 0; i < SIDES; i++)
        d->sides[i] = (input){.name = name,
                              .source = SOURCE_RANDOM,
                              .file = -1,
                              .seed = numbers[2] * SIDES + i,
                              .type = VKR_TYPE_U64,
                              .components = 1,
                              .size = numbers[i] * DESCRIPTOR};
    return STATUS_DONE;
}

/* Flips `bits` bits, whose positions depend on the row. */
static void flip(unsigned char *descriptor, uint32_t row, uint32_t bits)
{
    for (uint32_t i = 0; i < bits; i++) {
        const uint32_t at = (row * 41u + i * 29u) % (8 * DESCRIPTOR);
        descriptor[at / 8] ^= (unsigned char)(1u << at % 8);
    }
}

/*
 * Writes query i and train descriptors 4 i to 4 i + 3, in one of four ways, which alternate:
 *     0  the query is near one of them                                      a match
 *     1  at 0 bits from one and at the threshold from another               no match
 *     2  the same with one bit more                                         a match
 *     3  near two that are the same                                         no match
 */
static void plant_one(uint32_t i, uint32_t threshold, unsigned char *query, unsigned char *train)
{
    const uint32_t kind = i % 4;
    unsigned char *other = train + 3 * DESCRIPTOR;
    memcpy(query, train, DESCRIPTOR);
    flip(query, i, kind == 0 ? 40 : kind == 3 ? 5 : 0);
    if (kind != 0)
        memcpy(other, train, DESCRIPTOR);
    if (kind == 1 || kind == 2)
        flip(other, i, threshold + kind - 1);
}

static int plant(match_data *d)
{
    const uint32_t blocks =
        d->counts[QUERY] < d->counts[TRAIN] / 4 ? d->counts[QUERY] : d->counts[TRAIN] / 4;
    unsigned char *query = d->sides[QUERY].memory, *train = d->sides[TRAIN].memory;
    d->has_known = true;
    d->known = malloc((blocks + 1) * sizeof *d->known);
    if (d->known == NULL)
        return fail(STATUS_VULKAN, "there is no memory for %u known matches", blocks);
    for (uint32_t i = 0; i < blocks; i++, query += DESCRIPTOR, train += 4 * DESCRIPTOR) {
        plant_one(i, d->threshold, query, train);
        if (i % 2 == 0)
            d->known[d->known_count++] = (match_pair){i, 4 * i};
    }
    return STATUS_DONE;
}

/* ---- All of it ---- */

static bool is_random(const match_options *opts)
{
    return strncmp(opts->operands[0], "random:", strlen("random:")) == 0;
}

int match_data_open(match_data *d, const match_options *opts)
{
    int status = STATUS_DONE;
    const uint32_t operands = opts->operand_count;
    *d = (match_data){.sides = {{.file = -1}, {.file = -1}}};
    d->threshold = (uint32_t)opts->threshold;
    if (operands == 0 || operands != (is_random(opts) ? 1u : SIDES))
        return fail(STATUS_USAGE,
                    "there %s %u operand%s; match takes QUERIES.npy TRAIN.npy or "
                    "random:QUERIES:TRAIN[:SEED]; see match --help",
                    operands == 1 ? "is" : "are", operands, operands == 1 ? "" : "s");
    if (is_random(opts) && opts->known != NULL)
        return fail(STATUS_USAGE, "--known is for files; random descriptors have their own");
    if (is_random(opts))
        status = open_random(d, opts->operands[0]);
    for (uint32_t i = 0; i < SIDES && status == STATUS_DONE; i++) {
        if (!is_random(opts))
            status =
                open_rows(&d->sides[i], opts->operands[i], VKR_TYPE_U8, DESCRIPTOR, "descriptors");
        if (status == STATUS_DONE && d->sides[i].size / DESCRIPTOR >= NONE)
            status =
                fail(STATUS_USAGE, "%s: it has %llu descriptors; there must be fewer than %u",
                     d->sides[i].name, (unsigned long long)(d->sides[i].size / DESCRIPTOR), NONE);
        d->counts[i] = (uint32_t)(d->sides[i].size / DESCRIPTOR);
    }
    return status;
}

int match_data_load(match_data *d, const match_options *opts)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < SIDES && status == STATUS_DONE; i++)
        status = load(&d->sides[i]);
    if (status != STATUS_DONE)
        return status;
    if (is_random(opts))
        return plant(d);
    d->has_known = opts->known != NULL;
    return d->has_known ? load_known(d, opts->known) : STATUS_DONE;
}

void match_data_close(match_data *d)
{
    for (uint32_t i = 0; i < SIDES; i++)
        input_close(&d->sides[i]);
    free(d->known);
    *d = (match_data){0};
}

bool match_is_known(const match_data *d, match_pair pair)
{
    return d->known_count != 0 &&
           bsearch(&pair, d->known, d->known_count, sizeof pair, compare_pairs) != NULL;
}

/* ---- By plain C ---- */

static uint32_t distance(const unsigned char *a, const unsigned char *b)
{
    uint64_t x[DESCRIPTOR / 8], y[DESCRIPTOR / 8];
    uint32_t sum = 0;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (uint32_t i = 0; i < DESCRIPTOR / 8; i++)
        sum += (uint32_t)__builtin_popcountll(x[i] ^ y[i]);
    return sum;
}

neighbours match_on_cpu(const match_data *d, uint32_t query)
{
    neighbours n = {NONE, NONE, NONE};
    const unsigned char *from = d->sides[QUERY].memory + (size_t)query * DESCRIPTOR;
    for (uint32_t i = 0; i < d->counts[TRAIN]; i++) {
        const uint32_t bits = distance(from, d->sides[TRAIN].memory + (size_t)i * DESCRIPTOR);
        if (bits < n.best)
            n = (neighbours){i, bits, n.best};
        else if (bits < n.second)
            n.second = bits;
    }
    return n;
}
