# SPDX-License-Identifier: MIT
"""Reductions."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import Source, Target, asarray, from_bytes, nothing, source
from ._dtypes import DTYPES, dtype_of, numpy, shaped, size_of, type_named
from ._axes import moved_last, normal, plan
from ._library import check, functions

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, Axis, DTypeLike, Optional, Result, Tuple

_LEVELS = {'run': abi.VKR_DETERMINISM_RUN, 'none': abi.VKR_DETERMINISM_NONE,
           'device': abi.VKR_DETERMINISM_DEVICE}
_SUMS = abi.VKR_OP_SUM | abi.VKR_OP_PRODUCT


def level(determinism):
    if determinism not in _LEVELS:
        raise ValueError(f'determinism is {determinism!r}, but must be one of {", ".join(_LEVELS)}')
    return _LEVELS[determinism]


def accumulator(op, given, dtype):
    """The type in which sums are kept: of integers that of 64 bits with their sign, where the
    device has it, so that small ones do not wrap."""
    if not op & _SUMS:
        if dtype is not None:
            raise ValueError('dtype is given, but only sums and products take one')
        return abi.VKR_TYPE_UNDEFINED
    wide = DTYPES['float64'] if given.is_float else DTYPES['int64' if given.is_signed else 'uint64']
    plain = DTYPES['float64' if given.itemsize == 8 else 'float32'] if given.is_float else \
        DTYPES[('int' if given.is_signed else 'uint') + ('64' if given.itemsize == 8 else '32')]
    if dtype is None:
        return abi.VKR_TYPE_UNDEFINED if given.is_float or not _host.supports(wide.kind) else wide.kind
    wanted = dtype_of(dtype)
    if wanted not in (wide, plain):
        raise ValueError(f'dtype is {wanted}, but sums of {given} are of type {plain} or {wide}')
    return abi.VKR_TYPE_UNDEFINED if wanted is plain else wanted.kind


def _mask(record, where, given):
    """Flags that say which elements count."""
    flags = source(where)
    if flags.shape != given.shape:
        raise ValueError(f'where has the shape {flags.shape}, but must have that of the array, '
                         f'{given.shape}')
    if flags.dtype.name not in ('bool', 'uint8', 'uint32', 'int32'):
        raise TypeError(f'where has elements of type {flags.dtype}, but must have those of bool, '
                        'uint8 or uint32')
    memory = flags.memory(record)
    wide = flags.dtype.itemsize == 4
    return abi.VkrMask(flags=abi.VkrFlagView(
        format=abi.VKR_FLAGS_U32 if wide else abi.VKR_FLAGS_U8,
        range=abi.VkrBufferRange(buffer=memory.buffer, offset=memory.offset, size=memory.size)))


def _segments(p, info):
    if p.width > 1:
        info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_COLUMNS, p.width
    elif not p.whole:
        info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_ROWS, p.length


def _layout(info):
    layout = abi.VkrReduceLayout()
    check(functions().vkrGetReduceLayout(_host.root().context, ctypes.byref(info),
                                         ctypes.byref(layout)))
    return layout


def _identity(dtype, info, on_device):
    """The result of no element."""
    with _host.recording() as record:
        target = Target(record, (), dtype, on_device)
        info.output = target.range()
        record.call('vkrCmdReduce', info)
    return target


def run(op, value, axis=None, keepdims=False, *, dtype=None, where=None, flags=0, nan=None,
        determinism='run', least=0):
    """One operator along axes. `least` is the number of elements that it needs."""
    p = plan(value, axis, keepdims)
    given = p.source
    if p.length < least:
        raise ValueError('the array is empty along the axis, and this has no result without '
                         'elements')
    info = abi.VkrReduceInfo(ops=op, flags=flags, determinism=level(determinism),
                             accumulator=accumulator(op, given.dtype, dtype))
    info.nan = abi.VKR_NAN_PROPAGATE if nan is None else nan
    info.input.type, info.input.size = given.dtype.kind, given.nbytes
    if given.size == 0:
        return _no_elements(op, info, p)
    if where is not None:
        where = _moved_mask(where, p, axis)
    info.count = p.length * p.width if p.width > 1 else given.size
    _segments(p, info)
    dtype_out = type_named(_layout(info).results[op.bit_length() - 1].type)
    with _host.recording() as record:
        view = given.view(record)
        mask = _mask(record, where, given) if where is not None else None
        target = Target(record, p.shape, dtype_out, p.on_device)
        for part in range(p.parts if p.width > 1 else 1):
            record.call('vkrCmdReduce', _part(info, p, view, mask, target, part,
                                              dtype_out.itemsize))
    return target.value()


def _part(info, p, view, mask, target, part, size):
    """The request for one block of columns, or for all of a whole or of rows. `size` is that of a
    result."""
    one = abi.VkrReduceInfo.from_buffer_copy(info)
    one.input = view
    one.output = target.range()
    if mask is not None:
        one.mask = mask
    if p.width > 1 and p.parts > 1:
        before = part * info.count
        one.input.offset += before * p.source.dtype.itemsize
        one.input.size = info.count * p.source.dtype.itemsize
        one.input.texels = abi.VkrTexels()
        one.output.offset += part * p.width * size
        one.output.size = p.width * size
        if mask is not None:
            flag = 4 if mask.flags.format == abi.VKR_FLAGS_U32 else 1
            one.mask.flags.range.offset += before * flag
            one.mask.flags.range.size = info.count * flag
    return one


def _moved_mask(where, p, axis):
    """The flags in the order of elements whose axes were moved."""
    flags = source(where)
    if not p.moved or len(flags.shape) != len(p.source.shape):
        return flags
    return moved_last(flags, normal(axis, len(flags.shape)))


def _no_elements(op, info, p):
    """Results of segments without elements, or no results."""
    dtype = type_named(_layout(info).results[op.bit_length() - 1].type)
    if not size_of(p.shape):
        return nothing(p.shape, dtype, p.on_device)
    if not p.shape:
        return _identity(dtype, info, p.on_device).value()
    _host.refuse_batch('a reduction of no elements along an axis')
    one = bytes(_identity(dtype, info, False).data)
    value = from_bytes(bytearray(one) * size_of(p.shape), p.shape, dtype)
    return asarray(value) if p.on_device else shaped(bytearray(value.raw()), p.shape, dtype)


# ---- The functions ----

def sum(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The sum of elements. Sums of integers have 64 bits. determinism='device' gives float sums
    the same bits on every device.

    >>> int(vk.sum([1, 2, 3]))
    6
    """
    return run(abi.VKR_OP_SUM, a, axis, keepdims, dtype=dtype, where=where, determinism=determinism)


