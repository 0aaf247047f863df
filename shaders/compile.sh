#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh SPIRV-OPT SPIRV-VAL DEPFILE OUT.spv SOURCE.comp OPTION... - one module, made small,
# and checked by spirv-val; "none" stands for a tool that is missing. Calls stay calls: drivers
# inline all functions, once they know the constants, so that inlining here would only repeat code.
set -eu
spirv_opt=$1 spirv_val=$2 depfile=$3 out=$4 source=$5
shift 5
glslc -O0 --target-env=vulkan1.1 -fshader-stage=compute -I "$(dirname "$source")" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
[ "$spirv_opt" = none ] ||
    "$spirv_opt" --strip-debug --eliminate-dead-functions --convert-local-access-chains \
        --eliminate-local-single-block --eliminate-local-single-store --ssa-rewrite \
        --simplify-instructions --redundancy-elimination --eliminate-dead-branches \
        --eliminate-dead-code-aggressive --merge-blocks --unify-const --compact-ids \
        "$out" -o "$out"
[ "$spirv_val" = none ] || "$spirv_val" --target-env vulkan1.1 "$out"
