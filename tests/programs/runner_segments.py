#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program vkreduce on segments, against a plain model and known pictures, as TAP.

runner_segments.py DATA VKREDUCE [MISLED]: DATA is samples/data, MISLED as for runner.py; without it
only some results are compared.
"""
import json
import os
import struct
import sys
import tempfile

import png
import runner_tools
from runner_tools import DESCR, npy, ok, pack

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:4])
LEAST, GREATEST = -2**31, 2**31 - 1


def call(*arguments, program=PROGRAM):
    return runner_tools.call(program, 'reduce', *arguments)


def reduce(*arguments, status=0, **more):
    """The JSON object; an empty one, which fails every comparison, where the call failed."""
    code, out, err = call(*arguments, '--json', **more)
    if code != status:
        print(f'# reduce {arguments}: status {code}, {err}')
        return {'result': {}}
    return json.loads(out)


def expect(name, result, where, *arguments, **fields):
    answer = reduce(*arguments, '--segments', where, '--verify')
    got = {key: answer.get(key) for key in fields}
    ok(answer['result'] == result and got == fields and answer.get('verified') is True, name,
       f'got {str(answer)[:2000]}\nexpected {str(result)[:2000]} {fields}')


def array(name, kind, values):
    return npy(name, pack(kind, values), DESCR[kind], f'({len(values)},)')


# ---- The model ----

def columns(values, width):
    return [values[i::width] for i in range(width)]


def windows(values, length):
    return [values[i:i + length] for i in range(len(values) - length + 1)]


def rows(values, length):
    return [values[i:i + length] for i in range(0, len(values), length)]


def between(values, offsets):
    return [values[a:b] for a, b in zip(offsets, offsets[1:])]


MODEL = {
    'sum': sum, 'count': len,
    'min': lambda part: min(part, default=GREATEST),
    'max': lambda part: max(part, default=LEAST),
    'argmin': lambda part: part.index(min(part)) if part else None,
    'argmax': lambda part: part.index(max(part)) if part else None,
}


def model(parts, ops='sum,min,max,argmin,argmax,count'):
    return {op: [MODEL[op](part) for part in parts] for op in ops.split(',')}


def by_channel(values, channels, cut, ops):
    """[segment][channel], of values that lie channel by channel in each element."""
    each = [model(cut(values[c::channels]), ops) for c in range(channels)]
    return {op: [list(of) for of in zip(*(one[op] for one in each))] for op in ops.split(',')}


# ---- Real data ----

def test_picture(name, ops):
    """The rows and the columns of a picture. A device may lack bytes."""
    path = os.path.join(DATA, name)
    with open(path, 'rb') as file:
        width, _, colour, pixels = png.decode(file.read())
    channels = png.CHANNELS[colour]
    for kind, cut in [('rows', rows), ('columns', columns)]:
        if channels > 1:
            result = by_channel(pixels, channels, lambda part, cut=cut: cut(part, width), ops)
        else:
            result = model(cut(pixels, width), ops)
        expect(f'{kind} of {name}', result, f'{kind}:{width}', ops, path, channels=channels)


def tiles(values, width, tile_width, tile_height):
    lines = rows(values, width)
    return [[value for line in lines[y:y + tile_height] for value in line[x:x + tile_width]]
            for y in range(0, len(lines), tile_height) for x in range(0, width, tile_width)]


def expect_tiles(name, result, size, *arguments):
    answer = reduce(*arguments, '--tiles', size, '--verify')
    ok(answer['result'] == result and answer.get('verified') is True, name,
       f'got {str(answer)[:2000]}\nexpected {str(result)[:2000]}')


def test_tiles():
    """Tiles that divide a picture and that do not, and those of an array."""
    with open(os.path.join(DATA, 'chelsea.png'), 'rb') as file:
        width, _, colour, pixels = png.decode(file.read())
    for size, shape in {'16x16': (16, 16), '100x7': (100, 7), '5000x1': (5000, 1)}.items():
        result = by_channel(pixels, png.CHANNELS[colour], lambda part: tiles(part, width, *shape),
                            'min,max,argmax')
        expect_tiles(f'tiles of {size} of a picture', result, size, 'min,max,argmax',
                     os.path.join(DATA, 'chelsea.png'))
    values = [i * 37 % 101 - 50 for i in range(24 * 15)]
    file = npy('grid.npy', pack('i32', values), '<i4', '(15, 24)')
    expect_tiles('tiles of an array', model(tiles(values, 24, 5, 4), 'sum,argmin'), '5x4',
                 'sum,argmin', file)
    pairs = [model(tiles(values[c::2], 12, 5, 4), 'sum')['sum'] for c in range(2)]
    expect_tiles('tiles of pairs', {'sum': [list(of) for of in zip(*pairs)]}, '5x4', 'sum', file,
                 '--components=2')
    npy('odd.npy', pack('i32', range(36)), '<i4', '(4, 9)')
    for name, words, arguments in [
            ('tiles without rows', 'two dimensions', ['random:100', '--tiles=5x5']),
            ('tiles and segments', 'tiles|segments', [file, '--tiles=5x5', '--segments=rows:5']),
            ('tiles of one number', "'5'|WxH", [file, '--tiles=5']),
            ('tiles of no rows', "'5x0'|WxH", [file, '--tiles=5x0']),
            ('tiles of elements that cross rows', 'whole elements', ['odd.npy', '--tiles=5x5',
                                                                     '--components=2']),
            ('tiles in chunks', "--tiles|'5x5'|--chunk", [file, '--tiles=5x5', '--chunk=1'])]:
        refuse(name, words, 'sum', *arguments)


def test_luma():
    path = os.path.join(DATA, 'chelsea-luma.npy')
    with open(path, 'rb') as file:
        values = [value for value, in struct.iter_unpack('<f', file.read()[-300 * 451 * 4:])]
    expect('rows of floats', model(rows(values, 451), 'max,argmin'), 'rows:451', 'max,argmin', path,
           count=300 * 451)


def laplacian(side):
    """Row pointers and values of the 5-point stencil on a square grid, in CSR."""
    pointers, values = [0], []
    for y in range(side):
        for x in range(side):
            values += [-1.0] * ((y > 0) + (x > 0))
            values += [4.0] + [-1.0] * ((x < side - 1) + (y < side - 1))
            pointers.append(len(values))
    return pointers, values


def test_laplacian(side, *kinds):
    pointers, values = laplacian(side)
    file = array('laplacian.npy', 'f32', values)
    result = model(between(values, pointers), 'sum,argmax')
    for kind in kinds:
        array('pointers.npy', kind, pointers)
        expect(f'row sums of a Laplacian, pointers of {kind}', result, 'offsets:pointers.npy',
               'sum,argmax', file, count=len(values))


# ---- Every kind ----

def shapes(values, offsets):
    array('offsets.npy', 'u32', offsets)
    return {'rows:12': rows(values, 12), 'columns:12': columns(values, 12),
            'windows:5': windows(values, 5), 'offsets:offsets.npy': between(values, offsets)}


def test_kinds():
    values = [(i * i * 7919 + i * 31) % 2003 - 1001 for i in range(1200)]
    file = array('values.npy', 'i32', values)
    offsets = [0, 0, 1, 5, 5, 5, 700, 701, 1200, 1200]
    for where, parts in shapes(values, offsets).items():
        every = 'argmax,sum,min,max,argmin,count'
        expect(where, model(parts, every), where, every, file, algorithm='auto')
        result = model(parts, 'sum,argmax')
        expect(f'{where}, counted on the GPU', result, where, 'sum,argmax', file, '--count-on-gpu',
               '--staging', '--repeat=2')
        for name in ('lanes', 'merge', 'groups', 'split'):
            expect(f'{where} by {name}', result, where, 'sum,argmax', file, '--algorithm', name,
                   algorithm=name)
    expect('an offset', model(rows(values[3:], 9), 'sum,argmin'), 'rows:9', 'sum,argmin', file,
           '--offset=12')
    expect('a stride', model(columns(values[::3], 8), 'sum,argmin'), 'columns:8', 'sum,argmin',
           file, '--stride=12')
    expect('a wide stride', model(windows(values[::1025 + 4], 1), 'sum'), 'windows:1', 'sum',
           file, '--stride=4116')
    for where, cut in [('windows:7', lambda part: windows(part, 7)),
                       ('columns:4', lambda part: columns(part, 4))]:
        expect(f'{where} of 3 components', by_channel(values, 3, cut, 'sum,argmax'), where,
               'sum,argmax', file, '--components=3')
    other = array('other.npy', 'i32', values[::-1])
    products = [a * b for a, b in zip(values, values[::-1])]
    expect('dot', {'dot': [sum(part) for part in columns(products, 30)]}, 'columns:30', 'dot', file,
           other)
    big = array('big.npy', 'i32', [GREATEST] * 6)
    expect('a wide accumulator', {'sum': [3 * GREATEST] * 2}, 'rows:3', 'sum', big,
           '--accumulator=i64')


def test_floats():
    nan, inf = float('nan'), float('inf')
    file = array('special.npy', 'f32', [nan, nan, 1, nan, -inf, 2])
    for rule, least, where in [('ignore', ['nan', 1, '-inf'], [None, 0, 0]),
                               ('propagate', ['nan', 'nan', '-inf'], [0, 1, 0])]:
        expect(f'NaN, {rule}', {'min': least, 'argmin': where}, 'rows:2', 'min,argmin', file,
               '--nan', rule)
    array('empty.npy', 'u64', [0, 0, 6, 6])
    answer = reduce('min,max,mean,argmax,sum', file, '--segments', 'offsets:empty.npy', '--verify')
    ok(answer.get('verified') is True and
       [answer['result'][op][2] for op in ('min', 'max', 'mean', 'argmax', 'sum')] ==
       ['inf', '-inf', 'nan', None, 0], 'an empty segment gives the identities', answer)
    for level in ('none', 'run', 'device'):
        for where in ('rows:100', 'columns:1000', 'windows:9000'):
            answer = reduce('sum,l2', 'random:10000', '--segments', where, '--verify',
                            '--determinism', level)
            ok(answer.get('verified') is True, f'float sums of {where} at level {level}',
               str(answer)[:500])


def test_no_data():
    empty = array('nothing.npy', 'i32', [])
    array('zeros.npy', 'u32', [0, 0, 0])
    array('one.npy', 'u32', [0])
    for where, count in [('rows:5', 0), ('columns:5', 5), ('windows:5', 0),
                         ('offsets:zeros.npy', 2), ('offsets:one.npy', 0)]:
        for extra in ([], ['--count-on-gpu']):
            expect(f'{where} of nothing {" ".join(extra)}', model([[]] * count), where,
                   'sum,min,max,argmin,argmax,count', empty, *extra)
    two = array('two.npy', 'i32', [5, 6])
    expect('windows longer than the data', {'sum': []}, 'windows:3', 'sum', two)
    expect('one window', {'sum': [11]}, 'windows:2', 'sum', two)
    array('part.npy', 'u32', [1, 2])
    expect('offsets of a part', {'sum': [6]}, 'offsets:part.npy', 'sum', two)


# ---- Chunks ----

def test_chunks():
    for where, size, chunks in [('rows:100', '40000', 10), ('rows:1000', 1, 100),
                                ('windows:9', '40KiB', 10), ('windows:99990', 20, 3)]:
        whole = reduce('sum,argmax', 'random:100000:3', '--segments', where,
                       '--determinism=device')
        for extra in ([], ['--staging', '--repeat=2']):
            expect(f'{where} in chunks of {size} {" ".join(extra)}', whole['result'], where,
                   'sum,argmax', 'random:100000:3', '--determinism=device', '--chunk', size,
                   *extra, chunks=chunks)
    expect('rows of dot in chunks',
           reduce('dot', 'random:9000', 'random:9000:1', '--type=u32',
                  '--segments=rows:9')['result'], 'rows:9', 'dot', 'random:9000', 'random:9000:1',
           '--type=u32', '--chunk=3600', chunks=10)
    for where, size in [('rows:5', 0), ('windows:5', 3)]:
        expect(f'{where} of {size} elements in chunks', {'sum': []}, where, 'sum',
               f'random:{size}', '--chunk=1', chunks=1)


# ---- Sentences ----

def refuse(name, words, *arguments):
    runner_tools.refuse(PROGRAM, name, 2, words, 'reduce', *arguments)


def test_usage():
    file = array('ten.npy', 'i32', list(range(10)))
    for name, kind, values in [('down', 'u32', [0, 4, 3, 10]), ('past', 'u64', [0, 4, 11]),
                               ('negative', 'i32', [0, -5, 10]), ('negative64', 'i64', [-1, 10]),
                               ('floats', 'f32', [0, 10]), ('bytes', 'u8', [0, 10]),
                               ('none', 'u32', [])]:
        array(f'{name}.npy', kind, values)
    npy('pairs.npy', pack('u32', [0, 5, 5, 10]), '<u4', '(2, 2)')
    for name, words, where in [
            ('no such kind', "'flags:x'|rows:LEN, columns:LEN, windows:LEN", 'flags:x'),
            ('no kind', "''|offsets:FILE", ''),
            ('no length', 'rows:LEN|from 1 to 18446744073709551615', 'rows:'),
            ('a length of 0', 'windows:LEN|from 1 to', 'windows:0'),
            ('a length that is not a number', 'columns:LEN|from 1 to', 'columns:x'),
            ('a length past 64 bits', 'rows:LEN|from 1 to 18446744073709551615',
             'rows:18446744073709551616'),
            ('rows that do not fit', "'rows:3'|10 elements|multiple", 'rows:3'),
            ('columns that do not fit', "'columns:20'|10 elements|multiple", 'columns:20'),
            ('no such file', 'gone.npy|No such file', 'offsets:gone.npy'),
            ('offsets that decrease', 'offset 2 is 3|before 4', 'offsets:down.npy'),
            ('an offset past the end', 'offset 2 is 11|at most 10', 'offsets:past.npy'),
            ('a negative offset', 'offset 1 is negative', 'offsets:negative.npy'),
            ('a negative offset of 64 bits', 'offset 0 is negative', 'offsets:negative64.npy'),
            ('offsets of floats', 'f32|integers of 32 or 64 bits', 'offsets:floats.npy'),
            ('offsets of bytes', 'u8|integers of 32 or 64 bits', 'offsets:bytes.npy'),
            ('no offsets', 'none.npy|empty|k + 1', 'offsets:none.npy')]:
        refuse(name, words, 'sum', file, '--segments', where)
    for name, words, arguments in [
            ('an algorithm of the whole', 'tree|segments',
             ['--segments=rows:5', '--algorithm=tree']),
            ('an algorithm of segments', 'lanes|segments', ['--algorithm=lanes']),
            ('the count from the GPU of chunks', '--count-on-gpu|--chunk',
             ['--segments=rows:5', '--count-on-gpu', '--chunk=1']),
            ('columns in chunks', "'columns:5'|--chunk|rows and windows",
             ['--segments=columns:5', '--chunk=1']),
            ('offsets in chunks', "--chunk|rows and windows",
             ['--segments=offsets:zeros.npy', '--chunk=1'])]:
        refuse(name, words, 'sum', file, *arguments)
    refuse('columns of what does not fit', 'this size|rows and windows', 'sum',
           'random:1000000000000', '--segments=columns:10')
    refuse('a row of what does not fit', 'rows:1000000000000|one takes 4000000000000 bytes', 'sum',
           'random:1000000000000', '--segments=rows:1000000000000')


# ---- People ----

def test_table():
    file = array('steps.npy', 'i32', list(range(60)))
    code, out, err = call('sum,argmax', file, '--segments=rows:20', '--verify')
    ok(code == 0 and err == '' and
       out.split('\n')[2:8] == ['segments 3 by rows:20', 'segment   sum  argmax',
                                '0         190      19', '1         590      19',
                                '2         990      19', out.split('\n')[7]] and
       out.split('\n')[7].startswith('time') and 'verified yes\n' in out,
       'a table of segments', out)
    code, out, err = call('max', file, '--segments=windows:1')
    lines = out.split('\n')[3:26]
    ok(code == 0 and [line.split()[0] for line in lines] ==
       ['segment', *map(str, range(10)), '..', *map(str, range(50, 60)), 'time'] and
       lines[-2].split()[1] == '59', 'of many the first and the last', out)
    code, out, err = call('max', file, '--segments=columns:20')
    ok(code == 0 and '..' not in out and '\n19 ' in out, 'of 20 all', out)
    code, out, err = call('max', 'random:20', '--segments=rows:5', '--components=2')
    ok(code == 0 and ' max[0] ' in ' '.join(out.split()) and 'max[1]' in out,
       'a column for each channel', out)


def test_verify():
    for where in ('rows:12', 'columns:12', 'windows:5', 'offsets:offsets.npy'):
        code, out, err = call('sum', 'values.npy', '--segments', where, '--verify', '--json',
                              program=MISLED)
        ok(code == 3 and json.loads(out)['verified'] is False and err.count('\n') == 1 and
           'sum of channel 0 of segment 0' in err, f'--verify finds a difference in {where}', err)
    answer = reduce('sum', 'random:1000', '--segments=rows:10', '--verify', '--chunk=40', status=3,
                    program=MISLED)
    ok(answer.get('verified') is False and answer.get('chunks') == 100, 'and in chunks', answer)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    test_luma()
    if not runner_tools.is_lacking(PROGRAM, 'storageBuffer8BitAccess'):
        test_picture('camera.png', 'sum,argmax')
        test_laplacian(100, 'i32')
    else: # SwiftShader, which also takes half a minute to compile for offsets
        refuse('a picture where bytes are lacking', 'u8|storageBuffer8BitAccess', 'sum',
               os.path.join(DATA, 'camera.png'), '--segments=rows:512')
    if len(sys.argv) > 3:
        test_picture('astronaut.png', 'sum,argmax')
        test_laplacian(20, 'u64', 'i64')
        test_tiles()
        test_kinds()
        test_floats()
        test_no_data()
        test_chunks()
        test_usage()
        test_table()
        test_verify()
    os.chdir('/')
runner_tools.finish()
