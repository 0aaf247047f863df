#!/bin/sh
# SPDX-License-Identifier: MIT
#
# package.sh MESON SOURCES SHADERS enabled|disabled ZSTD|none CMAKE|none GLSL MPI: tests the library
# in other projects. A host project of three lines has it as a subproject, which contains only the
# files that make the library, and needs only a compiler and headers (SHADERS, a shaders.c with or
# without compression, saves the compilation of shaders). It is installed from there: static,
# shared, both, and as `packed` (static) and `packed-both` with ZSTD, a compressed shaders.c, and
# with libvkreduce-glsl and libvkreduce-mpi if GLSL and MPI are "enabled". Then it is found with
# pkg-config and, in a folder that was moved, with CMake. Each application is samples/minimal.c, or
# samples/host.c for libvkreduce-host, and must print its result.
set -eu
meson=$1 sources=$2 shaders=$(realpath "$3") compression=$4 zstd=$5 cmake=$6 glsl=$7 mpi=$8
[ "$zstd" = none ] || zstd=$(realpath "$zstd")
# shellcheck source=tests/programs/checks.sh
. "$(dirname "$0")/checks.sh"

libdir() { # PREFIX
    dirname "$(find "$1" -name pkgconfig)"
}

libraries() { # PREFIX
    find "$1" -name 'libvkreduce*' | sed 's/.*libvkreduce//' | LC_ALL=C sort | xargs
}

runs() { # APPLICATION FOLDER-OF-LIBRARIES [LINE]
    # A host keeps compiled pipelines in a file there.
    XDG_CACHE_HOME=$work/cache LD_LIBRARY_PATH=$2 "$1" >"$work/said" && cat "$work/said"
    [ "$(cat "$work/said")" = "${3:-min -300.5, max 695.5}" ]
}

links() { # APPLICATION shared|static
    [ -x "$1" ] || return 1
    if readelf -d "$1" | grep -q 'NEEDED.*libvkreduce'; then
        [ "$2" = shared ]
    else
        [ "$2" = static ]
    fi
}

# ---- A host of three lines ----

host=$work/host sub=$work/host/subprojects/vkreduce build=$work/build
mkdir -p "$sub"
cp -R "$sources/include" "$sources/shaders" "$sources/src" \
    "$sources"/meson*.* "$sources/LICENSE" "$sub"
cp "$sources/samples/minimal.c" "$host/app.c"
cat >"$host/meson.build" <<'END'
project('host', 'c')
vkreduce = dependency('vkreduce', fallback: 'vkreduce')
executable('app', 'app.c', dependencies: vkreduce)
END

# A library without compression must not need any package, so pkg-config finds none.
packages=${PKG_CONFIG_LIBDIR-$(pkg-config --variable pc_path pkg-config)}
[ "$compression" = enabled ] || packages=$work/nothing
mkdir -p "$work/nothing"

# Meson copies the host's default_library to the subproject only when it first configures it.
configure() { # KIND
    arguments="-Ddefault_library=$1 -Dprefix=$work/$1"
    # shellcheck disable=SC2086
    if [ -d "$build" ]; then
        "$meson" configure "$build" $arguments "-Dvkreduce:default_library=$1"
    else
        PKG_CONFIG_LIBDIR=$packages "$meson" setup "$build" "$host" \
            --wrap-mode=forcefallback -Dbuildtype=plain "-Dvkreduce:shaders=$shaders" \
            "-Dvkreduce:compression=$compression" $arguments
    fi && ninja -C "$build" && "$meson" install -C "$build" --no-rebuild
}

headers() { # PREFIX
    find "$1/include" -name '*.h' -exec basename {} ';' | sort | xargs
}

pages() { # PREFIX
    (cd "$1/share/doc/vkreduce" && find . -type f | sort | xargs)
}

