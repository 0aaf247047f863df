#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shown.py ROOT BUILD: compares the samples that are built with those that samples/run.sh shows.

It reads run.sh and what Meson wrote into the folder BUILD, where nothing needs to be built. run.sh
shows each sample, or says of it "leaves out NAME".
"""
import json
import os
import re
import sys

ALIAS = 'shown-samples'
LEFT_OUT = re.compile(r'leaves out[\s#]+(\w+)')
RUNNER = re.compile(r'^runner=build/(\S+)$', re.M)
BUILDS = re.compile(r'^build_targets build (.+)$')
RUNS = re.compile(r'^(?:show )?(\$runner|build/\S+)')


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def programs(root, build):
    """The programs that samples/ and its folders define."""
    below = os.path.join(root, 'samples', '')
    return {os.path.relpath(target['filename'][0], build)
            for target in json.loads(read(build, 'meson-info', 'intro-targets.json'))
            if target['type'] == 'executable' and target['defined_in'].startswith(below)}


def listed(build):
    found = re.search(rf'^build {ALIAS}: phony (.+)$', read(build, 'build.ninja'), re.M)
    return set(found[1].split()) - {'|', '||'} if found else set()


def follow(script, alias):
    """The programs that run.sh runs, and those that it runs before it builds them."""
    runner = RUNNER.search(script)[1]
    built, run, early = set(), set(), set()
    for line in script.splitlines():
        builds, runs = BUILDS.match(line), RUNS.match(line)
        if builds:
            for target in builds[1].split():
                built |= alias if target == ALIAS else {target}
        if runs:
            program = runner if runs[1] == '$runner' else runs[1].removeprefix('build/')
            run.add(program)
            if program not in built:
                early.add(program)
    return run, early


def main():
    root, build = (os.path.realpath(path) for path in sys.argv[1:3])
    script, alias, defined = read(root, 'samples', 'run.sh'), listed(build), programs(root, build)
    left_out = {f'samples/{name}' for name in LEFT_OUT.findall(script)}
    run, early = follow(script, alias)
    checks = [
        (f'{ALIAS} has each sample that is not left out', defined - left_out ^ alias),
        ('run.sh shows each of them', alias - run),
        ('run.sh builds them before it runs them', early),
        ('run.sh shows nothing that it says it leaves out', run & left_out),
        ('there are samples', set() if len(defined) > 10 else {'too few'}),
    ]
    for number, (name, wrong) in enumerate(checks, 1):
        print('not ok' if wrong else 'ok', number, '-', name)
        for sample in sorted(wrong):
            print('#', sample)
    print(f'1..{len(checks)}')
    return any(wrong for _, wrong in checks)


sys.exit(main())
