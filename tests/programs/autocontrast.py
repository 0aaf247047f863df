#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample autocontrast and prints TAP: compares every pixel with the same stretch in
Python, and checks bad arguments and files.

autocontrast.py DATA PROGRAM [all]: DATA is samples/data. With `all`, for one driver, it also tests
what does not depend on the driver, such as refusals and a full disk; this driver must work without
writing files. If VK_INSTANCE_LAYERS names the validation layer, it must print no message.
"""
import os
import random
import resource
import subprocess
import sys
import tempfile
from png import CHANNELS, GREY, GREY_ALPHA, PALETTE, RGB, RGBA, decode, encode

DATA, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
tests = failures = 0
largest = 0.0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments, env=None, **options):
    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})},
                          **options)
    return done.returncode, done.stdout, done.stderr


# ---- Files ----

def write(name, data):
    with open(name, 'wb') as file:
        file.write(data)
    return name


def read(name):
    with open(name, 'rb') as file:
        return file.read()


# ---- Pictures ----

def difference(colour, before, after):
    """The largest difference between the drawn picture and the stretched input."""
    count = CHANNELS[colour]
    colours = [c for c in range(count) if colour in (GREY, RGB) or c < count - 1]
    black = min(min(before[c::count]) for c in colours)
    white = max(max(before[c::count]) for c in colours)
    worst = 0.0
    for c in range(count):
        for value, drawn in set(zip(before[c::count], after[c::count])):
            stretched = c in colours and black < white
            right = (value - black) * 255 / (white - black) if stretched else value
            worst = max(worst, abs(drawn - right))
    return worst


def compare(name, size, colour, pixels, file=None, most=1.0):
    """Draws `file`, or by default a plain PNG of these pixels, and compares the result."""
    global largest
    write('in.png', file or encode(*size, colour, pixels))
    code, out, err = call('in.png', 'out.png')
    if code != 0 or out + err != '':
        ok(False, name, f'status {code}, {out}{err}')
        return
    *head, after = decode(read('out.png'))
    worst = difference(colour, pixels, after) if head == [*size, colour] else 256
    largest = max(largest, worst)
    ok(worst <= most and len(after) == len(pixels), name,
       f'{head} for {[*size, colour]}, largest difference {worst} of 255')


def noise(count, *ranges):
    """Random pixels; `ranges` has the range of each channel."""
    return bytes(random.randint(*each) for _ in range(count) for each in ranges)


def test_pictures():
    compare('grey', (40, 30), GREY, noise(1200, (100, 140)))
    compare('one stretch for all colours', (40, 30), RGB,
            noise(1200, (80, 120), (60, 90), (100, 150)))
    compare('RGBA: alpha does not count or change', (33, 9), RGBA,
            noise(297, (90, 120), (60, 90), (100, 150), (0, 255)))
    compare('grey and alpha', (33, 9), GREY_ALPHA, noise(297, (90, 120), (0, 255)))
    for size in (1, 1), (3, 7), (1, 5000), (5000, 1), (257, 129):
        compare('%u x %u' % size, size, RGB, noise(size[0] * size[1], *[(70, 130)] * 3))
    compare('one pixel of three values', (1, 1), RGB, bytes([10, 20, 30]))
    for at in 0, 20000, 257 * 129 - 1:
        pixels = bytearray(noise(257 * 129, *[(90, 110)] * 3))
        pixels[3 * at:3 * at + 3] = 100, 30, 230
        compare(f'the extremes in pixel {at} only', (257, 129), RGB, bytes(pixels))
    compare('two neighbouring values', (16, 16), GREY, noise(256, (7, 8)))
    compare('a constant grey picture stays', (5, 4), GREY, bytes([77] * 20), most=0)
    compare('a constant RGBA picture stays', (5, 4), RGBA, bytes([77, 77, 77, 5] * 20), most=0)
    compare('the full range stays', (16, 16), GREY, bytes(range(256)), most=0)
    palette = (b'PLTE', bytes([90, 60, 70, 200, 150, 100]))
    compare('a palette', (2, 1), RGB, palette[1],
            encode(2, 1, PALETTE, bytes([0, 1]), extra=[palette]))
    compare('a palette with alpha', (2, 1), RGBA, bytes([90, 60, 70, 9, 200, 150, 100, 255]),
            encode(2, 1, PALETTE, bytes([0, 1]), extra=[palette, (b'tRNS', b'\x09')]))
    compare('a palette of 2 bits', (3, 1), RGB, palette[1] + palette[1][:3],
            encode(3, 1, PALETTE, b'\x10', depth=2, extra=[palette]))
    compare('4 bits per pixel', (4, 1), GREY, bytes([51, 68, 85, 102]),
            encode(4, 1, GREY, b'\x34\x56', depth=4))


def test_data(pictures):
    for name, most in pictures:
        data = read(os.path.join(DATA, name + '.png'))
        width, height, colour, pixels = decode(data)
        compare(name + (' stays: it has the full range' if most == 0 else ''), (width, height),
                colour, pixels, data, most)


# ---- Refusals ----

def refuse(name, status, words, *arguments, env=None, **options):
    """Expects one sentence, this status, and no change in the folder."""
    before = {entry: os.path.isfile(entry) and read(entry) for entry in os.listdir()}
    code, out, err = call(*arguments, env=env, **options)
    after = {entry: os.path.isfile(entry) and read(entry) for entry in os.listdir()}
    good = (code == status and out == '' and err.startswith('autocontrast: ') and
            err.count('\n') == 1 and all(word in err for word in words.split('|')))
    ok(good and before == after, f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}, files {sorted(before)} {sorted(after)}')


def test_refusals():
    good = write('good.png', encode(64, 64, RGB, noise(4096, *[(0, 200)] * 3)))
    data = read(good)
    write('deep.png', encode(1, 1, GREY, b'\1\2', depth=16))
    write('text.png', b'GIF89a and more of it')
    write('cut.png', data[:len(data) // 2])
    write('crc.png', data.replace(b'IDAT', b'IDAT\x01'))
    write('empty.png', b'')
    three = (b'PLTE', bytes(9))
    write('index.png', encode(2, 1, PALETTE, b'\2\3', extra=[three]))
    write('bits.png', encode(2, 1, PALETTE, b'\xb0', depth=2, extra=[three]))
    write('long.png', encode(1, 100000, GREY, bytes(100000)))
    write('kept.png', b'kept')
    os.mkdir('folder')
    for name, status, words, arguments in [
            ('no arguments', 2, 'usage|IN.png OUT.png', []),
            ('one argument', 2, 'usage', [good]),
            ('three arguments', 2, 'usage', [good, 'out', 'more']),
            ('no such file', 2, 'none.png|No such file', ['none.png', 'out']),
            ('a folder for a picture', 2, 'folder', ['folder', 'out']),
            ('no PNG', 2, 'text.png|PNG', ['text.png', 'out']),
            ('an empty file', 2, 'empty.png', ['empty.png', 'out']),
            ('half a picture', 2, 'cut.png', ['cut.png', 'out']),
            ('half a picture, over another', 2, 'cut.png', ['cut.png', 'kept.png']),
            ('a wrong checksum', 2, 'crc.png', ['crc.png', 'out']),
            ('a colour that the palette lacks', 2, 'index.png|colour 3|0 to 2',
             ['index.png', 'out']),
            ('one of 2 bits', 2, 'bits.png|colour 3|0 to 2', ['bits.png', 'out']),
            ('16 bits', 2, 'deep.png|16 bits', ['deep.png', 'out']),
            ('too long for the device', 1, '1 x 100000', ['long.png', 'out']),
            ('an output in no folder', 1, 'none/out|No such file', [good, 'none/out']),
            ('an output that is a folder', 1, 'folder|regular file', [good, 'folder']),
            ('an output with no name', 1, 'No such file', [good, '']),
            ('a name too long', 1, 'aaa', [good, 'a' * 5000])]:
        refuse(name, status, words, *arguments)
    none = {'VK_DRIVER_FILES': '/nonexistent', 'VK_ICD_FILENAMES': '/nonexistent'}
    refuse('no driver', 1, 'vkCreateInstance', good, 'out', env=none)


def test_full_disk():
    """Files cannot grow past 64 KiB, which a small picture does not reach but a large one does."""
    options = {'preexec_fn': lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)),
               'restore_signals': False}  # so that the program ignores SIGXFSZ as Python does
    write('small.png', encode(8, 8, GREY, noise(64, (0, 99))))
    code, out, err = call('small.png', 'small.out', **options)
    ok(code == 0 and out + err == '', 'a small picture on a small disk', err)
    write('large.png', encode(400, 400, GREY, noise(160000, (0, 99))))
    refuse('a disk that fills up', 1, 'kept.png', 'large.png', 'kept.png', **options)


def test_replacing():
    write('same.png', encode(2, 1, GREY, bytes([100, 120])))
    code, out, err = call('same.png', 'same.png')
    ok(code == 0 and out + err == '' and decode(read('same.png'))[3] == bytes([0, 255]),
       'a picture in place of itself', err)


def test_layer():
    layer = os.environ['VK_INSTANCE_LAYERS']
    code, out, err = call('same.png', 'same.png', env={'VK_LOADER_DEBUG': 'layer'})
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


random.seed(1)
with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    test_pictures()
    test_data([('chelsea', 1)])
    if 'all' in sys.argv[3:]:
        test_data([('camera', 0), ('astronaut', 0)])
        test_refusals()
        test_full_disk()
    test_replacing()
    if 'VK_INSTANCE_LAYERS' in os.environ:
        test_layer()
    os.chdir('/')
print(f'# largest difference: {largest:.4f} of 255')
print(f'1..{tests}')
sys.exit(failures != 0)
