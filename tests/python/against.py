# SPDX-License-Identifier: MIT
"""against.py [CASES [SEED]]: compares the package with numpy on random arrays: every function,
every type, one to six dimensions, every axis, empty, single and odd sizes, strides, also negative
ones, foreign bytes, memory that must not be written, NaN, infinities and -0. Prints TAP, a test for
each function. VKR_TEST_RUN chooses the seed, and a type for each; with VKR_TEST_FULL=1 each has
all."""
import os
import sys
import traceback

import numpy as np
from applied import case_rescale, case_share, case_softmax, case_standardise
from picks import (case_by_value, case_by_value_merged, case_expand, case_lexsort,
                   case_lexsort_rows, case_merge, case_quantile, case_segment_select,
                   case_segment_top_k, case_select, case_take, case_top_k)
from rows import close, is_empty, magnitude, ordered, refused, Rows, same, unit_of

import vkreduce as vk

try:
    HAS_COMPILER = bool(vk._library.compiler())
except vk.DeviceError:
    HAS_COMPILER = False

RUNS = 8  # that have the same types, so that most of them find their pipelines compiled

# ---- A function for each function: draws a case, and compares ----

def case_sum(r):
    a = r.array()
    axis, keep = r.axis(a), r.random.random() < 0.5
    got = vk.sum(r.given(a), axis, keepdims=keep)
    if a.dtype.kind != 'f':
        return same(got, np.sum(a, axis=axis, keepdims=keep))
    with np.errstate(all='ignore'):
        close(got, np.sum(a.astype('f8'), axis=axis, keepdims=keep), magnitude(a, axis, keep),
              unit_of(a))


def case_prod(r):
    a = r.array(kinds=['i1', 'u2', 'i4', 'u8', 'i8'])
    axis = r.axis(a)
    same(vk.prod(r.given(a), axis), np.prod(a, axis=axis))


def case_extremes(r):
    a = r.array()
    axis, keep = r.axis(a), r.random.random() < 0.5
    ours, theirs = r.random.choice([(vk.min, np.min), (vk.max, np.max)])
    if is_empty(a, axis):
        return refused(ours, a, axis)
    same(ours(r.given(a), axis, keepdims=keep), theirs(a, axis=axis, keepdims=keep))


def case_minmax(r):
    a = r.array()
    axis = r.axis(a)
    if not is_empty(a, axis):
        low, high = vk.minmax(r.given(a), axis)
        same(low, np.min(a, axis=axis))
        same(high, np.max(a, axis=axis))


def case_arg(r):
    a = r.array()
    axis = r.axis(a, several=False)
    ours, theirs = r.random.choice([(vk.argmin, np.argmin), (vk.argmax, np.argmax)])
    if is_empty(a, axis):
        return refused(ours, a, axis)
    keys = ordered(a)
    if a.dtype.kind == 'f':  # the first NaN wins
        limits = np.iinfo('i8')
        keys = np.where(np.isnan(a), limits.min if theirs is np.argmin else limits.max, keys)
    same(ours(r.given(a), axis), theirs(keys, axis=axis))


def case_nanarg(r):
    a = r.array(kinds=['f2', 'f4', 'f8'])
    axis = r.axis(a, several=False)
    ours, theirs = r.random.choice([(vk.nanargmin, np.argmin), (vk.nanargmax, np.argmax)])
    if is_empty(a, axis):
        return refused(ours, a, axis)
    worst = np.iinfo('i8').max if theirs is np.argmin else np.iinfo('i8').min
    expected = theirs(np.where(np.isnan(a), worst, ordered(a)), axis=axis)
    same(ours(r.given(a), axis), np.where(np.all(np.isnan(a), axis=axis), 2 ** 32 - 1, expected))


def case_mean(r):
    a = r.array(special=False)
    axis = r.axis(a)
    with np.errstate(all='ignore'):
        import warnings
        warnings.simplefilter('ignore')
        expected = np.mean(a.astype('f8'), axis=axis)
    n = max(a.size / max(np.size(expected), 1), 1)
    close(vk.mean(r.given(a), axis), expected, magnitude(a, axis) / n, unit_of(a))


