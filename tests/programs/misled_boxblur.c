/* SPDX-License-Identifier: MIT */
/* Plants a mistake in what the sample boxblur reads back: BOXBLUR_MISLED=N spoils byte N. The
 * linker puts this function in place of the sample's (--wrap), to prove that --verify finds it. */
#include <stdlib.h>
#include "boxblur.h"

size_t __real_check_blur(const picture *p, const uint32_t *radii, const uint8_t *blurred);
size_t __wrap_check_blur(const picture *p, const uint32_t *radii, const uint8_t *blurred);

size_t __wrap_check_blur(const picture *p, const uint32_t *radii, const uint8_t *blurred)
{
    const char *which = getenv("BOXBLUR_MISLED");
    if (which)
        ((uint8_t *)blurred)[strtoul(which, NULL, 10)] ^= 1;
    return __real_check_blur(p, radii, blurred);
}
