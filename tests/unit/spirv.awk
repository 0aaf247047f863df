# SPDX-License-Identifier: MIT
#
# Reads one module as `spirv-dis --raw-id --no-header` prints it, and prints a line for each rule
# that it breaks. The rules are about the memory model, about what the module loads from according
# to its name, and about the features that it needs. No CPU driver can catch such a mistake.
#
#     name    operation[_class][_wide][_vector][_u64|_texel|_image_SHAPE][_arithmetic|_shuffle|_shared]
#     talk    bindings through which the workgroups of one dispatch talk
#     partly  bindings of several variables: one of them talks, the others are the caller's
#     alias   bindings that may share memory with another binding
#     texels  the binding of the buffer view, or of the image
#     atomic  whether the module must have one on a buffer
#     tickets whether an atomic that adds 1 tells that the whole workgroup has stored
#     words   atomics carry all that they publish, except those after a release barrier
#
# Instructions are followed in the order of the text, with the body of a function where it is
# called.

BEGIN {
    listed(talk, talks)
    listed(partly, parts)
    listed(alias, aliases)
    allow("Shader")
    if (name ~ /_(shuffle|arithmetic)$/) allow("GroupNonUniform GroupNonUniformShuffle")
    if (name ~ /_arithmetic$/) allow("GroupNonUniformArithmetic")
    if (name ~ /^sort_.*_shuffle$/) allow("GroupNonUniformBallot")
    if (name ~ /w8(_|$)|(payload|move)_8/) allow("StorageBuffer8BitAccess")
    if (name ~ /[wf]16(_|$)|(payload|move)_16/) allow("StorageBuffer16BitAccess")
    if (name ~ /64(_|$)|_wide(_|$)/) allow("Int64")
    if (name ~ /f64(_|$)|_f.*_wide(_|$)/) allow("Float64")
    if (name ~ /_texel(_|$)/) allow("SampledBuffer")
    is_pyramid = name ~ /^pyramid_/
    if (is_pyramid) allow("StorageImageWriteWithoutFormat")
    is_image = is_pyramid || name ~ /_image_|^stage_/
}

function listed(text, set,    i, count, list) {
    count = split(text, list, ",")
    for (i = 1; i <= count; i++) if (list[i] != "") set[list[i]] = 1
}

function allow(capabilities,    i, count, list) {
    count = split(capabilities, list, " ")
    for (i = 1; i <= count; i++) allowed[list[i]] = 1
}

$1 == "OpCapability" && !($2 in allowed) { wrong("it needs " $2) }
$3 == "OpTypeInt" && $4 == 64 { has_int64 = 1 }
$3 == "OpImageFetch" { fetches++ }
$1 == "OpImageWrite" && !is_pyramid { wrong("it writes an image") }
$3 == "OpImageRead" { wrong("it reads an image that it may write") }

$1 == "OpDecorate" { decoration[$2, $3] = 1 }
$1 == "OpDecorate" && $3 == "Binding" { binding[$2] = $4 }
$1 == "OpMemberDecorate" { members[$2, $4] = members[$2, $4] " " $3 }
$3 == "OpTypePointer" { pointee[$1] = $5 }
$3 == "OpTypeStruct" { member_count[$1] = NF - 3 }
$3 == "OpConstant" { constant[$1] = $5 }
$3 == "OpVariable" { type[$1] = pointee[$4]; root[$1] = $1 }
$3 == "OpAccessChain" || $3 == "OpInBoundsAccessChain" { root[$1] = root[$5] }

/^%/ { for (i = 4; i <= NF; i++) used[$i] = 1 }
/^Op/ { for (i = 2; i <= NF; i++) used[$i] = 1 }

# The accesses to memory, barriers and calls of each function.
$1 == "OpEntryPoint" { entry = $3 }
$3 == "OpFunction" { id = $1 }
$1 ~ /^Op(MemoryBarrier|ControlBarrier|Store|Return)$/ || $3 ~ /^Op(Load|FunctionCall|Atomic.*)$/ {
    event[id, ++events[id]] = $0
}

# ---- Value before flag: in END, when all decorations and uses are known ----

