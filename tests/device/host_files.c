/* SPDX-License-Identifier: MIT */
/* The file with compiled pipelines. */
#include "host_case.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static hearing heard;
static char folder[64]; /* of the test */
static char inner[128]; /* of the cache, which the library creates */
static char file[1024]; /* in it */

static void open_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/vkreduce-host-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(inner, sizeof inner, "%s/a/b", folder);
}

/* The number of files in the folder of the cache, of which `file` becomes one. */
static uint32_t find_files(void)
{
    uint32_t count = 0;
    DIR *open = opendir(inner);
    for (const struct dirent *e = open != NULL ? readdir(open) : NULL; e != NULL; e = readdir(open))
        if (e->d_name[0] != '.') {
            count++;
            snprintf(file, sizeof file, "%s/%.256s", inner, e->d_name);
        }
    if (open != NULL)
        closedir(open);
    return count;
}

static void close_folder(void)
{
    char between[128];
    while (find_files() > 0)
        assert_int_equal(remove(file), 0);
    snprintf(between, sizeof between, "%s/a", folder);
    (void)remove(inner);
    (void)remove(between);
    assert_int_equal(remove(folder), 0);
}

static VkrHostInfo cached_info(hearing *h)
{
    VkrHostInfo info = case_info(h);
    info.flags = 0;
    info.cacheFolder = inner;
    return info;
}

static void use_cache(const VkrHostInfo *info)
{
    VkrHost host;
    VkrHostMemory in, out;
    uint32_t values[64];
    case_fill(values, sizeof values, 5);
    uint32_t sums[16];
    EXPECT_OK(vkrCreateHost(info, &host));
    const VkrHostArray arrays[] = {{values, sizeof values, VKR_HOST_READ},
                                   {sums, sizeof sums, VKR_HOST_WRITE}};
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &arrays[0], &in));
    EXPECT_OK(vkrHostAttach(host, &arrays[1], &out));
    EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, 64));
    EXPECT_OK(vkrHostRun(host));
    case_check(host, CASE_REDUCE, VKR_TYPE_U32, values, 64, sums);
    vkrDestroyHost(host);
}

static unsigned char *read_file(size_t *size)
{
    FILE *open = fopen(file, "rb");
    unsigned char *data = malloc((size_t)64 << 20);
    assert_non_null(open);
    *size = fread(data, 1, (size_t)64 << 20, open);
    fclose(open);
    return data;
}

static void write_file(const void *data, size_t size)
{
    FILE *open = fopen(file, "wb");
    assert_non_null(open);
    assert_int_equal(fwrite(data, 1, size, open), size);
    fclose(open);
}

/* ---- What is written and read ---- */

/* The last CreatePipelineCache of the library, through the loader's functions. */
static size_t initial_size;
static PFN_vkCreatePipelineCache create_cache;
static PFN_vkGetDeviceProcAddr get_device;

