# SPDX-License-Identifier: MIT
"""A copy of the sources in which mutants are tried, and the tests that are built there."""
import concurrent.futures
import contextlib
import filecmp
import fnmatch
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys

from mutant import Mutant
from tiers import SPIRV, first_tier, matching
from tree import Tree, listed

JOBS = len(os.sched_getaffinity(0))
# The library of a mutant takes the modules that shaders.c lists as replaced, as they are.
REPLACED = Mutant('modules that are replaced', 'unpack.c',
                  'const vkr_block *block = &vkr_blocks[k->block];\n    uint32_t *words = memory;',
                  'const vkr_block *block = &vkr_blocks[k->block];\n'
                  '    uint32_t *words = memory;\n'
                  '    extern const uint32_t *const vkr_replaced[];\n'
                  '    if (vkr_replaced[kernel])\n'
                  '        return memcpy(words, vkr_replaced[kernel], k->words * sizeof *words);',
                  ('unpack',))


def call(command, timeout=None, **more):
    """Runs a command, with what it starts: after the time-out, none of that runs on."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors='replace',
                          start_new_session=True, **more) as process:
        try:
            output, _ = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # mpirun then stops its ranks
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=5)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output)


def must(command, **more):
    done = call(command, **more)
    if done.returncode != 0:
        sys.exit(f'{shlex.join(command)}:\n{done.stdout}')
    return done.stdout


def ninja(folder, *targets):
    return ['ninja', '-j', str(JOBS), '-C', folder, *targets]


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def same(a, b):
    return os.path.isfile(a) and os.path.isfile(b) and filecmp.cmp(a, b, shallow=False)


def copy_tree(source, target):
    """Makes `target` hold the files of the tree `source`. Each changed file gets the current time,
    so that whatever depends on it is built again. Build folders lie beside, in target/build*."""
    names = listed(source)
    for name in names:
        to = os.path.join(target, name)
        if not same(os.path.join(source, name), to):
            os.makedirs(os.path.dirname(to), exist_ok=True)
            shutil.copy(os.path.join(source, name), to)
    for folder, folders, files in os.walk(target):
        if folder == target:
            folders[:] = [name for name in folders if not name.startswith('build')]
        for name in files:
            path = os.path.join(folder, name)
            if os.path.relpath(path, target) not in names:
                os.remove(path)


def modules_of(command):
    """The modules that a call of compile.sh makes: for each its name, the tools and the source, and
    its options. An empty list if the command is another one."""
    words = [[]]
    for word in command:
        words += [[]] if word == '--' else []
        words[-1] += [] if word == '--' else [word]
    head, *modules = words
    if not head or os.path.basename(head[0]) != 'compile.sh':
        return []
    *tools, _, _, source = head
    return [(name, tools, source, options) for name, *options in modules]


def replace_modules(text, modules):
    """The text of shaders.c with modules from files in place of its own, as REPLACED reads them."""
    lines = []
    for name, path in modules.items():
        with open(path, 'rb') as file:
            code = file.read()
        words = [f'0x{int.from_bytes(code[i:i + 4], sys.byteorder):x}'
                 for i in range(0, len(code), 4)]
        text, found = re.subn(rf'(\[VKR_KERNEL_{name.upper()}\] = \{{\d+, \d+, )\d+(?=, \d+\}})',
                              rf'\g<1>{len(words)}', text)
        if found != 1:
            sys.exit(f'shaders.c has no module {name}')
        lines += [f'static const uint32_t replaced_{name}[] = {{{",".join(words)}}};']
    rows = ', '.join(f'[VKR_KERNEL_{name.upper()}] = replaced_{name}' for name in modules)
    return '\n'.join([text, *lines, 'extern const uint32_t *const vkr_replaced[];',
                      f'const uint32_t *const vkr_replaced[VKR_KERNEL_COUNT] = {{{rows}}};\n'])


class Bench:
    """The copy of the sources, its build folder, and the tests there."""

    def __init__(self, build, fallback, slower):
        self.build = os.path.abspath(build)
        self.all = fallback
        self.slower = slower
        with open(os.path.join(self.build, 'meson-info/meson-info.json'), encoding='utf-8') as file:
            self.source = json.load(file)['directories']['source']
        options = {option['name']: option['value'] for option in
                   json.loads(read(os.path.join(self.build, 'meson-info/intro-buildoptions.json')))}
        self.folder = os.path.join(self.build, 'mutants')
        self.tree = os.path.join(self.folder, 'tree')
        # The same relative paths as in the build folder, so that ccache knows the objects.
        self.tests = os.path.join(self.tree, 'build')
        self.shaders = os.path.join(self.folder, 'shaders.c')
        self.modules = []  # what modules_of returns
        self.swaps = {}  # for modules of the library: the mutant's
        if options['shaders']:
            plain = os.path.join(self.source, options['shaders'])
        else:
            plain = os.path.join(self.build, 'shaders/shaders.c')
            must(ninja(self.build, 'shaders/shaders.c'))
        self.plain = read(plain)
        self.copy('-Ddrivers=' + os.path.join(self.source, options['drivers']),
                  '-Dpipeline-cache=' + options['pipeline-cache'])

    def copy(self, *options):
        copy_tree(self.source, self.tree)
        self.code = Tree(self.tree)
        if not os.path.exists(self.shaders) or read(self.shaders) != self.plain:
            write(self.shaders, self.plain)
        self.configure(self.tests, f'-Dshaders={self.shaders}', *options, '-Dtests=true',
                       '-Dsamples=true', '-Dbench=false')
        info = os.path.join(self.tests, 'meson-info/intro-')
        self.rows = {row['name']: row for row in json.loads(read(info + 'tests.json'))}
        self.files = {target['id']: [os.path.relpath(name, self.tests)
                                     for name in target['filename']]
                      for target in json.loads(read(info + 'targets.json'))}

    def configure(self, folder, *options):
        """Configures only if there are other options or drivers than before: ninja does so where a
        meson.build has changed."""
        drivers = [os.path.join(option.partition('=')[2], part) for option in options
                   if option.startswith('-Ddrivers=') for part in ('icd', 'layer')]
        stamp = '\n'.join([*options, *(name for part in drivers if os.path.isdir(part)
                                       for name in sorted(os.listdir(part)))])
        path = os.path.join(self.folder, os.path.basename(folder) + '.options')
        first = not os.path.exists(os.path.join(folder, 'build.ninja'))
        if first or not os.path.exists(path) or read(path) != stamp:
            must(['meson', 'setup', *([] if first else ['--reconfigure']), folder, self.tree,
                  *options])
            write(path, stamp)
        must(ninja(folder, 'build.ninja'))

    def find_modules(self):
        """Asks a build of the copy how modules are compiled; it makes none of them."""
        folder = os.path.join(self.tree, 'build-modules')
        self.configure(folder, '-Dtests=false', '-Dsamples=false', '-Dbench=false')
        must(ninja(folder, 'shaders/reshape'))
        text = must(['ninja', '-C', folder, '-t', 'commands', 'shaders/shaders.c'])
        self.modules = [module for line in text.splitlines()
                        for module in modules_of(shlex.split(line))]

    def compile(self, patterns):
        """Compiles modules of the copy. Returns the compiler's message if one fails."""
        if not self.modules:
            self.find_modules()
        jobs = []
        for name, tools, source, options in self.modules:
            # CPU drivers run the variants with packs of 64-bit words (vkreduce/pack.glsl).
            stands_for = name.replace('_u64', '') if '-DVKR_PACKS_OF_U64' in options else name
            if any(fnmatch.fnmatch(stands_for, pattern) for pattern in patterns):
                self.swaps[name] = os.path.join(self.folder, name + '.spv')
                jobs.append([*tools, os.path.join(self.folder, name + '.d'), self.folder, source,
                             '--', name, *options])
        if not jobs:
            sys.exit(f'table.py: no module is named {patterns}')
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            done = list(pool.map(
                lambda job: call(job, cwd=os.path.join(self.tree, 'build-modules')), jobs))
        return next((job.stdout for job in done if job.returncode != 0), '')

    def check_modules(self):
        """Runs the test spirv on the mutant's modules."""
        script = next(name for name in listed(self.tree) if os.path.basename(name) == 'spirv.sh')
        return call(['sh', os.path.join(self.tree, script),
                     os.path.join(self.tree, 'shaders/cards'), *self.swaps.values()])

    def run(self, test):
        """Builds what a test needs and runs it. Returns the cases that failed, or the test's name
        if it has no cases; None if the build failed."""
        name, _, cases = test.partition('/')
        if name == SPIRV:
            done = self.check_modules()
        else:
            row = self.rows[name]
            files = [file for target in row['depends'] for file in self.files.get(target, [])]
            built = call(ninja(self.tests, *files))
            if built.returncode != 0:
                print(built.stdout)
                return None
            # All cases, rather than those whose turn it is.
            more = {'VKR_TEST_STEP': '1'} | ({'VKR_TEST_FILTER': cases} if cases else {})
            try:
                done = call(row['cmd'], cwd=row['workdir'] or self.tests,
                            env=os.environ | row['env'] | more,
                            timeout=self.slower * row['timeout'])
            except subprocess.TimeoutExpired:
                return ['it does not end']
            if cases and re.search(r'^1\.\.0$', done.stdout, re.MULTILINE):
                print(f'{name} runs no case {cases}')
                return []
        failed = re.findall(r'^not ok \d+ - (.*)', done.stdout, re.MULTILINE)
        return [] if done.returncode == 0 and not failed else list(dict.fromkeys(failed)) or [name]

    def matching(self, patterns):
        """The tests that match the patterns, each as NAME or NAME/CASES: first those of the first
        tier, and with --all all other tests at the end."""
        names = [SPIRV, *(name for name in self.rows if name != SPIRV)]
        early = first_tier(self.rows.values())
        first = [name + ''.join(pattern.partition('/')[1:])
                 for pattern in patterns for name in matching(pattern, names)]
        if not first:
            sys.exit(f'table.py: no test is named {patterns}')
        first.sort(key=lambda test: test.partition('/')[0] not in early)
        return first + [name for name in self.rows if self.all and name not in first]

    def change(self, mutant):
        """Changes the file of the copy. Returns the file's name, or None and why that fails."""
        name, why = self.code.find(mutant)
        if name is not None:
            write(os.path.join(self.tree, name),
                  self.code.text(name).replace(mutant.search, mutant.replace))
        return name, why

    @contextlib.contextmanager
    def apply(self, mutant):
        """Applies a mutant to the copy. Yields why that is not possible, or ''."""
        changed = []
        try:
            for one in [mutant, REPLACED] if mutant.modules else [mutant]:
                name, why = self.change(one)
                if name is None:
                    yield f'STALE: {why}'
                    return
                changed.append(name)
            why = self.compile(mutant.modules) if mutant.modules else ''
            if self.swaps and not why:
                write(self.shaders, replace_modules(self.plain, self.swaps))
            yield f'DOES NOT BUILD: {why.splitlines()[0]}' if why else ''
        finally:
            for name in changed:
                write(os.path.join(self.tree, name), self.code.text(name))
            if self.swaps:
                write(self.shaders, self.plain)
            self.swaps = {}
