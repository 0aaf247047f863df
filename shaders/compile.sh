#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh SPIRV-OPT SPIRV-VAL inline|calls DEPFILE OUT.spv SOURCE.comp OPTION... - one module,
# optimised, checked by spirv-val; "none" stands for a tool that is missing. Kernels that call large
# functions from many places keep the calls: inlined here, before the driver knows the constants,
# they would grow to megabytes.
set -eu
spirv_opt=$1 spirv_val=$2 calls=$3 depfile=$4 out=$5 source=$6
shift 6
if [ "$calls" = inline ]; then
    optimise=-O
else
    optimise=-O0
fi
glslc $optimise --target-env=vulkan1.1 -fshader-stage=compute -I "$(dirname "$source")" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
if [ "$calls" = calls ] && [ "$spirv_opt" != none ]; then
    "$spirv_opt" --strip-debug --eliminate-dead-functions --convert-local-access-chains \
        --eliminate-local-single-block --eliminate-local-single-store --ssa-rewrite \
        --simplify-instructions --redundancy-elimination --eliminate-dead-branches \
        --eliminate-dead-code-aggressive --merge-blocks --compact-ids "$out" -o "$out"
fi
[ "$spirv_val" = none ] || "$spirv_val" --target-env vulkan1.1 "$out"
