# SPDX-License-Identifier: MIT
"""What the compilers may make of the library's pipelines.

A limit is today's worst value and a tenth, for other versions of the compiler; processor time
doubles where other programs use the same cores, so its limits are three times today's. A limit that
has become generous is named at the end of the test's output.
"""
import re

# What the columns mean: limits are the most, except for those in AT_LEAST.
#   words         of the module that the driver gets, which decide how long it compiles
#   registers     of an invocation
#   simd          lanes of a subgroup on Intel; fewer than 16 say that 16 would have spilled
#   waves         subgroups that one core holds at a time, on Adreno
#   threads       the same on Mali, where half of the registers allow two
#   local         bytes of memory for what registers do not hold
#   spills        stores there, and fills are loads; on AMD spilled registers of both kinds
#   code          bytes, and instructions where a compiler does not tell the bytes
#   barriers      instructions in the code
#   swizzles      ds_bpermute, ds_swizzle: AMD's shuffles by way of shared memory
#   flight        bytes that are loaded before the first wait for any of them, on AMD
#   ms            processor time of the compiler
AT_LEAST = ('simd', 'waves', 'threads', 'flight')

# Of the operations. Turnip cannot bind more than 128 MiB at once, which single passes need.
COUNT_LOG2 = {'radv': 28, 'intel': 28, 'nvidia': 28, 'adreno': 24, 'mali': 28}

# The limits of all pipelines that no row below names.
DEFAULTS = {
    'radv': {'words': 16384, 'registers': 64, 'local': 0, 'spills': 0, 'code': 8192, 'barriers': 9,
             'swizzles': 48, 'flight': 0, 'ms': 1500},
    'intel': {'simd': 16, 'local': 0, 'spills': 0, 'fills': 0, 'instructions': 1600, 'barriers': 9,
              'ms': 1500},
    'nvidia': {'registers': 88, 'local': 0, 'code': 40000, 'barriers': 9, 'ms': 1500},
    'adreno': {'registers': 24, 'waves': 4, 'spills': 0, 'fills': 0, 'instructions': 2500,
               'barriers': 9, 'ms': 1500},
    'mali': {'threads': 1, 'spills': 0, 'fills': 0, 'instructions': 4000, 'ms': 1500},
}

# Pipelines with other limits: the vendors, a pattern for CASE.STEP.KERNEL, why, and the limits. Of
# several rows the last one counts.
ROWS = []


def row(vendors, pattern, reason, **allowed):
    ROWS.append((vendors.split(), pattern, reason, allowed))


# ---- Modules ----

row('radv', r'reduce_f32_fused\..*', 'four operators', words=20000)
row('radv', r'(rows_(8|64)(_sum)?|offsets_f32x3)\..*', 'whole states are copied, with unused rows',
    words=17500)
row('radv', r'reduce_f32_logsumexp\..*', 'its states are joined in four places, each with an exp',
    words=22000)
row('radv', r'histogram_(f32_log2|u8)\.0\..*', 'limits of bins', words=18500)
row('radv', r'image_.*', 'formats are decided when the module runs', words=22000)
row('radv', r'reduce_f32x3_minmax\..*', 'an item of each component is a branch', words=20900)
row('radv', r'pyramid_.*', '16 texels in registers; each of 12 levels has a store of its own',
    words=39500, registers=88, code=15800)
row('radv', r'quantile\..*', 'numbers of three words', words=20000)
row('radv', r'reduce_f32_l2\..*', 'each element is squared at three scales', words=18500)
row('radv', r'reduce_f32_stddev\..*', 'each merge of two spreads has 40 operations on pairs of '
    'floats, moves both to one scale, and none of them is a function that is called', words=111300,
    code=31700, swizzles=92)

# ---- Streams: an invocation has four loads of 16 bytes under way ----

row('radv', r'reduce_(?!.*_device|.*_(subgroup|tree)\.).*', 'reductions', flight=64)
row('radv', r'reduce_.*_device\.0\..*', 'reductions', flight=64)
row('radv', r'rows_4096.*', 'rows', flight=64)
row('radv', r'compact_payload\.1\.move_.*', 'payloads', flight=64)
row('radv', r'rows_8(_sum)?\..*', 'rows of two loads', swizzles=0, flight=32, code=840)
row('radv', r'scan_f32_sum_device\.[123]\..*', 'levels load 16 partials', flight=64)
row('radv', r'rows_64\..*', 'Vega and Polaris have no other shuffle by 4; navi21 needs none',
    swizzles=2, flight=64, code=1700)
