/* SPDX-License-Identifier: MIT */
/*
 * pack zstd|none OUT.c MODULE.spv..: writes the modules as data of the library, in the format that
 * src/core/unpack.c reads. The build compiles and runs this program, on the build machine.
 *
 * Most words of a module are ids, which differ from module to module although the code is the same.
 * So they are written as src/core/unpack.h says, by which equal code becomes equal numbers. An
 * instruction's first word is written as its place in a list of all first words, the most frequent
 * first. Every number is written in as few bytes as it needs. Modules of one family, whose names
 * start alike, share a block, which zstd compresses as a whole: it finds most of a module in the
 * others.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef VKR_ZSTD
#include <zstd.h>
#endif

#include "pack.h"

/* The maximum size of a block of several families before compression. All of it is unpacked for one
 * module, which takes 0.5 ms on average; blocks of 1 MiB make the library larger. */
#define BLOCK_LIMIT (2660u << 10)

typedef struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
} bytes;

void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fputs("pack: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        fail("out of memory");
    return memory;
}

static void append(bytes *to, const void *data, size_t size)
{
    if (to->size + size > to->capacity) {
        to->capacity = 2 * (to->size + size);
        to->data = realloc(to->data, to->capacity);
        if (!to->data)
            fail("out of memory");
    }
    memcpy(to->data + to->size, data, size);
    to->size += size;
}

/* ---- Reading ---- */

static void read_name(module *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const size_t length = strcspn(name, ".");
    if (length >= sizeof m->name)
        fail("%s: the name is too long", path);
    memcpy(m->name, name, length);
}

static void read_module(module *m, const char *path)
{
    read_name(m, path);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail("%s: %s", path, strerror(errno));
    bytes content = {0};
    char chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
        append(&content, chunk, n);
    if (ferror(file) || content.size % 4 != 0 || content.size < 4 * VKR_SPIRV_HEADER)
        fail("%s: not a module", path);
    (void)fclose(file);
    m->count = (uint32_t)(content.size / 4);
    m->words = allocate(m->count, sizeof *m->words);
    memcpy(m->words, content.data, content.size);
    free(content.data);
    if (m->words[0] != 0x07230203)
        fail("%s: not SPIR-V of this machine's byte order", path);
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += m->words[at] >> 16)
        if (m->words[at] >> 16 == 0 || m->words[at] >> 16 > m->count - at)
            fail("%s: an instruction does not end in the module", path);
}

/* ---- Writing ---- */

static void append_number(bytes *to, uint32_t number)
{
    uint8_t digits[5];
    size_t count = 0;
    for (; number >= 128; number >>= 7)
        digits[count++] = (uint8_t)(number | 128);
    digits[count++] = (uint8_t)number;
    append(to, digits, count);
}

/* Returns the number that is written for an id. `unused` is the lowest id that has not occurred
 * yet. */
static uint32_t number_of_id(const module *m, uint32_t id, uint32_t *unused)
{
    const uint32_t distance = *unused - id;
    if (id > *unused)
        fail("%s: ids do not count up in the order in which they occur", m->name);
    *unused += id == *unused;
    return m->shared[id] != 0 ? 2 * (m->shared[id] - 1) : 2 * distance + 1;
}

static void append_module(bytes *to, const module *m, const code *c)
{
    uint32_t unused = 1;
    for (uint32_t i = 0; i < VKR_SPIRV_HEADER; i++)
        append_number(to, m->words[i]);
    for (uint32_t at = VKR_SPIRV_HEADER; at < m->count; at += vkr_length_of(m->words + at)) {
        vkr_operands operands;
        vkr_start_operands(&operands, m->words + at);
        append_number(to, find_start(c, m->words[at]));
        for (uint32_t k = 1; k < vkr_length_of(m->words + at); k++) {
            const uint32_t word = m->words[at + k];
            append_number(to,
                          is_id(vkr_next_word(&operands)) ? number_of_id(m, word, &unused) : word);
        }
    }
}

static bytes compressed(const bytes *block)
{
    bytes packed = {0};
#ifdef VKR_ZSTD
    packed.capacity = ZSTD_compressBound(block->size);
    packed.data = allocate(packed.capacity, 1);
    packed.size =
        ZSTD_compress(packed.data, packed.capacity, block->data, block->size, ZSTD_maxCLevel());
    if (ZSTD_isError(packed.size))
        fail("%s", ZSTD_getErrorName(packed.size));
#else
    (void)block;
    fail("built without zstd");
#endif
    return packed;
}

/* The data is written as words, which compilers read four times as fast as bytes. */
static void write_block(FILE *file, uint32_t number, const bytes *packed)
{
    (void)fprintf(file, "static const uint64_t block_%u[] = {", number);
    for (size_t at = 0; at < packed->size; at += 8) {
        uint64_t word = 0;
        for (size_t i = 0; i < 8 && at + i < packed->size; i++)
            word |= (uint64_t)packed->data[at + i] << 8 * i;
        (void)fprintf(file, "%s0x%llxu,", at % 40 == 0 ? "\n" : "", (unsigned long long)word);
    }
    (void)fprintf(file, "\n};\n\n");
}

/* The position of a module. */
typedef struct place {
    uint32_t block;
    uint32_t offset; /* before compression */
} place;

typedef struct archive {
    place *places;
    bytes *blocks; /* as they are stored */
    size_t *sizes; /* before compression */
    uint32_t count;
} archive;

/* A family is named by what precedes the first '_'. */
static bool is_family(const module *a, const module *b)
{
    const size_t length = strcspn(a->name, "_");
    return strcspn(b->name, "_") == length && memcmp(a->name, b->name, length) == 0;
}

/* Writes the modules of the family of modules[first], which is its first one. Their places are
 * those in the family. */
