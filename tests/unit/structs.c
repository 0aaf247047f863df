/* SPDX-License-Identifier: MIT */
/* Prints the sizes of the public structures, for symbols.sh. It prints nothing unless pointers have
 * 64 bits, since the table is for such processors. */
#include <stdio.h>

#include "vkreduce/testing.h"
#include "vkreduce/vkreduce.h"

int main(void)
{
    if (sizeof(void *) != 8)
        return 0;
#define STRUCT(name, size, members) printf("%s %zu\n", #name, sizeof(name));
#include "structs.h"
    return 0;
}
