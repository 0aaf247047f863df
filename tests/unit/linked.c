/* SPDX-License-Identifier: MIT */
/* Which predicates are linked into the kernels of a compaction, and which are called in a pass of
 * their own, on the stub of Vulkan. */
#include <stdio.h>
#include <string.h>

#include "traced.h"
#include "vkreduce/testing.h"

static const char profile[] =
    "vkreduce-profile 2\ndevice 0 0 0 32\n"
    "compact 4 buffer 256 256 4096 32 32 2048 coalesced vec4 4 64 1\nend\n";

static const uint32_t straight[] =
#include "keep.inc"
    ;
static const uint32_t looping[] =
#include "keep_loop.inc"
    ;

#define COUNT (1u << 20)
#define HALF (4u * COUNT)

typedef struct linked_row {
    const char *name;
    uint32_t steps; /* all of them */
    bool linked;    /* into the first one, which otherwise only calls the function */
    bool loops, no_tiles, kept, finds, has_range, has_set;
    uint32_t use_count;
    VkrUse use; /* the first one */
    VkrCompactAlgorithm algorithm;
} linked_row;

/* Indices are the first half of buffer O, kept values the second. */
static const linked_row rows[] = {
    {.name = "indices", .steps = 1, .linked = true},
    {.name = "values", .steps = 1, .linked = true, .kept = true},
    {.name = "runs", .steps = 2, .linked = true, .no_tiles = true, .kept = true},
    {.name = "loops in tiles", .steps = 1, .linked = true, .loops = true, .kept = true},
    {.name = "loops in runs", .steps = 3, .loops = true, .no_tiles = true},
    {.name = "flags that are written", .steps = 2, .has_range = true},
    {.name = "an output that is read",
     .steps = 2,
     .use_count = 1,
     .use = {.buffer = BUFFER('O'), .offset = HALF - 4, .size = 4}},
    {.name = "a neighbour of an output",
     .steps = 1,
     .linked = true,
     .use_count = 1,
     .use = {.buffer = BUFFER('O'), .offset = HALF, .size = 4}},
    {.name = "the same, which is one",
     .steps = 2,
     .kept = true,
     .use_count = 1,
     .use = {.buffer = BUFFER('O'), .offset = HALF, .size = 4}},
    {.name = "an input that is read",
     .steps = 1,
     .linked = true,
     .kept = true,
     .use_count = 1,
     .use = {.buffer = BUFFER('A'), .offset = 0, .size = 4}},
    {.name = "an input that is written",
     .steps = 2,
     .kept = true,
     .use_count = 1,
     .use = {.buffer = BUFFER('A'), .offset = 0, .size = 4, .access = VK_ACCESS_SHADER_WRITE_BIT}},
    {.name = "a few ranges",
     .steps = 1,
     .linked = true,
     .use_count = 9,
     .use = {.buffer = BUFFER('P'), .offset = 0, .size = 4}},
    {.name = "many ranges",
     .steps = 2,
     .use_count = 10,
     .use = {.buffer = BUFFER('P'), .offset = 0, .size = 4}},
    {.name = "a set", .steps = 1, .linked = true, .has_set = true},
    {.name = "a search", .steps = 2, .linked = true, .finds = true},
    {.name = "a search with loops", .steps = 3, .finds = true, .loops = true},
    {.name = "stream reduction", .steps = 0, .algorithm = VKR_COMPACT_HORN},
};

static char text[1 << 16];

static void add_line(void *data, const char *line)
{
    size_t *length = data;
    *length += (size_t)snprintf(text + *length, sizeof text - *length, "%s\n", line);
    assert_true(*length < sizeof text);
}

static uint32_t count_of(const char *wanted)
{
    uint32_t found = 0;
    for (const char *at = text; (at = strstr(at, wanted)) != NULL; at += strlen(wanted))
        found++;
    return found;
}

static VkrResult add(const linked_row *row, const VkrHook *hook)
{
    const VkrPredicate predicate = {
        .kind = VKR_PREDICATE_FLAGS,
        .flags = {.format = VKR_FLAGS_BITS,
                  .range = {row->has_range ? BUFFER('F') : VK_NULL_HANDLE, 0, COUNT / 8},
                  .hook = hook}};
    const VkrView input = {.buffer = BUFFER('A'), .size = HALF, .type = VKR_TYPE_U32};
    VkrCompactInfo compact = {.input = input,
                              .count = COUNT,
                              .algorithm = row->algorithm,
                              .predicate = predicate,
                              .keptIndices = {.buffer = BUFFER('O'), .size = HALF}};
    const VkrFindInfo find = {
        .input = input, .count = COUNT, .predicate = predicate, .index = {BUFFER('O'), 0, 4}};
    if (row->kept)
        compact.kept = (VkrView){.buffer = BUFFER('O'), .offset = HALF, .size = HALF};
    return row->finds ? vkrCmdFind(recorder, &find) : vkrCmdCompact(recorder, &compact);
}

static void test_row(void **state)
{
    const linked_row *row = *state;
    VkrUse uses[10];
    size_t length = 0;
    open_traced(&(traced){.profile = profile,
                          .progress = row->no_tiles ? VKR_FORWARD_PROGRESS_NONE
                                                    : VKR_FORWARD_PROGRESS_AUTO});
    VkrModule module;
    const uintptr_t set = row->has_set ? 'S' : 0;
    const VkrModuleInfo info = {.setLayout = (VkDescriptorSetLayout)set,
                                .code = row->loops ? looping : straight,
                                .codeSize = row->loops ? sizeof looping : sizeof straight};
    assert_int_equal(vkrCreateModule(context, &info, &module), VKR_SUCCESS);
    for (uint32_t i = 0; i < ARRAY_SIZE(uses); i++)
        uses[i] = row->use;
    const VkrHook hook = {.module = module,
                          .name = "keep",
                          .set = (VkDescriptorSet)set,
                          .useCount = row->use_count,
                          .uses = row->use_count ? uses : NULL};
    assert_int_equal(add(row, &hook), VKR_SUCCESS);
    assert_int_equal(vkrDescribe(recorder, add_line, &length), VKR_SUCCESS);
    if (count_of(": call with a function") != (row->linked ? 0 : 1))
        print_message("%s", text);
    assert_int_equal(count_of(": call with a function"), row->linked ? 0 : 1);
    assert_int_equal(count_of(" with a function") > 0, true);
    if (row->steps != 0)
        assert_int_equal(count_of("  step "), row->steps);
    end_traced(NULL);
    vkrDestroyRecorder(recorder);
    recorder = NULL;
    vkrDestroyModule(module);
    close_traced();
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_SIZE(rows)];
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        tests[i] = (struct CMUnitTest)CASE_OF(rows[i].name, test_row, &rows[i]);
    return _cmocka_run_group_tests("linked", tests, ARRAY_SIZE(rows), NULL, NULL);
}