# The headers of libraries that are not built are not installed.
all_headers=$(headers "$sources")
installed=$(echo "$all_headers" | sed 's/glsl\.h //; s/mpi\.h //; s/ranks\.h //')
wanted_pages=$(cd "$sources/include/vkreduce" && {
    echo ./LICENSE
    find . -name '*.md'
} | sort | xargs)
for kind in static shared both; do
    check "a host of three lines, default_library=$kind" configure $kind
    case $kind in static) wanted=static ;; *) wanted=shared ;; esac
    check "it links the $wanted library" links "$build/app" $wanted
    check 'it finds the result' runs "$build/app" "$(libdir "$work/$kind")"
    case $kind in
    shared) wanted='.so .so.0.1 .so.0.1.0' ;;
    static) wanted='.a' ;;
    both) wanted='.a .so .so.0.1 .so.0.1.0' ;;
    esac
    # libvkreduce-host is installed in the same forms.
    wanted="$(echo "$wanted" | sed 's/^/-host/; s/ / -host/g') $wanted"
    check "$wanted is installed" [ "$(libraries "$work/$kind")" = "$wanted" ]
    check 'and all headers but those of other libraries' \
        [ "$(headers "$work/$kind")" = "$installed" ]
    check 'and the licence and all pages' [ "$(pages "$work/$kind")" = "$wanted_pages" ]
done
statics=static
if [ "$zstd" != none ]; then
    packed() {
        "$meson" setup "$work/build-packed" "$host" --wrap-mode=forcefallback -Dbuildtype=plain \
            "-Dvkreduce:shaders=$zstd" -Dvkreduce:compression=enabled -Ddefault_library=static \
            "-Dvkreduce:glsl=$glsl" "-Dvkreduce:mpi=$mpi" "-Dprefix=$work/packed" &&
            "$meson" install -C "$work/build-packed"
    }
    packed_both() {
        "$meson" configure "$work/build-packed" -Ddefault_library=both \
            -Dvkreduce:default_library=both "-Dprefix=$work/packed-both" &&
            "$meson" install -C "$work/build-packed"
    }
    # Packages are made of files with these tags.
    tagged() {
        "$meson" install -C "$work/build-packed" --no-rebuild --tags runtime,devel \
            --destdir "$work/tagged" &&
            diff -r "$work/tagged/$work/packed-both" "$work/packed-both"
    }
    check 'a host of three lines, static, with zstd' packed
    check 'it finds the result' runs "$work/build-packed/app" ''
    check 'the same as a static and a shared library' packed_both
    check 'the tags runtime and devel install all files' tagged
    if [ "$glsl" = enabled ] && [ "$mpi" = enabled ]; then
        check 'headers of other libraries are installed with these' \
            [ "$(headers "$work/packed")" = "$all_headers" ]
    fi
    statics='static packed'
fi
check 'no test, sample or benchmark is built' [ -z "$(find "$build" -name tests -o -name samples)" ]

# ---- pkg-config ----

# shellcheck disable=SC2086 # a list
with_pkg_config() { # KIND OPTION
    flags=$(PKG_CONFIG_PATH=$(libdir "$work/$1")/pkgconfig pkg-config --cflags --libs $2 vkreduce) &&
        echo "$flags" &&
        ${CC:-cc} -o "$work/app" "$host/app.c" $flags
}

# shellcheck disable=SC2086 # a list
for row in shared: $(printf '%s: ' $statics) both: both:--static; do
    kind=${row%%:*}
    check "pkg-config, $row" with_pkg_config "$kind" "${row#*:}"
    check 'it finds the result' runs "$work/app" "$(libdir "$work/$kind")"
done
glsl_dir() {
    dir=$(PKG_CONFIG_PATH=$(libdir "$work/both")/pkgconfig pkg-config --variable=glsl vkreduce) &&
        [ -f "$dir/vkreduce/group.glsl" ]
}
check 'the variable glsl names the folder of the shader library' glsl_dir
# As meson.build has it.
vulkan=$(sed -n "s/^vulkan_needed = '\(.*\)'/\1/p" "$sources/meson.build")
vulkan_is_named() {
    pc=$(libdir "$work/both")/pkgconfig
    [ "$(PKG_CONFIG_PATH=$pc pkg-config --variable vulkan_headers vkreduce)" = "$vulkan" ] &&
        grep "^Description:.* of Vulkan $vulkan or newer" "$pc/vkreduce.pc" &&
        grep "of Vulkan $vulkan or newer" "$(find "$work/both" -name vkreduceConfigVersion.cmake)"
}
check 'files of pkg-config and CMake name the headers of Vulkan' vulkan_is_named

# ---- The library for arrays of the host ----

