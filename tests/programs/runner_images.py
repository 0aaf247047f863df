#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce on pictures: --as-image, --map and Radiance pictures. Prints TAP."""
import json
import struct

import png
import runner_tools
from runner_tools import (MISLED, PROGRAM, Crc, Near, Part, answer, answers, array, differences, ok,
                          refusals, run, write)


def pixels(count, top=251):
    return [i * i * 7919 % top for i in range(count)]


def picture(name, colour, depth=8, width=37, height=23):
    values = pixels(width * height * png.CHANNELS[colour], 251 if depth == 8 else 65521)
    data = struct.pack(f'>{len(values)}{"BH"[depth // 16]}', *values)
    return write(name, png.encode(width, height, colour, data, depth=depth))


# ---- Images ----

def test_images():
    picture('rgb.png', png.RGB)
    picture('deep.png', png.RGB, 16)
    picture('alpha.png', png.GREY_ALPHA, 16)
    picture('rgba.png', png.RGBA)
    picture('one.png', png.RGB, 8, 1, 1)
    values = [i * i * 7919 % 200 for i in range(60)]
    array('i8.npy', 'i8', [v - 100 for v in values], '(6, 10)')
    array('u32.npy', 'u32', [v << 24 for v in values], '(6, 10)')
    array('f32.npy', 'f32', [v - 100 for v in values], '(6, 10)')
    array('f16.npy', 'f16', [n / 8 for n in range(-30, 30)], '(6, 10)')
    answers(*((name, f'reduce {command} --as-image', result) for name, command, result in [
        ('3 channels', 'min,max,sum,sumsq,argmin,argmax,and,or,xor,count rgb.png', Crc(0xf83bd8e5)),
        ('2 channels of 16 bits', 'min,max,sum,argmin alpha.png', {
            'min': [0, 148], 'max': [65375, 65334], 'sum': [27692723, 27229411],
            'argmin': [0, 273]}),
        ('4 channels', 'min,max,sum,argmin rgba.png', {
            'min': [0, 0, 0, 0], 'max': [250, 250, 250, 250],
            'sum': [112276, 111901, 112219, 112477], 'argmin': [0, 188, 125, 62]}),
        ('tiles', 'sum,argmax deep.png --tiles 16x5', {
            'sum': Crc(0x53331539),
            'argmax': [[67, 62, 62], [14, 65, 63], [8, 7, 1], [55, 57, 50], [30, 29, 42],
                       [2, 24, 10], [5, 58, 77], [19, 46, 34], [6, 9, 18], [69, 8, 9], [35, 1, 18],
                       [23, 4, 16], [47, 40, 35], [19, 18, 23], [10, 13, 13]]}),
        ('rows', 'sum deep.png --segments rows:37', {'sum': Crc(0x27166cac)}),
        ('columns', 'sum,max deep.png --segments columns:37',
         {'sum': Crc(0x0a5fc8d8), 'max': Crc(0x99cd095a)}),
        ('a count on the GPU', 'max,sum deep.png --count-on-gpu',
         {'max': [65075, 65375, 65334], 'sum': [26878146, 27498395, 28296019]}),
        ('one texel', 'min,argmax one.png', {'min': [0, 138, 50], 'argmax': [0, 0, 0]}),
        ('an array', 'min,max,argmin,sum i8.npy',
         {'min': -100, 'max': 99, 'argmin': 0, 'sum': 390}),
        ('an array', 'min,max,argmin,sum u32.npy',
         {'min': 0, 'max': 3338665984, 'argmin': 0, 'sum': 107206410240}),
        ('an array', 'min,max,argmin,sum f32.npy --determinism device',
         {'min': -100, 'max': 99, 'argmin': 0, 'sum': 390}),
        ('pairs', 'min,max,argmin,sum f16.npy --components 2',
         {'min': [-3.75, -3.625], 'max': [3.5, 3.625], 'argmin': [0, 0], 'sum': [-3.75, 0]}),
        ('two images', 'dot rgb.png rgb.png', {'dot': [19319881, 19359785, 19306225]})]))
    for algorithm in ('pingpong', 'recursive-2d', 'single', 'subgroup'):
        answer('an algorithm', f'reduce sum,argmin deep.png --as-image --algorithm {algorithm}',
               {'sum': [26878146, 27498395, 28296019], 'argmin': [0, 182, 191]},
               algorithm=algorithm)


# ---- Maps ----

