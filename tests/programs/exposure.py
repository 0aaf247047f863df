#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample exposure and prints TAP: compares its exposures with the same rules in Python,
and checks its pictures, small Radiance files, planted mistakes that it must find, and bad
arguments.

exposure.py PROGRAM MISLED [all]: MISLED is the program with planted mistakes. With `all`, for one
driver, it also tests what does not depend on the driver. If VK_INSTANCE_LAYERS names the validation
layer, it must print no message.
"""
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from png import RGB, decode

PROGRAM, MISLED = (os.path.abspath(path) for path in sys.argv[1:3])
WIDTH, HEIGHT, FRAMES, BINS = 640, 360, 120, 256
SHOWN = [23, 24, 36, 71, 72, 88, 103, 104, 119]
KEY = math.log2(0.18)
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}', flush=True)
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments, program=PROGRAM, env=None):
    done = subprocess.run([program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def facts(out):
    """The numbers of the last line: the error, wrong bins and wrong pixels."""
    found = re.search(r'of 120 frames, .* at most (\S+) stops .*; of 9 frames, (\d+) of 2304 bins '
                      r'and (\d+) of \d+ pixels differ$', out)
    return (float(found[1]), int(found[2]), int(found[3])) if found else None


def test_run():
    code, out, err = call('--out', 'made')
    ok(code == 0 and err == '', 'it runs without errors', f'status {code}, {out}{err}')
    names = [f'frame-{frame:03}.png' for frame in SHOWN]
    names += ['exposure.dat', 'exposure.gnuplot', 'exposure.png']
    ok(out.splitlines()[:-1] == [f'made/{name}' for name in names] and
       sorted(os.listdir('made')) == sorted(names), 'it names the files that it writes', out)
    error, bins, pixels = facts(out) or (1, 1, 1)
    ok(error <= 2**-15 and bins == pixels == 0, 'the CPU agrees', out)


# ---- The rules ----

def stops(frame):
    return (-3.0 if frame < 24 else 6.0 if frame < 50 else 6 - (frame - 50) / 8 if frame < 72
            else -3.0 if frame < 104 else 1.0)


def load_data(folder):
    with open(f'{folder}/exposure.dat') as file:
        return [list(map(float, line.split())) for line in file if line[0] != '#']


def wrong_rows(rows):
    """The rows whose exposure does not follow from their trimmed means."""
    wrong, exposure = [], 0.0
    for frame, row in enumerate(rows):
        number, light, mean, asked, gpu, cpu = row
        seconds = 0.15 if KEY - mean < exposure else 0.35
        share = 1.0 if frame == 0 else 1 - math.exp(-1 / 24 / seconds)
        exposure += share * (KEY - mean - exposure)
        errors = (number - frame, light - stops(frame), asked - (KEY - mean), gpu - exposure,
                  cpu - exposure)
        if not all(abs(error) < 1e-4 for error in errors):
            wrong.append(row)
    return wrong


def test_data():
    rows = load_data('made')
    ok(len(rows) == FRAMES and not wrong_rows(rows), 'exposures follow the trimmed means',
       wrong_rows(rows))
    means = [row[2] for row in rows]
    jumps = [frame for frame in range(1, FRAMES) if abs(means[frame] - means[frame - 1]) > 1]
    ok(jumps == [24, 72, 104], 'the brightness jumps', jumps)
    ok(all(abs(means[f] - means[50] - stops(f) + 6) < 0.01 for f in range(50, 72)),
       'the mean follows the clouds', means)


def weight(x, y, width, height):
    across, down = (2 * x + 1) / width - 1, (2 * y + 1) / height - 1
    return 1 + math.floor(254 * math.exp(-3 * (across**2 + down**2)) + 0.5)


def trimmed_mean(weighted, light):
    """The trimmed mean of (luminance, weight) pairs, in stops."""
    counts = [0] * BINS
    for value, w in weighted:
        stop = math.log2(value) + light if value > 0 else -math.inf
        if -12 <= stop < 12:
            counts[math.floor((stop + 12) * BINS / 24)] += w
    low, high, below, total = 0.1 * sum(counts), 0.95 * sum(counts), 0, 0.0
    for k, count in enumerate(counts):
        first, last = max(low, below), min(high, below + count)
        if first < last:
            total += (last - first) * (k + ((first + last) / 2 - below) / count)
        below += count
    return -12 + 24 / BINS * total / (high - low)


# ---- Radiance ----

def write_hdr(name, width, height, texels):
    with open(name, 'wb') as file:
        file.write(b'#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n' % (height, width) +
                   b''.join(map(bytes, texels)))


def test_hdr():
    width, height = 37, 23
    dice = random.Random(7)
    cases = {'one value': [(200, 200, 200, 129)] * (width * height),
             'all kinds': [(dice.randrange(1, 256), dice.randrange(256), dice.randrange(256),
                            dice.choice([0, 100, 120, 126, 129, 131, 140, 150]))
                           for _ in range(width * height)]}
    for name, texels in cases.items():
        write_hdr('in.hdr', width, height, texels)
        code, out, err = call('--hdr', 'in.hdr', '--out', 'hdr')
        ok(code == 0 and err == '' and facts(out), f'a Radiance file, {name}',
           f'status {code}, {out}{err}')
        weighted = [((0.2126 * r + 0.7152 * g + 0.0722 * b) * 2.0 ** (e - 136) if e else 0,
                     weight(i % width, i // width, width, height))
                    for i, (r, g, b, e) in enumerate(texels)]
        rows = load_data('hdr')
        means = [trimmed_mean(weighted, stops(frame)) for frame in range(FRAMES)]
        off = max(abs(row[2] - mean) for row, mean in zip(rows, means))
        ok(off < 1e-4 and not wrong_rows(rows), f'its means, {name}', off)
        ok(load('hdr/frame-119.png', (width, height)) != bytes(3 * width * height),
           f'its size, {name}')


def test_black():
    write_hdr('in.hdr', 16, 16, [(0, 0, 0, 0)] * 256)
    code, out, err = call('--hdr', 'in.hdr', '--out', 'hdr')
    rows = load_data('hdr')
    ok(code == 0 and facts(out) == (0, 0, 0) and all(math.isnan(row[2]) and row[4] == 0
                                                     for row in rows),
       'nothing to meter: the exposure stays', f'status {code}, {out}{err}')


# ---- Pictures ----

def load(name, size=(WIDTH, HEIGHT)):
    with open(name, 'rb') as file:
        *head, pixels = decode(file.read())
    good = head == [*size, RGB]
    ok(good, f'{name} is a picture', head)
    return pixels if good else bytes(3 * size[0] * size[1])


def test_pictures():
    means = {}
    for frame in SHOWN:
        pixels = load(f'made/frame-{frame:03}.png')
        means[frame] = sum(pixels) / len(pixels)
    used_to = [means[frame] for frame in (23, 36, 71, 103, 119)]
    ok(all(60 < mean < 160 for mean in used_to) and means[24] > 200 and means[72] < 10 and
       means[72] < means[88] and means[104] > means[119] + 20,
       'dazzled, blind, and used to it', means)
    plot = load('made/exposure.png', (960, 400))
    colours = {plot[i:i + 3] for i in range(0, len(plot), 3)}
    ok({b'\xf0\xa0\x30', b'\x20\x40\x80'} <= colours, 'the plot has both curves', len(colours))


# ---- Mistakes ----

def test_misled():
    write_hdr('plain.hdr', 37, 23, [(100, 90, 80, 129)] * (37 * 23))
    for mistake, found in (('exposure', lambda error, bins, pixels: 2**-15 < error < 1e-3),
                           ('nan', lambda error, bins, pixels: error == math.inf),
                           ('bin', lambda error, bins, pixels: bins == 1),
                           ('pixel', lambda error, bins, pixels: pixels == 1)):
        code, out, err = call('--hdr', 'plain.hdr', '--out', 'misled', program=MISLED,
                              env={'EXPOSURE_MISLED': mistake})
        ok(code == 3 and found(*(facts(out) or (0, 0, 0))),
           f'a planted mistake is found: {mistake}', f'status {code}, {out}{err}')


def refuse(name, status, words, *arguments):
    code, out, err = call(*arguments)
    ok(code == status and out == '' and err.startswith('exposure: ') and
       all(word in err for word in words.split('|')), f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def test_refusals():
    refuse('an unknown option', 2, '--frames is not an option|usage', '--frames', 3)
    refuse('an option without its value', 2, '--out|value|usage', '--out')
    refuse('no such device', 1, "is 'abacus'", '--device', 'abacus')
    refuse('a folder in none', 1, 'none/out|No such file', '--out', 'none/out')
    refuse('no such file', 2, 'none.hdr|No such file', '--hdr', 'none.hdr')
    refuse('a file of another kind', 2, 'made/exposure.dat|Radiance', '--hdr', 'made/exposure.dat')
    with open('in.hdr', 'rb') as file, open('cut.hdr', 'wb') as cut:
        cut.write(file.read()[:-99])
    refuse('a file that is cut', 2, 'cut.hdr|Radiance|too early', '--hdr', 'cut.hdr')
    with open('cut.hdr', 'wb') as cut:
        cut.write(b'#?RADIANCE\n')
    refuse('a header that is cut', 2, 'cut.hdr|Radiance|inside its header', '--hdr', 'cut.hdr')
    refuse('no folder', 2, '--out|lacks its value', '--out', '')
    code, out, err = call('--help')
    ok(code == 0 and '--out' in out and err == '', '--help', out + err)
    code, out, err = call('--hdr', 'plain.hdr', '--out', 'made', env={'PATH': '/nowhere'})
    ok(code == 1 and 'gnuplot' in err and facts(out), 'without gnuplot',
       f'status {code}, {out}{err}')


def test_layer():
    layer = os.environ['VK_INSTANCE_LAYERS']
    err = call('--device', 'abacus', env={'VK_LOADER_DEBUG': 'layer'})[2]
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    test_run()
    if 'VK_INSTANCE_LAYERS' in os.environ:
        test_layer()
    if 'all' in sys.argv[3:]:
        test_data()
        test_hdr()
        test_black()
        test_pictures()
        test_misled()
        test_refusals()
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
