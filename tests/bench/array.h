/* SPDX-License-Identifier: MIT */
#ifndef BENCH_ARRAY_H
#define BENCH_ARRAY_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
