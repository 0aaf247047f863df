# SPDX-License-Identifier: MIT
"""Functions of elements and of results of their segments."""
from mutant import Mutant

APPLY = ('apply-lvp22-8',)
LARGE = ('apply-lvp22-8/test_large',)

MUTANTS = (
    Mutant('an exponential lacks the lower part of log 2', 'exp.glsl', 'f = f - rest;', 'f = f;',
           APPLY, ('apply_*',)),
    Mutant('a quotient is not corrected', 'ratio.glsl', 'q = q + more;', 'q = q;', APPLY,
           ('apply_*',)),
    Mutant('the sums of parts are added although their maxima differ', 'apply_parts.glsl',
           'uintBitsToFloat(part.y) * vkr_factor(part.x, top);', 'uintBitsToFloat(part.y);', LARGE,
           ('apply_*',)),
    Mutant('a mean is not corrected, so that equal elements have a deviation', 'apply_states.glsl',
           'mean = mean + vkr_ratio_of(vkr_sum_state(s, mean, false), count);', 'mean = mean;',
           APPLY, ('apply_*',)),
    Mutant('the means of parts count equally', 'apply_parts.glsl',
           'difference * vkr_size_of_part(i, count);', 'difference * float(push.share);', APPLY,
           ('apply_*',)),
    Mutant('a NaN of a row is left out', 'apply_teams.glsl',
           'return mix(keys, uvec4(~0u), greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)));',
           'return mix(keys, uvec4(0u), greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)));',
           APPLY, ('apply_*',)),
    Mutant('elements before the first whole quad are not the share\'s', 'quads.glsl',
           '0u : max(first, s.lead);', '0u : max(first, s.lead + 1u);',
           APPLY, ('apply_*',)),
    Mutant('ties of outputs of 16 bits are rounded up', 'quads.glsl',
           '(rest == tie && (whole & 1u) != 0u)', '(rest == tie)', APPLY, ('apply_*16',)),
    Mutant('segments between offsets begin at multiples of four elements', 'apply/pass.c',
           'a->lead = a->packed && !is_aligned ? 3 : 0;', 'a->lead = 0;', APPLY),
    Mutant('rows of whole quads may have fewer elements on the GPU', 'apply/pass.c',
           'a->info->gpuCount.buffer == VK_NULL_HANDLE;', 'true;', APPLY),
    Mutant('an output over the input may have another type', 'apply/apply.c',
           'a->output.type_id == a->input.type_id;', 'true;', ('refusals',)),
    Mutant('texels are counted from the first element', 'apply/pass.c',
           'start / a->input.type->size + first', 'first', APPLY),
    Mutant('a texel of 16-bit elements has only the first of its quads', 'quads.glsl',
           '(at & 1u) == 0u ? texel.xy', 'true ? texel.xy', APPLY, ('apply_texel_16*',)),
    Mutant('texels may lack the last elements', 'apply/pass.c',
           'texels->size >= a->input.offset + a->walk.count * size', 'texels->size >= 0', APPLY),
    Mutant('a workgroup has one listed segment', 'apply.comp', 'unit += push.groups',
           'unit = units', APPLY, ('apply_spans_*',)),
    Mutant('single elements are stored past a share', 'quads.glsl',
           'first + c >= begin && first + c < end)', 'first + c >= begin)', APPLY, ('apply_*',)),
)