def case_var(r):
    a = r.array(special=False)
    axis, correction = r.axis(a), r.random.choice([0, 1])
    ours, theirs = r.random.choice([(vk.var, np.var), (vk.std, np.std)])
    with np.errstate(all='ignore'):
        wide = a.astype('f16' if a.dtype.itemsize == 8 else 'f8')
        expected = theirs(wide, axis=axis, ddof=correction)
    # Of one element, without the division.
    expected = np.where(np.isinf(expected), np.nan, expected)
    close(ours(r.given(a), axis, correction=correction), expected, np.abs(np.where(
        np.isnan(expected), 0, expected)), unit_of(a))


def case_logsumexp(r):
    a = r.array(kinds=['f2', 'f4'])
    axis = r.axis(a)
    with np.errstate(all='ignore'):
        expected = np.logaddexp.reduce(a.astype('f8'), axis=axis)
    close(vk.logsumexp(r.given(a), axis), expected, np.abs(np.where(np.isfinite(expected), expected,
                                                                    0)) + 4, 2.0 ** -24)


def case_any_all(r):
    a = r.array()
    if r.random.random() < 0.5:
        a = a * np.asarray(r.numbers.random(a.shape) < 0.1, a.dtype)
    axis = r.axis(a)
    ours, theirs = r.random.choice([(vk.any, np.any), (vk.all, np.all)])
    with np.errstate(all='ignore'):
        same(ours(r.given(a), axis), theirs(a, axis=axis))


def case_nan(r):
    a = r.array(kinds=['f2', 'f4', 'f8'])
    axis = r.axis(a)
    if is_empty(a, axis):
        return
    with np.errstate(all='ignore'):
        close(vk.nansum(r.given(a), axis), np.nansum(a.astype('f8'), axis=axis),
              magnitude(a, axis), unit_of(a))
        for ours, theirs, none in ((vk.nanmin, np.nanmin, np.inf), (vk.nanmax, np.nanmax, -np.inf)):
            expected = theirs(np.where(np.isnan(a), none, a), axis=axis)
            all_nan = np.all(np.isnan(a), axis=axis)
            same(np.where(all_nan, 0, ours(a, axis)), np.where(all_nan, 0, expected))


def case_where(r):
    a = r.array(special=False)
    axis, where = r.axis(a), r.numbers.random(a.shape) < 0.4
    got = vk.sum(a, axis, where=where)
    if a.dtype.kind != 'f':
        return same(got, np.sum(a, axis=axis, where=where))
    close(got, np.sum(a.astype('f8'), axis=axis, where=where), magnitude(a, axis), unit_of(a))


def case_count_nonzero(r):
    a = r.array()
    axis, keep = r.axis(a), r.random.random() < 0.5
    same(vk.count_nonzero(r.given(a), axis, keepdims=keep),
         np.count_nonzero(a, axis=axis, keepdims=keep))


def case_cumulative(r):
    a = r.array(special=False)
    axis = r.axis(a, none=a.ndim == 1, several=False)
    got = vk.cumulative_sum(r.given(a), axis=axis)
    if a.dtype.kind != 'f':
        return same(got, np.cumsum(a, axis=axis))
    wide = a.astype('f8')
    close(got, np.cumsum(wide, axis=axis), np.cumsum(np.abs(wide), axis=axis), unit_of(a))


def case_cumulative_where(r):
    a = r.array(special=False, kinds=['i1', 'u2', 'i4', 'u8', 'i8'])
    axis = r.axis(a, none=a.ndim == 1, several=False)
    kept = r.values(r.random.choice(['?', 'u1', 'u4']), a.shape, False)
    counted = np.where(kept != 0, a, np.zeros(1, a.dtype)).astype(a.dtype)
    same(vk.cumulative_sum(r.given(a), axis=axis, where=r.given(kept)),
         np.cumsum(counted, axis=axis))
    ones = np.where(kept != 0, a, np.ones(1, a.dtype)).astype(a.dtype)
    same(vk.cumulative_prod(r.given(a), axis=axis, where=kept), np.cumprod(ones, axis=axis))


