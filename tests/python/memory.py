# SPDX-License-Identifier: MIT
"""memory.py: arrays that are too large or read-only, and the memory of those that are gone. Prints
TAP."""
import mmap
import resource
import sys
import tempfile
import threading

import numpy as np
from checks import main, python, test

import vkreduce as vk

NORESERVE = 0x4000  # Linux's flag of mmap, which its module has from 3.12 on


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
def memory_that_is_kept():
    a = np.arange(1 << 19, dtype='f4')
    vk.trim()
    assert not vk._kept._blocks

    def address(array):
        return array.__array_interface__['data'][0]
    first, second = vk.sort(a), vk.sort(a)
    assert address(first) != address(second)
    place, part = address(first), first[5:]
    del first
    third = vk.sort(a)  # the first one's memory is still in use
    assert part[0] == 5 and address(third) not in (place, address(second))
    del part
    fourth = vk.argsort(a)
    assert address(fourth) == place and fourth[-1] == len(a) - 1 and fourth.flags.writeable
    del fourth
    assert address(vk.sort(a[5:])) == place  # of nearly the same size
    d = vk.asarray(a)
    buffer = d._memory.buffer
    del d
    e = vk.asarray(a[:0:-1])
    assert e._memory.buffer == buffer and np.array_equal(e, a[:0:-1])
    assert e._memory.size == a.nbytes - 4
    for size in [64 << 20] * 5 + [300 << 20]:
        room = [vk._kept.room(size) for _ in range(5)]
        assert all(len(r) == size for r in room)
        del room
        assert sum(b.size for b in vk._kept._blocks) <= 256 << 20
    vk.trim()
    assert not vk._kept._blocks and second[7] == 7 and third[7] == 7
    wrong = []

    def work(seed):
        for i in range(10):
            found = vk.cumulative_sum(np.full(1 << 18, seed, 'u4'))
            if found[-1] != seed << 18 or found[seed] != (seed + 1) * seed:
                wrong.append((seed, i))
    workers = [threading.Thread(target=work, args=(i + 1,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong, wrong
    assert python('''
import sys
sys.modules['numpy'] = None
import array, vkreduce as vk
a = array.array('f', range(1 << 19))
found = vk.sort(a)
print(found[7], len(found), len(vk._kept._blocks))
del found
print(len(vk._kept._blocks))''') == '7.0 524288 0\n1'


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


if __name__ == '__main__':
    sys.exit(main())
