/* SPDX-License-Identifier: MIT */
/* A box as 36 vertices: two triangles for each of its six sides. Bit k of a corner chooses between
 * the low and the high end of axis k; side 2 k is the low one of axis k, and side 2 k + 1 the high
 * one. */

/* Corner `at`, of 0 to 3, of a side. */
int corner_of_side(int side, int at)
{
    int axis = side >> 1;
    return (side & 1) << axis | (at & 1) << (axis + 1) % 3 | (at >> 1) << (axis + 2) % 3;
}

int corner_of_vertex(int vertex)
{
    const int along[6] = int[](0, 1, 2, 2, 1, 3);
    return corner_of_side(vertex / 6, along[vertex % 6]);
}
