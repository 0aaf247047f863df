/* SPDX-License-Identifier: MIT */
#include "chance.h"
#include "city.h"

#define PLOTS 100 /* in each direction; box 0 is the ground, in place of a building on plot 0 */
#define PITCH 96  /* between the starts of neighbouring plots; streets are in between */
#define SIZE (PLOTS * PITCH)
#define HALF_STREET 8

static Box box_at(int x, int y, int z, int width, int height, int depth)
{
    return (Box){{x, y, z}, {x + width, y + height, z + depth}};
}

/* Buildings are higher in the middle of the city, and a few are towers. */
static Box make_building(uint64_t *state, int plot)
{
    const int x = plot % PLOTS * PITCH, z = plot / PLOTS * PITCH;
    const int away =
        max(x > SIZE / 2 ? x - SIZE / 2 : SIZE / 2 - x, z > SIZE / 2 ? z - SIZE / 2 : SIZE / 2 - z);
    const int left = between(state, HALF_STREET, 24), right = between(state, HALF_STREET, 24);
    const int front = between(state, HALF_STREET, 24), back = between(state, HALF_STREET, 24);
    int height = between(state, 28, 120);
    if (chance(state) % 12 == 0)
        height += between(state, 40, 60 + (SIZE / 2 - away) / 12);
    return box_at(x + left, 0, z + front, PITCH - left - right, height, PITCH - front - back);
}

/* A car on the right side of a street. */
static Box make_car(uint64_t *state)
{
    const int street = between(state, 1, PLOTS) * PITCH, at = between(state, 0, SIZE - 20);
    const int lane = chance(state) % 2 == 0 ? -8 : 1, height = between(state, 6, 12);
    return chance(state) % 2 == 0 ? box_at(at, 0, street + lane, 18, height, 7)
                                  : box_at(street + lane, 0, at, 7, height, 18);
}

static Box make_balloon(uint64_t *state)
{
    const int size = between(state, 6, 14);
    const int x = between(state, 0, SIZE), z = between(state, 0, SIZE);
    return box_at(x, between(state, 20, 160), z, size, size, size);
}

void make_city(Box *boxes)
{
    uint64_t state = 14;
    boxes[0] = box_at(-PITCH, -4, -PITCH, SIZE + 2 * PITCH, 4, SIZE + 2 * PITCH);
    for (int i = 1; i < (int)DRAWN; i++)
        boxes[i] = make_building(&state, i);
    for (uint32_t i = DRAWN; i < BOXES; i++)
        boxes[i] = i % 8 == 0 ? make_balloon(&state) : make_car(&state);
}
