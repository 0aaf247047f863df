#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample culling and prints TAP: checks the numbers that it prints, its pictures, its
other options, and planted mistakes that it must find, and bad arguments.

culling.py PROGRAM MISLED [all]: see drawing.py.
"""
import re
from drawing import MISLED, call, load, make, ok, run

SIZE = WIDTH, HEIGHT = 640, 384
NAMES = ['frame', 'plan']
FRAMES, INSTANCES = 60, 100000


def facts(out):
    """The numbers of each line that is not the name of a file."""
    return [[float(number) for number in re.findall(r'\d+(?:\.\d+)?', line)]
            for line in out.splitlines() if not line.endswith('.png')]


def check_facts(out, name):
    (equal, frames, differ), (drawn, instances, _, times, added), (wrong, lists) = facts(out)[:3]
    ok(equal == frames == lists == FRAMES and differ == wrong == 0, f'{name}: the frames', out)
    ok(instances == FRAMES * INSTANCES and abs(instances / drawn / times - 1) < 0.01 and
       times >= 10, f'{name}: few instances are drawn', out)
    ok(0 < added < drawn, f'{name}: some of them after the test', out)


def test_run():
    check_facts(make(NAMES), 'with a number of draws')


def test_pictures():
    frame, plan = (load(name, SIZE) for name in NAMES)
    colours = {frame[i:i + 3] for i in range(0, len(frame), 3)}
    ok(len(colours) > 500 and frame[:3] == bytes((150, 180, 222)), 'a town and a sky', len(colours))
    pixels = [plan[i:i + 3] for i in range(0, len(plan), 3)]
    blue, orange = (pixels.count(bytes.fromhex(c)) for c in ('5f9fe8', 'ffb040'))
    grey = pixels.count(bytes.fromhex('303640'))
    ok(0 < orange < blue and grey > 10000, 'the plan shows what is drawn', (orange, blue, grey))


def test_options():
    """A driver's new memory is not empty, so the first frame must not draw what is in it."""
    code, out, err = call('--empty-draws', '--measure', '--out', 'made',
                          env={'MALLOC_PERTURB_': '254'})
    ok(code == 0 and err == '', 'its options', f'status {code}, {out}{err}')
    check_facts(out, 'with empty draws')
    (instances, kept, also), (one, other, share) = facts(out)[3:]
    ok(instances == 10 * INSTANCES and 0 < kept == also < instances / 10 and
       abs(one / other - share) < 0.01 + 0.01 * share, 'a measurement', out)


def test_misled():
    """Few instances are drawn in 12 frames, unless all are drawn in one of them."""
    for mistake, line, number, value in (('none', 0, 2, 0), ('colour', 0, 2, 1), ('depth', 0, 2, 1),
                                         ('all', 1, 3, 7), ('listed', 2, 0, 1),
                                         ('added', 2, 0, 1)):
        code, out, err = call(program=MISLED, env={'CULLING_MISLED': mistake})
        ok(code == (0 if mistake == 'none' else 3) and int(facts(out)[line][number]) == value,
           f'a planted mistake is found: {mistake}', f'status {code}, {out}{err}')


run(test_run, [test_pictures, test_options, test_misled])