def prod(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
         where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The product of elements.

    >>> int(vk.prod([2, 3, 4]))
    24
    """
    return run(abi.VKR_OP_PRODUCT, a, axis, keepdims, dtype=dtype, where=where,
               determinism=determinism)


def min(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
        where: Optional[ArrayLike] = None) -> Result:
    """The least element, which is NaN where there is one.

    >>> float(vk.min([2.5, 1.5]))
    1.5
    """
    return run(abi.VKR_OP_MIN, a, axis, keepdims, where=where, least=where is None)


def max(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
        where: Optional[ArrayLike] = None) -> Result:
    """The greatest element, which is NaN where there is one."""
    return run(abi.VKR_OP_MAX, a, axis, keepdims, where=where, least=where is None)


def minmax(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Tuple[Result, Result]:
    """The least and the greatest element, by one read of the array.

    >>> tuple(float(x) for x in vk.minmax([2.0, 3.0, 1.0]))
    (1.0, 3.0)
    """
    p = plan(a, axis, keepdims)
    if p.length == 0 or p.on_device or _host.in_batch() or p.width > 1:
        return min(a, axis, keepdims=keepdims), max(a, axis, keepdims=keepdims)
    info = abi.VkrReduceInfo(ops=abi.VKR_OP_MIN | abi.VKR_OP_MAX, nan=abi.VKR_NAN_PROPAGATE,
                             count=p.source.size)
    info.input.type = p.source.dtype.kind
    _segments(p, info)
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


def mean(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
         where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The mean: of integers the exact one, rounded once.

    >>> float(vk.mean([1, 2]))
    1.5
    """
    return run(abi.VKR_OP_MEAN, a, axis, keepdims, where=where, determinism=determinism)


def _sample(correction):
    if correction not in (0, 1):
        raise ValueError(f'correction is {correction}, but must be 0 or 1')
    return abi.VKR_REDUCE_SAMPLE_BIT if correction == 1 else 0


def var(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The variance: with correction=1 that of a sample.

    >>> float(vk.var([1.0, 3.0]))
    1.0
    """
    return run(abi.VKR_OP_VARIANCE, a, axis, keepdims, where=where, determinism=determinism,
               flags=_sample(correction))


def std(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
        where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The standard deviation: with correction=1 that of a sample."""
    return run(abi.VKR_OP_STDDEV, a, axis, keepdims, where=where, determinism=determinism,
               flags=_sample(correction))


def argmin(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False) -> Result:
    """The index of the least element, or of the first NaN. -0 is less than +0.

    >>> int(vk.argmin([5, 3, 4]))
    1
    """
    return _arg(abi.VKR_OP_ARGMIN, a, axis, keepdims)


def argmax(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False) -> Result:
    """The index of the greatest element, or of the first NaN."""
    return _arg(abi.VKR_OP_ARGMAX, a, axis, keepdims)


def _arg(op, a, axis, keepdims, nan=None):
    if isinstance(axis, tuple):
        raise TypeError('axis is a tuple, but must be one axis or None')
    return run(op, a, axis, keepdims, nan=nan, least=1)


def nansum(a: ArrayLike, axis: Axis = None, *, dtype: DTypeLike = None, keepdims: bool = False,
           where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The sum of the elements that are not NaN."""
    return run(abi.VKR_OP_SUM, a, axis, keepdims, dtype=dtype, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism)


def nanmean(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False,
            where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The mean of the elements that are not NaN."""
    return run(abi.VKR_OP_MEAN, a, axis, keepdims, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism)


def nanvar(a: ArrayLike, axis: Axis = None, *, correction: int = 0, keepdims: bool = False,
           where: Optional[ArrayLike] = None, determinism: str = 'run') -> Result:
    """The variance of the elements that are not NaN."""
    return run(abi.VKR_OP_VARIANCE, a, axis, keepdims, where=where, nan=abi.VKR_NAN_SKIP,
               determinism=determinism, flags=_sample(correction))


def nanmin(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Result:
    """The least of the elements that are not NaN; infinity where there is none."""
    return run(abi.VKR_OP_MIN, a, axis, keepdims, nan=abi.VKR_NAN_IGNORE, least=1)


def nanmax(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Result:
    """The greatest of the elements that are not NaN; -infinity where there is none."""
    return run(abi.VKR_OP_MAX, a, axis, keepdims, nan=abi.VKR_NAN_IGNORE, least=1)


def nanargmin(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False) -> Result:
    """The index of the least of the elements that are not NaN; 4294967295 where there is none.

    >>> int(vk.nanargmin([float('nan'), 3.0, 2.0]))
    2
    """
    return _arg(abi.VKR_OP_ARGMIN, a, axis, keepdims, abi.VKR_NAN_IGNORE)


def nanargmax(a: ArrayLike, axis: Optional[int] = None, *, keepdims: bool = False) -> Result:
    """The index of the greatest of the elements that are not NaN, or 4294967295."""
    return _arg(abi.VKR_OP_ARGMAX, a, axis, keepdims, abi.VKR_NAN_IGNORE)


# ---- Tests of all elements ----

def _as_bits(a, signed):
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


def any(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Result:
    """Whether an element is not 0; NaN is not 0.

    >>> bool(vk.any([0.0, -0.0]))
    False
    """
    _host.refuse_batch('any')
    given = source(a)
    mask = (1 << 8 * given.dtype.itemsize - 1) - 1 if given.dtype.is_float else \
        (1 << 8 * given.dtype.itemsize) - 1
    bits = run(abi.VKR_OP_OR, _as_bits(given, False), axis, keepdims)
    if hasattr(bits, 'host'):
        bits = bits.host()
    return _compared(bits, lambda b: (b & type(b)(mask) if not hasattr(b, 'astype') else
                                      b & b.dtype.type(mask)) != 0, given.on_device)


def all(a: ArrayLike, axis: Axis = None, *, keepdims: bool = False) -> Result:
    """Whether no element is 0."""
    _host.refuse_batch('all')
    given = source(a)
    least = run(abi.VKR_OP_MIN, _as_bits(given, False), axis, keepdims)
    least = least.host() if hasattr(least, 'host') else least
    if not given.dtype.is_float:
        return _compared(least, lambda b: b != 0, given.on_device)
    # -0 has the least bits of all, as a signed number.
    signed = run(abi.VKR_OP_MIN, _as_bits(given, True), axis, keepdims)
    signed = signed.host() if hasattr(signed, 'host') else signed
    zero = -(1 << 8 * given.dtype.itemsize - 1)
    if numpy() is not None:
        np = numpy()
        return _compared(np.asarray(least) != 0, lambda b: b & (np.asarray(signed) != zero),
                         given.on_device)
    if hasattr(least, '__len__'):
        return [x != 0 and y != zero for x, y in zip(least, signed)]
    return least != 0 and signed != zero
