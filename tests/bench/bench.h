/* SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

/* Runs the benchmark with its own command line; argv[0] is ignored. Returns one of the runner's
 * exit statuses. */
int bench_main(int argc, char **argv);

#endif
