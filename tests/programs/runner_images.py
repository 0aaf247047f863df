#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the program vkreduce does with pictures, from the outside, as TAP: --as-image, --map and
Radiance pictures, against Python and against the same without an image.

runner_images.py DATA VKREDUCE [MISLED]: DATA is samples/data, MISLED as for runner.py.
"""
import json
import math
import os
import random
import struct
import sys
import tempfile

import png
import runner_tools
from runner_tools import npy, ok, pack, write

DATA, PROGRAM, MISLED = (os.path.abspath(path) for path in (sys.argv + [''])[1:4])
chance = random.Random(14)


def reduce(*arguments):
    code, out, err = runner_tools.call(PROGRAM, 'reduce', *arguments, '--json', '--verify')
    if code != 0 or err != '' or '"verified":true' not in out:
        print(f'# reduce {arguments}: status {code}, {err}{out}')
        return {}
    return json.loads(out)


def refuse(name, words, *arguments, status=2):
    runner_tools.refuse(PROGRAM, name, status, words, 'reduce', *arguments)


# ---- Images ----

def same(name, *arguments):
    """All that JSON says of results is the same with and without an image."""
    keys = ('type', 'count', 'channels', 'result')
    plain, image = reduce(*arguments), reduce(*arguments, '--as-image')
    ok(plain != {} and [plain[key] for key in keys] == [image.get(key) for key in keys],
       f'{name}: {" ".join(arguments[2:])} the same as an image', (plain, image))


def pixels(count, depth=8):
    values = [chance.randrange(1 << depth) for _ in range(count)]
    return struct.pack(f'>{count}{"BH"[depth // 16]}', *values)


def check_images():
    exact = 'min,max,sum,product,mean,sumsq,l1,l2,absmax,argmin,argmax,and,or,xor,count,nan'
    for colour, depth in ((png.GREY, 8), (png.GREY_ALPHA, 16), (png.RGBA, 8), (png.RGB, 8),
                          (png.RGB, 16)):
        channels = png.CHANNELS[colour]
        source = write('picture.png', png.encode(37, 23, colour, pixels(37 * 23 * channels, depth),
                                                 depth=depth))
        same(f'{channels} channels of {depth} bits',
             exact if colour == png.RGB and depth == 8 else 'min,max,sum,argmin', source)
    same('tiles', 'min,max,sum,argmin', source, '--tiles', '16x5')
    same('rows', 'sum,argmax', source, '--segments', 'rows:37')
    same('columns', 'sum,max', source, '--segments', 'columns:37')
    same('a count on the GPU', 'sum,max', source, '--count-on-gpu')
    same('one texel', 'min,argmax', write('one.png', png.encode(1, 1, png.RGB, b'\1\2\3')))
    for kind, descr in (('i8', '|i1'), ('u32', '<u4'), ('f32', '<f4')):
        values = [chance.randrange(-100, 100) % (1 << 31) if kind == 'u32' else
                  chance.randrange(-100, 100) for _ in range(60)]
        array = npy('array.npy', pack(kind, values), descr, '(6, 10)')
        same(f'an array of {kind}', 'min,max,argmin,sum', array, '--determinism', 'device')
    halves = npy('array.npy', pack('f16', [n / 8 for n in range(-30, 30)]), '<f2', '(6, 10)')
    same('an array of f16', 'min,max,argmin,sum', halves, '--components', '2')
    plain = reduce('min,sum,argmax', source)
    for algorithm in ('pingpong', 'recursive-2d', 'single', 'subgroup'):
        image = reduce('min,sum,argmax', source, '--as-image', '--algorithm', algorithm)
        ok(plain != {} and plain['result'] == image.get('result'), f'an image by {algorithm}', image)
    answer = runner_tools.call(PROGRAM, 'reduce', 'dot', source, source, '--as-image', '--verify')
    ok(answer[0] == 0, 'dot of two images', answer)


# ---- Maps ----

def single(value):
    """Rounded to f32."""
    return struct.unpack('<f', struct.pack('<f', value))[0]


def luminance(pixel):
    r, g, b = (single(single(weight) * value) for weight, value in
               zip((0.2126, 0.7152, 0.0722), pixel))
    return single(single(r + g) + b)


def check_maps():
    values = pixels(3 * 40 * 30)
    source = write('picture.png', png.encode(40, 30, png.RGB, values))
    numbers = [luminance(values[i:i + 3]) for i in range(0, len(values), 3)]
    for options in ([], ['--as-image']):
        label = ' '.join(options)
        answer = reduce('min,max,argmax,mean', source, '--map', 'luminance', *options)
        got = answer.get('result', {})
        ok((got.get('min'), got.get('max'), got.get('argmax')) ==
           (min(numbers), max(numbers), numbers.index(max(numbers))) and
           abs(got['mean'] - math.fsum(numbers) / 1200) < 1e-3 and answer['channels'] == 1 and
           answer['type'] == 'f32', f'luminance {label}', answer)
        got = reduce('min,mean', source, '--map', 'log2-luminance', *options).get('result', {})
        logs = [math.log2(n) for n in numbers]
        ok(abs(got.get('min', 0) - min(logs)) < 1e-5 and
           abs(got.get('mean', 0) - math.fsum(logs) / 1200) < 1e-4, f'log2 of it {label}', got)
    plain = reduce('sum', source, '--map', 'log2-luminance', '--determinism', 'device')
    image = reduce('sum', source, '--map', 'log2-luminance', '--determinism', 'device', '--as-image')
    ok(plain != {} and plain['result'] == image.get('result'), 'the same bits of both',
       (plain, image))
    tiles = [max(numbers[y * 40 + x] for y in range(b, min(b + 8, 30))
                 for x in range(a, min(a + 16, 40)))
             for b in range(0, 30, 8) for a in range(0, 40, 16)]
    for options in ([], ['--as-image']):
        got = reduce('max', source, '--map', 'luminance', '--tiles', '16x8', *options)
        ok(got.get('result') == {'max': tiles}, f'of each tile {" ".join(options)}', got)
    grey = write('grey.png', png.encode(5, 1, png.GREY, bytes([0, 1, 2, 4, 255])))
    ok(reduce('max', grey, '--map', 'luminance').get('result') == {'max': 255}, 'of a grey picture')
    got = reduce('min,max', grey, '--map', 'log2-luminance').get('result')
    ok(got == {'min': '-inf', 'max': single(math.log2(255))}, 'log2 of 0 is -inf', got)


# ---- Radiance ----

def radiance(width, height, texels, packed, magic=b'#?RADIANCE'):
    """A file of RGBE texels, each plane of each row packed or none."""
    rows = []
    for y in range(height):
        row = texels[y * width:(y + 1) * width]
        if not packed:
            rows.append(b''.join(map(bytes, row)))
            continue
        rows.append(bytes([2, 2, width >> 8, width & 255]))
        for plane in zip(*row):
            while plane:
                run = len(plane) - len(plane[1:]) + next(
                    (i for i, v in enumerate(plane[1:]) if v != plane[0]), len(plane) - 1)
                run = min(run, 127)
                head = bytes([128 + run, plane[0]]) if run > 2 else bytes([1, plane[0]])
                rows.append(head)
                plane = plane[run if run > 2 else 1:]
    return (magic + b'\n# made by a test\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n' % (height, width) +
            b''.join(rows))


def check_radiance():
    if 'Radiance' in runner_tools.call(PROGRAM, 'reduce', 'max', 'none.hdr')[2]:
        ok(True, 'Radiance pictures are not built in')
        return
    texels = [tuple(chance.randrange(0, 256) for _ in range(3)) +
              (chance.choice([0, 120, 128, 128, 140]),) for _ in range(29 * 17)]
    texels[40:49] = [texels[40]] * 9
    values = [[t[c] * 2.0 ** (t[3] - 136) if t[3] else 0.0 for t in texels] for c in range(3)]
    expected = {'min': list(map(min, values)), 'max': list(map(max, values)),
                'argmax': [v.index(max(v)) for v in values]}
    for name, data in (('packed', radiance(29, 17, texels, True)),
                       ('plain', radiance(29, 17, texels, False)),
                       ('with another name', radiance(29, 17, texels, True, b'#?RGBE'))):
        source = write('picture.hdr', data)
        for options in ([], ['--as-image']):
            answer = reduce('min,max,argmax', source, *options)
            ok(answer.get('result') == expected and (answer['type'], answer['channels'],
                                                     answer['count']) == ('f32', 3, 29 * 17),
               f'a Radiance picture, {name} {" ".join(options)}', (answer, expected))
    same('a Radiance picture', 'max,sum', source, '--tiles', '8x8')
    with open(source, 'rb') as file:
        code, out, err = runner_tools.call(PROGRAM, 'reduce', 'max', '-', '--json', stdin=file)
    ok(code == 0 and json.loads(out)['result'] == {'max': expected['max']}, 'from a pipe', err)
    for packed in (True, False):
        data = radiance(29, 17, texels, packed)
        for cut in (1, 2, 4, 300, len(data) - 70, len(data) - 12, len(data) - 11):
            write('cut.hdr', data[:-cut])
            refuse(f'one that is cut by {cut}', 'cut.hdr|Radiance', 'max', 'cut.hdr')
    head = data[:data.index(b'-Y')]
    for name, rest in (('a size of nothing', b'-Y 0 +X 0\n'), ('no size', b'17 29\n'),
                       ('a count of 0', b'-Y 1 +X 8\n\2\2\0\10' + bytes(60)),
                       ('a huge size', b'-Y 9999999 +X 9999999\n' + bytes(99)),
                       ('another way up', b'+Y 1 +X 1\n' + bytes(4))):
        write('bad.hdr', head + rest)
        refuse(name, 'bad.hdr', 'max', 'bad.hdr')
    write('bad.hdr', data.replace(b'rgbe', b'xyze'))
    refuse('XYZ', 'bad.hdr|Radiance', 'max', 'bad.hdr')


def check_refusals():
    source = write('picture.png', png.encode(2, 2, png.RGB, bytes(12)))
    wide = npy('wide.npy', pack('f64', [1.0] * 4), '<f8', '(2, 2)')
    flat = npy('flat.npy', pack('f32', [1.0] * 3))
    tall = write('tall.png', png.encode(1, 70000, png.GREY, bytes(70000)))
    refuse('an image of wide values', '32 bits', 'max', wide, '--as-image')
    refuse('an image of a flat array', 'two dimensions', 'max', flat, '--as-image')
    refuse('an image of random numbers', 'picture', 'max', 'random:100', '--as-image')
    for tiles in ('4294967296x1', '1x99999999999999999999', '0x1', 'x', '3'):
        refuse(f'tiles of {tiles}', f"'{tiles}'|from 1 to 4294967295", 'max', source, '--tiles',
               tiles)
    refuse('an image too tall', '70000|at most', 'max', tall, '--as-image')
    for option, value in (('--offset', 3), ('--stride', 6), ('--chunk', '1KiB')):
        refuse(f'an image with {option}', f'--as-image|{option}', 'max', source, '--as-image', option,
               value)
    refuse('a map of wide values', 'f64|--map', 'max', wide, '--map', 'luminance')
    refuse('a map in chunks', '--map|--chunk', 'max', source, '--map', 'luminance', '--chunk', '1KiB')
    refuse('an unknown map', "'sqrt'|luminance, log2-luminance", 'max', source, '--map', 'sqrt')
    refuse('none as a map', "'none'", 'max', source, '--map', 'none')
    if os.path.isfile(MISLED):
        for options in (['--as-image'], ['--map', 'luminance']):
            result = runner_tools.call(MISLED, 'reduce', 'max', source, '--verify', *options)
            ok(result[0] == 3, f'a planted difference is found: {options[0]}', result)


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    check_images()
    check_maps()
    check_radiance()
    check_refusals()
    os.chdir('/')
runner_tools.finish()
