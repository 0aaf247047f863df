/* SPDX-License-Identifier: MIT */
/* Options that several commands share. The comment on each table names what its rows set. */
#ifndef RUNNER_GROUPS_H
#define RUNNER_GROUPS_H

#include "command_line/command.h"

extern const option_row device_rows[];      /* device_options: --device */
extern const option_row profile_rows[];     /* device_options: --profile */
extern const option_row execution_rows[];   /* task_options: --repeat, --timing, --verify */
extern const option_row plan_rows[];        /* task_options: --plan */
extern const option_row channel_rows[];     /* input_options: --channels */
extern const option_row texel_rows[];       /* texel_options */
extern const option_row json_rows[];        /* a bool */
extern const option_row determinism_rows[]; /* a VkrDeterminism */
extern const option_row algorithm_rows[];   /* data_options: --algorithm */
extern const option_row data_rows[];        /* data_options: all others */
extern const option_row by_value_rows[];    /* a bool */

/* The algorithms of a command that leaves nothing to choose. */
const char *auto_word(uint32_t index);
extern const char *const auto_meanings[];
#define ONLY_AUTO                                                                                  \
    {                                                                                              \
        auto_word, auto_meanings, 1, 4                                                             \
    }

/* Sentences for the manual, on outputs. */
#define STANDARD_OUTPUT                                                                            \
    " The name - is the standard output, which then has nothing else: no text, and no --json."

/* Sentences for the manual, on --axis, and on the words of --segments that stand for axes. */
#define AXIS_MANUAL                                                                                \
    "AXIS counts from 0, or from the end: -1 is the last one. INPUT is an array, or a picture, "   \
    "which has two axes; its channels are none, and neither are the values of an element with "    \
    "--components, which must then divide the last axis. "
#define LAST_AXIS_MANUAL                                                                           \
    "No axis after it may have a length other than 1: the elements along it must be neighbours. "  \
    "--segments rows, without LEN, is --axis -1."

#define ANY_AXIS_MANUAL                                                                            \
    "Either no axis before it or none after it may have a length other than 1. "                   \
    "--segments rows, without LEN, is --axis -1, and columns is --axis 0."

/* Sentences for the manual, on --payload. */
#define PAYLOAD_MANUAL                                                                             \
    "FILE is an array with an entry for each element, in any of the formats of INPUT: a value of " \
    "any type, a pixel of a picture, or a row of up to 64 bytes of a two-dimensional array. "      \
    "Entries go where their elements go, and are written as .npy. The option may be given up to "  \
    "8 times. OUT has no colon."

/* Sentences for the manual, on --by. */
#define GROUPS_MANUAL                                                                              \
    "Elements of a key keep their order. Keys are equal if their bits are: -0 and +0 are two "     \
    "keys, and so are NaN of different bits, which come last, in the order of their bits, unless " \
    "--by-value is given."

/* --by-value: what --help says, and the manual. */
#define BY_VALUE "-0 equals +0, and all NaN are equal"
#define BY_VALUE_MANUAL                                                                            \
    "Compare floats as numbers, not by all of their bits: -0 equals +0, and all NaN are equal. "   \
    "Equal elements keep their order and their bits."

/* Sentences for the manual, on --operator. */
#define OPERATOR_MANUAL                                                                            \
    "Combine states by functions of FILE; there is then no OP, only INPUT. GLSL without #version " \
    "and without main defines a type State, a struct or a #define of up to 16 values of 32 bits, " \
    "and State lift(E x, uint i), the state of an element; State identity(); State "               \
    "combine(State a, State b), which must be associative; and optionally a function "             \
    "finish(State s), which returns what is written in place of a state: a number or a vector. "   \
    "#define COMMUTATIVE says that combine(a, b) is combine(b, a); without it, and in a .spv "     \
    "file, operands keep the order of the elements. E and i are those of FUNCTIONS.\n"

/* FUNCTIONS of --map, --operator and --predicate. */
extern const topic map_topic, reduce_topic, lift_topic, keep_topic;

/* Words of options. */
const char *nan_word(uint32_t index);

/* ---- meant.c ---- */

/* The OP, or the words of a command, that another program's name for an operator means; NULL:
 * unknown. The name has `length` characters. The words of a scan start with OP_OF_SCAN. */
#define OP_OF_SCAN "vkreduce scan "
const char *op_meant(const char *name, size_t length);

#endif
