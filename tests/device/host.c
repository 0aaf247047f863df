/* SPDX-License-Identifier: MIT */
/*
 * libvkreduce-host: devices, memory, arrays, recordings and waits, through the functions of
 * vkreduce/host.h alone; what operations give is compared with the oracle. Hosts open their own
 * device; under the validation layer on the instance of the test, whose messages count.
 */
#include "host_case.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#endif

harness device;

/* Destroying the instance would unload the driver, and then a suppression of the thread sanitizer
 * could not match its name. */
static int keep_driver(void **state)
{
    (void)state;
#ifdef UNDER_TSAN
    device.instance = VK_NULL_HANDLE;
#endif
    return 0;
}

static void test_messages(void **state)
{
    (void)state;
    assert_int_equal(device.validation_messages, 0);
}

HARNESS_MAIN(device, "host", NULL, keep_driver, cmocka_unit_test(test_kinds),
             cmocka_unit_test(test_copies), cmocka_unit_test(test_too_large),
             cmocka_unit_test(test_imports), cmocka_unit_test(test_attach),
             cmocka_unit_test(test_attach_many), cmocka_unit_test(test_attach_large),
             cmocka_unit_test(test_operations), cmocka_unit_test(test_resubmission),
             cmocka_unit_test(test_resubmission_of_arrays), cmocka_unit_test(test_own_commands),
             cmocka_unit_test(test_own_dispatches), cmocka_unit_test(test_cancel),
             cmocka_unit_test(test_failed_operation), cmocka_unit_test(test_states),
             cmocka_unit_test(test_arguments), cmocka_unit_test(test_time),
             cmocka_unit_test(test_operation_times), cmocka_unit_test(test_shared_threads),
             cmocka_unit_test(test_shared_order), cmocka_unit_test(test_choice),
             cmocka_unit_test(test_devices), cmocka_unit_test(test_no_driver),
             cmocka_unit_test(test_given), cmocka_unit_test(test_incomplete),
             cmocka_unit_test(test_features), cmocka_unit_test(test_settings),
             cmocka_unit_test(test_small_devices), cmocka_unit_test(test_kept_memory),
             cmocka_unit_test(test_timeout), cmocka_unit_test(test_timeout_of_copies),
             cmocka_unit_test(test_timeout_of_chunks), cmocka_unit_test(test_progress),
             cmocka_unit_test(test_lost), cmocka_unit_test(test_failed_wait),
             cmocka_unit_test(test_cache), cmocka_unit_test(test_cache_damage),
             cmocka_unit_test(test_cache_folder), cmocka_unit_test(test_cache_together),
             cmocka_unit_test(test_messages))
