#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the tests: applies one mutant after the other and runs the tests that should notice it.

mutants.py BUILD [--list] [--only PATTERN,..] [--all] [--log FILE]

BUILD is a build folder; with -Dshaders it only supports mutants of src/ and samples/. table.py
lists the mutants. Each is applied to a copy of the sources in BUILD/mutants. If it changes src/ or
samples/, the tests are built there; if it changes shaders/, its modules are compiled, and a layer
(swap.c) puts them in place of the library's. Then the tests that should notice it run and, if none
of them does and --all is given, all other tests. Only tests that pass without a mutant count.
Prints which test noticed each mutant; --log writes a log for summary.py. The exit status is 1 if a
mutant was not noticed.
"""
import argparse
import concurrent.futures
import contextlib
import filecmp
import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import table

# The default tier must notice the mutants.
os.environ.pop('VKR_TEST_FULL', None)
NEEDED = ('glsl', 'include', 'shaders', 'src', 'tests', 'samples', 'meson.build',
          'meson_options.txt', 'README.md', 'LICENSE')
SPIRV = 'spirv'  # the test of this name, which here checks only the mutant's modules
SLOWER = 4  # a factor for the tests' timeouts
LAYER = 'VK_LAYER_VKREDUCE_swap'


def call(command, **more):
    return subprocess.run(command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace', **more)


def must(command, **more):
    done = call(command, **more)
    if done.returncode != 0:
        sys.exit(f'{shlex.join(command)}:\n{done.stdout}')
    return done.stdout


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def same(a, b):
    return os.path.isfile(a) and os.path.isfile(b) and filecmp.cmp(a, b, shallow=False)


def update(source, target):
    """Makes the folder `target` equal to `source`. Every changed file gets the current time, so
    that what depends on it is rebuilt, whatever its time in `source` is."""
    os.makedirs(target, exist_ok=True)
    for name in set(os.listdir(target)) - set(os.listdir(source)):
        path = os.path.join(target, name)
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
    for name in os.listdir(source):
        path, to = os.path.join(source, name), os.path.join(target, name)
        if os.path.isdir(path):
            update(path, to)
        elif not same(path, to):
            shutil.copy(path, to)


def modules_of(command):
    """The modules that a call of compile.sh makes: for each its path, the tools and the source, and
    its options. An empty list if the command is another one."""
    words = [[]]
    for word in command:
        words += [[]] if word == '--' else []
        words[-1] += [] if word == '--' else [word]
    head, *modules = words
    if not os.path.basename(head[0]) == 'compile.sh':
        return []
    *tools, _, folder, source = head
    return [(os.path.join(folder, name + '.spv'), [*tools, source], options)
            for name, *options in modules]


class Bench:
    """The copy of the sources, its build folder, and the tests there."""

    def __init__(self, build, fallback):
        self.build = os.path.abspath(build)
        self.all = fallback
        info = json.loads(must(['meson', 'introspect', self.build, '--buildoptions']))
        options = {option['name']: option['value'] for option in info}
        with open(os.path.join(self.build, 'meson-info/meson-info.json'), encoding='utf-8') as file:
            self.source = json.load(file)['directories']['source']
        self.folder = os.path.join(self.build, 'mutants')
        self.tree = os.path.join(self.folder, 'tree')
        self.tests = os.path.join(self.folder, 'build')
        self.modules = []  # what modules_of returns
        self.swaps = {}  # for modules of the library: the mutant's
        plain = options['shaders']
        if not plain:
            must(['ninja', '-C', self.build, 'shaders/shaders.c'])
            plain = os.path.join(self.build, 'shaders/shaders.c')
            text = must(['ninja', '-C', self.build, '-t', 'commands', 'shaders/shaders.c'])
            self.modules = [module for line in text.splitlines()
                            for module in modules_of(shlex.split(line))]
        self.copy(plain, os.path.join(self.source, options['drivers']))

    def copy(self, plain, drivers):
        fresh = os.path.join(self.folder, 'fresh')
        shutil.rmtree(fresh, ignore_errors=True)
        os.makedirs(fresh)
        for name in NEEDED:
            path, to = os.path.join(self.source, name), os.path.join(fresh, name)
            if os.path.isdir(path):
                shutil.copytree(path, to)
            elif os.path.exists(path):
                shutil.copy(path, to)
        update(fresh, self.tree)
        shutil.rmtree(fresh)
        shaders = os.path.join(self.folder, 'shaders.c')
        if not same(plain, shaders):
            shutil.copy(plain, shaders)
        first = not os.path.exists(os.path.join(self.tests, 'build.ninja'))
        must(['meson', 'setup', *([] if first else ['--reconfigure']), self.tests, self.tree,
              f'-Dshaders={shaders}', f'-Ddrivers={drivers}', '-Dtests=true',
              '-Dsamples=true', '-Dbench=false'])
        introspect = ['meson', 'introspect', self.tests]
        self.rows = {test['name']: test for test in json.loads(must([*introspect, '--tests']))}
        self.files = {target['id']: [os.path.relpath(name, self.tests)
                                     for name in target['filename']]
                      for target in json.loads(must([*introspect, '--targets']))}
        self.layer = next(os.path.dirname(name) for names in self.files.values()
                          for name in names if os.path.basename(name) == 'libvkr_swap.so')
        must(['ninja', '-C', self.tests, os.path.join(self.layer, 'libvkr_swap.so')])

    def find(self, mutant):
        """The path and the text of the file that a mutant changes: the named file or, since
        functions move, the only file of the same type that contains the mutant's text. None if
        there is no such file."""
        found = []
        kind = os.path.splitext(mutant.file)[1]
        for part in ('src', 'shaders', 'samples'):
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
        """Compiles modules from the copy. Returns the compiler's message if one fails."""
        if not self.modules:
            sys.exit(f'mutants.py: {self.build} has no shaders of its own: -Dshaders is set')
        jobs = []
        for spv, how, options in self.modules:
            name = os.path.basename(spv)[:-len('.spv')]
            # CPU drivers run the variants with packs of 64-bit words (vkreduce/pack.glsl).
            stands_for = name.replace('_u64', '') if '-DVKR_PACKS_OF_U64' in options else name
            if any(fnmatch.fnmatch(stands_for, pattern) for pattern in patterns):
                path = os.path.join(self.folder, name)
                *tools, source = map(self.moved, how)
                self.swaps[os.path.join(self.build, spv)] = path + '.spv'
                jobs.append([*tools, path + '.d', self.folder, source, '--', name, *options])
        if not jobs:
            sys.exit(f'table.py: no module is named {patterns}')
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda job: call(job, cwd=self.build), jobs))
        return next((job.stdout for job in done if job.returncode != 0), '')

    def moved(self, word):
        """A word of a command; a file of the source tree becomes that of the copy."""
        path = os.path.normpath(os.path.join(self.build, word))
        if path.startswith(self.source + os.sep) and not path.startswith(self.build + os.sep):
            return os.path.join(self.tree, os.path.relpath(path, self.source))
        return word

    def check_modules(self):
        """Runs the test spirv on the mutant's modules."""
        script = next(os.path.join(folder, 'spirv.sh')
                      for folder, _, files in os.walk(os.path.join(self.tree, 'tests'))
                      if 'spirv.sh' in files)
        return call(['sh', script, os.path.join(self.tree, 'shaders/cards'),
                     *self.swaps.values()])

    def environment(self, row, cases):
        more = dict(os.environ, **row['env'])
        if cases:
            more['VKR_TEST_FILTER'] = cases
        if self.swaps:
            folder = os.path.join(self.tests, self.layer)
            layers = more.get('VK_INSTANCE_LAYERS')
            more['VKR_SWAP'] = ':'.join(f'{a}={b}' for a, b in self.swaps.items())
            more['VK_INSTANCE_LAYERS'] = f'{layers}:{LAYER}' if layers else LAYER
            path = more.get('VK_LAYER_PATH')
            more['VK_LAYER_PATH' if path else 'VK_ADD_LAYER_PATH'] = \
                f'{path}:{folder}' if path else folder
        return more

    def run(self, test):
        """Builds what a test needs and runs it. Returns the cases that failed, or the test's name
        if it has no cases; None if the build failed."""
        name, _, cases = test.partition('/')
        if name == SPIRV:
            done = self.check_modules()
        else:
            row = self.rows[name]
            files = [file for target in row['depends'] for file in self.files.get(target, [])]
            built = call(['ninja', '-C', self.tests, *files])
            if built.returncode != 0:
                print(built.stdout)
                return None
            try:
                done = call(row['cmd'], cwd=row['workdir'] or self.tests,
                            env=self.environment(row, cases), timeout=SLOWER * row['timeout'])
            except subprocess.TimeoutExpired:
                return ['it does not end']
            if cases and re.search(r'^1\.\.0$', done.stdout, re.MULTILINE):
                sys.exit(f'table.py: {name} runs no case {cases}')
        failed = re.findall(r'^not ok \d+ - (.*)', done.stdout, re.MULTILINE)
        return [] if done.returncode == 0 and not failed else list(dict.fromkeys(failed)) or [name]

    def matching(self, patterns):
        """The tests that match the patterns, each as NAME or NAME/CASES, and with --all all others
        after them."""
        first = []
        for pattern in patterns:
            name, slash, cases = pattern.partition('/')
            first += [found + slash + cases for found in [SPIRV, *self.rows]
                      if fnmatch.fnmatch(found, name)]
        if not first:
            sys.exit(f'table.py: no test is named {patterns}')
        return first + [name for name in self.rows if self.all and name not in first]

    @contextlib.contextmanager
    def apply(self, mutant):
        """Applies a mutant to the copy. Yields why that is not possible, or ''."""
        found = self.find(mutant)
        if found is None:
            yield 'STALE: its text is not there, or more than once'
            return
        path, text = found
        write(path, text.replace(mutant.search, mutant.replace))
        try:
            why = self.compile(mutant.modules) if mutant.modules else ''
            yield f'DOES NOT BUILD: {why.splitlines()[0]}' if why else ''
        finally:
            write(path, text)
            self.swaps = {}


