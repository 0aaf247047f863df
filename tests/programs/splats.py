#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample splats and prints TAP: checks the numbers that it prints, its pictures, files of
splats, right and wrong ones, planted mistakes that it must find, and bad arguments.

splats.py PROGRAM MISLED [all]: see drawing.py. It draws every sixth frame; all would take a minute.
"""
import math
import re
import struct
from drawing import MISLED, call, load, make, ok, refuse, run

SIZE = WIDTH, HEIGHT = 400, 225
NAMES = ['frame', 'unsorted']
FRAMES, SPLATS = 10, 200000
SKY = bytes((115, 158, 217))  # in the upper left corner
FIELDS = ['x', 'y', 'z', 'f_dc_0', 'f_dc_1', 'f_dc_2', 'opacity', 'scale_0', 'scale_1', 'scale_2',
          'rot_0', 'rot_1', 'rot_2', 'rot_3']


def facts(out):
    """The numbers of each line that is not the name of a file."""
    return [[float(number) for number in re.findall(r'\d+(?:\.\d+)?|nan', line)]
            for line in out.splitlines() if not line.endswith('.png')]


def check_facts(out, name, frames, splats=SPLATS, tiled=False):
    lines = facts(out)
    pairs, left_out = lines.pop(3) if tiled else (0, 0)
    (drawn, all_splats, drawn_in, cover), (lists, orders), (difference, *_), *times = lines
    ok(all_splats == frames * splats and drawn_in == frames and lists == orders == 0,
       f'{name}: all lists and orders are right', out)
    ok(not tiled or pairs > drawn and left_out == 0, f'{name}: tiles list their splats', out)
    ok(0 < drawn <= all_splats and cover > 0 and difference <= 1, f'{name}: the colours', out)
    ok(len(times) <= 1 and all(len(line) == 3 and min(line) >= 0 for line in times),
       f'{name}: the time of each stage', out)
    return drawn, cover, difference


def test_run():
    drawn, cover, difference = check_facts(make(NAMES, '--frames', FRAMES), 'a garden', FRAMES)
    ok(0.2 < drawn / (FRAMES * SPLATS) < 0.8, 'some of the splats are seen', drawn)
    ok(cover > 300, 'there are many at a pixel', cover)
    ok(difference < 0.5, 'colours are nearly those of the CPU', difference)
    rectangles = [load(name, SIZE) for name in NAMES]
    check_facts(make(NAMES, '--frames', 1, '--draw', 'tiles'), 'tiles', 1, tiled=True)
    differ = [max(abs(a - b) for a, b in zip(x, load(name, SIZE)))
              for name, x in zip(NAMES, rectangles)]
    ok(differ[0] <= 1 and differ[1] == 0, 'tiles draw what rectangles draw', differ)


def pixels_of(name):
    data = load(name, SIZE)
    return [data[i:i + 3] for i in range(0, len(data), 3)]


def test_pictures():
    frame, unsorted = map(pixels_of, NAMES)
    colours = len(set(frame))
    ok(colours > 5000 and frame[0] == SKY, 'a garden and a sky', (colours, frame[0]))
    differ = sum(max(abs(x - y) for x, y in zip(a, b)) > 16 for a, b in zip(frame, unsorted))
    ok(WIDTH * HEIGHT / 4 < differ, 'the order matters', differ)


def test_bits():
    code, out, err = call('--bits', 32, '--frames', 2, '--out', 'made')
    ok(code == 0 and err == '', 'all bits of a key', f'status {code}, {out}{err}')
    check_facts(out, 'all bits', 2)


# ---- Files ----

def splat(at, colour, scale=(0.2, 0.2, 0.2), turn=(1, 0, 0, 0), opacity=9):
    return [*at, *((c - 0.5) / 0.28209479 for c in colour), opacity, *map(math.log, scale), *turn]


def header(count, fields=None, form='binary_little_endian 1.0', kind='float'):
    return '\n'.join(['ply', f'format {form}', 'comment made by a test', f'element vertex {count}',
                      *(f'property {kind} {name}' for name in fields or FIELDS),
                      'end_header', ''])


def write(text, *splats):
    with open('test.ply', 'wb') as file:
        file.write(text.encode('latin-1'))
        for values in splats:
            file.write(struct.pack(f'<{len(values)}f', *values))


def draw(name, frames=1, splats=1):
    """Draws the file, and returns a function that gives the pixel at a place."""
    code, out, err = call('--ply', 'test.ply', '--frames', frames, '--out', 'made')
    ok(code == 0 and err == '', f'{name}: it is read', f'status {code}, {out}{err}')
    check_facts(out, name, frames, splats)
    pixels, data = pixels_of('frame'), load('frame', SIZE)
    code, out, err = call('--ply', 'test.ply', '--out', 'made', '--frames', frames,
                          '--draw', 'tiles')
    differ = max(abs(a - b) for a, b in zip(data, load('frame', SIZE)))
    ok(code == 0 and err == '' and differ <= 1, f'{name}: tiles draw the same',
       f'{differ}, status {code}, {out}{err}')
    return lambda x, y: pixels[(HEIGHT // 2 + y) * WIDTH + WIDTH // 2 + x]


def near(pixel, colour):
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour))


def test_places():
    red, green, blue, yellow = (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)
    write(header(6), splat((0, 0, 1), red), splat((0, 0, -1), green), splat((-2, 0, 0), blue),
          splat((2, 0, 0), yellow), splat((0, -2, 0), (1, 1, 1)), splat((0, 2, 0), (0, 0, 0)))
    at = draw('six splats', 12, 6)
    found = {name: [(x, y) for x in range(-200, 200) for y in range(-112, 113)
                    if near(at(x, y), [255 * c for c in colour])]
             for name, colour in (('red', red), ('green', green), ('blue', blue),
                                  ('yellow', yellow), ('black', (0, 0, 0)), ('white', (1, 1, 1)))}
    places = {name: [sum(c) / len(c) for c in zip(*some)] for name, some in found.items() if some}
    ok(len(places) == 6, 'six splats: each is seen', places)
    ok(places['blue'][0] < -20 < 20 < places['yellow'][0], 'x is to the right', places)
    ok(places['white'][1] < -20 < 20 < places['black'][1], 'y is down', places)
    ok(places['red'][1] > 0 > places['green'][1], 'the camera is above, and z towards it', places)


def test_shape():
    half = math.sqrt(0.5)
    c, s = math.cos(math.pi / 8), math.sin(math.pi / 8)
    for name, turn, along, across in (('to the right', (1, 0, 0, 0), (1, 0), (0, 1)),
                                      ('down', (half, 0, 0, half), (0, 1), (1, 0)),
                                      ('down to the right', (9 * c, 0, 0, 9 * s), (1, 1), (1, -1))):
        write(header(1), splat((5, 6, 7), (1, 0, 1), (0.5, 0.05, 0.05), turn))
        at = draw(f'a splat {name}')
        ends = [at(*(8 * sign * v for v in along)) for sign in (-1, 1)]
        sides = [at(*(8 * sign * v for v in across)) for sign in (-1, 1)]
        ok(all(near(p, (255, 0, 255)) or p[0] - p[1] > 100 for p in ends) and
           all(p[1] > 150 for p in sides), f'a splat {name}: its shape', (ends, sides))
    write(header(1), splat((0, 0, 0), (1, 0, 0), opacity=-9))
    ok(draw('a clear splat')(0, 0)[1] > 150, 'a clear splat: nothing is seen')


def test_kinds():
    """Properties that are not read, in any order, elements after the vertices, and line ends."""
    write(header(1, ['nx', *reversed(FIELDS), 'f_rest_0']).replace(
        'property float nx', 'property uchar nx\nproperty double ny').replace(
        'end_header', 'element face 3\nproperty list uchar int vertex_indices\nend_header')
        .replace('\n', '\r\n') + 9 * '!', list(reversed(splat((0, 0, 0), (0, 1, 0)))) + [7] * 9)
    ok(near(draw('another order')(0, 0), (0, 255, 0)), 'another order: its colour')


def wrong(name, words, text, *splats):
    write(text, *splats)
    code, out, err = call('--ply', 'test.ply')
    ok(code == 2 and out == '' and err.startswith('splats: test.ply ') and words in err and
       err.count('\n') == 1 and err.endswith('\n'), f'refused: a file with {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def test_wrong_files():
    one = splat((0, 0, 0), (1, 1, 1))
    text = header(1)
    wrong('no bytes', 'is not a .ply file', '')
    wrong('other bytes', 'is not a .ply file', 'png\n')
    wrong('text', 'ascii 1.0', header(1, form='ascii 1.0'), one)
    wrong('the other order of bytes', 'binary_big_endian', header(1, form='binary_big_endian 1.0'))
    wrong('half a header', 'ends inside its header', text[:text.index('end_header')])
    wrong('a line that does not end', 'does not end', text[:-1])
    wrong('a long line', 'too long', text.replace('made', 'm' * 300))
    wrong('no vertices', 'has no vertices', 'ply\nformat binary_little_endian 1.0\nend_header\n')
    wrong('other elements first', "'element face 1'", text.replace('vertex', 'face'), one)
    wrong('no number', "'element vertex some'", header('some'))
    wrong('a negative number', "'element vertex -18446744073709551615'",
          header('-18446744073709551615'))
    wrong('no splats', '0 splats', header(0))
    wrong('too many splats', '4000000000 splats', header(4000000000))
    wrong('fewer than none', 'splats', header(-1))
    wrong('another line', "'propertyfloat y'", text.replace('property float y', 'propertyfloat y'))
    wrong('a property too early', "'property float x'",
          text.replace('element', 'property float x\nelement'))
    wrong('a list', 'property list', text.replace('float y', 'list uchar int y'))
    wrong('another type', 'property half y', text.replace('float y', 'half y'))
    wrong('doubles', 'x as double', header(1, kind='double'))
    wrong('twice the same', 'two properties x', header(1, [*FIELDS, 'x']))
    wrong('large vertices', 'more than 4096 bytes', header(1, [*FIELDS, *map(str, range(1100))]))
    for field in ('x', 'f_dc_2', 'rot_3'):
        wrong(f'no property {field}', f'lacks the property {field}\n',
              header(1, [name for name in FIELDS if name != field]), one[1:])
    wrong('no splat', 'inside splat 0 of 2', header(2))
    wrong('half a splat', 'inside splat 1 of 2', header(2), one, one[:-1])
    for place, value, field in ((0, math.nan, 'x'), (2, math.inf, 'z'), (6, -math.inf, 'opacity'),
                                (8, 13, 'scale_1')):
        wrong(f'{field} is {value}', f'splat 1 whose {field} is', header(2), one,
              [*one[:place], value, *one[place + 1:]])
    wrong('no rotation', 'splat 0 whose rotation is 0', text, one[:-4] + 4 * [0])
    refuse('no file', 2, 'none.ply|No such file', '--ply', 'none.ply')
    refuse('a folder', 2, '.|is not a .ply file', '--ply', '.')


def test_misled():
    for mistake, line, number, value in (('none', 1, 0, 0), ('count', 1, 0, 1), ('key', 1, 0, 1),
                                         ('order', 1, 1, 1), ('colour', 2, 0, 1.1),
                                         ('opacity', 2, 0, 1.1), ('nan', 2, 0, math.nan),
                                         ('no tile', 1, 1, 0), ('tile', 1, 1, 1),
                                         ('splat of a tile', 1, 1, 1), ('start of a tile', 1, 1, 1),
                                         ('tiles without room', 3, 1, 1)):
        write(header(3), *(splat((0, 0, z), (1, 1, 1)) for z in range(3)))
        tiled = ['--draw', 'tiles'] if 'tile' in mistake else []
        code, out, err = call('--ply', 'test.ply', '--frames', 2, *tiled, program=MISLED,
                              env={'SPLATS_MISLED': mistake})
        found = facts(out)[line][number]
        ok(code == (0 if mistake in ('none', 'no tile') else 3) and
           (abs(found - value) < 0.01 or math.isnan(found) and math.isnan(value)),
           f'a planted mistake is found: {mistake}', f'status {code}, {out}{err}')


def test_arguments():
    refuse('no frames', 2, "--frames is '0'", '--frames', 0)
    refuse('more frames', 2, "--frames is '61'", '--frames', 61)
    refuse('frames that are no number', 2, "--frames is '3x'", '--frames', '3x')
    refuse('other bits', 2, "--bits is '24'", '--bits', 24)
    refuse('other shapes', 2, "--draw is 'circles'", '--draw', 'circles')
    refuse('all bits with tiles', 2, '--bits is 32|with --draw tiles', '--bits', 32, '--draw',
           'tiles')


run(test_run, [test_pictures, test_bits, test_places, test_shape, test_kinds, test_wrong_files,
               test_misled, test_arguments], '--frames', '1')
