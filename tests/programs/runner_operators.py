#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce with users' operators: --operator FILE of reduce and scan, as GLSL and
as SPIR-V. Prints TAP."""
import json
import math
import random
import shlex
import struct

import runner_tools
from runner_glsl import has_glsl, spirv, text
from runner_tools import MISLED, PROGRAM, Near, array, call, ok, read_npy, refusals, says

random.seed(1)


def f32(value):
    return struct.unpack('<f', struct.pack('<f', value))[0]


def state(name, command, result, **more):
    """Tests the result of an operator: --verify says what it can compare."""
    code, out, err = call(PROGRAM, *shlex.split(command), '--json', '--verify')
    found = json.loads(out) if code == 0 else {}
    ok(code == 0 and err.count('\n') == 1 and 'only' in err and found['verified'] is True and
       found['result'] == result and all(found[key] == value for key, value in more.items()),
       f'{name}: {command}', f'{code} {out[:600]} {err}, expected {result}')


def test_operators():
    text('box.glsl', 'struct State { float lo, hi; };', '#define COMMUTATIVE',
         'State lift(float x, uint i) { return State(x, x); }',
         'State identity() { return State(uintBitsToFloat(0x7f800000u), '
         'uintBitsToFloat(0xff800000u)); }',
         'State combine(State a, State b) { return State(min(a.lo, b.lo), max(a.hi, b.hi)); }')
    text('affine.glsl', '/* x -> a x + b modulo 2^32, which does not commute */',
         'struct State { uint a, b; };',
         'State lift(E x, uint i) { return State(uint(x) | 1u, i); }',
         'State identity() { return State(1u, 0u); }',
         'State combine(State f, State g) { return State(f.a * g.a, g.a * f.b + g.b); }')
    text('mean.glsl', 'struct State { float sum; uint count; };', '#define COMMUTATIVE',
         'State lift(E x, uint i) { return State(float(x), 1u); }',
         'State identity() { return State(0.0, 0u); }',
         'State combine(State a, State b) { return State(a.sum + b.sum, a.count + b.count); }')
    text('finish.glsl', *open('mean.glsl').read().splitlines(),
         'float finish(State s) { return s.sum / float(s.count); }')
    text('word.glsl', *open('mean.glsl').read().splitlines(),
         'float half_of(float x) { float finish = x / 2; return finish; }')
    text('unread.glsl', *open('mean.glsl').read().splitlines(), '#if 0',
         'float finish(State s) { return s.sum; }', '#endif')
    text('last.glsl', '#define State uint', 'State lift(uvec3 x, uint i) { return x.z; }',
         'State identity() { return 0u; }',
         'State combine(State a, State b) { return b == 0u ? a : b; }')
    spirv('words.spv', 'uint lift(uint x, uint i) { return x ^ i; }',
          'uint identity() { return 0u; }', 'uint combine(uint a, uint b) { return a ^ b; }',
          'void main() { combine(lift(0, 0), identity()); }')
    values = [random.randrange(1, 256) for _ in range(6000)]
    array('u8.npy', 'u8', values)
    array('f32.npy', 'f32', values)

    def affine(part, first=0):
        a, b, prefixes = 1, 0, []
        for i, v in enumerate(part, first):
            a, b = a * (v | 1) % 2**32, ((v | 1) * b + i) % 2**32
            prefixes += [a, b]
        return prefixes
    state('a box', 'reduce --operator box.glsl f32.npy', {'state': [min(values), max(values)]},
          type='f32', count=6000)
    state('the order', 'reduce --operator affine.glsl u8.npy', {'state': affine(values)[-2:]})
    state('rows', 'reduce --operator affine.glsl u8.npy --segments rows:1500 -o out.npy',
          {'state': [affine(values[k:k + 1500], k)[-2:] for k in range(0, 6000, 1500)]})
    stored = read_npy('out.npy')
    ok(stored == ('u32', (4, 2), [v for k in range(0, 6000, 1500)
                                  for v in affine(values[k:k + 1500], k)[-2:]]),
       'their file', stored)
    state('a stride', 'reduce --operator affine.glsl u8.npy --offset 1 --stride 3',
          {'state': affine(values[1::3])[-2:]})
    state('members of two types', 'reduce --operator mean.glsl u8.npy',
          {'state': [sum(values), 6000]})
    for file in ('word.glsl', 'unread.glsl'):
        state('no function finish', f'reduce --operator {file} u8.npy',
              {'state': [sum(values), 6000]})
    state('what finish returns', 'reduce --operator finish.glsl u8.npy --count-on-gpu',
          {'state': Near(sum(values) / 6000)})
    state('one value, of components', 'reduce --operator last.glsl u8.npy --components 3 '
          '-o out.npy',
          {'state': [values[-1]]})
    ok(read_npy('out.npy') == ('u32', (), values[-1:]), 'its file', read_npy('out.npy'))
    array('u32.npy', 'u32', [7, 1, 64, 200])
    state('SPIR-V', 'reduce --operator words.spv u32.npy',
          {'state': [7 ^ 0 ^ 1 ^ 1 ^ 64 ^ 2 ^ 200 ^ 3]})
    state('nothing', 'reduce --operator box.glsl random:0', {'state': ['inf', '-inf']})
    state('windows', 'reduce --operator affine.glsl u8.npy --segments windows:5990',
          {'state': [affine(values[k:k + 5990], k)[-2:] for k in range(11)]})
    array('offsets.npy', 'u32', [0, 0, 7, 6000])
    state('offsets', 'reduce --operator affine.glsl u8.npy --segments offsets:offsets.npy',
          {'state': [[1, 0], affine(values[:7])[-2:], affine(values[7:], 7)[-2:]]})
    columns(values)
    text('plus.glsl', '#define State float', 'State lift(E x, uint i) { return x; }',
         'State identity() { return 0.0; }',
         'State combine(State a, State b) { return a + b; }')
    large = [f32(random.uniform(1, 1000)) for _ in range(30000)]
    array('cancel.npy', 'f32', large + [-v for v in large])
    for command in ('reduce --operator plus.glsl cancel.npy',
                    'reduce --operator plus.glsl cancel.npy --segments rows:60000',
                    'scan --operator plus.glsl cancel.npy -o out.npy'):
        code, out, err = call(PROGRAM, *shlex.split(command), '--verify', '--json')
        ok(code == 0 and json.loads(out)['verified'] is True, f'sums that cancel: {command}',
           f'{code} {out} {err}')
    array('few.npy', 'u8', values[:40])
    for extra, right in [('', affine(values[:40])),
                         ('--exclusive', [1, 0] + affine(values[:39]))]:
        state('a scan', f'scan --operator affine.glsl few.npy -o out.npy {extra}',
              {'type': 'u32', 'total': affine(values[:40])[-2:]})
        ok(read_npy('out.npy') == ('u32', (40, 2), right), 'its file', read_npy('out.npy'))
    state('an order from the end', 'scan --operator affine.glsl few.npy -o out.npy --reverse',
          {'type': 'u32', 'total': affine(values[:40])[-2:]})
    ok(read_npy('out.npy') == ('u32', (40, 2), [v for k in range(40)
                                                for v in affine(values[k:40], k)[-2:]]),
       'its file', read_npy('out.npy'))
    state('a reversed scan', 'scan --operator box.glsl f32.npy -o out.npy --reverse',
          {'type': 'f32', 'total': [min(values), max(values)]})
    state('a scan with finish', 'scan --operator finish.glsl few.npy -o out.npy',
          {'type': 'f32', 'total': [sum(values[:40]), 40]})
    ok(read_npy('out.npy') == ('f32', (40,), [Near(sum(values[:k + 1]) / (k + 1))
                                             for k in range(40)]), 'its file', read_npy('out.npy'))
    parts(values, affine)
    for kind, number in [('i8', -5), ('i16', -300), ('u16', 60000), ('i32', -2**31), ('f16', 0.25),
                         ('bf16', -1.5), ('i64', -2**40), ('u64', 2**63), ('f64', 1.5)]:
        text('sum.glsl', '#define State float', 'State lift(E x, uint i) { return float(x); }',
             'State identity() { return 0.0; }',
             'State combine(State a, State b) { return a + b; }')
        array('one.npy', kind, [0, number, 0], '(3,)')
        state(kind, 'reduce --operator sum.glsl one.npy', {'state': [number]}, type=kind)


def columns(values):
    """Columns of matrices of several shapes, whose elements are not neighbours."""
    text('ends.glsl', '#define State uvec2',
         'State lift(E x, uint i) { return State(uint(x), 1); }',
         'State identity() { return State(0); }',
         'State combine(State a, State b) { return State(b.y == 0 ? a.x : b.x, a.y + b.y); }')
    for kind, length in [('u8', 100), ('u16', 6000), ('i32', 1), ('f32', 37 * 8), ('f64', 3)]:
        some = values[:6000 // length * length]
        array('matrix.npy', kind, some)
        state('columns', f'reduce --operator ends.glsl matrix.npy --segments columns:{length}',
              {'state': [[some[len(some) - length + c], len(some) // length]
                         for c in range(length)]}, type=kind)
    array('matrix.npy', 'u8', values)
    state('columns of records', 'reduce --operator ends.glsl matrix.npy --segments columns:50 '
          '--offset 1 --stride 3 --count-on-gpu',
          {'state': [[values[1::3][1950 + c], 40] for c in range(50)]})
    state('columns in any order', 'reduce --operator mean.glsl matrix.npy --segments columns:1000',
          {'state': [[sum(values[c::1000]), 6] for c in range(1000)]})
    command = 'reduce --operator affine.glsl matrix.npy --segments columns:1500'
    code, out, err = call(PROGRAM, *shlex.split(command), '--verify', '--json')
    found = json.loads(out)
    right = []
    for c in range(1500):
        a, b = 1, 0
        for i in range(c, 6000, 1500):
            a, b = a * (values[i] | 1) % 2**32, ((values[i] | 1) * b + i) % 2**32
        right.append([a, b])
    ok(code == 0 and found['result'] == {'state': right} and found['verified'] is None and
       'lift reads the index' in err, 'columns whose states have indices', f'{code} {err}')


def parts(values, affine):
    """Segments of scans, and runs of keys, by an operator whose order matters."""
    cuts = [0, 0, 7, 20, 33, 34, 40]
    array('cuts.npy', 'u32', cuts)
    keys = [sum(k >= cut for cut in cuts) for k in range(40)]
    array('keys.npy', 'u16', keys)
    array('floats.npy', 'f32', values[:40])
    runs = list(zip(cuts[1:], cuts[2:]))
    for where, ends in [('--segments rows:16', [(0, 16), (16, 32), (32, 40)]),
                        ('--segments offsets:cuts.npy', runs), ('--runs keys.npy', runs)]:
        state('a scan', f'scan --operator affine.glsl few.npy -o out.npy {where}',
              {'type': 'u32', 'total': affine(values[ends[-1][0]:40], ends[-1][0])[-2:]})
        ok(read_npy('out.npy') == ('u32', (40, 2), [v for a, b in ends
                                                    for v in affine(values[a:b], a)]),
           'its file', read_npy('out.npy'))
        state('an exclusive scan from the end', f'scan --operator affine.glsl few.npy -o out.npy '
              f'--reverse --exclusive {where}',
              {'type': 'u32', 'total': affine(values[:ends[0][1]])[-2:]})
        ok(read_npy('out.npy') == ('u32', (40, 2), [
            v for a, b in ends for k in range(a, b)
            for v in ([1, 0] + affine(values[k + 1:b], k + 1))[-2:]]),
           'its file', read_npy('out.npy'))
    state('runs', 'reduce --operator affine.glsl few.npy --runs keys.npy -o out.npy --keys k.npy '
          '--counts c.npy', {'keys': [keys[a] for a, _ in runs],
                             'state': [affine(values[a:b], a)[-2:] for a, b in runs]})
    found = [read_npy(name) for name in ('out.npy', 'k.npy', 'c.npy')]
    ok(found == [('u32', (len(runs), 2), [v for a, b in runs for v in affine(values[a:b], a)[-2:]]),
                 ('u16', (len(runs),), [keys[a] for a, _ in runs]),
                 ('u32', (len(runs),), [b - a for a, b in runs])], 'their files', found)
    state('runs, in any order',
          'reduce --operator box.glsl floats.npy --runs keys.npy --count-on-gpu',
          {'keys': [keys[a] for a, _ in runs],
           'state': [[min(values[a:b]), max(values[a:b])] for a, b in runs]})


def test_differences():
    """Operators that are not what they say give results that depend on how they are computed."""
    text('minus.glsl', '#define State float', 'State lift(E x, uint i) { return x; }',
         'State identity() { return 0.0; }',
         'State combine(State a, State b) { return a - b; }')
    array('seven.npy', 'u8', [k // 7000 for k in range(70000)])
    text('swap.glsl', *open('affine.glsl').read().splitlines(), '#define COMMUTATIVE')
    for words, command in [('as a window', 'reduce --operator minus.glsl random:70000'),
                           ('order of the elements', 'reduce --operator swap.glsl random:70000:1 '
                            '--type u32 --segments rows:7000'),
                           ('as a reduction', 'scan --operator minus.glsl random:70001 '
                            '-o out.npy'),
                           ('order of the elements', 'reduce --operator swap.glsl random:70000:1 '
                            '--type u32 --runs seven.npy'),
                           ('on its own', 'reduce --operator minus.glsl random:70000 '
                            '--segments columns:7'),
                           ('as a reduction', 'scan --operator minus.glsl random:70001 '
                            '-o out.npy --segments rows:60000')]:
        code, out, err = call(PROGRAM, *shlex.split(command), '--verify', '--json')
        ok(code == 3 and json.loads(out)['verified'] is False and words in err and
           err.count('\n') == 2, f'--verify finds a difference in {command}', f'{code} {out} {err}')
        code, out, err = call(PROGRAM, *shlex.split(command))
        ok(code == 0 and err == '', f'without --verify it does not: {command}', err)
    says('a table', 'reduce --operator affine.glsl random:30 --type u8 --segments rows:1',
         'segments 30 by rows:1\n', '\n9 ', '\n..\n20 ', '\n29 ')
    array('four.npy', 'u8', [1, 2, 3, 5])
    says('a number', 'reduce --operator finish.glsl four.npy', 'state    2.75\n')


def test_files():
    """Values of several types are the fields of a structured array."""
    text('best.glsl', 'struct State { float a; uint b; };',
         'State lift(float x, uint i) { return State(x, i); }',
         'State identity() { return State(-1.0 / 0.0, 0u); }',
         'State combine(State a, State b) { return a.a < b.a ? b : a; }')
    array('three.npy', 'f32', [1, 3.5, 2])
    two = ('f0', 'f32'), ('f1', 'u32')
    for options, result, shape in [('', [3.5, 1], ()),
                                   (' --segments rows:1', [[1, 0], [3.5, 1], [2, 2]], (3,))]:
        state('members of two types', 'reduce --operator best.glsl three.npy -o out.npy' + options,
              {'state': result})
        values = [value for row in result for value in row] if shape else result
        ok(read_npy('out.npy') == (two, shape, values), f'the file{options}', read_npy('out.npy'))
    array('six.npy', 'f32', [1, 3.5, 2, 7, 0, 4], '(2, 3)')
    array('keys.npy', 'u8', [5, 5, 5, 9, 9, 9])
    first, last = [1, 0, 3.5, 1, 3.5, 1], [7, 3, 7, 3, 7, 3]
    nothing = [-math.inf, 0]
    for options, right, shape, total in [
            ('', first + last, (6,), [7, 3]), ('--reverse', 4 * [7, 3] + 2 * [4, 5], (6,), [7, 3]),
            ('--exclusive', nothing + first[:6] + last[:4], (6,), [7, 3]),
            ('--segments rows:1', [1, 0, 3.5, 1, 2, 2, 7, 3, 0, 4, 4, 5], (6,), [4, 5]),
            ('--runs keys.npy --exclusive', nothing + first[:4] + nothing + last[:4], (6,), [7, 3]),
            ('--axis 1', first + last, (2, 3), [7, 3]),
            ('--segments rows', first + last, (2, 3), [7, 3])]:
        state('a scan of two types', f'scan --operator best.glsl six.npy -o out.npy {options}',
              {'type': ['f32', 'u32'], 'total': total})
        ok(read_npy('out.npy') == (two, shape, right), f'its file {options}', read_npy('out.npy'))
    array('none.npy', 'f32', [])
    state('no element', 'scan --operator best.glsl none.npy -o out.npy',
          {'type': ['f32', 'u32'], 'total': ['-inf', 0]})
    ok(read_npy('out.npy') == (two, (0,), []), 'its file', read_npy('out.npy'))
    text('many.glsl', 'struct State { int n; float m[14]; uint k; };',
         'State lift(E x, uint i) { State s; s.n = -1; for (int j = 0; j < 14; j++)',
         '    s.m[j] = float(i + j); s.k = i; return s; }',
         'State identity() { State s; s.n = 0; for (int j = 0; j < 14; j++) s.m[j] = 0.0;',
         '    s.k = 0; return s; }',
         'State combine(State a, State b) { State s = b; if (b.n == 0) s = a; return s; }')
    many = [x for i in range(3) for x in (-1, *(float(i + j) for j in range(14)), i)]
    state('16 values', 'scan --operator many.glsl three.npy -o out.npy',
          {'type': ['i32'] + 14 * ['f32'] + ['u32'], 'total': many[32:]})
    kinds = ['i32'] + 14 * ['f32'] + ['u32']
    ok(read_npy('out.npy') == (tuple((f'f{i}', kind) for i, kind in enumerate(kinds)), (3,), many),
       'their file', read_npy('out.npy'))
    says('a table', 'scan --operator best.glsl three.npy -o out.npy',
         'output   out.npy: 3 x 2 f32 u32\ntotal               3.5              1\n')


def test_wrong(compiles):
    text('two.glsl', 'struct State { float a; uint b; };',
         'State lift(float x, uint i) { return State(x, i); }',
         'State identity() { return State(0, 0u); }',
         'State combine(State a, State b) { return b; }')
    text('large.glsl', '#define State Big', 'struct Big { float a[17]; };',
         'State lift(float x, uint i) { State s; return s; }',
         'State identity() { State s; return s; }', 'State combine(State a, State b) { return b; }')
    text('stateless.glsl', 'float lift(float x, uint i) { return x; }')
    text('lacking.glsl', '#define State float', 'State lift(float x, uint i) { return x; }',
         'State identity() { return 0.0; }')
    text('finished.glsl', *open('two.glsl').read().splitlines(),
         'float finish(int s) { return 0; }')
    text('good.glsl', 'float map(float x, uint i) { return x; }')
    spirv('good.spv', 'float map(float x, uint i) { return x; }', 'void main() { map(0, 0); }')
    refusals(2, 'reduce', ('no such function', 'good.spv|--operator',
                           '--operator good.spv random:9'),
             ('two operators', '2 operands|--operator', 'min random:9 --operator good.spv'))
    if not compiles:
        return
    refusals(
        2, 'scan random:9 -o out.npy',
        ('a chunk', '--operator|--chunk', '--operator two.glsl --chunk 4'),
        ('an initial value', '--operator|--initial', '--operator two.glsl --initial 1'))
    refusals(
        2, 'reduce random:9',
        ('17 values', 'large.glsl|16 values', '--operator large.glsl'),
        ('another finish', 'finished.glsl|float finish(State s)', '--operator finished.glsl'),
        ('no State', 'stateless.glsl: it needs a type State, a struct or a #define\n',
         '--operator stateless.glsl'),
        ('no combine', 'it needs a function State combine(State a, State b)\n',
         '--operator lacking.glsl'),
        ('--by and segments', '--by and --segments', '--operator two.glsl --by random:9 '
         '--segments rows:3'),
        ('an operator and a map', '--operator|--map', '--operator two.glsl --map good.glsl'),
        ('level device', '--operator', '--operator two.glsl --determinism device'))


with runner_tools.workplace():
    is_whole = has_glsl()
    if MISLED:
        if is_whole:
            test_operators()
            test_differences()
            test_files()
        test_wrong(is_whole)
