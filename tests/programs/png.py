# SPDX-License-Identifier: MIT
"""Reads and writes PNG for tests."""
import struct
import zlib

GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def encode(width, height, colour, pixels, depth=8, extra=()):
    """`pixels` are the bytes of all rows."""
    row = len(pixels) // height
    lines = b''.join(b'\0' + pixels[y * row:(y + 1) * row] for y in range(height))
    return b'\x89PNG\r\n\x1a\n' + b''.join(
        chunk(*each) for each in [
            (b'IHDR', struct.pack('>IIBBBBB', width, height, depth, colour, 0, 0, 0)), *extra,
            (b'IDAT', zlib.compress(lines)), (b'IEND', b'')])


def unfilter(kind, line, above, step):
    """Decodes a row of bytes in place; `step` is the size of a pixel."""
    for i in range(len(line) if kind else 0):
        left = line[i - step] if i >= step else 0
        up = above[i]
        if kind == 4:
            corner = above[i - step] if i >= step else 0
            guess = left + up - corner
            guess = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                        (abs(guess - corner), 2, corner))[2]
        else:
            guess = (0, left, up, (left + up) // 2)[kind]
        line[i] = (line[i] + guess) & 255


def decode(data):
    """The width, height, colour type and pixels of an 8-bit picture."""
    at, parts = 8, {}
    while at < len(data):
        length, kind = struct.unpack_from('>I4s', data, at)
        parts[kind] = parts.get(kind, b'') + data[at + 8:at + 8 + length]
        at += 12 + length
    width, height, depth, colour, _, _, interlace = struct.unpack('>IIBBBBB', parts[b'IHDR'])
    assert (depth, interlace) == (8, 0)
    lines, step = zlib.decompress(parts[b'IDAT']), CHANNELS[colour]
    above, pixels = bytes(width * step), bytearray()
    for y in range(height):
        start = y * (width * step + 1)
        line = bytearray(lines[start + 1:start + 1 + width * step])
        unfilter(lines[start], line, above, step)
        pixels += line
        above = line
    return width, height, colour, bytes(pixels)
