/* SPDX-License-Identifier: MIT */
/* The functions of which headers define the bits. */
#ifndef VKR_TESTS_ORACLE_FUNCTIONS_H
#define VKR_TESTS_ORACLE_FUNCTIONS_H

/* The exponential function of apply.h. */
float oracle_exp(float x);

/* The logarithm of map.h, of a positive normal number. */
float oracle_log2(float x);

#endif
