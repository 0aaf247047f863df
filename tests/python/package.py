# SPDX-License-Identifier: MIT
"""package.py PAGE..: the examples of docstrings and pages, errors, threads, forks, a Python without
numpy, and what an import costs. Prints TAP."""
import array
import ast
import ctypes
import doctest
import inspect
import itertools
import mmap
import os
import resource
import subprocess
import sys
import tempfile
import threading
import traceback
import typing

import numpy as np

import vkreduce as vk

TESTS = []
try:
    HAS_COMPILER = bool(vk._library.compiler())
except vk.DeviceError:
    HAS_COMPILER = False


def test(function):
    if HAS_COMPILER or 'operators' not in function.__name__:
        TESTS.append(function)
    return function


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert words in str(error), f'{error!r} lacks "{words}"'
        return
    raise AssertionError(f'{kind.__name__} was not raised: {words}')


def python(text, **environment):
    """What another Python prints."""
    done = subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@test
def docstrings():
    modules = [m for name, m in sys.modules.items() if name.startswith('vkreduce.')]
    results = [doctest.testmod(m, extraglobs={'vk': vk}) for m in modules
               if HAS_COMPILER or m is not vk._operator]
    assert sum(r.attempted for r in results) >= 25 and not sum(r.failed for r in results), results


@test
def pages():
    for page in sys.argv[1:]:
        with open(page, encoding='utf-8') as file:
            text = file.read()
        examples = doctest.DocTestParser().get_doctest(text, {'vk': vk, 'np': np}, page, page, 0)
        examples.examples = [e for e in examples.examples
                             if HAS_COMPILER or not ('operator' in e.source or 'best' in e.source)]
        result = doctest.DocTestRunner().run(examples)
        assert result.attempted > 10 and not result.failed, (page, result)


@test
def every_function_has_a_docstring():
    for name in vk.__all__:
        assert inspect.getdoc(getattr(vk, name)) or name == 'Device', name


@test
def hints():
    """Every public function says what it takes and returns, also to tools that look it up."""
    from vkreduce import _types
    functions = [f for name in vk.__all__ for f in [getattr(vk, name)] if inspect.isfunction(f)]
    functions += [f for kind in (vk.Array, vk.group_by) for name, f in vars(kind).items()
                  if inspect.isfunction(f) and (not name.startswith('_') or name == '__init__')]
    assert len(functions) > 45
    for function in functions:
        real = inspect.unwrap(function)
        found = typing.get_type_hints(real, {**vars(typing), **vars(_types), **real.__globals__})
        assert set(inspect.signature(real).parameters) | {'return'} <= {'self'} | set(found), real
    folder = os.path.dirname(vk.__file__)
    assert os.path.exists(os.path.join(folder, 'py.typed'))
    for name in os.listdir(folder):
        if name.endswith('.py'):
            with open(os.path.join(folder, name), encoding='utf-8') as file:
                ast.parse(file.read(), name, feature_version=(3, 9))


@test
def inputs():
    for value in (array.array('i', [3, 1, 2]), [3, 1, 2], memoryview(array.array('h', [3, 1, 2])),
                  bytes([3, 1, 2]), bytearray([3, 1, 2]), np.array([3, 1, 2], 'u8'), (3, 1, 2)):
        assert int(vk.sum(value)) == 6, value
        assert np.asarray(vk.sort(value)).tolist() == [1, 2, 3], value
    assert float(vk.sum(2.5)) == 2.5
    # Nothing of the input changes, and the neighbours of an output do not.
    a = np.arange(100000, dtype='f4')[::-1].copy()
    before = a.copy()
    vk.sort(a[1:-1])
    assert np.array_equal(a, before)


