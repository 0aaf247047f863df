#!/bin/sh
# SPDX-License-Identifier: MIT
#
# vendors.sh DIR [NAME...]: build, without installing, the compilers of other vendors' GPUs, which
# tests/isa asks what they make of the library's shaders. Without names it builds all four:
#
#     DIR/compilers/intel.json     ANV, of Debian 12's Mesa 22.3.6
#     DIR/compilers/nvidia.json    NVK, of Debian 13's Mesa 25.0.7
#     DIR/compilers/adreno.json    Turnip, the same
#     DIR/compilers/mali.json      PanVK, the same
#
# Each manifest NAME.json has its driver NAME.so beside it, with assertions, and NAME-shim.so: where
# this library of Mesa's drm-shim is preloaded, it plays the kernel's part, so no GPU is needed.
# Nothing can be executed. The library replaces open and ioctl of a whole process, so preload it for
# one program and not for a shell.
#
# The sources come from the mirror that apt already uses, and apt's own configuration stays as it
# is. Debian 13 also has the tools of Rust that Mesa 25 needs, which are unpacked in a temporary
# folder, with the C library that they are linked with. rustc 1.78 or later is the one of the PATH,
# or else Debian 12's rustc-web. Building all takes about 7 minutes on two cores and 3 GB in the
# temporary folder; a driver that exists is kept, without network access. Only root can install
# missing packages.
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
usage='usage: vendors.sh DIR [intel] [nvidia] [adreno] [mali]'
dir=${1:?$usage}
shift
[ $# -gt 0 ] || set -- intel nvidia adreno mali
mkdir -p "$dir/compilers"
dir=$(cd "$dir/compilers" && pwd)

wanted=
for name; do
    case $name in
    intel | nvidia | adreno | mali) ;;
    *) echo "$usage" >&2 && exit 2 ;;
    esac
    [ -s "$dir/$name.json" ] || wanted="$wanted $name"
done
[ -n "$wanted" ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck source=tests/sources.sh
. "$here/sources.sh"

# Mesa's build needs the python3 for which Debian installs packages, even if another one comes
# first. Of the other programs only rustc may come from elsewhere.
mkdir "$work/bin"
if rustc --version 2>/dev/null | grep -Eq '^rustc 1\.(7[89]|[89][0-9]|[1-9][0-9]{2})'; then
    ln -s "$(command -v rustc)" "$work/bin/rustc"
    rust=
else
    rust=rustc-web
fi
export PATH="$work/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# shellcheck source=samples/setup.sh
. "$here/../samples/setup.sh"
# shellcheck disable=SC2086
install_packages build-essential dpkg-dev pkg-config meson ninja-build python3-mako python3-yaml \
    bison flex glslang-tools libdrm-dev libexpat1-dev zlib1g-dev libclang1-15 $rust

# ---- Sources and packages, in lists of their own ----

# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' |
    head -n 1)
[ -n "$mirror" ] || give_up 'apt has no mirror of Debian 12'
mkdir -p "$work/parts" "$work/packages" "$work/root"
cat >"$work/parts/main.list" <<END
deb-src $mirror bookworm main
deb-src $mirror trixie main
deb $mirror trixie main
END
update_lists

unpack_packages() { # PACKAGE...: of Debian 13, into $work/root
    (cd "$work/packages" && own apt-get -qq download "$@" >"$work/log" 2>&1) ||
        give_up "packages of Debian 13 cannot be had: $*"
    for package in "$work"/packages/*.deb; do
        dpkg-deb -x "$package" "$work/root"
    done
}

# ---- Building ----

# Configures a build of nothing but Vulkan drivers and their shims.
configure() { # VERSION OPTION...
    folder=$work/mesa-$1
    shift
    meson setup "$folder/build" "$folder" --wrap-mode=nodownload -Dbuildtype=release \
        -Db_ndebug=false -Dgallium-drivers= -Dplatforms= -Dglx=disabled -Degl=disabled \
        -Dgbm=disabled -Dopengl=false -Dgles1=disabled -Dgles2=disabled -Dllvm=disabled \
        -Dvideo-codecs= -Dshader-cache=disabled -Dzstd=disabled -Dlibunwind=disabled \
        -Dvalgrind=disabled "$@" >"$work/log" 2>&1 || give_up "$(basename "$folder"): meson failed"
}

# The path in the manifest is relative to it, so that the folder can be moved.
build() { # VERSION NAME DRIVER SHIM
    ninja -C "$work/mesa-$1/build" "src/$3" "src/$4" >"$work/log" 2>&1 ||
        give_up "the compiler of $2 could not be built"
    strip -o "$dir/$2.so" "$work/mesa-$1/build/src/$3"
    strip -o "$dir/$2-shim.so" "$work/mesa-$1/build/src/$4"
    cat >"$dir/$2.json" <<END
{"file_format_version": "1.0.1", "ICD": {"library_path": "./$2.so", "api_version": "1.3.0"}}
END
    echo "$dir/$2.json"
}

case $wanted in
*intel*)
    unpack_source mesa mesa-22.3.6 22.3.6
    configure 22.3.6 -Dshared-glapi=disabled -Dvulkan-drivers=intel -Dtools=drm-shim,intel
    build 22.3.6 intel intel/vulkan/libvulkan_intel.so intel/tools/libintel_noop_drm_shim.so
    ;;
esac
[ "$wanted" != ' intel' ] || exit 0

unpack_source mesa mesa-25.0.7 25.0.7
crates='paste proc-macro2 quote syn unicode-ident'
# shellcheck disable=SC2046,SC2086
unpack_packages libc6 libgcc-s1 meson bindgen cbindgen $(printf 'librust-%s-dev ' $crates)

# Programs of Debian 13 run with its C library, and with the libclang of this system.
libraries=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
for tool in bindgen cbindgen; do
    cat >"$work/bin/$tool" <<END
#!/bin/sh
export LIBCLANG_PATH=/usr/lib/llvm-15/lib
set -- --library-path "$work/root/$libraries:/usr/lib/llvm-15/lib:/$libraries" \\
    "$work/root/usr/bin/$tool" "\$@"
exec "$work/root/$libraries"/ld-linux-*.so.* "\$@"
END
    chmod +x "$work/bin/$tool"
done
ln -s "$work/root/usr/bin/meson" "$work/bin/meson"
export PYTHONPATH="$work/root/usr/lib/python3/dist-packages"

# Meson would download each crate into the folder that its wrap file names: Debian's package of it
# goes there, whatever its version is, with Mesa's own build files.
for crate in $crates; do
    subproject=$work/mesa-25.0.7/subprojects
    folder=$subproject/$(sed -n 's/^directory *= *//p' "$subproject/$crate.wrap")
    cp -r "$work/root/usr/share/cargo/registry/$crate"-[0-9]* "$folder"
    cp -r "$subproject/packagefiles/$crate/." "$folder"
done
configure 25.0.7 -Dlmsensors=disabled -Dxmlconfig=disabled -Dexpat=disabled \
    -Dvulkan-drivers=nouveau,freedreno,panfrost -Dtools=drm-shim
for name in $wanted; do
    case $name in
    nvidia) driver=nouveau ;;
    adreno) driver=freedreno ;;
    mali) driver=panfrost ;;
    *) continue ;;
    esac
    build 25.0.7 "$name" "$driver/vulkan/libvulkan_$driver.so" \
        "$driver/drm-shim/lib${driver}_noop_drm_shim.so"
done
