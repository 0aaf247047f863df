#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""seeds.py: writes the inputs named seed-* of the corpus. Inputs with other names were found by
fuzzing, and each of them showed a mistake."""
import pathlib
import random
import struct
import subprocess
import sys
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / 'programs'))
import png  # noqa: E402

TYPES = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f2', 'f4', 'f8']


def npy(descr, shape, data, order=False, version=1):
    text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    text += ' ' * (-(len(text) + 11) % 16) + '\n'
    size = struct.pack('<H' if version == 1 else '<I', len(text))
    return b'\x93NUMPY' + bytes([version, 0]) + size + text.encode() + data


def npy_seeds():
    some = bytes(range(256))
    for name in TYPES:
        size = int(name[1])
        yield f'type-{name}', b'\0\0\0\0\0\0\7' + npy(('<' if size > 1 else '|') + name, '(5,)',
                                                     some[:5 * size])
    plain = b'\5\0\7'
    yield 'bool', plain + npy('|b1', '(3,)', b'\0\1\1')
    yield 'bool-of-others', plain + npy('|b1', '(3,)', b'\0\2\xff')
    yield 'number-past-64-bits', plain + npy('<f4', '(99999999999999999999,)', some[:4])
    yield 'two-dimensions', plain + npy('<f4', '(2, 3)', some[:24])
    yield 'three-dimensions', plain + npy('<f4', '(2, 1, 3)', some[:24])
    yield 'fortran', plain + npy('<f4', '(2, 3)', some[:24], order=True)
    yield 'big-endian', plain + npy('>i4', '(6,)', some[:24])
    yield 'empty', plain + npy('<i4', '(0,)', b'')
    for i, (name, size, descr) in enumerate([
            ('two', 8, "[('x', '<f4'), ('y', '<i4')]"),
            ('packed', 5, "[('a', '|u1'), ('x', '>i4')]"),
            ('vector', 14, "[('', '|V2'), (('t', 'x'), '<f4', (3,))]"),
            ('nested', 12, "[('b', '<f8'), ('x', [('y', '<u2'), ('z', '<i2')])]"),
            ('odd', 22, "[('s', '|S3'), ('x', '<M8[ns]'), ('y', '<c8', (1,)), ('c', '|V3')]")]):
        for order in (False, True):
            data = npy('DESCR', '(2, 3)', some[:6 * size], order)
            data = data.replace(b"'DESCR'", descr.encode())
            data = data[:8] + struct.pack('<H', len(data) - 10 - 6 * size) + data[10:]
            yield f'fields-{name}-{int(order)}', bytes([6 + i % 2, 0, 7]) + data
    for name in ('float32', 'f', '?', '=i8', 'complex64', '|O'):
        yield f'named-{name.strip("|=?") or "truth"}', plain + npy(name, '()', some[:4])
    yield 'scalar', plain + npy('<i4', '()', some[:4])
    yield 'version-2', plain + npy('<i4', '(1,)', some[:4], version=2)
    yield 'version-3', plain + npy('<i4', '(1,)', some[:4], version=3)
    yield 'truncated', plain + npy('<i4', '(3,)', some[:11])
    yield 'huge', plain + npy('<i4', '(4294967296, 4294967296)', some[:11])
    yield 'python-2', plain + npy('<i4', '(2L,)', some[:8])
    yield 'raw', b'\1\0\6\0\0\0\7' + some
    yield 'raw-strided', b'\1\2\3\2\0\14\7' + some
    yield 'wide-stride', b'\1\0\2\0\x10\1\7' + some * 20
    yield 'flags', b'\2\0\4\0\0\0' + npy('|u1', '(7,)', b'\0\1\0\0\2\0\1')
    yield 'flags-float', b'\2\0\3\1\0\0' + npy('<f4', '(3,)', some[:12])
    yield 'flags-fewer', b'\2\0\7\0\0\0' + npy('|u1', '(7,)', b'\0\1\0\0\2\0\1')
    offsets = struct.pack('<6I', 0, 1, 1, 5, 90, 100)
    for mode in (3, 4):
        yield f'offsets-{mode}', bytes([mode, 0, 7, 3, 0, 0]) + npy('<u4', '(6,)', offsets)
        yield f'offsets-signed-{mode}', bytes([mode, 0, 7, 0, 0, 0]) + npy('<i4', '(6,)', offsets)
        yield f'offsets-wide-{mode}', (bytes([mode, 0, 8, 1, 0, 0]) +
                                       npy('<i8', '(3,)', offsets[:24]))
    yield 'offsets-down', b'\4\0\7\0\0\0' + npy('<u4', '(2,)', offsets[:8][::-1])


def png_seeds():
    some = bytes(i * 7 & 255 for i in range(400))
    palette = (b'PLTE', bytes(range(12)))
    clear = (b'tRNS', b'\0\x80')
    for colour in png.CHANNELS:
        extra = [palette] if colour == png.PALETTE else []
        depths = {png.GREY: (1, 2, 4, 8, 16), png.PALETTE: (1, 2, 4, 8)}.get(colour, (8, 16))
        for depth in depths:
            row = (5 * png.CHANNELS[colour] * depth + 7) // 8
            pixels = some[:3 * row]
            if colour == png.PALETTE:
                pixels = bytes(b & 3 for b in pixels)
            picture = png.encode(5, 3, colour, pixels, depth, extra)
            yield f'colour-{colour}-{depth}', b'\0' + picture
    yield 'palette-clear', b'\1' + png.encode(4, 1, png.PALETTE, b'\0\1\2\3', 8, [palette, clear])
    yield 'grey-clear', b'\1' + png.encode(4, 1, png.GREY, b'\0\1\2\3', 8, [(b'tRNS', b'\0\2')])
    yield 'palette-exceeded', b'\1' + png.encode(4, 1, png.PALETTE, b'\0\1\2\4', 8, [palette])
    yield 'no-palette', b'\1' + png.encode(4, 1, png.PALETTE, b'\0\1\2\3')
    yield 'flags', b'\5\4' + png.encode(4, 1, png.GREY, b'\0\1\2\3')
    yield 'flags-of-any-length', b'\5\xff' + png.encode(4, 1, png.GREY, b'\0\1\2\3')
    yield 'truncated', b'\0' + png.encode(4, 4, png.GREY, some[:16])[:-20]
    plain = [b'\x89PNG\r\n\x1a\n']
    for name, head in (('data', (4, 4, 8, 2, 0, 0, 0)), ('interlaced', (4, 4, 8, 0, 0, 0, 1)),
                       ('wide', (1 << 20, 1 << 20, 16, 6, 0, 0, 0)),
                       ('tall', (1, 900000, 8, 0, 0, 0, 0)), ('nothing', (0, 4, 8, 0, 0, 0, 0))):
        lines = b''.join(bytes([i % 5]) + some[12 * i:12 * i + 12] for i in range(4))
        yield name, b'\3' + b''.join(plain + [
            png.chunk(b'IHDR', struct.pack('>IIBBBBB', *head)), png.chunk(b'gAMA', b'\0\0\xb1\x8f'),
            png.chunk(b'tEXt', b'Comment\0fuzz'),
            png.chunk(b'zTXt', b'Comment\0\0' + zlib.compress(some)), png.chunk(b'IDAT', lines),
            png.chunk(b'IEND', b'')])


def hdr_rows(width, height, kind):
    """Rows of plain pixels, of pieces or of runs."""
    for y in range(height):
        planes = [bytes(128 + (x // 4 * 31 + y * 7 + c) % 128 for x in range(width))
                  for c in range(3)] + [bytes([126 + y]) * width]
        if kind == 'plain':
            yield b''.join(map(bytes, zip(*planes)))
            continue
        yield bytes([2, 2, width >> 8, width & 255])
        for plane in planes:
            for x in range(0, width, 4):
                part = plane[x:x + 4]
                yield bytes([128 + len(part)]) + part[:1] if kind == 'runs' else (
                    bytes([len(part)]) + part)


def hdr_seeds():
    head = b'#?RADIANCE\n# made by a test\nFORMAT=32-bit_rle_rgbe\n\n'
    size = b'-Y 3 +X 9\n'
    rows = {kind: b''.join(hdr_rows(9, 3, kind)) for kind in ('plain', 'pieces', 'runs')}
    for kind, data in rows.items():
        yield kind, b'\0' + head + size + data
        yield f'{kind}-only', b'\1\3\x09' + data
        yield f'{kind}-cut', b'\1\3\x09' + data[:-1]
    yield 'mixed', b'\1\4\x09' + rows['plain'] + rows['runs']
    yield 'mixed-back', b'\1\6\x09' + rows['runs'] + rows['plain']
    yield 'narrow', b'\1\2\7' + bytes(range(56))
    yield 'old-runs', b'\1\1\4' + bytes([200, 200, 200, 128, 1, 1, 1, 3]) + bytes(8)
    for turned in (b'-Y 3 -X 9', b'+Y 3 +X 9', b'+X 9 -Y 3', b'-X 9 +Y 3'):
        yield f'turned-{turned.decode().replace(" ", "")}', (b'\0' + head + turned + b'\n' +
                                                            rows['plain'])
    yield 'long-run', b'\0' + head + b'-Y 1 +X 258\n' + bytes(
        [200, 9, 9, 128, 1, 1, 1, 0, 1, 1, 1, 1, 9, 200, 9, 128])
    yield 'gigabytes', b'\0' + head + b'-Y 1 +X 2130706433\n' + bytes(
        [200, 9, 9, 128, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 127])
    yield 'more', b'\0' + head + size + rows['runs'] + b'more'
    yield 'rgbe', b'\0' + head.replace(b'RADIANCE', b'RGBE') + size + rows['runs']
    yield 'xyze', b'\0' + head.replace(b'rgbe', b'xyze') + size + rows['runs']
    yield 'no-format', b'\0#?RADIANCE\n\n' + size + rows['runs']
    yield 'magic', b'\0#?RADIANCE\n'
    yield 'no-end', b'\0' + head[:-1]
    yield 'size-cut', b'\0' + head + size[:-1]
    yield 'no-pixels', b'\0' + head + b'-Y 0 +X 9\n'
    yield 'huge', b'\0' + head + b'-Y 16777216 +X 16777216\n' + rows['runs']
    yield 'other-way-up', b'\0' + head + b'+Y 3 +X 9\n' + rows['runs']
    yield 'empty', b''


def exr_seeds():
    """Pictures that OpenEXR made; the first byte chooses channels."""
    for path in sorted((FOLDER.parent / 'programs/files').glob('*.exr')):
        for choice in {'many': (0, 2, 4, 5, 6, 7), 'chroma': (0, 3), 'types': (0, 7)}.get(
                path.stem, (0,)):
            yield f'{path.stem}-{choice}', bytes([choice]) + path.read_bytes()


def number_seeds():
    limits = struct.pack('>QQ', 1, 4294967295)
    for i, text in enumerate(['0', '1', '4294967295', '4294967296', '007', '', '+1', '-1', ' 1',
                              '1 ', '18446744073709551615', '18446744073709551616', '0x10', '1e3',
                              '99999999999999999999999999999999']):
        yield f'whole-{i:02}', b'\0' + limits + text.encode()
    for i, text in enumerate(['-0', '+127', '-128', '255', '65504', '-2147483648',
                              '18446744073709551615', '1e-3', '0x1p-24', 'nan', '-inf', '1e999']):
        for kind in (1 + i % 8, 9 + i % 3):
            yield f'type-{kind:02}-{i:02}', bytes([kind]) + text.encode()


def edge_seeds():
    for kind, name in enumerate(TYPES):
        code = {'i1': 'b', 'u1': 'B', 'i2': 'h', 'u2': 'H', 'i4': 'i', 'u4': 'I', 'i8': 'q',
                'u8': 'Q', 'f2': 'e', 'f4': 'f', 'f8': 'd'}[name]
        edges = npy('<' + name, '(4,)', struct.pack(f'<4{code}', 0, 1, 1, 100))
        yield f'same-{name}', bytes([kind, 0]) + edges
        yield f'bytes-{name}', b'\1\1' + edges
        yield f'floats-{name}', b'\x09\6' + edges
    yield 'down', b'\0\0' + npy('<i4', '(3,)', struct.pack('<3i', -5, 7, 6))
    yield 'nan', b'\0\0' + npy('<f4', '(3,)', struct.pack('<3f', 1, float('nan'), 2))
    yield 'infinite', b'\1\0' + npy('<f8', '(3,)', struct.pack('<3d', float('-inf'), 1.5, 1e300))
    yield 'beyond', b'\1\0' + npy('<i8', '(2,)', struct.pack('<2q', 256, 300))
    yield 'one', b'\1\0' + npy('<i8', '(1,)', struct.pack('<q', 2))
    yield 'cut', b'\1\0' + npy('<i8', '(2,)', struct.pack('<2q', 2, 3)[:-1])


def match_seeds():
    pairs = struct.pack('<6I', 0, 0, 4, 199, 2, 7)
    known = npy('<u4', '(3, 2)', pairs)
    yield 'known', b'\0' + known
    yield 'known-cut', b'\0' + known[:-1]
    yield 'known-beyond', b'\0' + npy('<u4', '(1, 2)', struct.pack('<2I', 5, 0))
    yield 'known-flat', b'\0' + npy('<u4', '(6,)', pairs)
    yield 'known-signed', b'\0' + npy('<i4', '(3, 2)', pairs)
    yield 'known-turned', b'\0' + npy('>u4', '(3, 2)', struct.pack('>6I', 0, 4, 2, 0, 9, 7),
                                        order=True)
    for i, text in enumerate(['8:64', '8:64:7', '0:0', '1', '1:2:3:4', '4294967294:1',
                              '4294967295:1', '1:1:18446744073709551615', '1:1:18446744073709551616', ':',
                              '-1:1']):
        yield f'random-{i:02}', b'\1' + text.encode()


def pipe_seeds():
    some = bytes(range(64))
    yield 'nothing', b'\6'
    yield 'raw', b'\6' + some
    yield 'raw-odd', b'\6' + some[:-1]
    yield 'raw-of-no-type', b'\0' + some
    yield 'npy', b'\0' + npy('<u2', '(32,)', some)
    yield 'npy-cut', b'\0' + npy('<u2', '(32,)', some)[:-1]
    yield 'npy-of-truths', b'\0' + npy('|b1', '(64,)', some)
    yield 'npy-fortran', b'\0' + npy('>f4', '(2, 8)', some, order=True)
    yield 'npy-magic', b'\2\x93NUMP'
    yield 'png', b'\0' + png.encode(8, 8, png.GREY, some)
    yield 'png-cut', b'\0' + png.encode(8, 8, png.GREY, some)[:-1]
    yield 'hdr', b'\0' + next(hdr_seeds())[1][1:]
    yield 'hdr-magic', b'\0#?RADIANCE\n'


def predicate_seeds():
    texts = ['nonzero', '!finite', 'nan', ' ! unique', 'flags:FILE.npy', 'x>0.5', 'x!=7',
             '0.2<=x<0.8', '1 < y', 'z == -1e-3', 'w>=18446744073709551615', '-128<=x', 'x<inf',
             'x != nan', '0x1p-3 <= x', '', '!', 'x', 'x>', '1<x<2<3', '5<6', 'x=5', 'x<+7',
             'x>99999999999999999999999999']
    for i, text in enumerate(texts):
        for type_ in (i % 11, 9):
            yield f'{i}-{type_}', bytes([type_, 3]) + text.encode()


def option_seeds():
    lines = ['devices --json --self-test --device=0', 'reduce sum,min random:100 --type u8',
             'reduce dot random:10:3 random:10 --offset 4 --stride=8 --components 2',
             'reduce max random:64 --segments rows:8 --algorithm groups --determinism device',
             'reduce max random:64 --segments windows:7 --accumulator f64 --nan propagate',
             'scan sum random:99 -o OUT.npy --exclusive --reverse --initial -1.5 --type f16',
             'scan sum random:96 -o OUT.npy --segments rows:3 --initial 7 --type i8',
             'scan sum random:9 --output=OUT.npy --initial 0x1p-24 --type f32 --verify',
             'compact x>0.5 random:77 -o K.npy --indices I.npy --capacity 5 --rejected R.npy',
             'compact -1<=x<5 random:8 --type i16 --run-lengths L.npy --rejected-indices J.npy',
             'tune --quick -o P.txt --device lavapipe', 'bench --help', '--help', 'reduce --help',
             'reduce --algorithm=help', '--algorithm help', 'nothing', 'reduce', 'scan --bogus',
             'reduce sum random:5 --chunk 64MiB --repeat 3 --count-on-gpu --staging --profile P',
             'reduce sum random:5 --chunk 17179869184GiB', 'reduce sum random:5 --repeat 0',
             'reduce sum random:18446744073709551615 --type u8', 'reduce sum random:-1',
             'reduce sum random:5 --json=1', 'reduce sum random:5 --type', '-', '-- reduce',
             'histogram random:9 --bins 256 --range 0:256 --type u8 --quantiles 0.01,0.5,1',
             'histogram random:9 --bins 7 --range -1:18446744073709551616 --type u64 --closed',
             'histogram random:9 --log2 --bins 7 --range 0x1p-9:1e3 -o O.npy --plot P.png',
             'histogram random:9 --edges random:2:4 --type f64 --as-image --map luminance',
             'scan sum random:9 -o  --json', 'scan sum random:9 --output=',
             'reduce sum random:9:99999999999999999999', 'compact flags: random:9',
             'reduce sum random:9 --segments offsets:', 'reduce sum random:1e2 --chunk 1.5MiB -o -',
             'reduce sum random:9 --chunk 1.0000001e3 --allow-empty',
             'sort random:9 -o S.npy --descending --indices I.npy --segments rows:4',
             'sort random:9 --type i16 --indices I.npy --bits 4:16 --algorithm one-workgroup',
             'sort random:9 --bits 3:2 --type u8 -o S.npy', 'topk 3 random:9 --smallest -o V.npy',
             'topk 65537 random:9', 'topk 2 random:9 --segments rows:3 --indices I.npy',
             'bounds upper random:1 random:5:1 -o P.npy --descending',
             'find x>0.5 random:9',
             'bin random:9 --type u8 --bins 99 --counts C.npy --indices I.npy',
             'bounds middle random:9 random:5', 'scan sum random:9 -o S.npy --by random:9:2',
             'reduce sum random:9 --runs random:9',
             'reduce sum random:9 --by random:9 --keys K.npy --counts C.npy']
    for i, line in enumerate(lines):
        yield f'{i:02}', line.replace(' ', '\n').encode()


def profile_seeds():
    head = 'vkreduce-profile 2\ndevice 0 0 0 32\n'
    row = 'reduce 4 buffer 256 256 4096 32 256 2048 coalesced vec4 1 64 0\n'
    tricky = 'scan 8 texels 0 2 0 1 262144 65536 contiguous texel 32 65536 1\n'
    yield 'empty', b'd'
    yield 'head', b'd' + (head + 'end\n').encode()
    yield 'rows', b'd' + (head + row + tricky + 'end\n').encode()
    yield 'file', b'f' + (head + row + 'end\n').encode()
    yield 'twice', b'd' + (head + row + row + 'end\n').encode()
    yield 'torn', b'f' + (head + row).encode()
    yield 'other-device', b'd' + (head.replace('32', '8') + row + 'end\n').encode()
    yield 'version', b'd' + head.replace('2', '1', 1).encode()
    yield 'long', b'd' + (head + row.replace(' ', ' ' * 20) + 'end\n').encode()
    for i, number in enumerate(('0', '-1', '4294967296', '3', '2147483648')):
        for k, word in enumerate(('256', '32 ', '4096', '2048')):
            wrong = row.replace(word, number + ' ' * (word[-1] == ' '), 1)
            yield f'row-{i}-{k}', b'd' + (head + wrong + 'end\n').encode()
    yield 'more', b'd' + (head + row + 'end\n\n').encode()
    yield 'zero', b'd' + (head + row).encode().replace(b'vec4', b'v\0c4') + b'end\n'
    rows = ''.join(f'{o} {s} {v} 128 64 0 16 64 8 coalesced element 2 0 0\n'
                   for o in ('reduce', 'scan', 'compact') for s in (1, 2, 4, 8)
                   for v in ('texels', 'buffer'))
    yield 'all', b'd' + (head + rows + 'end\n').encode()


def api_seeds():
    draw = random.Random(1)
    for i in range(24):
        faults = [draw.randrange(60) if i % 3 == 1 else 0, draw.randrange(6),
                  draw.randrange(80) if i % 3 == 2 else 0, draw.choice([0, 0, i])]
        yield f'{i:02}', bytes(faults) + draw.randbytes(300)


def plan_seeds():
    draw = random.Random(2)
    for i in range(12):
        yield f'{i:02}', draw.randbytes(300)


def row_seeds():
    draw = random.Random(4)
    for i in range(24):
        yield f'{i:02}', bytes([i % 6]) + draw.randbytes(200)


def hook_seeds():
    """The modules of the linker's test, as glslc and spirv-as make them."""
    folder = FOLDER.parent / 'unit/link'
    for name, command in {
            'kernel.comp': ['glslc', '-O0', '--target-env=vulkan1.1', '-o', '-'],
            'hooks.comp': ['glslc', '-O0', '-o', '-'],
            'exports.spvasm': ['spirv-as', '--target-env', 'vulkan1.1', '-o', '-'],
            'wrong.spvasm': ['spirv-as', '--target-env', 'vulkan1.1', '-o', '-']}.items():
        module = subprocess.run(command + [folder / name], check=True, stdout=subprocess.PIPE)
        yield pathlib.Path(name).stem, module.stdout


