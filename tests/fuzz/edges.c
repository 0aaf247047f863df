/* SPDX-License-Identifier: MIT */
/* Files for --edges. Edges that are accepted must ascend, both in the file and as they are passed
 * to the library. The first byte chooses the elements' type, the second one --bins and --closed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/histogram/histogram.h"
#include "input/value.h"
#include "said.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

/* The type of the edges that the library gets. */
static VkrType given_type(const histogram_request *j)
{
    return j->in.type >= VKR_TYPE_F16 ? j->edge_type : j->in.type;
}

/* Whether a value is less than another of the same type; this is exact for every type. */
static bool is_less(VkrType type, const void *a, const void *b)
{
    const unsigned bits = 8 * vkrTypeSize(type);
    uint64_t x = 0, y = 0;
    if (type >= VKR_TYPE_F16)
        return value_as_double(type, a) < value_as_double(type, b);
    memcpy(&x, a, bits / 8);
    memcpy(&y, b, bits / 8);
    const uint64_t flip = type % 2 == 1 ? UINT64_C(1) << (bits - 1) : 0;
    return (x ^ flip) < (y ^ flip);
}

static void check_edges(const histogram_request *j)
{
    const VkrType type = given_type(j);
    const char *given = j->given;
    const size_t size = vkrTypeSize(type);
    EXPECT(j->used.kind == VKR_BINS_EDGES && j->used.count >= 1 && j->used.count <= j->bins &&
               j->bins <= VKR_MAX_BINS,
           "%u of %u bins", j->used.count, j->bins);
    EXPECT(j->given_size == (uint64_t)(j->used.count + 1) * size, "%llu bytes of edges",
           (unsigned long long)j->given_size);
    for (uint32_t k = 0; k < j->bins; k++)
        EXPECT(j->edges[k] <= j->edges[k + 1], "edge %u", k + 1);
    for (uint32_t k = 0; k < j->used.count; k++)
        EXPECT(!is_less(type, given + (k + 1) * size, given + k * size), "given edge %u", k + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    const VkrType type = (VkrType)(1 + fuzz_below(&bytes, VKR_TYPE_COUNT - 1));
    const uint64_t bins = fuzz_below(&bytes, 64);
    const histogram_options opts = {.bins = bins / 2,
                                    .closed = bins % 2 != 0,
                                    .edges = fuzz_file(bytes.at, bytes.left, ".npy")};
    histogram_request j = {.opts = &opts,
                           .in = {.name = "INPUT", .file = -1, .type = type, .components = 2}};
    said_nothing();
    if (said_right(histogram_bins(&j)))
        check_edges(&j);
    free(j.given);
    free(j.edges);
    return 0;
}
