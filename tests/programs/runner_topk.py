#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command topk of the program vkreduce. Prints TAP."""
import runner_tools
from runner_order import TYPES, items_order, shown, some_items, some_values, stable_order
from runner_tools import (DESCR, MISLED, array, answers, differences, npy, ok, pack,
                          refusals, run, says)

NAN, INF = float('nan'), float('inf')


def plain(values):
    """Values as JSON has them."""
    return [{'inf': 'inf', '-inf': '-inf', 'nan': 'nan'}.get(str(x), x) for x in values]


def extreme(kind, greatest):
    """The value that comes after all others."""
    if kind[0] in 'bf':
        return INF if greatest else -INF
    bits = int(kind[1:]) - (kind[0] == 'i')
    return 2**bits - 1 if greatest else -2**bits if kind[0] == 'i' else 0


def check(name, k, options, kind, values, smallest=False, rows=None, pitch=None, **fields):
    array('in.npy', kind, values)
    row = rows or len(values)
    starts = range(0, len(values), pitch or row)
    orders = [stable_order(kind, values[first:first + row], not smallest)[:k] for first in starts]
    found = [[values[first + i] for i in order] for first, order in zip(starts, orders)]
    shape = (len(orders), len(orders[0])) if rows else (len(orders[0]),)
    command = (f'topk {k} in.npy -o out.npy --indices i.npy {options}' + ' --smallest' * smallest +
               (f' --segments rows:{rows}' if rows else '') + (f':{pitch}' if pitch else ''))
    result = {'found': len(orders[0])}
    if k <= 64:
        values_of = [plain(part) for part in found]
        result['values'] = values_of if rows else values_of[0]
    lacking = len(orders[0]) - len(orders[-1])  # in the last row
    flat = [x for part in found for x in part] + lacking * [extreme(kind, smallest)]
    indices = [i for order in orders for i in order] + lacking * [2**32 - 1]
    answers((name, command, result,
             {'files': {'out.npy': (kind, shape, shown(kind, flat)),
                        'i.npy': ('u32', shape, shown('u32', indices))},
              'type': kind, **fields}))


def test_types():
    """Both directions; NaN are ordered by their bytes, and of equal elements the first ones are
    found."""
    for i, kind in enumerate(TYPES):
        for smallest in (False, True):
            items = some_items(kind, 150, i)
            order = items_order(kind, items, not smallest)[:140]
            npy('in.npy', b''.join(data for _, data in items), DESCR[kind], '(150,)')
            answers((kind, 'topk 140 in.npy -o out.npy --indices i.npy' + ' --smallest' * smallest,
                     {'found': 140},
                     {'files': {'out.npy': (kind, (140,), b''.join(items[k][1] for k in order)),
                                'i.npy': ('u32', (140,), pack('u32', order))}, 'type': kind}))


def test_options():
    values = some_values('u8', 5000, 1)
    floats = some_values('f32', 5000, 2)
    for options, chunks in [('--count-on-gpu', None), ('--staging --repeat 2', None),
                            ('--chunk 1KiB', 5), ('--chunk 2000', 5)]:
        check('the same', 10, options, 'u8', values, chunks=chunks)
    for k, chunks in [(1, None), (64, None), (65, None), (1000, None), (4990, None), (3000, 5), (4990, 5)]:
        check('some', k, '--chunk 4KiB' if chunks else '', 'f32', floats, smallest=k == 65,
              chunks=chunks)
    check('fewer than K', 60, '', 'i16', [3, -1, 3])
    check('fewer than K in each chunk', 1500, '--chunk 4KiB', 'i32', some_values('i32', 2000, 3),
          chunks=2)
    check('numbers before NaN', 3, '', 'f64', [NAN, -INF, NAN, 1.0])
    array('none.npy', 'f32', [])
    answers(('nothing', 'topk 5 none.npy -o out.npy', {'found': 0, 'values': []},
             {'files': {'out.npy': ('f32', (0,), [])}}),
            ('no file', 'topk 1 data/camera.png', {'found': 1, 'values': [255]}, {'outputs': {}}))
    greatest = run('topk 65536 random:70000 --type f32 -o out.npy')
    ok(greatest is not None and greatest['result'] == {'found': 65536}, 'the maximum of K')


def test_segments():
    values = some_values('f16', 1200, 4)
    for rows, k, options, chunks in [
            (40, 3, '', None), (40, 100, '', None), (400, 66, '--count-on-gpu', None),
            (1, 1, '', None), (40, 3, '--chunk 800', 3), (1200, 7, '', None)]:
        check('rows', k, options, 'f16', values, rows=rows, chunks=chunks)
    for rows, pitch, k, options, chunks in [
            (40, 48, 3, '', None), (40, 41, 60, '--count-on-gpu', None), (7, 7, 2, '', None),
            (40, 2**64 - 1, 5, '', None), (30, 50, 4, '--chunk 2000', 2), (1, 9, 1, '', None)]:
        check('rows that lie apart', k, options, 'f16', values, rows=rows, pitch=pitch,
              chunks=chunks)
    check('the least', 2, '--staging', 'u64', some_values('u64', 300, 5), smallest=True, rows=100)


