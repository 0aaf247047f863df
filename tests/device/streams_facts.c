/* SPDX-License-Identifier: MIT */
/*
 * Statements about blocks in D. Roger, U. Assarsson and N. Holzschuch, "Efficient Stream Reduction
 * on the GPU" (2007) that can be checked without a clock: the example of Fig. 6, the search of
 * Fig. 5 for all short masks, and the numbers of additions and trips. Builds of
 * shaders/documents/block_scan.glsl and search.glsl count these; the argument is their folder. Each
 * driver runs its share of the scans of blocks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "streams_facts.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define WORDS (1u << 18) /* words per buffer */
#define MAX_CODE 65536u
#define SHOWN 3
#define NOTHING UINT32_MAX
#define SEARCH_GROUP 64u

typedef struct shader {
    uint32_t code[MAX_CODE];
    size_t size; /* in bytes */
} shader;

static harness h;
static const char *folder;
static program p;
static harness_buffer buffers[PROGRAM_BUFFERS];
static shader scan_shader, search_shader;
static uint32_t cases;
uint32_t wrong;

uint32_t *words_of(int buffer)
{
    return buffers[buffer].data;
}

static void load(const char *name, shader *s)
{
    char path[4096];
    const int length = snprintf(path, sizeof(path), "%s/%s.spv", folder, name);
    assert_in_range(length, 1, sizeof(path) - 1);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    s->size = 4 * fread(s->code, 4, MAX_CODE, file);
    assert_in_range(s->size, 4, 4 * MAX_CODE - 4);
    assert_int_equal(fclose(file), 0);
}

static int open_device(void **state)
{
    VkDescriptorBufferInfo bound[PROGRAM_BUFFERS];
    (void)state;
    for (uint32_t i = 0; i < PROGRAM_BUFFERS; i++) {
        if (!harness_create_buffer(&h, 4 * WORDS, &buffers[i]))
            return -1;
        bound[i] = (VkDescriptorBufferInfo){buffers[i].buffer, 0, VK_WHOLE_SIZE};
    }
    program_open(h.device, bound, PROGRAM_BUFFERS, &p);
    load("streams_scan", &scan_shader);
    load("streams_search", &search_shader);
    return 0;
}

static int close_device(void **state)
{
    (void)state;
    program_close(h.device, &p);
    for (uint32_t i = 0; i < PROGRAM_BUFFERS; i++)
        harness_destroy_buffer(&h, &buffers[i]);
    return 0;
}