@test
def wrong_arguments():
    a = np.ones((2, 3), 'f4')
    raises(ValueError, 'axis 2 is out of bounds', vk.sum, a, 2)
    raises(ValueError, 'must not name an axis twice', vk.sum, a, (0, 0))
    raises(TypeError, 'complex64', vk.sum, np.ones(3, 'c8'))
    raises(TypeError, 'datetime64', vk.sum, np.zeros(3, 'M8[s]'))
    raises(ValueError, 'determinism', vk.sum, a, determinism='some')
    raises(ValueError, 'dtype is uint8, but sums of int32', vk.sum, np.ones(3, 'i4'), dtype='uint8')
    raises(TypeError, "dtype is 'complex128'", vk.sum, a, dtype='complex128')
    raises(ValueError, 'only sums and products', vk._reduce.run, vk.abi.VKR_OP_MIN, a, dtype='float32')
    raises(ValueError, 'where has the shape', vk.sum, a, where=np.ones(6, bool))
    raises(TypeError, 'where has elements', vk.sum, a, where=a)
    raises(ValueError, 'correction is 2', vk.var, a, correction=2)
    raises(ValueError, 'without elements', vk.max, [])
    raises(TypeError, 'axis is a tuple', vk.argmax, a, (0, 1))
    raises(TypeError, 'axis is None', vk.cumulative_sum, a)
    raises(ValueError, 'k is 4, but must be from 0 to 3', vk.top_k, a, 4)
    raises(ValueError, "mode is 'most'", vk.top_k, a, 1, mode='most')
    raises(ValueError, "side is 'up'", vk.searchsorted, [1], [1], side='up')
    raises(TypeError, 'those of the sorted array', vk.searchsorted, np.ones(3, 'f4'), [1])
    raises(ValueError, 'q is 2', vk.quantile, a, 2)
    raises(ValueError, 'median is given', vk.group_by([1]).agg, median=[1])
    raises(ValueError, 'sum has the shape', vk.group_by([1]).agg, sum=[1, 2])
    raises(ValueError, 'range is', vk.histogram, a, 3, range=(2, 1))
    raises(ValueError, 'bins', vk.histogram, a, 0, range=(0, 1))
    assert float(vk.sum(a)) == 6  # an error leaves nothing behind


MAGNITUDE = '''
#define State float
#define COMMUTATIVE
State lift(E x, uint i) { return abs(float(x)); }
State identity() { return 0.0; }
State combine(State a, State b) { return max(a, b); }
'''
BEST = '''
struct State { float value; uint index; };
State lift(E x, uint i) { return State(float(x), i); }
State identity() { return State(-1.0 / 0.0, ~0u); }
State combine(State a, State b) { return b.value > a.value ? b : a; }
'''
BOX = '''#version 450
struct State { vec2 box; float n; };
State lift(E x, uint i) { return State(vec2(x, -x), 1.0); }
State identity() { return State(vec2(1e30), 0.0); }
State combine(State a, State b) { return State(min(a.box, b.box), a.n + b.n); }
#ifdef MEAN
float finish(State s) { return s.box.x / s.n; }
#endif
'''


@test
def operators():
    a = np.arange(-12, 12, dtype='f4').reshape(2, 3, 4)
    d = vk.asarray(a)
    assert float(vk.reduce(a, MAGNITUDE)) == 12
    for axis in (0, 1, 2, (0, 2), (1, 2), -1):
        for keep in (False, True):
            expected = np.max(abs(a), axis=axis, keepdims=keep)
            assert np.array_equal(vk.reduce(a, MAGNITUDE, axis, keepdims=keep), expected), axis
            found = vk.reduce(d, MAGNITUDE, axis, keepdims=keep)
            assert isinstance(found, vk.Array) and np.array_equal(found, expected), axis
    assert float(vk.reduce(a, MAGNITUDE, where=a > 5)) == 11
    assert float(vk.reduce(a, MAGNITUDE, where=a > 50)) == 0
    # Members of several types are arrays of their own; the index counts along the axis.
    best = vk.reduce(a, BEST)
    assert (float(best.value), int(best.index)) == (11, 23)
    for given in (a, d):
        best = vk.reduce(given, BEST, axis=1)
        assert np.array_equal(best.value, a.max(axis=1))
        assert np.array_equal(np.asarray(best.index) % 3, a.argmax(axis=1))
        assert all(isinstance(part, vk.Array) == (given is d) for part in best)
    assert vk.reduce(np.zeros((0, 3), 'f4'), BEST, 0).index.tolist() == [2 ** 32 - 1] * 3
    # Members of one type are an axis.
    assert vk.reduce(a, BOX).tolist() == [-12, -11, 24]
    assert vk.reduce(d, BOX, axis=0).shape == (3, 4, 3)
    mean = BOX.replace('450', '450\n#define MEAN')
    assert float(vk.reduce(a, mean)) == -0.5
    assert float(vk.reduce([1.0], mean.replace('.x', '.y'))) == -1
    assert vk.reduce(np.zeros((2, 0), 'f4'), MAGNITUDE, 1).tolist() == [0, 0]
    assert vk.scan(a[0], BOX, axis=0).shape == (3, 4, 3)
    assert np.array_equal(vk.scan(a, MAGNITUDE, axis=1), np.maximum.accumulate(abs(a), axis=1))
    later = vk.scan(d, MAGNITUDE, axis=2, reverse=True, exclusive=True)
    assert isinstance(later, vk.Array) and later.tolist()[0][0] == [11, 10, 9, 0]
    with vk.batch():
        most, so_far = vk.reduce(d, MAGNITUDE, 1), vk.scan(d, MAGNITUDE, axis=2)
        raises(ValueError, 'have several types', vk.reduce, d, BEST)
    assert np.array_equal(most, abs(a).max(axis=1)) and so_far.shape == a.shape