row('radv', r'rows_64_sum\..*', 'the same', swizzles=4, flight=64, code=1700)
row('radv', r'(columns_1024\.0|windows_1024\.[03]|windows_64\.[01])\..*', 'neighbours', swizzles=0,
    flight=64)
row('radv', r'reduce_f16_sum_device\.0\..*', '32 halves become floats at once, in the rows of a '
    'block and again in its last row', code=9600, flight=64)

# ---- Scans and compactions: a workgroup has its tile in registers ----

row('radv', r'scan_(f32|u32)_two_passes\.0\..*', 'runs', flight=116)
row('radv', r'scan_(f32|u32)_two_passes\.1\..*', 'subgroup arithmetic', barriers=4,
    swizzles=0, flight=64)
row('radv', r'scan_u8_columns\.[04]\..*', 'four rows of 16 values each are unrolled', code=9800)
row('radv', r'scan_(u32_sum|u8_exclusive|u8_sum|f32_sum)\.0\..*', 'subgroup arithmetic',
    barriers=7, swizzles=0, flight=64)
row('radv', r'scan_f32_sum\.0\..*', 'strands, in one pass', words=18200)
row('radv', r'scan_u32_(flags|bytes)\.0\.heads.*', 'starts of segments become bits', flight=84)
row('radv', r'scan_.*_(flags|bytes|rows)\..\.tiles_.*', 'bits of starts are loaded with the tile',
    words=20500, code=12200, barriers=5, swizzles=20, flight=64)
row('radv', r'(runs|keys|scan)_.*\.keyed_.*', 'keys are loaded with the tile, and runs are staged',
    words=23700, code=12200, barriers=7, swizzles=20, flight=112)
row('radv', r'unique_lengths\..*', 'keys only, and the key before each pack', registers=52,
    words=15800, barriers=7, swizzles=0, flight=80)
row('radv', r'(compact|compact_(indices|single|bytes|words)|partition|unique)\.0\..*', 'tiles',
    flight=64,
    registers=52, barriers=5, swizzles=0)
row('radv', r'unique\.0\..*', 'the element before each pack is loaded with the tile', flight=80)
row('radv', r'compact_indices\.0\..*', 'values and indices are staged, one after the other',
    words=18200)
row('radv', r'predicate_f32\.0\..*', 'a tile, into which a function is linked', flight=64,
    registers=40, barriers=5, swizzles=0, code=9300)

# ---- Counting ----

row('radv', r'histogram_.*\.histogram_f(16|32)', 'atomics in shared memory are what takes time',
    code=10900, flight=64)
row('radv', r'histogram_f32_4096\.1\..*', 'sixteen edges are loaded at once', registers=92)
row('radv', r'quantile\..*', 'one workgroup that runs once', code=9500)

# ---- Sorting: tiles of keys are ranked in registers and reordered in shared memory ----

row('radv', r'sort_.*\.sort_scatter_.*', 'tiles, with each source and each target of a pass',
    registers=80, code=16100, barriers=12, flight=48)
row('radv', r'select_(rows|offsets)\..*', 'all digits of a row, and its tallies, in one workgroup',
    barriers=14)
row('radv', r'sort_sweep_.*\.sort_sweep_.*', 'the same, and a look-back', code=17300, barriers=18)
row('radv', r'(log_)?softmax(\.[02]|_rows\.0|_offsets\.[1235])\..*', 'quads', flight=64)
row('radv', r'softmax_offsets\.2\..*', 'the loop over listed segments keeps the places of quads',
    registers=80)
row('radv', r'softmax_short\..*', 'elements of 16 bits, four of them at once or one by one',
    code=11600, flight=32)
row('radv', r'merge_u32\.1\..*', 'fifteen keys and entries, each of one of two arrays', code=10900,
    flight=108)
row('radv', r'sort_u32_rows\..*', 'twelve keys, values and places', registers=97, barriers=14,
    flight=48)
row('radv', r'sort_u32_long\..*', 'twenty keys in one workgroup', registers=132, barriers=11,
    flight=80)

row('intel', r'sort_.*\.sort_scatter_.*', 'twelve keys, and with values 36 registers of each lane; '
    'three sources and three targets, of full tiles and of others', simd=8, instructions=3510,
    barriers=12)
