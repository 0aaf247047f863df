#!/bin/sh
# SPDX-License-Identifier: MIT
#
# spirv.sh CARDS MODULE...: checks that the modules are valid, obey the rules for data that crosses
# workgroups, and load and need what their names say (spirv.awk). Numbers of bindings are read from the rows
# BUFFER and COHERENT of the kernels' cards, which lie in the folder CARDS.
set -eu
cards=$1
shift
rules=$(dirname "$0")/spirv.awk

bindings() { # CARD PATTERN
    awk -F'[(,] *' -v pattern="^($2)\$" \
        '$1 ~ /^(BUFFER|COHERENT)$/ && $2 ~ pattern {printf "%s,", $3}' "$cards/$1.h"
}

# What the rules need to know about an operation's modules.
texels=$(awk '$2 == "VKR_BINDING_TEXELS" {print $3}' "$cards/../numbers.h"),
alias=$(bindings reduce '.*')$texels
reduce() {
    talk=$(bindings reduce 'PARTIALS|STORED|COUNTER') partly= atomic=1 words= tickets=
    case ${1:-} in
    *_linked) talk=$(bindings reduce 'STORED|COUNTER') ;; # it reads partials where it stores them
    esac
}
scan() { # results and partials share a binding
    talk=$(bindings scan COUNTER) partly=$(bindings scan OUTPUT)
    atomic=1 words= tickets=1
    case $1 in
    tiles*) partly= words=1 ;; # the words of tiles hold their values
    esac
}
compact() { # the state of a tile is a count too
    talk=$(bindings compact 'SCRATCH|COUNTER') partly= atomic=1 words=1 tickets=1
}
pyramid() { # in those of many levels, the last workgroup continues
    talk= partly= atomic= words=1 tickets=
    case $1 in
    *_many_* | *_halves_*) talk=$(bindings pyramid_tiles 'SCRATCH|COUNTER') atomic=1 words= tickets=1 ;;
    esac
}
alone() { # workgroups that tell each other nothing
    talk= partly= atomic= words=1 tickets=
}

texels_of() { # NAME
    case $1 in
    pyramid*) echo 0 ;;
    *) echo "${texels%,}" ;;
    esac
}

check() { # NAME; the module's text on stdin
    awk -v name="$1" -v talk="$talk" -v partly="$partly" -v alias="$alias" \
        -v texels="$(texels_of "$1")" -v atomic="$atomic" -v words="$words" \
        -v tickets="$tickets" -f "$rules"
}

# Prints a small module without mistakes, after FROM was replaced by TO. This shows that each rule
# finds its mistake.
spoiled() { # FROM TO
    sed "s/$1/$2/" <<END
OpCapability Shader
OpEntryPoint GLCompute %50 main
OpDecorate %1 Binding 4
OpMemberDecorate %10 0 Coherent
OpDecorate %2 Binding 6
OpMemberDecorate %11 0 Coherent
OpDecorate %4 Binding 3
OpMemberDecorate %12 0 Coherent
OpDecorate %5 Binding 3
OpMemberDecorate %13 0 Coherent
%10 = OpTypeStruct %30
%11 = OpTypeStruct %30
%12 = OpTypeStruct %30
%13 = OpTypeStruct %30
%20 = OpTypePointer StorageBuffer %10
%21 = OpTypePointer StorageBuffer %11
%22 = OpTypePointer StorageBuffer %12
%23 = OpTypePointer StorageBuffer %13
%40 = OpConstant %31 1
%41 = OpConstant %31 0
%42 = OpConstant %31 72
%43 = OpConstant %31 2
%1 = OpVariable %20 StorageBuffer
%2 = OpVariable %21 StorageBuffer
%4 = OpVariable %22 StorageBuffer
%5 = OpVariable %23 StorageBuffer
%50 = OpFunction %60 None %61
%71 = OpAccessChain %24 %1 %41
OpStore %71 %40
OpMemoryBarrier %40 %42
%70 = OpAtomicIAdd %31 %2 %40 %41 %40
OpMemoryBarrier %40 %42 ; after
%76 = OpFunctionCall %60 %51 %70
OpFunctionEnd
%51 = OpFunction %60 None %61
%72 = OpAccessChain %24 %4 %41
%73 = OpLoad %31 %72
OpFunctionEnd
END
}

tests=0 failed=0
result() { # NAME WRONG
    tests=$((tests + 1))
    if [ -z "$2" ]; then
        echo "ok $tests - $1"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $1"
        echo "$2" | sed 's/^/# /'
    fi
}

bites() { # FROM TO SENTENCE [NAME]
    found=$(spoiled "$1" "$2" | check "${4:-reduce_w32_shared}")
    [ "$found" = "$3" ] && found= || found="expected '$3', found '$found'"
    result "planted: $(echo "${3:-nothing}" | head -n 1)" "$found"
}

