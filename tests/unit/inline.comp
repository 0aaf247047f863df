/* SPDX-License-Identifier: MIT */
/* Calls of all kinds that inlining supports, for prune.sh; with -DRETURNS_IN_LOOP also one that it
 * does not support. */
#version 450

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Values
{
    float values[];
};

/* One block, with two decorated results. */
float of_one_block(const float x)
{
    precise float y = x * 3.0 + 1.0;
    return y;
}

float returns_early(const float x)
{
    if (x > 2.0)
        return x;
    float y = of_one_block(x);
    if (y > 5.0)
        return -y;
    return y + of_one_block(y);
}

/* One block, which becomes several when its call is inlined. */
float calls_early(const float x)
{
    return returns_early(x);
}

void returns_nothing(const uint i)
{
    if (values[i] > 7.0)
        return;
    values[i] = 7.0;
}

float last_below(const float x)
{
#ifdef RETURNS_IN_LOOP
    for (uint i = 0u; i < 9u; i++)
        if (values[i] < x)
            return values[i];
#endif
    return x;
}

void main()
{
    if (gl_WorkGroupID.x > 3u)
        return;
    for (uint i = 0u; i < 4u; i++)
        values[i] = calls_early(values[i]) + returns_early(values[i + 4u]);
    while (calls_early(values[8]) > 1.0) /* in a loop's header, once blocks are merged */
        values[8] -= 1.0;
    returns_nothing(9u);
    values[9] = last_below(values[9]);
}
