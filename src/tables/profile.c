/* SPDX-License-Identifier: MIT */
/*
 * Tuning rows as text:
 *
 *     vkreduce-profile 2
 *     device VENDOR DEVICE DRIVER-BUILD SUBGROUP-SIZE
 *     OPERATION VALUE-SIZE VIEW WORKGROUP TREE-WORKGROUP ONE-GROUP-BYTES MIN-BYTES
 *         MAX-BYTES MAX-GROUPS ORDER PATH FLIGHT TILE-BYTES LOOK-BACK (on the same line)
 *     ...
 *     end
 *
 * Numbers are decimal, names are those that vkr..Name returns, VIEW is `texels` or `buffer`. Every
 * line ends with a newline, so that a file that was cut off is noticed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../core/message.h"
#include "tuning.h"

#define VERSION 2u
#define MAX_LINE 160
#define MAX_BYTES 262144u
#define MAX_GROUPS 65536u
#define MAX_FLIGHT 32u
#define MAX_TILE 65536u

static const char *texels_name(VkBool32 texels)
{
    return texels ? "texels" : "buffer";
}

/* ---- Rows ---- */

static bool is_power_of_two(uint32_t n, uint32_t min, uint32_t max)
{
    return n >= min && n <= max && (n & (n - 1)) == 0;
}

/* Returns what the first wrong field of a row must be; NULL if the row is valid. */
static const char *find_mistake(const VkrTuning *t)
{
    const struct {
        bool good;
        const char *needs;
    } rules[] = {
        {(uint32_t)t->operation < VKR_OPERATION_COUNT, "operation must be one of VkrOperation"},
        {is_power_of_two(t->valueSize, 1, 8), "valueSize must be 1, 2, 4 or 8"},
        {t->workgroupSize == 0 || is_power_of_two(t->workgroupSize, 1, 1024),
         "workgroupSize must be 0 or a power of two up to 1024"},
        {is_power_of_two(t->treeWorkgroupSize, 2, 1024),
         "treeWorkgroupSize must be a power of two from 2 to 1024"},
        {t->minBytes >= 1, "minBytes must be at least 1"},
        {t->maxBytes >= 16 && t->maxBytes <= MAX_BYTES, "maxBytes must be 16 to 262144"},
        {t->minBytes <= t->maxBytes, "minBytes must not exceed maxBytes"},
        {t->maxGroups >= 1 && t->maxGroups <= MAX_GROUPS, "maxGroups must be 1 to 65536"},
        {(uint32_t)t->order < VKR_LOAD_ORDER_COUNT, "order must be one of VkrLoadOrder"},
        {(uint32_t)t->path < VKR_LOAD_PATH_COUNT, "path must be one of VkrLoadPath"},
        {t->texels <= VK_TRUE, "texels must be VK_TRUE or VK_FALSE"},
        {t->texels || t->path != VKR_LOAD_TEXEL, "path must not be texel without texels"},
        {t->flight >= 1 && t->flight <= MAX_FLIGHT, "flight must be 1 to 32"},
        {t->tileBytes <= MAX_TILE, "tileBytes must be at most 65536"},
        {t->lookBack <= VK_TRUE, "lookBack must be VK_TRUE or VK_FALSE"},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(rules); i++)
        if (!rules[i].good)
            return rules[i].needs;
    return NULL;
}

/* ---- Writing ---- */

static size_t format_head(const vkr_caps *caps, char line[MAX_LINE])
{
    return (size_t)snprintf(
        line, MAX_LINE,
        "vkreduce-profile %u\ndevice %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", VERSION,
        caps->vendor_id, caps->device_id, caps->driver_build, caps->subgroup_size);
}

static size_t format_row(const VkrTuning *t, char line[MAX_LINE])
{
    return (size_t)snprintf(line, MAX_LINE,
                            "%s %" PRIu32 " %s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
                            " %" PRIu32 " %" PRIu32 " %s %s %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
                            vkrOperationName(t->operation), t->valueSize, texels_name(t->texels),
                            t->workgroupSize, t->treeWorkgroupSize, t->oneGroupBytes, t->minBytes,
                            t->maxBytes, t->maxGroups, vkrLoadOrderName(t->order),
                            vkrLoadPathName(t->path), t->flight, t->tileBytes, t->lookBack);
}

/* Appends a line to the text, if there is one, and returns the new size. */
static size_t append(char *text, size_t used, const char *line, size_t length)
{
    if (text != NULL)
        memcpy(text + used, line, length);
    return used + length;
}

