/* SPDX-License-Identifier: MIT */
/* Memory of each kind, copies to and from it, and imports. */
#include "host_case.h"

#define STAGED ((size_t)32 << 20) /* bytes of a piece of a copy */

/* ---- Kinds ---- */

/* Whether some type of memory has these properties. */
static bool has_type(VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < device.memory.memoryTypeCount; i++)
        if ((device.memory.memoryTypes[i].propertyFlags & flags) == flags)
            return true;
    return false;
}

#define SEEN                                                                                       \
    (VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |                   \
     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)

static bool is_mapped(VkrHostMemoryKind kind, bool unmapped)
{
    switch (kind) {
    case VKR_HOST_MEMORY_DEVICE:
        return !unmapped && has_type(SEEN);
    case VKR_HOST_MEMORY_RESULT:
        return !unmapped && has_type(SEEN | VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    case VKR_HOST_MEMORY_UNMAPPED:
        return false;
    default:
        return true;
    }
}

static void check_kind(VkrHost host, VkrHostMemoryKind kind, bool unmapped, size_t size)
{
    VkrHostMemory memory;
    unsigned char *written = malloc(size + 1), *read = malloc(size + 1);
    EXPECT_OK(vkrHostAlloc(host, size, kind, &memory));
    assert_int_equal(memory.size, size);
    assert_true(memory.bufferSize >= 16 && memory.bufferSize >= size);
    assert_int_equal(memory.offset, 0);
    assert_int_equal(memory.data != NULL, is_mapped(kind, unmapped));
    const bool loads = kind != VKR_HOST_MEMORY_UPLOAD && kind != VKR_HOST_MEMORY_READBACK &&
                       memory.bufferSize / 16 <= device.properties.limits.maxTexelBufferElements;
    assert_int_equal(memory.texels.view != VK_NULL_HANDLE, loads);
    if (loads) /* the last element is in a texel too */
        assert_true(memory.texels.offset == 0 && memory.texels.size >= size);
    case_fill(written, size, (uint32_t)size);
    memset(read, 0xa5, size + 1);
    EXPECT_OK(vkrHostWrite(host, &memory, 0, size, written));
    if (memory.data != NULL)
        assert_memory_equal(memory.data, written, size);
    EXPECT_OK(vkrHostRead(host, &memory, 0, size, read));
    assert_memory_equal(read, written, size);
    assert_int_equal(read[size], 0xa5);
    const VkrType type = case_small(host);
    case_run_all(host, type, &memory, written, size / vkrTypeSize(type));
    vkrHostFree(host, &memory);
    assert_null(memory.buffer);
    assert_null(memory.data);
    vkrHostFree(host, &memory);
    vkrHostFree(host, NULL);
    free(written);
    free(read);
}

HOST_TEST(test_kinds)
{
    static const size_t sizes[] = {0, 1, 15, 16, 17, 4096, ((size_t)1 << 20) + 1};
    uint32_t n = 0;
    (void)state;
    for (uint32_t unmapped = 0; unmapped < 2; unmapped++) {
        hearing h = {0};
        VkrHost host = case_open(&h, unmapped != 0 ? VKR_HOST_UNMAPPED_BIT : 0);
        for (uint32_t kind = 0; kind < VKR_HOST_MEMORY_KIND_COUNT; kind++)
            for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
                /* One long sort is enough. */
                if ((sizes[i] < 5000 || kind == VKR_HOST_MEMORY_DEVICE) && harness_has_case(n++))
                    check_kind(host, (VkrHostMemoryKind)kind, unmapped != 0, sizes[i]);
        vkrDestroyHost(host);
        assert_int_equal(h.errors, 0);
    }
}

/* ---- Copies ---- */

/* Parts of memory that is not mapped, some of which take several pieces of staging memory. */
HOST_TEST(test_copies)
{
    static const struct {
        size_t offset, size;
    } rows[] = {{0, 1},
                {3, 18},
                {4096, 4096},
                {1, 3 * STAGED / 2},
                {STAGED, STAGED + 5},
                {2 * STAGED + 7, 0}};
    hearing h = {0};
    (void)state;
    VkrHost host = case_open(&h, VKR_HOST_UNMAPPED_BIT);
    const size_t size = 2 * STAGED + 7;
    unsigned char *expected = malloc(size), *read = malloc(size);
    VkrHostMemory memory;
    EXPECT_OK(vkrHostAlloc(host, size, VKR_HOST_MEMORY_DEVICE, &memory));
    case_fill(expected, size, 1);
    EXPECT_OK(vkrHostWrite(host, &memory, 0, size, expected));
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        unsigned char *part = expected + rows[i].offset;
        case_fill(part, rows[i].size, (uint32_t)i + 2);
        EXPECT_OK(vkrHostWrite(host, &memory, rows[i].offset, rows[i].size, part));
        memset(read, 0xa5, size);
        EXPECT_OK(vkrHostRead(host, &memory, rows[i].offset, rows[i].size, read));
        assert_memory_equal(read, part, rows[i].size);
        assert_int_equal(read[rows[i].size], 0xa5);
    }
    EXPECT_OK(vkrHostRead(host, &memory, 0, size, read));
    assert_memory_equal(read, expected, size);
    vkrHostFree(host, &memory);
    vkrDestroyHost(host);
    free(expected);
    free(read);
    assert_int_equal(h.errors, 0);
}

