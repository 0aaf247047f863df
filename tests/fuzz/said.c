/* SPDX-License-Identifier: MIT */
/* Sentences are kept instead of printed: the linker redirects every call of fail() to this file. */
#include "said.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* For targets without main.c. */
const char program_name[] __attribute__((weak)) = "vkreduce";

int __wrap_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

static struct {
    unsigned sentences;
    int status;
    char text[1024];
} last;

int __wrap_fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last.text, sizeof last.text, format, arguments);
    va_end(arguments);
    last.sentences++;
    last.status = status;
    return status;
}

/* In place of note(), for targets that are linked with --wrap=note. */
void __wrap_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

void __wrap_note(const char *format, ...)
{
    EXPECT(format[0] != '\0', "a note says nothing");
}

void said_nothing(void)
{
    last.sentences = 0;
    last.text[0] = '\0';
}

const char *said(void)
{
    return last.text;
}

bool said_right(int status)
{
    if (status == STATUS_DONE) {
        EXPECT(last.sentences == 0, "it is done, and says: %s", last.text);
        return true;
    }
    EXPECT(status == STATUS_USAGE || status == STATUS_VULKAN, "the status is %d", status);
    EXPECT(last.sentences == 1 && last.status == status && strlen(last.text) > 10,
           "it fails with %d and says %u sentences: %s", status, last.sentences, last.text);
    return false;
}
