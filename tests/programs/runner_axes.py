#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --axis of the program vkreduce, and --segments rows and columns without a length: results
and shapes are those of numpy. Prints TAP."""
import itertools
import math
import random

import runner_tools
from runner_tools import (MISLED, answers, array, npy, ok, pack, read_npy, refusals, run, says)

draw = random.Random(7)


def positions(shape):
    return itertools.product(*map(range, shape))


def lines(shape, values, axis):
    """The shape without an axis, and for each position in it the elements along the axis."""
    rest = shape[:axis] + shape[axis + 1:]
    strides = [math.prod(shape[d + 1:]) for d in range(len(shape))]
    return rest, [[values[sum(i * stride for i, stride in
                              zip(at[:axis] + (k,) + at[axis:], strides))]
                   for k in range(shape[axis])] for at in positions(rest)]


def some(shape):
    return [draw.randrange(-9, 10) for _ in range(math.prod(shape))]


# ---- Reductions ----

SHAPES = [(6,), (1,), (3, 4), (4, 1), (1, 5), (2, 3, 4), (3, 1, 4), (1, 6, 1), (2, 1, 3, 2),
          (2, 2, 2, 2, 2, 2, 2), (5, 37, 3), (70, 1, 1, 1, 2)]


def test_reductions():
    for shape in SHAPES:
        values = some(shape)
        array('a.npy', 'i32', values, shape)
        axes = [*range(len(shape)), -1, -len(shape)]
        for axis in axes if math.prod(shape) < 50 else axes[1:-1:2]:
            rest, parts = lines(shape, values, axis % len(shape))
            sums, greatest = [*map(sum, parts)], [*map(max, parts)]
            answers((f'axis {axis} of {shape}', f'reduce sum a.npy -o out.npy --axis {axis}',
                     {'sum': sums}, {'files': {'out.npy': ('i64', rest, shown(sums, 'i64'))}}),
                    ('in a structured array', f'reduce max,argmax a.npy -o out.npy --axis={axis}',
                     {'max': greatest, 'argmax': [part.index(max(part)) for part in parts]}))
            stored = read_npy('out.npy')
            ok(stored[:2] == ((('max', 'i32'), ('argmax', 'u32')), rest), 'and its shape', stored)
    shape = (3,) + 61 * (1,) + (2, 2)
    values = some(shape)
    array('a.npy', 'i32', values, shape)
    rest, parts = lines(shape, values, 62)
    answers(('64 axes', 'reduce min,max a.npy -o out.npy --axis -2',
             {'min': [*map(min, parts)], 'max': [*map(max, parts)]},
             {'files': {'out.npy': ('i32', rest[:-1] + (2, 2), [
                 x for part in parts for x in (min(part), max(part))])}}))


def shown(values, kind):
    return pack(kind, values) if len(values) > 100 else values


def test_words():
    """--segments rows and columns without a length."""
    values = some((3, 4))
    array('a.npy', 'i32', values, (3, 4))
    for words, axis in [('--segments rows', 1), ('--segments columns', 0)]:
        rest, parts = lines((3, 4), values, axis)
        answers((words, f'reduce max a.npy -o out.npy {words}', {'max': [*map(max, parts)]},
                 {'files': {'out.npy': ('i32', rest, [*map(max, parts)])}}))
    values = some((2, 3, 4))
    array('a.npy', 'i32', values, (2, 3, 4))
    rest, parts = lines((2, 3, 4), values, 0)
    answers(('of three axes', 'reduce max a.npy -o out.npy --segments columns',
             {'max': [*map(max, parts)]},
             {'files': {'out.npy': ('i32', rest, [*map(max, parts)])}}))


def test_elements():
    """Axes of pictures, of elements with components, and of arrays in other orders."""
    rows = run('reduce sum data/astronaut.png --segments rows:512')
    answers(('rows of a picture', 'reduce sum data/astronaut.png --axis 1 -o out.npy',
             rows['result'], {'channels': 3}))
    ok(read_npy('out.npy')[:2] == ('u64', (512, 3)), 'its shape', read_npy('out.npy')[:2])
    columns = run('reduce sum data/chelsea-luma.npy --segments columns:451')
    answers(('columns of an array', 'reduce sum data/chelsea-luma.npy --axis 0 --as-image',
             columns['result']))
    values = some((4, 2, 3))
    array('a.npy', 'i32', values, (4, 2, 3))
    sums = [[sum(values[6 * i + c:6 * i + 6:3]) for c in range(3)] for i in range(4)]
    answers(('components', 'reduce sum a.npy --components 3 --axis 1 -o out.npy', {'sum': sums},
             {'channels': 3, 'files': {'out.npy': ('i64', (4, 3), sum(sums, []))}}))
    array('a.npy', 'i32', values, (4, 6))
    answers(('and a part of an axis', 'reduce sum a.npy --components 3 --axis 1 -o out.npy',
             {'sum': sums},
             {'channels': 3, 'files': {'out.npy': ('i64', (4, 3), sum(sums, []))}}))
    fields = b''.join(pack('u8', [7]) + pack('i32', [x]) for x in values)
    npy('s.npy', fields, '', '', header="{'descr': [('a', '|u1'), ('b', '<i4')], "
        "'fortran_order': False, 'shape': (4, 6), }")
    npy('t.npy', fields + bytes(72), '', '', header="{'descr': [('a', '<i4', (3,))], "
        "'fortran_order': False, 'shape': (4, 4), }")
    answers(('components of a field',
             'reduce sum s.npy --field b --components 3 --axis 1 -o out.npy', {'sum': sums},
             {'channels': 3, 'files': {'out.npy': ('i64', (4, 3), sum(sums, []))}}),
            ('a field that is an array', 'reduce count t.npy --field a --axis 0 -o out.npy',
             {'count': 4 * [3 * [4]]},
             {'channels': 3, 'files': {'out.npy': ('u64', (4, 3), 12 * [4])}}))
    rest, parts = lines((4, 6), values, 0)
    transposed = [values[6 * i + k] for k in range(6) for i in range(4)]
    npy('f.npy', pack('i32', transposed), '<i4', '(4, 6)', 'True')
    answers(('Fortran order', 'reduce max f.npy --axis 0 -o out.npy', {'max': [*map(max, parts)]},
             {'files': {'out.npy': ('i32', rest, [*map(max, parts)])}}),
            ('dot', 'reduce dot a.npy f.npy --axis -2 -o out.npy',
             {'dot': [sum(x * x for x in part) for part in parts]}),
            ('a count on the GPU', 'reduce max a.npy --axis 0 --count-on-gpu --staging',
             {'max': [*map(max, parts)]}),
            ('chunks', 'reduce max a.npy --axis 1 --chunk 24 -o out.npy',
             {'max': [max(values[6 * i:6 * i + 6]) for i in range(4)]},
             {'chunks': 4, 'files': {'out.npy': (
                 'i32', (4,), [max(values[6 * i:6 * i + 6]) for i in range(4)])}}))
    for shape, axis, rest in [((0, 3), 0, (3,)), ((0, 3), 1, (0,)), ((3, 0), 0, (0,)),
                              ((0,), 0, ()), ((1, 0), 1, (1,)), ((0, 2, 3), 1, (0, 3)),
                              ((2, 3, 0), 1, (2, 0))]:
        array('none.npy', 'i32', [], shape)
        zeros = math.prod(rest) * [0]
        answers((f'axis {axis} of {shape}', f'reduce sum none.npy --axis {axis} -o out.npy',
                 {'sum': zeros}, {'files': {'out.npy': ('i64', rest, zeros)}}))


# ---- Other commands, along the last axis ----

def test_commands():
    for shape, axis in [((6,), 0), ((3, 4), 1), ((3, 4), -1), ((2, 3, 4), 2), ((2, 3, 1), -2),
                        ((2, 1, 2, 2, 3), 4), ((0, 2), 1), ((2, 0), -1)]:
        values = some(shape)
        array('a.npy', 'i32', values, shape)
        array('p.npy', 'u8', range(len(values)))
        length = shape[axis]
        parts = [values[k:k + length] for k in range(0, len(values), length or 1)]
        where = f'--axis {axis}' if axis != -1 else '--segments rows'
        sums = [sum(part[:k + 1]) for part in parts for k in range(length)]
        orders = [sorted(range(length), key=lambda k, part=part: part[k]) for part in parts]
        moved = [length * n + k for n, order in enumerate(orders) for k in order]
        found = [sorted(range(length), key=lambda k, part=part: -part[k])[:2] for part in parts]
        at = axis % len(shape)
        taken = shape[:at] + (min(2, length),) + shape[at + 1:]
        answers(
            (f'a scan of {shape}', f'scan sum a.npy -o out.npy {where}', None,
             {'files': {'out.npy': ('i32', shape, sums)}}),
            ('a sort', f'sort a.npy -o out.npy --indices i.npy --payload p.npy:q.npy {where}', None,
             {'files': {'out.npy': ('i32', shape, [values[i] for i in moved]),
                        'i.npy': ('u32', shape, [k for order in orders for k in order]),
                        'q.npy': ('u8', shape, moved)}}))
        places = [length * n + k for n, order in enumerate(found) for k in order]
        answers(('a selection', 'topk 2 a.npy -o out.npy --indices i.npy '
                 f'--payload p.npy:q.npy {where}', None,
                 {'files': {'out.npy': ('i32', taken, [values[i] for i in places]),
                            'i.npy': ('u32', taken, [k for order in found for k in order]),
                            'q.npy': ('u8', taken, places)}}))
    values = some((5, 2, 3))
    array('a.npy', 'i32', values, (5, 2, 3))
    down = [sum(values[i % 6:i + 1:6]) for i in range(30)]
    for where in '--axis 0', '--segments columns:6', '--axis 0 --chunk 60', '--axis -3':
        shape = (30,) if 'columns' in where else (5, 2, 3)
        answers((f'a scan of columns, {where}', f'scan sum a.npy -o out.npy {where}',
                 {'type': 'i32', 'total': down[-1]},
                 {'chunks': 3 if 'chunk' in where else None,
                  'files': {'out.npy': ('i32', shape, down)}}))
    back = [sum(values[i::6]) for i in range(30)]
    answers(('reversed, in chunks of rows',
             'scan sum a.npy -o out.npy --axis 0 --reverse --chunk 48',
             {'type': 'i32', 'total': back[0]},
             {'chunks': 3, 'files': {'out.npy': ('i32', (5, 2, 3), back)}}))
    array('p.npy', 'u8', range(30), (5, 2, 3))
    columns = [sorted(range(5), key=lambda i, c=c: values[6 * i + c]) for c in range(6)]
    order = [columns[i % 6][i // 6] for i in range(30)]
    moved = [6 * k + i % 6 for i, k in enumerate(order)]
    for where in '--axis 0', '--segments columns:6', '--axis -3 --verify':
        shape = (30,) if 'columns' in where else (5, 2, 3)
        answers((f'a sort of columns, {where}',
                 f'sort a.npy -o out.npy --indices i.npy --payload p.npy:q.npy {where}', None,
                 {'files': {'out.npy': ('i32', shape, [values[i] for i in moved]),
                            'i.npy': ('u32', shape, order), 'q.npy': ('u8', shape, moved)}}))
    found = [sorted(range(5), key=lambda i, c=c: -values[6 * i + c])[:3] for c in range(6)]
    order = [found[c][k] for k in range(3) for c in range(6)]
    moved = [6 * i + n % 6 for n, i in enumerate(order)]
    for where in '--axis 0', '--segments columns:6', '--segments columns --verify':
        shape = (3, 6) if ':' in where else (3, 2, 3)
        answers((f'the first of columns, {where}',
                 f'topk 3 a.npy -o out.npy --indices i.npy --payload p.npy:q.npy {where}',
                 {'found': 3, 'values': [[values[6 * i + c] for i in found[c]] for c in range(6)]},
                 {'files': {'out.npy': ('i32', shape, [values[i] for i in moved]),
                            'i.npy': ('u32', shape, order), 'q.npy': ('u8', shape, moved)}}))
    refusals(2, 'scan sum a.npy -o out.npy', (
        'a scan between other axes',
        "--axis is '1'|other axes after axis 1 and before it|scan|first or the last", '--axis 1'))
    array('a.npy', 'i32', range(24), (2, 2, 6))
    answers(('components', 'scan sum a.npy --components 2 --axis 2 -o out.npy', None,
             {'channels': 2, 'files': {'out.npy': ('i32', (2, 2, 3, 2), [
                 sum(range(6 * n + c, 6 * n + 2 * k + 2, 2)) for n in range(4) for k in range(3)
                 for c in range(2)])}}))
    says('a table', 'topk 1 a.npy --axis 2', 'segments 4 by axis 2\n')
    says('a table', 'reduce max a.npy --axis -2', 'segments 12 by axis -2\n')
    says('a table', 'reduce max a.npy --segments rows', 'segments 4 by rows\n')


def test_operators():
    runner_tools.write('plus.glsl', b'#define State ivec2\n'
                       b'State lift(int x, uint i) { return State(x, x); }\n'
                       b'State identity() { return State(0); }\n'
                       b'State combine(State a, State b) { return State(a.x + b.x, b.y); }\n')
    if runner_tools.call(runner_tools.PROGRAM, 'reduce', '--operator', 'plus.glsl', 'random:1',
                         '--type', 'i32')[0] != 0:
        return
    values = some((2, 3, 2))
    array('a.npy', 'i32', values, (2, 3, 2))
    for axis in (0, 2):
        rest, parts = lines((2, 3, 2), values, axis)
        code, _, err = runner_tools.call(runner_tools.PROGRAM, 'reduce', '--operator', 'plus.glsl',
                                         'a.npy', '-o', 'out.npy', '--axis', axis)
        right = ('i32', rest + (2,), [x for part in parts for x in (sum(part), part[-1])])
        ok(code == 0 and read_npy('out.npy') == right, f'an operator along axis {axis}',
           f'{err} {read_npy("out.npy")}, expected {right}')
    code, _, err = runner_tools.call(runner_tools.PROGRAM, 'scan', '--operator', 'plus.glsl',
                                     'a.npy', '-o', 'out.npy', '--axis', -1)
    right = ('i32', (2, 3, 2, 2), [x for n in range(6) for k in range(2) for x in (
        sum(values[2 * n:2 * n + k + 1]), values[2 * n + k])])
    ok(code == 0 and read_npy('out.npy') == right, 'and a scan', f'{err} {read_npy("out.npy")}')
    refusals(2, 'reduce --operator plus.glsl a.npy', (
        'an operator between other axes', "--axis is '1'|other axes|--operator|first or the last",
        '--axis 1'))


def test_usage():
    array('a.npy', 'i32', range(24), (2, 3, 4))
    array('b.npy', 'i32', range(24), (4, 3, 2))
    array('one.npy', 'i32', range(6))
    npy('scalar.npy', pack('i32', [5]), '<i4', '()')
    array('four.npy', 'i32', range(4))
    array('hollow.npy', 'i32', [], (2, 0))
    runner_tools.write('raw.bin', bytes(24))
    refusals(
        2, 'reduce sum',
        ('past the last', "--axis is '3'|from -3 to 2|a.npy", 'a.npy --axis 3'),
        ('before the first', "--axis is '-4'|from -3 to 2", 'a.npy --axis -4'),
        ('the only axis', "--axis is '1'|from -1 to 0", 'one.npy --axis 1'),
        ('a word', "--axis is 'last'|whole number", 'a.npy --axis last'),
        ('a fraction', "--axis is '0.5'|whole number", 'a.npy --axis 0.5'),
        ('minus', "--axis is '-'|whole number", 'a.npy --axis -'),
        ('minus 0', "--axis is '-0'|whole number", 'a.npy --axis -0'),
        ('nothing', "--axis is ''|whole number", "a.npy --axis ''"),
        ('no value', '--axis|AXIS', 'a.npy --axis'),
        ('a scalar', "--axis is '0'|scalar.npy has no axes|array", 'scalar.npy --axis 0'),
        ('random numbers', "--axis is '0'|random:9 has no axes", 'random:9 --axis 0'),
        ('raw values', "--axis is '0'|raw.bin has no axes", 'raw.bin --type i32 --axis 0'),
        ('rows of random numbers', "--segments is 'rows'|random:9 has no axes",
         'random:9 --segments rows'),
        ('columns of them', "--segments is 'columns'|no axes", 'random:9 --segments columns'),
        ('two options', '--segments and --axis|one', 'a.npy --axis 0 --segments rows:3'),
        ('with tiles', '--tiles and --axis|one', 'a.npy --axis 0 --tiles 1x1'),
        ('with keys', '--by and --axis|one', 'a.npy --axis 0 --by random:24'),
        ('with runs', '--runs and --axis|one', 'a.npy --axis 0 --runs random:24'),
        ('an offset', "--axis is '0'|--offset|all elements", 'a.npy --axis 0 --offset 4'),
        ('a stride', "--axis is '0'|--stride", 'a.npy --axis 0 --stride 8'),
        ('components across rows', "--axis is '0'|--components is 3|multiple",
         'a.npy --axis 0 --components 3'),
        ('all is one element', "--axis is '0'|four.npy has no axes|beside --components",
         'four.npy --axis 0 --components 4'),
        ('rows without elements', "--axis is '1'|axis 1 of hollow.npy|length 0|at least 1",
         'hollow.npy --axis 1'),
        ('an algorithm', "--axis is '1'|--algorithm|first or the last",
         'a.npy --axis 1 --algorithm lanes'),
        ('columns in chunks', "--axis is '0'|--chunk|rows and windows", 'a.npy --axis 0 --chunk 4'))
    refusals(2, 'reduce dot', ('other shapes', "--axis is '0'|a.npy and b.npy|shape",
                               'a.npy b.npy --axis 0'))
    for command in ('scan sum', 'sort', 'topk 1'):
        refusals(2, f'{command} a.npy -o x.npy',
                 ('the middle axis', f"--axis is '1'|a.npy|{command.split()[0]} needs the|last axis|"
                  'numpy.moveaxis(a, 1, -1)', '--axis 1'),
                 ('past the last', "--axis is '3'|from -3 to 2", '--axis 3'),
                 ('two options', '--axis and --segments', '--axis 2 --segments rows'))
    refusals(2, 'select a.npy --ranks 0 -o x.npy',
             ('the first axis', 'select needs the last axis|', '--axis 0'),
             ('columns', "'columns'|rows:LEN", '--segments columns'))
    refusals(2, 'sort a.npy -o x.npy',
             ('columns of another number', 'columns:7|24', '--segments columns:7'),
             ('columns in chunks', '--chunk|all data', '--axis 0 --chunk 4'))
    refusals(2, 'scan sum a.npy -o x.npy', ('with keys', '--by and --axis',
                                            '--axis 2 --by random:24'))


with runner_tools.workplace():
    test_reductions()
    if MISLED:
        test_words()
        test_elements()
        test_commands()
        test_operators()
        test_usage()
