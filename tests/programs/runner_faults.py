#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what the program vkreduce leaves behind if an output cannot be written. Prints TAP."""
import os
import resource
import signal
import subprocess

from runner_tools import PROGRAM, array, call, ok, refuse, workplace

SMALL = 512  # bytes that fit a file: more than the header of an array


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL, SMALL))


COMMANDS = {
    'scan': ['scan', 'sum', 'random:1000', '-o', 'out'],
    'reduce': ['reduce', 'min', 'random:1000', '--segments=rows:2', '-o', 'out'],
    'reduce, several types': ['reduce', 'min,argmin', 'random:1000', '--segments=rows:2', '-o',
                              'out'],
    'histogram': ['histogram', 'random:1000', '--bins=1000', '-o', 'out'],
    'compact': ['compact', 'x>=0', 'random:1000', '-o', 'out', '--indices', 'where'],
    'the picture of a histogram': ['histogram', 'random:1000', '--bins=9', '-o', 'counts', '--plot',
                                   'out'],
    'pyramid': ['pyramid', 'min', 'data/camera.png', '-o', 'out']}


def test_full():
    """No room for the data: nothing is left, not even a folder, and an older file stays."""
    for name, arguments in COMMANDS.items():
        refuse(PROGRAM, f'{name}, no room', 1, 'too large', *arguments,
               preexec_fn=limit_files)
    older = array('out', 'u32', [7])
    with open(older, 'rb') as file:
        before = file.read()
    refuse(PROGRAM, 'no room for a new version', 1, 'out: |too large', *COMMANDS['scan'],
           preexec_fn=limit_files)
    with open(older, 'rb') as file:
        ok(file.read() == before, 'the older file stays')
    os.remove(older)


def test_places():
    """Places where no file can be."""
    os.mkdir('folder')
    array('file', 'u32', [7])
    for name, words, place in [('a folder', 'folder', 'folder'), ('a device', 'regular', '/dev/full'),
                               ('a missing folder', 'No such', 'none/out'),
                               ('a file as a folder', 'Not a directory', 'file/out'),
                               ('a folder of the system', 'cannot be', '/proc/none/out')]:
        for command in ('scan', 'reduce', 'histogram', 'compact'):
            arguments = [place if word == 'out' else word for word in COMMANDS[command]]
            refuse(PROGRAM, f'{command} to {name}', 1, f'{place}: |{words}', *arguments)
    refuse(PROGRAM, 'pyramid to a file', 1, 'file', 'pyramid', 'min', 'data/camera.png', '-o', 'file')


def test_readers():
    """Readers of the standard output that go away, with SIGPIPE at its default and ignored."""
    for name, expected, ignored in (('kills', -signal.SIGPIPE, False), ('is ignored', 1, True)):
        for arguments in (['scan', 'sum', 'random:100000', '-o', '-'],
                          ['reduce', 'sum', 'random:100000', '--segments=rows:1', '--json']):
            process = subprocess.Popen(
                [PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, restore_signals=not ignored)
            process.stdout.read(10)
            process.stdout.close()
            err = process.stderr.read().decode()
            process.stderr.close()
            ok(process.wait() == expected and err.count('\n') == ignored and
               ('cannot be written' in err or 'could not be written' in err) == ignored,
               f'{" ".join(arguments)}: SIGPIPE {name}', f'{process.returncode} {err}')
    ok(set(os.listdir('.')) == {'data', 'folder', 'file'}, 'nothing is left', os.listdir('.'))
    code, out, err = call(PROGRAM, 'reduce', 'sum', 'random:10', '-o', 'out', '--json')
    ok(code == 0 and err == '', 'the commands work otherwise', out + err)


with workplace():
    test_full()
    test_places()
    test_readers()
