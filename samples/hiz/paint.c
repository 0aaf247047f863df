/* SPDX-License-Identifier: MIT */
/* Paints the results: depths and levels, the visible boxes, and the city from above. */
#include <math.h>
#include "app.h"
#include "city.h"

#define PLAN 900      /* pixels of the plan, in each direction */
#define PLAN_SCALE 11 /* units of the city for each pixel of the plan */
#define METRE 64      /* in units of the camera */
#define PLAN_EDGE 20  /* pixels */

typedef struct colour {
    double red, green, blue;
} colour;

static const colour sky = {24, 34, 72};

static colour mixed(colour a, colour b, double share)
{
    return (colour){a.red + (b.red - a.red) * share, a.green + (b.green - a.green) * share,
                    a.blue + (b.blue - a.blue) * share};
}

static void put(picture *p, int x, int y, colour c)
{
    unsigned char *to = p->rgba + 4 * ((size_t)y * p->width + (size_t)x);
    to[0] = (unsigned char)lround(c.red);
    to[1] = (unsigned char)lround(c.green);
    to[2] = (unsigned char)lround(c.blue);
    to[3] = 255;
}

/* ---- Depths ---- */

/* The distance that a depth stands for, in units of the camera. */
static double distance_of(float depth)
{
    return NEAR / (1.0 - (double)depth);
}

/* White up to 20 metres away, nearly black beyond two kilometres, and blue where nothing is
 * drawn. */
static colour colour_of_depth(float depth)
{
    if (depth == 1)
        return sky;
    const double share = 1 - log(distance_of(depth) / METRE / 20) / log(100);
    const double grey = 255 * fmax(0.1, fmin(share, 1));
    return (colour){grey, grey, grey};
}

/* Paints a level, scaled to the size of the depth buffer, which is level 0. Other levels show their
 * maximum depths. */
static void paint_level(const outcome *o, const char *folder, const char *name, int level)
{
    const int w = side_of(WIDTH, level), h = side_of(HEIGHT, level);
    picture p = create_picture(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const size_t at = (size_t)(y * h / HEIGHT) * (size_t)w + (size_t)(x * w / WIDTH);
            const float depth =
                level == 0 ? o->depths[at] : o->levels[2 * (texels_below(level) + at) + 1];
            put(&p, x, y, colour_of_depth(depth));
        }
    save_png(&p, folder, name);
}

/* ---- Boxes ---- */

/* The ground is dark, buildings are stone-coloured, cars red and balloons yellow. */
static colour colour_of_box(uint32_t i)
{
    static const colour stones[] = {
        {214, 205, 190}, {190, 186, 180}, {222, 196, 164}, {178, 190, 202}, {203, 178, 160}};
    if (i == 0)
        return (colour){70, 76, 82};
    if (i < DRAWN)
        return stones[i * 2654435761u % 5];
    return i % 8 == 0 ? (colour){255, 214, 10} : (colour){235, 45, 35};
}

/* Paints the visible boxes. Sides are darker than roofs, and distant boxes fade. */
static void paint_boxes(const outcome *o, const char *folder)
{
    static const double light[6] = {0.62, 0.62, 1, 1, 0.8, 0.8};
    picture p = create_picture(WIDTH, HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const size_t at = (size_t)y * WIDTH + (size_t)x;
            const uint32_t id = o->shown[at];
            const colour pale = {120, 134, 168};
            colour c = mixed(sky, pale, fmin(1, y / (0.45 * HEIGHT)));
            if (id != 0) {
                const colour lit =
                    mixed((colour){0}, colour_of_box((id - 1) / 8), light[(id - 1) % 8]);
                c = mixed(pale, lit, exp(-distance_of(o->shown_depths[at]) / METRE / 1500));
            }
            put(&p, x, y, c);
        }
    save_png(&p, folder, "visible");
}

/* ---- The plan ---- */

static int on_plan(int along)
{
    return PLAN_EDGE + along / PLAN_SCALE;
}

/* Fills the box's rectangle on the plan. z increases towards the top of the plan. */
static void fill(picture *p, const Box *b, colour c)
{
    const int left = on_plan(b->low[0]), right = max(left + 1, on_plan(b->high[0]));
    const int bottom = on_plan(b->low[2]), top = max(bottom + 1, on_plan(b->high[2]));
    for (int y = bottom; y < top; y++)
        for (int x = left; x < right; x++)
            put(p, x, PLAN - 1 - y, c);
}

/* The boxes of the plan by verdict and kind, in the order of painting. */
static const struct {
    uint32_t verdict;
    bool buildings;
    colour c;
} layers[] = {{OUTSIDE, true, {44, 50, 66}},
              {HIDDEN, true, {84, 94, 118}},
              {VISIBLE, true, {240, 190, 90}},
              {HIDDEN, false, {58, 100, 150}},
              {VISIBLE, false, {255, 70, 50}}};

static void paint_plan(const outcome *o, const char *folder)
{
    const Box camera = {{CAMERA_X - 60, 0, CAMERA_Z - 60}, {CAMERA_X + 60, 0, CAMERA_Z + 60}};
    picture p = create_picture(PLAN, PLAN);
    for (int y = 0; y < PLAN; y++)
        for (int x = 0; x < PLAN; x++)
            put(&p, x, y, (colour){22, 26, 36});
    for (size_t k = 0; k < sizeof layers / sizeof layers[0]; k++)
        for (uint32_t i = 1; i < BOXES; i++)
            if (o->verdicts[i] == layers[k].verdict && (i < DRAWN) == layers[k].buildings)
                fill(&p, &o->boxes[i], layers[k].c);
    fill(&p, &camera, (colour){255, 255, 255});
    save_png(&p, folder, "plan");
}

void paint_outcome(const outcome *o, const char *folder)
{
    paint_level(o, folder, "depth", 0);
    paint_level(o, folder, "level-2", 2);
    paint_level(o, folder, "level-3", 3);
    paint_level(o, folder, "level-4", 4);
    paint_level(o, folder, "level-5", 5);
    paint_boxes(o, folder);
    paint_plan(o, folder);
}