def function_seeds():
    """Texts with and without a version, and the names and types of states in SPIR-V."""
    for i, text in enumerate([
            'float map(float x, uint i) { return x; }', '/* a */ #version 460 core\nint f;',
            '// finish\nState finish(State s) { return s; }', 'float finish(State s) {', '/* open',
            '#version\n#define COMMUTATIVE\n', '# version 450']):
        for role in range(3):
            yield f'text-{i}-{role}', bytes([7 + i % 4, i % 4, role]) + text.encode()
    shader = """#version 450
        struct Inner { vec2 a; mat2 b; uint c[3]; };
        struct State { int n; Inner i; bool f; TYPE last; };
        State combine(State a, State b) { return a; }
        State s;
        void main() { s = combine(s, s); }"""
    for kind in ('float', 'double', 'mat4', 'uvec4'):
        module = subprocess.run(['glslc', '-O0', '-fshader-stage=compute', '-o', '-', '-'],
                                check=True, stdout=subprocess.PIPE,
                                input=shader.replace('TYPE', kind).encode())
        yield f'state-{kind}', bytes(3) + module.stdout


def main():
    for target, seeds in {'api': api_seeds, 'edges': edge_seeds, 'exr': exr_seeds,
                          'functions': function_seeds,
                          'hdr': hdr_seeds, 'hooks': hook_seeds,
                          'match': match_seeds, 'npy': npy_seeds, 'numbers': number_seeds,
                          'options': option_seeds, 'pipe': pipe_seeds, 'plan': plan_seeds,
                          'png': png_seeds, 'predicate': predicate_seeds,
                          'profile': profile_seeds, 'rows': row_seeds}.items():
        folder = FOLDER / 'corpus' / target
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob('seed-*'):
            old.unlink()
        for name, data in seeds():
            (folder / f'seed-{name}').write_bytes(data)


if __name__ == '__main__':
    main()