row('intel', r'sort_sweep_.*\.sort_sweep_.*', 'the same, and a look-back', simd=8,
    instructions=3940, barriers=16)
row('intel', r'sort_u32_short\..*', 'nine keys and values that are exchanged', simd=8)

# ---- Many states ----

row('radv', r'columns_(u8x4|f32x4)\.0\..*', 'rows of a column', flight=64)
row('radv', r'reduce_f(16|32)x4_all_device\.0\..*', '44 states: one element is loaded at a time',
    registers=92, flight=16)
row('radv', r'reduce_f(16|32)x4_all_device\.[1-9]\..*', '44 states', words=20400, registers=92,
    code=9050)

# ---- Intel ----

row('intel', r'reduce_f32_stddev\..*', 'as above', instructions=5400, ms=4800)
row('intel', r'reduce_f32_logsumexp\..*', 'as above', instructions=1840)
row('intel', r'(compact|compact_indices|partition)\.0\..*', 'tiles', instructions=2100)
row('intel', r'merge_u32\.1\..*', 'fifteen keys and entries, each of one of two arrays', simd=8,
    instructions=2370)
row('intel', r'select_(rows|offsets)\..*', 'all digits of a row, and its tallies, in one workgroup',
    instructions=2020, barriers=15)
row('intel', r'softmax_offsets\.[12]\..*', 'four quads, and where they lie', simd=8,
    instructions=1770)
row('intel', r'softmax_short\..*', 'elements of 16 bits, four of them at once or one by one',
    instructions=2350)
row('intel', r'scan_(u32|f32|i32_max|u8)_(flags|bytes|rows)\..\.tiles_.*', 'the tile, the starts '
    'and their prefixes need more than 128 registers of 16 lanes', simd=8, instructions=2500)
row('intel', r'(runs|keys|scan)_.*\.keyed_.*', 'keys and elements of a tile, and what is known of '
    'its runs', simd=8, instructions=1900)
row('intel', r'unique_lengths\..*', 'keys only', instructions=1280)
row('intel', r'scan_u8_(sum|exclusive)\..*', '64 results of 32 bits and the bytes they come from',
    simd=8)
row('intel', r'histogram_f(16|32)\.1\..*', 'atomics in shared memory are what takes time',
    instructions=2250)
row('intel', r'histogram_f32_log2\.0\..*', 'a dispatch of a few workgroups', simd=8)
row('intel', r'quantile\..*', 'one workgroup that runs once', simd=8, instructions=1850)
row('intel', r'pyramid_(pair|rgba8)\..*', '16 texels in registers; a store for each of 12 levels',
    simd=8, instructions=1950)
row('intel', r'pyramid_rgba16f\..*', 'the same, of four channels', simd=8, instructions=3650)
row('intel', r'predicate_f32\.0\..*', 'a tile, into which a function is linked', instructions=2400)
row('intel', r'offsets_f32x3\.0\..*', 'states of 6 floats at both ends', simd=8, ms=5200)
row('intel', r'(rows_65536_f32x4|offsets_f32x3)\.[01]\..*', 'the same', ms=5200)
row('intel', r'reduce_f(16|32)x4_all_device\..*', '44 states', simd=8, ms=2400)
row('intel', r'(reduce_f32x3_sum_device\.0|image_.*)\..*', 'three components, four channels',
    ms=2700)

# ---- NVIDIA: code has 16 bytes an instruction, and a loop over units is unrolled ----

row('nvidia', r'reduce_f32_stddev\..*', 'as above; a variable indexes an array',
    registers=112, local=70, code=108500, ms=3000)
row('nvidia', r'reduce_f32_logsumexp\..*', 'as above', code=44800)
row('nvidia adreno', r'(select|top|(log_)?softmax|standardised).*', 'levels of a tree are unrolled',
    barriers=33)
row('nvidia', r'softmax_offsets\.2\..*', 'four quads, and where they lie', registers=117)
row('nvidia', r'softmax_short\..*', 'elements of 16 bits, four of them at once or one by one',
    code=49900)
row('nvidia', r'scan_u8_columns\.[04]\..*', 'four rows of 16 values each are unrolled',
    registers=125)
row('nvidia', r'reduce_f32x3_.*\.0\..*', 'three components', registers=101, ms=2100)
row('nvidia', r'reduce_f32x3_sum_device\.[1-9]\..*', 'three components and unrolled levels of the '
    'tree', barriers=26)
