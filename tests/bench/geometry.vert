/* SPDX-License-Identifier: MIT */
/* Each element is a point. */
#version 450

layout(location = 0) in float element;
layout(location = 0) out float value;

void main()
{
    value = element;
}
