#!/bin/sh
# SPDX-License-Identifier: MIT
#
# prune.sh PRUNE VARIANTS: checks by spirv-val that what PRUNE (prune.c) leaves of each module, for as
# many choices of constants, is a valid module.
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
echo '1..3'
