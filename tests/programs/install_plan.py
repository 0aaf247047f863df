#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what a build installs: each file has a tag of the packages that `meson install --tags
runtime,devel,python-runtime` makes, and none is missing there. Prints TAP.

install_plan.py MESON BUILD
"""
import json
import subprocess
import sys

TAGS = ('runtime', 'devel', 'python-runtime')
# Files that are easily left without a tag, since Meson knows none for where they lie.
EXPECTED = ('/vkreduceConfig.cmake', '/vkreduceConfigVersion.cmake', '/man1/vkreduce.1',
            '/man1/vkreduce-reduce.1', '/vkreduce.bash', '/_vkreduce', '/LICENSE', '/README.md',
            '/vkreduce.pc', '/vkreduce.h', '/vkreduce.hpp', '/vkreduce-host.pc',
            '/vkreduce-host.cmake', '/host.h', '/host_calls.h', '/host.hpp')

plan = json.loads(subprocess.run([sys.argv[1], 'introspect', '--install-plan', sys.argv[2]],
                                 check=True, stdout=subprocess.PIPE).stdout)
rows = [row for kind in plan.values() for row in kind.values()]
names = [row['destination'] for row in rows]
untagged = [row['destination'] for row in rows if row['tag'] not in TAGS]
missing = [end for end in EXPECTED if not any(name.endswith(end) for name in names)]
twice = sorted({name for name in names if names.count(name) > 1})
for number, (wrong, name) in enumerate([(untagged, 'every file has the tag runtime, devel or python-runtime'),
                                        (missing, 'all kinds of files are installed'),
                                        (twice, 'no file is installed twice')], 1):
    print(f'{"not ok" if wrong else "ok"} {number} - {name}')
    for line in wrong:
        print(f'# {line}')
print('1..3')
sys.exit(bool(untagged or missing or twice))