row('nvidia', r'reduce_f16_sum_device\.0\..*', '32 halves become floats at once', registers=106)
row('nvidia', r'scan_(f32|u32)_two_passes\.1\..*', 'units are unrolled in four versions',
    code=57500)
row('nvidia', r'scan_.*_(flags|bytes|rows)\..\.tiles_.*', 'the same, with bits of starts',
    registers=100, code=70500)
row('nvidia', r'(runs|keys|scan)_.*\.keyed_.*', 'keys and elements of a tile, and what is known of '
    'its runs', registers=106, code=69000)
row('nvidia', r'unique_lengths\..*', 'keys only', registers=76, code=41600)
row('nvidia', r'histogram_f16\.1\..*', '16 halves are an array that a variable indexes', local=70)
row('nvidia', r'histogram_f32_log2\.0\..*', 'a dispatch of a few workgroups, with a table of '
    'constants that a variable indexes', registers=98, local=422)
row('nvidia', r'quantile\..*', 'one workgroup that runs once', code=41300, barriers=20)
row('nvidia', r'columns_f32x4\.0\..*', 'four columns', registers=107)
row('nvidia', r'sort_.*\.sort_scatter_.*', 'sixteen keys, their equals, places and values; loads '
    'and stores of full tiles and of others', registers=119, code=90500, barriers=13)
row('nvidia', r'sort_sweep_.*\.sort_sweep_.*', 'twelve keys, their equals and values, and a '
    'look-back', registers=74, code=73000, barriers=18)
row('nvidia', r'sort_u32_long\..*', 'twenty keys in one workgroup', registers=128, code=48000,
    barriers=11)
row('nvidia', r'sort_u32_rows\..*', 'twelve keys, values and places', registers=98, barriers=14)
row('nvidia', r'offsets_f32x3\.0\..*', 'states of 6 floats at both ends', ms=3900)
row('nvidia', r'reduce_f(16|32)x4_all_device\..*', '44 states', registers=168)

# ---- Adreno: registers have four words ----

row('adreno', r'reduce_f32_stddev\..*', 'as above', instructions=6000, ms=2700)
row('adreno', r'reduce_f32_logsumexp\..*', 'as above', instructions=5760)
row('adreno', r'select_(16|offsets)\..*', 'elements are compared with the keys of all ranks',
    registers=53, waves=2, instructions=3110)
row('adreno', r'softmax_offsets\.[12]\..*', 'four quads, and where they lie', instructions=2950)
row('adreno', r'softmax_short\..*', 'elements of 16 bits, four of them at once or one by one',
    instructions=3400)
row('adreno', r'merge_u32\.1\..*', 'fifteen keys and entries, each of one of two arrays',
    instructions=4990)
row('adreno', r'reduce_.*_sum_device\..*', 'unrolled levels of the tree', barriers=26)
row('adreno', r'partition\.0\..*', 'a tile and two outputs', instructions=3300)
row('adreno', r'scan_.*_(flags|bytes|rows)\..\.tiles_.*', 'bits of starts are loaded with the tile',
    instructions=4900)
row('adreno', r'histogram_b?f16\.1\..*', '32 halves become floats at once', registers=53, waves=2)
row('adreno', r'histogram_f32_4096\.1\..*', 'sixteen edges are loaded at once', registers=46,
    waves=2)
row('adreno', r'sort_.*\.sort_scatter_.*', 'tiles, with each source and each target of a pass',
    instructions=4980, barriers=13)
row('adreno', r'sort_sweep_.*\.sort_sweep_.*', 'the same, and a look-back', instructions=5420,
    barriers=18)
row('adreno', r'sort_u32_rows\..*', 'twelve keys, values and places', registers=53, waves=2,
    barriers=14)
row('adreno', r'quantile\..*', 'one workgroup that runs once', instructions=3150, barriers=20)
row('adreno', r'pyramid_rgba(8|16f)\..*', 'nine texels of four channels', registers=40, waves=2)
row('adreno', r'offsets_f32x3\.0\..*', 'states of 6 floats at both ends', ms=9800)

# ---- Mali: 64 registers, and loops over components and units are unrolled ----

row('mali', r'reduce_f32_fused\..*', 'four operators', instructions=7600, ms=3000)
row('mali', r'reduce_f32_stddev\..*', 'as above', instructions=5850)
row('mali', r'reduce_f32x3_sum_device\.0\..*', 'states of the lanes of a block', spills=320,
    fills=690, instructions=10800, ms=25000)
