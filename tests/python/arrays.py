# SPDX-License-Identifier: MIT
"""arrays.py: arrays of the device and of others (DLPack), of every type and shape, and those
that are empty. Prints TAP."""
import ctypes
import itertools
import sys

import numpy as np
from checks import BEST, HAS_COMPILER, MAGNITUDE, main, python, raises, test

import vkreduce as vk


@test
def device_arrays():
    a = np.arange(12, dtype='i2').reshape(3, 4)
    d = vk.asarray(a)
    assert d.shape == (3, 4) and d.ndim == 2 and d.size == 12 and len(d) == 3
    assert str(d.dtype) == 'int16'
    assert np.array_equal(np.asarray(d), a) and d.tolist() == a.tolist()
    assert isinstance(vk.sum(d), vk.Array) and int(vk.sum(d)) == 66
    assert np.array_equal(vk.sort(d, descending=True).host(), np.sort(a)[:, ::-1])
    assert vk.asarray(d) is d and vk.asarray([1.5], dtype='float32').dtype.name == 'float32'
    assert float(vk.asarray(2.5)) == 2.5 and bool(vk.any(d)) and not bool(vk.all(d))
    assert d.reshape(4, 3).shape == (4, 3)
    assert d.reshape((2, -1)).tolist() == a.reshape(2, -1).tolist()
    raises(ValueError, 'cannot have the shape (5, -1)', d.reshape, 5, -1)
    b = vk.asarray([1, 2, 3, 4], dtype='bfloat16').reshape(2, 2)
    assert b.dtype.name == 'bfloat16' and b.tolist() == [[1, 2], [3, 4]]
    assert vk.asarray(np.zeros((0, 3))).tolist() == []
    raises(ValueError, 'must have one', d.item)
    for _ in range(200):  # memory comes back
        vk.sort(vk.asarray(np.zeros(1 << 20, 'f4')))


