#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stream reduction by the program vkreduce, beside its own compaction, as TAP.

runner_streams.py DATA VKREDUCE [MISLED]: only VKREDUCE is used.
"""
import os
import sys
import tempfile

import runner_tools
from runner_tools import npy, ok, pack

PROGRAM = os.path.abspath(sys.argv[2])
BLOCKS = [['--block=8'], ['--block=128', '--concat=elements'], ['--block=1024']]
WAYS = ([['horn'], ['horn', '--search=while'], ['blelloch-gather'],
         ['blelloch-gather', '--search=while'], ['roger'], ['roger-sequential']] +
        [['roger', *block, f'--block-scan={scan}', f'--search={search}'] for block, (scan, search) in
         zip(BLOCKS, [('hillis-steele', 'for'), ('blelloch', 'while'), ('hybrid', 'for')])] +
        [['roger-sequential', *block] for block in BLOCKS])


def compact(predicate, source, *arguments):
    """What is written: the kept elements and their indices; or why nothing is."""
    code, out, err = runner_tools.call(PROGRAM, 'compact', predicate, source, '-o', 'kept.npy',
                                       '--indices', 'indices.npy', *arguments)
    if code != 0 or err != '':
        return f'status {code}: {err}'
    content = []
    for name in ('kept.npy', 'indices.npy'):
        with open(name, 'rb') as file:
            content.append(file.read())
        os.remove(name)
    return content


def test_ways():
    npy('flags.npy', pack('u8', [i % 3 == 0 for i in range(1001)]), descr='|u1', shape='(1001,)')
    sources = [('x>0.4', 'random:1'), ('x>0.4', 'random:65537'), ('unique', 'random:1000'),
               ('flags:flags.npy', 'random:1001'), ('0.1<x<0.3', 'random:70000')]
    for predicate, source in sources:
        expected = compact(predicate, source)
        for way in WAYS:
            got = compact(predicate, source, '--verify', f'--algorithm={way[0]}', *way[1:])
            ok(got == expected, f'{predicate} of {source} by {" ".join(way)}',
               got if isinstance(got, str) else 'other bytes')
    npy('none.npy', b'', shape='(0,)')
    for way in WAYS[::5]:
        got = compact('x>0', 'none.npy', '--verify', f'--algorithm={way[0]}', *way[1:])
        ok(got == compact('x>0', 'none.npy'), f'no element by {" ".join(way)}', got)
    chunks = ['--chunk=64KiB', '--verify', '--algorithm=roger']
    ok(compact('x>0.4', 'random:70000', *chunks) == compact('x>0.4', 'random:70000'),
       'roger in chunks')


def test_usage():
    npy('three.npy', pack('f32', [1, 2, 0]))
    for name, words, arguments in [
            ('a block of 48', 'stream.block|48|power of two',
             ['--algorithm=roger', '--block=48']),
            ('a block of 4', '--block|4|8', ['--algorithm=roger', '--block=4']),
            ('blocks for auto', 'stream.block|64|auto', ['--block=64']),
            ('a search in a loop', 'stream.search|roger-sequential',
             ['--algorithm=roger-sequential', '--search=for']),
            ('an unknown search', '--search|default|for', ['--algorithm=roger', '--search=default']),
            ('a concatenation of no blocks', 'stream.concatenation|horn',
             ['--algorithm=horn', '--concat=elements']),
            ('a scan of no blocks', 'stream.blockScan|blelloch-gather',
             ['--algorithm=blelloch-gather', '--block-scan=hybrid']),
            ('rejected elements', 'rejected|horn', ['--algorithm=horn', '--rejected=out.npy'])]:
        runner_tools.refuse(PROGRAM, name, 2, words, 'compact', 'nonzero', 'three.npy', *arguments)


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    # One driver only, so that its pipelines can be kept from one call to the next.
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    test_ways()
    test_usage()
    os.chdir('/')
runner_tools.finish()
