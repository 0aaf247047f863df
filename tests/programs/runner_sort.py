#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command sort of the program vkreduce. Prints TAP."""
import math
import random
import struct

import png
import runner_tools
from runner_order import TYPES, items_order, shown, some_items, some_values, stable_order
from runner_tools import (DESCR, MISLED, Crc, array, answers, differences, npy, ok, pack, read,
                          refusals, says, write)


def check(name, command, kind, count, sorted_values, indices, **fields):
    """Both outputs of a sort."""
    answers((name, f'sort {command} -o out.npy --indices i.npy', {'count': count},
             {'files': {'out.npy': (kind, (count,), sorted_values),
                        'i.npy': ('u32', (count,), shown('u32', indices))}, **fields}))


def check_order(name, options, kind, values, order, **fields):
    array('in.npy', kind, values)
    check(name, f'in.npy {options}', kind, len(values), shown(kind, [values[i] for i in order]),
          order, **fields)


def test_types():
    """Both directions; equal elements keep their order, and NaN are ordered by their bytes."""
    for i, kind in enumerate(TYPES):
        for descending, nan_first in [(False, i == 3), (True, False), (i % 2, True)]:
            if nan_first and kind[0] != 'f' and i != 3:
                continue
            items = some_items(kind, 300, i)
            order = items_order(kind, items, descending, nan_first)
            npy('in.npy', b''.join(data for _, data in items), DESCR[kind], '(300,)')
            options = ' --descending' * descending + ' --nan-first' * nan_first
            check(kind, 'in.npy' + options, kind, 300,
                  b''.join(items[k][1] for k in order), order, type=kind)


def test_options():
    values = some_values('u32', 3000, 1)
    order = stable_order('u32', values)
    for options, algorithm in [('--count-on-gpu', 'auto'), ('--staging --repeat 2', 'auto'),
                               ('--algorithm three-pass', 'three-pass'),
                               ('--algorithm bitonic', 'bitonic'),
                               ('--algorithm onesweep', 'onesweep')]:
        check_order('the same', options, 'u32', values, order, algorithm=algorithm)
    check_order('one workgroup', '--algorithm one-workgroup', 'u32', values[:500],
                stable_order('u32', values[:500]), algorithm='one-workgroup')
    for kind, low, high, descending in [('u32', 4, 12, False), ('i16', 8, 16, False),
                                        ('i64', 60, 64, True), ('u8', 0, 1, True)]:
        some = some_values(kind, 400, low)
        bits = int(kind[1:])

        def key(i, some=some, kind=kind, bits=bits, low=low, high=high, descending=descending):
            flipped = some[i] % 2 ** bits ^ (2 ** (bits - 1) if kind[0] == 'i' else 0)
            return (flipped % 2 ** high >> low) * (-1 if descending else 1)

        check_order('some bits', f'--bits {low}:{high}' + ' --descending' * descending, kind, some,
                    sorted(range(400), key=key))
    array('none.npy', 'f32', [])
    check('nothing', 'none.npy', 'f32', 0, [], [])
    check_order('one element', '', 'i64', [-5], [0])
    write('records.bin', *(pack('i16', [0, x % 7, 9, 9]) for x in range(60)))
    order = sorted(range(60), key=lambda i: i % 7)
    check('fields of records', 'records.bin --type i16 --offset 2 --stride 8', 'i16', 60,
          [i % 7 for i in order], order)


def test_then():
    """Later keys decide among equal elements, each in its own order."""
    draw = random.Random(5)
    first = [draw.randrange(3) for _ in range(900)]
    second = [draw.randrange(-2, 3) for _ in range(900)]
    third = [draw.choice([0.0, -0.0, 1.5, -3.0]) for _ in range(900)]
    array('in.npy', 'u8', first)
    array('two.npy', 'i16', second)
    array('three.npy', 'f64', third)
    for options, key in [
            ('--then two.npy', lambda i: (first[i], second[i])),
            ('--then two.npy:descending --then three.npy:by-value',
             lambda i: (first[i], -second[i], third[i] + 0.0)),
            ('--descending --then three.npy --then two.npy', lambda i: (
                -first[i], third[i], math.copysign(1, third[i]), second[i]))]:
        order = sorted(range(900), key=key)
        check('several keys', f'in.npy {options}', 'u8', 900, pack('u8', [first[i] for i in order]),
              order)
        rows = [row + i for row in (0, 300, 600) for i in
                sorted(range(300), key=lambda i, row=row: key(row + i))]
        check('several keys in rows', f'in.npy --segments rows:300 {options}', 'u8', 900,
              pack('u8', [first[i] for i in rows]), [i % 300 for i in rows])
    array('short.npy', 'u8', first[1:])
    npy('pairs.npy', pack('u8', [0] * 1800), '|u1', '(900, 2)')
    refusals(2, 'sort in.npy -o o.npy',
             ('too few keys', 'short.npy|899|--then|900', '--then short.npy'),
             ('more keys than elements', 'pairs.npy|1800|--then', '--then pairs.npy'),
             ('too many', '--then is given 4 times|3', '--then two.npy ' * 4),
             ('chunks', '--chunk|with --then', '--then two.npy --chunk 1KiB'))


