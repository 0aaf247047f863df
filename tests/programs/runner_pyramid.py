#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the command pyramid of the program vkreduce: all levels of all operators. Prints TAP."""
import os
import struct

import png
import runner_tools
from runner_tools import (MISLED, PROGRAM, Crc, answer, array, call, differences, load_npy, npy, ok,
                          pack, read, refusals, run, write)


def check(source, kind, size, channels, command, **results):
    """Each result has the checksum of the values of all levels, from the largest to 1x1, the
    checksum of the pixels of all pictures, and the values of the last level. numpy has computed
    them."""
    sizes = [list(size)]
    while sizes[-1] != [1, 1]:
        sizes.append([max(1, side // 2) for side in sizes[-1]])
    folder = f'{source.split("/")[-1]}-{"-".join(command.split())}'
    label = f'{source}: {command}'
    answer(label, f'pyramid {command} {source} -o {folder}',
           {'levels': sizes, **{name: result[2] for name, result in results.items()}}, type=kind,
           channels=channels)
    files = set()
    for name, (values, pixels, _) in results.items():
        found = pictures = b''
        for k, (w, h) in enumerate(sizes[1:], 1):
            shape = (h, w) + ((channels,) if channels > 1 else ())
            level = load_npy(f'{folder}/{name}-{k}.npy')
            if level[:2] == ('f32' if name == 'average' else kind, shape):
                found += level[2]
            files |= {f'{name}-{k}.npy', *([] if kind == 'f32' else [f'{name}-{k}.png'])}
            if kind == 'u8':
                pictures += png.decode(read(f'{folder}/{name}-{k}.png'))[3]
        ok(values == found and pixels in (None, pictures), f'{label}: {name} of all levels',
           f'{Crc.of(found):#x} {Crc.of(pictures):#x}')
    ok(set(os.listdir(folder)) == files, f'{label}: these files and no others')


def test_photographs():
    low = Crc(0xca37f155), Crc(0xca37f155), [2, 4, 0]
    high = Crc(0x35c3fd64), Crc(0x35c3fd64), [215, 189, 231]
    chelsea = 'data/chelsea.png', 'u8', (451, 300), 3
    check(*chelsea, 'minmax', min=low, max=high)
    check(*chelsea, 'max', max=high)
    check(*chelsea, 'average', average=(
        Crc(0x1f0c087e), Crc(0x988b9f28), [147.67312622070312, 111.44450378417969,
                                          86.79786682128906]))
    check('data/camera.png', 'u8', (512, 512), 1, 'average',
          average=(Crc(0x294ac59d), Crc(0x15dee1d7), 129.06072998046875))


def test_shapes():
    """Pictures with one row, one column or one texel, and values of more than 8 bits."""
    values = [i * i * 7919 for i in range(210)]
    write('dot.png', png.encode(1, 1, png.GREY, b'\7'))
    write('row.png', png.encode(13, 1, png.GREY_ALPHA, bytes(v % 251 for v in values[:26])))
    write('column.png', png.encode(1, 30, png.RGBA, bytes(v % 251 for v in values[:120])))
    deep = [v % 65521 for v in values]
    write('deep.png', png.encode(21, 10, png.GREY, struct.pack('>210H', *deep), depth=16))
    array('deep.npy', 'u16', deep, '(10, 21)')
    array('floats.npy', 'f32', [(v % 2003 - 1000) / 64 for v in values], '(10, 21)')
    check('dot.png', 'u8', (1, 1), 1, 'min', min=(Crc(0), Crc(0), 7))
    check('row.png', 'u8', (13, 1), 2, 'minmax', min=(Crc(0xf15bb652), None, [0, 116]),
          max=(Crc(0x86557a19), Crc(0x86557a19), [246, 238]))
    check('column.png', 'u8', (1, 30), 4, 'average', average=(
        Crc(0x2f86745e), Crc(0xdb2fe1ed), [131.63336181640625, 129.96669006347656,
                                          128.20001220703125, 134.7000274658203]))
    check('floats.npy', 'f32', (21, 10), 1, 'minmax', min=(Crc(0x0e247d75), None, -15.625),
          max=(Crc(0x719fd9cc), None, 15.59375))
    check('floats.npy', 'f32', (21, 10), 1, 'average',
          average=(Crc(0x2984d63d), None, 0.2708333134651184))
    check('deep.npy', 'u16', (21, 10), 1, 'average', average=(Crc(0x5f8aea28), None, 34089.3515625))
    test_halves(values)
    code, out, _ = call(PROGRAM, 'pyramid', '--algorithm', 'help')
    algorithms = [line.split()[0] for line in out.splitlines()]
    ok(code == 0 and 'auto' in algorithms and
       all(len(line.split()) > 3 for line in out.splitlines()), 'algorithms', out)
    for algorithm in algorithms:
        check('deep.png', 'u16', (21, 10), 1, f'minmax --algorithm {algorithm}',
              min=(Crc(0x4cef22fb), None, 0), max=(Crc(0x0cedcfb6), None, 64810))


def test_halves(values):
    """Values of f16 give the levels of the same values of f32."""
    halves = [(v % 2003 - 1000) / 64 for v in values[:24]]
    array('halves.npy', 'f16', halves, '(6, 4)')
    array('same.npy', 'f32', halves, '(6, 4)')
    for op in ('minmax', 'average'):
        answer('halves', f'pyramid {op} halves.npy -o halves', None, type='f16')
        run(f'pyramid {op} same.npy -o same')
        ok(sorted(os.listdir('halves')) == sorted(os.listdir('same')) != [] and
           all(load_npy(f'halves/{name}') == load_npy(f'same/{name}') for name in os.listdir('same')),
           f'the levels of halves are those of floats: {op}', os.listdir('halves'))


def test_older_levels():
    """A folder with pictures of an earlier, larger pyramid, and with other files. Levels beyond the
    last one of the new picture go, whatever their operator."""
    write('large.png', png.encode(9, 9, png.GREY, bytes(range(81))))
    write('small.png', png.encode(3, 2, png.GREY, bytes(range(6))))
    array('few.npy', 'f32', [1.0] * 6, '(2, 3)')
    os.mkdir('levels')
    others = {'max-17.npy', 'max-1.txt', 'max-0.npy', 'max-2.npy.bak', 'mean-2.npy', 'xmax-2.npy',
              'max-02.npy', 'picture.png'}
    for name in others:
        write(f'levels/{name}', b'')
    os.mkdir('levels/max-5.npy')
    others.add('max-5.npy')
    run('pyramid minmax large.png -o levels')
    run('pyramid average large.png -o levels')
    low = {f'{name}-1.{end}' for name in ('min', 'average') for end in ('npy', 'png')}
    for source, left in (('small.png', {'max-1.npy', 'max-1.png', *low}),
                         ('few.npy', {'max-1.npy', *low}), ('dot.png', set())):
        run(f'pyramid max {source} -o levels')
        found = set(os.listdir('levels')) - others
        ok(found == left, f'levels of {source} and no older ones', found)
    run('pyramid max large.png -o levels')
    before = set(os.listdir('levels'))
    call(PROGRAM, *'pyramid max flat.npy -o levels'.split())
    ok(set(os.listdir('levels')) == before, 'a run that fails removes nothing')
    ok(others <= set(os.listdir('levels')), 'what is no level stays', os.listdir('levels'))


def test_refusals():
    write('picture.png', png.encode(2, 2, png.GREY, bytes(4)))
    npy('flat.npy', pack('u8', [1, 2, 3]), '|u1', '(3,)')
    array('wide.npy', 'f64', [1.0] * 4, '(2, 2)')
    write('file')
    refusals(2, 'pyramid',
             ('no directory', 'DIRECTORY', 'min picture.png'),
             ('an unknown operator', "'sum'|min, max, minmax or average", 'sum picture.png -o out'),
             ('no picture', 'two-dimensional', 'min flat.npy -o out'),
             ('wide floats', 'u8, u16, f16 or f32', 'min wide.npy -o out'),
             ('no data', 'there is no data|give a picture', 'min file -o out'),
             ('no file', 'missing.png', 'min missing.png -o out'),
             ('an unknown algorithm', 'pingpong', 'min picture.png -o out --algorithm x'))
    refusals(1, 'pyramid min picture.png -o',
             ('a file in place of the directory', 'file/min-1.npy', 'file'),
             ('a directory in a missing one', 'no/out', 'no/out'))
    if MISLED:
        differences(('level 1', 'pyramid max picture.png -o out'))


with runner_tools.workplace():
    test_photographs()
    test_shapes()
    test_older_levels()
    test_refusals()
