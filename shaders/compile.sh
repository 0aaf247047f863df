#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh RESHAPE SPIRV-OPT SPIRV-VAL DEPFILE OUT.spv SOURCE.comp OPTION...: makes one module
# small, gives it loops that drivers compile quickly (reshape.c), and checks it by spirv-val; "none"
# stands for a tool that is missing. Functions that are called once are inlined. Calls of others
# stay calls: drivers inline all functions once they know the constants, so inlining here would only
# repeat code.
set -eu
reshape=$1 spirv_opt=$2 spirv_val=$3 depfile=$4 out=$5 source=$6
shift 6
glslc -O0 --target-env=vulkan1.1 -fshader-stage=compute -I "$(dirname "$0")" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
if [ "$spirv_opt" != none ]; then
    "$reshape" functions "$out"
    "$spirv_opt" --strip-debug --eliminate-dead-functions \
        --inline-entry-points-exhaustive --eliminate-dead-functions \
        --convert-local-access-chains --eliminate-local-single-block \
        --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
        --redundancy-elimination --eliminate-dead-branches --if-conversion \
        --eliminate-dead-code-aggressive --merge-blocks \
        --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
        --redundancy-elimination --eliminate-dead-code-aggressive --merge-blocks \
        --unify-const --remove-duplicates "$out" -o "$out"
fi
"$reshape" loops "$out"
[ "$spirv_opt" = none ] || "$spirv_opt" --compact-ids "$out" -o "$out"
[ "$spirv_val" = none ] || "$spirv_val" --target-env vulkan1.1 "$out"
