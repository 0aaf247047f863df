#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests the program vkreduce under mpirun: results, files and sentences are those of one process,
whatever the number of ranks, and whatever happens to one of them. Prints TAP.

runner_ranks.py DATA VKREDUCE RANKS MPIRUN SHARE SHARES [ALONE]: RANKS is vkreduce with the MPI of
MPIRUN, and ALONE one without MPI. Of the rows it tests every SHARES-th one, starting at SHARE.
"""
import json
import os
import re
import shlex
import signal
import subprocess
import sys

import runner_tools
from runner_tools import DESCR, npy, ok, pack

ALONE, RANKS = map(os.path.realpath, sys.argv[2:4])
MPIRUN = os.path.abspath(sys.argv[4])
SHARE, SHARES = map(int, sys.argv[5:7])
WITHOUT = os.path.abspath(sys.argv[7]) if len(sys.argv) > 7 else None
# Ranks that do not meet in time after a signal each print the sentence.
INTERRUPTED = re.compile(r'(vkreduce: (rank \d: )?interrupted by SIG(INT|TERM); there is no '
                         r'result\n)+')
FLOATS = 'vkreduce: float sums have the bits of one process with --determinism device\n'

# Commands, and numbers of ranks. OUT, I, J and K become names of files. The rows are shared among
# the implementations of MPI, unless there is only one or time for all.
ROWS = [
    ('reduce sum,l2,argmax,variance random:1000003 --determinism device', 1, 7),
    ('reduce min,max,mean,product,dot random:70001 random:70001:2 --determinism device', 4),
    ('reduce sum,product,xor,count random:70001 --type u32 -o OUT', 3),
    ('reduce sum,argmin odd.f32 --type f32 --offset 4 --stride 12 --determinism device', 4),
    ('reduce mean,max data/astronaut.png --determinism device', 3),
    ('reduce sum,max random:100000 --segments rows:1000 --determinism device -o OUT', 7),
    ('reduce max random:10000 --segments windows:100 -o OUT', 2),
    ('reduce sum,argmin random:3 --determinism device', 7),
    ('reduce min,sum random:0 --determinism device', 3),
    ('reduce sum,l2 random:78643201 --determinism device', 3),
    ('scan sum random:1000003 --determinism device -o OUT', 4),
    ('scan sum random:300001 --type u32 --reverse -o OUT', 7),
    ('scan product odd.npy --exclusive --initial 1.5 --determinism device -o OUT', 2),
    ('scan max random:270003 --components 3 --chunk 800000 -o OUT', 3),
    ('scan max random:3 -o OUT', 4),
    ('scan max gaps.npy --nan propagate -o OUT', 3),
    ('scan min random:0 -o OUT', 1),
    ('scan sum random:26214403 --type u32 -o OUT', 2),
    ('compact x>0.5 random:100003 -o OUT --indices I --rejected J', 3),
    ('compact unique runs.npy -o OUT --run-lengths I', 7),
    ('compact unique runs.npy -o OUT --run-lengths I --chunk 8192 --capacity 300', 4),
    ('compact flags:runs.npy random:20001 -o OUT --chunk 20000', 2),
    ('compact x<2 random:5 -o OUT', 7),
    ('compact finite random:0 -o OUT', 1),
    ('histogram random:100003 --bins 100 --quantiles 0.1,0.5,0.99 -o OUT', 1, 4),
    ('histogram data/astronaut.png --bins 256 --range 0:256 --quantiles 0.5', 7),
    ('histogram runs.npy --bins 7 --weights runs.npy --quantiles 0.5', 3),
    ('histogram random:20001 --type i64 --bins 9 --mask runs.npy --chunk 65536', 2),
    ('histogram random:2 --bins 3', 7),
]

# Commands that rank 0 computes alone, and says so.
UNSHARED = [
    ('sort random:5003 -o OUT', 3),
    ('reduce sum random:100 --segments columns:10 --determinism device', 2),
    ('scan sum random:100 --segments rows:10 -o OUT', 2),
]


def said(err):
    """What the program said, without what mpirun adds when ranks fail."""
    return ''.join(line + '\n' for line in err.splitlines() if line.startswith('vkreduce: '))


def launch(ranks, *words, program=RANKS):
    return [MPIRUN, '-n', str(ranks), program, *words]


def call(ranks, *words):
    done = subprocess.run(launch(ranks, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def named(command, prefix):
    """The words of a command, whose files start with the prefix, and the names of these."""
    words, files = [], []
    for word in shlex.split(command):
        if word in ('OUT', 'I', 'J', 'K'):
            word = f'{prefix}{word}.npy'
            files.append(word)
        words.append(word)
    return words, files


def contents(files):
    found = []
    for name in files:
        with open(name, 'rb') as file:
            found.append(file.read())
        os.remove(name)
    return found


def outcome(out):
    """What must be the same for any number of ranks."""
    result = json.loads(out)
    return {key: result[key] for key in ('command', 'type', 'count', 'channels', 'result')}


def test_row(command, counts, expected_words='', shared=True):
    words, files = named(command, 'one-')
    code, out, err = runner_tools.call(ALONE, *words, '--json')
    if code != 0:
        ok(False, command, err)
        return
    expected = outcome(out), contents(files)
    for ranks in counts:
        words, files = named(command, 'many-')
        code, out, err = call(ranks, *words, '--json', '--verify')
        result = json.loads(out) if code == 0 else {}
        ok(code == 0 and said(err) == expected_words and result['verified'] is True and
           (outcome(out), contents(files)) == expected and
           len(result.get('ranks', [])) == (ranks if shared and ranks > 1 else 0),
           f'{command}: {ranks} ranks', f'{code} {out[:400]} {err}')


def test_texts():
    code, out, err = call(3, '--help')
    ok((code, out, err) == runner_tools.call(ALONE, '--help'), 'one rank prints the help', err)
    code, out, err = call(3, 'reduce', 'min', 'random:20000')
    _, right, _ = runner_tools.call(ALONE, 'reduce', 'min', 'random:20000')
    values = [line for line in out.splitlines() if line.startswith('min ')]
    ok(code == 0 and len(values) == 1 and values[0] in right and err == '',
       'one rank prints results', out + err)
    code, out, err = call(2, 'reduce', 'sum', 'random:20000')
    ok(code == 0 and said(err) == FLOATS, 'a note on float sums', err)


# ---- What ranks exchange: docs/mpi.md has this model ----

# Commands on a million floats; the number of exchanges; and the bytes that rank 1, which is not the
# last one of a prefix, hands over, given the number of its blocks of 8,192 elements.
MODEL = [
    ('reduce sum random:1000000 --determinism device', 15, lambda blocks: 44 + 4 * blocks),
    ('scan sum random:1000000 --determinism device -o OUT', 27, lambda blocks: 64 + 8 + 4),
    ('compact x>0.5 random:1000000 -o OUT', 27, lambda blocks: 64 + 8 + 16),
    ('histogram random:1000000 --bins 256', 18, lambda blocks: 44 + 8 + 8 * 268),
]


def blocks_of_rank_1(ranks, size=8192, count=1000000):
    blocks = -(-count // size)
    return blocks // ranks + (blocks % ranks > 1)


def test_model():
    for (command, calls, model), ranks in zip(MODEL, (5, 4, 3, 2)):
        words, files = named(command, 'many-')
        code, out, err = call(ranks, *words, '--json')
        spent = json.loads(out)['ranks'] if code == 0 else []
        contents(files)
        right = model(blocks_of_rank_1(ranks))
        ok(code == 0 and [rank['mpi_calls'] for rank in spent] == [calls] * ranks and
           spent[1]['mpi_bytes'] == right, f'{command}: exchanges of {ranks} ranks',
           f'{spent} {right} {err}')


def test_progress():
    process = subprocess.Popen(launch(2, 'reduce', 'min', 'random:100000000000', '--progress'),
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    shown = b''
    more = b'more'
    while b' left' not in shown and more != b'':
        more = os.read(process.stderr.fileno(), 4096)
        shown += more
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    bars = re.findall(rb'reducing \[', shown + err)
    ok(bars and b' of 372.53 GiB' in shown and b'total' not in out, 'one bar of all ranks', shown)


# ---- Failures ----

def refuse(name, status, words, pattern, ranks=3):
    """Exactly one sentence, the status, and no file."""
    code, out, err = call(ranks, *words)
    sentences = said(err).replace(FLOATS, '')
    left = [file for file in os.listdir('.') if 'out' in file]
    ok(code == status and sentences.count('\n') == 1 and re.search(pattern, sentences) and
       out == '' and not left, name, f'{code} {out} {err} {left}')


def by_rank(*choices):
    """Makes a program that is vkreduce on all ranks, some with a line of the shell before it."""
    with open('by-rank.sh', 'w') as file:
        file.write('case ${OMPI_COMM_WORLD_RANK-$PMI_RANK} in\n')
        for rank, line in choices:
            file.write(f'{rank}) {line} ;;\n')
        file.write(f'esac\nexec {shlex.quote(RANKS)} "$@"\n')
    return ['sh', 'by-rank.sh']


def refuse_rank(name, status, line, words, pattern, rank=1):
    script = by_rank((rank, line))
    done = subprocess.run([MPIRUN, '-n', '3', *script, *words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    sentences = said(done.stderr.decode()).replace(FLOATS, '')
    left = [file for file in os.listdir('.') if 'out' in file]
    ok(done.returncode == status and sentences.count('\n') == 1 and
       re.search(pattern, sentences) and done.stdout == b'' and not left, name,
       f'{done.returncode} {done.stdout} {done.stderr.decode()} {left}')


def test_failures():
    refuse('a bad command', 2, ['redce', 'sum'], "'redce' is not a command")
    refuse('a file that no rank finds', 2, ['reduce', 'sum', 'none.npy'],
           '^vkreduce: none.npy: it cannot be opened')
    refuse('the standard input', 2, ['reduce', 'sum', '-'], '-: under mpirun .*name a file')
    refuse('a folder that is not there', 1, ['scan', 'sum', 'random:9', '-o', 'none/out.npy'],
           'none/out.npy: it cannot be written')
    refuse('a range without numbers', 2, ['histogram', 'nan.npy', '--bins', '3'],
           'nan.npy: channel 0 has no numbers')
    scan = ['scan', 'sum', 'random:1000000', '-o', 'out.npy']
    refuse_rank('a rank without a device', 1, 'export VK_DRIVER_FILES=/none', scan,
                '^vkreduce: rank 1: .*driver')
    refuse_rank('a rank that does not find the file', 2, 'cd other', ['reduce', 'sum', 'odd.npy'],
                '^vkreduce: rank 2: odd.npy: it cannot be opened', rank=2)
    refuse_rank('a rank with a file of another size', 2, 'cd other',
                ['scan', 'sum', 'runs.npy', '-o', 'out.npy'],
                '^vkreduce: rank 1: runs.npy: it has 3 elements .* rank 0 20001')
    refuse_rank('a rank with another file of that size', 2, 'cd other',
                ['reduce', 'min', 'nan.npy'], '^vkreduce: rank 1: nan.npy: its values differ')
    refuse_rank('a rank with other edges', 2, 'cd other',
                ['histogram', 'random:9', '--edges', 'edges.npy'],
                '^vkreduce: rank 1: edges.npy: its values differ')
    # Too large for the limit of files, which is what a full disk does.
    refuse_rank('a rank that cannot write', 1, 'ulimit -f 100000',
                ['scan', 'sum', 'random:26000000', '--type', 'u32', '-o', 'out.npy'],
                '^vkreduce: rank 1: out.npy: it cannot be written')


# Ranks with different commands: the words of rank 0 and of rank 1, and what rank 1 says.
DIFFERENT = [
    ('reduce sum random:9', 'reduce max random:9', "has 'max' where that of rank 0 has 'sum'"),
    ('reduce sum random:9', 'scan sum random:9 -o out.npy', "has 'scan' where .* has 'reduce'"),
    ('scan sum random:9 -o out.npy', 'reduce sum random:9', "has 'reduce' where .* has 'scan'"),
    ('reduce sum random:9', 'reduce sum random:9 --json', "has '--json' where .* rank 0 ends"),
    ('reduce sum random:9 --json', 'reduce sum random:9', "ends where that of rank 0 has '--json'"),
    ('sort random:9 -o out.npy', 'sort random:9 -o out2.npy', "has 'out2.npy' where"),
    ('reduce sum random:9', '--help', "has '--help' where"),
    ('reduce sum random:9', '', "ends where that of rank 0 has 'reduce'"),
    ('reduce sum -- random:9 --device', 'reduce sum -- random:9', "ends where .* has '--device'"),
]
# A rank may choose its own device.
OWN = ('reduce sum random:9 --type u32 --device 0', 'reduce --device=llvmpipe sum random:9 --type u32',
       'reduce sum --device=0 random:9 --type u32 --device llvmpipe')


def call_each(*commands):
    """Runs rank 0, rank 1 and so on with commands of their own."""
    line = [MPIRUN]
    for command in commands:
        line += ['-n', '1', RANKS, *command.split(), ':']
    done = subprocess.run(line[:-1], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_commands():
    for first, other, pattern in DIFFERENT:
        code, out, err = call_each(first, other)
        left = [file for file in os.listdir('.') if 'out' in file]
        ok(code == 2 and re.fullmatch(f'vkreduce: rank 1: its command line {pattern}.*\n',
                                      said(err)) and out == '' and not left,
           f'ranks with different commands: {first} : {other}', f'{code} {out} {err} {left}')
    code, out, err = call_each(*OWN)
    ok(code == 0 and out.count('sum ') == 1 and said(err) == '',
       'ranks choose their own devices', f'{code} {out} {err}')


def ranks_of(launcher):
    """The processes of vkreduce that a launcher has started, by their ranks, without a child of one
    of them that has the same program."""
    found = {}
    for name in os.listdir('/proc'):
        try:
            with open(f'/proc/{name}/environ', 'rb') as file:
                rows = file.read().split(b'\0')
            variables = dict(row.split(b'=', 1) for row in rows if b'=' in row)
            if os.readlink(f'/proc/{name}/exe') == RANKS and \
                    variables.get(b'VKR_TEST_LAUNCH') == launcher.encode():
                with open(f'/proc/{name}/stat') as file:
                    parent = int(file.read().rsplit(')', 1)[1].split()[1])
                rank = variables.get(b'OMPI_COMM_WORLD_RANK', variables.get(b'PMI_RANK'))
                found[int(name)] = int(rank), parent
        except (OSError, TypeError, IndexError):
            pass
    return {rank: name for name, (rank, parent) in found.items() if parent not in found}


def test_ends():
    """All files are gone when a rank is killed, or mpirun is interrupted; the file of rank 0 may go
    a moment later than mpirun."""
    for name, rank in [('rank 0', 0), ('another rank', 1), ('mpirun', None)]:
        os.environ['VKR_TEST_LAUNCH'] = name
        process = subprocess.Popen(launch(3, 'scan', 'sum', 'random:100000000000', '-o', 'out.npy'),
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        while process.poll() is None and not any('out.npy' in file for file in os.listdir('.')):
            pass
        if rank is None:
            process.send_signal(signal.SIGINT)
        else:
            os.kill(ranks_of(name)[rank], signal.SIGKILL)
        out, err = process.communicate()
        while any('out' in file for file in os.listdir('.')) or ranks_of(name):
            pass  # the test's time limit ends it
        ended = said(err.decode()).replace(FLOATS, '')
        ok(process.returncode != 0 and b'total' not in out and
           (rank is not None or INTERRUPTED.fullmatch(ended)),
           f'a signal to {name} ends all ranks and leaves no file', f'{process.returncode} {err}')
    del os.environ['VKR_TEST_LAUNCH']


def test_mismatch():
    """A program of one MPI under the mpirun of another."""
    if ALONE == RANKS:
        return
    done = subprocess.run(launch(2, 'reduce', 'sum', 'random:9', program=ALONE),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ok(done.returncode == 2 and b'"sum"' not in done.stdout and
       'mpirun has started 2 processes, of which MPI finds 1' in done.stderr.decode(),
       'another MPI is noticed', f'{done.returncode} {done.stdout} {done.stderr.decode()}')


def test_without():
    if WITHOUT is None:
        return
    done = subprocess.run(launch(2, 'reduce', 'sum', 'random:9', program=WITHOUT),
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ok(done.returncode == 2 and done.stdout == b'' and
       'mpirun has started 2 processes, but this program was built without MPI' in
       done.stderr.decode(), 'a program without MPI says so', done.stderr.decode())


def make_files():
    values = [0.5 + (i * 2654435761 % 1000) / 1000 for i in range(100001)]
    npy('odd.npy', pack('f32', values), DESCR['f32'], '(100001,)')
    with open('odd.f32', 'wb') as file:
        file.write(pack('f32', values))
    runs = [i * i // 40000000 % 5 if i < 15000 else 2 + (i > 19990) * (i % 3) for i in range(20001)]
    npy('runs.npy', pack('u8', runs), DESCR['u8'], '(20001,)')
    gaps = [float('nan') if i == 70000 else i % 1000 for i in range(140001)]
    npy('gaps.npy', pack('f32', gaps), DESCR['f32'], '(140001,)')
    npy('nan.npy', pack('f32', [float('nan')] * 9), DESCR['f32'], '(9,)')
    os.mkdir('other')
    npy('edges.npy', pack('f32', [0.0, 0.25, 1.0]), DESCR['f32'], '(3,)')
    npy('other/edges.npy', pack('f32', [0.0, 0.75, 1.0]), DESCR['f32'], '(3,)')
    npy('other/runs.npy', pack('u8', [1, 2, 3]), DESCR['u8'], '(3,)')
    npy('other/nan.npy', pack('f32', [0.0] * 9), DESCR['f32'], '(9,)')


with runner_tools.workplace():
    make_files()
    for command, *counts in ROWS[SHARE::SHARES]:
        test_row(command, counts)
    for command, *counts in UNSHARED:
        test_row(command, counts, f'vkreduce: {command.split()[0]}: it cannot be shared, so that '
                 f'rank 0 of {counts[0]} works alone\n', shared=False)
    test_texts()
    test_model()
    test_progress()
    test_failures()
    test_commands()
    test_ends()
    test_mismatch()
    test_without()
