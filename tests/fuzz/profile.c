/* SPDX-License-Identifier: MIT */
/* Tuning profiles: the library's reader, and the runner's from a file. A profile that is accepted
 * must stay the same when it is written and read again. */
#include <stdlib.h>
#include <string.h>

#include "../../src/tables/policies.h"
#include "../../src/tables/tuning.h"
#include "device/gpu.h"
#include "said.h"
#include "trace.h"

#undef fail /* cmocka's; the runner has a function of that name */

#define MAX_ROWS (VKR_OPERATION_COUNT * 2 * VKR_VALUE_SIZES)

/* Sentences quote lines of the profile, which can contain anything. */
static void take_sentence(void *data, VkrResult result, const char *sentence)
{
    EXPECT(data == &fixture && strlen(sentence) < sizeof fixture.sentence, "%s", sentence);
    strcpy(fixture.sentence, sentence);
    fixture.result = result;
    fixture.sentences++;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    trace_describe(&(trace_device){.built_in = true});
    fixture.info.message = take_sentence;
    EXPECT(vkrCreateContext(&fixture.info, &fixture.context) == VKR_SUCCESS, "%s",
           fixture.sentence);
    return 0;
}

/* Whether a call succeeded; each failure must have one sentence. */
static bool heard(VkrResult result)
{
    EXPECT(fixture.sentences == (result != VKR_SUCCESS), "%s: %u sentences, the last one '%s'",
           vkrResultName(result), fixture.sentences, fixture.sentence);
    EXPECT(result == VKR_SUCCESS || result == VKR_ERROR_INVALID_ARGUMENT ||
               result == VKR_ERROR_UNSUPPORTED,
           "%s", vkrResultName(result));
    for (const char *at = fixture.sentence; *at != '\0'; at++)
        EXPECT(*at >= ' ' && *at <= '~', "a character of %d is said", *at);
    fixture.sentences = 0;
    return result == VKR_SUCCESS;
}

static void check_again(vkr_tunings tunings, vkr_policies kept)
{
    VkrTuning rows[MAX_ROWS];
    VkrPolicy policies[VKR_POLICY_COUNT];
    const VkrProfile profile = {MAX_ROWS, rows, VKR_POLICY_COUNT, policies};
    char text[200 * MAX_ROWS];
    vkr_tunings again;
    vkr_policies again_kept;
    size_t size = sizeof text;
    memcpy(rows, tunings, sizeof rows);
    for (uint32_t i = 0; i < VKR_POLICY_COUNT; i++) {
        policies[i].kind = (VkrPolicyKind)i;
        memcpy(policies[i].values, kept[i], sizeof policies[i].values);
    }
    EXPECT(heard(vkrWriteProfile(fixture.context, &profile, &size, text)), "%s", fixture.sentence);
    vkr_tune(&fixture.context->caps, again);
    vkr_choose_policies(&fixture.context->caps, again_kept);
    EXPECT(heard(vkr_read_profile(fixture.context, text, size, again, again_kept)), "%s",
           fixture.sentence);
    EXPECT(memcmp(tunings, again, sizeof again) == 0, "rows are not what they were:\n%s", text);
    EXPECT(memcmp(kept, again_kept, sizeof again_kept) == 0, "policies are not what they were:\n%s",
           text);
}

/* ---- The runner ---- */

static void use_file(const uint8_t *data, size_t size)
{
    const uint32_t objects = stub_objects();
    const int64_t blocks = fixture.blocks;
    VkrContextInfo info = fixture.info;
    VkrContext context;
    char *text = NULL;
    said_nothing();
    if (said_right(profile_read(fuzz_file(data, size, ".txt"), &text, &info.profileSize))) {
        info.profile = text;
        const bool right = heard(vkrCreateContext(&info, &context));
        EXPECT(right == (context != NULL), "a context is left, or there is none");
        EXPECT(right || info.profileSize != 0, "a profile without text is wrong");
        if (right) {
            vkr_tunings tunings;
            vkr_policies policies;
            memcpy(tunings, context->tunings, sizeof tunings);
            memcpy(policies, context->policies, sizeof policies);
            vkrDestroyContext(context);
            check_again(tunings, policies);
        }
    }
    free(text);
    EXPECT(stub_objects() == objects && fixture.blocks == blocks, "something is left");
}

/* Few inputs create a context, since that takes a hundred times as long as reading a profile. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    if (fuzz_below(&bytes, 256) == 'f') {
        use_file(bytes.at, bytes.left);
        return 0;
    }
    /* The text gets an array of its own, without a terminating zero. */
    char *text = malloc(bytes.left + 1);
    EXPECT(text != NULL, "no memory");
    memcpy(text + 1, bytes.at, bytes.left);
    vkr_tunings tunings;
    vkr_policies policies;
    vkr_tune(&fixture.context->caps, tunings);
    vkr_choose_policies(&fixture.context->caps, policies);
    if (heard(vkr_read_profile(fixture.context, text + 1, bytes.left, tunings, policies)))
        check_again(tunings, policies);
    free(text);
    return 0;
}
