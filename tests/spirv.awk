# SPDX-License-Identifier: MIT
#
# Reads one module as `spirv-dis --raw-id --no-header` prints it, and prints one line per rule that
# it breaks: of the memory model, of what its name says that it loads from, and of the features that
# a device needs for it. No CPU driver can catch such a mistake.
#
#     name    class[_wide][_vector][_u64|_texel]_rung
#     talk    bindings through which the workgroups of one dispatch talk
#     alias   bindings that may be the same memory as another one
#     texels  the binding of the buffer view

BEGIN {
    split(talk, list, ",")
    for (i in list) if (list[i] != "") talks[list[i]] = 1
    split(alias, list, ",")
    for (i in list) if (list[i] != "") aliases[list[i]] = 1
    allow("Shader")
    if (name !~ /_shared$/) allow("GroupNonUniform GroupNonUniformShuffle")
    if (name ~ /_arithmetic$/) allow("GroupNonUniformArithmetic")
    if (name ~ /w8_/) allow("StorageBuffer8BitAccess")
    if (name ~ /[wf]16_/) allow("StorageBuffer16BitAccess")
    if (name ~ /64_/ || name ~ /_wide_/) allow("Int64")
    if (name ~ /f64_/ || name ~ /f.*_wide_/) allow("Float64")
    if (name ~ /_texel_/) allow("SampledBuffer")
}

function allow(capabilities,    i, count) {
    count = split(capabilities, list, " ")
    for (i = 1; i <= count; i++) allowed[list[i]] = 1
}

$1 == "OpCapability" && !($2 in allowed) { wrong("it needs " $2) }
$3 == "OpTypeInt" && $4 == 64 { has_int64 = 1 }
$3 == "OpImageFetch" { fetches++ }
$1 == "OpImageWrite" { wrong("it writes an image") }

$1 == "OpDecorate" { decoration[$2, $3] = 1 }
$1 == "OpDecorate" && $3 == "Binding" { binding[$2] = $4 }
$1 == "OpMemberDecorate" { members[$2, $4] = members[$2, $4] " " $3 }
$3 == "OpTypePointer" { pointee[$1] = $5 }
$3 == "OpTypeStruct" { member_count[$1] = NF - 3 }
$3 == "OpConstant" { constant[$1] = $5 }
$3 == "OpVariable" { type[$1] = pointee[$4] }

$1 == "OpFunction" || $3 == "OpFunction" { released = 0; acquire_wanted = 0 }
$1 == "OpMemoryBarrier" { barrier(constant[$2], constant[$3]) }
$1 == "OpControlBarrier" { barrier(constant[$3], constant[$4]) }
$3 ~ /^OpAtomic/ && $3 != "OpAtomicLoad" {
    atomics++
    semantics = constant[$6]
    if (!released && !has(semantics, 4)) wrong("an atomic has no release barrier before it")
    if (!has(semantics, 2)) acquire_wanted = 1
}
$1 == "OpFunctionEnd" && acquire_wanted { wrong("an atomic has no acquire barrier after it") }

# Acquire 0x2, Release 0x4, AcquireRelease 0x8, UniformMemory (storage buffers too) 0x40.
function has(semantics, bit) {
    return int(semantics / 64) % 2 && (int(semantics / bit) % 2 || int(semantics / 8) % 2)
}

# Scope Device 1 or QueueFamily 5.
function barrier(scope, semantics) {
    if (scope != 1 && scope != 5) return
    if (has(semantics, 4)) released = 1
    if (has(semantics, 2)) acquire_wanted = 0
}

# The variable itself, or any (wanted: every) member of its block.
function decorated(variable, name, every,    have) {
    have = split(members[type[variable], name], list, " ")
    return (variable, name) in decoration ||
        (every ? have == member_count[type[variable]] : have > 0)
}

function wrong(what) { print what }

END {
    for (v in binding) {
        b = binding[v]
        if (b in talks && !decorated(v, "Coherent", 1)) wrong("binding " b " is not coherent")
        if (b in aliases && decorated(v, "Restrict", 0)) wrong("binding " b " is restrict")
        if (b in aliases && decorated(v, "NonWritable", 0)) wrong("binding " b " is readonly")
        seen[b] = 1
    }
    for (b in talks) if (!(b in seen)) wrong("binding " b " is not there")
    if (!atomics) wrong("there is no atomic")
    if (name ~ /_texel_/ && !(texels in seen && fetches)) wrong("it loads no texels")
    if (name !~ /_texel_/ && (texels in seen || fetches)) wrong("it loads texels")
    if (name ~ /_u64_/ && !has_int64) wrong("it loads no words of 64 bits")
}