def test_outputs():
    values = some_values('f32', 90, 4)
    array('in.npy', 'f32', values)
    order = stable_order('f32', values)
    answers(
        ('only the elements', 'sort in.npy -o out.npy', {'count': 90},
         {'files': {'out.npy': ('f32', (90,), [values[i] for i in order])},
          'outputs': {'output': 'out.npy'}}),
        ('only the indices', 'sort in.npy --indices i.npy', {'count': 90},
         {'files': {'i.npy': ('u32', (90,), order)}, 'outputs': {'indices': 'i.npy'}}),
        ('a picture', 'sort data/camera.png -o out.npy', {'count': 262144},
         {'files': {'out.npy': ('u8', (262144,), Crc(0xb846f4ef))}}),
        ('random numbers', 'sort random:200000:7 --type u32 -o out.npy --indices i.npy',
         {'count': 200000},
         {'files': {'out.npy': ('u32', (200000,), Crc(0xafccd0f4)),
                    'i.npy': ('u32', (200000,), Crc(0x8b25658d))}}))


def test_payloads():
    """Entries of several sizes, which go where the keys go."""
    keys = some_values('u16', 700, 11)
    array('keys.npy', 'u16', keys)
    draw = random.Random(12)
    for descending in (False, True):
        order = stable_order('u16', keys, descending)
        rows, command = {}, 'sort keys.npy' + ' --descending' * descending
        for i, (kind, columns) in enumerate([('u8', 1), ('f32', 1), ('i64', 1), ('u8', 3),
                                             ('u16', 5), ('f32', 16), ('f64', 8), ('bf16', 1)]):
            size = columns * struct.calcsize(runner_tools.CODES.get(kind, 'H'))
            entries = [draw.randbytes(size) for _ in keys]
            npy(f'p{i}.npy', b''.join(entries), DESCR[kind],
                '(700,)' if columns == 1 else f'(700, {columns})')
            rows[f'q{i}.npy'] = (kind, (700,) if columns == 1 else (700, columns),
                                 b''.join(entries[k] for k in order))
            command += f' --payload p{i}.npy:q{i}.npy'
        answers(('payloads', command, {'count': 700}, {'files': rows}))
    array('starts.npy', 'u32', [0, 300, 301, 700])
    edges = [0, 300, 301, 700]
    order = [first + i for first, end in zip(edges, edges[1:])
             for i in stable_order('u16', keys[first:end])]
    array('values.npy', 'i32', range(700))
    write('pixels.png', png.encode(70, 10, png.RGB, bytes(i % 251 for i in range(2100))))
    for options in ('', '--count-on-gpu', '--staging --repeat 2'):
        answers(('in segments', 'sort keys.npy --segments offsets:starts.npy -o out.npy '
                 f'--payload values.npy:moved.npy --payload pixels.png:pixels.npy {options}',
                 {'count': 700},
                 {'files': {'moved.npy': ('i32', (700,), pack('i32', order)),
                            'pixels.npy': ('u8', (700, 3), bytes(
                                (3 * i + c) % 251 for i in order for c in range(3)))}}))
    array('none.npy', 'f32', [])
    array('one.npy', 'f32', [5])
    answers(('nothing', 'sort none.npy --payload none.npy:moved.npy', {'count': 0},
             {'files': {'moved.npy': ('f32', (0,), [])}}),
            ('one', 'sort one.npy --payload one.npy:moved.npy', {'count': 1},
             {'files': {'moved.npy': ('f32', (1,), [5.0])},
              'outputs': {'payload:one.npy': 'moved.npy'}}),
            ('random numbers', 'sort random:9000:1 --payload random:9000:1:moved.npy -o out.npy',
             {'count': 9000}))
    ok(read('moved.npy') == read('out.npy'), 'a payload that is the key')


