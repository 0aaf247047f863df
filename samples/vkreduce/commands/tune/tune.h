/* SPDX-License-Identifier: MIT */
/* The parts of the command tune: tune.c runs it, descent.c finds the best row or policy for one
 * subject, trial.c measures it, subject.c collects the operations that it is for, levels.c those on
 * images, print.c prints. Each uses only those named after it. */
#ifndef RUNNER_TUNE_H
#define RUNNER_TUNE_H

#include "command_line/command.h"
#include "device/gpu.h"
#include "device/image.h"
#include "device/task.h"
#include "input/input.h"
#include "output/output.h"

typedef struct tune_options {
    device_options device;
    const char *output;
    uint32_t type; /* a VkrType */
    bool quick;
    bool json;
} tune_options;

extern const command tune_command;

/* Runs the command; `options` points to a tune_options. */
int tune_run(const operands *given, const void *options);

/* Whether the standard output has no table for people: it has JSON, or the profile. */
static inline bool is_quiet(const tune_options *opts)
{
    return opts->json || is_standard_output(opts->output);
}

#define MAX_COUNTS 5
#define MAX_ROWS 64
#define MAX_TEXT_SIZE 8192
#define VALUE_SIZES 4
#define ROWS (2 * VALUE_SIZES) /* of an operation: with and without texels */

#define CHAINS 2     /* images that pyramids are made of */
#define SPACING 1024 /* bytes between results */

/* An image, whose level 0 has some of the values. */
typedef struct chain {
    gpu_image image;
    uint32_t count; /* levels above level 0 */
    VkrImage levels[1 + VKR_MAX_PYRAMID_LEVELS];
} chain;

/* What operations are collected on. */
typedef struct workload {
    VkrContext context;
    VkrView from;
    uint64_t count;
    VkrView target;         /* as large */
    const chain *chains;    /* CHAINS of them, if the subject has images */
    VkrBufferRange results; /* SPACING bytes */
} workload;

/* What is tuned: a row of an operation, or a policy. */
typedef struct subject {
    const char *name;
    bool is_policy;
    bool has_images;
    VkrOperation operation;
    VkrPolicyKind policy;
    VkrType type; /* of the values on which a policy is tried */
    /* Collects the operations that it is for, and what stores up to SPACING bytes of results. */
    VkrResult (*collect)(VkrRecorder recorder, const workload *w);
} subject;

/* Of each operation, and then of each policy, in the order of their numbers. */
#define SUBJECTS (VKR_OPERATION_COUNT + VKR_POLICY_COUNT)
extern const subject tune_subjects[];

/* A row or a policy. Unused members are zero, so that memcmp compares settings. */
typedef struct setting {
    bool is_policy;
    VkrTuning row;
    VkrPolicy policy;
} setting;

/* A setting that was measured. */
typedef struct measured {
    setting row;
    double score;
    double rate[MAX_COUNTS]; /* GB/s */
} measured;

/* What was found for one subject, of one value size, in views with or without texels. */
typedef struct finding {
    const subject *subject;
    VkrType type;
    VkBool32 texels;
    uint32_t count_count;
    uint64_t counts[MAX_COUNTS];
    uint32_t row_count;
    measured rows[MAX_ROWS]; /* the first is the one in use */
    measured best;           /* after the duel */
} finding;

/* A row ready to run: a recording per count. */
typedef struct trial {
    VkrContext context;
    VkrRecorder recorder;
    VkrHostMemory output;
    VkrHost hosts[MAX_COUNTS];
} trial;

typedef struct tuner {
    const tune_options *opts;
    gpu gpu;
    input in;
    VkrHostMemory data;
    VkrHostMemory target; /* as large */
    chain chains[MAX_COUNTS][CHAINS];
    output out;
    finding *now;
    trial first;     /* the row in use */
    double deadline; /* as a time of clock_seconds */
    finding found[ROWS * VKR_OPERATION_COUNT + VKR_POLICY_COUNT];
    uint32_t found_count;
} tuner;

/* ---- descent.c ---- */

/* Finds the best settings of operations for values of a type, in views without and with texels; and
 * those of policies. */
int tune_type(tuner *t, VkrType type);
int tune_policies(tuner *t);

/* ---- trial.c ---- */

/* Prepares a row, and runs everything once, since drivers may compile at the first dispatch.
 * trial_close may follow a failure. */
int trial_open(const tuner *t, const setting *row, trial *run);
void trial_close(const tuner *t, trial *run);

/* Runs a trial once. *ms is the time on the device, or from submission to completion if the device
 * has no clock. */
int trial_run(const tuner *t, const trial *run, uint32_t index, double *ms);

/* Scores a row against the one in use, with runs of `budget` milliseconds at each count. */
int trial_measure(const tuner *t, const trial *run, double budget, measured *m);

/* ---- levels.c ---- */

/* Create images with the first values of `data`, for each count; levels_close may follow a
 * failure. */
int levels_open(tuner *t);
void levels_close(tuner *t);

/* The max count of values for which the device has images. */
uint64_t levels_most(const tuner *t);

/* Collects a pyramid on each image. */
VkrResult levels_collect(VkrRecorder recorder, const workload *w);

/* ---- print.c ---- */

/* Writes a profile, or one setting as a profile. */
int tune_write(const tuner *t, const VkrProfile *profile, char text[MAX_TEXT_SIZE], size_t *size);
int tune_write_setting(const tuner *t, const setting *one, char text[MAX_TEXT_SIZE], size_t *size);

/* The line of the first row in a profile, which is its third line. */
const char *tune_row_line(const char *profile);

/* The first two print measurements, unless --json is set; the last prints the JSON object, with the
 * text of the profile. */
void tune_print_heading(const tuner *t);
int tune_print_measured(const tuner *t, const measured *m, const char *word);
int tune_print_json(const tuner *t, const char *text);

#endif
