/* SPDX-License-Identifier: MIT */
/* Plants a mistake in the sample match: MATCH_MISLED=KR spoils result R of kernel K, which are
 * digits. The linker puts this function in place of the sample's (--wrap), to prove that the sample
 * finds every such difference. */
#include <stdlib.h>
#include "match.h"

int __real_match_gpu_run(match_gpu *m, uint32_t kernel, uint64_t repeat, double *milliseconds);
int __wrap_match_gpu_run(match_gpu *m, uint32_t kernel, uint64_t repeat, double *milliseconds);

int __wrap_match_gpu_run(match_gpu *m, uint32_t kernel, uint64_t repeat, double *milliseconds)
{
    const char *which = getenv("MATCH_MISLED");
    int status = __real_match_gpu_run(m, kernel, repeat, milliseconds);
    if (status == STATUS_DONE && which != NULL && kernel == (uint32_t)(which[0] - '0'))
        ((uint32_t *)m->copy.data)[m->offsets[which[1] - '0'] / sizeof(uint32_t)] ^= 1;
    return status;
}