# stores: something was stored since the last barrier of the workgroup, and some invocations may not
# have stored it yet. dirty: something was stored that no release has made available. stale: an
# atomic has told of stores that no acquire has made visible. Returns the number of events that
# matter, so that functions without any are followed once.
function follow(id,    i, f, count) {
    for (i = 1; i <= events[id]; i++) {
        split(event[id, i], f, " ")
        if (f[1] == "OpReturn") { if (id == entry && i < events[id]) start() }
        else if (f[3] != "OpFunctionCall") count += meet(f)
        else if (!(f[5] in silent)) count += follow(f[5])
    }
    if (!count) silent[id] = 1
    return count
}

# The state at the start, and again after a branch that returns.
function start() {
    dirty = !words
    stores = 0
    released = 0
    stale = 0
}

function meet(f) {
    if (f[1] == "OpMemoryBarrier") return barrier(constant[f[2]], constant[f[3]])
    if (f[1] == "OpControlBarrier") {
        if (constant[f[2]] == 2) stores = 0
        return barrier(constant[f[3]], constant[f[4]])
    }
    if (f[1] == "OpStore") return talks_of(root[f[2]]) && (dirty = stores = 1)
    if (f[3] == "OpLoad") return talks_of(root[f[5]]) && meet_load()
    return (root[f[5]] in binding) && meet_atomic(f)
}

function meet_load() {
    if (stale) wrong("a load after an atomic has no acquire barrier before it")
    return 1
}

# An atomic that adds or ors 0 is a load that no cache can answer.
function meet_atomic(f,    is_load) {
    is_load = f[3] == "OpAtomicLoad" || (f[3] ~ /^OpAtomic(Or|IAdd)$/ && constant[f[8]] == "0")
    atomics++
    if (tickets && stores && f[3] == "OpAtomicIAdd" && constant[f[8]] == "1")
        wrong("a ticket is drawn while other invocations may still store")
    if (words && !dirty && !released) return 1
    if (constant[f[6]] != 1 && constant[f[6]] != 5) wrong("an atomic's scope is a workgroup's")
    if (!is_load && dirty && !has(constant[f[7]], 4))
        wrong("an atomic has no release barrier before it")
    if ((f[1] in used) && !has(constant[f[7]], 2)) stale = 1
    return 1
}

# Acquire 0x2, Release 0x4, AcquireRelease 0x8, UniformMemory (storage buffers too) 0x40.
function has(semantics, bit) {
    return int(semantics / 64) % 2 && (int(semantics / bit) % 2 || int(semantics / 8) % 2)
}

# Scope Device 1 or QueueFamily 5.
function barrier(scope, semantics) {
    if (scope != 1 && scope != 5) return 0
    if (has(semantics, 4)) { dirty = 0; released = 1 }
    if (has(semantics, 2)) stale = 0
    return 1
}

# Whether the workgroups of a dispatch talk through a variable while the dispatch runs.
function talks_of(variable) {
    return (variable in binding) && decorated(variable, "Coherent", 1)
}

# Whether the variable itself, or any member of its block (every: each member), has a decoration.
function decorated(variable, name, every,    have, list) {
    have = split(members[type[variable], name], list, " ")
    return (variable, name) in decoration ||
        (every ? have == member_count[type[variable]] : have > 0)
}

function wrong(what) { if (!(what in said)) print what; said[what] = 1 }

END {
    for (v in binding) {
        b = binding[v]
        if (b in talks && !decorated(v, "Coherent", 1)) wrong("binding " b " is not coherent")
        if (b in parts && decorated(v, "Coherent", 1)) coherent[b] = 1
        if (b in aliases && decorated(v, "Restrict", 0)) wrong("binding " b " is restrict")
        if (b in aliases && decorated(v, "NonWritable", 0)) wrong("binding " b " is readonly")
        seen[b] = 1
    }
    for (b in talks) if (!(b in seen)) wrong("binding " b " is not there")
    for (b in parts) if (!(b in coherent)) wrong("binding " b " has no coherent variable")
    start()
    follow(entry)
    if (stale) wrong("an atomic has no acquire barrier after it")
    if (atomic && !atomics) wrong("there is no atomic")
    loads_texels = name ~ /_texel(_|$)/ || is_image
    if (loads_texels && !(texels in seen && fetches)) wrong("it loads no texels")
    if (!loads_texels && (texels in seen || fetches)) wrong("it loads texels")
    if (name ~ /_u64(_|$)/ && !has_int64) wrong("it loads no words of 64 bits")
}
