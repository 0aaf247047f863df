#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests --plan of the program vkreduce: every command on data prints its dispatches on stderr, and
its results are as without the option. Prints TAP."""
import json
import re

import runner_tools
from runner_tools import PROGRAM, array, ok, read

# A command, the call and a kernel of its first plan, and its number of plans.
ROWS = [
    ('reduce sum,max x.npy', 'vkrCmdReduce', 'reduce_f32_', 1),
    ('reduce sum x.npy --segments rows:100', 'vkrCmdReduce', '(segment|neighbours)_f32_', 1),
    ('scan sum x.npy -o out.npy', 'vkrCmdScan', '(scan|tiles)_f32_', 1),
    ('scan sum random:100000 --chunk 64KiB -o out.npy', 'vkrCmdScan', 'scan_f32_', 1),
    ('compact x>5 x.npy -o out.npy', 'vkrCmdCompact', 'compact_', 1),
    ('find x>5 x.npy', 'vkrCmdFind', 'find_', 1),
    ('histogram x.npy --bins 10 --range 0:100', 'vkrCmdHistogram', 'edges_', 1),
    ('histogram random:100000 --bins 10 --chunk 64KiB', 'vkrCmdReduce', 'reduce_f32_', 2),
    ('bin bytes.npy --bins 256 --counts out.npy', 'vkrCmdBin', 'edges_', 1),
    ('pyramid max data/camera.png -o levels', 'vkrCmdPyramid', 'pyramid_', 1),
    ('sort x.npy -o out.npy', 'vkrCmdSort', 'sort_', 1),
    ('topk 5 x.npy -o out.npy', 'vkrCmdTopK', '(select|rank)_', 1),
    ('expand bytes.npy -o out.npy', 'vkrCmdExpand', 'expand_', 1),
    ('merge x.npy x.npy -o out.npy', 'vkrCmdMerge', 'merge_', 1),
    ('select x.npy --ranks 5', 'vkrCmdSelect', 'nth_', 1),
    ('apply softmax x.npy -o out.npy', 'vkrCmdApply', 'apply_', 1),
    ('bounds lower x.npy x.npy -o out.npy', 'vkrCmdBounds', 'bounds_', 1),
]


def plans(text):
    """The plans on stderr: lists of lines. Other lines there are notes, which start otherwise."""
    found = []
    for line in text.splitlines():
        if re.fullmatch('plan( of the first chunk)?:', line):
            found.append([])
        elif found and not line.startswith('vkreduce: '):
            found[-1].append(line)
    return found


def is_plan(lines):
    """Whether the numbers of steps and levels are those of the lines, all of which are known."""
    steps = [line for line in lines if re.match(r'  step \d+: vkrCmd\w+.*: \w+, \d+ x \d+ wo', line)]
    levels = [line for line in lines if re.fullmatch(r'level \d+', line)]
    known = (r'steps: |memory: |(no )?fill: |barrier: \w|level |  step |    (binding \d+ [A-Z_0-9]+: \w|'
             r'(reads|writes|changes) \w|unused: [A-Z]|(constants|push|uniforms):( \w+(\[\d\])?=))')
    return (len(steps) > 0 and lines[0] == f'steps: {len(steps)}, levels: {len(levels)}' and
            all(re.match(known, line) for line in lines) and
            len([line for line in lines if 'compute(write) ->' in line]) == len(levels) - 1)


def test_commands():
    for command, function, kernel, count in ROWS:
        words = command.split()
        plain = json.loads(runner_tools.call(PROGRAM, *words, '--json')[1])
        code, out, err = runner_tools.call(PROGRAM, *words, '--json', '--plan')
        found = plans(err)
        ok(code == 0 and json.loads(out)['result'] == plain['result'], f'the result: {command}',
           out + err)
        ok(len(found) == count and all(map(is_plan, found)), f'plans: {command}', err)
        ok(re.search(f': {function} "[^"]+": {kernel}', err), f'{function}: {command}', err)


def test_executions():
    """A plan is printed once: neither for each chunk or execution, nor for references."""
    runner_tools.make_operator('largest.spv')
    for arguments, title in [('max random:9 --repeat 3', 'plan:'),
                             ('--operator largest.spv x.npy --verify', 'plan:'),
                             ('max random:100000 --chunk 1000', 'plan of the first chunk:'),
                             ('max random:100000 --chunk 1000 --repeat 2',
                              'plan of the first chunk:')]:
        code, _, err = runner_tools.call(PROGRAM, 'reduce', *arguments.split(), '--plan')
        ok(code == 0 and len(plans(err)) == 1 and f'{title}\n' in err, f'once: {arguments}', err)
    code, out, err = runner_tools.call(PROGRAM, 'reduce', 'max', 'x.npy')
    ok(code == 0 and 'plan' not in out + err, 'none without the option', out + err)
    with open('standard.npy', 'wb') as file:
        code, _, err = runner_tools.call(PROGRAM, *'scan sum x.npy -o - --plan'.split(), stdout=file)
    runner_tools.call(PROGRAM, *'scan sum x.npy -o named.npy'.split())
    ok(code == 0 and read('standard.npy') == read('named.npy') and is_plan(plans(err)[0]),
       'a standard output has only the file', err)


with runner_tools.workplace():
    array('x.npy', 'f32', list(range(1000)))
    array('bytes.npy', 'u8', [i % 256 for i in range(1000)])
    test_commands()
    test_executions()
