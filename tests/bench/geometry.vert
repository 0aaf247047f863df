/* SPDX-License-Identifier: MIT */
/* A point for each element. */
#version 450

layout(location = 0) in float element;
layout(location = 0) out float value;

void main()
{
    value = element;
}
