# SPDX-License-Identifier: MIT
"""Histograms."""
from mutant import Mutant

MUTANTS = (
    Mutant('each number of bins has a pipeline of its own', 'histogram_plan.c',
           'return rounded <= max ? (uint32_t)rounded : words;', 'return words;',
           ('plans',)),
    Mutant('counts that accumulate start at 0', 'histogram_plan.c',
           'const bool clears = (info->flags & VKR_HISTOGRAM_ACCUMULATE_BIT) == 0;',
           'const bool clears = info->flags != ~0u;', ('histogram-lvp22-8/test_pieces',)),
    Mutant('the last bin is never closed', 'bins.c',
           '(b->is_closed ? VKR_EDGES_FLAG_CLOSED : 0)', '(b->is_closed ? 0u : 0u)',
           ('histogram-lvp22-8/test_neighbours',)),
    Mutant('components share the limits of the first one', 'bins.glsl',
           'vkr_limits_stride = tables == 1u ? 0u : words;', 'vkr_limits_stride = 0u;',
           ('histogram-lvp22-8/test_pairs',), ('histogram_*',)),
    Mutant('NaN counts as below or above', 'bins.glsl',
           'return vkr_is_nan(bits) ? VKR_NO_NUMBER : is_in ? k : outside;',
           'return is_in ? k : outside;', ('histogram-lvp22-8/test_pairs',), ('histogram_*',)),
    Mutant('an edge between integers counts as the one above', 'edge.glsl',
           'uvec2(is_between ? 1u : 0u, 0u)', 'uvec2(0u)',
           ('histogram-lvp22-8/test_equal_bounds',), ('edges_*_even',)),
    Mutant('a logarithm loses the lowest bit of its number', 'log2_edges.glsl',
           'uint(63 - top)).low.xy;', 'uint(63 - top)).low.xy & uvec2(~1u, ~0u);',
           ('histogram-lvp22-8/test_neighbours',), ('edges_i32_log2',)),
    Mutant('ties of weights and texels are rounded up', 'nearest.glsl',
           '(whole & 1) != 0 ? 0.5 : 0.50000006', '0.5',
           ('histogram-lvp22-8/test_pairs', 'tiles-lvp22-8'),
           ('histogram_*', 'write_*')),
    Mutant('logarithmic bins are estimated as even ones are', 'histogram_plan.c',
           'return VKR_FINDING_LOG2;', 'return VKR_FINDING_ESTIMATE;',
           ('histogram-lvp22-8/test_pairs',)),
)
