/* SPDX-License-Identifier: MIT */
/* Outputs which side of which box a pixel shows: 8 times the box, plus the side, plus 1. */
#version 450

layout(location = 0) flat in uint face;
layout(location = 0) out uint id;

void main()
{
    id = face;
}
