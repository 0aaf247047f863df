#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what the program vkreduce prints of itself: its manual pages, and its completion by bash,
fish and zsh. Both must have what --help lists. Prints TAP.

runner_manual.py MANUAL VERSION VKREDUCE: MANUAL is vkreduce.1, in the folder that also has the
manual pages of the commands, and VERSION is the project's version.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import runner_tools
from runner_tools import ok, options_of

MANUAL, VERSION, PROGRAM = (os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3]))
COMMANDS = ('apply', 'bin', 'bounds', 'compact', 'devices', 'expand', 'find', 'histogram', 'merge', 'pyramid', 'reduce',
            'scan', 'select', 'sort', 'topk', 'tune')
# What the first operand may be, where words are a list.
CHOICES = {'reduce': 'OP', 'scan': 'OP', 'pyramid': 'OP', 'bounds': 'SIDE', 'compact': 'PREDICATE',
           'find': 'PREDICATE'}


def call(*arguments, **more):
    return runner_tools.call(PROGRAM, *arguments, **more)


# ---- Manual pages ----

def read_page(name):
    with open(os.path.join(os.path.dirname(MANUAL), name)) as file:
        page = file.read()
    ok(f'"vkreduce {VERSION}"' in page, f'{name} is of this version')
    done = subprocess.run(['groff', '-man', '-ww', '-z', '-Tutf8'], input=page,
                          capture_output=True, text=True)
    ok(done.returncode == 0 and done.stdout + done.stderr == '', f'groff finds nothing in {name}',
       done.stderr)
    return re.sub(r'\\f[BIRP]', '', page).replace('\\-', '-')


def test_manual():
    page = read_page('vkreduce.1')
    commands = re.findall(r'^\.TP\n\.B (\w+)$', page[:page.index('.SH OPERANDS')], re.M)
    named = re.findall(r'^  (\w+)  ', call('--help')[1], re.M)
    ok(commands == named and set(commands) - {'bench'} == set(COMMANDS), 'it has the commands',
       commands)
    for command in COMMANDS:
        page = read_page(f'vkreduce-{command}.1')
        help = call(command, '--help')[1]
        options = options_of(help)
        options = [re.sub(r'-o, (--output (\w+))', r'\1, -o \2', option) for option in options]
        entries = re.findall(r'^\.TP\n(-.*)$', page, re.M)
        ok(entries != [] and entries + ['-h, --help'] == options,
           f'the page of {command} has the options of --help, in order',
           set(entries) ^ set(options))
        for heading in ('OP', 'T') if command == 'reduce' else ():
            text = re.search(rf'^{heading} +(.*?)\n(\w| +dot reads|\n)', help, re.M | re.S)[1]
            missing = [word for word in text.split() if not re.search(rf'\b{word}\b', page)]
            ok(len(text.split()) > 10 and missing == [], f'the page of reduce has every {heading}',
               missing)


# ---- Completion ----