HOST_TEST(test_too_large)
{
    hearing h = {0};
    VkrHostDevice described;
    VkrHostMemory memory = {.size = 1};
    (void)state;
    VkrHost host = case_open(&h, 0);
    vkrGetHostDevice(host, &described);
    for (uint32_t i = 0; i < 2; i++) {
        const VkDeviceSize size = i == 0 ? described.maxBufferSize + 1 : UINT64_MAX - 3;
        EXPECT_ERROR(&h, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "are needed in one buffer",
                     vkrHostAlloc(host, size, VKR_HOST_MEMORY_DEVICE, &memory));
        assert_null(memory.buffer);
        assert_int_equal(memory.size, 0);
        /* An array of that size is refused before it is read, and the recording goes on. */
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_ERROR(&h, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "are needed in one buffer",
                     vkrHostAttach(host, &(VkrHostArray){&h, size, VKR_HOST_READ}, &memory));
        EXPECT_OK(vkrHostRun(host));
    }
    vkrDestroyHost(host);
}

/* ---- Imports ---- */

static void check_import(VkrHost host, size_t shift, size_t size)
{
    const VkrType type = shift % 4 != 0 ? VKR_TYPE_U8 : VKR_TYPE_U32;
    VkrHostMemory memory;
    guarded array = guarded_open(size, shift, (uint32_t)(shift + size));
    unsigned char *read = malloc(size);
    EXPECT_OK(vkrHostImport(host, array.data, size, &memory));
    assert_ptr_equal(memory.data, array.data);
    assert_int_equal(memory.size, size);
    assert_true(memory.offset + memory.size <= memory.bufferSize);
    EXPECT_OK(vkrHostRead(host, &memory, 0, size, read));
    assert_memory_equal(read, array.data, size);
    case_run_all(host, type, &memory, array.data, size / vkrTypeSize(type));
    assert_memory_equal(read, array.data, size);
    /* The device writes it, and nothing around it. */
    if (type == VKR_TYPE_U32) {
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(case_record(host, CASE_SCAN, type, &memory, &memory, size / 4));
        EXPECT_OK(vkrHostRun(host));
        case_check(host, CASE_SCAN, type, read, size / 4, array.data);
    }
    vkrHostFree(host, &memory);
    guarded_close(&array);
    free(read);
}

HOST_TEST(test_imports)
{
    static const size_t shifts[] = {0, 1, 16, 4, PAGE - 1, PAGE - 4};
    static const size_t sizes[] = {1, 4, 64, 5000, 70001, 100000};
    hearing h = {0};
    VkrHostDevice described;
    VkrHostMemory memory;
    unsigned char bytes[64] = {0};
    uint32_t n = 0;
    (void)state;
    VkrHost host = case_open(&h, 0), unmapped = case_open(&h, VKR_HOST_UNMAPPED_BIT);
    vkrGetHostDevice(host, &described);
    for (size_t i = 0; described.importAlignment != 0 && i < ARRAY_SIZE(shifts); i++)
        for (size_t k = i % 2; k < ARRAY_SIZE(sizes); k += 2)
            if ((shifts[i] % 4 == 0 || case_small(host) == VKR_TYPE_U8) && harness_has_case(n++))
                check_import(host, shifts[i], sizes[k]);
    if (described.importAlignment == 0)
        print_message("# the device imports no memory\n");
    /* What cannot be imported gives no sentence. */
    assert_int_equal(vkrHostImport(unmapped, bytes, sizeof bytes, &memory), VKR_ERROR_UNSUPPORTED);
    assert_null(memory.buffer);
    assert_int_equal(vkrHostImport(host, bytes, 0, &memory), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(vkrHostImport(host, bytes, described.maxBufferSize, &memory),
                     VKR_ERROR_UNSUPPORTED);
    assert_int_equal(h.errors, 0);
    vkrDestroyHost(unmapped);
    vkrDestroyHost(host);
}
