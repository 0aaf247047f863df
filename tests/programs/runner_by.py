#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests reductions and scans by key of the program vkreduce: by groups (--by) and by runs (--runs).
Prints TAP."""
import itertools
import json
import math
import random
import shlex
import struct

import png
import runner_tools
from runner_order import NANS, TYPES, order_key, shown
from runner_tools import (CODES, DESCR, MISLED, PROGRAM, answers, array, call, differences, npy, ok,
                          pack, refusals, says, write)

NAN = float('nan')


def draw_keys(kind, count, seed):
    """Runs of keys, of 1 to 40 elements: as bytes, by element."""
    draw = random.Random(seed)
    keys = []
    while len(keys) < count:
        key = pack(kind, [draw.randrange(5)])
        if kind[0] == 'i':
            key = pack(kind, [draw.randrange(-3, 4)])
        if kind[0] == 'f':
            nans = [bits.to_bytes(len(key), 'little') for bits in NANS[kind]]
            key = draw.choice([key, pack(kind, [0.0]), pack(kind, [-0.0]), pack(kind, [-1.5]),
                               *nans])
        keys += [key] * draw.choice([1, 1, 2, draw.randrange(40)])
    return keys[:count]


def value_of(kind, key):
    return struct.unpack('<' + CODES[kind], key)[0]


def runs_of(keys):
    """Each run as a key and its elements' indices."""
    return [(key, [i for i, _ in group])
            for key, group in itertools.groupby(enumerate(keys), key=lambda pair: pair[1])]


def groups_of(kind, keys):
    """The same for groups, in the order of a sort."""
    groups = {}
    for i, key in enumerate(keys):
        groups.setdefault(key, []).append(i)
    return sorted(groups.items(), key=lambda pair: order_key(kind, value_of(kind, pair[0]),
                                                             data=pair[0]))


def parts_of(how, kind, keys):
    return groups_of(kind, keys) if how == 'by' else runs_of(keys)


def store_keys(kind, keys, name='keys.npy'):
    npy(name, b''.join(keys), DESCR[kind], f'({len(keys)},)')


def json_key(kind, key):
    value = value_of(kind, key)
    return ('nan' if value != value else f'{value:.0f}' if value in (math.inf, -math.inf)
            else value)


def check(name, how, kind, values, keys, options='', **fields):
    """A sum, a maximum and its place of i32, for each run or group."""
    array('in.npy', 'i32', values)
    store_keys(kind, keys)
    parts = parts_of(how, kind, keys)
    sums = [sum(values[i] for i in part) for _, part in parts]
    most = [max(values[i] for i in part) for _, part in parts]
    places = [max(part, key=lambda i: (values[i], -i)) - (0 if how == 'by' else part[0])
              for _, part in parts]
    rows = b''.join(struct.pack('<qiI', *row) for row in zip(sums, most, places))
    codes = list(itertools.chain.from_iterable(zip(sums, most, places)))
    unique = b''.join(key for key, _ in parts)
    if len(parts) <= 100:
        unique = list(struct.unpack(f'<{len(parts)}{CODES[kind]}', unique))
    answers((name, f'reduce sum,max,argmax in.npy --{how} keys.npy -o out.npy --keys k.npy '
             f'--counts c.npy {options}',
             {'keys': [json_key(kind, key) for key, _ in parts], 'sum': sums, 'max': most,
              'argmax': places},
             {'files': {'out.npy': ((('sum', 'i64'), ('max', 'i32'), ('argmax', 'u32')),
                                    (len(parts),), rows if len(parts) > 100 else codes),
                        'k.npy': (kind, (len(parts),), unique),
                        'c.npy': ('u32', (len(parts),),
                                  shown('u32', [len(part) for _, part in parts]))},
              **fields}))


def check_scan(name, how, kind, values, keys, options='', **fields):
    """Prefix sums of i32 in each run or group, in the order of the input."""
    array('in.npy', 'i32', values)
    store_keys(kind, keys)
    reverse, exclusive = '--reverse' in options, '--exclusive' in options
    found = [0] * len(values)
    for _, part in parts_of(how, kind, keys):
        total = 0
        for i in reversed(part) if reverse else part:
            found[i] = total if exclusive else total + values[i]
            total += values[i]
    answers((name, f'scan sum in.npy --{how} keys.npy -o out.npy {options}', None,
             {'files': {'out.npy': ('i32', (len(values),), shown('i32', found))}, **fields}))