cp "$sources/samples/host.c" "$work/host.c"
host_says='sum 196011, largest 695.5 at 161, median 195.5'
# shellcheck disable=SC2086 # a list
with_host() { # KIND
    flags=$(PKG_CONFIG_PATH=$(libdir "$work/$1")/pkgconfig pkg-config --cflags --libs vkreduce-host) &&
        echo "$flags" &&
        ${CC:-cc} -o "$work/app" "$work/host.c" $flags
}
for kind in shared $statics both; do
    check "pkg-config, vkreduce-host, $kind" with_host "$kind"
    case $kind in static | packed) wanted=static ;; *) wanted=shared ;; esac
    check "vkreduce-host is the $wanted library" links "$work/app" $wanted
    check 'it finds the result' runs "$work/app" "$(libdir "$work/$kind")" "$host_says"
done

# ---- The library that compiles GLSL: only where it is asked for ----

if [ "$zstd" != none ] && [ "$glsl" = enabled ]; then
    cat >"$work/glsl.c" <<'END'
#include <string.h>
#include <vkreduce/glsl.h>
int main(void)
{
    static const char text[] = "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
                               "#include \"vkreduce/hook.glsl\"\n"
                               "float twice(uint i) { return 2.0 * i; }\nVKR_HOOKS(twice(0))\n";
    const VkrGlslInfo info = {.text = text, .textSize = sizeof text - 1};
    VkrGlslCode code;
    return vkrCompileGlsl(&info, &code) != VKR_SUCCESS || code.code[0] != 0x07230203;
}
END
    # shellcheck disable=SC2086 # a list
    with_glsl() {
        flags=$(PKG_CONFIG_PATH=$(libdir "$work/packed")/pkgconfig \
            pkg-config --cflags --libs vkreduce-glsl) &&
            ${CC:-cc} -o "$work/glsl" "$work/glsl.c" $flags && "$work/glsl"
    }
    check 'pkg-config, vkreduce-glsl' with_glsl
fi

# ---- The library for the ranks of MPI: only where it is asked for ----

if [ "$zstd" != none ] && [ "$mpi" = enabled ]; then
    cat >"$work/mpi.c" <<'END'
#include <stddef.h>
#include <vkreduce/mpi.h>
int main(void) /* needs no mpirun */
{
    VkrMpi mpi = NULL;
    vkrDestroyMpi(mpi);
    return vkrGetTotalBlock(&(VkrScanInfo){.op = VKR_OP_SUM}, VKR_TYPE_U32) != 0 ||
           vkrCreateMpi(&(VkrMpiInfo){.communicator = MPI_COMM_NULL}, &mpi) !=
               VKR_ERROR_INVALID_ARGUMENT;
}
END
    # shellcheck disable=SC2086 # a list
    with_mpi() {
        flags=$(PKG_CONFIG_PATH=$(libdir "$work/packed")/pkgconfig \
            pkg-config --cflags --libs vkreduce-mpi) &&
            echo "$flags" &&
            ${CC:-cc} -o "$work/mpi" "$work/mpi.c" $flags && "$work/mpi"
    }
    check 'pkg-config, vkreduce-mpi' with_mpi
fi

# ---- CMake ----

cat >"$host/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(host C)
find_package(vkreduce 0.2 QUIET)
if(vkreduce_FOUND)
    message(FATAL_ERROR "0.1 is taken for 0.2")
endif()
find_package(vkreduce 0.1 REQUIRED)
find_package(vkreduce 0.1.0 EXACT REQUIRED)
if(NOT EXISTS "${vkreduce_GLSL_DIR}/vkreduce/group.glsl")
    message(FATAL_ERROR "${vkreduce_GLSL_DIR} has no group.glsl")
endif()
add_executable(app app.c)
target_link_libraries(app vkreduce::vkreduce ${CMAKE_DL_LIBS})
if(TARGET vkreduce::vkreduce_static)
    add_executable(app_static app.c)
    target_link_libraries(app_static vkreduce::vkreduce_static)
endif()
END

with_cmake() { # KIND OPTION...
    kind=$1
    shift
    rm -rf "$work/cmake" && mkdir "$work/cmake" && cd "$work/cmake" &&
        "$cmake" -DCMAKE_PREFIX_PATH="$work/moved/$kind" "$@" "$host" && "$cmake" --build .
}

