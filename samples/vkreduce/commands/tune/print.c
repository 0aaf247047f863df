/* SPDX-License-Identifier: MIT */
/* Prints the results of the command tune. */
#include <stdio.h>
#include <string.h>
#include "commands/job.h"
#include "commands/tune/tune.h"
#include "output/json.h"
#include "status.h"

int tune_write(const tuner *t, const VkrProfile *profile, char text[MAX_TEXT_SIZE], size_t *size)
{
    *size = MAX_TEXT_SIZE;
    return gpu_status(vkrWriteProfile(t->gpu.vulkan.context, profile, size, text));
}

int tune_write_setting(const tuner *t, const setting *one, char text[MAX_TEXT_SIZE], size_t *size)
{
    const VkrProfile profile = {.tuningCount = one->is_policy ? 0 : 1,
                                .tunings = &one->row,
                                .policyCount = one->is_policy ? 1 : 0,
                                .policies = &one->policy};
    return tune_write(t, &profile, text, size);
}

const char *tune_row_line(const char *profile)
{
    return strchr(strchr(profile, '\n') + 1, '\n') + 1;
}

/* Prints a row as a profile writes it. */
static int print_row(const tuner *t, const setting *row)
{
    char text[MAX_TEXT_SIZE];
    size_t size;
    int status = tune_write_setting(t, row, text, &size);
    const char *line = status == STATUS_DONE ? tune_row_line(text) : "\n";
    printf("%.*s", (int)strcspn(line, "\n"), line);
    return status;
}

int tune_print_measured(const tuner *t, const measured *m, const char *word)
{
    if (is_quiet(t->opts))
        return STATUS_DONE;
    printf("%-5s %6.3f ", word, m->score);
    for (uint32_t i = 0; i < t->now->count_count; i++)
        printf(" %7.3f", m->rate[i]);
    printf("  ");
    int status = print_row(t, &m->row);
    putchar('\n');
    fflush(stdout);
    return status;
}

static void print_fields(VkrPolicyKind kind)
{
    uint32_t count;
    const VkrPolicyField *fields = vkrPolicyFields(kind, &count);
    printf("  policy, kind");
    for (uint32_t i = 0; i < count; i++)
        printf(", %s", fields[i].name);
    putchar('\n');
}

void tune_print_heading(const tuner *t)
{
    if (is_quiet(t->opts))
        return;
    printf("\n%s%s, GB/s of %s by number of values\n      %6s ", vkrTypeName(t->now->type),
           t->now->texels ? " with texels" : "", t->now->subject->name, "score");
    for (uint32_t i = 0; i < t->now->count_count; i++)
        printf(" %7llu", (unsigned long long)t->now->counts[i]);
    if (t->now->subject->is_policy)
        print_fields(t->now->subject->policy);
    else
        printf("  operation, value size, view, workgroup, tree, one group, min, max, groups, "
               "order, path, flight, tile, look back\n");
}

static int print_json_measured(const tuner *t, const finding *f, const measured *m)
{
    printf("{\"row\":\"");
    int status = print_row(t, &m->row);
    printf("\",\"score\":%.4f,\"gb_per_s\":[", m->score);
    for (uint32_t i = 0; i < f->count_count; i++)
        printf("%s%.6f", i == 0 ? "" : ",", m->rate[i]);
    fputs("]}", stdout);
    return status;
}

int tune_print_json(const tuner *t, const char *text)
{
    int status = STATUS_DONE;
    fputs("{\"command\":\"tune\",\"device\":", stdout);
    json_string(stdout, t->gpu.chosen.name);
    fputs(",\"driver\":", stdout);
    json_string(stdout, t->gpu.chosen.driver);
    fputs(",\"types\":[", stdout);
    for (uint32_t k = 0; k < t->found_count && status == STATUS_DONE; k++) {
        const finding *f = &t->found[k];
        printf("%s{\"of\":\"%s\",\"type\":\"%s\",\"texels\":%s,\"counts\":[", k == 0 ? "" : ",",
               f->subject->name, vkrTypeName(f->type), f->texels ? "true" : "false");
        for (uint32_t i = 0; i < f->count_count; i++)
            printf("%s%llu", i == 0 ? "" : ",", (unsigned long long)f->counts[i]);
        fputs("],\"rows\":[", stdout);
        for (uint32_t i = 0; i < f->row_count && status == STATUS_DONE; i++) {
            fputs(i == 0 ? "" : ",", stdout);
            status = print_json_measured(t, f, &f->rows[i]);
        }
        fputs("],\"best\":", stdout);
        if (status == STATUS_DONE)
            status = print_json_measured(t, f, &f->best);
        putchar('}');
    }
    fputs("],\"profile\":", stdout);
    json_string(stdout, text);
    putchar(',');
    print_outputs(&(named_output){"output", t->opts->output}, 1);
    puts("}");
    return status;
}