class Only:
    """An array that has nothing but DLPack."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device

    def __dlpack__(self):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


DLPACK = '''
import gc, sys, numpy as np, vkreduce as vk
from vkreduce import _dlpack
a = np.arange(6, dtype='f4').reshape(2, 3)
d = vk.asarray(a)
mapped = bool(d._memory.data)
assert d.__dlpack_device__() == (1, 0)
before = sys.getrefcount(d)
unused = d.__dlpack__()
assert len(_dlpack._given) == 1 and sys.getrefcount(d) == before + mapped
del unused
assert len(_dlpack._given) == 0 and sys.getrefcount(d) == before
seen, copy = np.from_dlpack(d), d.__dlpack__(copy=True)
assert np.array_equal(seen, a) and sys.getrefcount(d) == before + mapped
memory = d._memory.data
if mapped:
    assert seen.__array_interface__['data'][0] == memory
del d, copy
gc.collect()
assert np.array_equal(seen, a) and len(_dlpack._given) == 1  # it keeps the memory
del seen
gc.collect()
assert len(_dlpack._given) == 0
for shape in ((), (0,), (3, 0, 2), (2, 3, 4, 5, 6)):
    for name in ('int8', 'uint16', 'int64', 'float16', 'float64'):
        d = vk.asarray(np.ones(shape), dtype=name)
        seen = np.from_dlpack(d)
        assert seen.shape == shape and seen.dtype.name == name and np.array_equal(seen, d)
try:
    d.__dlpack__(copy=False)
except BufferError as error:
    assert not mapped and 'does not see' in str(error)
else:
    assert mapped
print('done')'''
UNMAPPED = '''
from vkreduce import _host, abi
real = _host.create
unmapped = abi.VKR_HOST_UNMAPPED_BIT
_host.create = lambda **m: real(**m) if 'shared' in m else real(**m, flags=unmapped)
'''


@test
def dlpack_for_others():
    assert python(DLPACK) == 'done' and python(UNMAPPED + DLPACK) == 'done'
    d = vk.asarray([1, 2])
    raises(BufferError, 'stream is 1', d.__dlpack__, stream=1)
    raises(BufferError, 'dl_device is (2, 0)', d.__dlpack__, dl_device=(2, 0))
    assert np.from_dlpack(d).tolist() == [1, 2]
    with vk.batch():
        total = vk.sum(d)
        raises(ValueError, 'when the batch has ended', total.__dlpack__)


@test
def dlpack_of_others():
    a = np.arange(24, dtype='i2').reshape(2, 3, 4)
    for b in (a, a.T, a[::-1], a[:, ::2], a[:, :0], np.array(3, 'f4'), np.ones(3, 'f8')[::-1]):
        assert np.array_equal(vk.sort(Only(b), axis=None), np.sort(b, axis=None)), b
        assert np.array_equal(np.asarray(vk.asarray(Only(b))), b)
    for name in vk._arrays.DTYPES:  # also those that numpy does not have
        d = vk.asarray([1, 0, 2], dtype=name)
        assert vk.asarray(Only(d)).tolist() == d.tolist(), name
    before = sys.getrefcount(a)
    for _ in range(50):
        vk.sum(Only(a))
    assert sys.getrefcount(a) == before and not vk._dlpack._given
    raises(TypeError, 'in memory of device (2, 0)', vk.sum, Only(a, (2, 0)))
    raises(TypeError, 'type code 5 of DLPack with 1 times 64 bits', vk.sum, Only(np.ones(3, 'c8')))
    assert python('''
import sys, array
sys.modules['numpy'] = None
import vkreduce as vk
class Only:
    def __init__(self, array): self.__dlpack__ = array.__dlpack__
d = vk.asarray([3, 1, 2])
print(vk.sum(Only(d)), vk.sort(Only(d)).tolist(), len(vk._dlpack._given))''') == '6 [1, 2, 3] 0'


@test
def dlpack_with_a_version():
    from vkreduce import _dlpack
    freed = []

    @_dlpack._Deleter
    def free(address):
        freed.append(address)

    class New:
        def __init__(self, major):
            self.data, self.shape = (ctypes.c_int32 * 3)(3, 1, 2), (ctypes.c_int64 * 1)(3)
            self.managed = m = _dlpack._Versioned(major=major, flags=1)
            m.deleter = ctypes.cast(free, ctypes.c_void_p)
            m.tensor.data, m.tensor.device, m.tensor.ndim = ctypes.addressof(self.data), 1, 1
            m.tensor.bits, m.tensor.lanes, m.tensor.offset = 32, 1, 4
            m.tensor.shape = ctypes.cast(self.shape, ctypes.POINTER(ctypes.c_int64))
            self.shape[0] = 2

        def __dlpack__(self, *, max_version):
            assert max_version == (1, 0)
            return _dlpack._make(ctypes.addressof(self.managed), _dlpack._NEW, None)

        def __dlpack_device__(self):
            return (1, 0)
    new = New(1)
    assert vk.sort(new).tolist() == [1, 2] and freed == [ctypes.addressof(new.managed)]
    raises(BufferError, 'version 2', vk.sort, New(2))


@test
def conversions():
    ties = [1 + 2.0 ** -8, 1 + 3 * 2.0 ** -8]
    some = [1.0, -0.5, 3.1415926, 1e30, float('inf'), float('nan')] + ties
    found = vk.asarray(some, dtype='bfloat16')
    assert found.tolist()[:3] == [1, -0.5, 3.140625] and found.tolist()[6:] == [1, 1 + 2.0 ** -6]
    assert vk.asarray(found, dtype='float32').tolist()[2] == 3.140625
    assert float(vk.max(vk.asarray([1, 2], dtype='bfloat16'))) == 2
    text = '''
import sys
sys.modules['numpy'] = None
import vkreduce as vk
for name in vk._arrays.DTYPES:
    d = vk.asarray([1, 0, 1], dtype=name)
    assert list(d.host()) == [1, 0, 1] and d.dtype.name == name
    assert vk.asarray(d, dtype='int8').size == 3
    assert int(vk.asarray(1, dtype=name)) == 1 == vk.asarray(1, dtype=name).tolist()
    assert d.reshape(3, 1).tolist() == [[1], [0], [1]], name
print('done')'''
    assert python(text) == 'done'


ALL = {name: getattr(vk, name) for name in (
    'sum prod min max minmax mean var std any all count_nonzero nansum nanmean nanvar nanmin '
    'nanmax argmin argmax nanargmin nanargmax sort argsort cumulative_sum cumulative_prod cumsum '
    'median softmax log_softmax share standardise rescale').split()}
for name in 'sort argsort cumulative_sum cumulative_prod'.split():
    ALL[name] = lambda a, axis, f=ALL[name]: f(a, axis=axis)
ALL.update({
    'top_k': lambda a, axis: vk.top_k(a, 1, axis=-1 if axis is None else axis),
    'segment_top_k': lambda a, axis: vk.segment_top_k(vk.sort(a, axis=None), [0, 2, 2, 7, 9], 3),
    'segment_select': lambda a, axis: vk.segment_select(vk.sort(a, axis=None), [0, 2, 2, 7, 9],
                                                        [0, 3]),
    'lexsort': lambda a, axis: vk.lexsort((a, a), axis=-1 if axis is None else axis),
    'quantiles': lambda a, axis: vk.quantile(a, [0.5, 1], axis),
    'take': lambda a, axis: vk.take(a, [0, -1], axis),
    'select': lambda a, axis: vk.select(a, [0, -1], axis=axis, return_index=True),
    'select one': lambda a, axis: vk.select(a, quantiles=0.5, axis=axis),
    'merge': lambda a, axis: vk.merge(vk.sort(a, axis=None), vk.sort(a, axis=None),
                                      (vk.argsort(a, axis=None), vk.argsort(a, axis=None)),
                                      indices=True),
    'expand': lambda a, axis: vk.expand(vk.argsort(a, axis=None), vk.sort(a, axis=None),
                                        ranks=True),
    **{name: lambda a, axis, f=getattr(vk, name): f(a) for name in
       'unique_values unique_counts unique_inverse nonzero'.split()},
    'histogram': lambda a, axis: vk.histogram(a, 3),
    'histogram of a range': lambda a, axis: vk.histogram(a, 3, range=(0, 1)),
    'histogram of edges': lambda a, axis: vk.histogram(a, [0, 1, 2]),
    'searchsorted': lambda a, axis: vk.searchsorted(vk.sort(vk.unique_values(a)), a),
    'group_by': lambda a, axis: vk.group_by(a).agg(sum=a, mean=a, max=a, count=True)})
if HAS_COMPILER:
    ALL['reduce'] = lambda a, axis: vk.reduce(a, MAGNITUDE, axis)
    ALL['scan'] = lambda a, axis: vk.scan(a, BEST, axis=axis)


def parts_of(value):
    return [p for v in value for p in parts_of(v)] if isinstance(value, tuple) else [value]


def outcome(function, a, axis):
    """What a function returns, as arrays; or what it says."""
    try:
        return parts_of(function(a, axis))
    except (ValueError, TypeError, IndexError) as error:
        return f'{type(error).__name__}: {error}'


@test
def every_function_keeps_arrays_on_the_device():
    """For every shape and axis the device's array gives arrays of the device with the values that
    an array of the host gives, also where there are no elements, or no axes."""
    refusals = 0
    for shape in ((2, 3, 4), (7,), (0,), (0, 3), (3, 0), (2, 0, 3), (), (2, 1, 3, 2, 2, 2),
                  (70, 2, 2)):
        a = np.arange(np.prod(shape, dtype=int)).astype('f4').reshape(shape)
        axes = (None, *range(len(shape)), -1)
        for (name, function), axis in itertools.product(ALL.items(), axes):
            host, device = outcome(function, a, axis), outcome(function, vk.asarray(a), axis)
            what = (name, shape, axis, host, device)
            if isinstance(host, str):
                refusals += 1
                assert host == device, what
                assert not (shape in ((2, 3, 4), (7,)) and axis is not None) or \
                    name in ('searchsorted', 'group_by'), what
                continue
            assert not isinstance(device, str) and len(host) == len(device), what
            for x, y in zip(host, device):
                assert isinstance(y, vk.Array) and not isinstance(x, vk.Array), what
                x, y = np.asarray(x), np.asarray(y)
                assert x.dtype == y.dtype and np.array_equal(x, y, equal_nan=True), what
    assert refusals < 400, refusals


@test
def batches_of_every_function():
    """In a batch every function gives an array of the device with the same values, or says why it
    does not."""
    a = np.arange(24, dtype='f4').reshape(2, 3, 4)
    refused = set()
    for (name, function), axis in itertools.product(ALL.items(), (None, 0, 1, 2)):
        expected = outcome(function, a, axis)
        with vk.batch():
            found = outcome(function, a, axis)
        if isinstance(found, str):
            refused.add(name)
            assert found == expected or 'batch' in found, (name, axis, found)
            continue
        for x, y in zip(expected, found):
            assert isinstance(y, vk.Array) and np.array_equal(x, y), (name, axis)
    expected = set('any all cumulative_sum cumulative_prod quantiles median take unique_values '
                   'unique_counts unique_inverse nonzero searchsorted group_by scan select expand '
                   'softmax log_softmax share standardise rescale'.split()) | {'select one'}
    assert refused == expected - (set() if HAS_COMPILER else {'scan'}), refused


@test
def edges_that_a_type_does_not_have():
    a = np.arange(20, dtype='u1')
    raises(ValueError, 'no numbers of type uint8', vk.histogram, a, [0.5, 1.5])
    raises(ValueError, 'no numbers of type uint8', vk.histogram, a, np.array([0, 300]))
    raises(ValueError, 'no numbers of type uint8', vk.histogram, a, [-1, 3])
    assert vk.histogram(a, np.array([0.0, 10.0, 255.0]))[0].tolist() == [10, 10]


@test
def indices_of_columns():
    """Results of 4 bytes of columns of 8: a unit has two columns, but four results are stored at
    once where they lie together."""
    for kind in ('u8', 'f8', 'f4'):
        sizes = itertools.product((1, 3), (8, 32, 96))
        for rows, columns in sizes:
            a = (np.arange(rows * columns) * 7919 % 31).astype(kind).reshape(rows, columns)
            for ours, theirs in ((vk.argmin, np.argmin), (vk.argmax, np.argmax)):
                for given in (a, vk.asarray(a)):
                    found = np.asarray(ours(given, 0))
                    assert np.array_equal(found, theirs(a, axis=0)), (kind, rows, columns, found)


@test
def functions_of_elements():
    """What has no more than 32 bits is computed with in float32, and the result has that type, or
    the one of 16 bits that the elements have."""
    for kind in ('?', 'i1', 'u2', 'i4', 'u4', 'f2', 'f4'):
        for function in (vk.softmax, vk.log_softmax, vk.share, vk.standardise, vk.rescale):
            found = function(np.array([[1, 0], [1, 1]], kind), 1)
            assert found.dtype == (kind if kind == 'f2' else 'f4') and found.shape == (2, 2)
    b = vk.softmax(vk.asarray([[2, 2]], dtype='bfloat16'))
    assert b.dtype.name == 'bfloat16' and b.tolist() == [[0.5, 0.5]]
    assert vk.share([[1, 3], [2, 2]], axis=0).tolist() == [[np.float32(1 / 3), 0.6000000238418579],
                                                           [np.float32(2 / 3), 0.4000000059604645]]
    assert vk.rescale(np.array([[0, 5], [4, 10], [1, 5]], 'u1'), 0).tolist() == [
        [0, 0], [1, 1], [0.25, 0]]
    assert isinstance(vk.softmax(np.float32(3)), np.float32) and vk.softmax([]).shape == (0,)
    assert vk.softmax(np.zeros((0, 3), 'f2'), 0).shape == (0, 3)
    assert python('''
import sys, array
sys.modules['numpy'] = None
import vkreduce as vk
print(vk.share([1, 3]).tolist(), vk.lexsort(([2, 1], [3.5, 3.5])).tolist())
try: vk.softmax(array.array('d', [1]))
except TypeError as error: print(error)''') == (
        '[0.25, 0.75] [1, 0]\nthe array has elements of type float64, but must have elements of at '
        'most 32 bits, since it is computed with in float32; convert it')


@test
def keys_of_several_types():
    a, b = np.array([1, 0, 1, 0], 'u1'), np.array([0.0, np.nan, -0.0, 7.0])
    for given in ((b, a), (vk.asarray(b), a), [b.tolist(), a.tolist()]):
        found = vk.lexsort(given)
        assert isinstance(found, vk.Array) == isinstance(given[0], vk.Array)
        assert found.tolist() == np.lexsort((b, a)).tolist() == [3, 1, 0, 2]
    assert vk.lexsort(vk.asarray(np.stack([b, b]))).tolist() == [0, 2, 3, 1]
    assert vk.lexsort((a[::-2], b[::2])).tolist() == np.lexsort((a[::-2], b[::2])).tolist()
    assert vk.lexsort((np.zeros(0), np.zeros(0, 'i1'))).shape == (0,)
    with vk.batch():
        order = vk.lexsort((b, a))
    assert order.tolist() == [3, 1, 0, 2]


@test
def picks():
    a = np.arange(6, dtype='f4').reshape(2, 3)
    raises(IndexError, 'index 6 is out of bounds', vk.take, a, [0, 6])
    raises(IndexError, 'index -3 is out of bounds for an axis of 2', vk.take, a, -3, axis=0)
    raises(TypeError, 'indices are of type float64', vk.take, a, [0.5])
    b = vk.asarray([1.5, 2, 3], dtype='bfloat16')
    assert vk.take(b, [2, 0]).dtype.name == 'bfloat16' and vk.take(b, [2, 0]).tolist() == [3, 1.5]
    raises(TypeError, 'axis is (0, 1)', vk.quantile, a, 0.5, axis=(0, 1))
    assert vk.quantile(a, np.float32(0.5)) == 2.5 and isinstance(vk.median(a), float)
    assert vk.quantile([-np.inf, -np.inf, 3.0, np.inf], [0.25, 1.0]).tolist() == [-np.inf, np.inf]
    assert vk.quantile(a, [0, 1], axis=1, keepdims=True).shape == (2, 2, 1)
    picked = vk.select(b, [0, -1], return_index=True)
    assert picked[0].dtype.name == 'bfloat16' and picked[0].tolist() == [1.5, 3]
    assert vk.select(a, [], axis=1).shape == (2, 0)
    assert vk.select(a, 1, axis=0).tolist() == [3, 4, 5]
    assert isinstance(vk.select(a, quantiles=0.5), np.float32)
    assert vk.expand([1, 2]).dtype == 'u4' and vk.expand(np.zeros(0)).tolist() == []
    none = vk.expand([0, 0], np.zeros((2, 3)), ranks=True)
    assert [r.shape for r in none] == [(0,), (0, 3), (0,)]
    assert vk.merge([], np.zeros(0)).shape == (0,)
    assert vk.merge([2.5], np.zeros(0)).tolist() == [2.5]
    assert isinstance(vk.merge(vk.asarray([1]), [0]), vk.Array)
    assert isinstance(vk.expand([1, 2], vk.asarray([1.0, 2.0]))[1], vk.Array)
    assert vk.expand(vk.asarray([2 ** 31, 2 ** 31]), capacity=2).tolist() == [0, 0]
    values, inverse = vk.unique_inverse([0.0, -0.0, 1.0])  # zeros are two elements
    assert np.signbit(values).tolist() == [True, False, False] and inverse.tolist() == [1, 0, 2]
    holes = np.array([[np.nan, 2], [np.nan, np.nan]])
    assert vk.nanargmin(holes, axis=1).tolist() == [1, 2 ** 32 - 1]
    assert python('''
import sys
sys.modules['numpy'] = None
import vkreduce as vk
print(vk.take([10, 20, 30], [2, -3]).tolist(), vk.median([3, 1, 2]))
print(vk.quantile([3.0, 1.0], [0, 1]))
print(vk.select([3.0, 1.0], -1), [r.tolist() for r in vk.expand([2, 0, 1], [5, 6, 7], ranks=True)])
try: vk.median(memoryview(bytes(4)).cast('B', (2, 2)), axis=1)
except TypeError as error: print(error)''') == (
        '[30, 10] 2.0\n[1.0, 3.0]\n3.0 [[0, 0, 2], [5, 5, 7], [0, 1, 0]]\n'
        'numpy is not installed, and quantiles along an axis need it')


if __name__ == '__main__':
    sys.exit(main())