if [ "$cmake" != none ]; then
    mkdir "$work/moved"
    for kind in shared $statics both; do
        mv "$work/$kind" "$work/moved"
        check "CMake, $kind" with_cmake "$kind"
        case $kind in static | packed) wanted=static ;; *) wanted=shared ;; esac
        check "vkreduce::vkreduce is the $wanted library" links "$work/cmake/app" $wanted
        check 'it finds the result' runs "$work/cmake/app" "$(libdir "$work/moved/$kind")"
        if [ "$kind" != shared ]; then
            check 'vkreduce::vkreduce_static is static' links "$work/cmake/app_static" static
            check 'it finds the result' runs "$work/cmake/app_static" ''
        else
            check 'there is no vkreduce::vkreduce_static' [ ! -e "$work/cmake/app_static" ]
        fi
    done
fi

# ---- CMake, where something is missing ----

refuses() { # PATTERN FUNCTION ARGUMENT...: passes if the command fails and says so
    pattern=$1
    shift
    if "$@" >"$work/refused" 2>&1; then
        return 1
    fi
    cat "$work/refused"
    tr -s ' \n' ' ' <"$work/refused" | grep -q -- "$pattern"
}

if [ "$cmake" != none ]; then
    mkdir -p "$work/old/vulkan"
    cat >"$work/old/vulkan/vulkan_core.h" <<'END'
#define VK_HEADER_VERSION 170
#define VK_HEADER_VERSION_COMPLETE VK_MAKE_API_VERSION(0, 1, 2, VK_HEADER_VERSION)
END
    check 'old headers of Vulkan' refuses \
        "needs headers of Vulkan $vulkan or newer; those in $work/old are of 1.2.170" \
        with_cmake both "-DVulkan_INCLUDE_DIR=$work/old"
fi
if [ "$cmake" != none ] && [ "$zstd" != none ]; then
    mv "$work/packed-both" "$work/moved"
    # Whoever has the shared library need not have zstd's files for development.
    without='-DCMAKE_IGNORE_PREFIX_PATH=/;/usr;/usr/local'
    check 'CMake, packed-both' with_cmake packed-both
    check 'vkreduce::vkreduce_static is static' links "$work/cmake/app_static" static
    check 'CMake, packed-both, without zstd' with_cmake packed-both "$without"
    check 'vkreduce::vkreduce is the shared library' links "$work/cmake/app" shared
    check 'there is no vkreduce::vkreduce_static' [ ! -e "$work/cmake/app_static" ]
    check 'CMake, packed, without zstd' refuses 'the static library of vkreduce needs libzstd' \
        with_cmake packed "$without"
fi

# ---- Components for CMake ----

mkdir "$work/parts"
cat >"$work/parts/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.13)
project(parts C)
find_package(vkreduce 0.1 REQUIRED COMPONENTS ${PARTS} OPTIONAL_COMPONENTS others)
foreach(part IN LISTS PARTS)
    add_executable(${part} ../${part}.c)
    target_link_libraries(${part} vkreduce::${part})
endforeach()
END

with_parts() { # KIND PART...
    kind=$1
    shift
    rm -rf "$work/cmake" && mkdir "$work/cmake" && cd "$work/cmake" &&
        "$cmake" -DCMAKE_PREFIX_PATH="$work/moved/$kind" "-DPARTS=$(echo "$*" | tr ' ' ';')" \
            "$work/parts" && "$cmake" --build . || return 1
    for part; do
        XDG_CACHE_HOME=$work/cache LD_LIBRARY_PATH=$(libdir "$work/moved/$kind") "./$part" || return 1
    done
}

if [ "$cmake" != none ]; then
    check 'a component that was not built' refuses \
        'libvkreduce-mpi is not installed with vkreduce' with_parts shared mpi
    check 'an unknown component' refuses \
        'vkreduce has no component mpx; it has glsl, host and mpi' with_parts shared mpx
fi
if [ "$cmake" != none ]; then
    for kind in shared $statics both; do
        check "CMake, $kind, component host" with_parts "$kind" host
        check 'it finds the result' runs "$work/cmake/host" "$(libdir "$work/moved/$kind")" \
            "$host_says"
    done
fi
if [ "$cmake" != none ] && [ "$zstd" != none ]; then
    for part in glsl mpi; do
        [ ! -e "$work/$part.c" ] || for kind in packed packed-both; do
            check "CMake, $kind, component $part" with_parts $kind $part
        done
    done
fi
finish