@test
def operators_of_64_bits_and_as_spirv():
    pair = '''
#define State dvec2
State lift(E x, uint i) { return dvec2(x, double(i)); }
State identity() { return dvec2(0); }
State combine(State a, State b) { return a + b; }
'''
    if vk._host.supports(vk.abi.VKR_TYPE_F64):
        assert vk.reduce(np.arange(5.0), pair).tolist() == [10, 10]
        assert vk.reduce(np.arange(5.0), pair).dtype == 'f8'
    if vk._host.supports(vk.abi.VKR_TYPE_I64):
        whole = pair.replace('dvec2', 'i64vec2').replace('double', 'int64_t')
        assert vk.reduce(np.arange(5) << 40, whole).tolist() == [10 << 40, 10]
    code = vk._operator._spirv(MAGNITUDE, vk._arrays.DTYPES['float32'])
    for given in (code, bytearray(code)):
        assert float(vk.reduce(np.array([1, -3], 'f4'), given)) == 3
    raises(ValueError, 'lift', vk.reduce, np.ones(3, 'i4'), code)  # which takes float
    raises(ValueError, 'op has 10 bytes', vk.reduce, [1], code[:10])
    raises(ValueError, 'op starts with 0x00000000', vk.reduce, [1], bytes(40))
    raises(ValueError, 'no function lift', vk.reduce, [1], code[:20])
    for cut in range(20, len(code), 52):  # nothing of a module makes it crash
        try:
            vk.reduce(np.ones(2, 'f4'), code[:cut])
        except ValueError:
            pass


@test
def wrong_operators():
    def refuse(words, op):
        raises(ValueError, words, vk.reduce, [1.0], op)
    refuse('op:1: error', 'x')
    refuse("op:4: error: 'q' : undeclared", MAGNITUDE.replace('float(x)', 'q'))
    refuse('a function State lift(double x, uint i)', MAGNITUDE.replace('lift', 'left'))
    refuse('a function State combine(State a, State b)', MAGNITUDE.replace('combine', 'join'))
    stateless = MAGNITUDE.replace('#define State float', '').replace('State', 'float')
    refuse('needs a type State', stateless)
    refuse('finish returns must consist of numbers', MAGNITUDE + 'void finish(State s) {}')
    raises(TypeError, 'op is of type int', vk.reduce, [1], 3)
    raises(TypeError, 'axis is None', vk.scan, np.ones((2, 2), 'f4'), MAGNITUDE)
    assert float(vk.reduce([-2.0], MAGNITUDE)) == 2
    # The same text is compiled once, and few modules are kept.
    before = dict(vk._operator._kept)
    vk.reduce([-2.0], MAGNITUDE)
    assert before == dict(vk._operator._kept)
    for i in range(70):
        vk.reduce([1.0], MAGNITUDE.replace('0.0', f'{i}.0'))
    assert len(vk._operator._kept) == 64
    without = '''
import vkreduce as vk
from vkreduce import _build
_build.COMPILER = 'libnone.so'
print(int(vk.sum([1])))
try: vk.reduce([1], 'x')
except vk.DeviceError as error: print(error)'''
    said = python(without)
    assert said.startswith('1\nlibnone.so was not found') and 'glslc -O0' in said, said