def test_offsets():
    """Segments of any lengths: empty ones, tiny ones, and a giant one."""
    values = some_values('i32', 30000, 9)
    for offset_kind, offsets, k, options in [
            ('u32', [0, 0, 3, 3, 10, 29000, 29001, 29500], 4, ''),
            ('i64', [7, 8, 20, 300, 301], 40, '--count-on-gpu'),
            ('u64', [0, 30000], 1500, '--staging'), ('i32', [5], 3, ''),
            ('u32', list(range(0, 30001, 6)), 2, '--repeat 2')]:
        array('in.npy', 'i32', values)
        array('at.npy', offset_kind, offsets)
        orders = [stable_order('i32', values[a:b], True)[:k] for a, b in zip(offsets, offsets[1:])]
        found = max([len(order) for order in orders], default=0)
        flat, indices = [], []
        for first, order in zip(offsets, orders):
            lacking = found - len(order)
            flat += [values[first + i] for i in order] + lacking * [extreme('i32', False)]
            indices += order + lacking * [2**32 - 1]
        shape = (len(orders), found)
        answers((f'{len(orders)} segments', f'topk {k} in.npy -o out.npy --indices i.npy {options} '
                 '--segments offsets:at.npy', None,
                 {'files': {'out.npy': ('i32', shape, shown('i32', flat)),
                            'i.npy': ('u32', shape, shown('u32', indices))}}))
    array('few.npy', 'i16', [4, 9, -2, 5, 1])
    array('at.npy', 'u32', [1, 1, 4, 5])
    array('names.npy', 'u8', [11, 12, 13, 14, 15])
    answers(('payloads', 'topk 2 few.npy --segments offsets:at.npy --payload names.npy:n.npy',
             {'found': 2, 'values': [[], [9, 5], [1]]},
             {'files': {'n.npy': ('u8', (3, 2), [0, 0, 12, 14, 15, 0])}}))


def test_short_rows():
    """The last row may have fewer elements than the others, and than K."""
    for kind in ('i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64'):
        values = some_values(kind, 93, 6)
        for smallest in (False, True):
            check('a short row', 3, '', kind, values, smallest, rows=7)
            check('one that lacks elements', 5, '', kind, values, smallest, rows=10)
    values = some_values('i32', 1001, 7)
    for rows, k, options, chunks in [
            (10, 3, '', None), (1000, 4, '--count-on-gpu', None), (10, 3, '--chunk 400', 11),
            (10, 12, '--chunk 4000', 2), (2000, 3, '', None), (500, 70, '--staging', None),
            (2, 1, '--repeat 2', None)]:
        check('chunks and others', k, options, 'i32', values, rows=rows, chunks=chunks)
    check('one element', 3, '--count-on-gpu', 'u8', [7], rows=5)
    array('few.npy', 'i16', [4, 9, -2, 5, 1])
    array('names.npy', 'u8', [11, 12, 13, 14, 15])
    answers(('payloads of rows that lie apart',
             'topk 1 few.npy --segments rows:2:3 --payload names.npy:n.npy',
             {'found': 1, 'values': [[9], [5]]}, {'files': {'n.npy': ('u8', (2, 1), [12, 14])}}))
    answers(('payloads', 'topk 2 few.npy --segments rows:2 --payload names.npy:n.npy',
             {'found': 2, 'values': [[9, 4], [5, -2], [1]]},
             {'files': {'n.npy': ('u8', (3, 2), [12, 11, 14, 13, 15, 0])}}))
    array('none.npy', 'f32', [])
    answers(('no row', 'topk 2 none.npy --segments rows:2 -o out.npy', {'found': 2, 'values': []},
             {'files': {'out.npy': ('f32', (0, 2), [])}}))
    says('a table', 'topk 2 few.npy --segments rows:2',
         'found    2 in each segment\nsegments 3 by rows:2\n'
         'segment        0        1\n'
         '0         9 at 1   4 at 0\n'
         '1         5 at 1  -2 at 0\n'
         '2         1 at 0\n')
    out = says('many rows of many elements', 'topk 9 random:500:1 --type u8 --segments rows:12')
    lines = out.split('\n')[4:26]
    ok(lines[1].startswith('0 ') and lines[11] == '..' and lines[21].startswith('41 ') and
       all(line.count(' at ') == 5 and line.endswith('  ..')
           for line in lines[1:11] + lines[12:22]), 'the first and the last ones', out)


