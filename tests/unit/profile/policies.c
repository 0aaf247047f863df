/* SPDX-License-Identifier: MIT */
/* Policies: built-in ones are valid, they are read as they were written, and wrong ones are
 * refused. */
#include "../../../src/tables/policies.h"

#include <string.h>

#include "profile.h"

#define SORT_LINE "policy sort 0 256 1024 1024 512 16 0 16384 1\n"
#define LINE(number, text) "vkrCreateContext: line " number " of profile is '" text "': "
#define NO_POLICY "a policy must be 'policy', a kind, and a number for each of its fields."

static void get_policies(VkrPolicy policies[VKR_POLICY_COUNT])
{
    for (uint32_t k = 0; k < VKR_POLICY_COUNT; k++)
        assert_int_equal(vkrGetPolicy(fixture.context, (VkrPolicyKind)k, &policies[k]),
                         VKR_SUCCESS);
}

static size_t write_policies(const VkrPolicy *policies, uint32_t count, char text[MAX_TEXT])
{
    size_t size = MAX_TEXT - 1;
    assert_int_equal(
        vkrWriteProfile(fixture.context, &(VkrProfile){0, NULL, count, policies}, &size, text),
        VKR_SUCCESS);
    text[size] = '\0';
    return size;
}

/* What is built in for each class of devices is valid. */
static void check_built_in(VkPhysicalDeviceType type, uint32_t vendor)
{
    const vkr_caps caps = {.device_type = type, .vendor_id = vendor};
    vkr_policies words;
    char text[VKR_POLICY_TEXT];
    vkr_choose_policies(&caps, words);
    for (uint32_t k = 0; k < VKR_POLICY_COUNT; k++) {
        VkrPolicy policy = {.kind = (VkrPolicyKind)k};
        memcpy(policy.values, words[k], sizeof policy.values);
        assert_null(vkr_find_policy_mistake(&policy, text));
    }
}

/* The least or the greatest value of each field. */
static void fill(VkrPolicy policies[VKR_POLICY_COUNT], bool greatest)
{
    for (uint32_t k = 0; k < VKR_POLICY_COUNT; k++) {
        uint32_t count;
        const VkrPolicyField *fields = vkrPolicyFields((VkrPolicyKind)k, &count);
        policies[k] = (VkrPolicy){.kind = (VkrPolicyKind)k};
        assert_in_range(count, 1, VKR_MAX_POLICY_FIELDS);
        for (uint32_t i = 0; i < count; i++)
            policies[k].values[i] = greatest ? fields[i].max : fields[i].min;
    }
}

EXTERN_TEST(test_policies)
{
    VkrPolicy policies[VKR_POLICY_COUNT], found[VKR_POLICY_COUNT];
    char text[MAX_TEXT];
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_CPU, 0x10005);
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_CPU, 0x1ae0);
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x10de);
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 0x8086);
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 0x5143);
    check_built_in(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 0x13b5);
    for (int greatest = 0; greatest < 2; greatest++) {
        open_with(HEAD "end\n");
        fill(policies, greatest != 0);
        write_policies(policies, VKR_POLICY_COUNT, text);
        trace_close();
        open_with(text);
        get_policies(found);
        assert_memory_equal(policies, found, sizeof policies);
        trace_close();
    }
    open_with(HEAD SORT_LINE "end\n");
    get_policies(found);
    write_policies(&found[VKR_POLICY_SORT], 1, text);
    assert_string_equal(text, HEAD SORT_LINE "end\n");
    trace_close();
}