def complete_by_bash(script, line):
    """The words that bash offers for the last word of a line."""
    words = re.sub('=', ' = ', line)
    call_it = (f'\nCOMP_WORDS=({words}) COMP_CWORD={words.rstrip().count(" ")}\n'
               f'{"((COMP_CWORD++))" if line.endswith(" ") else ""}\n_vkreduce\n'
               'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(['bash'], capture_output=True, text=True, input=script + call_it)
    return set(done.stdout.split()), done.stderr


def test_bash(script):
    for name in ('a.glsl', 'b.spv', 'c.npy'):
        open(name, 'w').close()
    os.mkdir('folder')
    functions = {'a.glsl', 'b.spv', 'folder'}
    sides = {'lower', 'upper'}
    for line, expected in [
            ('vkreduce re', {'reduce'}), ('vkreduce reduce --til', {'--tiles'}),
            ('vkreduce reduce --ti', {'--tiles', '--timing'}),
            ('vkreduce scan --nan pro', {'propagate'}), ('vkreduce scan sum fi', set()),
            ('vkreduce scan --nan=pro', {'propagate'}), ('vkreduce reduce sums', {'sumsq'}),
            ('vkreduce reduce min,arg', {'min,argmin', 'min,argmax'}),
            ('vkreduce reduce min,max,xo', {'min,max,xor'}), ('vkreduce scan su', {'sum'}),
            ('vkreduce scan sum,ma', set()), ('vkreduce bounds ', sides),
            ('vkreduce bounds --nan-first ', sides), ('vkreduce bounds --repeat 3 ', sides),
            ('vkreduce bounds --repeat=3 ', sides), ('vkreduce bounds --repeat ', set()),
            ('vkreduce bounds --repeat=', set()), ('vkreduce bounds lower ', set()),
            ('vkreduce reduce --operator a.glsl mi', set()),
            ('vkreduce reduce --operator=a.glsl mi', set()),
            ('vkreduce find fin', {'finite'}), ('vkreduce pyramid min', {'min', 'minmax'}),
            ('vkreduce topk ', set()), ('vkreduce scan --operator ', functions),
            ('vkreduce reduce --operator=a', {'a.glsl'}),
            ('vkreduce compact --predicate b', {'b.spv'}),
            ('vkreduce compact --predicate c', set()), ('vkreduce reduce --keys ', set()),
            ('vkreduce reduce --map ', functions | {'luminance', 'log2-luminance'})]:
        found, messages = complete_by_bash(script, line)
        ok(found == expected and messages == '', f'bash completes {line!r}', f'{found} {messages}')


def read_choice(command):
    """The words that --help lists for the first operand."""
    text = re.search(rf'^{CHOICES[command]} +(.*?)\n(?=\w|\n)', call(command, '--help')[1],
                     re.M | re.S)[1]
    if command == 'bounds':
        return re.findall(r'^ *([a-z]+)   ', text, re.M)
    if CHOICES[command] == 'PREDICATE':
        return [word for word in re.findall(r'[a-z]+', text.split('flags:')[0])
                if word not in ('the', 'first', 'of', 'each', 'run', 'equal', 'elements')]
    return text.replace('dot reads INPUT2, of the same type and length as INPUT', '').split()


def test_choices(bash, fish, zsh):
    """All shells know the words of --help, which are those that the program takes."""
    for command, name in CHOICES.items():
        words = read_choice(command)
        offered = sorted(complete_by_bash(bash, f'vkreduce {command} ')[0])
        by_fish = re.search(rf"^complete -c vkreduce -n '__vkreduce_first {command} .*' -f -a "
                            r"'(?:\(__vkreduce_list )?([^')]+)", fish, re.M)[1].split()
        part = re.search(rf'^    {command}\)$(.*?);;$', zsh, re.M | re.S)[1]
        by_zsh = re.search(rf"'1:{name}:(?:\(|_sequence compadd - )([^)']+)", part)[1].split()
        ok(offered == sorted(words) and by_fish == words and by_zsh == words,
           f'{command}: the shells have each {name}', f'{offered} {by_fish} {by_zsh}')
        operands = ['none.png'] if command == 'pyramid' else ['random:1', 'random:1']
        for word in words:
            err = call(command, word, *operands[:2 if command == 'bounds' or word == 'dot' else 1],
                       *([] if command == 'pyramid' else
                         ['--type', 'f32' if word == 'logsumexp' else 'u32']),
                       *(['-o', 'out.npy'] if command in ('bounds', 'scan', 'pyramid') else []))[2]
            ok(err == '' or 'none.png' in err, f'vkreduce {command} {word}', err)


def list_options(command):
    return [re.search(r'--([\w-]+)', option)[1]
            for option in options_of(call(command, '--help')[1])]


def test_options(fish, zsh):
    for command in COMMANDS:
        options = list_options(command)
        part = re.search(rf'^    {command}\)$(.*?);;$', zsh, re.M | re.S)[1]
        missing = [name for name in options
                   if not re.search(rf"^ +'(\(-\)|\(1\)|\*)?--{name}=?\[", part, re.M)]
        ok(len(options) > 2 and missing == [], f'the script of zsh has the options of {command}',
           missing)
        by_fish = re.findall(rf"^complete -c vkreduce -n '__vkreduce_command {command}' -l (\S+)",
                             fish, re.M)
        ok(by_fish + ['help'] == options, f'the script of fish has the options of {command}',
           set(by_fish) ^ set(options))
    ok("'--nan=[" in zsh and ':(ignore propagate skip)' in zsh and ':FILE:_files' in zsh,
       'and words and files after them, in zsh')
    ok("-l nan -x -a 'ignore propagate skip' -d" in fish and '-l output -s o -r -d' in fish and
       '-l repeat -x -d' in fish, 'and in fish')
    for option in ('operator', 'predicate', 'map'):
        ok(re.search(rf"'(\(1\))?--{option}=\[.*_files -g \"\*\.\(glsl\|spv\)\"", zsh) and
           re.search(rf'-l {option} -x .*\(__vkreduce_functions\)', fish),
           f'--{option} takes files of functions')


def test_completion():
    bash, fish, zsh = (call('--completion', shell)[1] for shell in ('bash', 'fish', 'zsh'))
    ok(call('--completion')[1] == bash, 'bash is the default')
    ok(zsh.startswith('#compdef vkreduce\n'), 'zsh finds the command of its script', zsh[:99])
    for text, name, shell in [(bash, 'bash', 'bash'), (zsh, 'zsh', 'bash'), (zsh, 'zsh', 'zsh'),
                              (fish, 'fish', 'fish')]:
        if shutil.which(shell):
            done = subprocess.run([shell, '-n'], capture_output=True, text=True, input=text)
            ok(done.returncode == 0 and done.stderr == '', f'{shell} parses the script of {name}',
               done.stderr)
    test_bash(bash)
    test_choices(bash, fish, zsh)
    test_options(fish, zsh)
    for shell in ('tcsh', ''):
        runner_tools.refuse(PROGRAM, 'another shell', 2, f"--completion is '{shell}'|bash|fish|zsh",
                            '--completion', shell)


def test_installed():
    build = os.path.join(os.path.dirname(PROGRAM), '../..')
    with open(os.path.join(build, 'meson-info/intro-installed.json')) as file:
        installed = json.load(file)
    found = set(installed.values())
    for end in ('/bin/vkreduce', '/man1/vkreduce.1', '/completions/vkreduce.bash',
                '/zsh/site-functions/_vkreduce', '/vendor_completions.d/vkreduce.fish',
                *(f'/man1/vkreduce-{command}.1' for command in COMMANDS)):
        ok(any(path.endswith(end) for path in found), f'{end} is installed', found)


with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
    os.environ['MESA_SHADER_CACHE_DISABLE'] = 'false'
    os.environ.setdefault('MESA_SHADER_CACHE_DIR', cache)
    os.chdir(folder)
    test_manual()
    test_completion()
    test_installed()
    os.chdir('/')
runner_tools.finish()