def test_maps():
    picture('rgb.png', png.RGB, 8, 40, 30)
    write('grey.png', png.encode(5, 1, png.GREY, bytes([0, 1, 2, 4, 255])))
    for extra in ('', '--as-image'):
        answers(
            ('of each pixel', f'reduce min,max,argmax,mean rgb.png --map luminance {extra}',
             {'min': 30.94540023803711, 'max': 232.47259521484375, 'argmax': 105,
              'mean': Near(131.9201971)}, {'type': 'f32', 'channels': 1}),
            ('of each tile', f'reduce max rgb.png --map luminance --tiles 16x8 {extra}',
             {'max': Crc(0x32703cfd)}),
            ('log2',
             f'reduce min,max,mean rgb.png --map log2-luminance --determinism device {extra}',
             {'min': Near(4.951653076), 'max': Near(7.860916845), 'mean': Near(6.894885)}))
    answers(
        ('a grey picture', 'reduce max grey.png --map luminance', {'max': 255}),
        ('log2 of 0', 'reduce min,max grey.png --map log2-luminance',
         {'min': '-inf', 'max': 7.994353294372559}))


def test_linear():
    """sRGB is decoded, by the program to the nearest f32, or by the device nearly so."""
    picture('rgb.png', png.RGB, 8, 40, 30)
    picture('deep.png', png.RGB, 16)
    picture('alpha.png', png.GREY_ALPHA, 8, 251, 1)
    write('grey.png', png.encode(5, 1, png.GREY, bytes([0, 1, 2, 4, 255])))
    array('bytes.npy', 'u8', pixels(3600), '(30, 120)')
    whole = {'min': 0.014117904007434845, 'max': 0.8316871523857117, 'argmin': 45, 'argmax': 62,
             'mean': Near(0.3237112505842621)}
    luminance = 'reduce min,max,argmin,argmax,mean {} --map luminance --linear'
    answers(
        ('8 bits', luminance.format('rgb.png'), whole, {'type': 'f32', 'channels': 1}),
        ('of an array', luminance.format('bytes.npy') + ' --components 3 --tiles 40x30',
         {name: [value] for name, value in whole.items()}),
        *(('16 bits, which the program always decodes', luminance.format('deep.png') + extra,
           {'min': 0.00588340125977993, 'max': 0.8586665391921997, 'argmin': 383, 'argmax': 193,
            'mean': Near(0.2992118988591044)}) for extra in ('', ' --as-image')),
        ('grey', 'reduce max,min grey.png --map luminance --linear --segments rows:1',
         {'max': [0, 0.0003035269910469651, 0.0006070539820939302, 0.0012141079641878605, 1],
          'min': [0, 0.0003035269910469651, 0.0006070539820939302, 0.0012141079641878605, 1]}),
        ('a histogram', 'histogram rgb.png --map luminance --linear --bins 4 --range 0:1',
         Part(counts=[566, 339, 259, 36])),
        ('a bias', 'reduce min,max rgb.png --map luminance --bias 0.5',
         {'min': 31.44540023803711, 'max': 232.97259521484375}),
        ('of a logarithm', 'reduce min,max grey.png --map log2-luminance --linear --bias 1e-4',
         {'min': Near(-13.287712379549449), 'max': Near(0.0001442862267140299)}),
        ('and of images', 'reduce min,max grey.png --map log2-luminance --bias 0.25 --as-image',
         {'min': -2, 'max': Near(7.995767)}))
    for name in ('rgb.png', 'alpha.png', 'grey.png', 'bytes.npy --components 3'):
        command = f'reduce min,max,mean {name} --map luminance --linear'
        expected, found = (answer('by the device', command + extra, None)['result']
                           for extra in ('', ' --as-image'))
        ok(all(abs(expected[op] - found[op]) < 0.004 for op in expected),
           f'nearly the same: {name}', (expected, found))
    if MISLED:
        differences(('max', 'reduce max rgb.png --map luminance --linear --as-image'),
                    ('max', 'reduce max rgb.png --map luminance --linear'))
    refusals(2, 'reduce max rgb.png',
             ('decoding without a map', '--linear needs --map luminance', '--linear'),
             ('a bias without a map', '--bias needs --map', '--bias 1'),
             ('a bias of words', "'dark'|finite", '--map luminance --bias dark'),
             ('an infinite bias', "'1e39'|finite", '--map luminance --bias 1e39'),
             ('a bias too small', "'1e-40'|finite", '--map luminance --bias 1e-40'),
             ('a bias that is 0 as f32', "'1e-50'|finite", '--map luminance --bias 1e-50'),
             ('no bias', "''|finite", '--map luminance --bias='))
    refusals(2, 'reduce max', ('linear values', 'f32|--linear decodes u8 and u16',
                               'data/chelsea-luma.npy --map luminance --linear'))


# ---- Radiance ----

def radiance(width, height, texels, packed, magic=b'#?RADIANCE'):
    """The bytes of a Radiance file, in which all rows are packed or none is."""
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
    return b'%s\n# made by a test\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n%s' % (
        magic, height, width, b''.join(rows))


