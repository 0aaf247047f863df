#!/bin/sh
# SPDX-License-Identifier: MIT
#
# spirv.sh INTERFACE MODULE...: the reduce modules obey the rules for data that crosses workgroups
# (spirv.awk). The bindings' numbers are read from shaders/interface.h.
set -eu
interface=$1
shift
rules=$(dirname "$0")/spirv.awk

bindings() { # PATTERN
    awk -v pattern="^VKR_BINDING_($1)\$" '$2 ~ pattern {printf "%s,", $3}' "$interface"
}

check() { # the module's text on stdin
    awk -v talk="$talk" -v alias="$alias" -f "$rules"
}

# A small module, right until FROM becomes TO, and then wrong: so that each rule is seen to bite.
spoiled() { # FROM TO
    sed "s/$1/$2/" <<END
OpDecorate %1 Binding 4
OpMemberDecorate %10 0 Coherent
OpDecorate %2 Binding 6
OpMemberDecorate %11 0 Coherent
%10 = OpTypeStruct %30
%11 = OpTypeStruct %30
%20 = OpTypePointer StorageBuffer %10
%21 = OpTypePointer StorageBuffer %11
%40 = OpConstant %31 1
%41 = OpConstant %31 0
%42 = OpConstant %31 72
%1 = OpVariable %20 StorageBuffer
%2 = OpVariable %21 StorageBuffer
%50 = OpFunction %60 None %61
OpMemoryBarrier %40 %42
%70 = OpAtomicIAdd %31 %2 %40 %41 %40
OpMemoryBarrier %40 %42 ; after
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

bites() { # FROM TO SENTENCE
    found=$(spoiled "$1" "$2" | check)
    [ "$found" = "$3" ] && found= || found="expected '$3', found '$found'"
    result "planted: $(echo "${3:-nothing}" | head -n 1)" "$found"
}

talk=$(bindings 'STORED|COUNTER')
alias=$(bindings '.*')
bites 'x' 'x' ''
bites '%10 0 Coherent' '%10 0 Offset 0' 'binding 4 is not coherent'
bites '%11 0 Coherent' '%11 0 Offset 0' 'binding 6 is not coherent'
bites '^%40 = OpConstant %31 1' 'OpDecorate %1 Restrict\n&' 'binding 4 is restrict'
bites '^%40 = OpConstant %31 1' 'OpMemberDecorate %11 0 NonWritable\n&' 'binding 6 is readonly'
bites '%40 %42$' '%41 %42' 'an atomic has no release barrier before it'
bites '%40 %42 ; after' '%41 %42' 'an atomic has no acquire barrier after it'
bites '31 72' '31 8' 'an atomic has no release barrier before it
an atomic has no acquire barrier after it'
bites 'OpAtomicIAdd' 'OpIAdd' 'there is no atomic'

for module; do
    case $module in */reduce*) ;; *) continue ;; esac
    found=$(spirv-dis --raw-id --no-header "$module" | sed 's/^ *//' | check)
    result "$(basename "$module" .spv)" "$found"
done
[ "$tests" -gt 9 ] || result 'at least one module' 'there is none'
echo "1..$tests"
exit $((failed != 0))
