#!/bin/sh
# SPDX-License-Identifier: MIT
#
# windows.sh DIR: prepare what builds for Windows with mingw-w64 need, without installing it:
#
#     DIR/windows/cross.ini        for meson setup --cross-file; programs run under wine
#     DIR/windows/include          headers of Vulkan and SPIR-V, for C_INCLUDE_PATH
#     DIR/windows/root             zstd's decompressor and cmocka, built from Debian's sources
#
# The sources come from the mirror that apt already uses, and apt's own configuration stays as it
# is. What exists is kept, without network access. Only root can install missing packages.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: windows.sh DIR}/windows
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# shellcheck source=samples/setup.sh
. "$here/../samples/setup.sh"
install_packages build-essential cmake dpkg-dev gcc-mingw-w64-x86-64 wine64 xvfb xauth libvulkan-dev \
    libvulkan-volk-dev spirv-headers
[ ! -s "$dir/cross.ini" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
give_up() { # SENTENCE
    [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
    echo "windows.sh: $1" >&2
    exit 1
}

# The sources come from where the binary packages come from.
mkdir -p "$work/parts" "$work/lists/partial"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    if [ -e "$file" ]; then
        sed 's/^Types:.*/Types: deb-src/; s/^deb\([[:space:]]\)/deb-src\1/' "$file" \
            >"$work/parts/$(basename "$file" | sed 's/^sources\.list$/main.list/')"
    fi
done
options="-oDir::Etc::SourceList=/dev/null -oDir::Etc::SourceParts=$work/parts
    -oDir::State::Lists=$work/lists -oDir::Cache::pkgcache= -oDir::Cache::srcpkgcache=
    -oAPT::Sandbox::User=root"
# shellcheck disable=SC2086
apt-get -qq $options update >"$work/log" 2>&1 || give_up 'the lists of packages cannot be had'
# shellcheck disable=SC2086
(cd "$work" && apt-get -qq $options source --download-only cmocka libzstd >log 2>&1) ||
    give_up 'the sources of cmocka and zstd cannot be had'
for name in cmocka libzstd; do
    dpkg-source --no-check -x "$work/$name"_*.dsc "$work/$name" >"$work/log"
done

gcc=x86_64-w64-mingw32-gcc-win32
rm -rf "$dir/root"
cmake -S "$work/cmocka" -B "$work/cmocka/build" -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_C_COMPILER=$gcc -DCMAKE_BUILD_TYPE=Release -DWITH_STATIC_LIB=ON \
    -DBUILD_SHARED_LIBS=OFF -DWITH_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX="$dir/root" \
    >"$work/log" 2>&1 &&
    cmake --build "$work/cmocka/build" --target install >"$work/log" 2>&1 ||
    give_up 'cmocka could not be built'
rm "$dir/root/lib/libcmocka.dll.a" # programs are linked with the static one
mv "$dir/root/lib/libcmocka-static.a" "$dir/root/lib/libcmocka.a"
make -C "$work/libzstd/lib" libzstd.a CC=$gcc AR=x86_64-w64-mingw32-ar UNAME=Windows_NT \
    ZSTD_LIB_COMPRESSION=0 ZSTD_LIB_DICTBUILDER=0 ZSTD_LIB_DEPRECATED=0 >"$work/log" 2>&1 ||
    give_up 'zstd could not be built'
cp "$work"/libzstd/lib/zstd*.h "$dir/root/include"
cp "$work/libzstd/lib/libzstd.a" "$dir/root/lib"
mkdir -p "$dir/root/lib/pkgconfig" "$dir/include"
version=$(sed -n 's/^Version: \([0-9.]*\).*/\1/p' "$work"/libzstd_*.dsc | head -n 1)
cat >"$dir/root/lib/pkgconfig/libzstd.pc" <<END
Name: zstd
Description: decompressor
Version: $version
Libs: -L$dir/root/lib -lzstd
Cflags: -I$dir/root/include
END
for name in vulkan vk_video spirv volk.h; do
    ln -sfn "/usr/include/$name" "$dir/include/$name"
done
cat >"$dir/cross.ini" <<END
[binaries]
c = '$gcc'
ar = 'x86_64-w64-mingw32-ar'
strip = 'x86_64-w64-mingw32-strip'
windres = 'x86_64-w64-mingw32-windres'
pkgconfig = 'pkg-config'
exe_wrapper = '/usr/lib/wine/wine64'
[properties]
pkg_config_libdir = '$dir/root/lib/pkgconfig'
[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
END
