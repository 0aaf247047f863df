# SPDX-License-Identifier: MIT
"""Random arrays, and comparisons with what numpy makes of them."""
import math
import random
import tempfile

import numpy as np

import vkreduce as vk

TYPES = ['?', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f2', 'f4', 'f8']
SIZES = [0, 1, 2, 3, 5, 7, 16, 31, 64, 129, 1000, 4099, 70001]


class Rows:
    """What a case is made of, from a seed. Where there is a turn, cases have one type of those that
    they may have, and the next turn another one, since most of the time of a run is that of its
    pipelines, and each type has its own."""
    turn = None

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = np.random.default_rng(seed)

    def kind(self, kinds=TYPES):
        if self.turn is not None:
            return kinds[self.turn % len(kinds)]
        return self.random.choice(kinds)

    def shape(self, dimensions):
        if dimensions == 1:
            return (self.random.choice(SIZES),)
        small = [0, 1, 2, 3, 5, 8, 17, 40] if dimensions < 4 else [1, 2, 3, 7]
        small = small if dimensions < 5 else [1, 2, 3, 4]
        return tuple(self.random.choice(small) for _ in range(dimensions))

    def values(self, kind, shape, special):
        size = math.prod(shape)
        if kind == '?':
            return self.numbers.integers(0, 2, size).astype('?').reshape(shape)
        if kind[0] in 'iu':
            info = np.iinfo(kind)
            wide = self.random.random() < 0.3
            low, high = (int(info.min), int(info.max)) if wide else (max(-50, int(info.min)), 50)
            return self.numbers.integers(low, high, size, dtype=kind, endpoint=True).reshape(shape)
        scale = 1.0 if kind == 'f2' else self.random.choice([1.0, 1e-3, 1e6])
        data = (self.numbers.standard_normal(size) * scale).round(2).astype(kind)
        if special and size:
            for value in (np.nan, np.inf, -np.inf, -0.0, 0.0):
                if self.random.random() < 0.4:
                    data[self.numbers.integers(0, size, max(1, size // 9))] = value
        return data.reshape(shape)

    def array(self, special=True, kinds=TYPES, dimensions=None):
        kind = self.kind(kinds)
        dimensions = dimensions or self.random.choice([1, 1, 2, 3, 4, 5, 6])
        data = self.values(kind, self.shape(dimensions), special)
        form = self.random.random()
        if form < 0.15:  # strides
            wide = np.empty(tuple(2 * n for n in data.shape), data.dtype)
            view = wide[tuple(slice(None, None, 2) for _ in data.shape)]
            view[...] = data
            return view
        if form < 0.25:
            return np.asfortranarray(data)
        if form < 0.3 and kind != '?':
            return data.astype(data.dtype.newbyteorder())
        if form < 0.37:  # an axis from its end
            axis = self.random.randrange(data.ndim)
            return np.flip(np.flip(data, axis).copy(), axis)
        if form < 0.42:
            data.flags.writeable = False
        if form > 0.97 and data.size:  # a file that is opened for reading only
            with tempfile.NamedTemporaryFile() as file:
                data.tofile(file)
                file.flush()
                return np.memmap(file.name, data.dtype, 'r', shape=data.shape)
        return data

    def axis(self, array, none=True, several=True):
        n = array.ndim
        choices = ([None] if none else []) + list(range(-n, n))
        if several and n > 1:
            choices += [tuple(self.random.sample(range(n), self.random.randint(1, n)))
                        for _ in range(2)]
        return self.random.choice(choices)

    def given(self, array):
        """The array itself, or one of the device."""
        return vk.asarray(array) if self.random.random() < 0.25 else array


def same(got, expected, name=''):
    got, expected = np.asarray(got), np.asarray(expected)
    assert got.shape == expected.shape, f'shape {got.shape}, expected {expected.shape}'
    equal = (got == expected) | ((got != got) & (expected != expected))
    assert np.all(equal), f'{name} {got.ravel()[~equal.ravel()][:5]}, expected ' \
                          f'{expected.ravel()[~equal.ravel()][:5]}'


def close(got, expected, scale, unit):
    """Floats that differ by at most some units of the sum of the elements' magnitudes."""
    got, expected = np.asarray(got, 'f8'), np.asarray(expected, 'f8')
    assert got.shape == expected.shape, f'shape {got.shape}, expected {expected.shape}'
    both = np.isfinite(expected) & np.isfinite(got)
    same(np.where(both, 0, got), np.where(both, 0, expected))
    bad = both & (np.abs(got - expected) > 64 * unit * np.asarray(scale) + 1e-300)
    assert not np.any(bad), f'{got[bad][:3]}, expected {expected[bad][:3]}'


def is_empty(array, axis):
    axes = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    return math.prod(array.shape[a] for a in axes) == 0


def ordered(a):
    """Numbers that are in the order of vkreduce: -0 below +0."""
    if a.dtype.kind != 'f':
        return a
    a = np.ascontiguousarray(a, a.dtype.newbyteorder('='))
    bits = a.view(f'i{a.dtype.itemsize}').astype('i8')
    return np.where(bits < 0, np.iinfo(f'i{a.dtype.itemsize}').min - bits - 1, bits)


def unit_of(array):
    return 2.0 ** -52 if array.dtype.itemsize == 8 else 2.0 ** -23


def magnitude(array, axis, keepdims=False):
    finite = np.where(np.isfinite(array), np.abs(array.astype('f8')), 0)
    return finite.sum(axis=axis, keepdims=keepdims)


def refused(function, *arguments, **named):
    try:
        function(*arguments, **named)
    except ValueError:
        return
    raise AssertionError('an array without elements was accepted')
