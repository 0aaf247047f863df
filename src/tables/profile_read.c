/* SPDX-License-Identifier: MIT */
/* Reads a profile (profile.c). */
#include <inttypes.h>
#include <string.h>

#include "../core/message.h"
#include "policies.h"
#include "tuning.h"

typedef struct reader {
    const struct VkrContext_T *context;
    const char *at;
    size_t left;
    uint32_t number; /* of the line, starting at 1 */
    char line[VKR_PROFILE_LINE];
} reader;

static VkrResult fail_line(const reader *r, const char *needs)
{
    return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                    "vkrCreateContext: line %" PRIu32 " of profile is '%.60s': %s.", r->number,
                    r->line, needs);
}

static VkrResult next_line(reader *r)
{
    const char *end = memchr(r->at, '\n', r->left);
    const size_t length = end != NULL ? (size_t)(end - r->at) : r->left;
    const size_t kept = length < VKR_PROFILE_LINE ? length : VKR_PROFILE_LINE - 1;
    r->number++;
    memcpy(r->line, r->at, kept);
    r->line[kept] = '\0';
    for (size_t i = 0; i < kept; i++)
        if ((unsigned char)r->line[i] < ' ' || (unsigned char)r->line[i] > '~')
            r->line[i] = '?';
    if (end == NULL)
        return fail_line(r, "it must end with a newline, and the last line must be 'end'");
    if (length >= VKR_PROFILE_LINE)
        return fail_line(r, "it is too long for a profile");
    r->at += length + 1;
    r->left -= length + 1;
    return VKR_SUCCESS;
}

/* Reads one word, and the single space after it, if another word follows. */
static bool read_word(char **at, char word[24])
{
    const size_t length = strcspn(*at, " ");
    if (length == 0 || length >= 24)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    if (**at == '\0')
        return true;
    ++*at;
    return **at != '\0';
}

static bool read_decimal(char **at, uint32_t *number)
{
    char word[24];
    if (!read_word(at, word))
        return false;
    uint64_t value = 0;
    for (const char *c = word; *c != '\0'; c++) {
        if (*c < '0' || *c > '9' || value > UINT32_MAX)
            return false;
        value = 10 * value + (uint64_t)(*c - '0');
    }
    *number = (uint32_t)value;
    return value <= UINT32_MAX;
}

static const char *policy_name(uint32_t i)
{
    return vkrPolicyName((VkrPolicyKind)i);
}

static const char *operation_name(uint32_t i)
{
    return vkrOperationName((VkrOperation)i);
}

static const char *order_name(uint32_t i)
{
    return vkrLoadOrderName((VkrLoadOrder)i);
}

static const char *path_name(uint32_t i)
{
    return vkrLoadPathName((VkrLoadPath)i);
}

static bool read_enumerator(char **at, const char *(*name)(uint32_t), uint32_t count,
                            uint32_t *index)
{
    char word[24];
    if (!read_word(at, word))
        return false;
    for (*index = 0; *index < count; ++*index)
        if (strcmp(word, name(*index)) == 0)
            return true;
    return false;
}

static VkrResult read_head(reader *r)
{
    const vkr_caps *caps = &r->context->caps;
    const uint32_t expected[] = {caps->vendor_id, caps->device_id, caps->driver_build,
                                 caps->subgroup_size};
    uint32_t found[VKR_ARRAY_SIZE(expected)];
    VKR_TRY(next_line(r));
    if (strcmp(r->line, VKR_PROFILE_HEAD) != 0)
        return fail_line(r, "a profile starts with '" VKR_PROFILE_HEAD "'");
    VKR_TRY(next_line(r));
    char *at = r->line;
    char word[24];
    bool good = read_word(&at, word) && strcmp(word, "device") == 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(expected); i++)
        good = good && read_decimal(&at, &found[i]);
    if (!good || *at != '\0')
        return fail_line(r, "it must be 'device' and four numbers");
    if (memcmp(found, expected, sizeof expected) != 0)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCreateContext: profile is for vendor %" PRIu32 ", device %" PRIu32
                        ", driver build %" PRIu32 " and subgroups of %" PRIu32
                        ", but must be for this device: %" PRIu32 ", %" PRIu32 ", %" PRIu32
                        " and %" PRIu32 ".",
                        found[0], found[1], found[2], found[3], expected[0], expected[1],
                        expected[2], expected[3]);
    return VKR_SUCCESS;
}

