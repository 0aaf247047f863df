/* SPDX-License-Identifier: MIT */
/* Checks that the public headers mean the same in C and in C++; the other half of this program is
 * header.cpp. header_alone.in includes each header alone, in both languages. Warnings are errors in
 * all of them. */
#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.h"

#include <stdio.h>
#include "header_sizes.h"

const size_t header_sizes_c[] = {HEADER_SIZES};

int main(void)
{
    const size_t count = sizeof(header_sizes_c) / sizeof(header_sizes_c[0]);
    size_t different = 0;

    for (size_t i = 0; i < count; i++)
        different += header_sizes_c[i] != header_sizes_cpp[i];
    printf("1..3\n");
    printf("%sok 1 - %zu sizes and offsets agree between C11 and C++17\n", different ? "not " : "",
           count);
    printf("%sok 2 - C++17 calls the library\n", header_calls_cpp() ? "" : "not ");
    printf("%sok 3 - C++17 throws the library's sentences\n", header_throws_cpp() ? "" : "not ");
    return different || !header_calls_cpp() || !header_throws_cpp();
}
