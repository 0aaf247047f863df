#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests vkreduce tune, and profiles on the command line. Prints TAP.

No test depends on speed.
"""
import json
import os
import re
import shutil

import runner_tools
from runner_tools import MISLED, PROGRAM, ok, refusals

SIZES = {'u8': 1, 'u16': 2, 'f32': 4, 'f64': 8}
OPERATIONS = {'min+max': 'reduce', 'scan': 'scan', 'compact': 'compact'}
POLICIES = {'large states': 'reduce', 'rows of 256': 'segments', 'sort': 'sort',
            'topk 32': 'topk', 'histogram of 256 bins': 'histogram', 'pyramids': 'pyramid',
            'stores of compact': 'compact'}
FIELDS = {'reduce': 9, 'segments': 11, 'sort': 9, 'topk': 4, 'histogram': 3, 'pyramid': 3,
          'compact': 1}
# Policies that no driver has.
OTHERS = ['policy reduce 64 16 32 128 320 8 4 256 2',
          'policy segments 16 512 16384 64 8 0 1 8 1 8 0',
          'policy sort 64 16 12 16 256 12 0 20000 4', 'policy topk 128 32 1024 1',
          'policy histogram 0 2 64', 'policy pyramid 1 0 32', 'policy compact 8']


def call(*arguments):
    return runner_tools.call(PROGRAM, *arguments)


def tune(*arguments):
    code, out, err = call('tune', '--quick', '--json', *arguments)
    ok(code == 0 and err == '', f'tune {" ".join(arguments)}', f'status {code}, {err}')
    return json.loads(out) if code == 0 else {'types': [], 'profile': ''}


def write(name, text):
    return runner_tools.write(name, text.encode())


def with_others(profile):
    others = {line.split()[1]: line for line in OTHERS}
    return '\n'.join(others[line.split()[1]] if line.startswith('policy ') else line
                     for line in profile.split('\n'))


def test_people():
    """The table, which is followed by the profile."""
    code, out, err = call('tune', '--quick', '--type', 'f32')
    table, head, rest = out.partition('vkreduce-profile 2\n')
    ok(code == 0 and err == '' and 'f32, GB/s' in table and '\nused ' in table and
       '\nbest ' in table and table.endswith('\n\n') and rest.endswith('\nend\n'),
       'the table for people', out + err)
    return head + rest


def test_tune(given):
    """Measures everything, starting with other policies than those that are built in."""
    write('given', with_others(given))
    answer = tune('-o', 'profile', '--profile', 'given')
    os.remove('given')
    needs = {'u8': 'storageBuffer8BitAccess', 'u16': 'storageBuffer16BitAccess',
             'f64': 'shaderFloat64'}
    types = [name for name in SIZES
             if name not in needs or not runner_tools.is_lacking(PROGRAM, needs[name])]
    for of in OPERATIONS:
        kinds = [(found['type'], found['texels']) for found in answer['types']
                 if found['of'] == of]
        texels = [name for name, with_texels in kinds if with_texels]
        ok([name for name, with_texels in kinds if not with_texels] == types and
           texels in (types, []), f'it measures {types} by {of}', kinds)
    ok([found['of'] for found in answer['types'] if found['of'] not in OPERATIONS] ==
       list(POLICIES), 'and policies', answer)
    ok([found['rows'][0]['row'] for found in answer['types'] if found['of'] in POLICIES] == OTHERS,
       'of each policy, the row of a profile is in use', answer)
    for found in answer['types']:
        name = f'{found["of"]} {found["type"]}'
        if found['of'] in POLICIES:
            policy = POLICIES[found['of']]
            words, fields, few = ['policy', policy], 2 + FIELDS[policy], 1
        else:
            words = [OPERATIONS[found['of']], str(SIZES[found['type']]),
                     'texels' if found['texels'] else 'buffer']
            fields, few = 14, 2
        ok(all(row['row'].split()[:len(words)] == words and len(row['row'].split()) == fields and
               row['score'] > 0 and len(row['gb_per_s']) == len(found['counts']) and
               min(row['gb_per_s']) > 0 for row in found['rows'] + [found['best']]),
           f'{name}: every row has a score and a rate per count', found)
        names = [row['row'] for row in found['rows']]
        ok(len(names) > few and len(set(names)) == len(names) and found['best']['row'] in names,
           f'{name}: several rows, each once, the best among them', found)
    lines = answer['profile'].split('\n')
    ok(lines[0] == 'vkreduce-profile 2' and lines[1].startswith('device ') and
       [line.split()[:3] for line in lines[2:26]] ==
       [[operation, size, view] for operation in ('reduce', 'scan', 'compact') for size in '1248'
        for view in ('buffer', 'texels')] and
       lines[33:] == ['end', ''], 'the profile has a row per operation, size and view',
       answer['profile'])
    ok([line.split()[:2] for line in lines[26:33]] == [['policy', name] for name in FIELDS] and
       [len(line.split()) for line in lines[26:33]] == [2 + n for n in FIELDS.values()] and
       list(POLICIES.values()) == list(FIELDS),
       'and each policy, all of which are measured', answer['profile'])
    ok(all(found['best']['row'] in lines for found in answer['types']), 'and the best ones', lines)
    ok(runner_tools.read('profile').decode() == answer['profile'] and
       sorted(os.listdir('.')) == ['data', 'profile'] and
       answer['outputs'] == {'output': 'profile'},
       'the file is the profile, and nothing else is left', os.listdir('.'))
    return answer['profile']


def test_use(profile):
    for ops, type_ in (('min,max,argmin', 'f32'), ('min,max,sum,xor', 'u32')):
        runner_tools.answer(
            'with it', f'reduce {ops} random:300001 --type {type_} --profile profile', None)
    write('policies', with_others(profile))
    for command in ('sort random:100003 -o sorted.npy --type u32',
                    'topk 50 random:100003 --type u32',
                    'histogram random:100003 --bins 100',
                    'pyramid max data/camera.png -o levels',
                    'reduce min,max random:102400 --segments rows:100 --type u32',
                    'reduce min,max,argmin,sum random:1048583 --determinism device',
                    'reduce min,max,argmin,sum random:102400 --segments columns:64 --type u32',
                    'reduce min,max random:102400 --components 4 --segments windows:32'):
        code, out, err = call(*command.split(), '--profile', 'policies', '--verify')
        ok(code == 0 and err == '' and 'verified yes' in out, f'with other policies: {command}',
           out + err)
    os.remove('sorted.npy')
    shutil.rmtree('levels')
    # tune measures the row of the given profile first. It will find a better one than this.
    row = 'reduce 4 buffer 1024 32 0 65536 65536 7 coalesced element 1 0 0'
    scan = 'scan 4 buffer 1024 32 0 65536 65536 7 coalesced element 1 32 1'
    lines = [next((new for new in (row, scan) if new.split()[:3] == line.split()[:3]), line)
             for line in profile.split('\n')]
    write('other', '\n'.join(lines))
    answer = tune('--type', 'i32', '--profile', 'other')
    ok(answer['types'][0]['rows'][0]['row'] == row and
       {found['type'] for found in answer['types']} == {'i32'},
       'the row of a profile is in use, --type measures one size', answer)
    best = {found['rows'][0]['row']: found['best']['row'] for found in answer['types']}
    ok(answer['profile'].split('\n') == [best.get(line, line) for line in lines],
       'the best rows take their place, the others stay', answer['profile'])


def test_difference():
    """A row that gives another result than the one in use is named."""
    code, out, err = runner_tools.call(MISLED, 'tune', '--quick', '--type', 'f32', '-o', 'bad')
    ok(code == 3 and re.fullmatch(
        "vkreduce: the row 'reduce 4 buffer [^']+' gives a different result from the row in use "
        r'for \d+ values\n', err) and not os.path.exists('bad'),
       'a row with another result', f'{code} {out} {err}')


def test_refused(profile):
    lines = profile.split('\n')
    numbers = lines[1].split()
    for name, words, text in [
            ('a profile of another vendor', 'is for vendor 4000000000|this device',
             profile.replace(lines[1], ' '.join(['device', '4000000000', *numbers[2:]]))),
            ('a profile of another driver', 'driver build 4000000000|this device',
             profile.replace(lines[1], ' '.join([*numbers[:3], '4000000000', numbers[4]]))),
            ('an empty file', 'there is no data', ''),
            ('another text', "line 1|'hello'|vkreduce-profile 2", 'hello\n'),
            ('a torn profile', "line 5|newline|'end'", '\n'.join(lines[:4]) + '\n' + lines[4][:9]),
            ('a row twice', 'line 4|already', '\n'.join(lines[:3] + [lines[2]] + lines[3:])),
            ('a bad row', 'line 3|six', profile.replace('\nreduce 1 ', '\nreduce one ')),
            ('Windows line ends', 'line 1', profile.replace('\n', '\r\n')),
            ('a file of another kind', '65536', 'x' * 70000)]:
        write('bad', text)
        refusals(2, 'reduce', (name, words, 'min random:10 --profile bad'))
    write('bad', 'hello\n')
    refusals(2, '', ('a bad profile', 'line 1', 'tune --quick --json --profile bad'),
             ('no such profile', 'none|No such file', 'reduce min random:10 --profile none'),
             ('a folder', 'directory', 'reduce min random:10 --profile .'))
    os.remove('bad')
    os.mkdir('folder')
    refusals(1, 'tune --type f32 -o', *(
        ('before anything is measured', f'{output}: |{words}', f'{output} {extra}')
        for output, words in (('none/profile', 'No such file'), ('folder', 'directory'))
        for extra in ('', '--json')))
    refusals(
        2, '',
        ('an operand', 'none', 'tune 1'),
        ('no option of tune', '--verify', 'tune --verify'),
        ('an option of tune', '--quick', 'reduce min random:10 --quick'),
        ('-o of devices', "'-o'", 'devices -o x'),
        ('-o without a name', '--output|FILE', 'tune -o'),
        ('no such type', "'f31'", 'tune --type=f31'))


with runner_tools.workplace():
    text = test_tune(test_people())
    test_use(text)
    test_difference()
    test_refused(text)
