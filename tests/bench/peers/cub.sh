#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh tests/bench/peers/cub.sh [OUT]: builds the program for CUB with nvcc. The CUDA runtime is
# linked statically, so the program needs only libc and NVIDIA's driver.
set -eu
here=$(dirname "$0")
out=${1:-build-gpu/cub}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "$0: nvcc was not found" >&2 && exit 1; }
"$nvcc" -std=c++17 -O3 -arch="${CUDA_ARCH:-sm_90}" -cudart static \
    -Xcompiler -static-libstdc++,-static-libgcc -o "$out" "$here/cub.cu"
