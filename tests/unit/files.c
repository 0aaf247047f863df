/* SPDX-License-Identifier: MIT */
/* Arrays and raw files that the runner reads, cut at every length. */
#include <signal.h>
#include <stdio.h>
#include "files.h"

/* ---- Arrays ---- */

static void put_npy(sample *s, uint8_t version, const char *header, const void *values, size_t size)
{
    const unsigned char length = (unsigned char)strlen(header);
    const unsigned char head[] = {0x93, 'N', 'U', 'M', 'P', 'Y', version, 0, length, 0, 0, 0};
    put(s, head, version == 1 ? 10 : 12);
    put(s, header, length);
    put(s, values, size);
}

TEST(test_npy)
{
    static const uint16_t numbers[] = {7, 258, 65535, 0, 3, 9};
    static const int order[] = {0, 2, 4, 1, 3, 5}; /* of a 2 x 3 array in Fortran order */
    static const struct {
        uint8_t version;
        bool fortran;
        const char *header;
    } rows[] = {
        {1, false, "{'descr': '<u2', 'fortran_order': False, 'shape': (6,), }\n"},
        {2, false, "{'descr': '<u2', 'fortran_order': False, 'shape': (2, 3), }\n"},
        {3, true, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 3), }\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample s = {.end = ".npy", .type = VKR_TYPE_U16, .components = 1};
        for (int k = 0; k < 6; k++)
            put_value(&s, &numbers[rows[i].fortran ? order[k] : k]);
        put_npy(&s, rows[i].version, rows[i].header, numbers, sizeof numbers);
        check_cuts(&s);
    }
    sample empty = {.end = ".npy", .type = VKR_TYPE_U16, .components = 1};
    put_npy(&empty, 1, "{'descr': '>u2', 'fortran_order': False, 'shape': (0,), }\n", "", 0);
    check_cuts(&empty);
}

/* Every byte other than 0 is true, in C order and in Fortran order. */
TEST(test_truths)
{
    static const unsigned char found[] = {0, 1, 2, 255, 128, 0};
    static const unsigned char flat[] = {0, 1, 1, 1, 1, 0}, turned[] = {0, 1, 1, 1, 1, 0};
    static const char *const headers[] = {
        "{'descr': '|b1', 'fortran_order': False, 'shape': (6,), }\n",
        "{'descr': '|b1', 'fortran_order': True, 'shape': (2, 3), }\n"};
    uint32_t bits;
    segments flags;
    char text[128];
    for (int i = 0; i < 2; i++) {
        sample s = {.end = ".npy", .type = VKR_TYPE_U8, .components = 1};
        for (int k = 0; k < 6; k++)
            put_value(&s, (i == 0 ? flat : turned) + k);
        put_npy(&s, 1, headers[i], found, sizeof found);
        check_cuts(&s);
        snprintf(text, sizeof text, "flags:%s", fuzz_file(s.file, s.size, ".npy"));
        assert_int_equal(segments_open(&flags, SEGMENTS_OF_SCAN, text, 6), STATUS_DONE);
        assert_int_equal(segments_load(&flags, 0, 6, &bits), STATUS_DONE);
        assert_int_equal(bits, 0x1f); /* a segment starts with the first element anyway */
        segments_close(&flags);
    }
}

