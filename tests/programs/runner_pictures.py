#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what the program vkreduce makes of pictures of all kinds, made by other programs or here.
Prints TAP."""
import os
import resource
import struct

import png
import runner_tools
from runner_tools import (PROGRAM, Near, answer, array, ok, read, refusals, refuse, run, write)

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files')


# ---- PNG ----

def test_png():
    """A transparent colour gives an alpha channel, and few bits become eight."""
    half = struct.pack('>H', 7)
    for name, depth, colour, pixels, key, maxima, minima in [
            ('grey of 1 bit', 1, png.GREY, b'\xa0', struct.pack('>H', 1), [255, 255], [0, 0]),
            ('grey of 2 bits', 2, png.GREY, b'\x18', struct.pack('>H', 2), [170, 255], [0, 0]),
            ('grey of 4 bits', 4, png.GREY, b'\x17\xf0', half, [255, 255], [17, 0]),
            ('grey', 8, png.GREY, b'\7\x09\7', half, [9, 255], [7, 0]),
            ('16 bits', 16, png.GREY, b'\0\7\1\7\2\7', half, [0x207, 65535], [7, 0]),
            ('colours', 8, png.RGB, bytes([1, 2, 3, 4, 5, 6, 7, 8, 9]),
             struct.pack('>3H', 4, 5, 6), [7, 8, 9, 255], [1, 2, 3, 0]),
            ('colours of 16 bits', 16, png.RGB, struct.pack('>9H', *range(1000, 1009)),
             struct.pack('>3H', 1003, 1004, 1005), [1006, 1007, 1008, 65535],
             [1000, 1001, 1002, 0]),
            ('none of the colours', 8, png.RGB, bytes(range(9)), struct.pack('>3H', 0, 1, 3),
             [6, 7, 8, 255], [0, 1, 2, 255])]:
        file = write('key.png', png.encode(3, 1, colour, pixels, depth, [(b'tRNS', key)]))
        answer(f'transparent, {name}', f'reduce max,min {file}', {'max': maxima, 'min': minima},
               type='u16' if depth == 16 else 'u8', channels=len(maxima), count=3)
        file = write('key.png', png.encode(3, 1, colour, pixels, depth))
        answer(f'without it, {name}', f'reduce max {file}',
               {'max': maxima[0] if len(maxima) == 2 else maxima[:-1]})
    palette = [(b'PLTE', bytes([9, 8, 7, 6, 5, 4])), (b'tRNS', b'\x80')]
    write('palette.png', png.encode(3, 1, png.PALETTE, b'\0\1\0', 8, palette))
    write('lacks.png', png.encode(3, 2, png.PALETTE, b'\0\1\0\1\2\0', 8, palette))
    answer('a palette', 'reduce max,min palette.png',
           {'max': [9, 8, 7, 255], 'min': [6, 5, 4, 128]})
    head = struct.pack('>IIBBBBB', 100000, 100000, 8, png.RGB, 0, 0, 0)
    write('huge.png', b'\x89PNG\r\n\x1a\n', png.chunk(b'IHDR', head), png.chunk(b'IDAT', b'\0'))
    refusals(
        2, 'reduce max',
        ('no such colour', 'pixel (1, 1) has colour 2|lacks|has 2', 'lacks.png'),
        ('more than fits', 'more pixels than its bytes', 'huge.png'))


# ---- Radiance ----

def test_radiance():
    """A picture that ImageMagick made: rows of red, of both, and of blue."""
    answer('of ImageMagick', f'reduce sum,max,argmax files/magick.hdr',
           {'sum': [13.5, 0, 13.5], 'max': [1, 0, 1], 'argmax': [0, 0, 18]}, type='f32', count=27)


def test_radiance_memory():
    """Few bytes that promise many pixels are refused before the pixels get memory, and a signal ends
    the reading between two rows."""
    head = b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n'
    pixel, run_of = b'\x80\x80\x80\x80', b'\1\1\1'
    write('long.hdr', head % (1, 2**31 - 1), pixel, run_of, b'\xfe', run_of, b'\xff', run_of,
          b'\xff', run_of, b'\x7f')
    write('wide.hdr', head % (3, 65536), 3 * (pixel + run_of + b'\xff' + run_of + b'\xff'))
    refuse(PROGRAM, 'a row of 25 GB', 2, '2147483647 x 1 pixels in|at most 65536 for each byte',
           'reduce', 'max', 'long.hdr', preexec_fn=limit_memory)
    answer('a row of 64 Ki', 'reduce sum,max wide.hdr', {'sum': [3 * 2**15] * 3, 'max': [0.5] * 3},
           count=3 * 65536)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))


# ---- OpenEXR ----

def exr_of(channels, width, height, tile=None):
    """An OpenEXR picture without compression. `channels` has a function of x and y for each name;
    with `tile` it consists of tiles of this size."""
    def attribute(name, kind, data):
        return name.encode() + b'\0' + kind.encode() + b'\0' + struct.pack('<i', len(data)) + data
    names = sorted(channels)
    window = struct.pack('<4i', 0, 0, width - 1, height - 1)
    listed = b''.join(name.encode() + struct.pack('<xi4x2i', 2, 1, 1) for name in names)
    head = struct.pack('<2i', 20000630, 2 | (512 if tile else 0))
    head += attribute('channels', 'chlist', listed + b'\0')
    head += attribute('compression', 'compression', b'\0')
    head += attribute('dataWindow', 'box2i', window) + attribute('displayWindow', 'box2i', window)
    head += attribute('lineOrder', 'lineOrder', b'\0')
    head += attribute('pixelAspectRatio', 'float', struct.pack('<f', 1))
    head += attribute('screenWindowCenter', 'v2f', bytes(8))
    head += attribute('screenWindowWidth', 'float', struct.pack('<f', 1))
    if tile:
        head += attribute('tiles', 'tiledesc', struct.pack('<2IB', *tile, 0))
    head += b'\0'
    step = tile or (width, 1)
    chunks = []
    for top in range(0, height, step[1]):
        for left in range(0, width, step[0]):
            data = b''.join(struct.pack('<f', channels[name](x, y))
                            for y in range(top, min(height, top + step[1])) for name in names
                            for x in range(left, min(width, left + step[0])))
            where = (left // step[0], top // step[1], 0, 0) if tile else (top,)
            chunks.append(struct.pack(f'<{len(where) + 1}i', *where, len(data)) + data)
    at, table = len(head) + 8 * len(chunks), b''
    for chunk in chunks:
        table += struct.pack('<Q', at)
        at += len(chunk)
    return head + table + b''.join(chunks)


def test_exr_order():
    """Channels are ordered by their layers, then by colour, then by name; the tiles of a picture lie
    where they belong, whatever their size."""
    for names in (['A.R', 'A.G', 'A.H.z'], ['G', 'Z', 'a.R', 'a.B'], ['a.R', 'a.x', 'a.B.R'],
                  ['B', 'A', 'x', 'y'], ['Y', 'B.R', 'B.A', 'BY.R'], ['p.q.A', 'p.q.u', 'p.q.v'],
                  ['R', 'G', 'Red', 'xR'], ['ab', 'a.R', 'a.G', 'aa.R']):
        write('order.exr', exr_of({name: lambda x, y, i=i: i for i, name in enumerate(names)}, 2, 1))
        answer(f'the order {names}', 'reduce max order.exr',
               {'max': [*range(len(names))]}, type='f32')
    for tile in ((3, 2), (4, 5), (1, 1), (16, 16)):
        write('tiles.exr', exr_of({'G': lambda x, y: x * 10 + y, 'R': lambda x, y: -x - y * 10}, 7, 5,
                                  tile))
        answer(f'tiles of {tile}', 'reduce max tiles.exr --segments rows:1',
               {'max': [[-x - y * 10, x * 10 + y] for y in range(5) for x in range(7)]}, count=35)

def texel(channel, x, y):
    """The value that the pictures have, a multiple of 1/4."""
    return (channel + 1) * 100 + x * 7 - y * 3 + x * y % 5 / 4


def as_stored(kind, value):
    return int(value) if kind == 'u32' else struct.unpack('<e', struct.pack('<e', value))[0] if (
        kind == 'f16') else value


def is_lacking_exr():
    """Whether the program is built without OpenEXR; it then says so."""
    write('cut.exr', read('files/half.exr')[:-9])
    lacking = 'this build' in runner_tools.call(PROGRAM, 'reduce', 'max', 'cut.exr')[2]
    if lacking:
        refuse(PROGRAM, 'OpenEXR is not built in', 2, 'cut.exr|OpenEXR|libopenexr-dev', 'reduce',
               'max', 'cut.exr')
    return lacking


def test_exr():
    """Pictures of 7 x 5 pixels that OpenEXR made, with the channels R, G, B, A and Z, or Y."""
    for file, kind, channels, options in [
            ('half', 'f16', [0, 1, 2, 3], ''), ('zip', 'f16', [0, 1, 2], ''),
            ('tiles', 'f32', [0, 1, 2], ''), ('pxr24', 'f32', [0], ''), ('mip', 'f16', [0], ''),
            ('uint', 'u32', [0], ''), ('layer', 'f16', [0, 1, 2], ''),
            ('types', 'f32', [4], '--channels Z'), ('types', 'f16', [0], '--channels R'),
            ('many', 'f16', [4, 0, 2], '--channels Z,R,B'), ('many', 'f16', [3], '--channels A'),
            ('layer', 'f16', [1, 0], '--channels d.G,d.R')]:
        for name, streams in ((f'files/{file}.exr', {}),
                              ('-', {'input': read(f'files/{file}.exr')})):
            values = [[as_stored(kind, texel(c, x, y)) for c in channels]
                      for y in range(5) for x in range(7)]
            answer('pixels', f'reduce max {name} {options} --segments rows:1',
                   {'max': values if len(channels) > 1 else [v[0] for v in values]}, type=kind,
                   channels=len(channels), count=35, streams=streams)
    answer('as an image', f'reduce sum files/tiles.exr --as-image --channels G',
           {'sum': sum(texel(1, i % 7, i // 7) for i in range(35))})
    weighted = [0.2126 * texel(0, i % 7, i // 7) + 0.7152 * texel(1, i % 7, i // 7) +
                0.0722 * texel(2, i % 7, i // 7) for i in range(35)]
    for names in ('R,G,B', 'B,G,R'):
        answer(f'the luminance of {names}',
               f'reduce max files/tiles.exr --channels {names} --map luminance',
               {'max': Near(max(weighted))}, channels=1)
    answer('the luminance of any one', 'reduce max files/many.exr --channels Z --map luminance',
           {'max': max(texel(4, i % 7, i // 7) for i in range(35))}, channels=1)
    refuse(PROGRAM, 'the luminance of red and depth', 2, 'R, G and B|--channels', 'reduce', 'max',
           'files/many.exr', '--channels', 'R,G,Z', '--map', 'luminance')
    run('pyramid max -o levels', 'files/tiles.exr', '--channels=R')
    ok(runner_tools.read_npy('levels/max-2.npy') == ('f32', (1, 1), [texel(0, 6, 0)]),
       'a pyramid of a channel')
    code, out, err = runner_tools.call(PROGRAM, 'reduce', 'max', 'files/parts.exr')
    ok(code == 0 and '2 parts' in err and 'the first is read' in err and err.count('\n') == 1,
       'a note says that there are more parts', out + err)
    write('pixels.exr', read('files/uint.exr').replace(
        struct.pack('<4i', 0, 0, 6, 4), struct.pack('<4i', 0, 0, 99999, 99999)))
    refusals(
        2, f'reduce max --channels R,Q files/zip.exr', ('no such channel', "'Q'|R (half)", ''))
    refusals(
        2, f'reduce max --channels R,R files/zip.exr', ('one twice', "'R' twice", ''))
    refusals(
        2, f'reduce max --channels R,G,B,A,Z files/many.exr', ('five', 'at most 4', ''))
    refusals(
        2, f'reduce max --channels BY files/chroma.exr', ('few', "'BY'|2 x 2 pixels|Y (half)", ''))
    refusals(
        2, 'reduce max',
        ('more than four', '5 channels|R (half)|Z (half)|--channels', 'files/many.exr'),
        ('several types', 'R (half), Z (float)|--channels', 'files/types.exr'),
        ('deep data', 'deep|flatten', 'files/deep.exr'),
        ('B44', 'B44|exrmaketiled', 'files/b44.exr'))
    answer('in scan', 'scan max files/zip.exr --channels G -o out.npy', None, type='f16', channels=1)
    answer('in compact', "compact 'x<0' files/zip.exr --channels B,G",
           {'kept': 0, 'rejected': 35}, type='f16', channels=2)
    answer('in histogram', 'histogram files/zip.exr --channels B --bins 1 --range 0:999 -o out.npy',
           None, type='f16', channels=1, files={'out.npy': ('u64', (1,), [35])})
    array('a.npy', 'f32', [1])
    refusals(
        2, 'reduce max',
        ('its end is missing', 'cut.exr|OpenEXR', 'cut.exr'),
        ('more than it can hold', '100000 x 100000 pixels|bytes can hold', 'pixels.exr'),
        ('channels of an array', '--channels|no OpenEXR picture', 'a.npy --channels R'))


with runner_tools.workplace():
    os.symlink(FILES, 'files')
    test_png()
    test_radiance()
    test_radiance_memory()
    if not is_lacking_exr():
        test_exr()
        test_exr_order()