static VKAPI_ATTR VkResult VKAPI_CALL see_cache(VkDevice of, const VkPipelineCacheCreateInfo *info,
                                                const VkAllocationCallbacks *callbacks,
                                                VkPipelineCache *cache)
{
    initial_size = info->initialDataSize;
    return create_cache(of, info, callbacks, cache);
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL see_device(VkDevice of, const char *name)
{
    const PFN_vkVoidFunction function = get_device(of, name);
    if (strcmp(name, "vkCreatePipelineCache") != 0)
        return function;
    create_cache = (PFN_vkCreatePipelineCache)function;
    return (PFN_vkVoidFunction)see_cache;
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL see(VkInstance instance, const char *name)
{
    const PFN_vkVoidFunction function = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0)
        return function;
    get_device = (PFN_vkGetDeviceProcAddr)function;
    return (PFN_vkVoidFunction)see_device;
}

static VkrHostInfo seen_info(void)
{
    static VkrHostVulkan vulkan;
    VkrHostInfo info = cached_info(&heard);
    vulkan = info.vulkan != NULL ? *info.vulkan : (VkrHostVulkan){0};
    vulkan.getInstanceProcAddr = see;
    info.vulkan = &vulkan;
    return info;
}

/* The first host writes the file, and the second one reads it; without a cache there is none. */
HOST_TEST(test_cache)
{
    size_t size;
    (void)state;
    open_folder();
    VkrHostInfo info = seen_info();
    heard = (hearing){0};
    info.flags = VKR_HOST_NO_CACHE_BIT;
    use_cache(&info);
    assert_int_equal(find_files(), 0);
    info.flags = 0;
    use_cache(&info);
    assert_int_equal(initial_size, 0);
    assert_int_equal(find_files(), 1);
    free(read_file(&size));
    assert_true(size > 24);
    use_cache(&info);
    assert_int_equal(initial_size, size - 24); /* the file's head */
    assert_int_equal(find_files(), 1);
    assert_int_equal(heard.errors, 0);
    assert_null(strstr(heard.note, "pipelines are not kept"));
    close_folder();
}

/* Files that are cut, altered or of something else are replaced, and no driver gets them. */
HOST_TEST(test_cache_damage)
{
    size_t size, now;
    (void)state;
    open_folder();
    const VkrHostInfo info = seen_info();
    use_cache(&info);
    assert_int_equal(find_files(), 1);
    unsigned char *whole = read_file(&size);
    for (uint32_t damage = 0; damage < 7; damage++) {
        unsigned char *data = malloc(size + 1);
        memcpy(data, whole, size);
        data[size] = 0;
        const size_t places[] = {0, 9, 17, 24, size - 1};
        if (damage < 5)
            data[places[damage]] ^= 0x10;
        const size_t written = damage == 5 ? size - 1 : damage == 6 ? size + 1 : size;
        write_file(data, written);
        initial_size = 1;
        use_cache(&info);
        assert_int_equal(initial_size, 0);
        unsigned char *again = read_file(&now);
        assert_true(now > 24 && (now != written || memcmp(again, data, now) != 0));
        assert_memory_equal(again, whole, 8);
        use_cache(&info);
        assert_int_equal(initial_size, now - 24);
        free(again);
        free(data);
    }
    static const size_t lengths[] = {0, 1, 23, 24};
    for (size_t i = 0; i < ARRAY_SIZE(lengths); i++) {
        write_file(whole, lengths[i]);
        initial_size = 1;
        use_cache(&info);
        assert_int_equal(initial_size, 0);
        free(read_file(&now));
        assert_true(now > 24);
    }
    free(whole);
    close_folder();
}

/* ---- Folders ---- */

/* Folders that cannot be written, or are too long, are notes; another call uses the user's. */
HOST_TEST(test_cache_folder)
{
    static char much[4096];
    (void)state;
    open_folder();
    snprintf(inner, sizeof inner, "%s/file", folder);
    snprintf(file, sizeof file, "%s/file", folder);
    write_file("text", 4);
    snprintf(inner, sizeof inner, "%s/file/below", folder);
    VkrHostInfo info = cached_info(&heard);
    heard = (hearing){0};
    use_cache(&info);
    assert_int_equal(heard.errors, 0);
    assert_non_null(strstr(heard.note, "pipelines are not kept in a file, since '"));
    assert_non_null(strstr(heard.note, inner));
    memset(much, 'x', sizeof much - 1);
    info.cacheFolder = much;
    use_cache(&info);
    assert_int_equal(heard.errors, 0);
    assert_non_null(strstr(heard.note, "its name is too long; cacheFolder can name one."));
    snprintf(file, sizeof file, "%s/file", folder);
    assert_int_equal(remove(file), 0);
    /* The user's folder, where the validation layer writes too. */
    if (device.messenger != VK_NULL_HANDLE) {
        close_folder();
        return;
    }
    const char *const before = getenv("XDG_CACHE_HOME");
    char *kept = before != NULL ? strdup(before) : NULL;
    snprintf(much, sizeof much, "%s/a", folder);
    assert_int_equal(setenv("XDG_CACHE_HOME", much, 1), 0);
    info.cacheFolder = NULL;
    use_cache(&info);
    snprintf(inner, sizeof inner, "%s/a/vkreduce", folder);
    assert_int_equal(find_files(), 1);
    assert_int_equal(kept != NULL ? setenv("XDG_CACHE_HOME", kept, 1) : unsetenv("XDG_CACHE_HOME"),
                     0);
    free(kept);
    close_folder();
}

/* ---- Several at once ---- */

static void *work(void *data)
{
    const VkrHostInfo *info = data;
    for (uint32_t i = 0; i < 4; i++) {
        VkrHost host;
        if (vkrCreateHost(info, &host) != VKR_SUCCESS)
            return data;
        vkrDestroyHost(host);
    }
    return NULL;
}

/* Hosts with devices of their own that write one file: it is whole at the end, and alone. */
HOST_TEST(test_cache_together)
{
    static hearing heards[4];
    static VkrHostInfo infos[4];
    pthread_t threads[4];
    size_t size;
    (void)state;
    open_folder();
    for (uint32_t i = 0; i < 4; i++)
        infos[i] = cached_info(&heards[i]);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &infos[i]), 0);
    for (uint32_t i = 0; i < 4; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(find_files(), 1);
    free(read_file(&size));
    const VkrHostInfo info = seen_info();
    use_cache(&info);
    assert_int_equal(initial_size, size - 24);
    close_folder();
}
