#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prune.sh PRUNE VARIANTS TEXT: checks by spirv-val that what PRUNE (prune.c) leaves of each module, for
# as many choices of constants, is a valid module; and which numbers it leaves the stores of in TEXT
# (prune.spvasm).
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
echo "ok 3 - $(ls "$work" | grep -c 'spv$') modules are valid"

stores() { # PRUNE CONSTANT WANTED NUMBER
    "$1" --file "$work/text" "$work/pruned" "$2"
    spirv-val --target-env vulkan1.1 "$work/pruned"
    found=$(spirv-dis --no-header "$work/pruned" | awk '$1 == "OpStore" {printf "%s ", $3}')
    [ "$found" = "$3 " ] || printf 'not '
    echo "ok $4 - with $2 there are stores of $3"
    [ "$found" = "$3 " ] || echo "# found: $found"
}
spirv-as --target-env vulkan1.1 -o "$work/text" "$3"
stores "$1" 0 '%uint_11 %uint_12 %uint_13 %uint_14' 4
stores "$1" 1 '%uint_11 %uint_13' 5
echo '1..5'
