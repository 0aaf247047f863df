# SPDX-License-Identifier: MIT
"""ranks.py: calls over the ranks of mpirun, each of which knows the whole and gives its part. Rank
0 prints TAP, and any rank a failure."""
import sys
import traceback

import numpy as np
from mpi4py import MPI

import vkreduce as vk
from rows import close, same

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def parts(whole, number):
    """The cuts between parts: even, random with empty ones, or all on the last rank."""
    cuts = np.random.default_rng(number)
    inner = [i * len(whole) // size for i in range(1, size)] if number % 3 == 0 else \
        sorted(cuts.integers(0, len(whole) + 1, size - 1)) if number % 3 == 1 else [0] * (size - 1)
    return [0, *map(int, inner), len(whole)]


def mine(whole, number=0):
    cuts = parts(whole, number)
    part = whole[cuts[rank]:cuts[rank + 1]]
    return (vk.asarray(part) if number % 2 else part), slice(cuts[rank], cuts[rank + 1])


def wholes(kinds, sizes=(1, 8192, 100003)):
    number = 0
    for kind in kinds:
        for n in sizes:
            number += 1
            numbers = np.random.default_rng(number)
            yield number, (numbers.standard_normal(n) * 50).astype(kind)


def raises(kind, words, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert words in str(error), f'{error!r} lacks "{words}"'
        return
    raise AssertionError(f'{kind.__name__} was not raised: {words}')


@test
def reductions(ranks):
    for number, a in wholes(('i1', 'i4', 'i8', 'f4', 'f8')):
        part, _ = mine(a, number)
        unit = 2.0 ** -52 if a.dtype.itemsize == 8 else 2.0 ** -23
        wide = a.astype('f8')
        total = ranks.sum(part)
        assert isinstance(total, vk.Array) == (number % 2 == 1)
        close(total, wide.sum(), np.abs(wide).sum(), unit)
        if a.dtype.kind == 'i':
            same(total, a.sum())
        for name in ('min', 'max', 'argmin', 'argmax'):
            same(getattr(ranks, name)(part), getattr(np, name)(a))
        low, high = ranks.minmax(part)
        same(low, a.min())
        same(high, a.max())
        close(ranks.mean(part), wide.mean(), np.abs(wide).mean(), unit)
        close(ranks.std(part), wide.std(), wide.std(), unit)
        if len(a) > 1:
            close(ranks.var(part, correction=1), wide.var(ddof=1), wide.var(ddof=1), unit)
        assert ranks.any(part) == a.any() and ranks.all(part) == a.all()
        assert ranks.count_nonzero(part) == np.count_nonzero(a)


@test
def elements_that_are_no_numbers(ranks):
    a = np.array([np.nan, -0.0, 3, 0, np.nan, 8] * 50, 'f4')
    part, _ = mine(a, 1)
    assert np.isnan(float(ranks.max(part))) and int(ranks.argmax(part)) == 0
    assert ranks.any(part) and not ranks.all(part)
    zeros, _ = mine(np.array([-0.0, 0.0] * 9), 1)
    assert not ranks.any(zeros) and not ranks.all(zeros)
    assert float(ranks.nansum(part)) == 550 and float(ranks.nanmean(part)) == 2.75
    assert float(ranks.nanmin(part)) == 0 and float(ranks.nanmax(part)) == 8
    assert int(ranks.nanargmin(part)) == 1 and int(ranks.nanargmax(part)) == 5
    close(ranks.nanvar(part), np.nanvar(a), 1, 2.0 ** -23)


@test
def bits_of_sums(ranks):
    """At level device those of one rank."""
    a = np.random.default_rng(5).standard_normal(300000).astype('f4')
    for number in range(3):
        part, _ = mine(a, number)
        assert float(ranks.sum(part, determinism='device')) == vk.sum(a, determinism='device')


@test
def scans(ranks):
    for number, a in wholes(('i4', 'u1', 'f4')):
        part, own = mine(a, number)
        for reverse in (False, True):
            wide = a.astype('f8' if a.dtype.kind == 'f' else 'i8')[::-1 if reverse else 1]
            expected = np.cumsum(wide)[::-1 if reverse else 1][own]
            got = ranks.cumulative_sum(part, reverse=reverse)
            assert isinstance(got, vk.Array) == isinstance(part, vk.Array)
            unit = 2.0 ** -52 if a.dtype.itemsize == 8 else 2.0 ** -23
            close(got, expected, np.abs(wide).sum(), unit)
        same(ranks.cumsum(part), ranks.cumulative_sum(part))
        same(ranks.nonzero(part), np.nonzero(a)[0][own_of(np.nonzero(a)[0], own)])
    a = np.random.default_rng(1).integers(-3, 4, 5000)
    part, own = mine(a, 1)
    same(ranks.cumulative_prod(part), np.cumprod(a)[own])


def own_of(indices, own):
    return (indices >= own.start) & (indices < own.stop)


@test
def histograms(ranks):
    for number, a in wholes(('i2', 'f4', 'f8', 'u1')):
        part, _ = mine(a, number)
        counts, edges = ranks.histogram(part, 16, range=(0, 64))
        same(counts, np.histogram(a, 16, (0, 64))[0])
        same(edges, np.arange(17) * 4.0)
        counts, edges = ranks.histogram(part, 7)
        same(counts, vk.histogram(a, 7)[0])
        same(edges, vk.histogram(a, 7)[1])
    a = np.array([2 ** 62 + 1, 2 ** 62 + 9] * 5)
    same(ranks.histogram(mine(a)[0], 3)[0], [5, 0, 5])


@test
def other_communicators(ranks):
    with vk.mpi(comm.Split(rank % 2)) as some:
        assert int(some.sum([1])) == (size + 1 - rank % 2) // 2
    class Own(MPI.Intracomm):
        pass
    with vk.mpi(Own(comm)) as own:
        assert int(own.sum([1, 2], dtype='int64')) == 3 * size
        closed = own
    raises(ValueError, 'closed', closed.sum, [1])
    closed.close()
    raises(TypeError, 'must be a communicator of mpi4py', vk.mpi, 3)
    raises(ValueError, 'must be the index of a device', vk.mpi, comm, device=99)


@test
def errors(ranks):
    raises(AttributeError, 'sort is not there over ranks, which have sum, prod', lambda: ranks.sort)
    raises(ValueError, 'the whole is empty', ranks.max, np.zeros(0, 'f4'))
    assert int(ranks.sum(np.zeros(0, 'i4'))) == 0 and not ranks.any(np.zeros(0)) and \
        ranks.all(np.zeros(0, 'u1'))
    raises(ValueError, 'range is (3, 1)', ranks.histogram, [1], 3, range=(3, 1))
    raises(TypeError, 'bins is of type list', ranks.histogram, [1], [1, 2])
    raises(ValueError, 'correction is 2', ranks.var, [1], correction=2)
    # One rank fails, and all of them say so.
    if rank == size - 1:
        raises(TypeError, 'complex64', ranks.sum, np.ones(3, 'c8'))
    else:
        raises(ValueError, f'rank {size - 1} failed', ranks.sum, np.ones(3, 'i4'))
    if size > 1:
        raises(ValueError, 'different infos', ranks.sum, np.ones(3, 'f4' if rank else 'f8'))
    with vk.batch():
        raises(ValueError, 'cannot be in a batch', ranks.sum, [1])
    assert int(ranks.sum([1])) == size


def main():
    failed = 0
    with vk.mpi(comm) as ranks:
        for number, function in enumerate(TESTS):
            trouble = ''
            try:
                function(ranks)
            except BaseException:  # what other ranks wait for never comes, so all end
                trouble = traceback.format_exc()
                print(''.join(f'# {line}\n' for line in trouble.splitlines()), end='')
                print(f'not ok {number + 1} - {function.__name__}\n1..{len(TESTS)}', flush=True)
                comm.Abort(1)
            comm.Barrier()
            if rank == 0:
                print(f'ok {number + 1} - {function.__name__}', flush=True)
    if rank == 0:
        print(f'1..{len(TESTS)}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
