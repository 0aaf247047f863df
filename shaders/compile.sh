#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh DEPFILE OUT.spv SOURCE.comp OPTION... - one module, optimised, checked by spirv-val.
set -eu
depfile=$1 out=$2 source=$3
shift 3
glslc -O --target-env=vulkan1.1 -fshader-stage=compute -I "$(dirname "$source")" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
spirv-val --target-env vulkan1.1 "$out"