def case_initial(r):
    a = r.array(kinds=['i4', 'u8', 'f4'], special=False, dimensions=1)
    got = np.asarray(vk.cumulative_sum(r.given(a), include_initial=True))
    if a.dtype.kind != 'f':
        return same(got, np.concatenate([np.zeros(1, got.dtype), np.cumsum(a)]))
    expected = np.concatenate([[0], np.cumsum(a.astype('f8'))])
    close(got, expected, np.concatenate([[0], np.cumsum(np.abs(a.astype('f8')))]), unit_of(a))


def case_sort(r):
    a = r.array()
    axis, descending = r.axis(a, several=False), r.random.random() < 0.5
    flat, along = (a.ravel(), 0) if axis is None else (a, axis)
    keys = ordered(flat)
    if a.dtype.kind == 'f':
        limits = np.iinfo('i8')
        keys = np.where(np.isnan(flat), limits.min if descending else limits.max, keys)
    if descending:
        keys = ~keys
    order = np.argsort(keys, axis=along, kind='stable')
    same(vk.argsort(r.given(a), axis=axis, descending=descending), order)
    same(vk.sort(a, axis=axis, descending=descending), np.take_along_axis(flat, order, along))


def case_searchsorted(r):
    a = r.array(special=False, dimensions=1)
    a = np.sort(np.ascontiguousarray(a, a.dtype.newbyteorder('=')))
    kind = a.dtype.str[1:] if a.dtype.kind != 'b' else '?'
    v = r.values(kind, r.shape(r.random.choice([1, 2])), False)
    side = r.random.choice(['left', 'right'])
    same(vk.searchsorted(a, r.given(v), side=side), np.searchsorted(a, v, side=side))


def case_unique(r):
    a = r.array(special=False)
    a = np.where(a == 0, np.zeros(1, a.dtype), a).astype(a.dtype)
    values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True)
    got, how_many = vk.unique_counts(r.given(a))
    same(got, values)
    same(how_many, counts)
    same(vk.unique_inverse(a)[1], inverse.reshape(a.shape))


def case_unique_by_value(r):
    a = r.array()
    values, first, inverse, counts = np.unique(a, True, True, True)
    got, how_many = vk.unique_counts(r.given(a), by_value=True)
    same(got, values)
    same(np.signbit(got), np.signbit(a.ravel()[first]))
    same(how_many, counts)
    same(vk.unique_values(a, by_value=True), values)
    keys = r.given(a.ravel())
    groups, most, of_each = vk.group_by(keys, by_value=True).agg(max=inverse.ravel(), count=True)
    same(groups, got)
    same(most, np.arange(len(values)))
    same(of_each, counts)
    same(vk.unique_inverse(r.given(a), by_value=True)[1], inverse.reshape(a.shape))


def case_nonzero(r):
    a = r.array()
    for got, expected in zip(vk.nonzero(r.given(a)), np.nonzero(a)):
        same(got, expected)


def case_histogram(r):
    a = r.array(special=False, kinds=['u1', 'i2', 'i4', 'f4', 'f8'])
    edges = np.unique(r.numbers.integers(-60, 200, r.random.randint(2, 20)))
    edges = edges[(edges >= 0) | (a.dtype.kind != 'u')]
    edges = edges[edges <= 255] if a.dtype.itemsize == 1 else edges
    if len(edges) > 1:
        same(vk.histogram(r.given(a), edges)[0], np.histogram(a, edges)[0])
    n = r.random.choice([1, 2, 8, 64, 100])
    counts, got = vk.histogram(a, n, range=(0, n))
    same(counts, np.histogram(a, np.arange(n + 1.0))[0])
    same(got, np.arange(n + 1.0))
    assert np.sum(np.asarray(vk.histogram(a, n)[0], 'u8')) == a.size


def case_group(r):
    n = r.random.choice([1, 2, 7, 300, 5000])
    keys = r.values(r.kind(['u1', 'i2', 'i4', 'u8', 'f4']), (n,), False).astype('f8').round() + 0.0
    keys = keys.astype(r.kind(['i2', 'i4', 'f4', 'f8']))
    a = r.values(r.kind(['i4', 'f4', 'u8']), (n,), False)
    groups, inverse = np.unique(keys, return_inverse=True)
    found, sums, least, counts = vk.group_by(r.given(keys)).agg(sum=a, min=a, count=True)
    same(found, groups)
    same(counts, np.bincount(inverse))
    parts = [a[inverse == i] for i in range(len(groups))]
    same(least, [p.min() for p in parts])
    if a.dtype.kind == 'f':
        wide = [p.astype('f8') for p in parts]
        close(sums, [p.sum() for p in wide], [np.abs(p).sum() for p in wide], unit_of(a))
    else:
        same(sums, np.asarray([p.sum() for p in parts]))