static bytes make_family(const module *modules, uint32_t first, uint32_t count, const code *c,
                         place *places)
{
    bytes family = {0};
    for (uint32_t i = first; i < count; i++) {
        if (!is_family(&modules[first], &modules[i]))
            continue;
        places[i].offset = (uint32_t)family.size;
        append_module(&family, &modules[i], c);
    }
    return family;
}

static bool is_first_of_family(const module *modules, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (is_family(&modules[i], &modules[k]))
            return false;
    return true;
}

static void end_block(archive *a, bytes *block, bool zstd)
{
    a->sizes[a->count] = block->size;
    a->blocks[a->count++] = zstd ? compressed(block) : *block;
    if (zstd)
        free(block->data);
    *block = (bytes){0};
}

static archive make_archive(const module *modules, uint32_t count, const code *c, bool zstd)
{
    archive a = {.places = allocate(count, sizeof *a.places),
                 .blocks = allocate(count, sizeof *a.blocks),
                 .sizes = allocate(count, sizeof *a.sizes)};
    bytes block = {0};
    for (uint32_t first = 0; first < count; first++) {
        if (!is_first_of_family(modules, first))
            continue;
        bytes family = make_family(modules, first, count, c, a.places);
        if (block.size != 0 && block.size + family.size > BLOCK_LIMIT)
            end_block(&a, &block, zstd);
        for (uint32_t i = first; i < count; i++) {
            if (!is_family(&modules[first], &modules[i]))
                continue;
            a.places[i].block = a.count;
            a.places[i].offset += (uint32_t)block.size;
        }
        append(&block, family.data, family.size);
        free(family.data);
    }
    end_block(&a, &block, zstd);
    return a;
}

static void free_archive(archive *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        free(a->blocks[i].data);
    free(a->places);
    free(a->blocks);
    free(a->sizes);
}

static void write_starts(FILE *file, const code *c)
{
    (void)fprintf(file,
                  "const uint32_t vkr_shared_count = %u;\nconst uint32_t vkr_start_count = %u;\n"
                  "const uint32_t vkr_starts[] = {",
                  c->shared_count, c->start_count);
    for (uint32_t i = 0; i < c->start_count; i++)
        (void)fprintf(file, "%s0x%x,", i % 8 == 0 ? "\n    " : " ", c->starts[i].word);
    (void)fprintf(file, "\n};\n\n");
}

static void write_tables(FILE *file, const module *modules, uint32_t count, const archive *a)
{
    (void)fprintf(file, "const vkr_block vkr_blocks[] = {\n");
    for (uint32_t i = 0; i < a->count; i++)
        (void)fprintf(file, "    {block_%u, %zu, %zu},\n", i, a->blocks[i].size, a->sizes[i]);
    (void)fprintf(file, "};\n\nconst char vkr_kernel_names[] = {"); /* too long for a string */
    for (uint32_t i = 0; i < count; i++) {
        (void)fprintf(file, "\n    ");
        for (const char *at = modules[i].name; *at; at++)
            (void)fprintf(file, "'%c',", *at);
        (void)fprintf(file, "0,");
    }
    (void)fprintf(file, "\n};\n\nconst vkr_kernel vkr_kernels[] = {\n");
    for (uint32_t i = 0, name = 0; i < count; i++) {
        (void)fprintf(file, "    [VKR_KERNEL_");
        for (const char *at = modules[i].name; *at; at++)
            (void)fputc(toupper((unsigned char)*at), file);
        if (a->places[i].block >> 8 != 0 || a->places[i].offset >> 24 != 0 ||
            modules[i].count >> 16 != 0 || name >> 16 != 0)
            fail("%s: a number is too large for vkr_kernel", modules[i].name);
        (void)fprintf(file, "] = {%u, %u, %u, %u},\n", a->places[i].block, a->places[i].offset,
                      modules[i].count, name);
        name += (uint32_t)strlen(modules[i].name) + 1;
    }
    (void)fprintf(file,
                  "};\n_Static_assert(sizeof vkr_kernels / sizeof vkr_kernels[0] == "
                  "VKR_KERNEL_COUNT && VKR_KERNEL_COUNT == %u, \"all rows have modules\");\n",
                  count);
}

static void write_archive(FILE *file, module *modules, uint32_t count, bool zstd)
{
    code c = {0};
    make_code(modules, count, &c);
    archive a = make_archive(modules, count, &c, zstd);
    (void)fprintf(file, "#include \"kernel_list.h\"\n#include \"core/unpack.h\"\n\n%s\n",
                  zstd ? "#ifndef VKR_ZSTD\n#error \"the modules are compressed by zstd\"\n#endif\n"
                       : "#ifdef VKR_ZSTD\n#error \"the modules are not compressed\"\n#endif\n");
    for (uint32_t i = 0; i < a.count; i++)
        write_block(file, i, &a.blocks[i]);
    write_starts(file, &c);
    write_tables(file, modules, count, &a);
    free_archive(&a);
    free_code(&c);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        fail("usage: pack zstd|none OUT.c MODULE.spv..");
    const uint32_t count = (uint32_t)argc - 3;
    module *modules = allocate(count, sizeof *modules);
    for (uint32_t i = 0; i < count; i++)
        read_module(&modules[i], argv[3 + i]);
    FILE *file = fopen(argv[2], "w");
    if (!file)
        fail("%s: %s", argv[2], strerror(errno));
    write_archive(file, modules, count, strcmp(argv[1], "zstd") == 0);
    if (fclose(file) != 0)
        fail("%s: %s", argv[2], strerror(errno));
    for (uint32_t i = 0; i < count; i++) {
        free(modules[i].words);
        free(modules[i].shared);
    }
    free(modules);
    return 0;
}