static size_t format_profile(const vkr_caps *caps, uint32_t count, const VkrTuning *tunings,
                             char *text)
{
    char line[MAX_LINE];
    size_t used = append(text, 0, line, format_head(caps, line));
    for (uint32_t i = 0; i < count; i++)
        used = append(text, used, line, format_row(&tunings[i], line));
    return append(text, used, "end\n", 4);
}

static VkrResult check_tunings(VkrContext context, uint32_t count, const VkrTuning *tunings)
{
    if (count != 0 && tunings == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: tunings is NULL, but must point to tuningCount (%" PRIu32
                        ") rows.",
                        count);
    for (uint32_t i = 0; i < count; i++) {
        const char *needs = find_mistake(&tunings[i]);
        if (needs != NULL)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "vkrWriteProfile: tunings[%" PRIu32 "] is not valid: %s.", i, needs);
        for (uint32_t k = 0; k < i; k++)
            if (tunings[k].operation == tunings[i].operation &&
                tunings[k].valueSize == tunings[i].valueSize &&
                tunings[k].texels == tunings[i].texels)
                return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                                "vkrWriteProfile: tunings[%" PRIu32 "] is for %s of %" PRIu32
                                " bytes (%s), but tunings[%" PRIu32
                                "] is too; only one of them can be given.",
                                i, vkrOperationName(tunings[i].operation), tunings[i].valueSize,
                                texels_name(tunings[i].texels), k);
    }
    return VKR_SUCCESS;
}

VkrResult vkrWriteProfile(VkrContext context, uint32_t tuningCount, const VkrTuning *tunings,
                          size_t *size, char *text)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (size == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: size is NULL, but must point to a size_t.");
    VKR_TRY(vkr_check_device(context, "vkrWriteProfile"));
    VKR_TRY(check_tunings(context, tuningCount, tunings));
    const size_t needed = format_profile(&context->caps, tuningCount, tunings, NULL);
    if (text != NULL && *size < needed)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrWriteProfile: *size is %" PRIu64 ", but must be at least %" PRIu64
                        " for %" PRIu32 " rows.",
                        (uint64_t)*size, (uint64_t)needed, tuningCount);
    if (text != NULL)
        (void)format_profile(&context->caps, tuningCount, tunings, text);
    *size = needed;
    return VKR_SUCCESS;
}

/* ---- Reading ---- */

typedef struct reader {
    const struct VkrContext_T *context;
    const char *at;
    size_t left;
    uint32_t number; /* of the line, starting at 1 */
    char line[MAX_LINE];
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
    const size_t kept = length < MAX_LINE ? length : MAX_LINE - 1;
    r->number++;
    memcpy(r->line, r->at, kept);
    r->line[kept] = '\0';
    for (size_t i = 0; i < kept; i++)
        if ((unsigned char)r->line[i] < ' ' || (unsigned char)r->line[i] > '~')
            r->line[i] = '?';
    if (end == NULL)
        return fail_line(r, "it must end with a newline, and the last line must be 'end'");
    if (length >= MAX_LINE)
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
    if (strcmp(r->line, "vkreduce-profile 2") != 0)
        return fail_line(r, "a profile starts with 'vkreduce-profile 2'");
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
    char line[MAX_LINE];
    char *at = line;
    uint32_t operation;
    uint32_t order;
    uint32_t path;
    memcpy(line, r->line, sizeof line);
    *t = (VkrTuning){0};
    const bool good =
        read_enumerator(&at, operation_name, VKR_OPERATION_COUNT, &operation) &&
        read_decimal(&at, &t->valueSize) && read_enumerator(&at, texels_name, 2, &t->texels) &&
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
    const char *needs = find_mistake(t);
    return needs != NULL ? fail_line(r, needs) : VKR_SUCCESS;
}

VkrResult vkr_read_profile(const struct VkrContext_T *context, const char *profile, size_t size,
                           vkr_tunings tunings)
{
    reader r = {.context = context, .at = profile, .left = size};
    bool seen[VKR_OPERATION_COUNT][2 * VKR_VALUE_SIZES] = {{false}};
    VKR_TRY(read_head(&r));
    for (;;) {
        VkrTuning row;
        VKR_TRY(next_line(&r));
        if (strcmp(r.line, "end") == 0)
            break;
        VKR_TRY(read_row(&r, &row));
        const uint32_t index = vkr_tuning_index(row.texels, row.valueSize);
        if (seen[row.operation][index])
            return fail_line(&r, "there is already a row for this operation, size and view");
        seen[row.operation][index] = true;
        tunings[row.operation][index] = row;
    }
    return r.left == 0 ? VKR_SUCCESS : fail_line(&r, "it must be the last one, but more follows");
}