def test_payloads():
    """The entries of the elements found, from the input's segments and chunks, too."""
    values = some_values('u16', 6000, 8)
    order = sorted(range(6000), key=lambda i: -values[i])
    array('in.npy', 'u16', values)
    array('names.npy', 'u64', range(6000))
    array('rows.npy', 'f32', range(12000), '(6000, 2)')
    pairs = [x for i in order[:9] for x in (2.0 * i, 2.0 * i + 1)]
    for options, chunks in [('', None), ('--chunk 4KiB', 3)]:
        answers(('payloads', f'topk 9 in.npy --payload names.npy:n.npy --payload rows.npy:r.npy '
                 f'-o out.npy {options}', None,
                 {'files': {'n.npy': ('u64', (9,), order[:9]), 'r.npy': ('f32', (9, 2), pairs)},
                  'chunks': chunks}))
    found = [3000 * row + i for row in (0, 1) for i in
             sorted(range(3000), key=lambda i: values[3000 * row + i])[:2]]
    array('one.npy', 'u16', [7])
    array('none.npy', 'u16', [])
    answers(('in segments', 'topk 2 in.npy --smallest --segments rows:3000 '
             '--payload names.npy:n.npy --payload rows.npy:r.npy', None,
             {'files': {'n.npy': ('u64', (2, 2), found),
                        'r.npy': ('f32', (2, 2, 2), [x for i in found
                                                     for x in (2.0 * i, 2.0 * i + 1)])}}),
            ('fewer than K', 'topk 5 one.npy --payload one.npy:n.npy', None,
             {'files': {'n.npy': ('u16', (1,), [7])}}),
            ('nothing', 'topk 5 none.npy --payload none.npy:n.npy', None,
             {'files': {'n.npy': ('u16', (0,), [])}}))


def test_usage():
    array('f32.npy', 'f32', [3, 1, 2, 5])
    array('three.npy', 'u8', [1, 2, 3])
    array('far.npy', 'u32', [0, 5])
    array('near.npy', 'u32', [0, 2, 4])
    array('late.npy', 'u32', [1, 1, 4])
    npy('pair.npy', pack('u32', [1, 2, 3, 4]), '<u4', '(2, 2)')
    refusals(
        2, 'topk',
        ('no K', '1 operands|K INPUT', 'f32.npy'),
        ('none', "K is '0'|1 to 65536", '0 f32.npy'),
        ('too many', "K is '65537'|1 to 65536", '65537 f32.npy'),
        ('a word', "K is 'ten'", 'ten f32.npy'),
        ('one name twice', 'x.npy|two outputs', '1 f32.npy -o x.npy --indices x.npy'),
        ('pairs', '--components|topk needs one value', '1 pair.npy --components 2'),
        ('rows of nothing', "--segments is 'rows:0'|LEN in rows:LEN|from 1 to",
         '1 f32.npy --segments rows:0'),
        ('windows', "--segments is 'windows:2'|columns:LEN or offsets:FILE",
         '1 f32.npy --segments windows:2'),
        ('columns that do not fit', "'columns:3'|multiple", '1 f32.npy --segments columns:3'),
        ('columns in chunks', 'f32.npy|fits the device|columns:2',
         '1 f32.npy --segments columns:2 --chunk 1KiB'),
        ('offsets of floats', 'f32.npy|offsets must be integers',
         '1 f32.npy --segments offsets:f32.npy'),
        ('offsets past the end', 'far.npy|offset 1 is 5|at most 4',
         '1 f32.npy --segments offsets:far.npy'),
        ('offsets in chunks', 'f32.npy|fits the device',
         '1 f32.npy --segments offsets:near.npy --chunk 1KiB'),
        ('rows that overlap', "'rows:3:2'|PITCH|from 3", '1 f32.npy --segments rows:3:2'),
        ('an option of sort', '--descending', '1 f32.npy --descending'),
        ('a payload without an output', "--payload is 'pair.npy'|FILE:OUT",
         '1 f32.npy --payload pair.npy'),
        ('a payload of another length', 'three.npy|3 entries|4 elements',
         '1 f32.npy --payload three.npy:x.npy'),
        ('an algorithm', '--algorithm|auto', '1 f32.npy --algorithm three-pass'),
        ('chunks and a count on the GPU', '--count-on-gpu|--chunk',
         '1 f32.npy --count-on-gpu --chunk 1KiB'))
    differences(('element 0', 'topk 2 f32.npy -o out.npy'),
                ('element 0 of segment 0', 'topk 9 f32.npy --segments rows:3'),
                ('element 0 of segment 0', 'topk 1 f32.npy --segments rows:2'),
                ('element 0 of segment 0', 'topk 1 f32.npy --segments rows:2:3'),
                ('element 0 of segment 1', 'topk 1 f32.npy --segments offsets:late.npy'),
                ('element 0 of segment 0', 'topk 1 f32.npy --segments columns:2'))
    array('equal.npy', 'u32', [7, 7])
    differences(('index 0', 'topk 1 equal.npy --indices out.npy'))
    says('for people', 'topk 3 f32.npy --verify --algorithm auto', 'found    3\n', '0        5 at 3\n',
         '2        2 at 2\n', 'verified yes\n')


with runner_tools.workplace():
    if MISLED:
        test_types()
        test_options()
        test_segments()
        test_offsets()
        test_short_rows()
        test_payloads()
        test_usage()