def test_types():
    """Keys of every type, whose bits count: 0 and -0 differ, and NaN of equal bits are equal."""
    draw = random.Random(1)
    values = [draw.randrange(-1000, 1000) for _ in range(900)]
    for i, kind in enumerate(TYPES):
        keys = draw_keys(kind, 900, i)
        for how in ('by', 'runs'):
            check(kind, how, kind, values, keys)
            if i % 4 == 0 or kind == 'f32':
                check_scan(kind, how, kind, values, keys)
    for kind, edges in [('i64', [-2**63, 2**63 - 1, -1, 0, 2**32]), ('u64', [2**64 - 1, 0, 2**32]),
                        ('i32', [-2**31, 2**31 - 1, 0, -1]), ('u8', [255, 0, 128])]:
        draw = random.Random(kind)
        keys = [pack(kind, [draw.choice(edges)]) for _ in range(777)]
        check('the ends of a type', 'by', kind, values[:777], keys)
    every = [bits.to_bytes(2, 'little') for bits in range(65536)]
    draw.shuffle(every)
    check('every half', 'by', 'f16', [7] * 65536, every)
    bits = [0x7f80, 0xff80, 0x7f81, 0xffc0, 0x7fc0, 0x3f80, 0x8000, 0, 0xbf80, 0x7fc0, 0x7f81]
    npy('keys.npy', struct.pack(f'<{len(bits)}H', *bits), '<V2', f'({len(bits)},)')
    array('in.npy', 'u8', list(range(len(bits))))
    answers(('bf16', 'reduce sum in.npy --by keys.npy --keys k.npy',
             {'keys': ['-inf', -1, -0.0, 0, 1, 'inf', 'nan', 'nan', 'nan'],
              'sum': [1, 8, 6, 7, 5, 0, 2 + 10, 4 + 9, 3]},
             {'files': {'k.npy': ('bf16', (9,), struct.pack(
                 '<9H', 0xff80, 0xbf80, 0x8000, 0, 0x3f80, 0x7f80, 0x7f81, 0x7fc0, 0xffc0))}}))


def test_options():
    draw = random.Random(2)
    values = [draw.randrange(-1000, 1000) for _ in range(150000)]
    keys = draw_keys('u32', 150000, 3)
    for how in ('by', 'runs'):
        for options in ('', '--count-on-gpu', '--staging --repeat 2'):
            check('the same', how, 'u32', values[:5000], keys[:5000], options)
        check('one key', how, 'u8', values[:3000], [b'\7'] * 3000, '--staging')
        check('keys of one element', how, 'u16', values[:600],
              [pack('u16', [i]) for i in range(600)])
        check('one element', how, 'i16', [-5], [pack('i16', [-3])])
        check('nothing', how, 'u16', [], [])
        check_scan('nothing', how, 'u16', [], [])
    for options in ('--count-on-gpu', '--exclusive --staging', '--reverse',
                    '--reverse --exclusive --repeat 2'):
        check_scan('the same', 'by', 'u32', values, keys, options)
    for options, chunks in [('--count-on-gpu', None), ('--exclusive --staging', None),
                            ('--reverse', None), ('--chunk 256KiB --exclusive', 3),
                            ('--chunk 256KiB --reverse', 3)]:
        check_scan('the same', 'runs', 'u32', values, keys, options, chunks=chunks)
    check_scan('one run in chunks', 'runs', 'u8', values, [b'\7'] * 150000, '--chunk 256KiB',
               chunks=3)
    many = [pack('u32', [i * 40503 % 100003]) for i in range(150000)]
    check('more than 2^16 groups', 'by', 'u32', values, many)
    check_scan('more than 2^16 groups', 'by', 'u32', values, many)


