# SPDX-License-Identifier: MIT
"""Cases of against.py: functions of elements and of results of their rows, within the bounds of
apply.h, against float64."""
import numpy as np
from rows import is_empty, same

import vkreduce as vk

UNIT = 2.0 ** -24
KINDS = ['?', 'i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'f2', 'f4']


def array(r):
    """An array, and what it is computed from: float32, in float64."""
    a = r.array(kinds=KINDS)
    return a, r.axis(a, several=False), a.astype('f4').astype('f8')


def within(got, expected, error, kind):
    """Results that differ by at most `error`; where that is infinite, the bounds say nothing. They
    are rounded to float16 where elements are of that type."""
    got = np.asarray(got)
    assert got.dtype == (kind if kind in ('f2', 'f4') else 'f4'), got.dtype
    assert got.shape == expected.shape, f'shape {got.shape}, expected {expected.shape}'
    if kind == 'f2':
        error = error + np.abs(expected) * 2.0 ** -11 + 2.0 ** -25
    error = error + np.abs(expected) * UNIT + 2.0 ** -125
    known = ~np.isinf(error) | ~np.isfinite(expected)
    finite = np.isfinite(expected)
    same(np.where(finite | ~known, 0, got), np.where(finite | ~known, 0, expected))
    off = known & finite & ~(np.abs(np.where(finite, got - expected, 0)) <= error)
    assert not np.any(off), f'{got[off][:3]}, expected {expected[off][:3]}'


def roundings(x, axis):
    return UNIT * (160 + (x.size if axis is None else x.shape[axis]) / 2 ** 18)


def kind_of(a):
    return a.dtype.str[1:]


def exponentials(x, axis):
    below = (x - np.max(x, axis, keepdims=True)).astype('f4').astype('f8')
    return below, np.exp(below).sum(axis, keepdims=True)


def case_softmax(r):
    a, axis, x = array(r)
    if is_empty(a, axis):
        return same(vk.softmax(r.given(a), axis), np.zeros(a.shape))
    with np.errstate(all='ignore'):
        below, total = exponentials(x, axis)
        expected, logs = np.exp(below) / total, np.log(total)
        within(vk.softmax(r.given(a), axis), expected,
               expected * (roundings(x, axis) + 16 * UNIT), kind_of(a))
        within(vk.log_softmax(a, axis), below - logs,
               roundings(x, axis) + UNIT * (8 + 12 * np.abs(logs) + np.abs(below - logs)),
               kind_of(a))


def case_share(r):
    a, axis, x = array(r)
    if is_empty(a, axis):
        return same(vk.share(r.given(a), axis), np.zeros(a.shape))
    with np.errstate(all='ignore'):
        total = x.sum(axis, keepdims=True)
        error = roundings(x, axis) * np.abs(x).sum(axis, keepdims=True) / np.abs(total)
        error = np.where(np.isfinite(total) & ~(error <= 0.25), np.inf, np.nan_to_num(error))
        expected = x / total
        loose = np.isinf(error) & np.any(x != np.floor(x), axis, keepdims=True)
        error = np.where(loose, np.inf, np.abs(np.nan_to_num(expected)) * (2 * error + 2 * UNIT))
        if np.any(loose):  # a total near 0, of which the bounds know nothing
            assert np.asarray(vk.share(a, axis)).shape == a.shape
        else:
            within(vk.share(r.given(a), axis), expected, error, kind_of(a))


def case_standardise(r):
    a, axis, x = array(r)
    if is_empty(a, axis):
        return same(vk.standardise(r.given(a), axis), np.zeros(a.shape))
    with np.errstate(all='ignore'):
        mean, deviation = x.mean(axis, keepdims=True), x.std(axis, keepdims=True)
        equal = np.max(x, axis, keepdims=True) == np.min(x, axis, keepdims=True)
        spread = np.abs(x - mean).mean(axis, keepdims=True)
        off = (UNIT * 2 * np.abs(mean) + (roundings(x, axis) + 4 * UNIT) * spread) / deviation
        expected = np.where(equal, np.nan, (x - mean) / deviation)
        relative = (roundings(x, axis) + 12 * UNIT) / 2 + off * off
        error = np.abs(expected) * (2 * relative + 4 * UNIT) + 2 * off
        within(vk.standardise(r.given(a), axis), expected, np.where(off > 0.25, np.inf, error),
               kind_of(a))


def case_rescale(r):
    a, axis, x = array(r)
    if is_empty(a, axis):
        return same(vk.rescale(r.given(a), axis), np.zeros(a.shape))
    with np.errstate(all='ignore'):
        least = np.min(x, axis, keepdims=True)
        expected = (x - least) / (np.max(x, axis, keepdims=True) - least)
        within(vk.rescale(r.given(a), axis), expected, np.abs(expected) * 4 * UNIT, kind_of(a))
