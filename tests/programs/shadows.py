#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample shadows and prints TAP: checks the numbers that it prints, compares its two
pictures, and checks planted mistakes that it must find, and bad arguments.

shadows.py PROGRAM MISLED [all]: see drawing.py.
"""
import re
from drawing import MISLED, call, load, make, ok, run

SIZE = WIDTH, HEIGHT = 1280, 720
TEXELS = 640 - 2 * 2  # of a map without its margins, in each direction
NAMES = ['fixed', 'fitted']


def numbers(line):
    return [float(number) for number in re.findall(r'(?<![\w.])\d+(?:\.\d+)?(?:e-\d+)?', line)]


def facts(out):
    """The numbers of each line that is not the name of a file, by the line's first words."""
    found = {}
    for line in out.splitlines():
        if not line.endswith('.png'):
            start = re.match(r'\d+ of \d+ pixels are outside of their \w+|\w+ cascade \d|\w+',
                             line)[0]
            found[re.sub(r'\d+ of \d+', 'N', start)] = numbers(line)
    return found


def median(cascades):
    """The density at which half of the pixels are reached; each cascade is (pixels, density)."""
    rows, below = sorted((density, pixels) for pixels, density in cascades), 0
    for density, pixels in rows:
        below += pixels
        if 2 * below > sum(pixels for _, pixels in rows):
            return density


def test_run():
    out = make(NAMES)
    found = facts(out)
    seen, pixels, nearest, farthest = next(row for row in found.values() if WIDTH * HEIGHT in row)
    ok(pixels / 2 < seen < pixels and 1 < nearest < farthest < 300 and "equals the CPU's" in out,
       'the range of what is seen', out)
    ok(found['splits'][0] <= found['splits'][1] == 1e-4 and
       found['boxes'][0] <= found['boxes'][1] < 0.01, 'splits and boxes', out)
    medians = []
    for kind in NAMES:
        # number, start, end, pixels, width, height, density
        rows = [found[f'{kind} cascade {k}'] for k in range(4)]
        ok(all(a[2] == b[1] for a, b in zip(rows, rows[1:])) and sum(r[3] for r in rows) == seen,
           f'{kind} cascades have all pixels', out)
        ok(all(abs(TEXELS / (r[4] * r[5]) ** 0.5 / r[6] - 1) < 0.02 for r in rows),
           f'{kind} cascades: texels per metre', out)
        ok(found[f'N pixels are outside of their {kind}'][0] == 0, f'no pixel is outside: {kind}',
           out)
        medians.append(median((r[3], r[6]) for r in rows))
    ok((rows[0][1], rows[3][2]) == (nearest, farthest), 'fitted cascades cover what is seen', out)
    fixed, fitted, gain = found['median']
    ok([fixed, fitted] == medians and abs(fitted / fixed / gain - 1) < 0.01 and gain > 2,
       'the gain', out)


def test_pictures():
    """The pictures differ at the edges of shadows only: by some pixels, of the same colours."""
    fixed, fitted = (load(name, SIZE) for name in NAMES)
    pairs = [(fixed[i:i + 3], fitted[i:i + 3]) for i in range(0, len(fixed), 3)]
    sky = sum(a[2] > a[1] > a[0] > 90 for a, _ in pairs[:WIDTH * HEIGHT // 2])
    different = sum(a != b for a, b in pairs)
    ok(sky > 50000, 'there is a sky', sky)
    ok(1000 < different < WIDTH * HEIGHT / 10, 'both show the same shadows', different)
    ground = [p[1] for p in pairs[WIDTH * 700:]]
    ok(min(map(sum, ground)) < 300 and max(map(sum, ground)) > 400,
       'the ground is lit in some places and not in others')


def test_misled():
    for mistake, words in (('nearest', 'range of depths differs'),
                           ('farthest', 'range of depths differs'), ('split', 'splits differ'),
                           ('nan', 'splits differ'), ('infinite', 'boxes differ'),
                           ('box', 'boxes differ'), ('outside', 'outside of their fixed')):
        code, out, err = call(program=MISLED, env={'SHADOWS_MISLED': mistake})
        found = facts(out)
        wrong = {'split': found['splits'][0] > found['splits'][1],
                 'box': abs(found['boxes'][0] - 0.002) < 2e-4,
                 'outside': found['N pixels are outside of their fixed'][0] > 0}
        ok(code == 3 and words in out and wrong.get(mistake, True),
           f'a planted mistake is found: {mistake}', f'status {code}, {out}{err}')


run(test_run, [test_pictures, test_misled])
