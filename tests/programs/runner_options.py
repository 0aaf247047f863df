#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests each option of each command of the program vkreduce that --help lists: a command with a good
value succeeds, and one with a wrong value, or with a value that it does not take, is refused with a
sentence that names the option. What the options change is in the rows of other scripts. An option
that has no row here fails. Prints TAP.

runner_options.py DATA VKREDUCE [good]: without `good`, nothing runs but what is refused.
"""
import os
import shlex
import shutil
import sys

from runner_glsl import spirv
from runner_tools import (PROGRAM, array, call, npy, ok, options_of, refuse, workplace, write)

GOOD_TOO = sys.argv[3:] == ['good']
FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'files')
# What each command is without options, but for those that it must have.
COMMANDS = {
    'bin': 'bin INPUT --bins 256',
    'bounds': 'bounds lower INPUT INPUT -o out.npy',
    'compact': 'compact nonzero INPUT',
    'devices': 'devices',
    'find': 'find nonzero INPUT',
    'histogram': 'histogram INPUT --bins 9',
    'merge': 'merge INPUT INPUT -o out.npy',
    'pyramid': 'pyramid max INPUT -o levels',
    'reduce': 'reduce sum INPUT',
    'scan': 'scan sum INPUT -o out.npy',
    'expand': 'expand INPUT -o out.npy',
    'select': 'select INPUT --ranks 1',
    'sort': 'sort INPUT -o out.npy',
    'apply': 'apply softmax INPUT -o out.npy',
    'topk': 'topk 7 INPUT -o out.npy',
    'tune': 'tune -o profile --quick',
}
# A good value of each option, or - if it has none, and where needed the input and other options.
GOOD = {
    'accumulator': 'u64 words.npy', 'algorithm': 'auto', 'allow-empty': '- empty.bin --type u32 --raw',
    'as-image': '- data/camera.png', 'axis': '0',
    'bias': '0.5 data/chelsea.png --map log2-luminance', 'bins': '300', 'bits': '3:9 words.npy',
    'by-value': '-', 'block': '128 values.npy --algorithm roger', 'block-scan': 'hybrid values.npy --algorithm roger',
    'by': 'words.npy', 'capacity': '3 values.npy -o out.npy', 'channels': 'Y uint.exr',
    'chunk': '4KiB', 'closed': '- values.npy --range 0:1', 'components': '2',
    'concat': 'elements values.npy --algorithm roger', 'count-on-gpu': '-', 'counts': 'counts.npy',
    'descending': '-', 'determinism': 'device', 'device': '0', 'edges': 'edges.npy',
    'exclusive': '-', 'field': 'x fields.npy', 'indices': 'indices.npy', 'initial': '0.5',
    'json': '-', 'keys': 'keys.npy values.npy --by words.npy',
    'linear': '- data/chelsea.png --map luminance', 'log2': '- values.npy --range 0.1:0.5',
    'map': 'luminance data/chelsea.png', 'mask': 'words.npy', 'nan': 'propagate',
    'nan-first': '-', 'offset': '4', 'offsets': 'starts.npy', 'operator': 'words.spv words.npy',
    'output': 'other.npy', 'payload': 'words.npy:moved.npy', 'plan': '-', 'plot': 'plot.png',
    'predicate': 'keep.spv words.npy', 'profile': 'profile', 'progress': '-',
    'quantiles': '0.1,0.5', 'ranks': '0,3', 'range': '0:0.5', 'raw': '- raw.bin --type u8',
    'rejected': 'rejected.npy', 'rejected-indices': 'rejected.npy', 'repeat': '3', 'reverse': '-',
    'run-lengths': 'lengths.npy', 'runs': 'words.npy', 'sample': '-',
    'search': 'for values.npy --algorithm roger', 'segments': 'rows:50', 'self-test': '-',
    'smallest': '-', 'staging': '-', 'stride': '8', 'then': 'words.npy words.npy', 'tiles': '64x32 data/camera.png', 'timing': '-',
    'type': 'u8 random:1', 'verify': '-', 'weights': 'words.npy',
    'weight-bits': '9 values.npy --weights values.npy', 'quick': '-',
    # Of one command.
    'expand ranks': 'ranks.npy', 'expand capacity': '3', 'bin components': '1', 'bin stride': '2', 'bounds channels': 'Y chroma.exr',
    'bounds descending': '- zeros.npy', 'merge descending': '- zeros.npy',
    'merge channels': 'Y chroma.exr', 'merge payload': 'twice.npy:moved.npy', 'pyramid channels': 'G half.exr',
    'histogram allow-empty': '- empty.bin --type u32 --raw --range 0:1',
    'reduce by-value': '- values.npy --by words.npy', 'scan by-value': '- values.npy --by words.npy',
    'pyramid output': 'other', 'reduce counts': 'counts.npy values.npy --by words.npy',
}
# Commands that have another first operand then.
OTHER = {'by-value': ('nonzero', 'unique'), 'operator': ' sum', 'predicate': ' nonzero', 'run-lengths': ('nonzero', 'unique'),
         'sample': ('sum', 'variance'), 'edges': ' --bins 9'}
# Options of which any value may be a name; and those whose wrong values are named, not they.
NAMES = ('output', 'channels', 'counts', 'offsets', 'indices', 'rejected', 'rejected-indices',
         'run-lengths', 'keys', 'plot', 'expand ranks')
INPUTS = {'bin': 'bytes.npy', 'expand': 'bytes.npy', 'pyramid': 'data/camera.png'}
VALUES = ('by', 'edges', 'mask', 'profile', 'runs', 'then', 'weights')


def reads_exr():
    return 'built without' not in call(PROGRAM, 'reduce', 'max', 'uint.exr')[2]


def test_option(command, name, has_value):
    good = GOOD.get(f'{command} {name}', GOOD.get(name))
    if good is None:
        ok(False, f'--{name} of {command} has a good value here')
        return
    value, given, *more = good.split() + [INPUTS.get(command, 'values.npy')] * (' ' not in good)
    form = COMMANDS[command]
    if name in OTHER:
        old, new = OTHER[name] if isinstance(OTHER[name], tuple) else (OTHER[name], '')
        form = form.replace(old, new)
    words = [given if word == 'INPUT' else word for word in form.split()] + more
    ok((value != '-') == has_value, f'--{name} of {command} has a value or none')
    option = f'--{name}={value}' if has_value else f'--{name}'
    # Another script tests the whole of tune, which takes a while.
    if GOOD_TOO and command != 'tune' and (name != 'channels' or reads_exr()):
        code, _, err = call(PROGRAM, *words, option)
        ok(code == 0 and (err == '' or name in ('plan', 'progress')), shlex.join([*words, option]),
           f'{code} {err}')
    for wrong in ['=', '', '=?'] if has_value else ['=yes']:
        if wrong == '=?' and (name in NAMES or f'{command} {name}' in NAMES):
            continue
        refuse(PROGRAM, f'{shlex.join(words)} --{name}{wrong}', 2,
               '?' if wrong == '=?' and name in VALUES else f'--{name}', *words, f'--{name}{wrong}')


with workplace():
    words = [i * 7 % 1000 for i in range(300)]
    array('words.npy', 'u32', words)
    array('twice.npy', 'u32', [*words, *words])
    array('bytes.npy', 'u8', [word % 256 for word in words])
    array('values.npy', 'f32', sorted(word / 1000 for word in words))
    array('zeros.npy', 'f32', [0] * 50)
    array('edges.npy', 'f32', [0, 0.25, 1])
    npy('fields.npy', bytes(4 * 300), header="{'descr': [('x', '<u2'), ('y', '<u2')], "
        "'fortran_order': False, 'shape': (300,), }")
    write('raw.bin', bytes(range(256)))
    write('empty.bin')
    for name in ('chroma.exr', 'half.exr', 'uint.exr'):
        shutil.copy(os.path.join(FILES, name), '.')
    spirv('words.spv', 'uint lift(uint x, uint i) { return x ^ i; }',
          'uint identity() { return 0u; }', 'uint combine(uint a, uint b) { return a ^ b; }',
          'void main() { combine(lift(0, 0), identity()); }')
    spirv('keep.spv', 'bool keep(uint x, uint i) { return x > 3u; }', 'void main() { keep(0, 0); }')
    if GOOD_TOO:
        call(PROGRAM, 'tune', '-o', 'profile', '--quick', '--type', 'f32')
    for command in COMMANDS:
        for option in options_of(call(PROGRAM, command, '--help')[1]):
            name, *argument = option.split('--')[1].split()
            if name != 'help':
                test_option(command, name, argument != [])
