/* SPDX-License-Identifier: MIT */
/* Ray traces two scenes: balls on a chequered floor, in a room with a lamp and under the sun. x
 * points right, y up and z ahead, in metres. */
#include <stdlib.h>
#include "app.h"
#include "parts.h"

#define WIDTH 640
#define HEIGHT 360
#define FAR 1e9
#define GLOSS 0.03

typedef struct vector {
    double x, y, z;
} vector;

static vector along(vector from, double distance, vector direction)
{
    return (vector){from.x + distance * direction.x, from.y + distance * direction.y,
                    from.z + distance * direction.z};
}

static vector scaled(vector v, double by)
{
    return (vector){v.x * by, v.y * by, v.z * by};
}

static vector times(vector a, vector b)
{
    return (vector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector v)
{
    return scaled(v, 1 / sqrt(dot(v, v)));
}

/* ---- What there is ---- */

static const struct {
    vector middle;
    double radius;
    vector colour;
} balls[] = {{{-1.55, 0.8, 5.2}, 0.8, {0.75, 0.16, 0.1}},
             {{0.25, 1.05, 6.6}, 1.05, {0.7, 0.68, 0.62}},
             {{1.75, 0.6, 4.8}, 0.6, {0.12, 0.3, 0.62}},
             {{-0.62, 0.35, 4.1}, 0.35, {0.8, 0.62, 0.12}}};
#define BALLS ((int)(sizeof balls / sizeof balls[0]))

static const vector eye = {0, 1.5, 0};

typedef struct scene {
    bool room;      /* true: walls; false: a sky */
    vector source;  /* the position of the lamp, or the direction of the sun */
    vector power;   /* irradiance of a surface facing the lamp at 1 m, or the sun */
    double size;    /* the lamp's radius, or the sine of the sun's */
    vector shine;   /* radiance of the lamp or the sun itself */
    vector ambient; /* light from all directions */
} scene;

static const scene room = {.room = true,
                           .source = {-1.2, 3.1, 4.6},
                           .power = {5, 3.4, 1.8},
                           .size = 0.22,
                           .shine = {120, 92, 60},
                           .ambient = {0.05, 0.045, 0.05}};
static const scene landscape = {.source = {-0.69, 0.46, -0.56},
                                .power = {2.6, 2.4, 2},
                                .size = 0.03,
                                .shine = {3000, 2700, 2200},
                                .ambient = {0.16, 0.24, 0.4}};

/* A point that a ray hits. */
typedef struct hit {
    double distance;
    vector normal;
    vector colour;
    double gloss; /* the share that is reflected at normal incidence */
} hit;

static void meet_ball(vector from, vector direction, int i, hit *h)
{
    const vector to = along(balls[i].middle, -1, from);
    const double b = dot(to, direction);
    const double left = b * b - dot(to, to) + balls[i].radius * balls[i].radius;
    const double distance = b - sqrt(fmax(left, 0));
    if (left <= 0 || distance < 1e-6 || distance >= h->distance)
        return;
    *h = (hit){distance, {0, 0, 0}, balls[i].colour, GLOSS};
    h->normal = unit(along(along(from, distance, direction), -1, balls[i].middle));
}

/* Intersects the ray with the plane of points p with normal . p = place. */
static void meet_plane(vector from, vector direction, vector normal, double place, vector colour,
                       hit *h)
{
    const double towards = dot(normal, direction);
    const double distance = (place - dot(normal, from)) / towards;
    if (towards < 0 && distance > 1e-6 && distance < h->distance)
        *h = (hit){distance, normal, colour, 0};
}

static vector chequered(vector at)
{
    const int tile = (int)floor(at.x) + (int)floor(at.z);
    return (tile & 1) != 0 ? (vector){0.5, 0.47, 0.42} : (vector){0.16, 0.15, 0.14};
}

static hit meet(const scene *s, vector from, vector direction)
{
    hit h = {.distance = FAR};
    for (int i = 0; i < BALLS; i++)
        meet_ball(from, direction, i, &h);
    meet_plane(from, direction, (vector){0, 1, 0}, 0, (vector){0, 0, 0}, &h);
    if (h.distance < FAR && h.gloss == 0) {
        h.colour = chequered(along(from, h.distance, direction));
        h.gloss = GLOSS;
    }
    if (s->room) {
        const vector plaster = {0.6, 0.52, 0.42};
        meet_plane(from, direction, (vector){0, -1, 0}, -3.6, plaster, &h);
        meet_plane(from, direction, (vector){0, 0, -1}, -9, plaster, &h);
        meet_plane(from, direction, (vector){1, 0, 0}, -4.2, plaster, &h);
        meet_plane(from, direction, (vector){-1, 0, 0}, -4.2, plaster, &h);
    }
    return h;
}

/* ---- Light ---- */

static vector sky(const scene *s, vector direction)
{
    const double up = fmax(direction.y, 0), near = fmax(dot(direction, unit(s->source)), 0);
    const vector blue = {0.22 + 0.9 * exp(-6 * up), 0.42 + 0.75 * exp(-6 * up),
                         0.95 + 0.2 * exp(-6 * up)};
    const vector glow = scaled(s->shine, 2e-3 * pow(near, 60));
    return along(near > sqrt(1 - s->size * s->size) ? s->shine : blue, 1, glow);
}

/* The light on a point: direct light, unless a ball blocks it, and ambient light. */
static vector lit(const scene *s, vector at, const hit *h)
{
    const vector way = s->room ? along(s->source, -1, at) : s->source;
    const double distance = s->room ? sqrt(dot(way, way)) : 1;
    const vector direction = unit(way);
    hit between = {.distance = s->room ? distance : FAR};
    for (int i = 0; i < BALLS; i++)
        meet_ball(along(at, 1e-4, h->normal), direction, i, &between);
    const bool dark = between.distance < (s->room ? distance : FAR);
    const double part = dark ? 0 : fmax(dot(h->normal, direction), 0) / (distance * distance);
    return along(scaled(s->ambient, 0.65 + 0.35 * h->normal.y), part, s->power);
}

/* The light that reaches `from` along a ray. The floor and the balls are slightly glossy. */
static vector seen(const scene *s, vector from, vector direction, int bounces)
{
    hit h = meet(s, from, direction);
    const vector to = along(s->source, -1, from);
    const double b = dot(to, direction), off = dot(to, to) - b * b;
    if (s->room && b > 0 && b < h.distance && off < s->size * s->size)
        return s->shine;
    if (h.distance >= FAR)
        return sky(s, direction);
    const vector at = along(from, h.distance, direction);
    const vector light = times(h.colour, lit(s, at, &h));
    if (bounces == 0 || h.gloss == 0)
        return light;
    const double facing = -dot(direction, h.normal);
    const double gloss = h.gloss + 0.5 * pow(1 - facing, 5);
    const vector mirrored = along(direction, 2 * facing, h.normal);
    return along(light, gloss, seen(s, along(at, 1e-4, h.normal), mirrored, bounces - 1));
}

/* A pixel is the mean of 2 x 2 rays. */
static void paint(const scene *s, radiance *r)
{
    *r = (radiance){WIDTH, HEIGHT, malloc(sizeof(float) * 4 * WIDTH * HEIGHT)};
    if (!r->rgba)
        DIE(FAILED, "there is no memory for a picture\n");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            vector sum = {0, 0, 0};
            for (int k = 0; k < 4; k++) {
                const double across = x + 0.25 + 0.5 * (k & 1) - 0.5 * WIDTH;
                const double down = y + 0.25 + 0.5 * (k >> 1) - 0.42 * HEIGHT;
                const vector direction = unit((vector){across, -down, 0.8 * WIDTH});
                sum = along(sum, 0.25, seen(s, eye, direction, 2));
            }
            float *to = r->rgba + 4 * ((size_t)y * WIDTH + (size_t)x);
            to[0] = (float)sum.x;
            to[1] = (float)sum.y;
            to[2] = (float)sum.z;
            to[3] = 1;
        }
}

void make_pictures(radiance pictures[PICTURES])
{
    paint(&room, &pictures[0]);
    paint(&landscape, &pictures[1]);
}
