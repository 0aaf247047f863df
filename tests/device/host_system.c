/* SPDX-License-Identifier: MIT */
/*
 * libvkreduce-host and the system: where there is no Vulkan loader, and where processes share a
 * file of pipelines. Functions of the C library stand here in place of those that the library
 * calls. The program starts itself, with arguments, for the other processes.
 */
#define _GNU_SOURCE
#include "unit.h"

#include "host_heap.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vkreduce/host.h"

#define COUNT 1000u

extern char **environ;

static uint32_t errors, notes;
static VkrResult heard;
static char sentence[512];

static void hear(void *data, VkrResult result, const char *text)
{
    (void)data;
    errors += result != VKR_SUCCESS;
    notes += result == VKR_SUCCESS;
    heard = result;
    snprintf(sentence, sizeof sentence, "%s", text);
}

/* Whether a host of this info computes a sum or a sorted array. */
static bool use_host(const VkrHostInfo *info, bool sorts)
{
    static float values[COUNT], sorted[COUNT];
    float sum = 0;
    VkrHost host;
    const VkrView view = {.type = VKR_TYPE_F32};
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (float)(i * 7 % COUNT);
    if (vkrCreateHost(info, &host) != VKR_SUCCESS)
        return false;
    const VkrHostReduceInfo reduce = {.reduce = {.ops = VKR_OP_SUM, .input = view, .count = COUNT},
                                      .input = values,
                                      .results = &sum,
                                      .resultsSize = sizeof sum};
    const VkrHostSortInfo sort = {
        .sort = {.keys = view, .count = COUNT}, .keys = values, .sorted = sorted};
    bool right =
        sorts ? vkrHostSort(host, &sort) == VKR_SUCCESS
              : vkrHostReduce(host, &reduce) == VKR_SUCCESS && sum == COUNT * (COUNT - 1) / 2;
    for (uint32_t i = 0; i < COUNT && sorts; i++)
        right = right && sorted[i] == (float)i;
    vkrDestroyHost(host);
    return right;
}

/* ---- The loader ---- */

enum { LOADER, NO_LOADER, NO_ENTRY, SECOND_NAME };
static int system_has;
static uint32_t opened, closed; /* libraries under the loader's names */
static char asked[128];
static void *loader;

static void *open_library(const char *name, int mode)
{
    void *(*next)(const char *, int);
    void *symbol = dlsym(RTLD_NEXT, "dlopen");
    memcpy(&next, &symbol, sizeof next);
    return next(name, mode);
}

void *dlopen(const char *name, int mode)
{
    if (name == NULL || strncmp(name, "libvulkan.so", strlen("libvulkan.so")) != 0)
        return open_library(name, mode);
    snprintf(asked + strlen(asked), sizeof asked - strlen(asked), "%s ", name);
    if (system_has == NO_LOADER ||
        (system_has == SECOND_NAME && strcmp(name, "libvulkan.so.1") == 0))
        return NULL;
    loader = open_library(system_has == NO_ENTRY ? "libm.so.6" : "libvulkan.so.1", mode);
    opened += loader != NULL;
    return loader;
}

int dlclose(void *library)
{
    int (*next)(void *);
    void *symbol = dlsym(RTLD_NEXT, "dlclose");
    memcpy(&next, &symbol, sizeof next);
    closed += library == loader;
    return next(library);
}

static VkrHostInfo start(int has)
{
    system_has = has;
    opened = closed = errors = notes = 0;
    asked[0] = sentence[0] = '\0';
    heap = (host_heap){.fails_at = HOST_HEAP_NEVER};
    return (VkrHostInfo){
        .message = hear, .flags = VKR_HOST_NO_CACHE_BIT, .allocator = &heap_callbacks};
}

static void expect_none(int has, const char *names)
{
    static const char text[] = "no Vulkan loader was found; install libvulkan1, or what brings "
                               "Vulkan to this system.";
    char expected[256];
    for (uint32_t lists = 0; lists < 2; lists++) {
        const VkrHostInfo info = start(has);
        uint32_t count = 7;
        VkrHost host = (VkrHost)(void *)&heap;
        const VkrResult result =
            lists != 0 ? vkrGetHostDevices(&info, &count, NULL, NULL) : vkrCreateHost(&info, &host);
        snprintf(expected, sizeof expected, "%s: %s",
                 lists != 0 ? "vkrGetHostDevices" : "vkrCreateHost", text);
        assert_int_equal(result, VKR_ERROR_UNSUPPORTED);
        assert_int_equal(heard, VKR_ERROR_UNSUPPORTED);
        assert_int_equal(errors + notes, 1);
        assert_string_equal(sentence, expected);
        assert_string_equal(asked, names);
        assert_true(lists != 0 || host == NULL);
        assert_int_equal(heap.blocks, 0);
        assert_int_equal(closed, opened);
    }
}

TEST(test_no_loader)
{
    expect_none(NO_LOADER, "libvulkan.so.1 libvulkan.so ");
    assert_int_equal(opened, 0);
    /* A library of that name which is none. */
    expect_none(NO_ENTRY, "libvulkan.so.1 ");
    assert_int_equal(opened, 1);
}

TEST(test_second_name)
{
    const VkrHostInfo info = start(SECOND_NAME);
    if (!use_host(&info, false))
        fail_msg("%s", sentence);
    assert_string_equal(asked, "libvulkan.so.1 libvulkan.so ");
    assert_int_equal(opened, 1);
    assert_int_equal(closed, 1);
    assert_int_equal(heap.blocks, 0);
}

