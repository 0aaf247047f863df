/* SPDX-License-Identifier: MIT */
/* Manual pages in the format of man: the rows that --help prints, with more sentences. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "command_line/command.h"
#include "types.h"

/* ---- Text ---- */

/* Escapes characters that man would interpret: a - may become a typographic hyphen, and a . or ' at
 * the start of a line begins a request. */
static void print_escaped(const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", stdout);
    for (; *text != '\0'; text++) {
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else
            putchar(*text);
    }
}

/* Starts each sentence on a line of its own, and a paragraph where the text has a newline. */
static void print_paragraphs(const char *text, const char *between)
{
    char line[1024];
    size_t length = 0;
    for (;; text++) {
        const bool ends = *text == '\0' || *text == '\n';
        if (!ends && length + 1 < sizeof line && !(*text == ' ' && length == 0))
            line[length++] = *text;
        const bool sentence = !ends && *text == '.' && text[1] == ' ' && isupper((int)text[2]);
        if (!ends && !sentence)
            continue;
        line[length] = '\0';
        print_escaped(line);
        putchar('\n');
        length = 0;
        if (*text == '\0')
            return;
        if (ends)
            puts(between);
    }
}

/* Prints a phrase of --help as a sentence. */
static void print_sentence(const char *phrase)
{
    char text[400];
    snprintf(text, sizeof text, "%s.", phrase);
    text[0] = (char)toupper((unsigned char)text[0]);
    print_paragraphs(text, ".br");
}

static void print_heading(const char *name, const char *about)
{
    char upper[64];
    size_t i = 0;
    for (; name[i] != '\0' && i + 1 < sizeof upper; i++)
        upper[i] = (char)toupper((unsigned char)name[i]);
    upper[i] = '\0';
    fputs(".\\\" SPDX-License-Identifier: MIT\n.TH ", stdout);
    print_escaped(upper);
    printf(" 1 \"\" \"vkreduce %d.%d.%d\" \"User Commands\"\n.SH NAME\n", VKR_VERSION_MAJOR,
           VKR_VERSION_MINOR, VKR_VERSION_PATCH);
    print_escaped(name);
    fputs(" \\- ", stdout);
    print_escaped(about);
    putchar('\n');
}

static void print_synopsis(const command *c)
{
    printf(".B vkreduce %s\n", c->name);
    if (c->operands[0] != '\0') {
        fputs(".I \"", stdout);
        print_escaped(c->operands);
        puts("\"");
    }
    puts(".RI [ OPTION ...]");
}

static void print_examples(const command *c)
{
    for (uint32_t i = 0; i < MAX_EXAMPLES && c->examples[i] != NULL; i++) {
        print_escaped(c->examples[i]);
        putchar('\n');
    }
}

/* ---- A command ---- */

static void print_argument(const option_row *row)
{
    if (row->argument == NULL)
        return;
    fputs(" \\fI", stdout);
    print_escaped(row->argument);
    fputs("\\fR", stdout);
}

static void print_option(const option_row *row)
{
    fputs(".TP\n\\fB\\-\\-", stdout);
    print_escaped(row->name);
    fputs("\\fR", stdout);
    print_argument(row);
    if (strcmp(row->name, "output") == 0) {
        fputs(", \\fB\\-o\\fR", stdout);
        print_argument(row);
    }
    putchar('\n');
    if (row->manual != NULL)
        print_paragraphs(row->manual, ".br");
    else
        print_sentence(row->help);
}

static void print_topic(const topic *t)
{
    fputs(".TP\n.I ", stdout);
    print_escaped(t->name);
    putchar('\n');
    for (uint32_t i = t->first; i < t->end && !t->explained; i++) {
        print_escaped(t->word(i));
        puts(i + 1 == t->end ? "." : ",");
    }
    if (t->manual != NULL)
        print_paragraphs(t->manual, ".br");
    else if (t->help != NULL)
        print_sentence(t->help);
}

void print_command_manual(const command *c)
{
    char name[40];
    snprintf(name, sizeof name, "vkreduce-%s", c->name);
    print_heading(name, c->summary);
    puts(".SH SYNOPSIS");
    print_synopsis(c);
    puts(".SH DESCRIPTION");
    print_paragraphs(c->description, ".PP");
    if (c->topics[0] != NULL)
        puts(".SH OPERANDS");
    for (uint32_t i = 0; i < MAX_TOPICS && c->topics[i] != NULL; i++)
        print_topic(c->topics[i]);
    puts(".SH OPTIONS\nA value may follow its option after a space or after =.");
    for (option_walk w = option_start(c); option_next(&w);)
        print_option(&w.row);
    puts(".SH EXAMPLES\n.nf");
    print_examples(c);
    puts(".fi\n.SH \"SEE ALSO\"\n.BR vkreduce (1)");
}

