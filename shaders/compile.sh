#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh inline|calls DEPFILE OUT.spv SOURCE.comp OPTION... - one module, optimised, checked by
# spirv-val. Kernels that call large functions from many places keep the calls: inlined here, before
# the driver knows the constants, they would grow to megabytes.
set -eu
calls=$1 depfile=$2 out=$3 source=$4
shift 4
if [ "$calls" = inline ]; then
    optimise=-O
else
    optimise=-O0
fi
glslc $optimise --target-env=vulkan1.1 -fshader-stage=compute -I "$(dirname "$source")" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
if [ "$calls" = calls ]; then
    spirv-opt --strip-debug --eliminate-dead-functions --convert-local-access-chains \
        --eliminate-local-single-block --eliminate-local-single-store --ssa-rewrite \
        --simplify-instructions --redundancy-elimination --eliminate-dead-branches \
        --eliminate-dead-code-aggressive --merge-blocks --compact-ids "$out" -o "$out"
fi
spirv-val --target-env vulkan1.1 "$out"