def test_chunks():
    """Runs of 2 to 9 chunks, some of which are odd or short, become one; equal elements keep their
    order, also those of different runs."""
    for i, (kind, count, chunk, *directions) in enumerate([
            ('i16', 2000, 999, (False, False)), ('f32', 1000, 500, (False, True), (True, False)),
            ('u64', 1700, 1600, (True, False)), ('f16', 1100, 256, (False, False))]):
        for descending, nan_first in directions:
            items = some_items(kind, count, i)
            order = items_order(kind, items, descending, nan_first)
            npy('in.npy', b''.join(data for _, data in items), DESCR[kind], f'({count},)')
            options = ' --descending' * descending + ' --nan-first' * nan_first
            size = struct.calcsize(runner_tools.CODES.get(kind, 'H'))
            check(f'{kind} in chunks', f'in.npy --chunk {chunk}' + options, kind, count,
                  b''.join(items[k][1] for k in order), order, type=kind,
                  chunks=-(-count // (chunk // size)))
    keys = some_values('u16', 2500, 3)
    array('keys.npy', 'u16', keys)
    array('words.npy', 'u32', range(2500))
    npy('rows.npy', bytes(i * 7 % 251 for i in range(7500)), '|u1', '(2500, 3)')
    order = stable_order('u16', keys)
    rows = {'rows-moved.npy': ('u8', (2500, 3), bytes((3 * i + c) * 7 % 251 for i in order
                                                      for c in range(3))),
            'moved.npy': ('u32', (2500,), pack('u32', order))}
    moves = '--payload words.npy:moved.npy --payload rows.npy:rows-moved.npy'
    for options, files in (('--chunk 1024 --staging --repeat 2', {}),
                           ('--chunk 2048 -o out.npy --indices i.npy',
                            {'out.npy': ('u16', (2500,), pack('u16', [keys[i] for i in order])),
                             'i.npy': ('u32', (2500,), pack('u32', order))})):
        answers(('payloads in chunks', f'sort keys.npy {moves} {options}', {'count': 2500},
                 {'files': {**rows, **files}, 'chunks': 3 if files else 5}))
    answers(('a payload alone', 'sort keys.npy --payload words.npy:moved.npy --chunk 700',
             {'count': 2500}, {'files': {'moved.npy': rows['moved.npy']}, 'chunks': 8}))
    check_order('more than there is', '--chunk 1MiB', 'u16', keys, order, chunks=1)
    check_order('nothing in chunks', '--chunk 1KiB', 'u16', [], [])
    write('records.bin', *(pack('i16', [0, x % 7, 9, 9]) for x in range(600)))
    order = sorted(range(600), key=lambda i: i % 7)
    check('records in chunks', 'records.bin --type i16 --offset 2 --stride 8 --chunk 800', 'i16',
          600, shown('i16', [i % 7 for i in order]), order, chunks=6)


def test_segments():
    draw = random.Random(5)
    for kind in ('i32', 'f16'):
        values = some_values(kind, 1000, 6)
        starts = sorted({draw.randrange(1000) for _ in range(20)})
        array('starts.npy', 'u32', starts + [1000])
        array('none.npy', 'u64', [])
        array('in.npy', kind, values)
        for where, cuts in [('rows:37', range(0, 1000, 37)), ('offsets:starts.npy', starts),
                            ('offsets:none.npy', []), ('rows:1e6', [])]:
            edges = sorted({0, *cuts, 1000})
            indices = [stable_order(kind, values[first:end])
                       for first, end in zip(edges, edges[1:])]
            found = [values[first + i] for first, order in zip(edges, indices) for i in order]
            check('segments', f'in.npy --segments {where}', kind, 1000, shown(kind, found),
                  [i for order in indices for i in order])
    array('ten.npy', 'u8', [9, 3, 7, 1, 8, 2, 6, 0, 5, 4])
    answers(('rows that lie apart', 'sort ten.npy -o out.npy --indices i.npy '
             '--payload ten.npy:p.npy --segments rows:3:4', None,
             {'files': {'out.npy': ('u8', (10,), [3, 7, 9, 0, 2, 6, 8, 0, 4, 5]),
                        'i.npy': ('u32', (10,), [1, 2, 0, 0, 1, 2, 0, 0, 1, 0]),
                        'p.npy': ('u8', (10,), [3, 7, 9, 0, 2, 6, 8, 0, 4, 5])}}))


def test_usage():
    array('f32.npy', 'f32', [3, 1, 2])
    array('u8.npy', 'u8', [3, 1, 2])
    npy('pair.npy', pack('u32', [1, 2, 3, 4]), '<u4', '(2, 2)')
    array('falling.npy', 'u32', [2, 1])
    array('long.npy', 'u32', range(51), '(3, 17)')
    refusals(
        2, 'sort',
        ('no output', '-o OUT.npy|--indices OUT.npy', 'f32.npy'),
        ('two inputs', '2 operands', 'f32.npy u8.npy -o out.npy'),
        ('one name twice', 'x.npy|two outputs', 'f32.npy -o x.npy --indices x.npy'),
        ('no such file', 'missing.npy', 'missing.npy -o out.npy'),
        ('pairs', '--components|sort needs one value', 'pair.npy --components 2 -o out.npy'),
        ('a picture in colour', 'astronaut.png|3 channels', 'data/astronaut.png -o out.npy'),
        ('bits of floats', "--bits is '0:8'|f32.npy|f32", 'f32.npy -o out.npy --bits 0:8'),
        ('one bit', "--bits is '3'|LO:HI", 'u8.npy -o out.npy --bits 3'),
        ('bits backwards', "--bits is '4:4'|less than HI", 'u8.npy -o out.npy --bits 4:4'),
        ('bits past the end', "--bits is '0:9'|at most 8|u8", 'u8.npy -o out.npy --bits 0:9'),
        ('flags', "--segments is 'flags:u8.npy'|columns:LEN or offsets:FILE",
         'f32.npy -o out.npy --segments flags:u8.npy'),
        ('rows of nothing', "--segments is 'rows:0'|1", 'f32.npy -o out.npy --segments rows:0'),
        ('offsets that decrease', 'falling.npy|offset 1|decrease',
         'f32.npy -o out.npy --segments offsets:falling.npy'),
        ('chunks of segments', '--chunk|segments|all data at once',
         'f32.npy -o out.npy --chunk 1KiB --segments rows:2'),
        ('chunks of bits', "--bits is '0:8'|--chunk asks for chunks",
         'u8.npy -o out.npy --chunk 1KiB --bits 0:8'),
        ('chunks and a count', '--count-on-gpu|--chunk',
         'u8.npy -o out.npy --chunk 1 --count-on-gpu'),
        ('chunks that are too much', '--payload is given 8 times|--indices|at most 8',
         'u8.npy --chunk 1 --indices i.npy'
         + ''.join(f' --payload u8.npy:x{i}.npy' for i in range(8))),
        ('too much', 'too large|4000000000000 bytes', 'random:1e12 -o out.npy --segments rows:1e6'),
        ('too many to number', '--indices|1000000000000 elements|32 bits',
         'random:1e12 --indices out.npy'),
        ('too many to verify', '--verify|1000000000000 elements',
         'random:1e12 -o out.npy --verify'),
        ('too many for bits', "--bits is '0:8'|data of this size needs chunks",
         'random:1e12 --type u8 -o out.npy --bits 0:8'),
        ('an algorithm of scan', '--algorithm|three-pass',
         'f32.npy -o out.npy --algorithm=single-pass'),
        ('too many for one workgroup', '--algorithm is one-workgroup',
         'random:1e6 -o out.npy --algorithm=one-workgroup'),
        ('an option of topk', '--smallest', 'f32.npy -o out.npy --smallest'),
        ('a payload without an output', "--payload is 'u8.npy'|FILE:OUT",
         'f32.npy --payload u8.npy'),
        ('a payload without a name', "--payload is ':x.npy'|FILE:OUT", 'f32.npy --payload :x.npy'),
        ('a short payload', 'falling.npy|2 entries|3 elements',
         'f32.npy --payload falling.npy:x.npy'),
        ('a long row', 'long.npy|51 entries|64 bytes', 'f32.npy --payload long.npy:x.npy'),
        ('two payloads of one name', 'x.npy|--payload:f32.npy and --payload:u8.npy',
         'f32.npy --payload f32.npy:x.npy --payload u8.npy:x.npy'),
        ('a payload to the name of the output', 'x.npy|--output and --payload:u8.npy',
         'f32.npy -o x.npy --payload u8.npy:x.npy'),
        ('a missing payload', 'missing.npy', 'f32.npy --payload missing.npy:x.npy'),
        ('a payload that is too large', 'random:4e7|160000000 bytes|--indices',
         'random:4e7 --type u8 --payload random:4e7:x.npy --segments rows:1e6'),
        ('nine payloads', '--payload|more than 8',
         'f32.npy' + ' --payload u8.npy:x.npy' * 9))
    differences(('sorted element 0', 'sort f32.npy -o out.npy'),
                ('index 0', 'sort f32.npy --indices out.npy'),
                ('entry 0 of out.npy|element', 'sort f32.npy --payload u8.npy:out.npy'))
    says('for people', 'sort f32.npy -o out.npy --indices i.npy --verify',
         'output   out.npy: 3 x 1 f32\n', 'indices  i.npy: 3 x 1 u32\n', 'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_then()
        test_outputs()
        test_payloads()
        test_chunks()
        test_segments()
        test_usage()
