#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests what the program vkreduce makes of files of all kinds: those that it reads, made by other
programs, and those that it must name. Prints TAP."""
import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import png
import runner_tools
from runner_tools import PROGRAM, answer, answers, array, read, refusals, refuse, write


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
            ('a.bmp', 'BMP|.png', b'BM\x46\0\0\0\0\0\0\0\x36\0\0\0' + bytes(60)),
            ('a.h5', 'HDF5|numpy.save', b'\x89HDF\r\n\x1a\n' + bytes(60)),
            ('a.mat', 'MATLAB|numpy.save', b'MATLAB 5.0 MAT-file, Platform: GLNXA64' + bytes(90)),
            ('a.fits', 'FITS|numpy.save', b'SIMPLE  =                    T' + b' ' * 600),
            ('a.nii', 'NIfTI|numpy.save', bytes(344) + b'n+1\0' + bytes(60)),
            ('envi.hdr', 'ENVI|beside it|--type', b'ENVI\nsamples = 3\n'),
            ('a.pkl', 'pickle|numpy.save', b'\x80\4\x95' + bytes(60))]:
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


# ---- Radiance ----

def test_radiance():
    """A picture that ImageMagick made: rows of red, of both, and of blue."""
    write('magick.hdr', b'#?RADIANCE\nGAMMA=0.454545\n'
          b'PRIMARIES=0.64 0.33 0.3 0.6 0.15 0.06 0.3127 0.329\nFORMAT=32-bit_rle_rgbe\n\n'
          b'-Y 3 +X 9\n', bytes.fromhex('020200098980890089008981020200098980890089808980'
                                       '020200098900890089808981'))
    answer('of ImageMagick', 'reduce sum,max,argmax magick.hdr',
           {'sum': [13.5, 0, 13.5], 'max': [1, 0, 1], 'argmax': [0, 0, 18]}, type='f32', count=27)


with runner_tools.workplace():
    test_kinds()
    test_names()
    test_radiance()
