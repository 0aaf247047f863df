#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce on segments, tiles and columns. Prints TAP."""
import json

import runner_tools
from runner_tools import (MISLED, PROGRAM, Crc, answer, answers, array, call, differences, npy,
                          ok, pack, refusals, says)

# 12 numbers, and the results of each operator for their rows, columns, windows and offsets.
VALUES = [4, -7, 9, 0, 3, 3, -8, 5, 6, -1, 2, 7]
SEGMENTS = {
    'rows:4': {'sum': [6, 3, 14], 'min': [-7, -8, -1], 'max': [9, 5, 7], 'argmin': [1, 2, 1],
               'argmax': [2, 3, 3], 'count': [4, 4, 4]},
    'rows:5': {'sum': [9, 5, 9], 'min': [-7, -8, 2], 'max': [9, 6, 7], 'argmin': [1, 1, 0],
               'argmax': [2, 3, 1], 'count': [5, 5, 2]},
    'rows:2:5': {'sum': [-3, -5, 9], 'min': [-7, -8, 2], 'max': [4, 3, 7], 'argmin': [1, 1, 0],
                 'argmax': [0, 0, 1], 'count': [2, 2, 2]},
    'columns:3': {'sum': [-5, 3, 25], 'min': [-8, -7, 3], 'max': [4, 5, 9], 'argmin': [2, 0, 1],
                  'argmax': [0, 2, 0], 'count': [4, 4, 4]},
    'windows:10': {'sum': [14, 12, 26], 'min': [-8, -8, -8], 'max': [9, 9, 9], 'argmin': [6, 5, 4],
                   'argmax': [2, 1, 0], 'count': [10, 10, 10]},
    'offsets:offsets.npy': {
        'sum': [0, 4, 0, 5, 14], 'min': [2**31 - 1, 4, 2**31 - 1, -8, -1],
        'max': [-2**31, 4, -2**31, 9, 7], 'argmin': [None, 0, None, 5, 1],
        'argmax': [None, 0, None, 1, 3], 'count': [0, 1, 0, 7, 4]}}


def test_everywhere():
    answer('rows of floats', 'reduce max,argmin data/chelsea-luma.npy --segments rows:451',
           {'max': Crc(0xd4a22d5a), 'argmin': Crc(0xc1c5b2e4)}, count=300 * 451)
    if runner_tools.is_lacking(PROGRAM, 'storageBuffer8BitAccess'):
        refusals(2, 'reduce', ('bytes are lacking', 'u8|storageBuffer8BitAccess',
                               'sum data/camera.png --segments rows:512'))
    else:
        answer('columns of a picture',
               'reduce sum,argmax data/astronaut.png --segments columns:512',
               {'sum': Crc(0xc8b4fcc6), 'argmax': Crc(0x0ee0d7d9)}, channels=3)


