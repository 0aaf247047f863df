/* SPDX-License-Identifier: MIT */
/* A town: a street of houses that leads to a square with a church. */
#include <math.h>
#include "chance.h"
#include "town.h"

typedef struct builder {
    Solid *solids;
    uint32_t count;
    uint64_t random;
} builder;

typedef struct colour {
    float red, green, blue;
} colour;

static const colour earth = {0.33f, 0.29f, 0.23f}, paving = {0.42f, 0.40f, 0.37f};
static const colour stone = {0.60f, 0.56f, 0.48f}, slate = {0.17f, 0.18f, 0.22f};
static const colour wood = {0.21f, 0.13f, 0.08f}, iron = {0.06f, 0.07f, 0.07f};
static const colour glass = {0.08f, 0.11f, 0.15f};

/* Adds a box whose base has its middle at x, y and z. */
static Solid *add(builder *b, double x, double y, double z, double width, double height,
                  double depth, colour c)
{
    Solid *s = &b->solids[b->count++];
    *s = (Solid){{(float)x, (float)y, (float)z, 0},
                 {(float)(width / 2), (float)height, (float)(depth / 2), 1},
                 {c.red, c.green, c.blue, 1}};
    return s;
}

/* Makes the top of a solid a ridge along x. */
static void make_roof(Solid *s)
{
    s->colour[3] = 0;
}

/* Makes the top of a solid smaller. */
static void taper(Solid *s, float share)
{
    s->size[3] = s->colour[3] = share;
}

static double chosen(builder *b, double least, double most)
{
    return least + (most - least) * between(&b->random, 0, 1001) / 1000;
}

/* A house at the left (-1) or the right (1) of the street, from z on. Returns its width. */
static double add_house(builder *b, int side, double z)
{
    static const colour walls[] = {{0.62f, 0.50f, 0.33f},
                                   {0.60f, 0.35f, 0.25f},
                                   {0.66f, 0.62f, 0.53f},
                                   {0.45f, 0.50f, 0.46f},
                                   {0.58f, 0.46f, 0.42f}};
    const colour tiles[] = {{0.40f, 0.14f, 0.08f}, {0.33f, 0.13f, 0.09f}, slate};
    const double width = chosen(b, 6.5, 10), depth = 11, height = 3.1 * between(&b->random, 2, 4);
    const double front = side * 7.0, x = front + side * depth / 2, middle = z + width / 2;
    const double ridge = 0.45 * width;
    add(b, x, 0, middle, depth, height, width, walls[between(&b->random, 0, 5)]);
    make_roof(add(b, x, height, middle, depth + 0.8, ridge, width + 0.5,
                  tiles[between(&b->random, 0, 3)]));
    add(b, x + chosen(b, -2, 2), height + 0.4 * ridge, middle + 1.2, 0.7, 0.75 * ridge, 0.9, stone);
    for (double y = 1; y + 1.5 < height; y += 3.1)
        for (double along = z + 1.2; along < z + width - 0.8; along += 2.1) {
            add(b, front - side * 0.02, y, along, 0.1, 1.4, 0.9, glass);
            add(b, front - side * 0.12, y - 0.1, along, 0.3, 0.1, 1.2, stone);
        }
    return width;
}

static void add_tree(builder *b, double x, double z, double height)
{
    const colour leaves = {0.07f, (float)chosen(b, 0.16, 0.24), 0.06f};
    add(b, x, 0, z, 0.3, height / 4, 0.3, wood);
    for (int i = 0; i < 3; i++) {
        Solid *s = add(b, x, height * (0.18 + 0.24 * i), z, height * (0.42 - 0.1 * i),
                       height * 0.36, height * (0.42 - 0.1 * i), leaves);
        s->place[3] = (float)chosen(b, 0, 1.5);
        taper(s, 0);
    }
}

static void add_lamp(builder *b, double x, double z)
{
    add(b, x, 0, z, 0.12, 4, 0.12, iron);
    taper(add(b, x, 4, z, 0.3, 0.5, 0.3, (colour){0.8f, 0.7f, 0.4f}), 1.4f);
    taper(add(b, x, 4.5, z, 0.5, 0.25, 0.5, iron), 0.1f);
}