def test_radiance():
    texels = [(i * 37 % 256, i * 91 % 256, i * 151 % 256, (0, 120, 128, 128, 140)[i * i % 5])
              for i in range(29 * 17)]
    texels[40:49] = [texels[40]] * 9
    expected = {'min': [0, 0, 0], 'max': [4080, 3904, 4080], 'argmax': [83, 28, 217]}
    for file, data, extra in (
            ('packed.hdr', radiance(29, 17, texels, True, b'#?RGBE'), '--as-image'),
            ('plain.hdr', radiance(29, 17, texels, False), '')):
        write(file, data)
        answer('a Radiance picture', f'reduce min,max,argmax {file} {extra}', expected, type='f32',
               channels=3, count=29 * 17)
        for cut in (1, 300, len(data) - 12):
            write('cut.hdr', data[:-cut])
            refusals(2, 'reduce', (f'cut by {cut}', 'cut.hdr|Radiance', 'max cut.hdr'))
    answer('tiles', 'reduce max packed.hdr --tiles 8x8 --as-image', {'max': Crc(0x80683bad)})
    with open('packed.hdr', 'rb') as file:
        found = run('reduce max -', stdin=file)
    ok(found and found['result'] == {'max': expected['max']}, 'from a pipe', found)
    head = data[:data.index(b'-Y')]
    for name, rest in (('a size of nothing', b'-Y 0 +X 0\n'), ('no size', b'17 29\n'),
                       ('a count of 0', b'-Y 1 +X 8\n\2\2\0\10' + bytes(60)),
                       ('a huge size', b'-Y 9999999 +X 9999999\n' + bytes(99)),
                       ('more than its rows', b'-Y 1 +X 1\n' + bytes(5)),
                       ('a long tail', b'-Y 1 +X 1\n' + bytes(500)),
                       ('a run of nothing', b'-Y 1 +X 2\n\1\1\1\2' + bytes(4))):
        write('bad.hdr', head + rest)
        refusals(2, 'reduce', (name, 'bad.hdr|Radiance', 'max bad.hdr'))
    write('bad.hdr', data.replace(b'32-bit_rle_rgbe', b'ascii'))
    refusals(2, 'reduce', ('numbers as text', "bad.hdr|'ascii'", 'max bad.hdr'))
    write('upright.hdr', data.replace(b'-Y 17 +X 29', b'+X 17 -Y 29'))
    answer('columns instead of rows', 'reduce max upright.hdr --segments rows:17', {
        'max': [[max(t[c] * 2.0**(t[3] - 136) if t[3] else 0 for t in texels[y::29])
                 for c in range(3)] for y in range(29)]}, channels=3, count=17 * 29)
    write('xyz.hdr', data.replace(b'rgbe', b'xyze'))
    for command, result in (('reduce max xyz.hdr', [4080, 3904, 4080]),
                            ('reduce max xyz.hdr --map luminance', 3904)):
        code, out, err = runner_tools.call(PROGRAM, *command.split(), '--json', '--verify')
        ok(code == 0 and err.count('\n') == 1 and 'X, Y and Z' in err and
           json.loads(out)['result'] == {'max': result}, f'a note says what is in it: {command}',
           out + err)


def test_refusals():
    write('small.png', png.encode(2, 2, png.RGB, bytes(12)))
    array('wide.npy', 'f64', [1.0] * 4, '(2, 2)')
    array('flat.npy', 'f32', [1.0] * 3)
    write('tall.png', png.encode(1, 70000, png.GREY, bytes(70000)))
    refusals(
        2, 'reduce max',
        ('an image of wide values', '32 bits', 'wide.npy --as-image'),
        ('an image of a flat array', 'two-dimensional', 'flat.npy --as-image'),
        ('an image of random numbers', 'picture', 'random:100 --as-image'),
        *((f'tiles of {tiles}', f"'{tiles}'|from 1 to 4294967295", f'small.png --tiles {tiles}')
          for tiles in ('4294967296x1', '1x99999999999999999999', '0x1', 'x', '3')),
        ('an image too tall', '70000|at most', 'tall.png --as-image'),
        *((f'an image with {option}', f'--as-image|{option.split()[0]}',
           f'small.png --as-image {option}')
          for option in ('--offset 3', '--stride 6', '--chunk 1KiB')),
        ('a map of wide values', 'f64|--map', 'wide.npy --map luminance'),
        ('a map in chunks', '--map|--chunk', 'small.png --map luminance --chunk 1KiB'),
        ('an unknown map', "'sqrt'|luminance, log2-luminance", 'small.png --map sqrt'),
        ('none as a map', "'none'", 'small.png --map none'))
    if MISLED:
        differences(('max', 'reduce max small.png --as-image'),
                    ('max', 'reduce max small.png --map luminance'))


with runner_tools.workplace():
    if not runner_tools.is_lacking(PROGRAM, 'shaderInt64', 'storageBuffer8BitAccess'):
        test_images()
        test_maps()
        test_linear()
    test_radiance()
    test_refusals()
