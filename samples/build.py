#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""build.py FOLDER [TARGET..]: runs ninja where it cannot overwrite its counter, as in a log.

Prints a line every ten seconds, and what failed. The status is ninja's.
"""
import os
import re
import select
import signal
import subprocess
import sys
import time

SECONDS = 10
STEP = re.compile(rb'\[(\d+)/(\d+)\] ')


def chunks(stream):
    """What the stream has to read, and nothing whenever SECONDS have passed."""
    due = time.monotonic() + SECONDS
    while True:
        wait = due - time.monotonic()
        if wait <= 0 or not select.select([stream], [], [], wait)[0]:
            due += SECONDS
            yield b''
            continue
        chunk = os.read(stream.fileno(), 65536)
        if not chunk:
            return
        yield chunk


def follow(stream):
    said, rest = 'no step is finished yet', b''
    for chunk in chunks(stream):
        if not chunk:
            print('building:', said, flush=True)
        *lines, rest = (rest + chunk).split(b'\n')
        for line in lines:
            step = STEP.match(line)
            if step:
                said = f'{int(step[1])} of {int(step[2])}'
            elif not line.startswith(b'ninja: Entering directory'):
                print(line.decode(errors='replace'), flush=True)


def main():
    with subprocess.Popen(['ninja', '-C', *sys.argv[1:]], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, NINJA_STATUS='[%f/%t] ')) as ninja:
        # ninja ends its own processes when it is told to stop.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: ninja.send_signal(number))
        follow(ninja.stdout)
    return ninja.returncode if ninja.returncode >= 0 else 128 - ninja.returncode


sys.exit(main())
