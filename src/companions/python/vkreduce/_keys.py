# SPDX-License-Identifier: MIT
"""Reductions of elements with equal keys, which need not lie together."""
import collections
import ctypes

from . import _host, _reduce, abi
from ._arrays import Array, source
from ._dtypes import DTYPES
from ._library import functions
from ._reduce import accumulator, level, result_of
from ._results import Found, nothing

# One operator on a column of elements.
Request = collections.namedtuple('Request', 'op column accumulator flags nan determinism',
                                 defaults=(abi.VKR_TYPE_UNDEFINED, 0, abi.VKR_NAN_PROPAGATE, 0))


def check_keys(keys):
    if len(keys.shape) != 1:
        raise ValueError(f'the keys have {len(keys.shape)} dimensions, but must have one')


def check_column(name, column, keys):
    if column.shape != keys.shape:
        raise ValueError(f'{name} has the shape {column.shape}, but must have that of the keys, '
                         f'{keys.shape}')


def grouped(keys, requests, counts=False, by_value=False):
    """The keys in ascending order, how many elements each has, and for each request a result for
    each key."""
    if _host.in_batch():
        raise ValueError('there are as many results as there are groups, so this cannot be in a '
                         'batch')
    on_device = keys.on_device or any(r.column.on_device for r in requests)
    if keys.size == 0:
        return [nothing((0,), kind, on_device) for kind in (
            keys.dtype, DTYPES['uint32'], *(result_of(_info(r, 0)) for r in requests))]
    in_order, moved = _sorted(keys, requests, by_value)
    with _host.recording() as record:
        found = Found(record, keys.size, on_device)
        unique = found.target(keys.dtype)
        lengths = found.target(DTYPES['uint32']) if counts else None
        outputs = []
        # Counts need some operator.
        for request in requests or [Request(abi.VKR_OP_COUNT, keys)]:
            column = moved.get(request.column.identity, in_order)
            info = _info(request, keys.size)
            info.input = functions().view(column._memory, column.dtype.kind)
            info.segments.kind, info.segments.byValue = abi.VKR_SEGMENTS_KEYS, by_value
            info.segments.keys = functions().view(in_order._memory, keys.dtype.kind)
            if not outputs:
                runs = info.segments.runs
                runs.uniqueKeys = found.view(unique)
                if counts:
                    runs.lengths = found.view(lengths)
                runs.countOutputCount = 1
                runs.countOutputs = ctypes.addressof(found.output)
            target = found.target(result_of(info))
            outputs.append(target)
            memory = target[2]
            info.output = abi.VkrBufferRange(memory.buffer, memory.offset, memory.size)
            record.call('vkrCmdReduce', info)
        record.kept.append(found)
    return [found.value(unique), found.value(lengths) if counts else None,
            *(found.value(target) for target in outputs[:len(requests)])]


def _info(request, count):
    info = abi.VkrReduceInfo(count=count, ops=request.op, accumulator=request.accumulator,
                             flags=request.flags, nan=request.nan,
                             determinism=request.determinism)
    info.input.type = request.column.dtype.kind
    return info


def _sorted(keys, requests, by_value):
    """The keys in order on the device, and the columns in the same order."""
    distinct, moved = {r.column.identity: r.column for r in requests}, {}
    if len(distinct) > abi.VKR_MAX_SORT_PAYLOADS:
        raise ValueError(f'{len(distinct)} arrays are given, but must be at most '
                         f'{abi.VKR_MAX_SORT_PAYLOADS}')
    in_order = Array(keys.shape, keys.dtype)
    with _host.recording() as record:
        info = abi.VkrSortInfo(flags=abi.VKR_SORT_BY_VALUE_BIT if by_value else 0,
                               count=keys.size, keys=keys.view(record),
                               sorted=functions().view(in_order._memory, keys.dtype.kind))
        payloads = (abi.VkrPayload * max(len(distinct), 1))()
        for payload, (key, column) in zip(payloads, distinct.items()):
            moved[key] = Array(column.shape, column.dtype)
            payload.size = column.dtype.itemsize
            payload.source = _range(column.memory(record), column.nbytes)
            payload.target = _range(moved[key]._memory, column.nbytes)
        info.payloadCount, info.payloads = len(distinct), ctypes.addressof(payloads)
        record.kept.append(payloads)
        record.call('vkrCmdSort', info)
    return in_order, moved


def _range(memory, size):
    return abi.VkrBufferRange(memory.buffer, memory.offset, size)


# ---- Reductions with keys ----

def requests(ops, a, by, axis, keepdims, where=None, *, dtype=None, flags=0, nan=None,
             determinism='run'):
    """Keys of an argument `by`, and a request for each operator."""
    for name, given in (('axis', axis is not None), ('keepdims', keepdims),
                        ('where', where is not None)):
        if given:
            raise ValueError(f'{name} is given, but must not be with by, whose groups are of '
                             'elements of one dimension')
    keys, column = source(by), source(a)
    check_keys(keys)
    check_column('the array', column, keys)
    nan = abi.VKR_NAN_PROPAGATE if nan is None else nan
    return keys, [Request(op, column, accumulator(op, column.dtype, dtype), flags, nan,
                          level(determinism)) for op in ops]


def run(op, a, axis, keepdims, *, by=None, least=0, where=None, **rest):
    """A reduction along axes or, where keys are given, the keys and a result for each."""
    if by is None:
        return _reduce.run(op, a, axis, keepdims, least=least, where=where, **rest)
    keys, _, values = grouped(*requests([op], a, by, axis, keepdims, where, **rest))
    return keys, values
