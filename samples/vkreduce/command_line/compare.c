/* SPDX-License-Identifier: MIT */
/* The command lines of the ranks of one mpirun, which must agree. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "command_line/command.h"
#include "ranks.h"
#include "status.h"

/* A command line as data: words that each end with a zero, without those that may differ. */
typedef struct word_list {
    char *text;
    uint64_t size;
} word_list;

/* The number of words of an option that a rank chooses for itself; 0: the word is none. */
static int own_words(const char *word)
{
    static const char *const options[] = {"--device", "--profile"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        const size_t length = strlen(options[i]);
        if (strncmp(word, options[i], length) == 0 && (word[length] == '=' || word[length] == '\0'))
            return word[length] == '=' ? 1 : 2;
    }
    return 0;
}

/* Appends what ranks compare to the text, which may be NULL, and returns its size. */
static uint64_t list_words(int argc, char **argv, char *text)
{
    uint64_t size = 0;
    bool only_operands = false; /* after "--" */
    for (int i = 1; i < argc; i++) {
        const int own = only_operands ? 0 : own_words(argv[i]);
        only_operands = only_operands || strcmp(argv[i], "--") == 0;
        if (own > 0) {
            i += own - 1;
            continue;
        }
        const size_t length = strlen(argv[i]) + 1;
        if (text != NULL)
            memcpy(text + size, argv[i], length);
        size += length;
    }
    return size;
}

/* Finds the first word that differs from that of rank 0. */
static int compare_words(word_list here, word_list first)
{
    uint64_t at = 0;
    while (at < here.size && at < first.size && strcmp(here.text + at, first.text + at) == 0)
        at += strlen(here.text + at) + 1;
    if (at == here.size && at == first.size)
        return STATUS_DONE;
    static const char needs[] =
        "all ranks need the same command, apart from --device and --profile";
    if (at == here.size)
        return fail(STATUS_USAGE, "its command line ends where that of rank 0 has '%s'; %s",
                    first.text + at, needs);
    if (at == first.size)
        return fail(STATUS_USAGE, "its command line has '%s' where that of rank 0 ends; %s",
                    here.text + at, needs);
    return fail(STATUS_USAGE, "its command line has '%s' where that of rank 0 has '%s'; %s",
                here.text + at, first.text + at, needs);
}

int compare_ranks(int argc, char **argv)
{
    if (ranks_count() == 1)
        return STATUS_DONE;
    word_list here = {.size = list_words(argc, argv, NULL)}, first = here;
    int status = ranks_copy(STATUS_DONE, 0, &first.size, sizeof first.size);
    here.text = malloc((size_t)here.size + 1);
    first.text = malloc((size_t)first.size + 1);
    if (here.text == NULL || first.text == NULL)
        status = fail(STATUS_VULKAN, "out of memory");
    else if (status == STATUS_DONE)
        (void)list_words(argc, argv, ranks_is_first() ? first.text : here.text);
    status = ranks_copy(status, 0, first.text, (size_t)first.size);
    if (status == STATUS_DONE && !ranks_is_first())
        status = compare_words(here, first);
    free(here.text);
    free(first.text);
    return ranks_agree(status);
}