def case_by(r):
    n = r.random.choice([0, 1, 3, 129, 4099])
    keys, a = r.values('i2', (n,), False), r.values(r.kind(), (n,), False)
    name = r.random.choice(['sum', 'min', 'max', 'mean', 'any', 'all', 'minmax', 'nanmax', 'var'])
    groups = np.unique(keys)
    parts = [a[keys == key] for key in groups]
    found, *got = getattr(vk, name)(r.given(a), by=r.given(keys))
    same(found, groups)
    several = ('min', 'max') if name == 'minmax' else (name.replace('nan', ''),)
    for values, theirs in zip(got, several):
        wide = 'f8' if theirs in ('sum', 'mean', 'var') and a.dtype.kind == 'f' else a.dtype
        expected = np.array([getattr(np, theirs)(p.astype(wide)) for p in parts])
        if theirs in ('mean', 'var') or (theirs == 'sum' and wide == 'f8'):
            scale = expected if theirs == 'var' else [
                getattr(np, theirs)(np.abs(p.astype('f8'))) for p in parts]
            close(values, expected, scale, unit_of(a))
        else:
            same(values, expected)


# Affine maps, which do not commute: each is applied after those before it.
AFFINE = '''
#define State uvec2
State lift(E x, uint i) { return uvec2(uint(x) | 1u, uint(x)); }
State identity() { return uvec2(1u, 0u); }
State combine(State a, State b) { return uvec2(a.x * b.x, a.y * b.x + b.y); }
'''


def affine(a, axis):
    """All prefixes along an axis, which comes first, as pairs."""
    a = np.moveaxis(a.astype('i8' if a.dtype.kind == 'i' else 'u8').astype('u4'), axis, 0)
    found = np.empty(a.shape + (2,), 'u4')
    state = np.broadcast_to(np.array([1, 0], 'u4'), a.shape[1:] + (2,))
    with np.errstate(over='ignore'):
        for i, x in enumerate(a):
            factor = x | np.uint32(1)
            state = np.stack([state[..., 0] * factor, state[..., 1] * factor + x], -1)
            found[i] = state
    return found


def case_operator(r):
    a = r.array(kinds=['i1', 'u2', 'i4', 'u8', 'i8'])
    if a.size == 0 or not HAS_COMPILER:
        return
    axis = r.axis(a, several=False)
    got = vk.reduce(r.given(a), AFFINE, axis)
    same(got, affine(a.ravel() if axis is None else a, axis or 0)[-1])
    if axis is not None:
        same(vk.scan(r.given(a), AFFINE, axis=axis), np.moveaxis(affine(a, axis), 0, axis % a.ndim))


def case_batch(r):
    a = r.array(special=False, kinds=['i4', 'u1', 'i8'])
    if a.size == 0:
        return
    with vk.batch():
        total, order, least = vk.sum(a), vk.sort(a), vk.min(vk.asarray(a), 0)
    same(total, np.sum(a))
    same(order, np.sort(a))
    same(least, np.min(a, axis=0))


def main():
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    run = int(os.environ.get('VKR_TEST_RUN', '0'))
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else run * 1000003
    functions = [(name, f) for name, f in globals().items() if name.startswith('case_')]
    failed, each = 0, -(-cases // len(functions))
    for number, (name, function) in enumerate(functions):
        trouble = None
        if os.environ.get('VKR_TEST_FULL') != '1':
            Rows.turn = run // RUNS + number
        for case in range(each):
            one = seed + case * len(functions) + number
            try:
                function(Rows(one))
            except Exception:  # any error is a difference
                trouble = f'run {run}, seed {one}\n' + traceback.format_exc()
                break
        print(f'{"not " if trouble else ""}ok {number + 1} - {name[5:]}, {each} cases', flush=True)
        failed += trouble is not None
        if trouble:
            print('\n'.join('# ' + line for line in trouble.splitlines()))
    print(f'1..{len(functions)}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