@test
def devices():
    found = vk.devices()
    assert found and found[0].name and found[0].kind in ('cpu', 'discrete', 'integrated', 'virtual', 'other')
    assert python('import vkreduce as vk; print(int(vk.sum([1, 2])))', VKREDUCE_DEVICE='0') == '3'
    say = 'import vkreduce as vk\ntry: vk.sum([1])\nexcept {} as error: print(error)'
    assert "must be the index of a device" in python(say.format('ValueError'), VKREDUCE_DEVICE='none such')
    assert 'Vulkan' in python(say.format('vk.DeviceError'), VK_DRIVER_FILES='/nowhere.json')
    assert 'was not found' in python(
        say.format('vk.DeviceError').replace('vk.sum', 'from vkreduce import _build; '
                                             "_build.LIBRARIES[:] = ['libnone.so']; vk.sum"))


@test
def batches():
    with vk.batch():
        total = vk.sum([1, 2])
        raises(ValueError, 'when the batch has ended', total.item)
        raises(ValueError, 'not nested', vk.batch().__enter__)
        raises(ValueError, 'cannot be in a batch', vk.nonzero, [1])
    assert int(total) == 3 and repr(total) == 'vkreduce.Array(3, dtype=int64)'

    class Stop(Exception):
        pass
    try:
        with vk.batch():
            vk.sum([1])
            raise Stop
    except Stop:
        pass
    assert int(vk.sum([4])) == 4


@test
def device_arrays():
    a = np.arange(12, dtype='i2').reshape(3, 4)
    d = vk.asarray(a)
    assert d.shape == (3, 4) and d.ndim == 2 and d.size == 12 and len(d) == 3 and str(d.dtype) == 'int16'
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


NORESERVE = 0x4000  # Linux's flag of mmap, which its module has from 3.12 on
ALL = {name: getattr(vk, name) for name in (
    'sum prod min max minmax mean var std any all count_nonzero nansum nanmean nanvar nanmin '
    'nanmax argmin argmax nanargmin nanargmax sort argsort cumulative_sum cumulative_prod cumsum '
    'median').split()}
for name in 'sort argsort cumulative_sum cumulative_prod'.split():
    ALL[name] = lambda a, axis, f=ALL[name]: f(a, axis=axis)
