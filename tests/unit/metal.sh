#!/bin/sh
# SPDX-License-Identifier: MIT
#
# metal.sh SPIRV_CROSS METAL VARIANTS: checks that SPIRV-Cross, with which MoltenVK translates
# shaders, turns every module that METAL (metal.c) writes into Metal's language.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$2" "$work" "$3"
cd "$work"
modules=$(find . -name '*.spv' | wc -l)
find . -name '*.spv' | sort | xargs -P 2 -n 1 sh -c '"$0" "$1" --msl --msl-version 20300 \
    >"$1.msl" 2>"$1.said" || echo "# $1: $(head -n 1 "$1.said")" >>failed' "$1"
echo 1..2
[ "$modules" -ge 100 ] || printf 'not '
echo "ok 1 - there are modules: $modules"
[ ! -e failed ] || printf 'not '
echo "ok 2 - each becomes a shader of Metal"
[ ! -e failed ] || cat failed
