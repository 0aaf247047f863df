/* SPDX-License-Identifier: MIT */
/* Each creation and each allocation fails in turn. */
#include "recorder.h"

#include <string.h>

/* Records 40 operations with scratch and counters. */
static VkrResult record_all(void)
{
    VkrResult result = vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < 40 && result == VKR_SUCCESS; i++)
        result = operate(i, 64, true, VKR_SUCCESS);
    const VkrResult ended = vkrEnd(fixture.recorder, &plain_end);
    assert_int_equal(ended, result == VKR_SUCCESS ? ended : result);
    return ended;
}

/* Every creation fails in turn: there is an error, no command and no leak, and the next recording
 * works. */
EXTERN_TEST(test_vulkan_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pooling, 0, 0);
        stub_fail(failures, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        result = record_all();
        if (result != VKR_SUCCESS) {
            assert_failed(result, VKR_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY");
            assert_int_equal(stub_calls("vkUpdateDescriptorSets"), 0);
            assert_string_equal(stub_text(), "");
            assert_int_equal(record_all(), VKR_SUCCESS);
        }
        assert_int_equal(stub_calls("vkCmdDispatch"), 40);
        close_recorder();
    }
    /* Two layouts, a module, a pipeline, a buffer, its memory and their binding, a pool, and 40
     * sets. */
    assert_int_equal(failures - 1, 8 + 40);
}

/* Once a call has found the device lost, every further call fails. */
EXTERN_TEST(test_lost)
{
    open_recorder(&pooling, 0, 0);
    stub_fail(0, VK_ERROR_DEVICE_LOST);
    assert_int_equal(record_all(), VKR_ERROR_DEVICE_LOST);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_ERROR_DEVICE_LOST);
    assert_int_equal(vkrReset(fixture.recorder), VKR_ERROR_DEVICE_LOST);
    close_recorder();
}

EXTERN_TEST(test_heap_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pooling, 0, 0);
        fixture.fail_at = fixture.allocations + failures;
        result = record_all();
        if (result != VKR_SUCCESS) {
            assert_int_equal(result, VKR_ERROR_OUT_OF_HOST_MEMORY);
            assert_true(fixture.messages > 0);
            assert_string_equal(stub_text(), "");
            assert_int_equal(record_all(), VKR_SUCCESS);
        }
        assert_int_equal(stub_calls("vkCmdDispatch"), 40);
        close_recorder();
    }
    assert_true(failures > 5);
}
