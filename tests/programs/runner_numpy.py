#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pyramids and tiles of photographs by the program vkreduce, against numpy, as TAP: every level of
every operator, and every tile, without a tolerance.

runner_numpy.py DATA VKREDUCE: DATA is samples/data.
"""
import json
import os
import sys
import tempfile

import numpy as np
import png
import runner_tools
from runner_tools import ok

DATA, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
F32 = np.float32


def load(path):
    """Rows, columns and channels; the pixels of a file."""
    with open(path, 'rb') as file:
        width, height, colour, pixels = png.decode(file.read())
    return np.frombuffer(pixels, np.uint8).reshape(height, width, png.CHANNELS[colour])


def run(*arguments):
    code, out, err = runner_tools.call(PROGRAM, *arguments, '--json')
    if code != 0 or err != '':
        print(f'# {arguments}: status {code}, {err}')
        return {}
    return json.loads(out)['result']


# ---- Pyramids ----

def cover(m):
    """For each texel of a level the texels of the m below: index, whether it is one of them, and its
    weight, as (up to three) columns; the weights in f32, as pyramid.h defines them."""
    n = max(1, m // 2)
    i = np.arange(n)
    first, end = i * m // n, -(-(i + 1) * m // n)
    for step in range(int((end - first).max())):
        j = first + step
        inside = j < end
        share = np.minimum((i + 1) * m, (j + 1) * n) - np.maximum(i * m, j * n)
        weight = np.full(n, F32(0.5)) if m == 2 * n else share.astype(F32) * (F32(1) / F32(m))
        yield np.minimum(j, m - 1), inside, np.where(inside, weight, F32(0))


def along(values, axis, name):
    """Combines along one axis. A texel that is not covered adds +0, or repeats one that is."""
    result = None
    shape = [-1 if a == axis else 1 for a in range(3)]
    for j, inside, weight in cover(values.shape[axis]):
        texels = values.take(j, axis)
        if name == 'average':
            texels = texels * weight.reshape(shape)
        elif result is not None:
            texels = np.where(inside.reshape(shape), texels, result)
        combine = {'min': np.minimum, 'max': np.maximum, 'average': np.add}[name]
        result = texels if result is None else combine(result, texels)
    return result


def check_pyramid(photograph, pixels, op, names):
    folder = f'{photograph}-{op}'
    result = run('pyramid', op, f'{DATA}/{photograph}.png', '-o', folder)
    for name in names:
        values = pixels.astype(F32) if name == 'average' else pixels
        wrong, level = [], 0
        while max(values.shape[:2]) > 1:
            level += 1
            values = along(along(values, 1, name), 0, name)
            stored = np.load(f'{folder}/{name}-{level}.npy')
            expected = values.reshape(stored.shape) if values.shape[2] == 1 else values
            picture = load(f'{folder}/{name}-{level}.png')
            if stored.dtype != values.dtype or not np.array_equal(stored, expected):
                wrong.append(level)
            if not np.array_equal(picture, np.rint(values).astype(np.uint8)):
                wrong.append(f'{level}.png')
        ok(level == max(pixels.shape[:2]).bit_length() - 1 and not wrong, f'{photograph}: {name} by {op}, {level} levels', wrong)
        top = np.atleast_1d(result.get(name, []))
        ok(np.array_equal(top, values.ravel().astype(float)), f'{photograph}: {name} of the whole',
           (top, values))


# ---- Tiles ----

def check_tiles(photograph, pixels, width, height, *options):
    ops = {'min': np.min, 'max': np.max, 'sum': np.sum, 'argmax': np.argmax}
    result = run('reduce', ','.join(ops), f'{DATA}/{photograph}.png', '--tiles',
                 f'{width}x{height}', *options)
    tiles = [pixels[y:y + height, x:x + width].reshape(-1, pixels.shape[2])
             for y in range(0, pixels.shape[0], height) for x in range(0, pixels.shape[1], width)]
    for op, combine in ops.items():
        expected = np.array([combine(tile.astype(np.int64), axis=0) for tile in tiles])
        found = np.array(result.get(op, [])).reshape(-1, pixels.shape[2])
        ok(np.array_equal(found, expected),
           f'{photograph}: {op} of tiles of {width} x {height} {" ".join(options)}')


def check_luminance(photograph, pixels):
    """The sum of products in f32, from red to blue."""
    weights = [F32(0.2126), F32(0.7152), F32(0.0722)]
    r, g, b = (pixels[:, :, c].astype(F32) * weights[c] for c in range(3))
    luminance = r + g + b
    for options in ([], ['--as-image']):
        result = run('reduce', 'min,max,argmax', f'{DATA}/{photograph}.png', '--map', 'luminance',
                     *options)
        ok(result == {'min': float(luminance.min()), 'max': float(luminance.max()),
                      'argmax': int(luminance.argmax())},
           f'{photograph}: luminance {" ".join(options)}', result)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for photograph in ('astronaut', 'camera', 'chelsea'):
        pixels = load(f'{DATA}/{photograph}.png')
        check_pyramid(photograph, pixels, 'minmax', ('min', 'max'))
        check_pyramid(photograph, pixels, 'average', ('average',))
        check_tiles(photograph, pixels, 16, 16)
        check_tiles(photograph, pixels, 100, 37, '--as-image')
        if pixels.shape[2] == 3:
            check_luminance(photograph, pixels)
    pixels = load(f'{DATA}/chelsea.png')
    for op in ('min', 'max'):
        check_pyramid('chelsea', pixels, op, (op,))
    os.chdir('/')
runner_tools.finish()