static VkrResult read_row(const reader *r, VkrTuning *t)
{
    char line[VKR_PROFILE_LINE];
    char *at = line;
    uint32_t operation;
    uint32_t order;
    uint32_t path;
    memcpy(line, r->line, sizeof line);
    *t = (VkrTuning){0};
    const bool good =
        read_enumerator(&at, operation_name, VKR_OPERATION_COUNT, &operation) &&
        read_decimal(&at, &t->valueSize) && read_enumerator(&at, vkr_texels_name, 2, &t->texels) &&
        read_decimal(&at, &t->workgroupSize) && read_decimal(&at, &t->treeWorkgroupSize) &&
        read_decimal(&at, &t->oneGroupBytes) && read_decimal(&at, &t->minBytes) &&
        read_decimal(&at, &t->maxBytes) && read_decimal(&at, &t->maxGroups) &&
        read_enumerator(&at, order_name, VKR_LOAD_ORDER_COUNT, &order) &&
        read_enumerator(&at, path_name, VKR_LOAD_PATH_COUNT, &path) &&
        read_decimal(&at, &t->flight) && read_decimal(&at, &t->tileBytes) &&
        read_decimal(&at, &t->lookBack) && *at == '\0';
    if (!good)
        return fail_line(r, "a row must be an operation, a size, 'texels' or 'buffer', six "
                            "numbers, an order, a path and three numbers");
    t->operation = (VkrOperation)operation;
    t->order = (VkrLoadOrder)order;
    t->path = (VkrLoadPath)path;
    const char *needs = vkr_find_tuning_mistake(t);
    return needs != NULL ? fail_line(r, needs) : VKR_SUCCESS;
}

static bool is_policy(const reader *r)
{
    return strncmp(r->line, VKR_PROFILE_POLICY " ", strlen(VKR_PROFILE_POLICY " ")) == 0;
}

/* Reads a line that starts as one of a policy does. */
static VkrResult read_policy(const reader *r, VkrPolicy *policy)
{
    char line[VKR_PROFILE_LINE], text[VKR_POLICY_TEXT];
    char *at = line + strlen(VKR_PROFILE_POLICY " ");
    uint32_t kind, count = 0;
    memcpy(line, r->line, sizeof line);
    bool good = read_enumerator(&at, policy_name, VKR_POLICY_COUNT, &kind);
    *policy = (VkrPolicy){.kind = good ? (VkrPolicyKind)kind : VKR_POLICY_COUNT};
    (void)vkrPolicyFields(policy->kind, &count);
    for (uint32_t i = 0; i < count; i++)
        good = good && read_decimal(&at, &policy->values[i]);
    if (!good || *at != '\0')
        return fail_line(r,
                         "a policy must be 'policy', a kind, and a number for each of its fields");
    const char *needs = vkr_find_policy_mistake(policy, text);
    return needs != NULL ? fail_line(r, needs) : VKR_SUCCESS;
}

/* What a profile replaces. */
typedef struct replaced {
    VkrTuning (*tunings)[2 * VKR_VALUE_SIZES];
    uint32_t (*policies)[VKR_MAX_POLICY_FIELDS];
    bool rows[VKR_OPERATION_COUNT][2 * VKR_VALUE_SIZES];
    bool kinds[VKR_POLICY_COUNT];
} replaced;

static VkrResult replace_policy(const reader *r, replaced *to)
{
    VkrPolicy policy;
    VKR_TRY(read_policy(r, &policy));
    if (to->kinds[policy.kind])
        return fail_line(r, "there is already a policy of this kind");
    to->kinds[policy.kind] = true;
    memcpy(to->policies[policy.kind], policy.values, sizeof policy.values);
    return VKR_SUCCESS;
}

static VkrResult replace_row(const reader *r, replaced *to)
{
    VkrTuning row;
    VKR_TRY(read_row(r, &row));
    const uint32_t index = vkr_tuning_index(row.texels, row.valueSize);
    if (to->rows[row.operation][index])
        return fail_line(r, "there is already a row for this operation, size and view");
    to->rows[row.operation][index] = true;
    to->tunings[row.operation][index] = row;
    return VKR_SUCCESS;
}

VkrResult vkr_read_profile(const struct VkrContext_T *context, const char *profile, size_t size,
                           vkr_tunings tunings, vkr_policies policies)
{
    reader r = {.context = context, .at = profile, .left = size};
    replaced to = {.tunings = tunings, .policies = policies};
    VKR_TRY(read_head(&r));
    for (;;) {
        VKR_TRY(next_line(&r));
        if (strcmp(r.line, "end") == 0)
            break;
        VKR_TRY(is_policy(&r) ? replace_policy(&r, &to) : replace_row(&r, &to));
    }
    return r.left == 0 ? VKR_SUCCESS : fail_line(&r, "it must be the last one, but more follows");
}