def try_mutant(bench, mutant):
    """The first test that notices a mutant, and its failed cases; or None and the reason."""
    with bench.apply(mutant) as why:
        if why:
            return None, [why]
        for test in bench.matching(mutant.tests):
            failed = bench.run(test)
            if failed is None:
                return None, ['DOES NOT BUILD']
            if failed:
                return test, failed
    return None, ['NOT NOTICED']


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('build')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--only', default='*')
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--log')
    options = parser.parse_args()
    chosen = [mutant for mutant in table.MUTANTS
              if any(fnmatch.fnmatch(mutant.name, only) for only in options.only.split(','))]
    if not chosen:
        sys.exit(f'mutants.py: no mutant is named {options.only}')
    if options.list:
        print('\n'.join(f'{mutant.file}: {mutant.name}' for mutant in chosen))
        return 0
    bench = Bench(options.build, options.all)
    lines = []
    missed = 0
    noticed = {}
    for mutant in chosen:
        start = time.monotonic()
        test, failed = try_mutant(bench, mutant)
        missed += test is None
        noticed.setdefault(test, []).append(mutant.name)
        by = f'{test}: ' * (test is not None) + ', '.join(failed[:3])
        print(f'{mutant.file + ": " + mutant.name:66} {time.monotonic() - start:4.0f} s  {by}',
              flush=True)
        lines.append(f'{"ok" if test else "not ok"} - {mutant.name}: {by}')
    for test in filter(None, noticed):
        if test != SPIRV and bench.run(test) != []:
            missed += len(noticed[test])
            print(f'{test} fails without any mutant: {noticed[test]} are not known to be noticed')
            lines.append(f'not ok - {test} passes without a mutant')
    print(f'{len(chosen)} mutants, {missed} not noticed')
    if options.log:
        entry = {'name': 'mutants', 'result': 'FAIL' if missed else 'OK',
                 'returncode': int(bool(missed)), 'stdout': '\n'.join(lines) + '\n'}
        with open(options.log, 'w', encoding='utf-8') as log:
            log.write(json.dumps(entry) + '\n')
    return int(bool(missed))


if __name__ == '__main__':
    sys.exit(main())