def test_elements():
    """Elements of several kinds, which move to their group."""
    array('pairs.npy', 'f32', [1, 2, 3, 4, 5, 6, 7, 8])
    array('three.npy', 'u8', [4, 4, 1, 4])
    array('keys.npy', 'i8', [4, -4, -4, 4])
    write('records.bin', *(pack('u16', [9, 10 * i, i, 9, 9]) for i in range(4)))
    write('colours.png', png.encode(4, 1, png.RGB, bytes([1, 2, 3, 1, 2, 3, 1, 2, 4, 1, 2, 3])))
    answers(
        ('two channels', 'reduce max,argmin pairs.npy --components 2 --runs three.npy -o out.npy '
         '--counts c.npy', {'keys': [4, 1, 4], 'max': [[3, 4], [5, 6], [7, 8]],
                            'argmin': [[0, 0], [0, 0], [0, 0]]},
         {'files': {'c.npy': ('u32', (3,), [2, 1, 1])}}),
        ('two channels', 'reduce max,argmax pairs.npy --components 2 --by keys.npy',
         {'keys': [-4, 4], 'max': [[5, 6], [7, 8]], 'argmax': [[2, 2], [3, 3]]}),
        ('fields of records', 'reduce sum,argmax records.bin --type u16 --offset 2 --stride 10 '
         '--components 2 --by keys.npy',
         {'keys': [-4, 4], 'sum': [[30, 3], [30, 3]], 'argmax': [[2, 2], [3, 3]]}),
        ('a scan of them', 'scan sum records.bin --type u16 --offset 2 --stride 10 --components 2 '
         '--by keys.npy -o out.npy', None,
         {'files': {'out.npy': ('u32', (4, 2), [0, 0, 10, 1, 30, 3, 30, 3])}}),
        ('small results', 'scan max three.npy --by keys.npy -o out.npy', None,
         {'files': {'out.npy': ('u8', (4,), [4, 4, 4, 4])}}),
        ('keys that are a picture', 'reduce count random:262144 --runs data/camera.png', None,
         {'outputs': {}}),
        ('a picture by itself', 'reduce count,argmin data/camera.png --by data/camera.png', None,
         {'outputs': {}}),
        ('keys of three values', 'reduce sum three.npy --runs colours.png --keys k.npy',
         {'keys': [[1, 2, 3], [1, 2, 4], [1, 2, 3]], 'sum': [8, 1, 4]},
         {'files': {'k.npy': ('u8', (3, 3), [1, 2, 3, 1, 2, 4, 1, 2, 3])}}),
        ('dot', 'reduce dot three.npy three.npy --by keys.npy',
         {'keys': [-4, 4], 'dot': [17, 32]}),
        ('luminance', 'reduce max pairs.npy --components 2 --by keys.npy --map luminance',
         {'keys': [-4, 4], 'max': [5, 7]}),
        ('only NaN', 'reduce argmin,min random:0 --by random:0', {'keys': [], 'argmin': [],
                                                                  'min': []}))
    array('nan.npy', 'f32', [NAN, 3, NAN, 2])
    answers(('no place', 'reduce argmin,nan nan.npy --by three.npy',
             {'keys': [1, 4], 'argmin': [None, 3], 'nan': [1, 1]}),
            ('a float sum', 'reduce sum,mean,stddev random:70001:3 --by random:70001:4 '
             '--determinism device', None, {'count': 70001}))


def text(name, *lines):
    return write(name, '\n'.join(lines).encode() + b'\n')


def test_functions():
    """Functions see the index in the input, or are refused."""
    text('count.glsl', 'uint map(E x, uint i) { return i; }')
    text('ends.glsl', 'struct State { uint first, last, count; };',
         'State lift(E x, uint i) { return State(uint(x), uint(x), 1u); }',
         'State identity() { return State(0u, 0u, 0u); }',
         'State combine(State a, State b)',
         '{ return a.count == 0u ? b : b.count == 0u ? a : State(a.first, b.last, a.count + '
         'b.count); }')
    text('index.glsl', '#define State uint', 'State lift(E x, uint i) { return i; }',
         'State identity() { return 0u; }', 'State combine(State a, State b) { return max(a, b); }')
    if call(PROGRAM, *'reduce max random:4 --map count.glsl'.split())[0] != 0:
        return # built without the compiler
    draw = random.Random(5)
    values = [draw.randrange(9) for _ in range(3000)]
    keys = draw_keys('i16', 3000, 6)
    array('values.npy', 'u8', values)
    store_keys('i16', keys)
    groups = groups_of('i16', keys)
    answers(('a map', 'reduce min,max values.npy --map count.glsl --by keys.npy',
             {'keys': [json_key('i16', key) for key, _ in groups],
              'min': [part[0] for _, part in groups], 'max': [part[-1] for _, part in groups]}))
    for command, result in [
            ('reduce --operator ends.glsl values.npy --by keys.npy',
             {'keys': [json_key('i16', key) for key, _ in groups],
              'state': [[values[part[0]], values[part[-1]], len(part)] for _, part in groups]}),
            ('scan --operator ends.glsl values.npy --by keys.npy -o out.npy',
             {'type': 'u32', 'total': [values[groups[-1][1][0]], values[groups[-1][1][-1]],
                                       len(groups[-1][1])]})]:
        code, out, err = call(PROGRAM, *shlex.split(command), '--verify', '--json')
        found = json.loads(out) if code == 0 else {}
        ok(code == 0 and found['result'] == result and found['verified'] is True,
           f'an operator: {command}', f'{code} {out[:400]} {err}')
    right = [0] * 3000
    for _, part in groups:
        for k, i in enumerate(part):
            right[i] = (values[part[0]], values[i], k + 1)
    found = runner_tools.load_npy('out.npy')
    ok(found == ('u32', (3000, 3), pack('u32', list(itertools.chain.from_iterable(right)))),
       'its file', found[:2])
    refusals(2, '', *(('an index', 'index.glsl: lift reads the index|--runs',
                       f'{command} --operator index.glsl values.npy --by keys.npy{more}')
                      for command, more in [('reduce', ''), ('scan', ' -o out.npy')]))


