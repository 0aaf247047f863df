/* SPDX-License-Identifier: MIT */
/* Parses the words of the command line into the fields of a command's options. */
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"
#include "input/number.h"
#include "status.h"

static int refuse_word(const option_row *option, const char *text)
{
    char words[256] = "";
    for (uint32_t i = (uint32_t)option->min; i < option->max; i++) {
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", length == 0 ? "" : ", ",
                 option->word(i));
    }
    return fail(STATUS_USAGE, "--%s is '%s'; it must be one of %s%s", option->name, text, words,
                option->file != 0 ? ", or a file that ends in .glsl or .spv" : "");
}

static int set_number(const option_row *option, const char *text, uint64_t *number)
{
    const bool is_size = option->kind == OPTION_SIZE;
    if ((is_size ? parse_size : parse_count)(text, option->min, option->max, number))
        return STATUS_DONE;
    return fail(STATUS_USAGE, "--%s is '%s'; it must be a whole number %sfrom %llu to %llu%s",
                option->name, text, is_size ? "of bytes " : "", (unsigned long long)option->min,
                (unsigned long long)option->max,
                is_size ? ", such as 4096, 1e6, 64MiB or 1.5GiB" : "");
}

static bool is_file(const char *text)
{
    const char *end = strrchr(text, '.');
    return strchr(text, '/') != NULL ||
           (end != NULL && (strcmp(end, ".glsl") == 0 || strcmp(end, ".spv") == 0));
}

static int set_word(const option_row *option, const char *text, uint32_t *index)
{
    if (option->file != 0) { /* the last of several words and files counts */
        const char **file = (const char **)(void *)((char *)index + option->file);
        *file = is_file(text) ? text : NULL;
        if (*file != NULL)
            return STATUS_DONE;
    }
    for (uint32_t i = (uint32_t)option->min; i < option->max; i++)
        if (strcmp(text, option->word(i)) == 0) {
            *index = i;
            return STATUS_DONE;
        }
    return refuse_word(option, text);
}

static int add_text(const option_row *option, const char *text, text_list *list)
{
    if (list->count == MAX_TEXTS)
        return fail(STATUS_USAGE, "--%s is given more than %u times", option->name, MAX_TEXTS);
    list->texts[list->count++] = text;
    return STATUS_DONE;
}

static int set_option(const option_row *option, const char *text, void *field)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return STATUS_DONE;
    case OPTION_PATH:
        if (text[0] == '\0')
            return fail(STATUS_USAGE, "--%s is ''; it must be a name: %s", option->name,
                        option->argument);
        *(const char **)field = text;
        return STATUS_DONE;
    case OPTION_TEXT:
        *(const char **)field = text;
        return STATUS_DONE;
    case OPTION_LIST:
        return add_text(option, text, field);
    case OPTION_NUMBER:
    case OPTION_SIZE:
        return set_number(option, text, field);
    case OPTION_WORD:
        return set_word(option, text, field);
    case OPTION_ROWS:
        break;
    }
    return STATUS_USAGE;
}

/* Moves to the option of this name; returns false if there is none. */
static bool find_option(option_walk *w, const char *name, size_t length)
{
    while (option_next(w))
        if (strlen(w->row.name) == length && strncmp(w->row.name, name, length) == 0)
            return true;
    return false;
}

static bool takes_option(const command *c, const char *name)
{
    option_walk w = option_start(c);
    return find_option(&w, name, strlen(name));
}

/* Parses the option at argv[*i] and its argument, which follows a '=' or is the next word. */
static int parse_option(const command *c, char **argv, int argc, int *i, void *options)
{
    const bool short_output = strcmp(argv[*i], "-o") == 0;
    const char *name = short_output ? "output" : argv[*i] + 2;
    const char *value = strchr(name, '=');
    const size_t length = value != NULL ? (size_t)(value - name) : strlen(name);
    const char *why = option_refusal(c, name, length);
    option_walk w = option_start(c);
    if (why != NULL && argv[*i][1] == '-')
        return fail(STATUS_USAGE, "--%.*s is given, but %s; leave it out", (int)length, name, why);
    if (!short_output && argv[*i][1] == '-' && length == 7 && strncmp(name, "reverse", 7) == 0 &&
        !find_option(&w, name, length) && takes_option(c, "descending"))
        return fail(STATUS_USAGE, "%s has no option '--reverse'; did you mean --descending?",
                    c->name);
    w = option_start(c);
    if (!find_option(&w, name, length) || (argv[*i][1] != '-' && !short_output))
        return fail(STATUS_USAGE, "%s has no option '%s'; see vkreduce %s --help", c->name,
                    argv[*i], c->name);
    const option_row *option = &w.row;
    void *field = (char *)options + option->field;
    if (option->argument == NULL)
        return value == NULL ? set_option(option, NULL, field)
                             : fail(STATUS_USAGE, "--%s takes no value", option->name);
    if (value != NULL)
        value++;
    else if (*i + 1 < argc)
        value = argv[++*i];
    else
        return fail(STATUS_USAGE, "--%s needs a value: %s", option->name, option->argument);
    return set_option(option, value, field);
}

/* Whether a word is an option. A predicate that starts with a negative constant is not. */
static bool is_option(const char *text)
{
    return text[0] == '-' && text[1] != '\0' && strchr(".0123456789", text[1]) == NULL;
}

int parse_options(const command *c, char **argv, int argc, operands *given, void *options)
{
    bool ended = false;
    *given = (operands){.words = argv};
    for (int i = 0; i < argc; i++) {
        int status;
        if (!ended && strcmp(argv[i], "--") == 0)
            ended = true;
        else if (ended || !is_option(argv[i]))
            argv[given->count++] = argv[i];
        else if ((status = parse_option(c, argv, argc, &i, options)) != STATUS_DONE)
            return status;
    }
    const bool has_file =
        c->file_option != NULL && *(const char **)((char *)options + c->file_field) != NULL;
    if (has_file && given->count != 1)
        return fail(STATUS_USAGE, "%s got %u operands; with --%s it takes INPUT alone", c->name,
                    given->count, c->file_option);
    if (!has_file && (given->count < c->min_operands || given->count > c->max_operands))
        return fail(STATUS_USAGE, "%s got %u operands; it takes %s", c->name, given->count,
                    c->max_operands == 0 ? "none" : c->operands);
    return STATUS_DONE;
}
