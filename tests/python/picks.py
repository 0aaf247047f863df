# SPDX-License-Identifier: MIT
"""Cases of against.py: elements that are picked, by their place, their rank or how often."""
import numpy as np
from rows import close, is_empty, ordered, refused, same

import vkreduce as vk


def case_take(r):
    a = r.array()
    axis = r.axis(a, several=False)
    length = a.size if axis is None else a.shape[axis]
    shape = (0,) if length == 0 else r.shape(r.random.choice([1, 2])) if a.ndim < 3 else (3, 2)
    places = r.numbers.integers(-length, length, shape) if length else np.zeros(shape, 'i4')
    places = places[:200].astype(r.random.choice(['i4', 'i8']))
    same(vk.take(r.given(a), r.given(places), axis), np.take(a, places, axis))


def case_top_k(r):
    a = r.array()
    axis = r.axis(a, none=False, several=False)
    k = r.random.randint(0, min(a.shape[axis], 20))
    if a.dtype.kind == 'f':
        a = np.where(np.isnan(a), 1, a).astype(a.dtype)  # NaN come last in both directions
    smallest = r.random.random() < 0.5
    keys = ordered(a) if smallest else ~ordered(a)
    order = np.take(np.argsort(keys, axis=axis, kind='stable'), range(k), axis=axis)
    values, indices = vk.top_k(r.given(a), k, axis=axis, mode='smallest' if smallest else 'largest')
    same(indices, order)
    same(values, np.take_along_axis(a, order, axis))


def case_quantile(r):
    a = r.array(kinds=['i4', 'f4', 'f8', 'u1', 'f2'])
    axis, keep = r.axis(a, several=False), r.random.random() < 0.5
    if is_empty(a, axis):
        return refused(vk.quantile, a, 0.5, axis)
    shares = [0.0, 0.25, r.random.random(), 1.0]
    finite = np.where(np.isfinite(a) | np.isnan(a), a, 3).astype(a.dtype)
    wide = finite.astype('f8')
    scale = np.max(np.where(np.isnan(wide), 0, np.abs(wide)), initial=0)
    expected = np.quantile(wide, shares, axis=axis, keepdims=keep)
    close(vk.quantile(r.given(finite), shares, axis, keepdims=keep), expected, scale, 2.0 ** -50)
    close(vk.median(r.given(finite), axis), np.median(wide, axis=axis), scale, 2.0 ** -50)


def case_merge(r):
    kind, descending = r.kind(), r.random.random() < 0.5
    sides, keys = [], []
    for _ in range(2):
        a = r.values(kind, r.shape(1), True)
        key = ordered(a)
        if a.dtype.kind == 'f':  # NaN come last, those of both arrays have the same bits
            key = np.where(np.isnan(a), np.iinfo('i8').max, ~key if descending else key)
        elif descending:
            key = ~key
        order = np.argsort(key, kind='stable')
        sides.append(a[order])
        keys.append(key[order])
    entry, of = r.random.choice([(), (1,), (3,), (2, 2)]), r.kind()
    loads = [r.values(of, (len(a), *entry), True) for a in sides]
    order = np.argsort(np.concatenate(keys), kind='stable')
    given = [r.given(a) for a in sides]
    merged, moved, indices = vk.merge(*given, [r.given(load) for load in loads], indices=True,
                                      descending=descending)
    same(merged, np.concatenate(sides)[order])
    same(moved, np.concatenate(loads)[order])
    same(indices, order)
    same(vk.merge(*sides, descending=descending), np.concatenate(sides)[order])


def case_select(r):
    a = r.array()
    axis = r.axis(a, several=False)
    flat, along = (a.ravel(), 0) if axis is None else (a, axis)
    if is_empty(a, axis):
        return refused(vk.select, a, 0, axis=axis)
    keys = ordered(flat)
    if a.dtype.kind == 'f':  # NaN come last, in the order of their bits: all of them are equal here
        keys = np.where(np.isnan(flat), np.iinfo('i8').max, keys)
    order = np.argsort(keys, axis=along, kind='stable')
    n = flat.shape[along]
    if r.random.random() < 0.5:
        places = r.random.choice([0, -1, [0, n // 2, -1, n // 2], [r.random.randrange(-n, n)]])
        named = {'ranks': places}
    else:
        share = r.random.random()
        named = {'quantiles': r.random.choice([0.5, share, [1.0, share, 0.25]])}
        places = np.floor(np.multiply(named['quantiles'], n - 1)).astype('i8')
    expected = np.take(order, places, along)
    values, indices = vk.select(r.given(a), axis=axis, return_index=True, **named)
    same(indices, expected)
    got = vk.select(a, axis=axis, **named)
    wide = expected if expected.ndim == flat.ndim else np.expand_dims(expected, along)
    taken = np.take_along_axis(flat, wide, along).reshape(expected.shape)
    same(values, taken)
    same(got, taken)


def case_expand(r):
    n = r.random.choice([0, 1, 2, 7, 300, 5000])
    counts = r.numbers.integers(0, r.random.choice([1, 3, 100]), n)
    counts[r.numbers.random(n) < 0.3] = 0
    counts = counts.astype(r.kind(['?', 'u1', 'i2', 'u4', 'i8', 'u8']))
    times = counts.astype('i8')
    load = r.values(r.kind(), (n, *r.random.choice([(), (1,), (3,), (2, 2)])), True)
    capacity = r.random.choice([None, 0, 1, 1000, 10 ** 6])
    sources, moved, ranks = vk.expand(r.given(counts), r.given(load), ranks=True, capacity=capacity)
    expected = np.repeat(np.arange(n), times)
    first = np.cumsum(times) - times
    same(sources, expected[:capacity])
    same(moved, np.repeat(load, times, axis=0)[:capacity])
    same(ranks, (np.arange(len(expected)) - first[expected])[:capacity])
    same(vk.expand(r.given(counts)), expected)
