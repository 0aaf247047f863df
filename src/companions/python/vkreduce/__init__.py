# SPDX-License-Identifier: MIT
"""Reductions, scans, sorts, groups and histograms of arrays on any device that has Vulkan.

    import vkreduce as vk
    vk.sum(a); vk.max(a, axis=1); vk.argsort(a); vk.top_k(logits, 50)

Functions take arrays of numpy, whatever has a buffer, an __array_interface__ or __dlpack__, and
numbers in lists. Results are arrays of numpy, or memoryviews where it is
not installed. Arrays that vk.asarray has copied to the device stay there, and so do results that
are computed from them. The first call opens the device: the one that the environment's
VKREDUCE_DEVICE names by its index or a part of its name, else a GPU, else a CPU driver.
"""
from ._apply import log_softmax, rescale, share, softmax, standardise
from ._arrays import Array, asarray
from ._expand import expand
from ._group import group_by, histogram
from ._host import Device, batch, devices
from ._kept import trim
from ._library import DeviceError
from ._merge import merge
from ._mpi import mpi
from ._operator import reduce, scan
from ._pick import median, quantile, select, take
from ._reductions import (all, any, argmax, argmin, logsumexp, max, mean, min, minmax, nanargmax,
                          nanargmin, nanmax, nanmean, nanmin, nansum, nanvar, prod, std, sum, var)
from ._segments import segment_select, segment_top_k
from ._sets import count_nonzero, nonzero, unique_counts, unique_inverse, unique_values
from ._sort import (argsort, cumsum, cumulative_prod, cumulative_sum, lexsort, searchsorted, sort,
                    top_k)

from ._build import VERSION as __version__
__all__ = [name for name in dir() if not name.startswith('_') and name != 'abi']
