#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prune.sh PRUNE VARIANTS TEXT CALLS: checks by spirv-val that what PRUNE (prune.c) leaves of each
# module, for as many choices of constants, is a valid module, and so with its calls inlined; which
# numbers it leaves the stores of in TEXT (prune.spvasm); and what it makes of CALLS (inline.comp).
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" "$work" "$2"
wrong=0
for module in "$work"/*.spv; do
    spirv-val --target-env vulkan1.1 "$module" >"$work/said" 2>&1 && continue
    wrong=$((wrong + 1))
    echo "# ${module##*/}: $(head -n 1 "$work/said")"
done
[ "$wrong" -eq 0 ] || printf 'not '
echo "ok 5 - $(ls "$work" | grep -c 'spv$') modules are valid"

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

# Inlines CALLS, built with an option, and counts instructions.
inlined() { # PRUNE CALLS OPTION WANTED-CALLS WANTED-DECORATIONS NUMBER
    glslc -O0 --target-env=vulkan1.1 "$3" -o "$work/calls" "$2"
    spirv-opt --merge-blocks "$work/calls" -o "$work/calls"
    "$1" --inline "$work/calls" "$work/inlined"
    spirv-val --target-env vulkan1.1 "$work/inlined"
    spirv-dis --no-header "$work/inlined" >"$work/said"
    found="$(grep -c OpFunctionCall "$work/said" || true) calls"
    found="$found, $(grep -c NoContraction "$work/said") decorations"
    [ "$found" = "$4 calls, $5 decorations" ] || printf 'not '
    echo "ok $6 - with $3 there are $4 calls and $5 decorations"
    [ "$found" = "$4 calls, $5 decorations" ] || echo "# found: $found"
}
inlined "$1" "$4" -DONCE 0 12 8
inlined "$1" "$4" -DRETURNS_IN_LOOP 8 2 9
echo '1..9'
