#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prune.sh PRUNE VARIANTS TEXT CALLS FOREIGN REWRITE: runs the checks of PRUNE (prune.c) with
# VARIANTS choices of constants. Then it checks which stores PRUNE leaves in TEXT (prune.spvasm),
# and what it makes of CALLS (inline.comp), FOREIGN (foreign.comp) and REWRITE (rewrite.spvasm).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$2"

stores() { # PRUNE CONSTANT WANTED NUMBER
    "$1" --file "$work/text" "$work/pruned" "$2"
    spirv-val --target-env vulkan1.1 "$work/pruned"
    found=$(spirv-dis --no-header "$work/pruned" | awk '$1 == "OpStore" {printf "%s ", $3}')
    [ "$found" = "$3 " ] || printf 'not '
    echo "ok $4 - with $2 there are stores of $3"
    [ "$found" = "$3 " ] || echo "# found: $found"
}
spirv-as --target-env vulkan1.1 -o "$work/text" "$3"
stores "$1" 0 '%uint_11 %uint_12 %uint_13 %uint_14' 6
stores "$1" 1 '%uint_11 %uint_13' 7

# Checks how many lines of what becomes of $work/module match each pattern.
counts() { # PRUNE CONSTANT WHAT PATTERN WANTED..
    prune=$1 constant=$2 what=$3
    shift 3
    rm -f "$work/left"
    "$prune" --file "$work/module" "$work/left" "$constant"
    spirv-val --target-env vulkan1.1 "$work/left" || what="$what, but it is not valid"
    spirv-dis --no-header "$work/left" >"$work/said"
    while [ $# -gt 0 ]; do
        found=$(grep -c -e "$1" "$work/said" || true)
        [ "$found" = "$2" ] || what="$what, but there are $found of $1 instead of $2"
        shift 2
    done
    tests=$((tests + 1))
    case $what in *,\ but\ *) printf 'not ' ;; esac
    echo "ok $tests - $what"
}
tests=7

for row in '-DONCE 0 12' '-DRETURNS_IN_LOOP 8 2'; do
    set -- "$1" "$2" "$3" "$4" "$5" "$6" $row
    glslc -O0 --target-env=vulkan1.1 "$7" -o "$work/module" "$4"
    spirv-opt --merge-blocks "$work/module" -o "$work/module"
    counts "$1" 0 "calls of functions, with $7" OpFunctionCall "$8" NoContraction "$9"
done

# A shader that is unlike those of the library, also with the lines and names of its source.
for options in -O0 '-O0 -g' '-O0 -g -DPRINTS' '-O0 -DPRINTS'; do
    # shellcheck disable=SC2086
    glslc $options --target-env=vulkan1.1 "$5" -o "$work/module"
    for constant in 0 2 3; do
        counts "$1" "$constant" "another shader, $options, $constant" 'OpFunction ' 1 \
            OpFunctionCall 0
    done
done

# Variants of REWRITE. A module with something that rewriting does not support stays as it is.
rewrite() { # VARIANT
    sed "s/^;$1 /        /" "$rewrite" >"$work/text"
    spirv-as --target-env vulkan1.1 -o "$work/module" "$work/text"
}
rewrite=$6
rewrite NONE
for constant in 0 4; do
    counts "$1" "$constant" "literals of 64 bits, with $constant" 'OpFunction ' 1 \
        'OpSwitch .* 55834574862 .* 68719476753 ' 1 OpExtInst "$((constant ? 4 : 3))" \
        'OpString "rewrite.spvasm"' 1 NoContraction 1 OpLoopMerge 1
done
rewrite DEFINES
counts "$1" 0 'an instruction names a function, which stays' OpFunctionCall 1
for variant in GROUPS OPENCL; do
    rewrite "$variant"
    tests=$((tests + 1))
    [ "$("$1" --file "$work/module" "$work/left" 0)" = 'as it is' ] || printf 'not '
    echo "ok $tests - what is not known stays as it is: $variant"
done
echo "1..$tests"
