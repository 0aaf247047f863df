#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a compiler makes of the pipelines of some ten thousand requests.

sweep.py CHIP FOLDER [SWEEP MANIFEST] [--every N]: SWEEP is the program of sweep.c, and MANIFEST the
driver for CHIP (chips.py). Where the compiler crashes, it goes on with the next request. What the
program writes stays in FOLDER, from which the summary is printed again without SWEEP and MANIFEST.
--every N takes each N-th request, where N is best a prime number, so that all choices still occur.
The exit status is 1 if the compiler crashes or refuses a pipeline.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

import chips


def number_of(last):
    return int(last.split(' ', 1)[0])


def compile_all(program, manifest, chip, folder, every):
    """Runs the program until no request is left, and notes the crashes in a file."""
    first = 0
    (folder / 'total').unlink(missing_ok=True)
    (folder / 'crashes').write_text('')
    while not (folder / 'total').exists():
        with tempfile.TemporaryDirectory() as runtime, open(folder / 'log', 'w') as log:
            done = subprocess.run([program, folder, str(first), str(every)], stdout=log, stderr=log,
                                  env=chips.environment(chip, manifest, runtime))
        if done.returncode != 0:
            words = (folder / 'log').read_text(errors='replace').strip().splitlines()
            last = (folder / 'last').read_text().strip() if (folder / 'last').exists() else ''
            if not last or number_of(last) + 1 == first:
                sys.exit('\n'.join(words) or f'sweep: status {done.returncode}')
            with open(folder / 'crashes', 'a') as crashes:
                crashes.write(f'{" ".join(last.split())}: {words[-1] if words else ""}\n')
            first = number_of(last) + 1


def read(folder, chip):
    """The pipelines by what identifies them, as (name of the request, counts); requests that the
    library refuses, and pipelines that the driver refuses."""
    pipelines, unsupported, refused = {}, set(), []
    block, counts = None, {}
    for line in (folder / 'pipelines').read_text(errors='replace').splitlines():
        if line.startswith('## '):
            _, variant, name = line.split(' | ')
            counts = {'variant': variant}
            block = pipelines.setdefault(variant, (name, counts))
        elif line.startswith('unsupported '):
            unsupported.add(line)
        elif line.startswith('refused '):
            refused.append(line)
        elif block and block[1] is counts:
            chips.statistics(chip, [line], counts)
    return list(pipelines.values()), len(unsupported), refused


def kind(name):
    """The family, the components and what else decides how a kernel is built."""
    family, _, rest = name.partition(': ')
    words = [word.partition(':')[0] for word in rest.split()
             if re.match(r'x[234]$|device$|single|rows|columns|windows|offsets|tiles|flags$|bytes$|'
                         r'bits$', word)]
    sets = re.search(r'ops ([0-9a-f]+)', rest)
    if sets and bin(int(sets[1], 16)).count('1') > 4:
        words.append('all')
    return ' '.join([family, *words])


def worth(counts):
    """What lies outside of registers."""
    return counts.get('spills', 0) + counts.get('fills', 0) + counts.get('local', 0)


def text(pipeline):
    name, counts = pipeline
    numbers = ', '.join(f'{key} {counts[key]}' for key in
                        ('spills', 'fills', 'local', 'registers', 'simd', 'instructions', 'code',
                         'ms') if counts.get(key))
    return f'    {name} [{counts["variant"].split()[0]}]: {numbers}'


def report(chip, folder):
    pipelines, unsupported, refused = read(folder, chip)
    crashes = (folder / 'crashes').read_text().splitlines()
    bad = [pipeline for pipeline in pipelines if worth(pipeline[1]) > 0]
    narrow = sum(pipeline[1].get('simd') == 8 for pipeline in pipelines)
    ms = sorted(pipeline[1].get('ms', 0) for pipeline in pipelines) or [0]
    total = folder / 'total'
    print(f'{chip}: {total.read_text().strip() if total.exists() else "not yet all"} requests, '
          f'{unsupported} refused by the library, {len(pipelines)} pipelines; '
          f'{len(crashes)} crashes, {len(refused)} refused by the driver; '
          f'{len(bad)} spill or use local memory' +
          (f', {narrow} SIMD8' if chips.vendor(chip) == 'intel' else '') +
          f'; ms median {ms[len(ms) // 2]}, 99 % {ms[len(ms) * 99 // 100]}, most {ms[-1]}')
    for line in crashes + refused:
        print('    ' + line)
    for title, key in (('kinds', lambda pipeline: kind(pipeline[0])),
                       ('kernels', lambda pipeline: pipeline[1]['variant'].split()[0])):
        print(f'  {title} that spill or use local memory:')
        total = collections.Counter(map(key, pipelines))
        for name, count in collections.Counter(map(key, bad)).most_common(30):
            print(f'    {count:5} of {total[name]:5} {name}')
    print('  worst:')
    print('\n'.join(text(p) for p in sorted(bad, key=lambda p: -worth(p[1]))[:15]))
    print('  slowest:')
    print('\n'.join(text(p) for p in sorted(pipelines, key=lambda p: -p[1].get('ms', 0))[:10]))
    return len(crashes) + len(refused)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition('\n\n')[0])
    parser.add_argument('chip', choices=chips.CHIPS)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('program', nargs='?')
    parser.add_argument('manifest', nargs='?')
    parser.add_argument('--every', type=int, default=1)
    asked = parser.parse_args()
    if asked.manifest:
        asked.folder.mkdir(parents=True, exist_ok=True)
        compile_all(asked.program, asked.manifest, asked.chip, asked.folder, asked.every)
    return report(asked.chip, asked.folder) > 0


if __name__ == '__main__':
    sys.exit(main())