/* ---- Processes ---- */

enum { GO = 3, READY = 4 }; /* file descriptors of a process that stops before it renames */

static bool stops;

/* Says that it is here, and waits. */
int rename(const char *from, const char *to)
{
    const char *end = strstr(to, ".pipelines");
    char byte = 'r';
    if (stops && end != NULL && strcmp(end, ".pipelines") == 0 &&
        (write(READY, &byte, 1) != 1 || read(GO, &byte, 1) != 1))
        return -1;
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static int work(const char *folder, bool sorts)
{
    const VkrHostInfo info = {.message = hear, .cacheFolder = folder};
    const bool right = use_host(&info, sorts) && errors == 0 && notes == 0;
    if (!right)
        fprintf(stderr, "# a process: %s\n", sentence);
    return right ? 0 : 1;
}

typedef struct process {
    pid_t id;
    int go, ready;
} process;

static char folder[64];

/* Addresses are those of other processes, so that nothing but their numbers differs. */
static process start_process(const char *sorts, bool stopped)
{
    char *arguments[] = {"host_system", folder, (char *)(uintptr_t)sorts, stopped ? "stops" : NULL,
                         NULL};
    posix_spawn_file_actions_t files;
    int go[2], ready[2];
    process p;
    assert_int_equal(pipe2(go, O_CLOEXEC) | pipe2(ready, O_CLOEXEC), 0);
    assert_int_equal(posix_spawn_file_actions_init(&files), 0);
    /* Above 4, so that neither overwrites the other. */
    const int from[2] = {fcntl(go[0], F_DUPFD_CLOEXEC, 10), fcntl(ready[1], F_DUPFD_CLOEXEC, 10)};
    posix_spawn_file_actions_adddup2(&files, from[0], GO);
    posix_spawn_file_actions_adddup2(&files, from[1], READY);
    const int before = personality(0xffffffff);
    (void)personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    assert_int_equal(posix_spawn(&p.id, "/proc/self/exe", &files, NULL, arguments, environ), 0);
    (void)personality((unsigned long)before);
    posix_spawn_file_actions_destroy(&files);
    p.go = go[1];
    p.ready = ready[0];
    const int ours[] = {go[0], ready[1], from[0], from[1]};
    for (size_t i = 0; i < ARRAY_SIZE(ours); i++)
        close(ours[i]);
    return p;
}

static void expect_stopped(const process *p)
{
    char byte;
    assert_int_equal(read(p->ready, &byte, 1), 1);
}

static void end_process(process *p)
{
    int status = -1;
    const ssize_t written = write(p->go, "g", 1);
    assert_true(written == 1);
    assert_int_equal(waitpid(p->id, &status, 0), p->id);
    assert_int_equal(status, 0);
    close(p->go);
    close(p->ready);
}

static char file[512]; /* the last one that was found */

/* The number of files in the folder with this end. */
static uint32_t find_files(const char *end)
{
    uint32_t count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *e = readdir(open); e != NULL; e = readdir(open)) {
        const size_t length = strlen(e->d_name), own = strlen(end);
        if (length < own || strcmp(e->d_name + length - own, end) != 0 || e->d_name[0] == '.')
            continue;
        count++;
        snprintf(file, sizeof file, "%s/%.256s", folder, e->d_name);
    }
    closedir(open);
    return count;
}

/* There is a file, and it is whole: its head has the size and the sum of what follows. */
static void expect_whole(void)
{
    static unsigned char bytes[1 << 24];
    uint64_t size, sum, expected = UINT64_C(0xcbf29ce484222325);
    assert_int_equal(find_files(".pipelines"), 1);
    FILE *open = fopen(file, "rb");
    assert_non_null(open);
    const size_t length = fread(bytes, 1, sizeof bytes, open);
    fclose(open);
    assert_in_range(length, 25, sizeof bytes - 1);
    memcpy(&size, bytes + 8, 8);
    memcpy(&sum, bytes + 16, 8);
    for (size_t i = 24; i < length; i++)
        expected = (expected ^ bytes[i]) * UINT64_C(0x100000001b3);
    assert_string_equal((const char *)bytes, "vkrhost");
    assert_int_equal(size, length - 24);
    assert_true(sum == expected);
}

/* Two processes have written their files and are about to give them their name; a third one comes
 * and goes meanwhile. */
TEST(test_processes)
{
    snprintf(folder, sizeof folder, "/tmp/vkreduce-host-XXXXXX");
    assert_non_null(mkdtemp(folder));
    process one = start_process("", true), other = start_process("", true);
    expect_stopped(&one);
    expect_stopped(&other);
    assert_int_equal(find_files(".pipelines"), 0);
    assert_int_equal(find_files(".tmp"), 2);
    process third = start_process("sorts", false);
    end_process(&third);
    expect_whole();
    end_process(&other);
    expect_whole();
    end_process(&one);
    expect_whole();
    assert_int_equal(find_files(""), 1);
    /* What the last one has left is of use. */
    assert_int_equal(work(folder, true), 0);
    expect_whole();
    assert_int_equal(find_files(""), 1);
    assert_int_equal(remove(file), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {CASE(test_no_loader), CASE(test_second_name),
                                       CASE(test_processes)};
    stops = count == 4;
    if (count >= 3)
        return work(arguments[1], arguments[2][0] != '\0');
    return cmocka_run_group_tests_name("host_system", tests, NULL, NULL);
}
