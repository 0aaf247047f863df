#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cross.sh DIR: build the library for 32 bits (build-i686/), for ARM (build-aarch64/) and with the C
# library musl (build-musl/), warnings being errors. Those for 32 bits and for ARM are tested on a
# stub of Vulkan, and that for ARM on lavapipe too. Programs for 32 bits run on this processor if its
# system allows that, others under qemu. The status is 1 if a test fails; the logs are in the
# folders.
#
# The libraries that the tests need are Debian's, which are unpacked in DIR/i386 and DIR/arm64
# without installing them: they come from the mirror that apt already uses, and apt's own
# configuration stays as it is. What exists is kept, without network access. The shaders are those
# of build/, but musl has no zstd, so its library has two types of elements. Only root can install
# missing packages.
set -eu
cd "$(dirname "$0")/.."
dir=${1:?usage: cross.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
# shellcheck source=samples/setup.sh
. samples/setup.sh
install_packages gcc-i686-linux-gnu libc6-dev-i386-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
    musl-tools qemu-user pkg-config libvulkan-dev libvulkan-volk-dev spirv-headers
rm -f build-i686/meson-logs/testlog.json build-aarch64/meson-logs/testlog.json
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

give_up() { # SENTENCE
    [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
    echo "cross.sh: $1" >&2
    exit 1
}

# ---- Debian's libraries for other processors ----

# Unpacks packages and what they depend on in $dir/ARCHITECTURE, from lists of its own.
unpack() { # ARCHITECTURE TRIPLET PACKAGE...
    root=$dir/$1 arch=$1 triplet=$2
    shift 2
    [ ! -s "$root/lavapipe.json" ] || return 0
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
        'Codename: bookworm' | head -n 1)
    [ -n "$mirror" ] || give_up 'apt has no mirror of Debian 12'
    apt=$work/$arch
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    : >"$apt/status"
    echo "deb $mirror bookworm main" >"$apt/sources.list"
    cat >"$apt/apt.conf" <<END
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "root";
APT::Install-Recommends "false";
Debug::NoLocking "true";
Dir::State "$apt";
Dir::State::Lists "$apt/lists";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
Dir::Etc::SourceList "$apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
END
    (
        export APT_CONFIG="$apt/apt.conf"
        apt-get -qq update && apt-get -qqy --download-only install "$@"
    ) >"$work/log" 2>&1 || give_up "packages for $arch cannot be had: $*"
    rm -rf "$root"
    mkdir -p "$root"
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$package" "$root"
    done
    cat >"$root/lavapipe.json" <<END
{"file_format_version": "1.0.1", "ICD": {
    "library_path": "./usr/lib/$triplet/libvulkan_lvp.so", "api_version": "1.3.230"}}
END
}
for row in i386:i386-linux-gnu arm64:aarch64-linux-gnu; do
    unpack "${row%:*}" "${row#*:}" libc6 libvulkan1 mesa-vulkan-drivers libcmocka-dev libzstd-dev
done

# ---- Builds ----

# The headers of this system that do not depend on the processor.
headers=$PWD/build-cross-include
mkdir -p "$headers"
for name in vulkan vk_video spirv volk.h; do
    ln -sfn "/usr/include/$name" "$headers/$name"
done
export C_INCLUDE_PATH="$headers"

build() { # NAME COMPILER FAMILY OPTION... <MORE-LINES-OF-THE-CROSS-FILE
    name=$1 compiler=$2 family=$3
    shift 3
    {
        cat <<END
[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$family'
endian = 'little'
[binaries]
c = '$compiler'
ar = 'ar'
strip = 'strip'
END
        cat
    } >"$headers/$name.ini"
    [ -f "build-$name/build.ninja" ] || meson setup "build-$name" \
        --cross-file "$headers/$name.ini" -Dwerror=true -Dsamples=false -Dglsl=disabled -Dmpi=disabled \
        -Dbench=false "$@" >"$work/log" 2>&1 || give_up "build-$name cannot be configured"
    meson compile -C "build-$name" vkreduce:shared_library >"$work/log" 2>&1 ||
        give_up "build-$name cannot be built"
    echo "build-$name: $(wc -c <"build-$name/src/libvkreduce.so") bytes"
}

build musl musl-gcc x86_64 -Dtests=false -Dtypes=f32,u32 -Dcompression=disabled </dev/null

tested="-Dtests=true -Dexr=disabled -Dglsl=disabled -Dshaders=$PWD/build/shaders/shaders.c"
lines() { # ARCHITECTURE TRIPLET WRAPPER
    cat <<END
pkgconfig = 'pkg-config'
exe_wrapper = [$3]
[properties]
sys_root = '$dir/$1'
pkg_config_libdir = '$dir/$1/usr/lib/$2/pkgconfig'
needs_exe_wrapper = true
lavapipe = '$dir/$1/lavapipe.json'
[built-in options]
c_link_args = ['-L$dir/$1/usr/lib/$2']
END
}
# Some systems on x86-64 run no programs for 32 bits.
i386=$dir/i386
loader=$i386/lib/ld-linux.so.2
if "$loader" --version >/dev/null 2>&1; then
    libraries=$i386/lib/i386-linux-gnu:$i386/usr/lib/i386-linux-gnu
    wrapper="'$loader', '--library-path', '$libraries'"
else
    wrapper="'qemu-i386', '-L', '$i386'"
fi
# shellcheck disable=SC2086 # a list
lines i386 i386-linux-gnu "$wrapper" | build i686 i686-linux-gnu-gcc x86 $tested
# shellcheck disable=SC2086
lines arm64 aarch64-linux-gnu "'qemu-aarch64', '-L', '$dir/arm64'" |
    build aarch64 aarch64-linux-gnu-gcc aarch64 $tested

# ---- Tests ----

# Emulation is slow, so the sweeps are short ones.
unset VKR_TEST_FULL
status=0
for name in i686 aarch64; do
    meson test -C "build-$name" --print-errorlogs --timeout-multiplier 10 --suite asan \
        --suite cross </dev/null || status=1
done
exit "$status"