static void add_stall(builder *b, double x, double z, double angle, colour c)
{
    for (int i = 0; i < 4; i++) {
        const double along = i & 1 ? 1.3 : -1.3, across = i & 2 ? 0.9 : -0.9;
        add(b, x + along * cos(angle) + across * sin(angle), 0,
            z + across * cos(angle) - along * sin(angle), 0.08, 2.1, 0.08, wood);
    }
    add(b, x, 0.7, z, 2.4, 0.15, 1.4, wood)->place[3] = (float)angle;
    Solid *awning = add(b, x, 2.1, z, 3, 0.5, 2.2, c);
    awning->place[3] = (float)angle;
    make_roof(awning);
}

static void add_church(builder *b, double x, double z)
{
    add(b, x, 0, z + 14, 12, 10, 24, stone);
    Solid *roof = add(b, x, 10, z + 14, 13, 7, 25, slate);
    roof->size[3] = 0;
    add(b, x, 0, z, 7, 22, 7, stone);
    taper(add(b, x, 22, z, 7.6, 14, 7.6, slate), 0);
    add(b, x, 0, z - 3.55, 2.2, 4, 0.2, wood);
    for (int i = 0; i < 3; i++)
        add(b, x, 7 + 5 * i, z - 3.55, 1.1, 2.6, 0.2, glass);
}

static void add_square(builder *b, double z)
{
    for (int i = 0; i < 8; i++) /* a column of two squares for each side of the arcade's eight */
        for (int turn = 0; turn < 2; turn++)
            add(b, -21 + 6 * i, 0, z + 36, 0.6, 4.5, 0.6, stone)->place[3] = (float)turn * 0.785f;
    add(b, 0, 4.5, z + 37, 44, 0.6, 3, stone);
    taper(add(b, 0, 0.6, z + 16, 1.4, 9, 1.4, stone), 0.6f);
    add(b, 0, 0, z + 16, 4, 0.6, 4, paving);
    add_church(b, 3, z + 45);
    for (int i = 0; i < 7; i++) {
        add_tree(b, -11 - 2 * (i % 2), z + 3 + 4.5 * i, chosen(b, 6, 9));
        add_tree(b, 13 + 2 * (i % 2), z + 4 + 4.5 * i, chosen(b, 6, 9));
    }
    for (int i = 0; i < 6; i++)
        add_stall(b, i % 2 ? 5 : -5, z + 6 + 4 * i, chosen(b, -0.4, 0.4),
                  i % 3 ? (colour){0.65f, 0.12f, 0.1f} : (colour){0.75f, 0.7f, 0.6f});
}

uint32_t make_town(Solid *solids)
{
    builder b = {solids, 0, 7};
    const double end = 62; /* of the street */
    add(&b, 0, -1, 90, 360, 1, 360, earth);
    for (int side = -1; side <= 1; side += 2) {
        add(&b, side * 5.9, 0, end / 2 - 5, 2.2, 0.15, end + 10, paving);
        for (double z = -12; z < end;)
            z += add_house(&b, side, z) + 0.05;
        for (double z = -6; z < end; z += 2) /* posts along the kerb, and a chain */
            add(&b, side * 4.6, 0, z, 0.14, 0.9, 0.14, iron);
        add(&b, side * 4.6, 0.7, end / 2 - 3, 0.04, 0.06, end + 6, iron);
        for (double z = 6; z < end; z += 15)
            add_lamp(&b, side * 5.2, z + 3 * side);
    }
    add_stall(&b, 2.4, 14, 0.5, (colour){0.12f, 0.25f, 0.5f});
    add_stall(&b, -1.8, 25, -0.3, (colour){0.65f, 0.12f, 0.1f});
    add_tree(&b, 3.2, 32, 5);
    add_square(&b, end);
    for (int i = 0; i < 40; i++) { /* a wood behind the square */
        const double x = chosen(&b, -90, 90), z = end + chosen(&b, 85, 120);
        add_tree(&b, x, z, chosen(&b, 9, 14));
    }
    return b.count;
}
