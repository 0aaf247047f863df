#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows what the tests notice: breaks the library in one place after the other, and runs them.

mutants.py BUILD [--list] [--only PATTERN,..] [--log FILE]

BUILD is a build folder; one with -Dshaders will do for mutants of src/ alone. The mutants
stand in table.py. Each is applied to a copy of the sources in BUILD/mutants, which is built again
as far as it needs; then the tests that should notice run, and, if none does, all others of the
default tier. Only a test that passes without a mutant counts. Prints a table of which test noticed
what; --log writes what summary.py reads. The exit status is 1 if a mutant was not noticed.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import shlex
import shutil
import subprocess
import sys
import time

import table

# The default tier is what has to notice.
os.environ.pop('VKR_TEST_FULL', None)
NEEDED = ('include', 'shaders', 'src', 'tests', 'samples', 'meson.build', 'meson_options.txt',
          'README.md', 'LICENSE')


def call(command, **more):
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace', **more)


def must(command, **more):
    done = call(command, **more)
    if done.returncode != 0:
        sys.exit(f'{shlex.join(command)}:\n{done.stdout}')
    return done.stdout


class Bench:
    """The copy of the sources, its build folder, and which tests pass in it without a mutant."""

    def __init__(self, build):
        self.build = os.path.abspath(build)
        info = json.loads(must(['meson', 'introspect', self.build, '--buildoptions']))
        options = {option['name']: option['value'] for option in info}
        with open(os.path.join(self.build, 'meson-info/meson-info.json'), encoding='utf-8') as file:
            self.source = json.load(file)['directories']['source']
        self.folder = os.path.join(self.build, 'mutants')
        self.tree = os.path.join(self.folder, 'tree')
        self.tests = os.path.join(self.folder, 'build')
        self.shaders = os.path.join(self.folder, 'shaders.c')
        self.passes = {}
        self.commands = []
        plain = options['shaders']
        if not plain:
            must(['ninja', '-C', self.build, 'shaders/shaders.c'])
            plain = os.path.join(self.build, 'shaders/shaders.c')
            text = must(['ninja', '-C', self.build, '-t', 'commands', 'shaders/shaders.c'])
            self.commands = [shlex.split(line) for line in text.splitlines()]
        self.copy(plain, os.path.join(self.source, options['drivers']))

    def copy(self, plain, drivers):
        shutil.rmtree(self.tree, ignore_errors=True)
        os.makedirs(self.tree)
        for name in NEEDED:
            path, to = os.path.join(self.source, name), os.path.join(self.tree, name)
            if os.path.isdir(path):
                shutil.copytree(path, to)
            elif os.path.exists(path):
                shutil.copy2(path, to)
        shutil.copy2(plain, self.shaders)
        first = not os.path.exists(os.path.join(self.tests, 'build.ninja'))
        must(['meson', 'setup', *([] if first else ['--reconfigure']), self.tests, self.tree,
              f'-Dshaders={self.shaders}', f'-Ddrivers={drivers}', '-Dtests=true',
              '-Dsamples=false', '-Dbench=false'])
        text = must(['meson', 'introspect', self.tests, '--tests'])
        self.names = [test['name'] for test in json.loads(text)]

    def find(self, mutant):
        """The file with a mutant's text and what it holds: the one named, or, since functions move,
        the only other one of its kind that has it. None if there is no such file."""
        found = []
        kind = os.path.splitext(mutant.file)[1]
        for part in ('src', 'shaders'):
            for folder, _, files in os.walk(os.path.join(self.tree, part)):
                for name in files:
                    if os.path.splitext(name)[1] != kind:
                        continue
                    path = os.path.join(folder, name)
                    with open(path, encoding='utf-8') as file:
                        text = file.read()
                    if text.count(mutant.search) == 1 and name == mutant.file:
                        return path, text
                    found += [(path, text)] * text.count(mutant.search)
        return found[0] if len(found) == 1 else None

    def compile(self, patterns):
        """Modules from the copy, and all others as they are, in one shaders.c."""
        if not self.commands:
            sys.exit(f'mutants.py: {self.build} has no shaders of its own: -Dshaders is set')
        made = {}
        jobs = []
        for command in self.commands[:-1]:
            spv = next(word for word in command if word.endswith('.spv'))
            name = os.path.basename(spv)[:-len('.spv')]
            if any(fnmatch.fnmatch(name, pattern) for pattern in patterns):
                made[spv] = os.path.join(self.folder, os.path.basename(spv))
                jobs.append([self.moved(word, made) for word in command])
        if not jobs:
            sys.exit(f'table.py: no module is named {patterns}')
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda job: call(job, cwd=self.build), jobs))
        if any(job.returncode != 0 for job in done):
            return next(job.stdout for job in done if job.returncode != 0)
        must([self.moved(word, made) for word in self.commands[-1]], cwd=self.build)
        return ''

    def moved(self, word, made):
        """A word of a command, with the copy's files in place of the tree's and the build's."""
        if word in made:
            return made[word]
        if word == 'shaders/shaders.c':
            return self.shaders
        if word.endswith('.d') and not word.startswith('-'):
            return os.path.join(self.folder, os.path.basename(word))
        path = os.path.normpath(os.path.join(self.build, word))
        if path.startswith(self.source + os.sep) and not path.startswith(self.build + os.sep):
            return os.path.join(self.tree, os.path.relpath(path, self.source))
        return word

    def run(self, name):
        """Builds what a test needs and runs it: 'passes', 'fails' or 'does not build'."""
        done = call(['meson', 'test', '-C', self.tests, '--print-errorlogs', name])
        if 'Could not rebuild' in done.stdout:
            print(done.stdout)
            return 'does not build'
        return 'passes' if done.returncode == 0 else 'fails'

    def matching(self, patterns):
        first = [name for pattern in patterns for name in self.names
                 if fnmatch.fnmatch(name, pattern)]
        if not first:
            sys.exit(f'table.py: no test is named {patterns}')
        return first + [name for name in self.names if name not in first]


