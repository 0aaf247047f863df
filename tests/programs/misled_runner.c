/* SPDX-License-Identifier: MIT */
/* The references that only the runner has, and results of tune, with planted mistakes as in
 * misled.c. */
#include "commands/expand/expand.h"
#include "commands/reduce/reduce.h"
#include "commands/tune/tune.h"
#include "status.h"
#include "oracle_apply.h"
#include "oracle_bin.h"
#include "oracle_bounds.h"
#include "oracle_sort.h"

void __real_oracle_bin(const oracle_bin_info *info, uint32_t *counts, uint32_t *offsets,
                       uint32_t *indices);
void __wrap_oracle_bin(const oracle_bin_info *info, uint32_t *counts, uint32_t *offsets,
                       uint32_t *indices);
bool __real_oracle_sort(const oracle_sort_info *info, uint32_t *indices);
bool __wrap_oracle_sort(const oracle_sort_info *info, uint32_t *indices);
void __real_oracle_merge(const oracle_sort_info *a, const oracle_sort_info *b, uint32_t *order);
void __wrap_oracle_merge(const oracle_sort_info *a, const oracle_sort_info *b, uint32_t *order);
int __real_runs_find(const reduce_request *r, found_groups *found);
int __wrap_runs_find(const reduce_request *r, found_groups *found);
uint64_t __real_oracle_lower_bound(const oracle_sorted *sorted, const void *value);
uint64_t __wrap_oracle_lower_bound(const oracle_sorted *sorted, const void *value);
uint64_t __real_oracle_upper_bound(const oracle_sorted *sorted, const void *value);
uint64_t __wrap_oracle_upper_bound(const oracle_sorted *sorted, const void *value);

bool __real_oracle_accepts_output(const oracle_output *right, VkrType type, const void *actual);
bool __wrap_oracle_accepts_output(const oracle_output *right, VkrType type, const void *actual);

uint32_t __real_expand_number(bool ranks, uint32_t source, uint32_t rank);
uint32_t __wrap_expand_number(bool ranks, uint32_t source, uint32_t rank);

int __real_trial_open(const tuner *t, const VkrTuning *row, trial *run);
int __wrap_trial_open(const tuner *t, const VkrTuning *row, trial *run);
double __real_task_median(double *times, size_t count);
double __wrap_task_median(double *times, size_t count);

/* The first two elements change places. */
bool __wrap_oracle_sort(const oracle_sort_info *info, uint32_t *indices)
{
    const bool done = __real_oracle_sort(info, indices);
    const uint32_t index = indices[0];
    if (done && info->count > 1) {
        indices[0] = indices[1];
        indices[1] = index;
    }
    return done;
}

/* The first position has the last element of the second sequence. */
void __wrap_oracle_merge(const oracle_sort_info *a, const oracle_sort_info *b, uint32_t *order)
{
    __real_oracle_merge(a, b, order);
    if (b->count != 0)
        order[0] = (uint32_t)(a->count + b->count - 1);
}

/* No output is right. */
bool __wrap_oracle_accepts_output(const oracle_output *right, VkrType type, const void *actual)
{
    (void)__real_oracle_accepts_output(right, type, actual);
    return false;
}

/* All numbers of outputs are one too large. */
uint32_t __wrap_expand_number(bool ranks, uint32_t source, uint32_t rank)
{
    return __real_expand_number(ranks, source, rank) + 1;
}

/* The first index is another one, or if there is none the first count. */
void __wrap_oracle_bin(const oracle_bin_info *info, uint32_t *counts, uint32_t *offsets,
                       uint32_t *indices)
{
    __real_oracle_bin(info, counts, offsets, indices);
    if (info->count % 2 == 0)
        indices[0]++;
    else
        counts[0]++;
}

/* The last run ends too early. */
int __wrap_runs_find(const reduce_request *r, found_groups *found)
{
    const int status = __real_runs_find(r, found);
    if (status == STATUS_DONE)
        found->offsets[found->count]--;
    return status;
}

uint64_t __wrap_oracle_lower_bound(const oracle_sorted *sorted, const void *value)
{
    return __real_oracle_lower_bound(sorted, value) + 1;
}

uint64_t __wrap_oracle_upper_bound(const oracle_sorted *sorted, const void *value)
{
    return __real_oracle_upper_bound(sorted, value) + 1;
}

static struct {
    const trial *first, *other; /* the row in use, and another one; NULL: there is none */
} trials;

int __wrap_trial_open(const tuner *t, const VkrTuning *row, trial *run)
{
    trials.first = &t->first;
    trials.other = run != &t->first ? run : NULL;
    return __real_trial_open(t, row, run);
}

/* Another row than the one in use has a different first result. Medians are computed after the
 * executions of both, and before their results are compared. */
double __wrap_task_median(double *times, size_t count)
{
    if (trials.other != NULL) {
        const unsigned char *right = trials.first->output.data;
        unsigned char *result = trials.other->output.data;
        result[0] = right[0] ^ 1;
    }
    return __real_task_median(times, count);
}
