#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wide.sh DIR: build, without installing, a lavapipe whose subgroups can have 32 and 64 lanes:
#
#     DIR/icd/lvp22-wide.json      LP_NATIVE_VECTOR_WIDTH=1024: 32 lanes; 2048: 64 lanes
#
# It is Debian 12's Mesa 22.3.6 with drivers/wide.patch: the system's own driver announces such
# widths, but runs 16 lanes and computes wrongly. Only compute shaders are wide; graphics keep to 8
# lanes. The source comes from the mirror that apt already uses, and apt's own configuration stays as
# it is. Building takes 2 to 5 minutes on two cores; a driver that was built by the same script with
# the same patch is kept, without network access. Only root can install missing packages.
set -eu
# Mesa's build needs the python3 for which Debian installs packages, even if another one comes
# first.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:?usage: wide.sh DIR}
mkdir -p "$dir/icd" "$dir/mesa22-wide"
dir=$(cd "$dir" && pwd -P)
manifest=$dir/icd/lvp22-wide.json
library=$dir/mesa22-wide/libvulkan_lvp.so
recipe=$(cat "$here/wide.sh" "$here/drivers/wide.patch" | sha256sum)
if [ -s "$manifest" ] && [ -s "$library" ] && echo "$recipe" | cmp -s - "$library.recipe"; then
    exit 0
fi
rm -f "$manifest"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=samples/setup.sh
. "$here/../samples/setup.sh"
install_packages build-essential dpkg-dev patch pkg-config meson ninja-build python3-mako bison flex \
    llvm-15-dev libdrm-dev libexpat1-dev zlib1g-dev

# shellcheck source=tests/sources.sh
. "$here/sources.sh"
update_lists
unpack_source mesa src 22.3.6 # Debian 12's
patch --silent -d "$work/src" -p1 <"$here/drivers/wide.patch"

# Builds nothing of Mesa but lavapipe.
printf "[binaries]\nllvm-config = '/usr/bin/llvm-config-15'\n" >"$work/native.ini"
if ! {
    meson setup "$work/build" "$work/src" --native-file "$work/native.ini" \
        -Dbuildtype=release -Db_ndebug=true -Dgallium-drivers=swrast -Dvulkan-drivers=swrast \
        -Dplatforms= -Dglx=disabled -Degl=disabled -Dgbm=disabled -Dopengl=false \
        -Dgles1=disabled -Dgles2=disabled -Dshared-glapi=disabled -Dllvm=enabled \
        -Dshared-llvm=enabled -Dvideo-codecs= -Dshader-cache=enabled -Dzstd=disabled \
        -Dlibunwind=disabled -Dvalgrind=disabled &&
        ninja -C "$work/build" src/gallium/targets/lavapipe/libvulkan_lvp.so
} >"$work/log" 2>&1; then
    give_up 'lavapipe with wide subgroups could not be built'
fi
strip -o "$library" "$work/build/src/gallium/targets/lavapipe/libvulkan_lvp.so"
echo "$recipe" >"$library.recipe"
# The path in the manifest is relative to it, so that the folder can be moved.
cat >"$manifest" <<END
{"file_format_version": "1.0.1", "ICD": {
    "library_path": "../mesa22-wide/libvulkan_lvp.so", "api_version": "1.1.230"}}
END
