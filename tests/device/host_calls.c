/* SPDX-License-Identifier: MIT */
/*
 * The calls of libvkreduce-host for one array, compared with the oracle and, where bytes must stay
 * as they are, with these: on a host that maps and imports memory and on one that does neither, as
 * a whole and in chunks.
 */
#include "host_calls.h"

#include "oracle_histogram.h"
#include "oracle_map.h"

#define GUARD 64u /* bytes before and after memory */
#define FILLED 0xa5

VkrHost host;
char sentence[8192];

static VkrHost unmapped;
static uint64_t state = 1;
static char note[sizeof sentence];

static void on_message(void *data, VkrResult result, const char *text)
{
    (void)data;
    (void)snprintf(result == VKR_SUCCESS ? note : sentence, sizeof sentence, "%s", text);
}

/* ---- Memory ---- */

void *take(size_t size)
{
    unsigned char *all = NULL;
    assert_int_equal(posix_memalign((void **)&all, 128, size + 2 * GUARD + 8), 0);
    memset(all, FILLED, size + 2 * GUARD + 8);
    memcpy(all, &size, sizeof size);
    return all + GUARD + 8;
}

void drop(void *memory)
{
    unsigned char *data = memory, *all = data - GUARD - 8;
    size_t size;
    if (memory == NULL)
        return;
    memcpy(&size, all, sizeof size);
    for (size_t i = 0; i < GUARD; i++)
        assert_true(data[size + i] == FILLED && (i < 8 || data[-(ptrdiff_t)i] == FILLED));
    free(all);
}

void assert_same(const call_case *c, const char *what, const void *actual, const void *expected,
                 size_t size)
{
    const unsigned char *a = actual, *b = expected;
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i])
            fail_msg("%s, %s, %llu of %s, chunks of %llu: byte %zu of %zu is %02x, not %02x", what,
                     c->name, (unsigned long long)c->count, vkrTypeName(c->type),
                     (unsigned long long)c->chunk, i, size, a[i], b[i]);
}

static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

void fill(VkrType type, void *data, uint64_t count)
{
    const uint32_t size = vkrTypeSize(type);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = draw() % 4 == 0 ? draw() % 7 : (uint64_t)draw() << 32 | draw();
        unsigned char *at = (unsigned char *)data + i * size;
        if (type >= VKR_TYPE_F16)
            oracle_encode(type, (double)(bits % 1000000007) / 1000003 - 500, at);
        else
            memcpy(at, &bits, size); /* little-endian */
    }
}

void *take_mapped(const VkrMap *map, VkrType type, uint32_t components, const void *data,
                  size_t stride, uint64_t count)
{
    uint32_t *mapped = take(4 * count);
    for (uint64_t i = 0; i < count; i++)
        mapped[i] = oracle_map(map, type, components, (const char *)data + i * stride);
    return mapped;
}

/* ---- Cases ---- */

void each_case(const VkrType *types, void (*test)(const call_case *))
{
    static const uint64_t counts[] = {0, 1, 777, 100003};
    static const VkDeviceSize chunks[] = {0, 1, 150000};
    const struct {
        VkrHost host;
        const char *name;
    } hosts[] = {{host, "mapped"}, {unmapped, "unmapped"}};
    uint32_t run = 0;
    for (uint32_t t = 0; *types != VKR_TYPE_UNDEFINED; types++, t++)
        for (size_t h = 0; h < ARRAY_SIZE(hosts); h++)
            for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
                for (size_t k = 0; k < ARRAY_SIZE(chunks); k++) {
                    const call_case c = {hosts[h].host, hosts[h].name, counts[i], chunks[k],
                                         *types};
                    /* Chunks of one unit are thousands where there are many elements. How arrays
                     * reach a device does not depend on their type, and each device compiles
                     * pipelines of its own. */
                    if (!vkrIsTypeSupported(vkrHostContext(host), *types) || t * h != 0 ||
                        (chunks[k] == 1 ? counts[i] > (t != 0 ? 1 : 1000)
                                        : counts[i] > 1000 && t != 0))
                        continue;
                    test(&c);
                    run++;
                }
    assert_true(run > 0);
    assert_string_equal(note, ""); /* calls that are right cause none */
}

static int open_hosts(void **data)
{
    (void)data;
    const VkrHostInfo info = {.flags = VKR_HOST_NO_CACHE_BIT, .message = on_message};
    VkrHostInfo without = info;
    without.flags |= VKR_HOST_UNMAPPED_BIT;
    if (vkrCreateHost(&info, &host) == VKR_SUCCESS &&
        vkrCreateHost(&without, &unmapped) == VKR_SUCCESS)
        return 0;
    print_message("# %s\n", sentence);
    return -1;
}

static int close_hosts(void **data)
{
    (void)data;
    vkrDestroyHost(unmapped);
    vkrDestroyHost(host);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_reduce),      CASE(test_reduce_masked), CASE(test_scan),    CASE(test_sort),
        CASE(test_scan_masked), CASE(test_merge),         CASE(test_topk),    CASE(test_select),
        CASE(test_expand),      CASE(test_bounds),        CASE(test_compact), CASE(test_histogram),
        CASE(test_apply),       CASE(test_sort_keys),     CASE(test_wrong),   CASE(test_too_large),
    };
    cmocka_set_test_filter(getenv("VKR_TEST_FILTER"));
    return cmocka_run_group_tests_name("host_calls", tests, open_hosts, close_hosts);
}