/* ---- The program ---- */

static const char files[] =
    ".SH OPTIONS\n"
    ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\n"
    "Print the commands, or the operands and the options of a command.\n"
    ".TP\n\\fB\\-\\-version\\fR\nPrint the version.\n"
    ".TP\n\\fB\\-\\-completion\\fR \\fI" SHELLS "\\fR\n"
    "Print a script with which the shell completes commands, options and their words; it is\n"
    "installed with the program.\n"
    ".TP\n\\fB\\-\\-algorithm\\fR \\fBhelp\\fR\n"
    "List the algorithms of the command, or of all commands.\n"
    ".TP\n\\fB\\-\\-\\fR\nAll that follows is an operand.\n"
    ".SH FILES\n"
    "Outputs are written under another name in the same folder until they are complete, and "
    "removed\n"
    "if the program fails or a signal ends it.\n"
    "A file that exists is replaced and its mode kept; a symbolic link stays, and the file that "
    "it\n"
    "names is replaced.\n"
    "An output named \\fB\\-\\fR is the standard output: its bytes appear there when they are "
    "complete,\n"
    "and nothing else does; only one output can be there, without \\fB\\-\\-json\\fR.\n"
    "A file of this name is called \\fB./\\-\\fR.\n"
    ".SH RANKS\n"
    "Under\n.BR mpirun (1),\neach process (rank) works on a share of the data, on a device of its "
    "own if there are\n"
    "several, and they write files together. Results and files are those of one process; float "
    "sums\n"
    "have its bits with \\fB\\-\\-determinism device\\fR. All ranks must see the same files,\n"
    "and need the same command line, apart from \\fB\\-\\-device\\fR and \\fB\\-\\-profile\\fR.\n"
    "Reductions of all data, of rows and of windows, scans without segments, compactions and\n"
    "histograms are shared, unless they have functions, maps or images. Rank 0 does everything "
    "else\n"
    "alone, and a note says so. One rank prints.\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B TMPDIR\nThe folder of temporary files, in place of\n.IR /tmp .\n"
    ".TP\n.B VK_DRIVER_FILES\nThe drivers that the Vulkan loader offers.\n"
    ".SH \"EXIT STATUS\"\n"
    ".TP\n.B 0\nThe work is done.\n"
    ".TP\n.B 1\nVulkan failed, memory ran out, or an output cannot be written.\n"
    ".TP\n.B 2\nThe usage is wrong, or an input is missing or malformed.\n"
    ".TP\n.B 3\n.B \\-\\-verify\nfound a difference.\n"
    ".TP\n.B 130\nSIGINT, SIGTERM or SIGHUP ended the program; a second one kills it.\n"
    ".SH EXAMPLES\n.nf";

void print_manual(const command_list *list)
{
    print_heading(
        "vkreduce",
        "reductions, scans, sorts, compactions and histograms of data on a Vulkan device");
    puts(".SH SYNOPSIS");
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0)
            puts(".br");
        print_synopsis(list->commands[i]);
    }
    puts(".SH DESCRIPTION\n.B vkreduce\n"
         "runs the operations of the library of the same name on data from files, from pipes or\n"
         "from a random generator, on a GPU or on any other Vulkan device.\n"
         "Data that does not fit the device goes through it in chunks.\n"
         "Each command has a manual page of its own, such as\n.BR vkreduce\\-reduce (1).\n"
         ".SH COMMANDS");
    for (size_t i = 0; i < list->count; i++) {
        printf(".TP\n.B %s\n", list->commands[i]->name);
        print_paragraphs(list->commands[i]->description, ".br");
    }
    puts(".SH OPERANDS");
    print_topic(&input_topic);
    puts(files);
    for (size_t i = 0; i < list->count; i++)
        print_examples(list->commands[i]);
    puts(".fi\n.SH \"SEE ALSO\"");
    const char *comma = "";
    for (size_t i = 0; i < list->count; i++) {
        if (list->commands[i]->run == NULL)
            continue;
        printf("%s.BR vkreduce\\-%s (1)", comma, list->commands[i]->name);
        comma = ",\n";
    }
    putchar('\n');
}