def test_usage():
    array('three.npy', 'u32', [1, 2, 3])
    array('two.npy', 'u32', [1, 2])
    refusals(
        2, '',
        ('too few keys', 'two.npy|2 keys|--by|3 elements', 'reduce sum three.npy --by two.npy'),
        ('too few keys', 'two.npy|2 keys|--runs|3 elements',
         'scan sum three.npy --runs two.npy -o out.npy'),
        ('no such file', 'missing.npy', 'reduce sum three.npy --by missing.npy'),
        ('no keys', '--keys needs --by or --runs', 'reduce sum three.npy --keys out.npy'),
        ('no keys', '--counts needs --by or --runs', 'reduce sum three.npy --counts out.npy'),
        ('both', '--by and --runs', 'reduce sum three.npy --by three.npy --runs three.npy'),
        ('both', '--by and --runs', 'scan sum three.npy --by three.npy --runs three.npy -o o.npy'),
        ('segments too', '--by and --segments',
         'reduce sum three.npy --by three.npy --segments rows:1'),
        ('tiles too', '--runs and --tiles', 'reduce sum three.npy --runs three.npy --tiles 1x1'),
        ('segments too', '--runs and --segments',
         'scan sum three.npy --runs three.npy -o out.npy --segments rows:1'),
        ('chunks', "--by is 'three.npy'|--chunk",
         'reduce sum three.npy --by three.npy --chunk 1KiB'),
        ('chunks', "--runs is 'three.npy'|--chunk",
         'reduce sum three.npy --runs three.npy --chunk 1KiB'),
        ('chunks', "--by is 'three.npy'|--chunk asks|--runs",
         'scan sum three.npy --by three.npy -o out.npy --chunk 1KiB'),
        ('keys of three values', 'astronaut.png|3 components|--runs',
         'reduce count random:262144 --by data/astronaut.png'),
        ('an image', '--as-image|--runs',
         'reduce sum data/camera.png --as-image --by data/camera.png'),
        ('more than a descriptor reaches', "--by is 'random:2e7:1'|20000000 elements of 8|--runs",
         'reduce sum random:2e7 --type f64 --by random:2e7:1'),
        ('one name twice', 'x.npy|--output and --keys',
         'reduce sum three.npy --by three.npy -o x.npy --keys x.npy'),
        ('one name twice', 'x.npy|--keys and --counts',
         'reduce sum three.npy --by three.npy --keys x.npy --counts x.npy'),
        ('an option of reduce', '--counts', 'scan sum three.npy --by three.npy --counts out.npy'))
    differences(('the number of elements of run 2 is 1|gives 0',
                 'reduce sum three.npy --runs three.npy -o out.npy'),
                ('the key of group 0 is 1|gives 2', 'reduce sum three.npy --by three.npy'),
                ('element', 'scan sum three.npy --by three.npy -o out.npy'),
                ('element 2 of sum|gives 2', 'scan sum three.npy --runs three.npy -o out.npy'))
    says('for people', 'reduce sum,max three.npy --runs three.npy --verify',
         'runs     3 by three.npy\n', '\nkey       sum  max\n1           1    1\n',
         'verified yes\n')
    array('keys.npy', 'f32', [0.0, -0.0, 0.0])
    says('for people', 'reduce sum three.npy --by keys.npy', 'groups   2 by keys.npy\n',
         '\nkey       sum\n-0.0        2\n0           4\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_elements()
        test_functions()
        test_usage()
