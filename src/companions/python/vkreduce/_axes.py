# SPDX-License-Identifier: MIT
"""Axes of arrays as what the library has: wholes, rows and columns."""
import collections

from ._arrays import source
from ._dtypes import numpy, size_of

# A reduction of `parts` blocks, each of `length` times `width` elements: of columns if width is
# more than 1, else of all blocks' rows at once. `shape` is that of the results, `on_device` says
# where they are wanted, and `moved` whether the source is a copy with the axes as the last ones.
Plan = collections.namedtuple('Plan', 'source parts length width shape whole on_device moved')

MOST_PARTS = 64  # blocks of columns that take an operation each; more are copied


def normal(axis, ndim):
    """Axes in order, without repetition; all of them for None."""
    if axis is None:
        return tuple(range(ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    for a in axes:
        if not -ndim <= a.__index__() < ndim:
            raise ValueError(f'axis {a} is out of bounds for an array of dimension {ndim}')
    axes = sorted(a.__index__() % ndim for a in axes)
    if len(set(axes)) != len(axes):
        raise ValueError(f'axis is {axis}, but must not name an axis twice')
    return tuple(axes)


def moved_last(given, axes):
    """A copy of an array on the host whose axes are the last ones."""
    rest = [i for i in range(len(given.shape)) if i not in axes]
    if numpy() is None:
        raise TypeError('without numpy, arrays of more than one dimension are handled along their '
                        'first and last axes only')
    return source(numpy().ascontiguousarray(numpy().transpose(given.host(), rest + list(axes))))


def plan(value, axis, keepdims=False, columns=True):
    """How an array is reduced along axes; without `columns` as rows only."""
    given = source(value)
    axes = normal(axis, len(given.shape))
    whole = len(axes) == len(given.shape)
    shape = tuple(1 if i in axes else n for i, n in enumerate(given.shape)
                  if keepdims or i not in axes)
    if not axes:
        return Plan(given, given.size, 1, 1, shape, False, given.on_device, False)
    length = size_of(given.shape[i] for i in axes)
    width = size_of(given.shape[axes[-1] + 1:])
    parts = size_of(given.shape[:axes[0]])
    beside = axes[-1] - axes[0] + 1 == len(axes)
    on_device = given.on_device
    moved = not beside or (width > 1 and (parts > MOST_PARTS or not columns))
    if moved:
        given = moved_last(given, axes)
        parts, width = given.size // length if length else size_of(shape), 1
    return Plan(given, parts, length, width, shape, whole, on_device, moved)
