// SPDX-License-Identifier: MIT
// Users' states: each has load_NAME and combine_NAME.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(set = 1, binding = 0) readonly buffer Values {
    vec4 value[];
};

uint load_word(uint i)
{
    return i;
}

uint combine_word(uint a, uint b)
{
    return a + b;
}

vec2 load_complex(uint i)
{
    return vec2(i, 1);
}

vec2 combine_complex(vec2 a, vec2 b)
{
    return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

mat2 load_matrix(uint i)
{
    return mat2(i);
}

mat2 combine_matrix(mat2 a, mat2 b)
{
    return a * b;
}

struct ArgMin {
    float value;
    uint index;
};

ArgMin load_arg_min(uint i)
{
    return ArgMin(value[i].x, i);
}

ArgMin combine_arg_min(ArgMin a, ArgMin b)
{
    return b.value < a.value ? b : a;
}

struct Welford {
    float count, mean, m2;
};

Welford load_welford(uint i)
{
    return Welford(1, value[i].x, 0);
}

Welford combine_welford(Welford a, Welford b)
{
    return Welford(a.count + b.count, a.mean + b.mean, a.m2 * b.m2);
}

struct LogSum {
    float most, sum;
};

LogSum load_log_sum(uint i)
{
    return LogSum(value[i].x, 1);
}

LogSum combine_log_sum(LogSum a, LogSum b)
{
    return LogSum(max(a.most, b.most), a.sum * exp(a.most - b.most) + b.sum);
}

struct Box {
    vec3 lo, hi;
};

Box load_box(uint i)
{
    return Box(value[i].xyz, value[i].xyz);
}

Box combine_box(Box a, Box b)
{
    return Box(min(a.lo, b.lo), max(a.hi, b.hi));
}

struct Item {
    float key;
    int index;
};
struct Top {
    Item items[4];
};

Top load_top(uint i)
{
    return Top(Item[](Item(value[i].x, int(i)), Item(0, 0), Item(0, 0), Item(0, 0)));
}

Top combine_top(Top a, Top b)
{
    return a.items[0].key > b.items[0].key ? a : b;
}

struct Full {
    mat4 m;
};

Full load_full(uint i)
{
    return Full(mat4(i));
}

Full combine_full(Full a, Full b)
{
    return Full(a.m * b.m);
}

struct Small {
    uint16_t a;
    f16vec2 b;
    int16_t c;
    int8_t d;
    uint8_t e;
};

Small load_small(uint i)
{
    return Small(uint16_t(i), f16vec2(1), int16_t(2), int8_t(3), uint8_t(i));
}

Small combine_small(Small a, Small b)
{
    return Small(a.a + b.a, a.b * b.b, a.c - b.c, a.d + b.d, a.e);
}

struct Large {
    uint64_t a;
    double b;
    i64vec2 c;
};

Large load_large(uint i)
{
    return Large(uint64_t(i), 1.0lf, i64vec2(2));
}

Large combine_large(Large a, Large b)
{
    return Large(a.a + b.a, a.b * b.b, a.c + b.c);
}

struct Flag {
    bool any;
    bvec2 both;
    int count;
};

Flag load_flag(uint i)
{
    return Flag(value[i].x > 0, bvec2(true), 1);
}

Flag combine_flag(Flag a, Flag b)
{
    return Flag(a.any || b.any, bvec2(a.both.x && b.both.x, a.both.y), a.count + b.count);
}

struct Inner {
    vec2 xy[2];
    mat2x3 turn;
};
struct Nested {
    Inner inner;
    uint tail[1][2];
};

Nested load_nested(uint i)
{
    return Nested(Inner(vec2[](vec2(i), vec2(1)), mat2x3(2)), uint[][](uint[](i, 3u)));
}

Nested combine_nested(Nested a, Nested b)
{
    return a.tail[0][1] > b.tail[0][0] ? a : b;
}

// These are no states.

struct Longer {
    vec4 part[4];
    float end;
};

Longer load_longer(uint i)
{
    return Longer(vec4[](value[i], value[i], value[i], value[i]), 0);
}

Longer combine_longer(Longer a, Longer b)
{
    return b;
}

void main()
{
    combine_word(load_word(0), load_word(1));
    combine_complex(load_complex(0), load_complex(1));
    combine_matrix(load_matrix(0), load_matrix(1));
    combine_arg_min(load_arg_min(0), load_arg_min(1));
    combine_welford(load_welford(0), load_welford(1));
    combine_log_sum(load_log_sum(0), load_log_sum(1));
    combine_box(load_box(0), load_box(1));
    combine_top(load_top(0), load_top(1));
    combine_full(load_full(0), load_full(1));
    combine_small(load_small(0), load_small(1));
    combine_large(load_large(0), load_large(1));
    combine_flag(load_flag(0), load_flag(1));
    combine_nested(load_nested(0), load_nested(1));
    combine_longer(load_longer(0), load_longer(1));
}