def try_mutant(bench, mutant):
    """Who notices, or why that is not known."""
    found = bench.find(mutant)
    if found is None:
        return 'STALE: its text is not there, or more than once'
    path, text = found
    changed = text.replace(mutant.search, mutant.replace)
    plain = bench.shaders + '.plain'
    with open(path, 'w', encoding='utf-8') as file:
        file.write(changed)
    try:
        if mutant.modules:
            shutil.copy2(bench.shaders, plain)
            why = bench.compile(mutant.modules)
            if why:
                return f'DOES NOT BUILD: {why.splitlines()[0]}'
        candidates = bench.matching(mutant.tests)
        suspects = []
        for name in candidates:
            result = bench.run(name)
            if result == 'does not build':
                return 'DOES NOT BUILD'
            if result == 'fails':
                if bench.passes.get(name):
                    return name
                suspects.append(name)
                break
    finally:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        if mutant.modules and os.path.exists(plain):
            os.replace(plain, bench.shaders)
            os.utime(bench.shaders)
    for name in suspects:
        bench.passes[name] = bench.run(name) == 'passes'
        return name if bench.passes[name] else f'UNKNOWN: {name} fails without it, too'
    return 'NOT NOTICED'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('build')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--only', default='*')
    parser.add_argument('--log')
    options = parser.parse_args()
    chosen = [mutant for mutant in table.MUTANTS
              if any(fnmatch.fnmatch(mutant.name, only) for only in options.only.split(','))]
    if not chosen:
        sys.exit(f'mutants.py: no mutant is named {options.only}')
    if options.list:
        print('\n'.join(f'{mutant.file}: {mutant.name}' for mutant in chosen))
        return 0
    bench = Bench(options.build)
    lines = []
    missed = 0
    for mutant in chosen:
        start = time.monotonic()
        by = try_mutant(bench, mutant)
        missed += by not in bench.names
        print(f'{mutant.file + ": " + mutant.name:66} {by:30} {time.monotonic() - start:5.0f} s',
              flush=True)
        lines.append(f'{"ok" if by in bench.names else "not ok"} - {mutant.name}: {by}')
    print(f'{len(chosen)} mutants, {missed} not noticed')
    if options.log:
        entry = {'name': 'mutants', 'result': 'FAIL' if missed else 'OK',
                 'returncode': int(bool(missed)), 'stdout': '\n'.join(lines) + '\n'}
        with open(options.log, 'w', encoding='utf-8') as log:
            log.write(json.dumps(entry) + '\n')
    return int(bool(missed))


if __name__ == '__main__':
    sys.exit(main())
