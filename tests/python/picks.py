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


def by_number(a):
    """Keys of elements: -0 equals +0, and NaN come last and are equal."""
    return np.where(np.isnan(a), np.inf, a) if a.dtype.kind == 'f' else a


def case_by_value(r):
    a = r.array(kinds=['i2', 'f2', 'f4', 'f8'])
    a = np.where(np.isinf(a), 3, a).astype(a.dtype) if a.dtype.kind == 'f' else a
    axis = r.axis(a, none=False, several=False)
    order = np.argsort(by_number(a), axis=axis, kind='stable')
    same(vk.argsort(r.given(a), axis=axis, by_value=True), order)
    ordered_by = vk.sort(a, axis=axis, by_value=True)
    same(ordered_by, np.sort(a, axis=axis))
    taken = np.take_along_axis(a, order, axis)
    same(np.signbit(ordered_by), np.signbit(taken))
    k = min(a.shape[axis], 7)
    values, indices = vk.top_k(r.given(a), k, axis=axis, mode='smallest', by_value=True)
    same(indices, np.take(order, range(k), axis))
    same(np.signbit(values), np.signbit(np.take(taken, range(k), axis)))


def case_by_value_merged(r):
    kind = r.kind(['f2', 'f4', 'f8'])
    a, b = (np.sort(r.values(kind, r.shape(1), True), kind='stable') for _ in range(2))
    both = np.concatenate([a, b])
    order = np.argsort(both, kind='stable')
    merged, indices = vk.merge(r.given(a), r.given(b), indices=True, by_value=True)
    same(indices, order)
    same(merged, both[order])
    same(np.signbit(merged), np.signbit(both[order]))


def case_lexsort(r):
    first = r.array(dimensions=r.random.choice([1, 1, 2, 3]))
    keys = [first] + [r.values(r.kind(), first.shape, True) for _ in range(r.random.randrange(4))]
    for i, key in enumerate(keys):  # few numbers, so that later keys decide
        with np.errstate(all='ignore'):
            few = np.where(np.isfinite(key), np.mod(key, 3), key).astype(key.dtype)
        keys[i] = np.where(r.numbers.random(key.shape) < 0.2, -few, few) \
            if key.dtype.kind == 'f' else few
        if r.random.random() < 0.2:
            keys[i] = np.asfortranarray(keys[i])
    axis = r.axis(first, none=False, several=False)
    same(vk.lexsort([r.given(key) for key in keys], axis=axis), np.lexsort(keys, axis=axis))


def case_lexsort_rows(r):
    a = r.values(r.kind(), (r.random.randint(1, 4), *r.shape(1)), True)
    same(vk.lexsort(r.given(a)), np.lexsort(a))


def case_segment_top_k(r):
    a = r.array(dimensions=1)
    if a.dtype.kind == 'f':
        a = np.where(np.isnan(a), 1, a).astype(a.dtype)
    segments, k = r.random.choice([0, 1, 5, 90]), r.random.choice([0, 1, 3, 40])
    ends = np.sort(r.numbers.integers(0, a.size + 3, segments + 1))
    wanted = r.numbers.integers(0, k + 3, segments) if r.random.random() < 0.5 else None
    smallest, by_value = r.random.random() < 0.5, r.random.random() < 0.5
    keys = a if by_value else ordered(a)
    if not smallest:
        keys = -keys.astype('f8') if by_value and a.dtype.kind == 'f' else ~keys
    values, indices, found = vk.segment_top_k(
        r.given(a), r.given(ends.astype(r.random.choice(['i4', 'u4', 'i8', 'u8']))), k,
        wanted=None if wanted is None else r.given(wanted.astype('u1')), by_value=by_value,
        mode='smallest' if smallest else 'largest')
    expected = np.zeros((segments, k), a.dtype)
    places = np.full((segments, k), 2 ** 32 - 1, 'u4')
    counts = np.zeros(segments, 'u4')
    for i in range(segments):
        own = keys[ends[i]:ends[i + 1]]
        order = np.argsort(own, kind='stable')[:k if wanted is None else min(k, wanted[i])]
        counts[i] = len(order)
        places[i, :len(order)] = order
        expected[i, :len(order)] = a[ends[i]:ends[i + 1]][order]
    same(found, counts)
    same(indices, places)
    same(values, expected)


def case_segment_select(r):
    a = r.array(dimensions=1)
    if a.dtype.kind == 'f':
        a = np.where(np.isnan(a), 1, a).astype(a.dtype)
    segments, count = r.random.choice([0, 1, 5, 90]), r.random.choice([None, 0, 1, 3, 40])
    ends = np.sort(r.numbers.integers(0, a.size + 3, segments + 1))
    by_shares = r.random.random() < 0.5
    given = [r.random.choice([0.0, 0.25, 0.5, 0.75, 1.0]) if by_shares else r.random.randrange(9)
             for _ in range(1 if count is None else count)]
    values, indices = vk.segment_select(
        r.given(a), r.given(ends.astype(r.random.choice(['i4', 'u4', 'i8', 'u8']))),
        **{'quantiles' if by_shares else 'ranks': given[0] if count is None else given})
    expected = np.zeros((segments, len(given)), a.dtype)
    places = np.full((segments, len(given)), 2 ** 32 - 1, 'u4')
    for i in range(segments):
        own = a[ends[i]:ends[i + 1]]
        order = np.argsort(ordered(own), kind='stable')
        for k, number in enumerate(given):
            rank = int(number * (own.size - 1)) if by_shares else number
            if 0 <= rank < own.size:
                places[i, k], expected[i, k] = order[rank], own[order[rank]]
    shape = (segments,) if count is None else places.shape
    same(indices, places.reshape(shape))
    same(values, expected.reshape(shape))


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
