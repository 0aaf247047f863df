# SPDX-License-Identifier: MIT
"""devices.py: calls on one of several devices. A copy of the driver's file makes two of one. Prints
TAP."""
import os
import shutil
import sys
import tempfile

import numpy as np
from checks import main, python, raises, test

import vkreduce as vk

BEGIN = '''
import threading
import numpy as np, vkreduce as vk
from vkreduce import _host
def raises(words, function, *arguments, **named):
    try: function(*arguments, **named)
    except ValueError as error: assert words in str(error), error
    else: raise AssertionError(words)
def of(array): return array._root.index
a = np.arange(1000, dtype='f4').reshape(10, 100)
'''


def two(text):
    """What a Python prints that has two devices."""
    with tempfile.TemporaryDirectory() as folder:
        first = os.environ['VK_DRIVER_FILES'].split(os.pathsep)[0]
        second = shutil.copy(first, os.path.join(folder, 'second.json'))
        return python(BEGIN + text, VK_DRIVER_FILES=os.pathsep.join([first, second]))


@test
def a_device_for_a_call():
    assert two('''
every = vk.devices()
assert len(every) == 2
d = vk.asarray(a)
assert of(d) == 0 and of(vk.asarray(a, device=1)) == 1 and of(vk.asarray(a, device=every[1])) == 1
assert vk.asarray(a, device=0)._root is d._root is vk.asarray(a, device=every[0].name)._root
e = vk.asarray(a, device='1')
# Whatever reads an array runs where that is.
assert of(vk.sum(e)) == 1 and of(vk.sort(e, axis=0)) == 1 and of(vk.quantile(e, [0, 1], 0)) == 1
assert of(e.reshape(-1)) == 1 and of(vk.take(e, [0])) == 1 and of(vk.any(e, 1)) == 1
assert vk.sum(e).item() == vk.sum(d).item() == vk.sum(a, device=1) == vk.sum(a, device=0) == a.sum()
assert of(vk.asarray(e)) == 1 and of(vk.asarray(e, dtype='float64')) == 1
moved = vk.asarray(e, device=0)
assert of(moved) == 0 and np.array_equal(moved, e) and vk.asarray(e, device=1) is e
raises('an array is of device 1', vk.sum, e, device=0)
raises('an array is of device 1', vk.searchsorted, d.reshape(-1), e)
raises('copies arrays to another device', vk.searchsorted, e.reshape(-1), d)
raises('copies arrays to another device', vk.lexsort, (e, d))
raises('copies arrays to another device', vk.merge, [1], [2], ([3], d), device=1)
raises('copies arrays to another device', vk.merge, e.reshape(-1), [2], (e.reshape(-1), d))
of_payloads = vk.merge([1], [2], ([3], vk.asarray([4], device=1)))
assert [of(part) for part in of_payloads] == [1, 1] and of_payloads[1].tolist() == [3, 4]
raises('must be the index of a device', vk.sum, a, device=2)
raises('device is -1', vk.sum, a, device=-1)
raises('must be the index of a device', vk.sum, a, device='none such')
keys = a.reshape(-1) // 300
assert vk.sum(a.reshape(-1), by=keys, device=1)[0].tolist() == [0, 1, 2, 3]
groups = vk.group_by(keys, device=1)
assert groups.agg(count=True)[1].tolist() == [300, 300, 300, 100]
raises('an array is of device 0', groups.agg, sum=d.reshape(-1))
assert of(vk.group_by(vk.asarray(keys, device=1)).agg(sum=keys)[1]) == 1
with vk.batch(device=1):
    total = vk.sum(a)
    raises('the batch is of device 1', vk.sum, a, device=0)
    raises('the batch is of device 1', vk.sum, d)
assert of(total) == 1 and float(total) == a.sum()
assert float(vk.sum(d)) == a.sum() and len(_host._local.hosts) == 2
print('done')''') == 'done'


@test
def the_first_one_by_another_name():
    """However a device is called, it is opened once."""
    for first in ("", "vk.sum(a, device=1)", "vk.sum(a, device='llvmpipe')", "vk.sum(a)"):
        assert two(first + '''
found = {vk.asarray(a)._root, vk.asarray(a, device=0)._root, vk.asarray(a, device='0')._root}
assert len(found) == 1 and found.pop().index == 0
assert vk.asarray(a, device=1)._root.index == 1
print('done')''') == 'done', first


@test
def threads_and_devices():
    assert two('''
wrong = []
def work(device):
    for i in range(10):
        there = of(vk.max(vk.asarray(a, device=device)))
        if vk.sum(a, device=device) != a.sum() or there != device:
            wrong.append(device)
workers = [threading.Thread(target=work, args=(i % 2,)) for i in range(4)]
for worker in workers: worker.start()
for worker in workers: worker.join()
assert not wrong
print('done')''') == 'done'


@test
def operators_on_two_devices():
    assert two('''
op = """
#define State float
State lift(E x, uint i) { return float(x); }
State identity() { return 0.0; }
State combine(State a, State b) { return a + b; }
"""
for i in (0, 1, 0):
    assert vk.reduce(a, op, device=i) == a.sum(), i
print('done')''') == 'done'


@test
def what_device_must_be():
    raises(TypeError, 'device is of type float', vk.sum, [1], device=0.5)
    raises(TypeError, 'device is of type bool', vk.sum, [1], device=True)
    assert vk.sum(np.ones(3), device=0) == 3


@test
def results_for_each_key():
    raises(TypeError, 'argmax has no result for each key', vk.argmax, [1], by=[1])
    raises(TypeError, 'all, any, logsumexp, max', vk.cumsum, [1], by=[1])
    raises(ValueError, 'axis is given', vk.sum, [1], 0, by=[1])
    raises(ValueError, 'keepdims is given', vk.sum, [1], keepdims=True, by=[1])
    raises(ValueError, 'where is given', vk.sum, [1], where=[True], by=[1])
    raises(ValueError, 'the array has the shape (2,)', vk.max, [1, 2], by=[1])
    raises(ValueError, 'the keys have 2 dimensions', vk.max, np.ones((2, 2)), by=np.ones((2, 2)))
    keys = vk.asarray([2, 1, 2])
    found, values = vk.nanmean([1.0, 2.0, float('nan')], by=keys)
    assert isinstance(found, vk.Array) and found.tolist() == [1, 2] and values.tolist() == [2, 1]
    assert vk.var([1.0, 2.0, 6.0], by=[1, 1, 1], correction=1)[1].tolist() == [7]
    assert vk.logsumexp(np.float32([3, 1, 2]), by=[1, 2, 3])[1].tolist() == [3, 1, 2]
    assert vk.sum(np.ones(3, 'f4'), by=[1, 1, 2], dtype='float64')[1].dtype == 'f8'
    assert [r.tolist() for r in vk.minmax([3, 1, 2], by=[1, 1, 2])] == [[1, 2], [1, 2], [3, 2]]
    none = vk.sum(np.zeros(0, 'f4'), by=np.zeros(0, 'i4'))
    assert [(len(r), r.dtype.name) for r in none] == [(0, 'int32'), (0, 'float32')]


if __name__ == '__main__':
    sys.exit(main())
