#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cross.sh: build the library for 32 bits (build-i686/), for ARM (build-aarch64/) and with the C
# library musl (build-musl/), for two types of elements, warnings being errors. Nothing is run. Only
# root can install missing packages.
set -eu
cd "$(dirname "$0")/.."
# shellcheck source=samples/setup.sh
. samples/setup.sh
install_packages gcc-i686-linux-gnu libc6-dev-i386-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
    musl-tools

# The headers of this system that do not depend on the processor.
headers=$PWD/build-cross-include
mkdir -p "$headers"
for name in vulkan vk_video spirv; do
    ln -sfn "/usr/include/$name" "$headers/$name"
done
export C_INCLUDE_PATH="$headers"

build() { # NAME COMPILER FAMILY OPTION...
    name=$1 compiler=$2 family=$3
    shift 3
    cat >"$headers/$name.ini" <<END
[binaries]
c = '$compiler'
ar = 'ar'
strip = 'strip'
[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$family'
endian = 'little'
END
    [ -f "build-$name/build.ninja" ] || meson setup "build-$name" \
        --cross-file "$headers/$name.ini" -Dwerror=true -Dtests=false -Dsamples=false \
        -Dbench=false -Dtypes=f32,u32 -Dcompression=disabled "$@" >"$headers/log" ||
        { cat "$headers/log" && return 1; }
    ninja -C "build-$name" --quiet
    echo "build-$name: $(wc -c <"build-$name/src/libvkreduce.so") bytes"
}
build i686 i686-linux-gnu-gcc x86
shaders=-Dshaders=$PWD/build-i686/shaders/shaders.c
build aarch64 aarch64-linux-gnu-gcc aarch64 "$shaders"
build musl musl-gcc x86_64 "$shaders"
