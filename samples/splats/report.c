/* SPDX-License-Identifier: MIT */
#include "report.h"
#include <math.h>

picture paint(const vec4 *pixels)
{
    static const vec3 above = {0.45f, 0.62f, 0.85f}, below = {0.86f, 0.9f, 0.94f};
    picture p = create_picture(WIDTH, HEIGHT);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        const float low = fminf((float)(i / WIDTH) / (0.5f * HEIGHT), 1);
        for (int c = 0; c < 3; c++) {
            const float sky = above[c] + low * (below[c] - above[c]);
            const float sum = pixels[i][c] + (1 - pixels[i][3]) * sky;
            p.rgba[4 * i + (uint32_t)c] = (unsigned char)(255 * fminf(fmaxf(sum, 0), 1) + 0.5f);
        }
        p.rgba[4 * i + 3] = 255;
    }
    return p;
}

void print_times(double times[][STAGES], uint32_t frames)
{
    double best[STAGES];
    for (uint32_t k = 0; k < STAGES; k++) {
        best[k] = times[0][k];
        for (uint32_t i = 1; i < frames; i++)
            best[k] = fmin(best[k], times[i][k]);
    }
    printf("the fastest frames take %.2f ms to cull, %.2f ms to sort and %.2f ms to draw\n",
           best[CULLED], best[SORTED], best[DRAWN]);
}
