# SPDX-License-Identifier: MIT
"""The mutants.

Each changes one place of src/ or shaders/, found by its text, which must occur once in the file that
is named, or else once in all files of that kind.

`tests` are patterns of tests that should notice, in the order in which they run: those that notice
soonest come first. NAME/CASES runs only those cases of a test, by cmocka's * and ?. `modules` are those
of the shader modules that are compiled again, a part of those that the file is in.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    search: str
    replace: str
    tests: tuple
    modules: tuple = ()


STUB = ('schedule', 'recorder', 'growth', '*_trace', 'arguments*')
REDUCE = ('reduce-lvp22-8', 'reduce-lvp22-4', 'segments-lvp22-8')
SCAN = ('scan-lvp22-8', 'scan-lvp22-4', 'scan-*')
COMPACT = ('compact-lvp22-8', 'compact-lvp22-4', 'compact-*')
SEGMENTS = ('segments-lvp22-8', 'segments-lvp22-4', 'segments-*')
PROGRESS = ('progress-lvp22-8*', 'scan-lvp22-8', 'compact-lvp22-8', 'progress-*')
WORDS = ('reduce_w32_arithmetic', 'reduce_w32_shuffle', 'reduce_w32_shared')
SCANS = ('scan_w32_*', 'tiles_w32_*')
TILES = ('tiles_w32_*',)
COMPACTS = ('compact_w32_*',)

MUTANTS = (
    # ---- Barriers between steps, and what starts and ends a recording ----
    Mutant('no barrier before the second level', 'schedule.c',
           'if (level > 0) {', 'if (level > 1) {', STUB),
    Mutant('the fill of the counters is not waited for', 'schedule.c',
           'b.src_stages |= TRANSFER;', 'b.src_stages |= 0;', STUB),
    Mutant('the fill of the counters is not made visible', 'schedule.c',
           'b.src_access |= VK_ACCESS_TRANSFER_WRITE_BIT;', 'b.src_access |= 0;', STUB),
    Mutant('written arguments are not waited for', 'schedule.c',
           'b.dst_stages |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;', 'b.dst_stages |= 0;', STUB),
    Mutant('written arguments are not made visible', 'schedule.c',
           'b.dst_access |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;', 'b.dst_access |= 0;', STUB),
    Mutant('scratch is used again without a barrier', 'schedule.c',
           'if (recording->scratch_used_before) {', 'if (!recording->cmd) {', STUB),
    Mutant('the consumer does not wait', 'schedule.c',
           'if (recording->consumer_stages) {', 'if (!recording->cmd) {', STUB),
    Mutant('the counters are not cleared', 'schedule.c',
           'const bool fill = recording->counter_size > 0;',
           'const bool fill = recording->counter_size > 4096;', STUB),
    Mutant('a pipeline stays bound', 'schedule.c',
           'if (step->pipeline != *bound) {', 'if (!*bound) {', STUB),
    Mutant('indirect dispatches at offset 0', 'schedule.c',
           'step->indirect.buffer, step->indirect.offset);', 'step->indirect.buffer, 0);', STUB),
    Mutant('ranges that touch overlap no longer', 'levels.c',
           'return a < b ? b - a < a_size : a - b < b_size;',
           'return a < b ? b - a + 1 < a_size : a - b + 1 < b_size;', STUB),
    # ---- Keys of pipelines ----
    Mutant('the key of a pipeline lacks the kernel', 'pipeline.c',
           'return a->kernel == b->kernel && a->', 'return a->', REDUCE + STUB),
    Mutant('the key of a pipeline lacks the last constant', 'pipeline.c',
           'memcmp(a->constants, b->constants, a->constant_count * sizeof a->constants[0])',
           'memcmp(a->constants, b->constants, (a->constant_count - 1) * sizeof a->constants[0])',
           SCAN + REDUCE),
    # ---- Walks and windows ----
    Mutant('a window has one element too many', 'walk.c',
           'const uint64_t end = last->first + last->count;',
           'const uint64_t end = last->first + last->count - (last->count > 1);', STUB + SCAN),
    Mutant('the slack of a window is forgotten', 'slot.c',
           ': (caps->max_range - slack - place->size) / place->stride + 1;',
           ': (caps->max_range - place->size) / place->stride + 1;', STUB + SCAN),
    Mutant('the lead of a window is not counted', 'walk.c',
           'vkr_divide_up(count + lead, vkr_walk_unit(w))',
           'vkr_divide_up(count, vkr_walk_unit(w))', STUB + SCAN),
    Mutant('texels start at the buffer', 'walk.c',
           'start = view->offset + window->first * view->stride - texels->offset;',
           'start = view->offset + window->first * view->stride;', SCAN),
    Mutant('a reversed walk goes forward', 'walk.c',
           'window.first = w->reverse ? left - window.count : done;', 'window.first = done;',
           STUB + SCAN),
    # ---- Checks of arguments ----
    Mutant('an odd offset is accepted', 'check.c',
           'if (view->offset % type->size)', 'if (view->offset % type->size > 1)',
           ('arguments*',)),
    Mutant('a range of 2^64 bytes is accepted', 'check.c',
           'if (range->size > UINT64_MAX - range->offset)', 'if (!range->buffer)',
           ('arguments*',)),
    Mutant('the last element needs its stride', 'check.c',
           '(view->size - element_size) / view->stride + 1', 'view->size / view->stride',
           ('arguments*', 'reduce-lvp22-8')),
    Mutant('texels may end before the view', 'check.c',
           'texels->offset + texels->size + VKR_PACK <= view->offset + view->size',
           'texels->offset + texels->size + 2 * VKR_PACK <= view->offset + view->size',
           ('arguments*',)),
    # ---- Ladder ----
    Mutant('the path below is not stepped down to', 'context.c',
           'if (limits->rung && limits->rung < facts->rung)', 'if (limits->rung > VKR_RUNG_SHARED)',
           ('minspec', 'arguments*', 'reduce-minspec*')),
    Mutant('the self-test keeps a path with wrong answers', 'selftest.c',
           'while (rung < VKR_RUNG_SHARED && report->wrong[rung] != 0)',
           'while (rung < VKR_RUNG_SHARED && report->checks[rung] == 0)', ('selftest*',)),
    # ---- Flat reductions ----
    Mutant('an invocation goes beyond the end', 'load.glsl',
           'return VkrWalk(first, min(units, left), stride);',
           'return VkrWalk(first, units, stride);',
           ('reduce-lvp22-8/test_dot_phases',), ('reduce_w32_u64_arithmetic',)),
    Mutant('head and tail twice', 'reduce.comp',
           'if (group == 0u) {',
           'if (group <= 1u) {',
           ('reduce-lvp22-8/test_dot_phases',), ('reduce_w32_u64_arithmetic',)),
    Mutant('the tail is at the head', 'reduce.comp',
           'uint i = k < head ? k : k + body;',
           'uint i = k;',
           ('reduce-lvp22-8/test_dot_phases',), ('reduce_w32_u64_arithmetic',)),
    Mutant('the last workgroup but one ends the reduction', 'reduce.comp',
           '+ 1u == push.groups ? 1u : 0u;',
           '+ 2u == push.groups ? 1u : 0u;',
           ('reduce-lvp22-8/test_dot_phases',), ('reduce_w32_u64_arithmetic',)),
    Mutant('no barrier between levels of shared memory', 'workgroup.glsl',
           '                vkr_store_state(lane, true, s.of[VKR_AT(c)]);\n            }\n            barrier();',
           '                vkr_store_state(lane, true, s.of[VKR_AT(c)]);\n            }',
           ('edges-lvp22-8/test_sums',), ('reduce_w32_shared',)),
    Mutant('no barrier before subgroups are combined', 'workgroup.glsl',
           '    barrier();\n    if (gl_SubgroupID != 0u)',
           '    if (gl_SubgroupID != 0u)',
           ('edges-lvp22-8/test_sums',), ('reduce_w32_shuffle',)),
    # ---- Counts of the GPU ----
    Mutant('the count of the GPU is not clamped', 'count.glsl',
           'total = vkr_minimum(total, count);',
           'total = count;',
           ('edges-lvp22-8/test_counts',), ('reduce_w32_arithmetic',)),
    Mutant('the count of the GPU has 32 bits', 'count.glsl',
           'if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u)',
           'if (VKR_FLAGS == ~0u)',
           ('edges-lvp22-8/test_counts',), ('reduce_w32_arithmetic',)),
    Mutant('a window behind the count is not empty', 'count.glsl',
           'if (!vkr_less(first, total))',
           'if (VKR_FLAGS == ~0u)',
           ('edges-lvp22-8/test_counts',), ('reduce_w32_arithmetic',)),
    # ---- Scans ----
    Mutant('an initial value counts as nothing', 'scan.comp',
           'return starts && !VKR_INITIAL;',
           'return starts;',
           ('edges-lvp22-8/test_initial_nan',), ('scan_f32_shuffle', 'tiles_f32_shuffle')),
    Mutant('segments do not start', 'scan.comp',
           's.head = 1u;',
           's.head = 0u;',
           ('edges-lvp22-8/scan: rows',), ('scan_w32_shuffle', 'tiles_w32_shuffle')),
    Mutant('the top level forgets the initial value', 'scan.comp',
           'if (is_top)\n        s = vkr_initial();',
           'if (is_top)\n        s = vkr_scan_identity();',
           ('scan-lvp22-8/test_pieces',), ('scan_f32_shuffle', 'scan_f32_shared')),
    Mutant('partials are scanned inclusively', 'scan.comp',
           's = vkr_scan_combine(vkr_initial(), s);',
           's = vkr_scan_combine(s, vkr_initial());',
           ('edges-lvp22-8/scan: forward',), ('scan_w32_shuffle',)),
    Mutant('a look-back adds totals in place of prefixes', 'tiles.glsl',
           'tile + 1u == prefix ? VKR_TILE_PREFIX : VKR_TILE_TOTAL',
           'VKR_TILE_TOTAL',
           ('progress-lvp22-8*/scan: muted',), ('tiles_w32_shuffle',)),
    Mutant('a tile publishes its prefix without its total', 'tiles.glsl',
           'vkr_publish(tile, VKR_TILE_PREFIX, vkr_scan_combine(seen, total));',
           'vkr_publish(tile, VKR_TILE_PREFIX, seen);',
           ('edges-lvp22-8/tiles: rows', 'progress-lvp22-8*/scan: muted'), ('tiles_w32_shuffle',)),
    Mutant('a missing tile is not computed', 'tiles.glsl',
           'seen = vkr_scan_combine(vkr_total_of_tile(next - 1u), seen);',
           '',
           ('progress-lvp22-8*/scan: muted',), ('tiles_w32_shuffle',)),
    Mutant('a ticket is drawn before the others have stored', 'ticket.glsl',
           '    if (!vkr_is_one_row())\n        barrier();\n',
           '',
           ('edges-lvp22-8/scan: windows, shared', 'edges-lvp22-8/scan: offsets, shared'), ('scan_w32_shared',)),
    Mutant('a pass goes beyond the elements', 'passes.comp',
           'else if (i < vkr_covered_count)',
           'else',
           ('edges-lvp22-8/passes: doubling',), ('passes_w32',)),
    Mutant('bits of heads are of the wrong word', 'heads.comp',
           '1u << low % 32u',
           '1u << (low + 1u) % 32u',
           ('edges-lvp22-8/scan: offsets, shared',), ('heads',)),
    # ---- Compactions ----
    Mutant('the last unit has all its elements', 'compact.comp',
           'return end < VKR_STEP ? bits & ((1u << end) - 1u) : bits;',
           'return bits;',
           ('edges-lvp22-8/unique: coalesced',), ('compact_w32_shuffle',)),
    Mutant('the first element of a unit is compared with none', 'compact.comp',
           'kept.is[k] = (bits != before || (k == 0u && first)) != VKR_NEGATE;',
           'kept.is[k] = (bits != before || k == 0u) != VKR_NEGATE;',
           ('edges-lvp22-8/unique: coalesced',), ('compact_w32_shuffle',)),
    Mutant('kept elements leave their window', 'compact.comp',
           'if (vkr_kept_at < push.kept_count) {',
           'if (vkr_kept_at <= push.kept_count) {',
           ('edges-lvp22-8/unique: coalesced',), ('compact_w32_shuffle',)),
    Mutant('indices have 32 bits', 'compact.comp',
           'vkr_kept_indices[to + 1u] = index.y;',
           'vkr_kept_indices[to + 1u] = 0u;',
           ('edges-lvp22-8/unique: coalesced',), ('compact_w32_shuffle',)),
    Mutant('a counted look-back forgets its own tile', 'lookback.glsl',
           'vkr_publish(tile, VKR_TILE_PREFIX | (before + total));',
           'vkr_publish(tile, VKR_TILE_PREFIX | before);',
           ('progress-lvp22-8*/partition: muted',), ('compact_w32_shuffle',)),
    Mutant('payloads ignore the position to append at', 'payload.comp',
           'uvec2 place = vkr_add(vkr_add(listed, append), uvec2(entry, 0u));',
           'uvec2 place = vkr_add(listed, uvec2(entry, 0u));',
           ('edges-lvp22-8/unique: coalesced',), ('payload_32',)),
    Mutant('counts of dispatches are rounded down', 'arguments.comp',
           'if (rest != uvec2(0u))',
           'if (b == 0u)',
           ('edges-lvp22-8/unique: coalesced',), ('arguments',)),
    Mutant('counts exceed the capacity', 'arguments.comp',
           'number = vkr_minimum(number, uvec2(push.capacity_low, push.capacity_high));',
           '',
           ('edges-lvp22-8/unique: coalesced',), ('arguments',)),
    # ---- Segments ----
    Mutant('a segment has one element too many', 'segment.comp',
           'if (k < part.count)\n',
           'if (k <= part.count)\n',
           ('edges-lvp22-8/test_segments',), ('segment_w32_shuffle', 'segment_w32_shared')),
    Mutant('a segment starts at its first whole unit', 'segment.comp',
           'uint k = i < head ? i : i + body;',
           'uint k = i + body;',
           ('edges-lvp22-8/test_segments',), ('segment_w32_shuffle', 'segment_w32_shared')),
    Mutant('blocks of windows keep their indices', 'segment.comp',
           'blocks.state[VKR_AT(c)].argmin.index.x -= least == ~0u ? 0u : part.first;',
           '',
           ('edges-lvp22-8/test_segments',), ('segment_w32_shuffle', 'segment_w32_shared')),
)
