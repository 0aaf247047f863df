# SPDX-License-Identifier: MIT
"""What the tests of samples share, above all of those that only draw into a folder. Their arguments are PROGRAM MISLED
[all]: MISLED is the program with planted mistakes. With `all`, for one driver, they also test what
does not depend on the driver. If VK_INSTANCE_LAYERS names the validation layer, it must print no
message."""
import os
import subprocess
import sys
import tempfile
from png import RGB, decode

PROGRAM, MISLED = (os.path.abspath(path) for path in sys.argv[1:3])
NAME = os.path.basename(PROGRAM)
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}', flush=True)
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments, program=PROGRAM, env=None):
    done = subprocess.run([program, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


def make(names, *arguments):
    """Runs the program, which must name the pictures that it writes. Returns what it prints."""
    code, out, err = call('--out', 'made', *arguments)
    ok(code == 0 and err == '', 'it runs without errors', f'status {code}, {out}{err}')
    files = [f'made/{name}.png' for name in names]
    ok(out.splitlines()[-len(files):] == files and
       sorted(os.listdir('made')) == sorted(f'{name}.png' for name in names),
       'it names the pictures that it writes', out)
    return out


def load(name, size):
    """The pixels of a picture that the program has written."""
    with open(f'made/{name}.png', 'rb') as file:
        *head, pixels = decode(file.read())
    good = head == [*size, RGB]
    ok(good, f'{name} is a picture', head)
    return pixels if good else bytes(3 * size[0] * size[1])


def refuse(name, status, words, *arguments):
    code, out, err = call(*arguments)
    ok(code == status and out == '' and err.startswith(NAME + ': ') and
       all(word in err for word in words.split('|')), f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def test_refusals():
    refuse('an unknown option', 2, '--boxes is not an option|usage', '--boxes', 3)
    refuse('an option without its value', 2, '--out|value|usage', '--out')
    refuse('no such device', 1, "is 'abacus'", '--device', 'abacus')
    refuse('a folder in none', 1, 'none/out|No such file', '--out', 'none/out')
    code, out, err = call('--help')
    ok(code == 0 and '--out' in out and err == '', '--help', out + err)


def test_layer(arguments):
    layer = os.environ['VK_INSTANCE_LAYERS']
    err = call(*arguments, env={'VK_LOADER_DEBUG': 'layer'})[2]
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


def run(first, others, *arguments, refusals=test_refusals):
    """Runs the tests: `first` on every driver, and `others` and `refusals` with `all`. Ends the
    program. With these arguments the program is quick."""
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        first()
        if 'VK_INSTANCE_LAYERS' in os.environ:
            test_layer(arguments)
        if 'all' in sys.argv[3:]:
            for test in [*others, refusals]:
                test()
        os.chdir('/')
    print(f'1..{tests}')
    sys.exit(failures != 0)
