/* SPDX-License-Identifier: MIT */
/* Arrays that are attached: copied or imported, read, written, or both. */
#include "host_case.h"

static const uint32_t modes[] = {0, VKR_HOST_UNMAPPED_BIT};

/* ---- One array of each access ---- */

/* Runs an operation on an array at `shift` bytes after the start of a page. */
static void check_attached(VkrHost host, case_kind kind, VkrType type, size_t shift, uint64_t count)
{
    const size_t size = (size_t)count * vkrTypeSize(type),
                 room = (size_t)case_room(kind, type, count);
    guarded input = guarded_open(size, shift, (uint32_t)count);
    guarded output = guarded_open(room, shift, 7);
    VkrHostMemory in, out;
    unsigned char *before = malloc(size + 1);
    memcpy(before, input.data, size);
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){input.data, size, VKR_HOST_READ}, &in));
    EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){output.data, room, VKR_HOST_WRITE}, &out));
    assert_int_equal(in.size, size);
    assert_int_equal(out.size, room);
    EXPECT_OK(case_record(host, kind, type, &in, &out, count));
    EXPECT_OK(vkrHostRun(host));
    assert_memory_equal(input.data, before, size);
    case_check(host, kind, type, before, count, output.data);
    guarded_close(&output);
    guarded_close(&input);
    free(before);
}

/* A scan in place of the first elements: the others stay as they are. */
static void check_in_place(VkrHost host, size_t shift, uint64_t count)
{
    const size_t size = ((size_t)count + 9) * 4 + 3;
    guarded array = guarded_open(size, shift, (uint32_t)count + 3);
    unsigned char *before = malloc(size);
    VkrHostMemory memory;
    memcpy(before, array.data, size);
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &(VkrHostArray){array.data, size, VKR_HOST_READ_WRITE}, &memory));
    EXPECT_OK(case_record(host, CASE_SCAN, VKR_TYPE_U32, &memory, &memory, count));
    EXPECT_OK(vkrHostRun(host));
    case_check(host, CASE_SCAN, VKR_TYPE_U32, before, count, array.data);
    assert_memory_equal(array.data + 4 * count, before + 4 * count, size - 4 * (size_t)count);
    guarded_close(&array);
    free(before);
}

HOST_TEST(test_attach)
{
    static const uint64_t counts[] = {0, 1, 3, 1000, 20000, 40003};
    static const size_t shifts[] = {0, 4, 16, PAGE - 4};
    uint32_t n = 0;
    (void)state;
    for (size_t mode = 0; mode < ARRAY_SIZE(modes); mode++) {
        hearing h = {0};
        VkrHost host = case_open(&h, modes[mode]);
        for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
            if (!harness_has_case(n++))
                continue;
            for (case_kind kind = 0; kind < CASE_KINDS; kind++)
                check_attached(host, kind, VKR_TYPE_U32, shifts[(i + kind) % 4], counts[i]);
            check_in_place(host, shifts[i % 4], counts[i]);
            if (case_small(host) == VKR_TYPE_U8)
                check_attached(host, i % 2 != 0 ? CASE_REDUCE : CASE_SORT, VKR_TYPE_U8, 1,
                               counts[i]);
        }
        vkrDestroyHost(host);
        assert_int_equal(h.errors, 0);
    }
}

/* ---- Many ---- */

#define MANY 37u

/* Sums of more arrays than the host has room for at first, and than it keeps memory of. */
HOST_TEST(test_attach_many)
{
    (void)state;
    for (size_t mode = 0; mode < ARRAY_SIZE(modes); mode++) {
        hearing h = {0};
        VkrHost host = case_open(&h, modes[mode]);
        for (uint32_t turn = 0; turn < 3; turn++) {
            guarded inputs[MANY], outputs[MANY];
            EXPECT_OK(vkrHostBegin(host));
            for (uint32_t i = 0; i < MANY; i++) {
                const size_t size = 4 * (size_t)(1 + i * (i % 7 == 0 ? 700 : 9));
                VkrHostMemory in, out;
                inputs[i] = guarded_open(size, 4 * (size_t)i, i + turn);
                outputs[i] = guarded_open(64, 0, i);
                const VkrHostArray arrays[] = {{inputs[i].data, size, VKR_HOST_READ},
                                               {outputs[i].data, 64, VKR_HOST_WRITE}};
                EXPECT_OK(vkrHostAttach(host, &arrays[0], &in));
                EXPECT_OK(vkrHostAttach(host, &arrays[1], &out));
                EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, size / 4));
            }
            EXPECT_OK(vkrHostRun(host));
            for (uint32_t i = 0; i < MANY; i++) {
                case_check(host, CASE_REDUCE, VKR_TYPE_U32, inputs[i].data, inputs[i].size / 4,
                           outputs[i].data);
                guarded_close(&inputs[i]);
                guarded_close(&outputs[i]);
            }
        }
        vkrDestroyHost(host);
        assert_int_equal(h.errors, 0);
    }
}

/* ---- Larger than what is copied back at once ---- */

/* More than 64 MiB is not kept, and more than 32 MiB is read in pieces after the operations. */
HOST_TEST(test_attach_large)
{
    (void)state;
    for (size_t mode = 0; mode < ARRAY_SIZE(modes); mode++) {
        hearing h = {0};
        VkrHost host = case_open(&h, modes[mode]);
        check_in_place(host, 4, (9u << 20) + 3);
        check_attached(host, CASE_REDUCE, VKR_TYPE_U32, 8, (17u << 20) + 1);
        vkrDestroyHost(host);
        assert_int_equal(h.errors, 0);
    }
}
