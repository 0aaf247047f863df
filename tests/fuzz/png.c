/* SPDX-License-Identifier: MIT */
/*
 * PNG pictures as INPUT of the runner. Mutations cause wrong checksums and broken zlib streams, at
 * which a decoder stops early. So the first byte can ask for right checksums of all chunks (1), and
 * then also for a zlib stream around the data of the first IDAT chunk (2). With 4 the picture is
 * used as flags for --segments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/segments.h"
#include "said.h"

#define MAX_INPUT_BYTES 4096u /* of a picture's file */
#define MAX_MEMORY (4u << 20) /* bytes of one allocation */
#define MAX_FLAGS 4096u       /* flags that are checked */
#define MAX_FILE (2 * MAX_INPUT_BYTES)

/* Large allocations fail, since a picture can announce 8 TB of pixels. */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

void *__wrap_malloc(size_t size)
{
    return size <= MAX_MEMORY ? __real_malloc(size) : NULL;
}

static uint32_t crc_table[256];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (uint32_t i = 0; i < 256; i++) {
        crc_table[i] = i;
        for (int k = 0; k < 8; k++)
            crc_table[i] = crc_table[i] >> 1 ^ (crc_table[i] & 1 ? 0xedb88320u : 0);
    }
    return 0;
}

/* ---- Chunks ---- */

typedef struct png_file {
    uint8_t bytes[MAX_FILE];
    size_t size;
} png_file;

static void put(png_file *to, const void *data, size_t size)
{
    EXPECT(size <= MAX_FILE - to->size, "the file grows too long");
    memcpy(to->bytes + to->size, data, size);
    to->size += size;
}

static void put_number(png_file *to, uint32_t n)
{
    put(to,
        (const uint8_t[]){(uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8), (uint8_t)n},
        4);
}

static uint32_t number_at(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t crc_of(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++)
        crc = crc >> 8 ^ crc_table[(crc ^ data[i]) & 255];
    return ~crc;
}

/* A zlib stream of one block that is not compressed. */
static void put_stream(png_file *to, const uint8_t *data, size_t size)
{
    uint32_t a = 1, b = 0;
    const uint8_t head[] = {
        0x78, 1, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put(to, head, sizeof head);
    put(to, data, size);
    put_number(to, b << 16 | a);
}

static void mend(png_file *to, const uint8_t *data, size_t size, bool wrap)
{
    size_t at = size < 8 ? size : 8;
    put(to, data, at);
    while (size - at >= 12) {
        const uint8_t *chunk = data + at;
        const size_t length = number_at(chunk) < size - at - 12 ? number_at(chunk) : size - at - 12;
        const size_t start = to->size;
        put(to, chunk, 8);
        if (wrap && memcmp(chunk + 4, "IDAT", 4) == 0) {
            put_stream(to, chunk + 8, length);
            wrap = false;
        } else {
            put(to, chunk + 8, length);
        }
        const uint32_t written = (uint32_t)(to->size - start - 8);
        memcpy(to->bytes + start,
               (const uint8_t[]){(uint8_t)(written >> 24), (uint8_t)(written >> 16),
                                 (uint8_t)(written >> 8), (uint8_t)written},
               4);
        put_number(to, crc_of(to->bytes + start + 4, to->size - start - 4));
        at += length + 12;
    }
}

/* ---- The picture ---- */

/* Finds the header. libpng accepts unknown chunks before it. */
static const uint8_t *find_header(const png_file *file)
{
    size_t at = 8;
    while (at + 25 <= file->size && memcmp(file->bytes + at + 4, "IHDR", 4) != 0)
        at += (size_t)number_at(file->bytes + at) + 12;
    EXPECT(at + 25 <= file->size, "there is no header");
    return file->bytes + at + 8;
}

/* Checks that the picture is what its header says. */
static void check_picture(const input *in, const png_file *file)
{
    const uint8_t *header = find_header(file);
    const uint64_t pixels = (uint64_t)number_at(header) * number_at(header + 4);
    const uint64_t pixel = (uint64_t)vkrTypeSize(in->type) * in->components;
    EXPECT(in->type == VKR_TYPE_U8 || in->type == VKR_TYPE_U16, "type %d", (int)in->type);
    EXPECT((in->type == VKR_TYPE_U16) == (header[8] == 16), "depth %u", header[8]);
    EXPECT(in->components >= 1 && in->components <= 4, "%u channels", in->components);
    EXPECT(in->count == pixels && in->size == pixels * pixel, "%llu elements for %llu pixels",
           (unsigned long long)in->count, (unsigned long long)pixels);
    unsigned char *data = malloc((size_t)in->size);
    EXPECT(data != NULL, "no memory");
    (void)said_right(input_load(in, 0, in->count, data));
    free(data);
}

static void try_flags(const char *name, uint64_t count)
{
    char text[160];
    uint32_t bits[MAX_FLAGS / 32];
    segments s;
    snprintf(text, sizeof text, "flags:%s", name);
    if (said_right(segments_open(&s, SEGMENTS_OF_SCAN, text, count)))
        (void)said_right(segments_load(&s, 0, count < MAX_FLAGS ? count : MAX_FLAGS, bits));
    segments_close(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static png_file file;
    fuzz_bytes bytes = {data, size};
    const uint64_t mode = fuzz_below(&bytes, 8);
    const uint64_t count = mode & 4 ? fuzz_below(&bytes, 256) : 0;
    input in;
    if (bytes.left > MAX_INPUT_BYTES)
        return -1;
    file.size = 0;
    if (mode & 1)
        mend(&file, bytes.at, bytes.left, mode & 2);
    else
        put(&file, bytes.at, bytes.left);
    said_nothing();
    const char *name = fuzz_file(file.bytes, file.size, ".png");
    if (mode & 4) {
        try_flags(name, count < 255 ? count : UINT64_MAX);
        return 0;
    }
    if (said_right(input_open(&in, name, &(input_options){0})))
        check_picture(&in, &file);
    input_close(&in);
    return 0;
}
