#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample boxblur and prints TAP: compares each byte with the mean of its box in Python,
and checks planted mistakes that --verify must find, and bad arguments and files.

boxblur.py PROGRAM MISLED [all]: see drawing.py.
"""
import os
import random
from itertools import accumulate
from drawing import MISLED, call, ok, refuse, run
from png import CHANNELS, GREY, GREY_ALPHA, PALETTE, RGB, RGBA, decode, encode


def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)
    return name


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def noise(*values):
    return random.randbytes(values[0] * values[1] * values[2])


def blur(width, height, channels, pixels, radius, focus):
    """The blurred pixels: a sum of rows for each column, then sums of columns."""
    row, out = width * channels, bytearray(len(pixels))
    for y in range(height):
        reach = radius
        if focus is not None:
            reach = radius * abs(y - focus) // max(focus, height - 1 - focus, 1)
        low, high = max(0, y - reach), min(height, y + reach + 1)
        columns = [sum(pixels[low * row + i:high * row:row]) for i in range(row)]
        for c in range(channels):
            sums = [0, *accumulate(columns[c::channels])]
            for x in range(width):
                left, right = max(0, x - reach), min(width, x + reach + 1)
                count = (high - low) * (right - left)
                out[y * row + x * channels + c] = (2 * (sums[right] - sums[left]) + count) // (
                    2 * count)
    return bytes(out)


def compare(name, size, colour, radius, focus=None, pixels=None, file=None):
    """Blurs `file`, or by default a plain PNG of these pixels, and compares the result."""
    pixels = pixels or noise(*size, CHANNELS[colour])
    write('in.png', file or encode(*size, colour, pixels))
    code, out, err = call('in.png', 'out.png', '--verify', '--radius', radius,
                          *([] if focus is None else ['--focus', focus]))
    said = f'all {4 * size[0] * size[1]} bytes are those of plain C\n'
    if code != 0 or out != said or err != '':
        ok(False, name, f'status {code}, {out}{err}')
        return
    *head, blurred = decode(read('out.png'))
    right = blur(*size, CHANNELS[colour], pixels, radius, focus)
    wrong = [i for i, pair in enumerate(zip(right, blurred)) if pair[0] != pair[1]]
    ok(head == [*size, colour] and len(blurred) == len(right) and not wrong, name,
       f'{head} for {[*size, colour]}, {len(wrong)} bytes differ, from {wrong[:1]}')


def test_pictures():
    for radius in 0, 4294967295:
        compare(f'one pixel, radius {radius}', (1, 1), RGBA, radius)
    compare('one pixel in focus', (1, 1), RGB, 9, 0)
    for colour in GREY, GREY_ALPHA, RGB, RGBA:
        compare(f'{CHANNELS[colour]} channels', (17, 13), colour, 2)
    for radius in 0, 3, 33:
        compare(f'257 x 129, radius {radius}', (257, 129), RGB, radius)
    for radius in 15, 16, 17, 4294967295:
        compare(f'17 x 33, radius {radius}', (17, 33), RGB, radius)
    compare('5000 x 1', (5000, 1), RGB, 7)
    compare('1 x 5000', (1, 5000), RGB, 7)
    compare('1 x 5000 in focus', (1, 5000), RGB, 40, 1234)
    for focus in 0, 30, 128:
        compare(f'row {focus} in focus', (65, 129), RGB, 20, focus)
    compare('the largest radius but for the focus', (9, 33), RGB, 4294967295, 12)
    compare('halves become the larger number', (2, 3), GREY, 1, pixels=bytes([6, 7] * 3))
    compare('white stays white', (64, 64), RGBA, 11, pixels=b'\xff' * 16384)
    palette = bytes([90, 60, 70, 200, 150, 101])
    compare('a palette', (2, 1), RGB, 1, pixels=palette,
            file=encode(2, 1, PALETTE, bytes([0, 1]), extra=[(b'PLTE', palette)]))


def test_options():
    write('in.png', encode(21, 21, RGB, noise(21, 21, 3)))
    default, eight = (call('in.png', name, *more) for name, more in
                      (('default.png', []), ('eight.png', ['--radius', 8])))
    ok(default == eight == (0, '', '') and read('default.png') == read('eight.png'),
       'the default radius, and no word without --verify', (default, eight))
    code, out, err = call('--help')
    ok(code == 0 and out.startswith('usage: boxblur IN.png') and err == '', '--help', out + err)
    code, out, err = call('--radius', 3, 'in.png', '--verify', 'in.png')
    ok(code == 0 and err == '', 'options before names, and a picture in place of itself', out + err)


def test_misled():
    write('in.png', encode(33, 9, RGB, noise(33, 9, 3)))
    for byte in None, 0, 600, 33 * 9 * 4 - 1:
        env = {} if byte is None else {'BOXBLUR_MISLED': str(byte)}
        code, out, err = call('in.png', 'misled.png', '--verify', program=MISLED, env=env)
        if byte is None:
            ok(code == 0 and err == '' and os.path.exists('misled.png'), 'no mistake', out + err)
            os.remove('misled.png')
        else:
            ok(code == 3 and out == '' and '1 of 1188 bytes differ' in err and
               not os.path.exists('misled.png'), f'a planted mistake is found: byte {byte}',
               f'status {code}, {out}{err}')


def test_refusals():
    good = write('good.png', encode(5, 7, RGB, noise(5, 7, 3)))
    write('cut.png', read(good)[:60])
    write('deep.png', encode(1, 1, GREY, b'\1\2', depth=16))
    for name, width, height in (('most', 65537, 257), ('more', 65537, 258)):  # 2^32 / 255 pixels
        write(name + '.png', encode(width, height, GREY, bytes((width + 7) // 8 * height), depth=1))
    before = sorted(os.listdir())
    for name, status, words, arguments in [
            ('no arguments', 2, 'usage|IN.png OUT.png', []),
            ('one name', 2, 'usage', [good]),
            ('three names', 2, 'usage', [good, 'out', 'more']),
            ('an unknown option', 2, '--boxes is not an option', [good, 'out', '--boxes', 3]),
            ('an option without its value', 2, '--radius|value', [good, 'out', '--radius']),
            ('a negative radius', 2, "--radius is '-1'|0 to 4294967295",
             [good, 'out', '--radius', -1]),
            ('half a radius', 2, "--radius is '1.5'", [good, 'out', '--radius', 1.5]),
            ('a radius of 2^32', 2, "--radius is '4294967296'",
             [good, 'out', '--radius', 4294967296]),
            ('a focus below the picture', 2, '--focus is 7|good.png has rows 0 to 6',
             [good, 'out', '--focus', 7]),
            ('no number for a focus', 2, "--focus is 'eyes'", [good, 'out', '--focus', 'eyes']),
            ('no such file', 2, 'none.png|No such file', ['none.png', 'out']),
            ('half a picture', 2, 'cut.png', ['cut.png', 'out']),
            ('16 bits', 2, 'deep.png|16 bits', ['deep.png', 'out']),
            ('more pixels than sums hold', 2, 'more.png has 65537 x 258|16843009 pixels',
             ['more.png', 'out']),
            ('a descriptor of lavapipe reaches fewer', 1, '65537 x 257 pixels|can blur',
             ['most.png', 'out']),
            ('no such device', 1, "is 'abacus'", [good, 'out', '--device', 'abacus']),
            ('an output in no folder', 1, 'none/out|No such file', [good, 'none/out'])]:
        refuse(name, status, words, *arguments)
    ok(sorted(os.listdir()) == before, 'refusals leave no file', os.listdir())


random.seed(1)
run(test_pictures, [test_options, test_misled], 'in.png', 'out.png', refusals=test_refusals)
