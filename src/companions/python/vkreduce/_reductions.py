# SPDX-License-Identifier: MIT
"""Reductions."""
from __future__ import annotations

from . import _host, abi
from ._arrays import Source, asarray, source
from ._axes import plan
from ._dtypes import DTYPES, numpy
from ._keys import grouped, requests, run
from ._reduce import segments
from ._results import Target

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Axis, DeviceLike, DTypeLike, Optional, Result, Tuple

# ---- The functions ----

@_host.placed
def sum(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run', by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """The sum of elements. Sums of integers have 64 bits. determinism='device' gives float sums
    the same bits on every device.

    >>> int(vk.sum([1, 2, 3]))
    6

    As all functions that have an argument `by`, it then returns the different keys in ascending
    order and a result for each: of the elements that have this key.

    >>> keys, sums = vk.sum([10, 20, 30], by=[2, 1, 2])
    >>> keys.tolist(), sums.tolist()
    ([1, 2], [20, 40])
    """
    return run(abi.VKR_OP_SUM, a, axis, keepdims, dtype=dtype, where=where,
               determinism=determinism, by=by)


@_host.placed
def prod(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
         where: Optional[ArrayLike] = None, determinism: str = 'run',
         by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The product of elements.

    >>> int(vk.prod([2, 3, 4]))
    24
    """
    return run(abi.VKR_OP_PRODUCT, a, axis, keepdims, dtype=dtype, where=where,
               determinism=determinism, by=by)


@_host.placed
def min(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
        where: Optional[ArrayLike] = None, by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """The least element, which is NaN where there is one.

    >>> float(vk.min([2.5, 1.5]))
    1.5
    """
    return run(abi.VKR_OP_MIN, a, axis, keepdims, where=where, least=where is None, by=by)


@_host.placed
def max(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
        where: Optional[ArrayLike] = None, by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """The greatest element, which is NaN where there is one."""
    return run(abi.VKR_OP_MAX, a, axis, keepdims, where=where, least=where is None, by=by)


@_host.placed
def minmax(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
           by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Tuple[Result, ...]:
    """The least and the greatest element, by one read of the array.

    >>> tuple(float(x) for x in vk.minmax([2.0, 3.0, 1.0]))
    (1.0, 3.0)
    """
    if by is not None:
        keys, _, least, most = grouped(*requests([abi.VKR_OP_MIN, abi.VKR_OP_MAX], a, by, axis,
                                                 keepdims))
        return keys, least, most
    p = plan(a, axis, keepdims)
    if p.length == 0 or p.on_device or _host.in_batch() or p.width > 1:
        return min(a, axis, keepdims=keepdims), max(a, axis, keepdims=keepdims)
    info = abi.VkrReduceInfo(ops=abi.VKR_OP_MIN | abi.VKR_OP_MAX, nan=abi.VKR_NAN_PROPAGATE,
                             count=p.source.size)
    info.input.type = p.source.dtype.kind
    segments(p, info)
    with _host.recording() as record:
        both = Target(record, p.shape + (2,), p.source.dtype, False)
        info.input, info.output = p.source.view(record), both.range()
        record.call('vkrCmdReduce', info)
    values = both.value()
    if numpy() is not None:
        return values[..., 0][()], values[..., 1][()]
    if p.shape:
        raise TypeError('numpy is not installed, and minmax along an axis needs it')
    return values[0], values[1]


@_host.placed
def mean(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
         where: Optional[ArrayLike] = None, determinism: str = 'run',
         by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The mean: of integers the exact one, rounded once.

    >>> float(vk.mean([1, 2]))
    1.5
    """
    return run(abi.VKR_OP_MEAN, a, axis, keepdims, where=where, determinism=determinism, by=by)


def sample(correction):
    if correction not in (0, 1):
        raise ValueError(f'correction is {correction}, but must be 0 or 1')
    return abi.VKR_REDUCE_SAMPLE_BIT if correction == 1 else 0


@_host.placed
def var(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run', by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """The variance: with correction=1 that of a sample.

    >>> float(vk.var([1.0, 3.0]))
    1.0
    """
    return run(abi.VKR_OP_VARIANCE, a, axis, keepdims, where=where, determinism=determinism,
               flags=sample(correction), by=by)


@_host.placed
def std(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run', by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """The standard deviation: with correction=1 that of a sample."""
    return run(abi.VKR_OP_STDDEV, a, axis, keepdims, where=where, determinism=determinism,
               flags=sample(correction), by=by)


@_host.placed
def logsumexp(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
              where: Optional[ArrayLike] = None, determinism: str = 'run',
              by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The logarithm of the sum of exp(x), of float32 or float16: finite wherever the result is, and
    -inf of no element.

    >>> round(float(vk.logsumexp(vk.asarray([1000, 1000], dtype='float32'))), 2)
    1000.69
    """
    return run(abi.VKR_OP_LOGSUMEXP, a, axis, keepdims, where=where, determinism=determinism, by=by)


@_host.placed
def argmin(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False,
           device: DeviceLike = None) -> Result:
    """The index of the least element, or of the first NaN. -0 is less than +0.

    >>> int(vk.argmin([5, 3, 4]))
    1
    """
    return _arg(abi.VKR_OP_ARGMIN, a, axis, keepdims)


@_host.placed
def argmax(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False,
           device: DeviceLike = None) -> Result:
    """The index of the greatest element, or of the first NaN."""
    return _arg(abi.VKR_OP_ARGMAX, a, axis, keepdims)


def _arg(op, a, axis, keepdims, nan=None):
    if isinstance(axis, tuple):
        raise TypeError('axis is a tuple, but must be one axis or None')
    return run(op, a, axis, keepdims, nan=nan, least=1)


@_host.placed
def nansum(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
           where: Optional[ArrayLike] = None, determinism: str = 'run',
           by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The sum of the elements that are not NaN."""
    return run(abi.VKR_OP_SUM, a, axis, keepdims, dtype=dtype, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism, by=by)


@_host.placed
def nanmean(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
            where: Optional[ArrayLike] = None, determinism: str = 'run',
            by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The mean of the elements that are not NaN."""
    return run(abi.VKR_OP_MEAN, a, axis, keepdims, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism, by=by)


@_host.placed
def nanvar(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
           where: Optional[ArrayLike] = None, determinism: str = 'run',
           by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The variance of the elements that are not NaN."""
    return run(abi.VKR_OP_VARIANCE, a, axis, keepdims, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism, flags=sample(correction), by=by)


@_host.placed
def nanmin(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
           by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The least of the elements that are not NaN; infinity where there is none."""
    return run(abi.VKR_OP_MIN, a, axis, keepdims, nan=abi.VKR_NAN_IGNORE, least=1, by=by)


@_host.placed
def nanmax(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
           by: Optional[ArrayLike] = None, device: DeviceLike = None) -> Result:
    """The greatest of the elements that are not NaN; -infinity where there is none."""
    return run(abi.VKR_OP_MAX, a, axis, keepdims, nan=abi.VKR_NAN_IGNORE, least=1, by=by)


@_host.placed
def nanargmin(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False,
              device: DeviceLike = None) -> Result:
    """The index of the least of the elements that are not NaN; 4294967295 where there is none.

    >>> int(vk.nanargmin([float('nan'), 3.0, 2.0]))
    2
    """
    return _arg(abi.VKR_OP_ARGMIN, a, axis, keepdims, abi.VKR_NAN_IGNORE)


@_host.placed
def nanargmax(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False,
              device: DeviceLike = None) -> Result:
    """The index of the greatest of the elements that are not NaN, or 4294967295."""
    return _arg(abi.VKR_OP_ARGMAX, a, axis, keepdims, abi.VKR_NAN_IGNORE)


# ---- Tests of all elements ----

def as_bits(a, signed):
    """The same bytes as integers of their size."""
    given = Source.__new__(Source)
    given.__dict__.update(source(a).__dict__)
    given.dtype = DTYPES[('int' if signed else 'uint') + str(8 * given.dtype.itemsize)]
    return given


def _compared(values, test, on_device):
    """The test of each value on the host, where they are few."""
    if numpy() is not None:
        result = test(numpy().asarray(values))
    else:
        result = [test(v) for v in values] if hasattr(values, '__len__') else test(values)
    return asarray(result) if on_device else result


def _bits(op, a, axis, keepdims, by, signed=False):
    """The keys, or None, and on the host results of the elements' bits."""
    found = run(op, as_bits(a, signed), axis, keepdims, by=by)
    keys, values = (None, found) if by is None else found
    return keys, values.host() if hasattr(values, 'host') else values


@_host.placed
def any(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False, by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """Whether an element is not 0; NaN is not 0.

    >>> bool(vk.any([0.0, -0.0]))
    False
    """
    _host.refuse_batch('any')
    given = source(a)
    mask = (1 << 8 * given.dtype.itemsize - 1) - 1 if given.dtype.is_float else \
        (1 << 8 * given.dtype.itemsize) - 1
    keys, bits = _bits(abi.VKR_OP_OR, given, axis, keepdims, by)
    found = _compared(bits, lambda b: (b & type(b)(mask) if not hasattr(b, 'astype') else
                                       b & b.dtype.type(mask)) != 0, given.on_device)
    return found if keys is None else (keys, found)


@_host.placed
def all(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False, by: Optional[ArrayLike] = None,
        device: DeviceLike = None) -> Result:
    """Whether no element is 0."""
    _host.refuse_batch('all')
    given = source(a)
    keys, least = _bits(abi.VKR_OP_MIN, given, axis, keepdims, by)
    # -0 has the least bits of all, as a signed number.
    signed = _bits(abi.VKR_OP_MIN, given, axis, keepdims, by, True)[1] if given.dtype.is_float \
        else least
    zero = -(1 << 8 * given.dtype.itemsize - 1) if given.dtype.is_float else 0
    if numpy() is not None:
        np = numpy()
        found = _compared(np.asarray(least) != 0, lambda b: b & (np.asarray(signed) != zero),
                          given.on_device)
    elif hasattr(least, '__len__'):
        found = [x != 0 and y != zero for x, y in zip(least, signed)]
    else:
        found = least != 0 and signed != zero
    return found if keys is None else (keys, found)
