/* SPDX-License-Identifier: MIT */
/* The colour of a splat at a pixel, times its opacity there. The shape is that of an outline: 1 /
 * width, shear, 1 / height. */
vec4 colour_at(vec2 pixel, vec4 colour, vec2 middle, vec3 shape)
{
    vec2 from = pixel - middle;
    float u = from.x * shape.x;
    float v = (from.y - shape.y * u) * shape.z;
    float weight = max(exp(-0.5 * (u * u + v * v)) - TAIL, 0.0) / (1.0 - TAIL);
    float alpha = colour.a * weight;
    return vec4(colour.rgb * alpha, alpha);
}