row('mali', r'(reduce_f32x3_minmax|image_rgba8_.*|rows_65536_f32x4)\..*', 'several components',
    ms=2400)
row('mali', r'reduce_f(16|32)x4_all_device\..*', '44 states', spills=52, fills=290, ms=2400)
row('mali', r'offsets_f32x3\.0\..*', 'states of 6 floats at both ends', spills=2, fills=4, ms=5700)
row('mali', r'columns_u8x4\.0\..*', 'the columns of 16 bytes', instructions=4900)
row('mali', r'scan_.*\.tiles_.*', 'tiles', spills=73, fills=214, ms=6000)
row('mali', r'(compact|compact_indices|partition|predicate_f32|unique)\.0\..*', 'tiles', spills=46,
    fills=160, ms=3600)
row('mali', r'scan_.*_(flags|bytes|rows)\..\.tiles_.*', 'bits of starts are loaded with the tile',
    spills=221, fills=551, instructions=6550, ms=36000)


def of(vendor, name):
    """The limits of a pipeline."""
    allowed = dict(DEFAULTS[vendor])
    for vendors, pattern, _, other in ROWS:
        if vendor in vendors and re.fullmatch(pattern, name):
            allowed.update(other)
    return allowed


# ---- What the library refuses ----

# Chips, a pattern for the case, and what the chip lacks, as Mesa's driver has it.
REFUSED = [
    ('tgl a740 g610', r'.*_f64(_.*)?', 'no shaderFloat64'),
    ('a740', r'.*_u8(x4)?(_.*)?|scan_u32_bytes|compact_bytes', 'no storageBuffer8BitAccess'),
    ('g610', r'pyramid_pair', 'no shaderStorageImageExtendedFormats'),
]


def refusal(chip, case):
    """Why the library has no such operation for the chip, or '' if it should have one."""
    found = [reason for names, pattern, reason in REFUSED
             if chip in names.split() and re.fullmatch(pattern, case)]
    return found[0] if found else ''


# ---- The table of ../bench/compilers.md ----

TABLE_CHIPS = {
    'tgl': 'Intel tgl, ANV 22.3.6: SIMD, instructions, spills:fills',
    'ga102': 'NVIDIA ga102, NVK 25.0.7: registers, KB, local bytes',
    'a740': 'Adreno a740, Turnip 25.0.7: instructions, registers, waves, spills:fills',
    'g610': 'Mali g610, PanVK 25.0.7: instructions, spills:fills, ms',
}
TABLE_CASES = [
    'reduce_f32_sum', 'reduce_f32_minmax', 'reduce_f32_fused', 'reduce_f32_stddev',
    'reduce_f32x3_minmax', 'reduce_u8x4_minmax', 'reduce_f32_sum_device', 'reduce_f32x4_all_device',
    'reduce_f16x4_all_device', 'image_rgba8_minmax', 'rows_64_sum', 'columns_1024', 'columns_u8x4',
    'offsets', 'tiles_f32', 'tiles_u8x4', 'tiles_rgba8', 'scan_u32_sum', 'scan_f32_sum',
    'scan_u8_sum', 'scan_u32_flags', 'compact', 'histogram_f32', 'quantile', 'pyramid_rgba16f']


# ---- Limits that could be lower ----

class Spare:
    """The worst values of the pipelines of each row."""

    def __init__(self, vendor):
        self.vendor = vendor
        self.worst = [{} if vendor in row[0] else None for row in ROWS]
        self.seen = [False] * len(ROWS)

    def see(self, name, counts):
        for index, (vendors, pattern, _, allowed) in enumerate(ROWS):
            if self.vendor in vendors and re.fullmatch(pattern, name):
                self.seen[index] = True
                for key in allowed:
                    value = counts[key]
                    worst = self.worst[index].get(key, value)
                    self.worst[index][key] = (min if key in AT_LEAST else max)(value, worst)

    def lines(self):
        for (_, pattern, _, allowed), worst, seen in zip(ROWS, self.worst, self.seen):
            if worst is not None and not seen:
                yield f'no pipeline is named {pattern}'
            for key, value in (worst or {}).items():
                limit = allowed[key]
                if key in AT_LEAST and value > 1.3 * limit or (
                        key not in AT_LEAST and limit > 1.3 * value and key != 'ms'):
                    yield f'room: {pattern}: {key} {limit}, worst {value}'
