#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""vkreduce tune, and profiles on the command line, as TAP: tune.py VKREDUCE.

Nothing here depends on how fast anything is.
"""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
SIZES = {'u8': 1, 'u16': 2, 'f32': 4, 'f64': 8}
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good:
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments):
    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True)
    return done.returncode, done.stdout, done.stderr


def refuse(name, status, words, *arguments):
    """One sentence that says each of the words, the status, and nothing on stdout."""
    code, out, err = call(*arguments)
    ok(code == status and out == '' and err.startswith('vkreduce: ') and err.count('\n') == 1 and
       all(word in err for word in words.split('|')), f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def tune(*arguments):
    code, out, err = call('tune', '--quick', '--json', *arguments)
    ok(code == 0 and err == '', f'tune {" ".join(arguments)}', f'status {code}, {err}')
    return json.loads(out) if code == 0 else {'types': [], 'profile': ''}


def write(name, text):
    with open(name, 'w', newline='') as file:
        file.write(text)
    return name


def read(name):
    with open(name, newline='') as file:
        return file.read()


def test_tune():
    answer = tune('-o', 'profile')
    lacking = [need['name'] for need in json.loads(call('devices', '--json')[1])['devices'][0]
               ['requirements'] if not need['available']]
    needs = {'u8': 'storageBuffer8BitAccess', 'u16': 'storageBuffer16BitAccess',
             'f64': 'shaderFloat64'}
    types = [name for name in SIZES if needs.get(name) not in lacking]
    kinds = [(found['type'], found['texels']) for found in answer['types']]
    texels = [name for name, with_texels in kinds if with_texels]
    ok([name for name, with_texels in kinds if not with_texels] == types and
       texels in (types, []), f'it measures {types}', kinds)
    for found in answer['types']:
        words = ['reduce', str(SIZES[found['type']]), 'texels' if found['texels'] else 'buffer']
        ok(all(row['row'].split()[:3] == words and len(row['row'].split()) == 14 and
               row['score'] > 0 and len(row['gb_per_s']) == len(found['counts']) and
               min(row['gb_per_s']) > 0 for row in found['rows'] + [found['best']]),
           f'{found["type"]}: every row has a score and a rate per count', found)
        names = [row['row'] for row in found['rows']]
        ok(len(names) > 2 and len(set(names)) == len(names) and found['best']['row'] in names,
           f'{found["type"]}: several rows, each once, the best among them', found)
    lines = answer['profile'].split('\n')
    ok(lines[0] == 'vkreduce-profile 2' and lines[1].startswith('device ') and
       [line.split()[:3] for line in lines[2:26]] ==
       [[operation, size, view] for operation in ('reduce', 'scan', 'compact') for size in '1248'
        for view in ('buffer', 'texels')] and
       lines[26:] == ['end', ''], 'the profile has a row per operation, size and view',
       answer['profile'])
    ok(all(found['best']['row'] in lines for found in answer['types']), 'and the best ones', lines)
    ok(read('profile') == answer['profile'] and os.listdir('.') == ['profile'] and
       answer['outputs'] == {'output': 'profile'},
       'the file is the profile, and nothing else is left', os.listdir('.'))
    return answer['profile']


def test_use(profile):
    for ops, type_ in (('min,max,argmin', 'f32'), ('min,max,sum,xor', 'u32')):
        code, out, err = call('reduce', ops, 'random:300001', '--type', type_, '--json',
                              '--verify', '--profile', 'profile')
        ok(code == 0 and json.loads(out)['verified'] is True, f'reduce {ops} with it', err)
    # What a profile says is what runs: its row is the one to beat. This one will be.
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
    code, out, err = call('tune', '--quick', '--type', 'f32')
    ok(code == 0 and err == '' and 'f32, GB/s' in out and '\nused ' in out and '\nbest ' in out and
       out.endswith('\nend\n') and '\nvkreduce-profile 2\n' in out, 'the table for people',
       out + err)


def test_refused(profile):
    lines = profile.split('\n')
    numbers = lines[1].split()
    for name, words, text in [
            ('a profile of another vendor', 'is for vendor 4000000000|this device',
             profile.replace(lines[1], ' '.join(['device', '4000000000', *numbers[2:]]))),
            ('a profile of another driver', 'driver build 4000000000|this device',
             profile.replace(lines[1], ' '.join([*numbers[:3], '4000000000', numbers[4]]))),
            ('an empty file', 'line 1|newline', ''),
            ('another text', "line 1|'hello'|vkreduce-profile 2", 'hello\n'),
            ('a torn profile', "line 5|newline|'end'", '\n'.join(lines[:4]) + '\n' + lines[4][:9]),
            ('a row twice', 'line 4|already', '\n'.join(lines[:3] + [lines[2]] + lines[3:])),
            ('a bad row', 'line 3|six', profile.replace('\nreduce 1 ', '\nreduce one ')),
            ('Windows line ends', 'line 1', profile.replace('\n', '\r\n')),
            ('a file of another kind', '65536', 'x' * 70000)]:
        file = write('bad', text)
        refuse(name, 2, words, 'reduce', 'min', 'random:10', '--profile', file)
    refuse('a bad profile to tune', 2, 'line 1', 'tune', '--quick', '--json', '--profile',
           write('bad', 'hello\n'))
    refuse('no such profile', 2, 'none|No such file', 'reduce', 'min', 'random:10', '--profile',
           'none')
    refuse('a folder as profile', 2, 'directory', 'reduce', 'min', 'random:10', '--profile', '.')
    os.remove('bad')
    os.mkdir('folder')
    before = sorted(os.listdir('.'))
    for output, words in (('none/profile', 'No such file'), ('folder', 'directory')):
        for extra in ([], ['--json']):
            refuse(f'-o {output} before anything is measured', 1, f'{output}: |{words}', 'tune',
                   '--type', 'f32', '-o', output, *extra)
    ok(sorted(os.listdir('.')) == before, 'no temporary file is left', os.listdir('.'))
    for name, words, arguments in [
            ('an operand of tune', 'none', ['tune', '1']),
            ('--verify of tune', '--verify', ['tune', '--verify']),
            ('--quick of reduce', '--quick', ['reduce', 'min', 'random:10', '--quick']),
            ('-o of reduce', "'-o'", ['reduce', 'min', 'random:10', '-o', 'x']),
            ('-o without a name', '--output|FILE', ['tune', '-o']),
            ('a type to tune that there is none of', "'f31'", ['tune', '--type=f31'])]:
        refuse(name, 2, words, *arguments)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    text = test_tune()
    test_use(text)
    test_refused(text)
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