static const struct {
    const char *lines, *sentence;
} refused[] = {
    {"policy\n", LINE("3", "policy") "a row must be an operation, a size, 'texels' or 'buffer', "
                                     "six numbers, an order, a path and three numbers."},
    {"policy \n", LINE("3", "policy ") NO_POLICY},
    {"policy scan 1\n", LINE("3", "policy scan 1") NO_POLICY},
    {"policy unknown\n", LINE("3", "policy unknown") NO_POLICY},
    {"policy sort 0 256 1024 1024 512 16\n",
     LINE("3", "policy sort 0 256 1024 1024 512 16") NO_POLICY},
    {"policy sort 0 256 1024 1024 512 16 0 16384 1 0\n",
     LINE("3", "policy sort 0 256 1024 1024 512 16 0 16384 1 0") NO_POLICY},
    {"policy sort 0 256 1024 1024 512 16 -1 16384 1\n",
     LINE("3", "policy sort 0 256 1024 1024 512 16 -1 16384 1") NO_POLICY},
    {"policy sort 96 256 1024 1024 512 16 0 16384 1\n",
     LINE("3", "policy sort 96 256 1024 1024 512 16 0 16384 1") "workgroup must be 0 or a power of "
                                                                "two from 1 "
                                                                "to 1024."},
    {"policy sort 2048 256 1024 1024 512 16 0 16384 1\n",
     LINE(
         "3",
         "policy sort 2048 256 1024 1024 512 16 0 16384 1") "workgroup must be 0 or a power of two "
                                                            "from 1 "
                                                            "to 1024."},
    {"policy sort 0 256 1024 1024 0 16 0 16384 1\n",
     LINE("3", "policy sort 0 256 1024 1024 0 16 0 16384 1") "large_workgroup must be a power of "
                                                             "two from 256 "
                                                             "to 1024."},
    {"policy sort 0 2049 1024 1024 512 16 0 16384 1\n",
     LINE("3", "policy sort 0 2049 1024 1024 512 16 0 16384 1") "alone_shares must be 16 to 2048."},
    {SORT_LINE SORT_LINE,
     LINE(
         "4",
         "policy sort 0 256 1024 1024 512 16 0 16384 1") "there is already a policy of this kind."},
};

EXTERN_TEST(test_refused_policies)
{
    const VkrPolicy sort = {VKR_POLICY_SORT, {0, 256, 1024, 1024, 512, 17, 0, 16384, 1}};
    const VkrPolicy twice[2] = {{VKR_POLICY_TOP_K, {0, 1, 1, 1}}, {VKR_POLICY_TOP_K, {0, 1, 1, 1}}};
    const VkrPolicy none = {VKR_POLICY_COUNT, {0}};
    VkrPolicy found;
    uint32_t count = 1;
    size_t size = 0;
    char text[MAX_TEXT];
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
        strcpy(text, HEAD);
        strcat(strcat(text, refused[i].lines), "end\n");
        assert_said(load(text, strlen(text)), VKR_ERROR_INVALID_ARGUMENT, refused[i].sentence);
        trace_close();
    }
    trace_open(&(trace_device){0});
#define REFUSED(count, policies, sentence)                                                         \
    assert_said(                                                                                   \
        vkrWriteProfile(fixture.context, &(VkrProfile){0, NULL, count, policies}, &size, NULL),    \
        VKR_ERROR_INVALID_ARGUMENT, "vkrWriteProfile: " sentence)
    REFUSED(1, &sort, "profile->policies[0] is not valid: large_items must be 12 to 16.");
    REFUSED(1, &none, "profile->policies[0] is not valid: kind must be one of VkrPolicyKind.");
    REFUSED(2, twice,
            "profile->policies[1] is for topk, but profile->policies[0] is too; only one "
            "of them can be given.");
    REFUSED(2, NULL, "profile->policies is NULL, but must point to policyCount (2) policies.");
    assert_said(vkrWriteProfile(fixture.context, NULL, &size, NULL), VKR_ERROR_INVALID_ARGUMENT,
                "vkrWriteProfile: profile is NULL, but must point to a VkrProfile.");
    assert_said(vkrGetPolicy(fixture.context, VKR_POLICY_SORT, NULL), VKR_ERROR_INVALID_ARGUMENT,
                "vkrGetPolicy: policy is NULL, but must point to a VkrPolicy.");
    assert_said(vkrGetPolicy(fixture.context, VKR_POLICY_COUNT, &found), VKR_ERROR_INVALID_ARGUMENT,
                "vkrGetPolicy: kind is 7, but must be 0 to 6.");
    assert_int_equal(vkrGetPolicy(NULL, VKR_POLICY_SORT, &found), VKR_ERROR_INVALID_ARGUMENT);
    assert_null(vkrPolicyFields(VKR_POLICY_COUNT, &count));
    assert_int_equal(count, 0);
    assert_string_equal(vkrPolicyName(VKR_POLICY_COUNT), "unknown");
    trace_close();
}
