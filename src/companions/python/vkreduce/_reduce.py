# SPDX-License-Identifier: MIT
"""How arrays are reduced."""
import ctypes

from . import _host, abi
from ._arrays import asarray, from_bytes, source
from ._dtypes import DTYPES, dtype_of, shaped, size_of, type_named
from ._axes import moved_last, normal, plan
from ._library import check, functions
from ._results import Target, nothing

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
        narrow = given.is_float or not _host.supports(wide.kind)
        return abi.VKR_TYPE_UNDEFINED if narrow else wide.kind
    wanted = dtype_of(dtype)
    if wanted not in (wide, plain):
        raise ValueError(f'dtype is {wanted}, but sums of {given} are of type {plain} or {wide}')
    return abi.VKR_TYPE_UNDEFINED if wanted is plain else wanted.kind


def mask_of(record, where, given):
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


def segments(p, info):
    if p.width > 1:
        info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_COLUMNS, p.width
    elif not p.whole:
        info.segments.kind, info.segments.length = abi.VKR_SEGMENTS_ROWS, p.length


def result_of(info):
    """The type of the results of the only operator."""
    layout = abi.VkrReduceLayout()
    check(functions().vkrGetReduceLayout(_host.root().context, ctypes.byref(info),
                                         ctypes.byref(layout)))
    return type_named(layout.results[info.ops.bit_length() - 1].type)


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
        return _no_elements(info, p)
    if where is not None:
        where = moved_mask(where, p, axis)
    info.count = p.length * p.width if p.width > 1 else given.size
    segments(p, info)
    dtype_out = result_of(info)
    with _host.recording() as record:
        view = given.view(record)
        mask = mask_of(record, where, given) if where is not None else None
        target = Target(record, p.shape, dtype_out, p.on_device)
        for part in range(p.parts if p.width > 1 else 1):
            record.call('vkrCmdReduce', part_of(info, p, view, mask, target, part,
                                              dtype_out.itemsize))
    return target.value()


def part_of(info, p, view, mask, target, part, size):
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


def moved_mask(where, p, axis):
    """The flags in the order of elements whose axes were moved."""
    flags = source(where)
    if not p.moved or len(flags.shape) != len(p.source.shape):
        return flags
    return moved_last(flags, normal(axis, len(flags.shape)))


def _no_elements(info, p):
    """Results of segments without elements, or no results."""
    dtype = result_of(info)
    if not size_of(p.shape):
        return nothing(p.shape, dtype, p.on_device)
    if not p.shape:
        return _identity(dtype, info, p.on_device).value()
    _host.refuse_batch('a reduction of no elements along an axis')
    one = bytes(_identity(dtype, info, False).data)
    value = from_bytes(bytearray(one) * size_of(p.shape), p.shape, dtype)
    return asarray(value) if p.on_device else shaped(bytearray(value.raw()), p.shape, dtype)
