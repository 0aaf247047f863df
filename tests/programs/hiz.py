#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample hiz and prints TAP: checks the numbers that it prints, compares its pictures of
levels with that of the depths, and checks planted mistakes that it must find, and bad arguments.

hiz.py PROGRAM MISLED [all]: MISLED is the program with planted mistakes. With `all`, for one
driver, it also tests what does not depend on the driver. If VK_INSTANCE_LAYERS names the validation
layer, it must print no message.
"""
import os
import re
import subprocess
import sys
import tempfile
from png import RGB, decode

PROGRAM, MISLED = (os.path.abspath(path) for path in sys.argv[1:3])
WIDTH, HEIGHT = 1023, 767
NAMES = ['depth', 'level-2', 'level-3', 'level-4', 'level-5', 'visible', 'plan']
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
    """The numbers of each line that is not the name of a file."""
    return [list(map(int, re.findall(r'\d+', line))) for line in out.splitlines()
            if not line.endswith('.png')]


def test_run():
    code, out, err = call('--out', 'made')
    ok(code == 0 and err == '', 'it runs without errors', f'status {code}, {out}{err}')
    files = [f'made/{name}.png' for name in NAMES]
    ok(out.splitlines()[-len(files):] == files and
       sorted(os.listdir('made')) == sorted(f'{name}.png' for name in NAMES),
       'it names the pictures that it writes', out)
    (drawn, tested, visible, hidden, outside), levels, verdicts, seen, nearer, again = facts(out)
    ok((drawn, tested, visible + hidden + outside) == (10000, 100000, 100000), 'the boxes', out)
    texels = sum((WIDTH >> k) * (HEIGHT >> k) for k in range(1, 10))
    ok(levels == [0, texels, 9] and verdicts == [0, 100000], 'all levels and verdicts', out)
    ok(1000 < seen[0] < nearer[0] < visible and seen[1] == nearer[1] == 0 and again[0] == visible,
       'what is seen is visible', out)
    ok(hidden > 50000 and visible < 3 * nearer[0], 'most of what cannot be seen is hidden', out)


# ---- Pictures ----

def load(name, size=(WIDTH, HEIGHT)):
    with open(f'made/{name}.png', 'rb') as file:
        *head, pixels = decode(file.read())
    good = head == [*size, RGB]
    ok(good, f'{name} is a picture', head)
    return pixels if good else bytes(3 * size[0] * size[1])


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
    values, size = farness(load('depth')), (WIDTH, HEIGHT)
    ok(values[0] == 256 and 100000 < sum(v < 256 for v in values), 'there are a sky and a city')
    for level in range(1, 6):
        values, size = lift(values, size)
        if level not in (2, 5):
            continue
        shown = farness(load(f'level-{level}'))
        columns = [x * size[0] // WIDTH for x in range(WIDTH)]
        wrong = []
        for y in range(HEIGHT):
            first = y * size[1] // HEIGHT * size[0]
            if shown[y * WIDTH:(y + 1) * WIDTH] != [values[first + x] for x in columns]:
                wrong.append(y)
        ok(not wrong, f'level {level} is the farthest of what is under it', wrong)


def test_boxes():
    """The picture of the visible boxes shows something wherever the picture of depths does."""
    depth, visible = load('depth'), load('visible')
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


def refuse(name, status, words, *arguments):
    code, out, err = call(*arguments)
    ok(code == status and out == '' and err.startswith('hiz: ') and
       all(word in err for word in words.split('|')), f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def test_refusals():
    refuse('an unknown option', 2, '--boxes is not an option|usage', '--boxes', 3)
    refuse('an option without its value', 2, '--out|value|usage', '--out')
    refuse('no such device', 1, "is 'abacus'", '--device', 'abacus')
    refuse('a folder in none', 1, 'none/out|No such file', '--out', 'none/out')
    code, out, err = call('--help')
    ok(code == 0 and '--out' in out and err == '', '--help', out + err)


def test_layer():
    layer = os.environ['VK_INSTANCE_LAYERS']
    err = call(env={'VK_LOADER_DEBUG': 'layer'})[2]
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    test_run()
    if 'VK_INSTANCE_LAYERS' in os.environ:
        test_layer()
    if 'all' in sys.argv[3:]:
        test_levels()
        test_boxes()
        test_misled()
        test_refusals()
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