reduce
fetched='OpDecorate %3 Binding 8\n%80 = OpImageFetch %81 %3 %40\n&'
no_release='an atomic has no release barrier before it'
no_acquire='a load after an atomic has no acquire barrier before it
an atomic has no acquire barrier after it'
bites 'x' 'x' ''
bites '%10 0 Coherent' '%10 0 Offset 0' 'binding 4 is not coherent'
bites '%11 0 Coherent' '%11 0 Offset 0' 'binding 6 is not coherent'
bites '%12 0 Coherent' '%12 0 Offset 0' 'binding 3 is not coherent'
bites '^%40 = OpConstant %31 1' 'OpDecorate %1 Restrict\n&' 'binding 4 is restrict'
bites '^%40 = OpConstant %31 1' 'OpMemberDecorate %11 0 NonWritable\n&' 'binding 6 is readonly'
bites '%40 %42$' '%41 %42' "$no_release"
bites '%40 %42 ; after' '%41 %42' "$no_acquire"
bites '31 72' '31 8' "$no_release
$no_acquire"
bites '^%70' 'OpStore %71 %40\n&' "$no_release"
bites '^%70' '%74 = OpAtomicIAdd %31 %2 %40 %41 %40\n&' ''
bites '^OpMemoryBarrier %40 %42 ; after' '%74 = OpLoad %31 %71\n&' "$(echo "$no_acquire" | head -n 1)"
bites '^OpFunctionEnd' '%74 = OpAtomicOr %31 %2 %40 %41 %41\n%75 = OpIAdd %31 %74 %40\n&' \
    "$(echo "$no_acquire" | tail -n 1)"
bites '^OpFunctionEnd' 'OpStore %71 %40\n%74 = OpAtomicOr %31 %2 %40 %41 %41\n&' ''
bites '^OpFunctionEnd' 'OpStore %71 %40\n%74 = OpAtomicExchange %31 %2 %40 %41 %40\n&' "$no_release"
bites '%2 %40 %41 %40' '%2 %42 %41 %40' "an atomic's scope is a workgroup's"
bites 'OpAtomicIAdd' 'OpIAdd' 'there is no atomic'
tickets=1
bites 'x' 'x' 'a ticket is drawn while other invocations may still store'
bites '^%70' 'OpControlBarrier %43 %43 %41\n&' ''
bites '^%70' 'OpControlBarrier %40 %43 %41\n&' \
    'a ticket is drawn while other invocations may still store'
tickets=
partly=$talk talk=
bites '%12 0 Coherent' '%12 0 Offset 0' ''
bites '1[23] 0 Coherent' '12 0 Offset 0' 'binding 3 has no coherent variable'
reduce
bites '^OpFunctionEnd' "$fetched" '' reduce_w32_texel_arithmetic
bites 'x' 'x' 'it loads no texels' reduce_w32_texel_arithmetic
bites '^OpFunctionEnd' "$fetched" 'it loads texels'
bites '^OpFunctionEnd' 'OpImageWrite %3 %40 %40\n&' 'it writes an image'
bites '^%10 = ' '%62 = OpTypeInt 64 0\n&' '' reduce_w32_u64_arithmetic
bites 'x' 'x' 'it loads no words of 64 bits' reduce_w32_u64_arithmetic
bites '^OpCapability' '&  Int64\n&' 'it needs Int64'
bites '^OpCapability' '&  Int64\n&' '' reduce_w32_wide_shared
bites '^OpCapability' '&  Int8\n&' 'it needs Int8' reduce_w8_shared
bites '^OpCapability' '&  GroupNonUniformArithmetic\n&' 'it needs GroupNonUniformArithmetic' \
    reduce_w32_shuffle
bites '^OpCapability' '&  Float64\n&' 'it needs Float64' reduce_f32_vector_shuffle

# shellcheck disable=SC2016 # the shell of xargs expands it
result "all $# modules are valid" "$(printf '%s\n' "$@" | xargs -P 2 -n 1 sh -c \
    'said=$(spirv-val --target-env vulkan1.1 "$0" 2>&1) || echo "$(basename "$0"): $said"')"

checked=0
for module; do
    name=$(basename "$module" .spv)
    case $name in
    reduce*) reduce "$name" ;;
    # Workgroups only read what an earlier dispatch has stored.
    tiles_*linked | scan_columns_*) alone ;;
    scan* | tiles*) scan "$name" ;;
    compact*) compact ;;
    pyramid*) pyramid "$name" ;;
    passes* | heads* | payload* | move* | arguments) alone ;;
    *) continue ;;
    esac
    checked=$((checked + 1))
    found=$(spirv-dis --raw-id --no-header "$module" | sed 's/^ *//' | check "$name")
    result "$name" "$found"
done
[ "$checked" -gt 0 ] || result 'at least one module' 'there is none'
echo "1..$tests"
exit $((failed != 0))
