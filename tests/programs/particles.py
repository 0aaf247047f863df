#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the sample particles and prints TAP: compares its final state with the same rules in Python,
and its pictures with the particles, and checks that nothing is read back between frames.

particles.py SAMPLES PROGRAM [all]: SAMPLES is the folder samples. With `all`, for one driver, it also
tests what does not depend on the driver. If VK_INSTANCE_LAYERS names the validation layer, it must
print no message.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
from png import RGB, decode

SAMPLES, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
WIDTH, HEIGHT = 1280, 720
tests = failures = 0


def ok(good, name, detail=''):
    global tests, failures
    tests += 1
    failures += not good
    print(f'{"ok" if good else "not ok"} {tests} - {name}')
    if not good and detail != '':
        print('# ' + str(detail).replace('\n', '\n# '))


def call(*arguments, env=None):
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})})
    return done.returncode, done.stdout, done.stderr


# ---- The rules ----

def mixed(x):
    x = (x ^ x >> 16) * 0x9e3779b1 & 0xffffffff
    x = (x ^ x >> 15) * 0x5851f42d & 0xffffffff
    return x ^ x >> 16


def wave(angle):
    along = angle % 32768
    height = along * (32768 - along) >> 14
    return -height if angle & 32768 else height


def moved(x, y, vx, vy, colour, life, frame):
    vx += (wave(y + 512 * frame) >> 10) - (vx >> 7)
    vy += 10 - (vy >> 7)
    x, y = x + vx, y + vy
    return x, y, vx, vy, colour, life - 1 if abs(x) <= 116508 and y <= 65536 else 0


def emitted(index, frame):
    dice = mixed((mixed(frame) + index) % 2**32)
    more = mixed((dice + 1) % 2**32)
    since, speed = more & 255, 700 + (more >> 18 & 1023)
    arm = (dice >> 8) % 5 * 13107
    angle = arm + frame * 620 + (since * 620 >> 8) + (more >> 8 & 1023) + (dice >> 22)
    vx, vy = wave(angle + 16384) * speed >> 14, wave(angle) * speed >> 14
    colour = 0xff000000
    for shift, hue in enumerate((0, 21845, 43690)):
        colour |= 128 + (wave(arm + 90 * frame + hue) * 127 >> 14) << 8 * shift
    born = dice & 255 < 116 + (wave(frame * 600) + 16384 >> 8)
    life = 60 + (more >> 12 & 63) if born else 0
    return vx * since >> 8, (vy * since >> 8) - 8192, vx, vy, colour, life