ALL.update({
    'top_k': lambda a, axis: vk.top_k(a, 1, axis=-1 if axis is None else axis),
    'quantiles': lambda a, axis: vk.quantile(a, [0.5, 1], axis),
    'take': lambda a, axis: vk.take(a, [0, -1], axis),
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
    expected = set('any all sort argsort cumulative_sum cumulative_prod cumsum top_k quantiles '
                   'median take unique_values unique_counts unique_inverse nonzero searchsorted '
                   'group_by scan'.split())
    assert refused == expected - (set() if HAS_COMPILER else {'scan'}), refused


@test
def too_large():
    largest = vk._host.root().device.maxBufferSize
    if largest > 1 << 46:
        return
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Memory that is never touched, neither that of the input nor that of results.
    virtual = mmap.mmap(-1, largest + 4096, flags=mmap.MAP_PRIVATE | NORESERVE)
    huge = np.frombuffer(virtual, 'u1')
    for function in (vk.sum, vk.sort, vk.max, vk.cumulative_sum, vk.asarray, vk.unique_values,
                     vk.nonzero, vk.count_nonzero, vk.median,
                     lambda a: vk.top_k(a, 3), lambda a: vk.histogram(a, 3, range=(0, 1))):
        try:
            function(huge)
        except MemoryError as error:
            assert f'allows {largest}; ask for less at a time' in str(error), error
        else:
            raise AssertionError('no MemoryError')
    assert int(vk.sum([1, 2])) == 3  # nothing is left behind
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (64 << 10)


@test
def memory_that_must_not_be_written():
    a = np.arange(30, dtype='f4').reshape(5, 6)
    with tempfile.NamedTemporaryFile() as file:
        a.tofile(file)
        file.flush()
        mapped = np.memmap(file.name, 'f4', 'r', shape=a.shape)
        fixed = a.copy()
        fixed.flags.writeable = False
        for given in (mapped, fixed, memoryview(a.tobytes()).cast('f', (5, 6))):
            assert float(vk.sum(given)) == a.sum() and vk.sort(given, axis=0).tolist() == a.tolist()
            assert vk.max(vk.asarray(given), axis=1).tolist() == a.max(axis=1).tolist()
        big = np.memmap(file.name, 'u1', 'r')
        assert int(vk.sum(big)) == int(big.sum())


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
    holes = np.array([[np.nan, 2], [np.nan, np.nan]])
    assert vk.nanargmin(holes, axis=1).tolist() == [1, 2 ** 32 - 1]
    assert python('''
import sys
sys.modules['numpy'] = None
import vkreduce as vk
print(vk.take([10, 20, 30], [2, -3]).tolist(), vk.median([3, 1, 2]))
print(vk.quantile([3.0, 1.0], [0, 1]))
try: vk.median(memoryview(bytes(4)).cast('B', (2, 2)), axis=1)
except TypeError as error: print(error)''') == (
        '[30, 10] 2.0\n[1.0, 3.0]\nnumpy is not installed, and quantiles along an axis need it')


@test
def threads():
    a, wrong = np.arange(100003, dtype='i4'), []

    def work(seed):
        for i in range(20):
            if int(vk.sum(a[seed:])) != int(a[seed:].sum()) or int(vk.max(a[:-seed])) != 100002 - seed:
                wrong.append((seed, i))
    workers = [threading.Thread(target=work, args=(i + 1,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong, wrong


@test
def forks():
    text = '''
import os, vkreduce as vk
vk.sum([1])
read, write = os.pipe()
if os.fork() == 0:
    try:
        vk.sum([1])
    except vk.DeviceError as error:
        os.write(write, str(error).encode())
    os._exit(0)
os.wait()
print(os.read(read, 999).decode())'''
    assert 'forked' in python(text)


@test
def without_numpy():
    text = '''
import sys, array
sys.modules['numpy'] = None
import vkreduce as vk
a = array.array('f', [3, 1, 2])
assert vk.sum(a) == 6 and vk.minmax(a) == (1, 3) and vk.mean([1, 2]) == 1.5
assert vk.sort(a).tolist() == [1, 2, 3] and vk.argsort(a).tolist() == [1, 2, 0]
m = memoryview(array.array('i', range(6))).cast('B').cast('i', [2, 3])
assert vk.sum(m, axis=1).tolist() == [3, 12] and vk.max(m, axis=0).tolist() == [3, 4, 5]
assert vk.cumsum(m).tolist() == [0, 1, 3, 6, 10, 15] and vk.sort(m).tolist() == [[0, 1, 2], [3, 4, 5]]
assert vk.unique_values([2, 1, 2]).tolist() == [1, 2] and vk.nonzero([0, 5])[0].tolist() == [1]
assert vk.any(a) and vk.all(a) and not vk.all([1.0, -0.0]) and vk.quantile(a, 0.5) == 2
assert vk.group_by([2, 1, 2]).agg(sum=[1, 2, 3])[1].tolist() == [2, 4]
print('done')'''
    assert python(text) == 'done'


@test
def an_import_is_small():
    text = '''
import sys, time
start = time.process_time()
import vkreduce
print(time.process_time() - start)
assert 'numpy' not in sys.modules and vkreduce._host._root is None'''
    assert min(float(python(text)) for _ in range(5)) <= 0.06


def main():
    failed = 0
    for number, function in enumerate(TESTS):
        trouble = ''
        try:
            function()
        except BaseException:  # pylint: disable=broad-except
            trouble = traceback.format_exc()
        print(f'{"not " if trouble else ""}ok {number + 1} - {function.__name__}')
        print(''.join(f'# {line}\n' for line in trouble.splitlines()), end='')
        failed += bool(trouble)
    print(f'1..{len(TESTS)}')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
