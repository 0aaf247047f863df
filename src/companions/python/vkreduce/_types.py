# SPDX-License-Identifier: MIT
"""Names for annotations, which are imported by tools only: the package itself does without typing,
since that takes longer to import than all the rest."""
from typing import Any, Dict, Iterator, List, Optional, Protocol, Sequence, Tuple, Union

from ._arrays import Array
from ._dtypes import DType
from ._host import Device


class HasInterface(Protocol):
    """An array as numpy describes it."""

    @property
    def __array_interface__(self) -> Dict[str, Any]: ...


class HasDLPack(Protocol):
    """An array of another package."""

    def __dlpack__(self) -> Any: ...


Number = Union[bool, int, float]
ArrayLike = Union[Array, HasInterface, HasDLPack, bytes, bytearray, memoryview, Number,
                  Sequence[Number], Sequence[Sequence[Number]]]
Axis = Union[None, int, Tuple[int, ...]]
DeviceLike = Union[None, int, str, Device]
DTypeLike = Union[None, str, DType, type, Any]
# An array of numpy or a number, or without numpy a memoryview or a number; an Array where an
# argument is one, and in batches.
Result = Any

__all__ = ['Any', 'Array', 'ArrayLike', 'Axis', 'Device', 'DeviceLike', 'DType', 'DTypeLike',
           'Iterator', 'List', 'Optional', 'Result', 'Sequence', 'Tuple', 'Union']
