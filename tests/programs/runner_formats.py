#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what the program vkreduce makes of files of all kinds: those that it reads, made by other
programs, and those that it must name. Prints TAP."""
import bz2
import gzip
import io
import lzma
import os
import struct
import tarfile
import zipfile

import png
import runner_tools
from runner_tools import (PROGRAM, answer, answers, array, ok, pack, read, refusals, refuse, run, write)

# ---- Kinds of files ----

def archive(kind):
    file = io.BytesIO()
    if kind == 'zip':
        with zipfile.ZipFile(file, 'w') as into:
            into.writestr('arr_0.npy', read('three.npy'))
    else:
        with tarfile.open(fileobj=file, mode='w') as into:
            into.add('three.npy')
    return file.getvalue()


def test_kinds():
    """Known kinds that are not read, with and without a name that says so."""
    array('three.npy', 'f32', [1, 2, 3.5])
    values = read('three.npy')
    for name, words, data in [
            ('a.npz', 'ZIP archive|.npz|unzip', archive('zip')),
            ('a.npy.gz', 'gzip file|gzip -dc', gzip.compress(values)),
            ('a.xz', 'xz file|xz -dc', lzma.compress(values)),
            ('a.bz2', 'bzip2 file|bzip2 -dc', bz2.compress(values)),
            ('a.zst', 'Zstandard|zstd -dc', b'\x28\xb5\x2f\xfd' + bytes(20)),
            ('a.tar', 'tar archive', archive('tar')),
            ('a.tif', 'TIFF|.png', b'II*\0' + bytes(60)),
            ('a.tiff', 'TIFF|.png', b'MM\0*' + bytes(60)),
            ('a.jpg', 'JPEG|.png', b'\xff\xd8\xff\xe0\0\x10JFIF\0' + bytes(60)),
            ('a.webp', 'WebP|.png', b'RIFF\x24\0\0\0WEBPVP8 ' + bytes(60)),
            ('a.bmp', 'BMP|.png', b'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28' + bytes(59)),
            ('a.h5', 'HDF5|numpy.save', b'\x89HDF\r\n\x1a\n' + bytes(60)),
            ('a.mat', 'MATLAB|numpy.save', b'MATLAB 5.0 MAT-file, Platform: GLNXA64' + bytes(90)),
            ('a.fits', 'FITS|numpy.save', b'SIMPLE  =                    T' + b' ' * 600),
            ('a.nii', 'NIfTI|numpy.save', bytes(344) + b'n+1\0' + bytes(60)),
            ('envi.hdr', 'ENVI|beside it|--type', b'ENVI\nsamples = 3\n'),
            ('a.pkl', 'pickle|numpy.save', b'\x80\4\x95' + bytes(60)),
            ('a.gguf', 'GGUF|numpy.save|--offset', b'GGUF\3\0\0\0' + bytes(60)),
            ('a.safetensors', 'safetensors|--offset', b'\x40' + bytes(7) + b'{"w":{}}' + bytes(60)),
            ('a.wav', 'WAV|numpy.save|--offset', b'RIFF\x24\0\0\0WAVEfmt ' + bytes(60)),
            ('a.aiff', 'AIFF|--offset', b'FORM\0\0\0\x24AIFFCOMM' + bytes(60)),
            ('a.flac', 'FLAC|numpy.save', b'fLaC\0\0\0\x22' + bytes(60)),
            ('a.las', 'LAS|--offset|--stride', b'LASF' + bytes(300)),
            ('a.pcd', 'PCD|--offset', b'# .PCD v0.7\nVERSION 0.7\n'),
            ('a.ply', 'PLY|--offset|--stride', b'ply\nformat binary_little_endian 1.0\n'),
            ('b.ply', 'PLY|--offset|--stride', b'ply\r\nformat ascii 1.0\r\n'),
            ('a.stl', 'STL|numpy.save', b'solid cube\nfacet normal 0 0 1\n'),
            ('b.stl', 'STL|--offset|--stride', bytes(80) + b'\2\0\0\0' + bytes(100)),
            ('a.glb', 'glTF|--offset', b'glTF\2\0\0\0' + bytes(60)),
            ('a.nrrd', 'NRRD|--offset', b'NRRD0004\ntype: float\n'),
            ('a.sqlite', 'SQLite|numpy.save', b'SQLite format 3\0' + bytes(84)),
            ('a.mp4', 'MP4|numpy.save', b'\0\0\0\x20ftypisom' + bytes(60))]:
        write(name, data)
        refuse(PROGRAM, f'{name} has its name', 2, f'{name}: |{words}|not read', 'reduce', 'min',
               name)
        refuse(PROGRAM, f'{name} as raw data', 2, f'{name}: |{words}|--raw', 'reduce', 'min', name,
               '--type=u8')
        write('other.npy', data)
        refuse(PROGRAM, f'{name} under another name', 2, f'other.npy: |{words}', 'reduce', 'min',
               'other.npy')
        refuse(PROGRAM, f'{name} from a pipe', 2, f'-: |{words}', 'reduce', 'min', '-', input=data)
        answer(f'{name} as it is', f'reduce sum {name} --raw --type u8', {'sum': sum(data)},
               count=len(data))


def test_records():
    """Raw values at any position and distance are those of the same records in a packed array."""
    count, kinds = 300, ['f32', 'u16', 'i64', 'u8']
    for offset, stride, kind, width in [
            (1233, 248, 'f32', 3), (5, 13, 'f32', 1), (7, 13, 'u16', 2), (2, 5000, 'i64', 1),
            (8, 13, 'i64', 1), (3, 4, 'f32', 1), (0, 3, 'u16', 1), (11, 27, 'u8', 4),
            (1, 5, 'f32', 2), (1, 1, 'i64', 1), (13, 0, 'u16', 1)]:
        values = [(i * 7919 + kinds.index(kind)) % 251 for i in range(count * width)]
        bytes_of = pack(kind, values)
        size = len(bytes_of) // count
        data = bytearray(offset + (stride or size) * (count - 1) + size)
        for i in range(count):
            at = offset + i * (stride or size)
            data[at:at + size] = bytes_of[i * size:(i + 1) * size]
        write('records.bin', bytes(data))
        parts = [data[at:at + size] for at in range(offset, len(data) - size + 1, stride or size)]
        write('packed.bin', *parts) # those of records that overlap differ from the values
        where = f'--type {kind}' + f' --components {width}' * (width > 1)
        at = f'records.bin {where} --offset {offset}' + f' --stride {stride}' * (stride > 0)
        for command in ['reduce sum,max,argmin {} --nan ignore', 'reduce max {} --segments rows:30',
                        'scan max {} -o out.npy'] + ['sort {} -o out.npy'] * (width == 1):
            expected = run(command.format(f'packed.bin {where}'))
            file = read('out.npy') if 'out.npy' in command else None
            answer('as packed records', command.format(at), expected and expected['result'])
            if file:
                ok(read('out.npy') == file, f'the file of {command.format(at)}')
    write('late.bin', b'abc' + pack('f32', [1.5, -2, 8]))
    write('many.bin', b'abc' + pack('f32', [i % 5 for i in range(120000)]))
    answer('a stream of them', 'reduce sum,argmax many.bin --type f32 --offset 3 --chunk 64KiB',
           {'sum': 240000, 'argmax': 4}, chunks=8)
    refusals(2, 'reduce sum', ('a partial one', 'inside element 2|1 of its bytes',
                               'late.bin --type f32 --offset 2 --stride 6'),
             ('of no whole size', '13 bytes|multiple of 4', 'late.bin --type f32 --offset 2'))


def test_names():
    """The bytes count, not the name."""
    values, picture = read('three.npy'), png.encode(3, 1, png.GREY, b'\7\1\5')
    write('renamed.png', values)
    write('renamed.npy', picture)
    write('values', values)
    write('picture.hdr', picture)
    write('unknown.npy', b'12345678')
    write('small.png', b'\x89PN')
    write('text.csv', b'1,2\n3,4\n')
    answers(
        ('an array with a name of a picture', 'reduce max renamed.png', {'max': 3.5},
         {'type': 'f32'}),
        ('a picture with a name of an array', 'reduce max renamed.npy', {'max': 7}, {'type': 'u8'}),
        ('an array without a name', 'reduce max values --type f32', {'max': 3.5}),
        ('another picture', 'reduce min picture.hdr', {'min': 1}, {'type': 'u8'}),
        ('its bytes', 'reduce count picture.hdr --raw --type i8', {'count': len(picture)},
         {'type': 'i8'}),
        ('raw bytes with a name', 'reduce max unknown.npy --type u16 --raw', {'max': 0x3837}),
        ('no effect on numbers', 'reduce count random:5 --raw --type u8', {'count': 5}),
        ('from a pipe', 'reduce max - --raw --type u8', {'max': max(picture)},
         {'streams': {'input': picture}}))
    refusals(
        2, 'reduce',
        ('no array', 'unknown.npy|does not start as a .npy file does|--raw', 'min unknown.npy'),
        ('nor with a type', 'unknown.npy|does not start', 'min unknown.npy --type u8'),
        ('too small', 'small.png|3 bytes|too few for a PNG picture', 'min small.png'),
        ('text', 'text.csv|--type|text', 'min text.csv'),
        ('no type', '--raw needs --type', 'min values --raw'),
        ('another type', 'f32|u32|--raw', 'min values --type u32'))


def test_lookalikes():
    """Raw data that begins like a known file: the sentence names --raw. The first value of the array
    is the date 20000630, whose bytes are those of an OpenEXR picture."""
    write('days.bin', pack('u32', [20000630, 20000701, 20000702]))
    write('tiff.bin', b'II*\0', pack('u32', [1, 2]))
    write('lines.bin', b'#?RADIANCE\n\x01')
    write('png.bin', b'\x89PNG\r\n\x1a\n\0\0\0\0')
    write('npy.bin', b'\x93NUMPY\x09\0\0\0\0\0')
    for name, kind in (('days', 'OpenEXR'), ('tiff', 'TIFF'), ('lines', 'Radiance'), ('png', 'PNG'),
                       ('npy', '.npy')):
        refuse(PROGRAM, f'{kind}, with --type', 2, f'{name}.bin: |{kind}|add --raw', 'reduce', 'sum',
               f'{name}.bin', '--type=u32')
        code, out, err = runner_tools.call(PROGRAM, 'reduce', 'sum', f'{name}.bin')
        ok(code == 2 and '--raw' not in err, f'{kind}, without it', out + err)
    answer('values', 'reduce max days.bin --type u32 --raw', {'max': 20000702})
    help = runner_tools.call(PROGRAM, 'reduce', '--help')[1]
    ok(any('--type T' in line and '--raw' in line for line in help.splitlines()),
       '--help of --type names --raw', help)


def test_remedies():
    """A sentence suggests an option only where it can be given."""
    write('raw.bin', bytes(12))
    write('nothing.npy')
    write('nothing.bin')
    write('other.npy', b'12345678')
    write('envi.hdr', b'ENVI\nsamples = 3\n')
    stored('fields.npy', FIELDS, '(3,)', RECORDS)
    array('three.npy', 'f32', [1, 2, 3.5])
    files = {'raw.bin': ('type', '--type'), 'nothing.npy': ('0 bytes', ''),
             'nothing.bin': ('there is no data', '--allow-empty'),
             'other.npy': ('does not start', '--raw'), 'envi.hdr': ('ENVI|beside it', '--type'),
             'fields.npy': ('id, pos, ok', '--field')}
    for file, (words, option) in files.items():
        refuse(PROGRAM, f'{file} as INPUT', 2, f'{file}: |{words}|{option}', 'reduce', 'sum', file)
        for name, arguments in [
                ('pyramid', ['pyramid', 'min', file, '-o', 'levels']),
                *((name, ['histogram', 'three.npy', '--bins=2', name, file])
                  for name in ('--mask', '--weights')),
                ('--edges', ['histogram', 'three.npy', '--edges', file]),
                ('flags', ['compact', f'flags:{file}', 'three.npy']),
                ('flags of segments', ['scan', 'sum', 'three.npy', '-o', 'out.npy',
                                       f'--segments=flags:{file}']),
                ('offsets', ['reduce', 'sum', 'three.npy', f'--segments=offsets:{file}'])]:
            code, out, err = runner_tools.call(PROGRAM, *arguments)
            ok(code == 2 and out == '' and err.startswith(f'vkreduce: {file}: ') and
               err.count('\n') == 1 and
               not any(word in err for word in ('--type', '--raw', '--field', '--allow-empty')),
               f'{file} for {name} suggests no other option', err)


# ---- Arrays ----

def stored(name, descr, shape, data, order=False, version=1):
    """A .npy file as numpy.save writes it."""
    text = f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}\n"
    text = text.encode('utf-8' if version == 3 else 'latin-1')
    length = struct.pack('<H' if version == 1 else '<I', len(text))
    return write(name, b'\x93NUMPY', bytes([version, 0]), length, text, data)


def test_spellings():
    """Names of types that NumPy reads, in files and from pipes."""
    for kind, names in {
            'f32': "f4 float32 <f =f4 |f4 single f", 'f64': 'double float d float64 <d',
            'u8': '|u1 B uint8 ubyte <u1 >u1', 'i64': 'int64 l q int_ longlong =i8',
            'u64': 'uint64 L Q uint', 'i32': 'i intc int32', 'i16': 'h short int16 <h',
            'u16': 'H ushort', 'f16': 'e half float16', 'i8': 'b byte int8 |b'}.items():
        for name in names.split():
            file = stored('named.npy', repr(name), '(3,)', pack(kind, [3, 1, 2]))
            answer(f"'{name}'", f'reduce sum,argmin {file}', {'sum': 6, 'argmin': 1}, type=kind)
    for name in '? bool |b1 bool8 =? >? |?'.split():
        file = stored('truths.npy', repr(name), '(5,)', b'\0\1\2\xff\0')
        answer(f"'{name}'", f'reduce sum,max {file}', {'sum': 3, 'max': 1}, type='u8')
        answer('from a pipe', 'reduce sum,max -', {'sum': 3, 'max': 1}, type='u8',
               streams={'input': read(file)})
    file = stored('big.npy', "'>d'", '(2,)', struct.pack('>2d', 1.5, -2))
    answer('big-endian', f'reduce min,max {file}', {'min': -2, 'max': 1.5}, type='f64')
    file = stored('scalar.npy', "'<f8'", '()', pack('f64', [2.5]))
    for order in (False, True):
        file = stored('scalar.npy', "'<f8'", '()', pack('f64', [2.5]), order)
        answer('no dimensions', f'reduce max,count {file}', {'max': 2.5, 'count': 1}, count=1)
        answer('no dimensions', f'scan sum {file} -o out.npy', None,
               files={'out.npy': ('f64', (1,), [2.5])})


FIELDS = "[('id', '<u4'), ('pos', '<f4', (3,)), ('ok', '|b1')]"
RECORDS = bytes.fromhex(
    '070000000000803f00000040000040400108000000000080400000a0400000c04000090000000000e0400000004100'
    '00204101')
ALIGNED = ("[('a', '|u1'), ('', '|V7'), ('x', '>f8'), ('in', [('b', '<i2'), ('', '|V2'), "
           "('c', [('d', '<f4')])])]")
TURNED = bytes.fromhex(
    '00000000000000003fe000000000000000000000000000000000000000000000400c000000000000fdff00000000c0'
    '4000000000000000003ff8000000000000ffff00000000004000000000000000004012000000000000fcff00000000'
    '004100000000000000004004000000000000feff00000000804000000000000000004016000000000000fbff000000'
    '002041')
ODD = ("[(('a title', 'x'), '<i4'), ('m', '<f8', (2, 2)), ('s', '|S3'), ('t', '<M8[ns]'), "
       "('z', '<c8'), ('big', '<f4', (5,)), ('rec', [('u', '<u2')], (2,))]")


def test_fields():
    """Fields of structured types, in files that numpy.save wrote."""
    stored('r.npy', FIELDS, '(3,)', RECORDS)
    stored('t.npy', ALIGNED, '(2, 3)', TURNED, True)
    stored('odd.npy', ODD, '(2,)', pack('i32', [3]) + pack('f64', [1, 2, 3, 4]) + bytes(43) +
           pack('i32', [-4]) + pack('f64', [5, 6, 7, 8]) + bytes(43))
    stored('latin.npy', "[('\u00e9', '<i4')]", '(1,)', pack('i32', [5]))
    stored('greek.npy', "[('\u03c0', '<i4'), (\"it's\", '<i2')]", '(1,)',
           bytes.fromhex('050000000600'), version=3)
    stored('many.npy', "[('a', '|u1'), ('x', '<i4')]", '(300001,)',
           b''.join(struct.pack('<Bi', 255, i) for i in range(300001)))
    stored('wide.npy', "[('a', '|V5003'), ('x', '<i4')]", '(3,)',
           b''.join(bytes(5003) + pack('i32', [i * i]) for i in range(3)))
    answers(
        ('a number', 'reduce sum,max r.npy --field id', {'sum': 24, 'max': 9},
         {'type': 'u32', 'count': 3, 'channels': 1}),
        ('three', 'reduce sum r.npy --field pos', {'sum': [12, 15, 19]},
         {'type': 'f32', 'count': 3, 'channels': 3}),
        ('truths', 'reduce sum r.npy --field ok', {'sum': 2}, {'type': 'u8'}),
        ('from a pipe', 'reduce max - --field pos', {'max': [7, 8, 10]},
         {'streams': {'input': read('r.npy')}}),
        ('big-endian, with padding, in Fortran order', 'compact x>=0 t.npy --field x -o out.npy',
         None, {'files': {'out.npy': ('f64', (6,), [0.5, 1.5, 2.5, 3.5, 4.5, 5.5])}}),
        ('a field of a field', 'compact x<9 t.npy --field in.b -o out.npy', None,
         {'files': {'out.npy': ('i16', (6,), [0, -1, -2, -3, -4, -5])}}),
        ('and of that one', 'reduce sum t.npy --field in.c.d', {'sum': 30}, {'type': 'f32'}),
        ('with a title', 'reduce min odd.npy --field x', {'min': -4}, {'type': 'i32'}),
        ('by its title', "reduce min odd.npy --field 'a title'", {'min': -4}, {'type': 'i32'}),
        ('an array of 2 x 2', 'reduce max odd.npy --field m', {'max': [5, 6, 7, 8]},
         {'type': 'f64', 'channels': 4}),
        ('Latin-1', 'reduce max latin.npy --field \u00e9', {'max': 5}),
        ('UTF-8', 'reduce max greek.npy --field \u03c0', {'max': 5}),
        ('a quote', 'reduce max greek.npy --field "it\'s"', {'max': 6}),
        ('of many', 'reduce sum,argmax many.npy --field x --chunk 500KiB',
         {'sum': 300000 * 300001 // 2, 'argmax': 300000}, {'chunks': 3}),
        ('far apart', 'reduce sum,max wide.npy --field x', {'sum': 5, 'max': 4}),
        ('grouped', 'reduce sum t.npy --field x --components 2', {'sum': [7.5, 10.5]},
         {'count': 3}),
        ('with a stride', 'reduce sum many.npy --field x --offset 4 --stride 400000',
         {'sum': 1 + 100001 + 200001}, {'count': 3}))
    array('plain.npy', 'f32', [1])
    refusals(
        2, 'reduce max',
        ('no field chosen', 'r.npy|id, pos, ok|--field', 'r.npy'),
        ('no such field', "'ip'|id, pos, ok", 'r.npy --field ip'),
        ('more than one', "'idx'|id, pos, ok", 'r.npy --field idx'),
        ('the beginning of one', "'po'|id, pos, ok", 'r.npy --field po'),
        ('a field with fields', "'in'|b, c|NAME.NAME", 't.npy --field in'),
        ('none of its fields', "'in.z'|b, c", 't.npy --field in.z'),
        ('a field of a number', "'a.b'|a, x, in", 't.npy --field a.b'),
        ('a string', "'s'|strings", 'odd.npy --field s'),
        ('a date', "'t'|dates|a.view('i8')", 'odd.npy --field t'),
        ('a complex number', "'z'|complex|a.real", 'odd.npy --field z'),
        ('five values', "'big'|5 values|numpy.save", 'odd.npy --field big'),
        ('in an array of records', "array of records|numpy.save", 'odd.npy --field rec.u'),
        ('no structure', "--field is 'x'|no fields", 'plain.npy --field x'),
        ('a picture', "--field is 'x'|no fields", 'data/camera.png --field x'),
        ('another number of components', '3 channels', 'r.npy --field pos --components 2'),
        ('an empty name', '--field', 'r.npy --field='))


def test_everywhere():
    """Options of INPUT in the commands other than reduce."""
    write('odd.bin', b'head', *(pack('u16', [i, 10 * i]) + b'--' for i in (1, 2, 3)))
    stored('r.npy', FIELDS, '(3,)', RECORDS)
    write('looks.npy', b'\x93NUMPY')
    write('nothing')
    at = '--type u16 --offset 4 --stride 6 --components 2'
    of = 'out.npy'
    answers(
        ('where elements are', f'scan sum odd.bin {at} -o out.npy', None,
         {'files': {of: ('u32', (3, 2), [1, 10, 3, 30, 6, 60])}}),
        ('where elements are', f"compact 'y>10' odd.bin {at} -o out.npy", None,
         {'files': {of: ('u16', (2, 2), [2, 20, 3, 30])}}),
        ('where elements are', f'histogram odd.bin {at} --bins 2 --range 0:4 -o out.npy', None,
         {'files': {of: ('u64', (2, 2), [1, 2, 0, 0])}}),
        ('a field', 'scan max r.npy --field id -o out.npy', None,
         {'files': {of: ('u32', (3,), [7, 8, 9])}}),
        ('a field', 'histogram r.npy --field pos --bins 2 --range 0:6 -o out.npy', None,
         {'files': {of: ('u64', (3, 2), [1, 1, 1, 1, 0, 1])}}),
        *(('bytes as they are', f'{command} looks.npy --raw --type u8 {more}', result)
          for command, more, result in [
              ('scan max', '-o out.npy', {'type': 'u8', 'total': 0x93}),
              ('compact x>85', '', {'kept': 2, 'rejected': 4})]),
        *(('no bytes', f'{command} nothing --type u8 --allow-empty {more}', result)
          for command, more, result in [
              ('scan max', '-o out.npy', {'type': 'u8', 'total': 0}),
              ('compact x>85', '', {'kept': 0, 'rejected': 0})]))
    for options in ('--raw --type u8 looks.npy', '--allow-empty --type u8 nothing'):
        found = run(f'histogram {options} --bins 1 --range 0:256')
        ok((found or {}).get('result', {}).get('counts') == [6 if 'looks' in options else 0],
           f'histogram {options}', found)


def test_types():
    """Types that are not read, each with what to do about it."""
    for descr, words in {
            "'<c8'": "'<c8'|complex|a.real", "'complex128'": 'complex|a.real', "'|S5'": 'strings',
            "'<U7'": 'strings|astype', "'<M8[25s]'": "dates|a.view('i8')", "'<m8[ns]'": 'time',
            "'|O'": "Python objects|astype", "'<f16'": 'long doubles|astype',
            "'|V8'": "without a type|a.view", "'i3'": "'i3'|f2, f4, f8", "'>float32'": 'none of',
            "''": "type is ''", "'<'": "type is '<'", "{'names': []}": 'numpy.save does not write',
            "('<f4', (2,))": 'numpy.save does not write', '5': "\"5, 'fort|due",
            "[('x', '|O'), ('y', '<f4')]": 'Python objects|pickle',
            '[' * 40: 'where a field is due', "[('x', '<f4')": 'where|due',
            "[('x' '<f4')]": 'where a type is due', "[('x', '<f4', 2)]": 'shape|tuple',
            "[('x', '<f4') ('y', '<f4')]": "',' or ']'", "[('x', '<f4', (2,) 3)]": "')' is due",
            "[((1, 'x'), '<f4')]": 'name of a field',
            "[('x', " * 20 + "'<f4'" + ')]' * 20: 'more than 16',
            "[('x', '<f8', (999999999, 999999999, 999999999))]": 'too large'}.items():
        file = stored('odd-type.npy', descr, '(1,)', bytes(8))
        refuse(PROGRAM, f'the type {descr[:40]}', 2, f'{file}: |{words}', 'reduce', 'min', file)


with runner_tools.workplace():
    test_spellings()
    test_fields()
    test_everywhere()
    test_types()
    test_kinds()
    test_records()
    test_names()
    test_lookalikes()
    test_remedies()
