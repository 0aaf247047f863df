/* SPDX-License-Identifier: MIT */
#ifndef BENCH_H
#define BENCH_H

/* The benchmark with its own command line; argv[0] is not looked at. Returns an exit status of the
 * runner's. */
int bench_main(int argc, char **argv);

#endif