def test_kinds():
    array('values.npy', 'i32', VALUES)
    array('offsets.npy', 'u32', [0, 0, 1, 1, 8, 12])
    array('special.npy', 'f32', [float('nan')] * 2 + [1, float('nan'), float('-inf'), 2])
    array('zeros.npy', 'i64', [0, 0, 6, 6])
    array('part.npy', 'u64', [1, 2])
    array('one.npy', 'u32', [0])
    array('nothing.npy', 'i32', [])
    array('big.npy', 'i32', [2**31 - 1] * 6)
    for where, result in SEGMENTS.items():
        algorithm = {'rows': 'lanes', 'columns': 'merge', 'windows': 'groups',
                     'offsets': 'split'}[where.split(':')[0]]
        answer('each operator', f'reduce sum,min,max,argmin,argmax,count values.npy --segments '
               f'{where}', result, algorithm='auto')
        answer('an algorithm', f'reduce sum,argmax values.npy --segments {where} --algorithm '
               f'{algorithm} --count-on-gpu --staging --repeat 2',
               {'sum': result['sum'], 'argmax': result['argmax']}, algorithm=algorithm)
    answers(
        ('an offset and a stride',
         'reduce sum values.npy --segments columns:2 --offset 4 --stride 12', {'sum': [-2, 5]}),
        ('windows of 3 components',
         'reduce sum,argmax values.npy --segments windows:3 --components 3',
         {'sum': [[-4, 1, 18], [-9, 10, 16]], 'argmax': [[0, 2, 0], [0, 1, 2]]}, {'channels': 3}),
        ('dot', 'reduce dot values.npy values.npy --segments columns:6', {
            'dot': [80, 74, 117, 1, 13, 58]}),
        ('32 bits of sums', 'reduce sum big.npy --segments rows:3 --accumulator i32',
         {'sum': [2**31 - 3] * 2}),
        ('64 bits of sums', 'reduce sum big.npy --segments rows:3', {'sum': [3 * 2**31 - 3] * 2}),
        ('NaN is ignored', 'reduce min,argmin special.npy --segments rows:2',
         {'min': ['nan', 1, '-inf'], 'argmin': [None, 0, 0]}),
        ('NaN propagates', 'reduce min,argmin special.npy --segments rows:2 --nan propagate',
         {'min': ['nan', 'nan', '-inf'], 'argmin': [0, 1, 0]}),
        ('empty segments',
         'reduce min,max,mean,argmax,sum special.npy --segments offsets:zeros.npy',
         {'min': ['inf', '-inf', 'inf'], 'max': ['-inf', 2, '-inf'], 'mean': ['nan', 'nan', 'nan'],
          'argmax': [None, 5, None], 'sum': [0, 'nan', 0]}),
        ('a part', 'reduce sum values.npy --segments offsets:part.npy', {'sum': [-7]}),
        ('no segment', 'reduce sum nothing.npy --segments offsets:one.npy', {'sum': []}),
        ('windows longer than the data', 'reduce sum values.npy --segments windows:13',
         {'sum': []}),
        ('columns of nothing', 'reduce max,count nothing.npy --segments columns:2 --count-on-gpu',
         {'max': [-2**31] * 2, 'count': [0, 0]}),
        ('sums of floats at level device',
         'reduce sum,l2 random:10000 --segments columns:2 --determinism device',
         {'sum': [2488.247802734375, 2459.07958984375],
          'l2': [40.66413497924805, 40.35886764526367]}))


def test_tiles():
    npy('grid.npy', pack('i32', VALUES), '<i4', '(3, 4)')
    npy('odd.npy', pack('i32', range(36)), '<i4', '(4, 9)')
    answers(
        ('of a picture', 'reduce min,max,sum,argmax data/astronaut.png --tiles 100x37 --as-image',
         {'min': Crc(0x08994328), 'max': Crc(0x80cf62b9), 'sum': Crc(0x045bdec9),
          'argmax': Crc(0x96a847c9)}),
        ('of an array', 'reduce sum,argmin grid.npy --tiles 3x2', {
            'sum': [4, 5, 7, 7], 'argmin': [5, 0, 1, 0]}),
        ('of pairs', 'reduce sum grid.npy --components 2 --tiles 1x5',
         {'sum': [[13, -5], [3, 12]]}))
    refusals(
        2, 'reduce sum',
        ('tiles without rows', 'two-dimensional', 'random:100 --tiles=5x5'),
        ('tiles and segments', 'tiles|segments', 'grid.npy --tiles=5x5 --segments=rows:5'),
        ('tiles of one number', "'5'|WxH", 'grid.npy --tiles=5'),
        ('tiles of no rows', "'5x0'|WxH", 'grid.npy --tiles=5x0'),
        ('elements that cross rows', 'whole elements', 'odd.npy --tiles=5x5 --components=2'),
        ('tiles in chunks', "--tiles|'5x5'|--chunk", 'grid.npy --tiles=5x5 --chunk=1'))


def test_chunks():
    answers(
        ('rows in chunks',
         'reduce sum,argmax random:100000:3 --type i32 --segments rows:1000 --chunk 1',
         {'sum': Crc(0x1af4a6bd), 'argmax': Crc(0x54e14f98)}, {'chunks': 100}),
        ('rows that lie apart in chunks', 'reduce sum values.npy --segments rows:2:5 --chunk 1',
         {'sum': [-3, -5, 9]}, {'chunks': 3}),
        ('windows in chunks',
         'reduce sum,argmax random:100000:3 --type i32 --segments windows:99990 --chunk 20',
         {'sum': Crc(0xc434208d), 'argmax': [*range(38769, 38758, -1)]}, {'chunks': 3}),
        ('dot in chunks', 'reduce dot random:9000 random:9000:1 --type u32 --segments rows:9 '
         '--chunk 3600 --staging --repeat 2', {'dot': Crc(0x779e143e)}, {'chunks': 10}),
        ('nothing in chunks', 'reduce sum random:3 --segments windows:5 --chunk 1', {'sum': []},
         {'chunks': 1}))