def simulate(most, frames):
    """The particles, and the number of newborn ones."""
    live = []
    for frame in range(frames):
        live = [p for p in (moved(*p, frame) for p in live) if p[5]]
        survivors = len(live)
        live += [p for p in (emitted(i, frame) for i in range(-(-most // 60))) if p[5]]
        del live[most:]
    return live, len(live) - survivors


def describe(most, frames):
    """The line that the program prints about its final state."""
    live, newborn = simulate(most, frames)
    total = 0
    for particle in live:
        for word in particle:
            total = (total ^ word % 2**32) * 0x9e3779b97f4a7c15 % 2**64
            total ^= total >> 29
    return (f'{len(live)} particles, {newborn} of them newborn; next {-(-len(live) // 64)} x 1 x 1 '
            f'groups, {len(live)} vertices; checksum {total:016x}')


# ---- Runs ----

def run(most, frames):
    """Runs with verification in an empty folder. Returns the printed lines except the names of
    pictures, and these names."""
    for name in os.listdir():
        os.remove(name)
    code, out, err = call('--particles', most, '--frames', frames, '--verify')
    names = sorted(os.listdir())
    lines = out.splitlines()
    if code != 0 or err != '' or sorted(lines[:-3]) != ['./' + name for name in names]:
        print(f'# status {code}, {out}{err}{names}')
        return ['', '', ''], names
    return lines[-3:], names


def compare(most, frames):
    """Runs and compares the final state. Returns the names of the pictures."""
    lines, names = run(most, frames)
    right = describe(most, frames)
    ok(lines[:2] == ['GPU: ' + right, 'CPU: ' + right],
       f'at most {most} particles after {frames} frames', f'{lines}\nexpected {right}')
    return names


def load(name):
    with open(name, 'rb') as file:
        width, height, colour, pixels = decode(file.read())
    return pixels if (width, height, colour) == (WIDTH, HEIGHT, RGB) else bytes(3 * WIDTH * HEIGHT)


def test_picture(most, frames, name):
    """Every particle that has not begun to fade is visible, and nothing else is. Neighbouring
    pixels are accepted too, since rasterisation may depend on the driver."""
    pixels = load(name)
    seen = {i // 3 for i in range(0, len(pixels), 3) if any(pixels[i:i + 3])}
    live = simulate(most, frames)[0]
    places = [(int((p[0] / 116508 + 1) * WIDTH / 2), int((p[1] / 65536 + 1) * HEIGHT / 2))
              for p in live]

    def near(x, y):
        return {(y + dy) * WIDTH + x + dx for dy in (-1, 0, 1) for dx in (-1, 0, 1)}

    inside = [at for at, p in zip(places, live) if p[5] >= 32 and 0 <= at[1]]
    lost = [at for at in inside if not near(*at) & seen]
    stray = seen - set().union(*(near(*at) for at in places))
    ok(len(inside) > 300 and len(seen) > 300 and not lost and not stray, 'what a picture shows',
       f'{len(inside)} particles, {len(seen)} pixels, not seen {lost}, nobody {sorted(stray)}')


def test_many():
    most, frames = 20000, 180
    lines, names = run(most, frames)
    ok(lines[0][5:] == lines[1][5:] != '', f'at most {most} particles after {frames} frames', lines)
    full = re.search(r'was at its limit of 20000 after (\d+) of 180 frames', lines[2])
    ok(full and 0 < int(full[1]) < 60, 'the number reaches its limit and falls again', lines[2])
    expected = [f'particles-{frame:04}.png' for frame in (36, 72, 108, 144, 180)]
    ok(names == expected, 'five pictures', names)
    brightness = sum(load(names[-1])) / (3 * WIDTH * HEIGHT) if names else 0
    ok(1 < brightness < 4, 'brightness', brightness)


# ---- Refusals ----

def refuse(name, status, words, *arguments, env=None):
    code, out, err = call(*arguments, env=env)
    ok(code == status and out == '' and err.startswith('particles: ') and
       all(word in err for word in words.split('|')), f'refused: {name}',
       f'status {code}, stdout {out!r}, stderr {err!r}')


def test_refusals():
    for name, status, words, arguments in [
            ('an unknown option', 2, '--many is not an option|usage', ['--many', '3']),
            ('an option without its value', 2, '--frames|value|usage', ['--frames']),
            ('no frames', 2, "--frames is '0'|1 to", ['--frames', '0']),
            ('minus one', 2, "--particles is '-1'", ['--particles', '-1']),
            ('no number', 2, "--particles is '1e6'", ['--particles', '1e6']),
            ('too large a number', 2, "--frames is '100000001'", ['--frames', '100000001']),
            ('more than a buffer', 1, '100000000 particles', ['--particles', '100000000']),
            ('no such device', 1, "is 'abacus'", ['--device', 'abacus']),
            ('no device 99', 1, "is '99'", ['--device', '99']),
            ('a folder in none', 1, 'none/out|No such file', ['--out', 'none/out'])]:
        refuse(name, status, words, *arguments)
    code, out, err = call('--help')
    ok(code == 0 and '--verify' in out and err == '', '--help', out + err)


def test_options():
    code, out, err = call('--particles', 100, '--frames', 3, '--device', 0, '--out', 'made')
    ok(code == 0 and err == '' and 'CPU' not in out and
       sorted(os.listdir('made')) == [f'particles-000{i}.png' for i in (1, 2, 3)],
       'a folder is made, a frame has no more than one picture', out + err)


# ---- No readback between frames ----

# Functions that give the host access to data of the GPU, or wait for all of its work.
READS = (r'vkCmdCopy\w+|vkMapMemory\w*|vkInvalidate\w+|vkGetQuery\w+|vkCmdCopyQuery\w+|'
         r'vkGetEvent\w+|vk\w+WaitIdle|(?:\.|->)map\b|ON_HOST')


def functions(text):
    """The body of each function, by name."""
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return dict(re.findall(r'^\w[^;{}#=]*?\b(\w+)\([^;{}]*\)\n\{\n(.*?)^\}', text, flags=re.S | re.M))


def reached(bodies, text, stop):
    """The functions that the text calls, directly or not, except through those in `stop`."""
    found, todo = {}, [text]
    while todo:
        for name in re.findall(r'\b(\w+)\(', todo.pop()):
            if name in bodies and name not in found and name not in stop:
                found[name] = bodies[name]
                todo.append(bodies[name])
    return found


def test_no_readback():
    """No function that the loop over the frames calls reads back, except those for pictures, which
    only some frames have."""
    texts = []
    for path in [*glob.glob(os.path.join(SAMPLES, 'particles/*.c')),
                 *(os.path.join(SAMPLES, 'common', name) for name in ('app.c', 'commands.c'))]:
        with open(path, encoding='utf-8') as file:
            texts.append(file.read())
    bodies = functions('\n'.join(texts))
    loop = re.search(r'for \(uint32_t frame = 0.*?^    \}\n', bodies['run'], flags=re.S | re.M)[0]
    calls = reached(bodies, loop, ('copy_picture', 'save_picture'))
    ok({'record_frame', 'compact_all', 'compact', 'draw', 'shade', 'wait_for_slot',
        'submit_commands'} <= set(calls), 'the functions of a frame are found', sorted(calls))
    reads = {name: re.findall(READS, body) for name, body in {**calls, 'run': loop}.items()}
    ok(not any(reads.values()), 'no frame copies, maps or waits for everything',
       {name: found for name, found in reads.items() if found})
    pictures = {name: re.findall(READS, bodies[name]) for name in ('copy_picture', 'save_picture')}
    ok(pictures == {'copy_picture': ['vkCmdCopyImageToBuffer'], 'save_picture': ['.map']},
       'pictures are pixels only', pictures)
    ok(len(re.findall(r'if \(has_picture\([^\n]*\n\s+copy_picture\(', loop)) == 1 ==
       loop.count('copy_picture(') and
       len(re.findall(r'if \(at->picture != 0\)\n\s+save_picture\(', bodies['wait_for_slot'])) == 1 ==
       bodies['wait_for_slot'].count('save_picture('), 'only frames with a picture are copied')
    users = sorted(name for name, body in bodies.items() if re.search(READS, body))
    ok(users == ['copy_picture', 'create_buffer', 'create_slots', 'read_outcome', 'save_picture'],
       'nothing else reads', users)


def test_layer():
    layer = os.environ['VK_INSTANCE_LAYERS']
    code, out, err = call('--particles', 1, '--frames', 1, env={'VK_LOADER_DEBUG': 'layer'})
    ok(any('nsert' in line and layer in line for line in err.splitlines()),
       'the validation layer watched', err)


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    compare(1, 130)
    compare(61, 1)
    test_picture(900, 160, compare(900, 160)[-1])
    if 'VK_INSTANCE_LAYERS' in os.environ:
        test_layer()
    else:
        test_many()
    if 'all' in sys.argv[3:]:
        test_options()
        test_refusals()
        test_no_readback()
    os.chdir('/')
print(f'1..{tests}')
sys.exit(failures != 0)
