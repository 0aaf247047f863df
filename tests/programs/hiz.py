#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample hiz and prints TAP: checks the numbers that it prints, compares its pictures of
levels with that of the depths, and checks planted mistakes that it must find, and bad arguments.

hiz.py PROGRAM MISLED [all]: see drawing.py.
"""
import re
from drawing import MISLED, call, load, make, ok, run

SIZE = WIDTH, HEIGHT = 1023, 767
NAMES = ['depth', 'level-2', 'level-3', 'level-4', 'level-5', 'visible', 'plan']


def facts(out):
    """The numbers of each line that is not the name of a file."""
    return [list(map(int, re.findall(r'\d+', line))) for line in out.splitlines()
            if not line.endswith('.png')]


def test_run():
    out = make(NAMES)
    (drawn, tested, visible, hidden, outside), levels, verdicts, seen, nearer, again = facts(out)
    ok((drawn, tested, visible + hidden + outside) == (10000, 100000, 100000), 'the boxes', out)
    texels = sum((WIDTH >> k) * (HEIGHT >> k) for k in range(1, 10))
    ok(levels == [0, texels, 9] and verdicts == [0, 100000], 'all levels and verdicts', out)
    ok(1000 < seen[0] < nearer[0] < visible and seen[1] == nearer[1] == 0 and again[0] == visible,
       'what is seen is visible', out)
    ok(hidden > 50000 and visible < 3 * nearer[0], 'most of what cannot be seen is hidden', out)


# ---- Pictures ----

def farness(pixels):
    """The distance of each pixel: the lighter the grey, the nearer; the blue sky is farthest."""
    sky = pixels[:3]
    return [256 if pixels[i:i + 3] == sky else 255 - pixels[i] for i in range(0, len(pixels), 3)]


def lift(values, size):
    """The next level, whose texels are the maxima of the texels that they cover."""
    (m, k), (n, h) = size, (size[0] // 2, size[1] // 2)
    rows = []
    for y in range(k):
        row = values[y * m:(y + 1) * m]
        rows.append([max(row[x * m // n:-(-(x + 1) * m // n)]) for x in range(n)])
    return [max(texels) for y in range(h)
            for texels in zip(*rows[y * k // h:-(-(y + 1) * k // h)])], (n, h)


def test_levels():
    values, size = farness(load('depth', SIZE)), SIZE
    ok(values[0] == 256 and 100000 < sum(v < 256 for v in values), 'there are a sky and a city')
    for level in range(1, 6):
        values, size = lift(values, size)
        if level not in (2, 5):
            continue
        shown = farness(load(f'level-{level}', SIZE))
        columns = [x * size[0] // WIDTH for x in range(WIDTH)]
        wrong = []
        for y in range(HEIGHT):
            first = y * size[1] // HEIGHT * size[0]
            if shown[y * WIDTH:(y + 1) * WIDTH] != [values[first + x] for x in columns]:
                wrong.append(y)
        ok(not wrong, f'level {level} is the farthest of what is under it', wrong)


def test_boxes():
    """The picture of the visible boxes shows something wherever the picture of depths does."""
    depth, visible = load('depth', SIZE), load('visible', SIZE)
    rows = [3 * y * WIDTH for y in range(HEIGHT)]
    rows = [at for at in rows if depth[at:at + 3] == depth[:3]]  # rows that begin with the sky
    lost = [i for at in rows for i in range(at, at + 3 * WIDTH, 3)
            if depth[i:i + 3] != depth[:3] and visible[i:i + 3] == visible[at:at + 3]]
    colours = {visible[i:i + 3] for i in range(0, len(visible), 3)}
    red = any(r > 150 and g < 80 and b < 80 for r, g, b in colours)
    yellow = any(r > 180 and g > 150 and b < 80 for r, g, b in colours)
    # A few pixels in the haze have the colour of the sky.
    ok(len(rows) > 99 and len(lost) < 20 and red and yellow, 'buildings, cars and balloons are drawn again',
       (len(rows), lost, red, yellow))
    plan = load('plan', (900, 900))
    colours = {plan[i:i + 3] for i in range(0, len(plan), 3)}
    ok(len(colours) == 7, 'the plan has seven colours', colours)


# ---- Mistakes ----

def test_misled():
    for mistake, line, number in (('level', 1, 0), ('verdict', 2, 0), ('lost', 3, 1),
                                  ('near', 4, 1), ('count', 5, 0)):
        code, out, err = call(program=MISLED, env={'HIZ_MISLED': mistake})
        found = facts(out)[line][number]
        ok(code == 3 and (found == 1 or 'wrong' in out), f'a planted mistake is found: {mistake}',
           f'status {code}, {out}{err}')


run(test_run, [test_levels, test_boxes, test_misled])
