# SPDX-License-Identifier: MIT
"""Functions of each element and of results of all elements, or of those along an axis."""
from __future__ import annotations

import ctypes

from . import _host, abi
from ._arrays import converted, source
from ._dtypes import DTYPES
from ._results import Target, nothing
from ._sort import _Rows

TYPE_CHECKING = False  # but tools take it for true
if TYPE_CHECKING:
    from ._types import ArrayLike, DeviceLike, Optional, Result

_FLOAT = DTYPES['float32']
_KEPT = (_FLOAT, DTYPES['float16'], DTYPES['bfloat16'])


def _elements(a):
    """An array whose elements float32 can stand for. Those of numbers in lists, which have no type
    of their own, are rounded to it."""
    if isinstance(a, (int, float, list, tuple)):
        return source(converted(a, _FLOAT))
    given = source(a)
    if given.dtype.itemsize == 8:
        raise TypeError(f'the array has elements of type {given.dtype}, but must have elements of '
                        'at most 32 bits, since it is computed with in float32; convert it')
    return given


def _applied(function, a, axis):
    rows = _Rows(_elements(a), axis, flat=True)
    given = rows.source
    dtype = given.dtype if given.dtype in _KEPT else _FLOAT
    if given.size == 0:
        return rows.moved(nothing(given.shape, dtype, rows.on_device and rows.back is None))
    info = abi.VkrApplyInfo(function=function, count=given.size)
    rows.segments(info)
    with _host.recording() as record:
        info.input = given.view(record)
        if given.dtype not in _KEPT:
            unchanged = abi.VkrMap()  # but of type float32
            record.kept.append(unchanged)
            info.input.map = ctypes.addressof(unchanged)
        target = Target(record, given.shape, dtype, rows.on_device and rows.back is None)
        info.output = target.view()
        record.call('vkrCmdApply', info)
    return rows.result(target)


@_host.placed
def softmax(a: ArrayLike, axis: Optional[int] = None, *, device: DeviceLike = None) -> Result:
    """The exponentials of the elements, divided by their sum, of all elements, or of those along an
    axis: with x for a - max(a), exp(x) / sum(exp(x)). NaN where an element is NaN or +inf.

    >>> vk.softmax([3.0, 3.0]).tolist()
    [0.5, 0.5]
    """
    return _applied(abi.VKR_APPLY_SOFTMAX, a, axis)


@_host.placed
def log_softmax(a: ArrayLike, axis: Optional[int] = None, *, device: DeviceLike = None) -> Result:
    """The logarithms of the results of softmax, which are finite also where these would be 0.

    >>> vk.log_softmax([0.0, -200.0]).tolist()
    [0.0, -200.0]
    """
    return _applied(abi.VKR_APPLY_LOG_SOFTMAX, a, axis)


@_host.placed
def share(a: ArrayLike, axis: Optional[int] = None, *, device: DeviceLike = None) -> Result:
    """The elements, divided by their sum: a / sum(a) of all elements, or of those along an axis.

    >>> vk.share([1, 2, 5]).tolist()
    [0.125, 0.25, 0.625]
    """
    return _applied(abi.VKR_APPLY_SHARE, a, axis)


@_host.placed
def standardise(a: ArrayLike, axis: Optional[int] = None, *, device: DeviceLike = None) -> Result:
    """How many standard deviations the elements lie above their mean: (a - mean(a)) / std(a) of all
    elements, or of those along an axis, as scipy.stats.zscore. NaN where they are all equal.

    >>> vk.standardise([1.0, 3.0, 1.0, 3.0]).tolist()
    [-1.0, 1.0, -1.0, 1.0]
    """
    return _applied(abi.VKR_APPLY_STANDARDISED, a, axis)


@_host.placed
def rescale(a: ArrayLike, axis: Optional[int] = None, *, device: DeviceLike = None) -> Result:
    """The elements from 0 to 1: (a - min(a)) / (max(a) - min(a)) of all elements, or of those along
    an axis. NaN where they are all equal.

    >>> vk.rescale([20, 40, 25]).tolist()
    [0.0, 1.0, 0.25]
    """
    return _applied(abi.VKR_APPLY_RESCALED, a, axis)