def test_usage():
    array('ten.npy', 'i32', range(10))
    for name, kind, values in [('down', 'u32', [0, 4, 3, 10]), ('past', 'u64', [0, 4, 11]),
                               ('negative', 'i32', [0, -5, 10]), ('negative64', 'i64', [-1, 10]),
                               ('floats', 'f32', [0, 10]), ('bytes', 'u8', [0, 10]),
                               ('none', 'u32', [])]:
        array(f'{name}.npy', kind, values)
    refusals(
        2, 'reduce sum ten.npy --segments',
        ('no such kind', "'flags:x'|rows:LEN:PITCH, columns:LEN, windows:LEN", 'flags:x'),
        ('no kind', "''|offsets:FILE", "''"),
        ('no length', 'rows:LEN|from 1 to 18446744073709551615', 'rows:'),
        ('a length of 0', 'windows:LEN|from 1 to', 'windows:0'),
        ('a length that is not a number', 'columns:LEN|from 1 to', 'columns:x'),
        ('a length past 64 bits', 'rows:LEN|from 1 to 18446744073709551615',
         'rows:18446744073709551616'),
        ('no pitch', "'rows:3:'|PITCH|from 3", 'rows:3:'),
        ('rows that overlap', "'rows:3:2'|PITCH|from 3", 'rows:3:2'),
        ('columns that do not fit', "'columns:20'|elements, 10|multiple", 'columns:20'),
        ('no such file', 'gone.npy|No such file', 'offsets:gone.npy'),
        ('offsets that decrease', 'offset 2 is 3|before 4', 'offsets:down.npy'),
        ('an offset past the end', 'offset 2 is 11|at most 10', 'offsets:past.npy'),
        ('a negative offset', 'offset 1 is negative', 'offsets:negative.npy'),
        ('of 64 bits', 'offset 0 is negative', 'offsets:negative64.npy'),
        ('offsets of floats', 'f32|integers of 32 or 64 bits', 'offsets:floats.npy'),
        ('offsets of bytes', 'u8|integers of 32 or 64 bits', 'offsets:bytes.npy'),
        ('no offsets', 'none.npy|empty|k + 1', 'offsets:none.npy'),
        ('an algorithm of the whole', 'tree|segments', 'rows:5 --algorithm=tree'),
        ('the count from the GPU of chunks', '--count-on-gpu|--chunk',
         'rows:5 --count-on-gpu --chunk=1'),
        ('columns in chunks', "'columns:5'|--chunk|rows and windows", 'columns:5 --chunk=1'),
        ('offsets in chunks', '--chunk|rows and windows', 'offsets:one.npy --chunk=1'))
    refusals(
        2, 'reduce sum',
        ('an algorithm of segments', 'lanes|segments', 'ten.npy --algorithm=lanes'),
        ('columns of what does not fit', 'this size|rows and windows',
         'random:1000000000000 --segments=columns:10'),
        ('a row of what does not fit', 'rows:1000000000000|one segment needs 4000000000000 bytes',
         'random:1000000000000 --segments=rows:1000000000000'))
    differences(*(('sum of channel 0 of segment 0', f'reduce sum values.npy --segments {where}')
                  for where in SEGMENTS))
    code, out, _ = call(MISLED, *'reduce sum random:1000 --segments rows:10 --chunk 40 --verify '
                        '--json'.split())
    ok(code == 3 and json.loads(out)['verified'] is False, 'and in chunks', out)


def test_table():
    array('steps.npy', 'i32', range(60))
    out = says('a table', 'reduce sum,argmax steps.npy --segments=rows:20 --verify',
               'segments 3 by rows:20\nsegment   sum  argmax\n0         190      19\n'
               '1         590      19\n2         990      19\ntime', 'verified yes\n')
    out = says('of many the first and the last', 'reduce max steps.npy --segments=windows:1')
    lines = out.split('\n')[3:26]
    ok([line.split()[0] for line in lines] ==
       ['segment', *map(str, range(10)), '..', *map(str, range(50, 60)), 'time'] and
       lines[-2].split()[1] == '59', 'ten of each', out)
    out = says('of 20 all', 'reduce max random:20 --segments=columns:10 --components=2', '\n9 ',
               ' max[0] ', 'max[1]')
    ok('..' not in out, 'and no dots', out)


with runner_tools.workplace():
    test_everywhere()
    if MISLED:
        test_kinds()
        test_tiles()
        test_chunks()
        test_usage()
        test_table()