/* Fields of records: behind padding, big-endian, in another field, and an array. */
TEST(test_fields)
{
    static const char header[] =
        "{'descr': [('', '|V3'), (('t', 'id'), '>u2'), ('in', [('a', '|u1'), ('b', '<u2', (2,))]), "
        "('ids', '|u1')], 'fortran_order': False, 'shape': (3,), }\n";
    static const unsigned char bytes[] = {9, 9, 9, 1, 2, 7, 3, 0, 4, 0, 8, 9, 9, 9, 1, 3, 7,
                                          5, 0, 6, 0, 8, 9, 9, 9, 1, 4, 7, 7, 0, 8, 0, 8};
    static const struct {
        const char *field;
        uint32_t components;
        uint16_t values[6];
    } rows[] = {
        {"id", 1, {258, 259, 260}}, {"t", 1, {258, 259, 260}}, {"in.b", 2, {3, 4, 5, 6, 7, 8}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sample s = {.end = ".npy", .type = VKR_TYPE_U16, .components = rows[i].components};
        s.opts.field = rows[i].field;
        for (uint32_t k = 0; k < 3 * rows[i].components; k++)
            put_value(&s, &rows[i].values[k]);
        put_npy(&s, 1, header, bytes, sizeof bytes);
        check_cuts(&s);
        s.opts.field = "idx";
        check_refused(&s, "id, in, ids");
    }
}

/* Types of one letter, with an order of bytes. */
TEST(test_letters)
{
    sample s = {.end = ".npy", .type = VKR_TYPE_U16, .components = 1};
    put_value(&s, &(uint16_t){258});
    put_npy(&s, 1, "{'descr': '>H', 'fortran_order': False, 'shape': (), }\n", "\1\2", 2);
    check_cuts(&s);
}

/* The bytes say what a file is, unless they are values. */
TEST(test_kinds)
{
    sample s = {.end = ".png", .type = VKR_TYPE_U8, .components = 1};
    put_value(&s, "\7");
    put_npy(&s, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }\n", "\7", 1);
    check_file_cuts(&s);
    sample zeros = {.end = ".bin", .type = VKR_TYPE_U8, .components = 1};
    for (int raw = 0; raw < 2; raw++) {
        sample t = zeros;
        t.opts = (input_options){.type = VKR_TYPE_U8, .raw = raw == 1};
        for (int i = 0; i < 20; i++) {
            const unsigned char byte = (unsigned char)(raw == 1 && i < 4 ? "PK\3\4"[i] : 0);
            put(&t, &byte, 1);
            put_value(&t, &byte);
        }
        check_cuts(&t);
        t.opts.raw = false;
        if (raw == 1)
            check_refused(&t, "ZIP archive");
    }
}

TEST(test_raw)
{
    static const uint64_t strides[] = {0, 8, 12, 20};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        sample s = {.end = ".raw", .type = VKR_TYPE_F32, .components = 2};
        s.opts = (input_options){.type = VKR_TYPE_F32, .components = 2, .stride = strides[i]};
        for (uint32_t k = 0; k < 5; k++) {
            const float pair[] = {(float)k, -1.5f};
            put(&s, pair, sizeof pair);
            put(&s, "padding, if any", strides[i] > sizeof pair ? strides[i] - sizeof pair : 0);
            put_value(&s, &pair[0]);
            put_value(&s, &pair[1]);
        }
        check_cuts(&s);
    }
}

/* Offsets are read from a .npy file, which is cut at every length. */
TEST(test_segments)
{
    static const uint32_t offsets[] = {0, 2, 6};
    sample s = {.end = ".npy"};
    char text[128];
    put_npy(&s, 1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,), }\n", offsets,
            sizeof offsets);
    for (size_t size = 0; size <= s.size; size++)
        for (segments_of command = SEGMENTS_OF_SCAN; command <= SEGMENTS_OF_REDUCE; command++) {
            segments opened;
            uint64_t found[3];
            snprintf(text, sizeof text, "offsets:%s", fuzz_file(s.file, size, ".npy"));
            said_nothing();
            const bool good = said_right(segments_open(&opened, command, text, 6));
            assert_int_equal(good, size == s.size);
            if (good)
                assert_true(said_right(segments_offsets(&opened, 0, 3, found)));
            for (int i = 0; i < 3 && good; i++)
                assert_int_equal(found[i], offsets[i]);
            segments_close(&opened);
        }
}

/* A signal stops the reader. This test comes last, since the program remembers the signal. */
TEST(test_signal)
{
    sample s = {.end = ".npy"};
    put_npy(&s, 1, "{'descr': '<u2', 'fortran_order': True, 'shape': (2, 1), }\n", "abcd", 4);
    catch_interrupts();
    assert_int_equal(raise(SIGTERM), 0);
    check_interrupted(&s);
}

TEST_MAIN("files", CASE(test_npy), CASE(test_truths), CASE(test_fields), CASE(test_letters),
          CASE(test_kinds), CASE(test_raw), CASE(test_segments), CASE(test_signal))
