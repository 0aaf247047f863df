# SPDX-License-Identifier: MIT
"""package.py PAGE..: the examples of docstrings and pages, errors, operators, threads, forks, a
Python without numpy, and what an import loads. Prints TAP."""
import array
import ast
import doctest
import inspect
import os
import sys
import threading
import typing

import numpy as np
from checks import BEST, HAS_COMPILER, MAGNITUDE, main, python, raises, test

import vkreduce as vk


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
        missing = [n for n in vk.__all__ if f'`{n}' not in text and f'vk.{n}' not in text]
        assert not missing, f'{page} does not name {missing}'


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
    raises(ValueError, 'only sums and products', vk._reduce.run, vk.abi.VKR_OP_MIN, a,
           dtype='float32')
    raises(ValueError, 'where has the shape', vk.sum, a, where=np.ones(6, bool))
    raises(TypeError, 'where has elements', vk.sum, a, where=a)
    raises(ValueError, 'correction is 2', vk.var, a, correction=2)
    raises(ValueError, 'without elements', vk.max, [])
    raises(TypeError, 'axis is a tuple', vk.argmax, a, (0, 1))
    raises(TypeError, 'axis is None', vk.cumulative_sum, a)
    raises(ValueError, 'k is 4, but must be from 0 to 3', vk.top_k, a, 4)
    raises(ValueError, "mode is 'most'", vk.top_k, a, 1, mode='most')
    raises(ValueError, 'keys has 5 arrays, but must have 1 to 4', vk.lexsort, [a[0]] * 5)
    raises(ValueError, 'keys has 0 arrays, but must have 1 to 4', vk.lexsort, [])
    raises(ValueError, 'keys[0] has another shape than the last key', vk.lexsort, (a[:, 0], a[0]))
    raises(TypeError, 'keys must be a sequence of arrays', vk.lexsort, 3)
    raises(ValueError, 'the array has no axis', vk.lexsort, np.array([2, 1]))
    raises(ValueError, 'axis 2 is out of bounds', vk.lexsort, (a, a), axis=2)
    raises(TypeError, 'the array has elements of type float64, but must have elements of at most',
           vk.softmax, np.ones(3))
    raises(TypeError, 'the array has elements of type int64, but', vk.share, np.arange(3))
    raises(TypeError, 'axis is (0, 1), but must be one axis', vk.rescale, a, (0, 1))
    raises(ValueError, 'axis 2 is out of bounds', vk.standardise, a, 2)
    raises(ValueError, 'the array has 2 dimensions', vk.segment_top_k, a, [0, 1], 1)
    raises(ValueError, 'offsets is empty', vk.segment_top_k, a[0], [], 1)
    raises(ValueError, 'offsets has a number below the one before', vk.segment_top_k, a[0],
           [0, 2, 1], 1)
    raises(ValueError, 'offsets has -1, but must not', vk.segment_top_k, a[0], [-1, 2], 1)
    raises(TypeError, 'offsets has elements of type float64', vk.segment_top_k, a[0], [0.5], 1)
    raises(ValueError, 'k is 65537, but must be from 0 to 65536', vk.segment_top_k, a[0], [0],
           65537)
    raises(TypeError, 'k is 1.5, but must be a whole number', vk.segment_top_k, a[0], [0], 1.5)
    raises(ValueError, "mode is 'most'", vk.segment_top_k, a[0], [0], 1, mode='most')
    raises(ValueError, 'wanted has 2 numbers, but must have one for each of the 1 segments',
           vk.segment_top_k, a[0], [0, 3], 1, wanted=[1, 1])
    raises(ValueError, 'the array has 2 dimensions', vk.segment_select, a, [0, 1], 1)
    raises(ValueError, 'ranks and quantiles are not given', vk.segment_select, a[0], [0, 1])
    raises(ValueError, 'ranks has -1, but must have numbers from 0 to 4294967295',
           vk.segment_select, a[0], [0, 1], -1)
    raises(ValueError, 'ranks has 257 numbers', vk.segment_select, a[0], [0, 1], [0] * 257)
    raises(ValueError, 'quantiles is 2', vk.segment_select, a[0], [0, 1], quantiles=2)
    raises(ValueError, "side is 'up'", vk.searchsorted, [1], [1], side='up')
    raises(TypeError, 'those of the sorted array', vk.searchsorted, np.ones(3, 'f4'), [1])
    raises(ValueError, 'q is 2', vk.quantile, a, 2)
    raises(ValueError, 'ranks has 3, but must have numbers from -3 to 2, since the axis has 3',
           vk.select, a, 3, axis=1)
    raises(ValueError, 'ranks has -7, but', vk.select, a, [0, -7])
    raises(TypeError, 'ranks has 0.5, but must have whole numbers', vk.select, a, 0.5)
    raises(ValueError, 'ranks has 257 numbers, but must have at most 256', vk.select, a, [0] * 257)
    raises(ValueError, 'quantiles has 300 numbers', vk.select, a, quantiles=[0.5] * 300)
    raises(ValueError, 'quantiles is 1.5, but must be from 0 to 1', vk.select, a, quantiles=1.5)
    raises(ValueError, 'ranks and quantiles are both given', vk.select, a, 1, quantiles=0.5)
    raises(ValueError, 'ranks and quantiles are not given', vk.select, a)
    raises(ValueError, 'has no quantiles', vk.select, [], quantiles=0.5)
    raises(TypeError, 'axis is (0, 1)', vk.select, a, 0, axis=(0, 1))
    raises(ValueError, 'counts has 2 dimensions, but must have one', vk.expand, a)
    raises(TypeError, 'counts has elements of type float32, but must have whole', vk.expand, a[0])
    raises(ValueError, 'counts has -1, but must not have negative numbers', vk.expand, [1, -1])
    raises(ValueError, 'counts has 4294967296, but must have numbers below 2^32', vk.expand,
           [2 ** 32])
    raises(ValueError, 'counts adds up to 2147483649, but', vk.expand, [1, 2 ** 31])
    raises(ValueError, 'counts adds up to 2147483649, but', vk.expand, vk.asarray([1, 2 ** 31]))
    raises(ValueError, 'capacity is -1, but must be from 0 to 2147483648', vk.expand, [1],
           capacity=-1)
    raises(TypeError, 'capacity is 1.5', vk.expand, [1], capacity=1.5)
    raises(ValueError, 'payload has the shape (3,), but must have an entry for each of the 2',
           vk.expand, [1, 2], [1, 2, 3])
    raises(ValueError, 'payload has entries of 72 bytes, but must have entries of 1 to 64',
           vk.expand, [1], np.zeros((1, 9)))
    raises(ValueError, 'a has 2 dimensions, but must have one', vk.merge, a, [1])
    raises(TypeError, 'b has elements of type int64, but must have those of a, float32', vk.merge,
           a[0], [1])
    raises(TypeError, 'payloads must be an array for a and one for b', vk.merge, [1], [2], [1])
    raises(ValueError, 'the payload of b has the shape (2,), but must have an entry for each of '
           'the 1 elements', vk.merge, [1], [2], ([1], [1, 2]))
    raises(ValueError, 'the payload of b has entries of type float64 and shape (), but must',
           vk.merge, [1], [2], ([1], [1.5]))
    raises(ValueError, 'median is given', vk.group_by([1]).agg, median=[1])
    raises(ValueError, 'sum has the shape', vk.group_by([1]).agg, sum=[1, 2])
    raises(ValueError, 'range is', vk.histogram, a, 3, range=(2, 1))
    raises(ValueError, 'bins', vk.histogram, a, 0, range=(0, 1))
    assert float(vk.sum(a)) == 6  # an error leaves nothing behind


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
    assert found and found[0].name and found[0].kind in vk._host._KINDS
    assert python('import vkreduce as vk; print(int(vk.sum([1, 2])))', VKREDUCE_DEVICE='0') == '3'
    say = 'import vkreduce as vk\ntry: vk.sum([1])\nexcept {} as error: print(error)'
    said = python(say.format('ValueError'), VKREDUCE_DEVICE='none such')
    assert 'must be the index of a device' in said
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
def threads():
    a, wrong = np.arange(100003, dtype='i4'), []

    def work(seed):
        for i in range(20):
            total, most = int(vk.sum(a[seed:])), int(vk.max(a[:-seed]))
            if total != int(a[seed:].sum()) or most != 100002 - seed:
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
assert vk.cumsum(m).tolist() == [0, 1, 3, 6, 10, 15]
assert vk.sort(m).tolist() == [[0, 1, 2], [3, 4, 5]]
assert vk.unique_values([2, 1, 2]).tolist() == [1, 2] and vk.nonzero([0, 5])[0].tolist() == [1]
assert vk.any(a) and vk.all(a) and not vk.all([1.0, -0.0]) and vk.quantile(a, 0.5) == 2
assert vk.group_by([2, 1, 2]).agg(sum=[1, 2, 3])[1].tolist() == [2, 4]
print('done')'''
    assert python(text) == 'done'


@test
def an_import_is_small():
    text = '''
import sys
import vkreduce
for name in ('numpy', 'typing', 'subprocess', 'array'):
    assert name not in sys.modules, name
assert vkreduce._host._default is None and vkreduce._library._libraries is None
print('done')'''
    assert python(text) == 'done'


if __name__ == '__main__':
    sys.exit(main())
