#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unchanged.py INPUT.. -- COMMAND..: runs a test unless its last success had the same inputs.

The inputs are all that the test depends on besides its command: files, folders, and names of
programs on the PATH. Of programs and libraries, what they execute counts, and not their debug
information, which names the folder of the build. VKR_TEST_STAMPS names a folder that keeps what
tests print when they succeed; this is printed again. Without it, the test always runs.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

STRIP = ['objcopy', '--strip-debug', '--remove-section=.note.gnu.build-id']


def content(path):
    with open(path, 'rb') as file:
        data = file.read()
    if data[:4] != b'\x7fELF':
        return data
    with tempfile.NamedTemporaryFile() as plain:
        if subprocess.run([*STRIP, path, plain.name], check=False,
                          stderr=subprocess.DEVNULL).returncode == 0:
            with open(plain.name, 'rb') as file:
                data = file.read()
    return data


def files_of(name):
    path = name if os.path.exists(name) else shutil.which(name)
    if path is None:
        sys.exit(f'unchanged.py: there is no {name}')
    if os.path.isdir(path):
        return sorted(os.path.join(folder, file) for folder, _, files in os.walk(path)
                      for file in files if not file.endswith('.pyc'))
    return [path, *driver_of(path)]


def driver_of(path):
    """The library that a manifest of a Vulkan driver names."""
    if not path.endswith('.json'):
        return []
    with open(path, encoding='utf-8') as file:
        library = json.load(file)['ICD']['library_path']
    return [os.path.join(os.path.dirname(path), library)]


def key_of(inputs, command):
    key = hashlib.sha256()
    for name in inputs:
        for path in files_of(name):
            data = content(path)
            key.update(f'{os.path.basename(path)} {len(data)}\n'.encode() + data)
    # Folders differ from one clone to the next. Files among the words are inputs.
    for word in command:
        key.update(os.path.basename(word).encode() + b'\n')
    return key.hexdigest()


def main():
    at = sys.argv.index('--')
    inputs, command = sys.argv[1:at], sys.argv[at + 1:]
    stamps = os.environ.get('VKR_TEST_STAMPS')
    if not stamps:
        os.execvp(command[0], command)
    files = [word for word in command if os.path.isfile(word)]
    stamp = os.path.join(stamps, key_of([*inputs, *files], command))
    if os.path.exists(stamp):
        print('# unchanged since it passed', flush=True)
        with open(stamp, encoding='utf-8') as file:
            print(file.read(), end='')
        return 0
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, text=True, errors='replace')
    print(done.stdout, end='')
    if done.returncode == 0 and not re.search(r'^not ok|# *skip', done.stdout, re.M | re.I):
        with open(stamp + '.new', 'w', encoding='utf-8') as file:
            file.write(done.stdout)
        os.replace(stamp + '.new', stamp)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


sys.exit(main())
