#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program vkreduce's command pyramid from the outside, against Python, as TAP.

runner_pyramid.py DATA VKREDUCE [MISLED]: DATA is samples/data, MISLED as for runner.py.
"""
import ast
import json
import math
import os
import random
import struct
import sys
import tempfile

import png
import runner_tools
from runner_tools import CODES, DESCR, npy, ok, pack, write

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:4])
FILES = {'min': ['min'], 'max': ['max'], 'minmax': ['min', 'max'], 'average': ['average']}


def run(*arguments, program=PROGRAM, status=0):
    code, out, err = runner_tools.call(program, 'pyramid', *arguments, '--json')
    if code != status or (status == 0 and err != ''):
        print(f'# {arguments}: status {code}, {err}')
        return {}
    return json.loads(out)


def read_npy(name):
    """The element type, the shape and the flat values."""
    with open(name, 'rb') as file:
        data = file.read()
    size = struct.unpack('<H', data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    kind = next(kind for kind, descr in DESCR.items() if descr == header['descr'])
    values = data[10 + size:]
    count = len(values) // struct.calcsize(CODES[kind])
    return kind, header['shape'], struct.unpack(f'<{count}{CODES[kind]}', values)


def shares(i, n, m):
    """The texels that texel i of n covers, of m, and how much of each."""
    return [(j, min((i + 1) * m, (j + 1) * n) - max(i * m, j * n))
            for j in range(i * m // n, -(-(i + 1) * m // n))]


def halve(name, below, size, level, channels):
    """A level from the one below; averages as sums of exact products."""
    (w, h), (n, k) = size, level
    result = []
    columns = [shares(i, n, w) for i in range(n)]
    for y in range(k):
        rows = shares(y, k, h)
        for column in columns:
            for c in range(channels):
                texels = [(below[(b * w + a) * channels + c], s * t)
                          for b, t in rows for a, s in column]
                if name == 'average':
                    result.append(math.fsum(v * s for v, s in texels) / (w * h))
                else:
                    result.append((min if name == 'min' else max)(v for v, _ in texels))
    return result


def close(name, found, expected):
    if name != 'average':
        return list(found) == expected
    return all(abs(a - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(found, expected, strict=True))


def check_files(label, folder, name, kind, values, size, channels, levels):
    """All levels, each against the one below as it was written, and their pictures."""
    good = whole = True
    for k, level in enumerate(levels[1:], 1):
        stored, shape, found = read_npy(f'{folder}/{name}-{k}.npy')
        good = (good and stored == ('f32' if name == 'average' else kind) and
                shape == (level[1], level[0]) + ((channels,) if channels > 1 else ()) and
                close(name, found, halve(name, values, size, level, channels)))
        if kind == 'u8':
            with open(f'{folder}/{name}-{k}.png', 'rb') as file:
                picture = png.decode(file.read())
            whole = (whole and list(picture[:2]) == level and
                     list(picture[3]) == [round(v) for v in found])
        values, size = found, level
    ok(good, f'{label}: {name}, {len(levels) - 1} levels')
    ok(whole, f'{label}: {name}, as pictures')
    return list(values)


def check(label, source, kind, values, size, channels, *options, names=('minmax', 'average')):
    expected = [list(size)]
    while expected[-1] != [1, 1]:
        expected.append([max(1, side // 2) for side in expected[-1]])
    for op in names:
        folder = f'{label}-{op}'.replace(' ', '-')
        result = run(op, source, '-o', folder, '--verify', *options)
        ok(result.get('verified') is True, f'{label}: {op} is verified', result)
        levels = result.get('result', {}).get('levels')
        ok(levels == expected, f'{label}: sizes', levels)
        for name in FILES[op]:
            last = check_files(label, folder, name, kind, values, size, channels, expected)
            top = result['result'][name]
            ok(len(expected) == 1 or (top if channels > 1 else [top]) == last,
               f'{label}: {name} of the whole', top)
        files = {f'{name}-{k}.{end}' for name in FILES[op] for k in range(1, len(expected))
                 for end in (('npy', 'png') if kind != 'f32' else ('npy',))}
        ok(set(os.listdir(folder)) == files, f'{label}: these files and no others')


def check_photograph():
    """One of them; runner_numpy.py has them all."""
    with open(f'{DATA}/camera.png', 'rb') as file:
        picture = png.decode(file.read())
    check('camera', f'{DATA}/camera.png', 'u8', list(picture[3]), picture[:2], 1)


def check_shapes():
    chance = random.Random(14)
    for colour, (width, height) in ((png.GREY, (1, 1)), (png.GREY_ALPHA, (13, 1)),
                                    (png.RGBA, (1, 30)), (png.GREY, (67, 35))):
        channels = png.CHANNELS[colour]
        values = [chance.randrange(256) for _ in range(width * height * channels)]
        source = write('picture.png', png.encode(width, height, colour, bytes(values)))
        check(f'{width} x {height} of {channels}', source, 'u8', values, (width, height), channels,
              names=('min', 'max', 'minmax', 'average'))
    values = [chance.randrange(-1000, 1000) / 64 for _ in range(21 * 10)]
    source = npy('floats.npy', pack('f32', values), '<f4', '(10, 21)')
    check('floats', source, 'f32', values, (21, 10), 1, names=('min', 'max', 'minmax', 'average'))
    values = [chance.randrange(65536) for _ in range(21 * 10)]
    source = npy('array.npy', pack('u16', values), '<u2', '(10, 21)')
    check('16 bits', source, 'u16', values, (21, 10), 1)
    depth = struct.pack(f'>{len(values)}H', *values)
    source = write('deep.png', png.encode(21, 10, png.GREY, depth, depth=16))
    check('a deep picture', source, 'u16', values, (21, 10), 1, names=('minmax',))
    code, out, _ = runner_tools.call(PROGRAM, 'pyramid', '--algorithm', 'help')
    algorithms = [line.split()[0] for line in out.splitlines()]
    ok(code == 0 and 'auto' in algorithms and all(len(line.split()) > 3 for line in
                                                  out.splitlines()), 'algorithms', out)
    for algorithm in algorithms:
        check(algorithm, source, 'u16', values, (21, 10), 1, '--algorithm', algorithm)


def check_older_levels():
    """A folder that has had a larger pyramid, and what else is in it."""
    large = write('large.png', png.encode(9, 9, png.GREY, bytes(range(81))))
    small = write('small.png', png.encode(3, 2, png.GREY, bytes(range(6))))
    floats = npy('floats.npy', pack('f32', [1.0] * 6), '<f4', '(2, 3)')
    dot = write('dot.png', png.encode(1, 1, png.GREY, b'\7'))
    os.mkdir('levels')
    others = {'max-17.npy', 'max-1.txt', 'max-0.npy', 'picture.png'}
    for name in others:
        write(f'levels/{name}', b'')
    run('minmax', large, '-o', 'levels')
    lows = {f'min-{k}.{end}' for k in (1, 2, 3) for end in ('npy', 'png')}
    for source, left in ((small, {'max-1.npy', 'max-1.png'}), (floats, {'max-1.npy'}),
                         (dot, set())):
        run('max', source, '-o', 'levels')
        found = set(os.listdir('levels')) - others
        ok(found == left | lows, f'levels of {source} and no older ones', found)
    ok(others <= set(os.listdir('levels')), 'what is no level stays', os.listdir('levels'))


def refuse(name, status, words, *arguments):
    runner_tools.refuse(PROGRAM, name, status, words, 'pyramid', *arguments)


def check_refusals():
    source = write('picture.png', png.encode(2, 2, png.GREY, bytes(4)))
    flat = npy('flat.npy', pack('u8', [1, 2, 3]), '|u1', '(3,)')
    wide = npy('wide.npy', pack('f64', [1.0] * 4), '<f8', '(2, 2)')
    write('file', b'')
    refuse('no directory', 2, 'DIRECTORY', 'min', source)
    refuse('an unknown operator', 2, "'sum'|min, max, minmax or average", 'sum', source, '-o', 'out')
    refuse('no picture', 2, 'two dimensions', 'min', flat, '-o', 'out')
    refuse('wide floats', 2, 'u8, u16 or f32', 'min', wide, '-o', 'out')
    refuse('no file', 2, 'missing.png', 'min', 'missing.png', '-o', 'out')
    refuse('an unknown algorithm', 2, 'pingpong', 'min', source, '-o', 'out', '--algorithm', 'x')
    refuse('a file in place of the directory', 1, 'file/min-1.npy', 'min', source, '-o', 'file')
    refuse('a directory in a missing one', 1, 'no/out', 'min', source, '-o', 'no/out')
    if os.path.isfile(MISLED):
        result = runner_tools.call(MISLED, 'pyramid', 'max', source, '-o', 'out', '--verify')
        ok(result[0] == 3 and 'level 1' in result[2], 'a planted difference is found', result)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    check_photograph()
    check_shapes()
    check_older_levels()
    check_refusals()
    os.chdir('/')
runner_tools.finish()
