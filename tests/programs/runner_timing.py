#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --timing of the program vkreduce: every command on data says which operations an execution
has and how long they took, and its results are as without the option. How long is not tested.
Prints TAP.

runner_timing.py DATA VKREDUCE [none]: with `none`, the device has no timestamps.
"""
import json
import re
import sys

import runner_tools
from runner_tools import PROGRAM, array, ok, read

NONE = sys.argv[3:] == ['none']
LABEL = 'vkreduce '
# A command, and its operations: function, label and number.
ROWS = [
    ('reduce sum,max x.npy', [('Reduce', LABEL + 'reduce', 1)]),
    ('reduce sum x.npy --segments rows:100', [('Reduce', LABEL + 'reduce', 1)]),
    ('reduce sum random:100000 --chunk 64KiB', [('Reduce', LABEL + 'reduce', 7)]),
    ('reduce sum x.npy --by bytes.npy -o out.npy',
     [('Sort', 'the groups of --by', 1), ('Reduce', LABEL + 'reduce', 1)]),
    ('scan sum x.npy -o out.npy', [('Scan', LABEL + 'scan', 1)]),
    ('scan sum x.npy --by bytes.npy -o out.npy',
     [('Sort', 'the groups of --by', 1), ('Scan', LABEL + 'scan', 1),
      ('Sort', 'the order of the input', 1)]),
    ('compact x>5 x.npy -o out.npy', [('Compact', LABEL + 'compact', 1)]),
    ('find x>5 x.npy', [('Find', LABEL + 'find', 1)]),
    ('histogram x.npy --bins 10 --quantiles 0.5',
     [('Reduce', 'range', 1), ('Histogram', LABEL + 'histogram', 1),
      ('Quantile', LABEL + 'histogram', 1)]),
    ('bin bytes.npy --bins 256 --counts out.npy', [('Bin', LABEL + 'bin', 1)]),
    ('pyramid max data/camera.png -o levels', [('Pyramid', LABEL + 'pyramid', 1)]),
    ('sort x.npy -o out.npy', [('Sort', LABEL + 'sort', 1)]),
    ('topk 5 x.npy -o out.npy', [('TopK', LABEL + 'topk', 1)]),
    ('expand bytes.npy -o out.npy', [('Expand', LABEL + 'expand', 1)]),
    ('merge x.npy x.npy -o out.npy', [('Merge', LABEL + 'merge', 1)]),
    ('select x.npy --ranks 5', [('Select', LABEL + 'select', 1)]),
    ('apply softmax x.npy -o out.npy', [('Apply', LABEL + 'apply', 1)]),
    ('bounds lower x.npy x.npy -o out.npy', [('Bounds', LABEL + 'bounds', 1)]),
]


def run(command, *more):
    return runner_tools.call(PROGRAM, *command.split(), *more)


def table(text):
    """The rows of the table in a text: function, label, number and milliseconds, with the total."""
    rows = re.findall(r'^(?:timing  )? +(vkrCmd\w+|total)  (.*?)  +(\d*) +(\d+\.\d{6})(.*)$',
                      text, flags=re.M)
    return [(function, label.strip(), number, float(ms), more)
            for function, label, number, ms, more in rows]


def test_commands():
    for command, expected in ROWS:
        plain = json.loads(run(command, '--json')[1])
        code, out, err = run(command, '--json', '--timing')
        timed = json.loads(out)
        ok(code == 0 and timed['result'] == plain['result'] and 'operations' not in plain,
           f'the result: {command}', out + err)
        found = [(o['function'], o['label'], o['number']) for o in timed['operations']]
        ok(err == '' and found == [('vkrCmd' + f, label, n) for f, label, n in expected] and
           all(o['ms'] > 0 for o in timed['operations']), f'operations: {command}', out)
        code, out, err = run(command, '--timing')
        rows = table(out)
        ok(err == '' and [row[:3] for row in rows] ==
           [('vkrCmd' + f, label, str(n)) for f, label, n in expected] + [('total', '', '')] and
           abs(sum(row[3] for row in rows[:-1]) - rows[-1][3]) < 1e-5 * len(rows),
           f'the table: {command}', out + err)


def test_input():
    """The total has the bytes of the input, where the program knows them."""
    for command, size in [('reduce sum x.npy', 4000),
                          ('scan sum x.npy -o out.npy --repeat 3', 4000),
                          ('reduce sum random:100000 --chunk 64KiB', 400000),
                          ('pyramid max data/camera.png -o levels', None)]:
        out = run(command, '--timing')[1]
        more = table(out)[-1][4]
        match = re.fullmatch(r': (\d+) bytes of input, \d+\.\d{3} GB/s', more)
        ok(int(match[1]) == size if size and match else more == '', f'bytes: {command}', out)


def test_executions():
    """Numbers are those of one execution, and references do not count."""
    runner_tools.make_operator('largest.spv')
    for arguments, number in [('max random:9 --repeat 3', 1),
                              ('max random:100000 --chunk 64KiB --repeat 2', 7),
                              ('--operator largest.spv x.npy --verify', 1)]:
        code, out, err = run('reduce ' + arguments, '--timing')
        rows = table(out)
        ok(code == 0 and [row[2] for row in rows] == [str(number), ''], f'once: {arguments}',
           out + err)
    code, out, err = run('reduce max x.npy')
    ok(code == 0 and 'timing' not in out + err, 'none without the option', out + err)
    with open('standard.npy', 'wb') as file:
        words = 'scan sum x.npy -o - --timing'.split()
        code, _, err = runner_tools.call(PROGRAM, *words, stdout=file)
    run('scan sum x.npy -o named.npy')
    ok(code == 0 and read('standard.npy') == read('named.npy') and
       [row[0] for row in table(err)] == ['vkrCmdScan', 'total'],
       'a standard output has only the file', err)


def test_none():
    """A device without timestamps: a sentence says so, and the results are printed."""
    sentence = r'vkreduce: --timing: .* has no timestamps, which the times of operations need\n'
    for command in ['reduce max x.npy', 'reduce max random:100000 --chunk 64KiB --repeat 2']:
        code, out, err = run(command, '--timing')
        ok(code == 0 and 'max ' in out and 'time' not in out and
           len(re.findall(sentence, err)) == 1, f'text: {command}', out + err)
        code, out, err = run(command, '--timing', '--json')
        found = json.loads(out)
        ok(code == 0 and found['gpu_ms'] is None and found['operations'] is None,
           f'JSON: {command}', out + err)
    code, out, err = run('reduce max x.npy')
    ok(code == 0 and 'timestamps' not in err, 'no sentence without the option', out + err)


with runner_tools.workplace():
    array('x.npy', 'f32', list(range(1000)))
    array('bytes.npy', 'u8', [i % 256 for i in range(1000)])
    if NONE:
        test_none()
    else:
        test_commands()
        test_input()
        test_executions()
