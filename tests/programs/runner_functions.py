#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce with users' functions: --map FILE and --predicate FILE, as GLSL and as
SPIR-V. Prints TAP."""
import random

import runner_tools
from runner_glsl import has_glsl, spirv, text
from runner_tools import MISLED, answers, array, differences, ok, refusals, write

random.seed(1)


def test_maps():
    text('square.glsl', 'float map(float x, uint i) { return x * x; }')
    text('count.glsl', '// a comment with map', 'uint map(E x, uint i)', '{', '    return i;', '}')
    text('ordered.glsl', 'int map(int x, uint i) { return i % 2u == 0u ? x : -x; }')
    write('windows.glsl', b'\xef\xbb\xbf#version 460\r\nfloat map(float x, uint i)\r\n'
          b'{ return x / 2; }\r\n')
    text('wrong.glsl', 'no function')
    text('pair.glsl', 'vec2 map(vec3 x, uint i) { return vec2(x.x + x.y, x.z - float(i)); }')
    text('grey.glsl', 'float map(uvec3 x, uint i) { return float(x.x + x.y + x.z) / 4.0; }')
    text('own.glsl', '#version 460', '#extension GL_GOOGLE_include_directive : require',
         '#include "vkreduce/hook.glsl"', 'float half_of(float x) { return x * 0.5; }',
         'float map(float x, uint i) { return half_of(x); }', 'VKR_HOOKS(map(0.0, 0u))')
    spirv('minus.spv', 'float map(float x, uint i) { return -x; }', 'void main() { map(0, 0); }')
    values = [random.randrange(-1000, 1000) for _ in range(3000)]
    array('f32.npy', 'f32', values)
    array('i16.npy', 'i16', values)
    sums = sum(v if i % 2 == 0 else -v for i, v in enumerate(values))
    threes = list(zip(values[::3], values[1::3], values[2::3]))
    firsts = [a + b for a, b, _ in threes]
    seconds = [c - i for i, (_, _, c) in enumerate(threes)]
    answers(
        ('a function', 'reduce min,max,argmax f32.npy --map square.glsl',
         {'min': min(v * v for v in values), 'max': max(v * v for v in values),
          'argmax': max(range(3000), key=lambda i: values[i]**2)}, {'type': 'f32', 'count': 3000}),
        ('indices', 'reduce min,max,sum f32.npy --map count.glsl',
         {'min': 0, 'max': 2999, 'sum': 2999 * 1500}, {'type': 'u32'}),
        ('of small integers', 'reduce sum i16.npy --map ordered.glsl', {'sum': sums},
         {'type': 'i32'}),
        ('several components', 'reduce min,max f32.npy --components 3 --map pair.glsl',
         {'min': [min(firsts), min(seconds)], 'max': [max(firsts), max(seconds)]},
         {'channels': 2, 'count': 1000}),
        ('of a picture', 'reduce max data/astronaut.png --map grey.glsl', {'max': 191.25}),
        ('with a version, an include and a main', 'reduce max f32.npy --map ./own.glsl',
         {'max': max(values) / 2}),
        ('SPIR-V', 'reduce max f32.npy --map minus.spv', {'max': -min(values)}),
        ('rows', 'reduce max f32.npy --map square.glsl --segments rows:1000 -o out.npy',
         {'max': [max(v * v for v in values[k:k + 1000]) for k in (0, 1000, 2000)]}),
        ('a strided input', 'reduce sum f32.npy --map count.glsl --offset 4 --stride 8',
         {'sum': 1499 * 750}),
        ('a count on the GPU, and staging',
         'reduce sum f32.npy --map count.glsl --count-on-gpu --staging', {'sum': 2999 * 1500}),
        ('a word after a file', 'reduce max data/astronaut.png --map wrong.glsl --map luminance',
         {'max': 255}),
        ('a byte order mark, and lines that end with CR LF',
         'reduce max f32.npy --map windows.glsl', {'max': max(values) / 2}),
        ('nothing', 'reduce count random:0 --map square.glsl', {'count': 0}))
    counts = [sum(1 for v in values if 250000 * k <= v * v < 250000 * (k + 1)) for k in range(4)]
    found = runner_tools.answer(
        'a histogram', 'histogram f32.npy --map square.glsl --bins 4 --range 0:1000000', None)
    ok(found.get('result', {}).get('counts') == counts, 'and its counts', found)
    found = runner_tools.answer('of the range', 'histogram f32.npy --map square.glsl --bins 4',
                                None)
    ok(sum(found.get('result', {}).get('counts', [])) == 3000, 'and all counts', found)
    differences(('max', 'reduce max f32.npy --map square.glsl'),
                ('bin', 'histogram f32.npy --map square.glsl --bins 4 --range 0:9'))


def test_predicates():
    text('keep.glsl', 'bool keep(int x, uint i) { return x > 3 && (i & 1u) == 0u; }')
    text('odd.glsl', 'bool keep(ivec2 x, uint i) { return (x.x + x.y) % 2 != 0; }')
    spirv('positive.spv', 'bool keep(float x, uint i) { return x > 0; }',
          'void main() { keep(0, 0); }')
    values = [random.randrange(-9, 10) for _ in range(5000)]
    array('i8.npy', 'i8', values)
    array('f32.npy', 'f32', values)
    kept = [i for i, v in enumerate(values) if v > 3 and i % 2 == 0]
    pairs = [k for k in range(2500) if (values[2 * k] + values[2 * k + 1]) % 2 != 0]
    few = [i for i in kept if i < 60]
    array('few.npy', 'i32', values[:60])
    answers(
        ('a function', 'compact i8.npy --predicate keep.glsl',
         {'kept': len(kept), 'rejected': 5000 - len(kept)}),
        ('outputs', 'compact few.npy --predicate=keep.glsl -o out.npy --indices where.npy '
         '--rejected-indices others.npy', {'kept': len(few), 'rejected': 60 - len(few)},
         {'files': {'out.npy': ('i32', (len(few),), [values[i] for i in few]),
                    'where.npy': ('u32', (len(few),), few),
                    'others.npy': ('u32', (60 - len(few),),
                                   [i for i in range(60) if i not in few])}}),
        ('components', 'compact i8.npy --components 2 --predicate odd.glsl --count-on-gpu '
         '--staging',
         {'kept': len(pairs), 'rejected': 2500 - len(pairs)}),
        ('SPIR-V', 'compact f32.npy --predicate positive.spv --algorithm scan-scatter',
         {'kept': sum(v > 0 for v in values), 'rejected': sum(v <= 0 for v in values)},
         {'algorithm': 'scan-scatter'}))
    differences(('kept', 'compact i8.npy --predicate keep.glsl -o out.npy'))


def test_wrong(compiles):
    text('good.glsl', 'float map(float x, uint i) { return x; }')
    text('none.glsl', 'float nap(float x, uint i) { return x; }')
    text('integer.glsl', 'float map(int x, uint i) { return 1.0; }')
    text('error.glsl', '', 'float map(float x, uint i)', '{', '    return y;', '}')
    text('open.glsl', 'float map(float x, uint i)', '{')
    text('include.glsl', '#include "other.glsl"', 'float map(float x, uint i) { return x; }')
    text('matrix.glsl', 'mat2 map(float x, uint i) { return mat2(x); }')
    text('barrier.glsl', 'float map(float x, uint i) { barrier(); return x; }')
    text('set.glsl', 'layout(set = 1, binding = 0) buffer A { float a[]; };',
         'float map(float x, uint i) { return a[i]; }')
    text('number.glsl', 'int keep(float x, uint i) { return 1; }')
    spirv('good.spv', 'float map(float x, uint i) { return x; }', 'void main() { map(0, 0); }')
    with open('good.spv', 'rb') as file:
        code = file.read()
    text('warned.glsl', '#extension GL_EXT_none : enable', '',
         'float map(float x, uint i) { return y; }')
    text('long.glsl', '//' + 250000 * 'x')
    write('cut.spv', code[:len(code) // 8 * 4])
    write('odd.spv', code[:-2])
    write('words.spv', b'words, but not of SPIR-V')
    write('empty.spv')
    write('zero.glsl', b'float map(float x, uint i)\0 { return x; }')
    refusals(
        2, 'reduce min random:9',
        ('a missing file', 'missing.glsl|No such file', '--map missing.glsl'),
        ('a missing module', 'missing.spv|No such file', '--map missing.spv'),
        ('another name', "'./name'|.glsl or .spv", '--map ./name'),
        ('no file', "'name'|luminance|.glsl or .spv", '--map name'),
        ('a truncated module', 'cut.spv', '--map cut.spv'),
        ('half a word', 'odd.spv|truncated', '--map odd.spv'),
        ('other words', 'words.spv|SPIR-V', '--map words.spv'),
        ('an empty module', 'empty.spv|no data', '--map empty.spv'),
        ('a function of integers', 'good.spv|map', '--map good.spv --type i32'),
        ('a chunk', "--map is 'good.spv'|--chunk", '--map good.spv --chunk 4'),
        ('an image', "--map is 'good.spv'|--as-image", '--map good.spv --as-image'))
    refusals(2, 'compact random:9', ('no such function', 'keep', '--predicate good.spv'),
             ('a word', "'nonzero'|.glsl or .spv", '--predicate nonzero'),
             ('a chunk', 'good.spv|--chunk', '--predicate good.spv --chunk 4'))
    refusals(2, 'compact', ('two predicates', '2 operands|--predicate', 'nan random:9 --predicate '
                            'good.spv'))
    if not compiles:
        return
    refusals(
        2, 'reduce min random:9',
        ('no such function', 'none.glsl: it needs a function T map(float x, uint i)\n',
         '--map none.glsl'),
        ('another parameter', 'integer.glsl|map(float x, uint i)', '--map integer.glsl'),
        ('an error in line 4', "error.glsl:4|'y' : undeclared", '--map error.glsl'),
        ('an error after a warning', "warned.glsl:3|'y' : undeclared", '--map warned.glsl'),
        ('a long text', 'long.glsl|too large|at most 250000 bytes', '--map long.glsl'),
        ('an open brace', 'open.glsl|after its last line', '--map open.glsl'),
        ('another include', 'include.glsl:1|other.glsl', '--map include.glsl'),
        ('a byte 0', 'zero.glsl|byte 26', '--map zero.glsl'),
        ('a matrix', 'matrix.glsl|map', '--map matrix.glsl'),
        ('descriptors', 'set.glsl|descriptors', '--map set.glsl'),
        ('a barrier', 'barrier.glsl|OpControlBarrier', '--map barrier.glsl'))
    refusals(2, 'compact random:9', ('a number', 'number.glsl|bool keep(float x, uint i)',
                                     '--predicate number.glsl'))


with runner_tools.workplace():
    is_whole = has_glsl()
    if is_whole:
        test_maps()
        if MISLED:
            test_predicates()
    if MISLED:
        test_wrong(is_whole)