static uint32_t random_word(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void dispatch(uint32_t groups)
{
    assert_true(harness_begin(&h));
    program_bind(h.cmd, &p);
    vkCmdDispatch(h.cmd, groups, 1, 1);
    program_to_host(h.cmd);
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
}

/* ---- Scans ---- */

static const struct {
    const char *name;
    uint32_t max_nodes; /* of a block that is scanned by Hillis and Steele's algorithm */
} scans[VKR_BLOCK_SCAN_COUNT] = {
    [VKR_BLOCK_SCAN_HILLIS_STEELE] = {"hillis-steele", UINT32_MAX},
    [VKR_BLOCK_SCAN_BLELLOCH] = {"blelloch", 1},
    [VKR_BLOCK_SCAN_HYBRID] = {"hybrid", 16},
};

uint32_t log2_of(uint32_t s)
{
    uint32_t log = 0;
    while (s >> log > 1)
        log++;
    return log;
}

/* Scans blocks of NUMBERS in workgroups of a size. */
void scan_blocks(int scan, uint32_t s, uint32_t workgroup, uint32_t groups)
{
    const uint32_t max = scans[scan].max_nodes;
    const uint32_t constants[] = {workgroup, s, s < max ? s : max};
    program_specialise(h.device, &p, scan_shader.code, scan_shader.size, constants,
                       ARRAY_SIZE(constants));
    memset(words_of(SCAN_SUMS), 0xcd, 4 * WORDS);
    memset(words_of(TOTALS), 0xcd, 4 * WORDS);
    memset(words_of(ADDITIONS), 0, 4 * WORDS);
    dispatch(groups);
}

/* The number of additions for a block of s numbers, according to the document's sources. */
static uint32_t additions_of(int scan, uint32_t s)
{
    const uint32_t hillis_steele = s * log2_of(s) - s + 1;
    return scan == VKR_BLOCK_SCAN_BLELLOCH            ? 2 * (s - 1)
           : scan == VKR_BLOCK_SCAN_HYBRID && s >= 16 ? 2 * (s - 16) + 49
                                                      : hillis_steele;
}

void expect(const char *what, int scan, uint32_t s, uint32_t at, uint32_t is, uint32_t should)
{
    cases++;
    if (is != should && wrong++ < SHOWN)
        printf("# %s, blocks of %u: %s %u is %u, but should be %u\n", scans[scan].name, s, what, at,
               is, should);
}

static void check_scan(int scan, uint32_t s, uint32_t workgroup)
{
    const uint32_t share = s > workgroup ? s : workgroup, groups = 3, blocks = share / s;
    uint32_t seed = s + (uint32_t)scan, sum = 0;
    for (uint32_t i = 0; i < groups * share; i++)
        words_of(NUMBERS)[i] = random_word(&seed) % 1000;
    scan_blocks(scan, s, workgroup, groups);
    for (uint32_t i = 0; i < groups * share; i++) {
        sum = (i % s == 0 ? 0 : sum) + words_of(NUMBERS)[i];
        expect("sum", scan, s, i, words_of(SCAN_SUMS)[i], sum);
        if (i % s == s - 1)
            expect("total", scan, s, i / s, words_of(TOTALS)[i / s], sum);
    }
    for (uint32_t g = 0; g < groups; g++)
        expect("additions of workgroup", scan, s, g, words_of(ADDITIONS)[g],
               blocks * additions_of(scan, s));
}

/* Sums, and the number of additions: with workgroups that scan several blocks, and with blocks that
 * have several elements per invocation. */
static void scans_add_so_often(void **state)
{
    (void)state;
    assert_int_equal(additions_of(VKR_BLOCK_SCAN_HILLIS_STEELE, 64), 321);
    assert_int_equal(additions_of(VKR_BLOCK_SCAN_BLELLOCH, 64), 126);
    assert_int_equal(additions_of(VKR_BLOCK_SCAN_HYBRID, 64), 145);
    for (uint32_t k = 0; k < 8 * VKR_BLOCK_SCAN_COUNT; k++)
        if (harness_has_case(k))
            check_scan((int)k / 8, 8u << k % 8, k % 2 != 0 ? 64 : 32);
    assert_int_equal(wrong, 0);
}

/* ---- Searches ---- */

/* Searches SUMS for each position in blocks of `slot` words. */
void search_blocks(bool is_while, uint32_t slot, uint32_t trips, uint32_t blocks)
{
    const uint32_t constants[] = {slot, is_while, trips};
    assert_int_equal(blocks * slot % SEARCH_GROUP, 0);
    program_specialise(h.device, &p, search_shader.code, search_shader.size, constants,
                       ARRAY_SIZE(constants));
    memset(words_of(ELEMENTS), 0xcd, 4 * WORDS);
    memset(words_of(TRIPS), 0xcd, 4 * WORDS);
    dispatch(blocks * slot / SEARCH_GROUP);
}

/* Checks that the search found each kept element of a block at its position, and nothing elsewhere.
 * Returns their number. */
static uint32_t check_found(uint32_t block, uint32_t slot, uint32_t length)
{
    const uint32_t *sums = words_of(SUMS) + block * slot,
                   *found = words_of(ELEMENTS) + block * slot;
    uint32_t kept = 0;
    for (uint32_t j = 0; j < length; j++) {
        if (sums[j] != (j == 0 ? 0 : sums[j - 1]))
            continue;
        cases++;
        if (found[kept] != j && wrong++ < SHOWN)
            printf("# block %u of %u elements: position %u has element %u, but should have %u\n",
                   block, length, kept, found[kept], j);
        kept++;
    }
    for (uint32_t i = kept; i < slot; i++) {
        cases++;
        if (found[i] != NOTHING && wrong++ < SHOWN)
            printf("# block %u of %u elements: position %u has element %u, but should have none\n",
                   block, length, i, found[i]);
    }
    return kept;
}

#define LONGEST 12u
#define SLOT 16u

/* The search of Fig. 5 finds the right element for each mask; so does a search whose number of
 * trips is the number of bits of the range. */
static void searches_find_all(void **state)
{
    (void)state;
    const uint32_t blocks = 2u << LONGEST; /* the highest bit marks the length of a mask */
    memset(words_of(SUMS), 0, 4 * WORDS);
    memset(words_of(LENGTHS), 0, 4 * WORDS);
    for (uint32_t mask = 2; mask < blocks; mask++) {
        const uint32_t length = log2_of(mask);
        words_of(LENGTHS)[mask] = length;
        for (uint32_t j = 0, sum = 0; j < length; j++)
            words_of(SUMS)[mask * SLOT + j] = sum += ~mask >> j & 1;
    }
    for (int is_while = 0; is_while < 2; is_while++) {
        search_blocks(is_while != 0, SLOT, log2_of(SLOT), blocks);
        for (uint32_t block = 0; block < blocks; block++)
            check_found(block, SLOT, words_of(LENGTHS)[block]);
    }
    assert_int_equal(wrong, 0);
}

/* ---- Trips ---- */

#define TRIP_BLOCK 64u
#define TRIP_BLOCKS (WORDS / TRIP_BLOCK)

/* Random blocks, of which `percent` per cent are kept. */
static void make_blocks(uint32_t percent)
{
    uint32_t seed = percent;
    for (uint32_t block = 0; block < TRIP_BLOCKS; block++) {
        words_of(LENGTHS)[block] = TRIP_BLOCK;
        for (uint32_t j = 0, sum = 0; j < TRIP_BLOCK; j++)
            words_of(SUMS)[block * TRIP_BLOCK + j] = sum += random_word(&seed) % 100 >= percent;
    }
}

/* The number of trips of the search as the document prints it in Fig. 5, for a position that has an
 * element. */
static uint32_t trips_of_figure(const uint32_t *sums, uint32_t position)
{
    uint32_t trips = 0;
    int32_t lower = (int32_t)(position + sums[position]);
    int32_t upper = (int32_t)(position + sums[TRIP_BLOCK - 1]);
    for (;; trips++) {
        const int32_t j = (lower + upper) / 2, found = j - (int32_t)(sums[j] + position);
        if (found == 0 && sums[j] == (j == 0 ? 0 : sums[j - 1]))
            return trips;
        if (found < 0)
            lower = j - found;
        else
            upper = j - (found > 1 ? found : 1);
    }
}

/* Counts the elements that the last search read and those that it found. For a found element the
 * while loop reads one more than it has trips, since its condition reads before the first trip. */
static double count_looks(bool is_while, double *found)
{
    double looks = 0;
    *found = 0;
    for (uint32_t block = 0; block < TRIP_BLOCKS; block++) {
        const uint32_t *trips = words_of(TRIPS) + block * TRIP_BLOCK;
        const uint32_t *sums = words_of(SUMS) + block * TRIP_BLOCK;
        const uint32_t kept = check_found(block, TRIP_BLOCK, TRIP_BLOCK);
        *found += kept;
        for (uint32_t i = 0; i < TRIP_BLOCK; i++) {
            const uint32_t should = i >= kept  ? 0
                                    : is_while ? trips_of_figure(sums, i)
                                               : log2_of(TRIP_BLOCK);
            looks += trips[i] + (is_while && i < kept ? 1 : 0);
            cases++;
            if (trips[i] != should && wrong++ < SHOWN)
                printf("# block %u, position %u: %u trips, but should be %u\n", block, i, trips[i],
                       should);
        }
    }
    return looks;
}

static void expect_mean(const char *of, uint32_t percent, double is, double should,
                        double tolerance)
{
    cases++;
    printf("# %u %% kept: %.3f looks for each %s element\n", percent, is, of);
    if (should != 0 && (is < should - tolerance || is > should + tolerance) && wrong++ < SHOWN)
        printf("# but should be %.2f\n", should);
}

/* The number of reads per input element explains why the document's Fig. 9 has its peak at 70 %.
 * The loop of fixed length reads log2 s elements for each element found. */
static void searches_look_so_often(void **state)
{
    (void)state;
    static const struct {
        uint32_t percent;
        double by_input, by_found; /* 0: not stated */
    } rows[] = {{10, 0, 4.85},    {30, 0, 4.17}, {50, 1.73, 3.45}, {60, 1.85, 3.09},
                {70, 1.88, 2.67}, {80, 1.82, 0}, {90, 1.63, 1.81}};
    double found;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        make_blocks(rows[i].percent);
        search_blocks(true, TRIP_BLOCK, 0, TRIP_BLOCKS);
        const double looks = count_looks(true, &found);
        expect_mean("input", rows[i].percent, looks / WORDS, rows[i].by_input, 0.02);
        expect_mean("found", rows[i].percent, looks / found, rows[i].by_found, 0.03);
    }
    search_blocks(false, TRIP_BLOCK, log2_of(TRIP_BLOCK), TRIP_BLOCKS);
    assert_true(count_looks(false, &found) == 6 * found);
    assert_int_equal(wrong, 0);
}

static int start_test(void **state)
{
    (void)state;
    wrong = cases = 0;
    return 0;
}

static int end_test(void **state)
{
    (void)state;
    printf("# %u cases, %u wrong\n", cases, wrong);
    return h.validation_messages != 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figure_is_as_printed, start_test, end_test),
        cmocka_unit_test_setup_teardown(searches_find_all, start_test, end_test),
        cmocka_unit_test_setup_teardown(scans_add_so_often, start_test, end_test),
        cmocka_unit_test_setup_teardown(searches_look_so_often, start_test, end_test),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: streams_facts FOLDER\n");
        return 2;
    }
    folder = argv[1];
    return harness_run(&h, "streams_facts", tests, sizeof(tests) / sizeof(tests[0]), open_device,
                       close_device);
}
