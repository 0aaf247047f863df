# SPDX-License-Identifier: MIT
"""Values of all types for tests of sort, topk and bounds, and their order."""
import math
import random
import struct

from runner_tools import CODES, pack

TYPES = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']
# The bits of NaN with either sign and several payloads.
NANS = {'f16': [0x7e00, 0xfe01, 0x7c01, 0xffff, 0x7e03],
        'f32': [0x7fc00000, 0xffc00123, 0x7f800001, 0xffffffff, 0x7fc00003],
        'f64': [0x7ff8000000000000, 0xfff8000000000123, 0x7ff0000000000001, 0xffffffffffffffff,
                0x7ff8000000000003]}


def order_key(kind, value, descending=False, nan_first=False, data=b''):
    """A key for Python's sort, which is stable: -0 is below 0, and NaN is last, or first. The bytes
    of NaN order them: without the sign smaller bits come first, then with it greater ones."""
    sign = -1 if descending else 1
    if not kind.startswith('f'):
        return sign * value
    if math.isnan(value):
        bits, negative = int.from_bytes(data, 'little'), data[-1:] >= b'\x80'
        return (-1 if nan_first else 1, sign * negative, sign * (-bits if negative else bits))
    return (0, sign * value, sign * math.copysign(1, value))


def some_values(kind, count, seed):
    """Values of a type with equal ones among them, and the special ones of floats."""
    draw = random.Random(seed)
    if not kind.startswith('f'):
        bits = int(kind[1:])
        low = -2 ** (bits - 1) if kind[0] == 'i' else 0
        edges = [low, low + 2 ** bits - 1, 0, 1, low + 2 ** (bits - 1)]
        return [draw.choice([low + draw.getrandbits(bits), draw.choice(edges)])
                for _ in range(count)]
    edges = [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan, -1.0, 2.0 ** -24, -(2.0 ** -14)]
    values = [draw.choice([draw.uniform(-9, 9), draw.choice(edges)]) for _ in range(count)]
    return list(struct.unpack(f'<{count}{CODES[kind]}', pack(kind, values)))


def some_items(kind, count, seed):
    """The same as pairs of a value and its bytes: NaN have several of them."""
    size = struct.calcsize(CODES[kind])
    items = [(value, pack(kind, [value])) for value in some_values(kind, count, seed)]
    draw = random.Random(seed)
    return [(value, draw.choice(NANS[kind]).to_bytes(size, 'little'))
            if value != value else (value, data) for value, data in items]


def stable_order(kind, values, descending=False, nan_first=False):
    """The indices of the values in their order."""
    return items_order(kind, [(value, b'') for value in values], descending, nan_first)


def items_order(kind, items, descending=False, nan_first=False):
    """The same of pairs of a value and its bytes."""
    return sorted(range(len(items)), key=lambda i: order_key(kind, items[i][0], descending,
                                                             nan_first, items[i][1]))


def shown(kind, values):
    """Values as a file's content is compared: a list, or bytes if there are many."""
    return pack(kind, values) if len(values) > 100 else values
