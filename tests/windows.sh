#!/bin/sh
# SPDX-License-Identifier: MIT
#
# windows.sh DIR: prepare what builds for Windows with mingw-w64 need, without installing it:
#
#     DIR/windows/cross.ini        for meson setup --cross-file; programs run under wine
#     DIR/windows/include          headers of Vulkan and SPIR-V, for C_INCLUDE_PATH
#     DIR/windows/root             zstd's decompressor, zlib, libpng and cmocka, built from
#                                  Debian's sources
#
# The sources come from the mirror that apt already uses, and apt's own configuration stays as it
# is. What exists is kept, without network access. Only root can install missing packages.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: windows.sh DIR}/windows
mkdir -p "$dir"
dir=$(cd "$dir" && pwd -P)

# shellcheck source=samples/setup.sh
. "$here/../samples/setup.sh"
install_packages build-essential cmake dpkg-dev gcc-mingw-w64-x86-64 wine64 xvfb xauth libvulkan-dev \
    libvulkan-volk-dev spirv-headers
recipe=$(sha256sum <"$here/windows.sh")
if [ -s "$dir/root/lib/libpng.a" ] && echo "$recipe" | cmp -s - "$dir/cross.ini.recipe"; then
    exit 0
fi
rm -f "$dir/cross.ini.recipe"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/sources.sh
. "$here/sources.sh"
update_lists

gcc=x86_64-w64-mingw32-gcc-win32
ar=x86_64-w64-mingw32-ar
root=$dir/root
rm -rf "$root"
mkdir -p "$root/include" "$root/lib/pkgconfig" "$dir/include"

# Compiles C files of $work/FOLDER to a static library, and installs headers.
compile() { # NAME FOLDER FILES HEADERS
    # shellcheck disable=SC2086 # patterns
    (cd "$work/$2" && $gcc -O2 -I "$root/include" -c $3 && $ar rcs "$root/lib/lib$1.a" ./*.o &&
        cp $4 "$root/include") >"$work/log" 2>&1 || give_up "lib$1 could not be built"
}

# Lets pkg-config find a library.
describe() { # NAME DESCRIPTION LIBRARIES
    cat >"$root/lib/pkgconfig/$1.pc" <<END
Name: $1
Description: $2
Version: ${version%%[+-]*}
Libs: -L$root/lib $3
Cflags: -I$root/include
END
}

unpack_source cmocka cmocka
cmake -S "$work/cmocka" -B "$work/cmocka/build" -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_C_COMPILER=$gcc -DCMAKE_BUILD_TYPE=Release -DWITH_STATIC_LIB=ON \
    -DBUILD_SHARED_LIBS=OFF -DWITH_EXAMPLES=OFF -DCMAKE_INSTALL_PREFIX="$root" \
    >"$work/log" 2>&1 &&
    cmake --build "$work/cmocka/build" --target install >"$work/log" 2>&1 ||
    give_up 'cmocka could not be built'
rm "$root/lib/libcmocka.dll.a" # programs are linked with the static one
mv "$root/lib/libcmocka-static.a" "$root/lib/libcmocka.a"
unpack_source libzstd zstd
make -C "$work/zstd/lib" libzstd.a CC=$gcc AR=$ar UNAME=Windows_NT \
    ZSTD_LIB_COMPRESSION=0 ZSTD_LIB_DICTBUILDER=0 ZSTD_LIB_DEPRECATED=0 >"$work/log" 2>&1 ||
    give_up 'zstd could not be built'
cp "$work"/zstd/lib/zstd*.h "$root/include"
cp "$work/zstd/lib/libzstd.a" "$root/lib"
describe libzstd decompressor -lzstd
unpack_source zlib zlib
compile z zlib '*.c' 'zlib.h zconf.h'
unpack_source libpng1.6 png
cp "$work/png/scripts/pnglibconf.h.prebuilt" "$work/png/pnglibconf.h"
rm "$work/png/pngtest.c"
compile png png 'png*.c' 'png.h pngconf.h pnglibconf.h'
describe libpng 'PNG pictures' '-lpng -lz'
for name in vulkan vk_video spirv volk.h; do
    ln -sfn "/usr/include/$name" "$dir/include/$name"
done
cat >"$dir/cross.ini" <<END
[binaries]
c = '$gcc'
ar = '$ar'
strip = 'x86_64-w64-mingw32-strip'
windres = 'x86_64-w64-mingw32-windres'
pkgconfig = 'pkg-config'
exe_wrapper = '/usr/lib/wine/wine64'
[properties]
pkg_config_libdir = '$root/lib/pkgconfig'
[host_machine]
system = 'windows'
cpu_family = 'x86_64'
cpu = 'x86_64'
endian = 'little'
END
echo "$recipe" >"$dir/cross.ini.recipe"
