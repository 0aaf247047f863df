#!/bin/sh
# SPDX-License-Identifier: MIT
#
# missing.sh MESON SOURCES: tests that a build is configured without the parts that lack something,
# and says so; and that a part that was asked for is not left out. Nothing is compiled.
set -eu
meson=$1 sources=$2 library=src/libvkreduce.so.0.1.0
# shellcheck source=tests/programs/checks.sh
. "$(dirname "$0")/checks.sh"

# ---- Hiding what is installed: a PATH, a folder of pkg-config and a compiler of its own ----

mkdir "$work/bin" "$work/packages"
for folder in $(echo "$PATH" | tr : ' '); do
    for file in "$folder"/*; do
        [ -e "$work/bin/${file##*/}" ] || ln -s "$file" "$work/bin"
    done
done
for folder in $(pkg-config --variable pc_path pkg-config | tr : ' '); do
    for file in "$folder"/*.pc; do
        [ ! -f "$file" ] || ln -sf "$file" "$work/packages"
    done
done
# Meson would ask cmake, too.
rm -f "$work/bin/cmake"
cat >"$work/cc" <<'END'
#!/bin/sh
for file; do
    case $file in *.c) grep -q -F -f "${0%/*}/hidden-headers" "$file" && exit 1 ;; esac
done
exec cc "$@"
END
chmod +x "$work/cc"
: >"$work/hidden-headers"
: >"$work/shaders.c"

hide() { # HEADER|PACKAGE|PROGRAM..
    for name; do
        case $name in
        *.h) echo "$name" >>"$work/hidden-headers" ;;
        *) rm -f "$work/packages/$name.pc" "$work/bin/$name" ;;
        esac
    done
}

configure() { # OPTION..
    rm -rf "$work/build"
    CC="$work/cc" PATH="$work/bin" PKG_CONFIG_LIBDIR="$work/packages" "$meson" setup "$work/build" \
        "$sources" "-Dshaders=$work/shaders.c" -Dglsl=disabled -Dmpi=disabled "$@" >"$work/said" 2>&1
}

configures() { # OPTION..
    configure "$@" || { cat "$work/said" && return 1; }
}

refuses() { # SENTENCE OPTION..
    sentence=$1
    shift
    if configure "$@"; then return 1; fi
    cat "$work/said"
    grep -q "ERROR: Problem encountered: $sentence\$" "$work/said"
}

says() { # SENTENCE..: these, and no other, are the sentences on parts
    for sentence; do echo "$sentence"; done >"$work/wanted"
    sed -n 's/.*WARNING: \(what -D.*\)/\1/p' "$work/said" | diff "$work/wanted" -
}

builds() { # TARGET..: of the library, the tests, samples and benchmark, only these
    for target; do echo "$target"; done >"$work/wanted"
    for target in $library tests/reduce shown-samples tests/bench/bench; do
        ! ninja -C "$work/build" -t query "$target" >/dev/null 2>&1 || echo "$target"
    done | diff "$work/wanted" -
}

hide cmocka
check 'a build without cmocka is configured' configures
check 'it says what was left out' says 'what -Dtests=true builds is left out: there is no cmocka'
check 'samples and benchmark are built' builds $library shown-samples tests/bench/bench
hide libpng spirv-as
check 'a build without libpng and spirv-as is configured' configures
check 'it says what was left out, too' says \
    'what -Dtests=true builds is left out: there is no cmocka and no spirv-as' \
    'what -Dsamples=true builds is left out: there is no libpng'
check 'the benchmark is built' builds $library tests/bench/bench
check 'tests that were asked for are not left out' \
    refuses '-Dtests=true: there is no cmocka and no spirv-as' -Dtests=true
check 'nor are samples' refuses '-Dsamples=true: there is no libpng' -Dsamples=true -Dtests=false
hide volk.h
check 'a build without volk.h is configured' configures
check 'it says that all parts were left out' says \
    'what -Dtests=true builds is left out: there is no volk.h and no cmocka and no spirv-as' \
    'what -Dsamples=true builds is left out: there is no volk.h and no libpng' \
    'what -Dbench=true builds is left out: there is no volk.h'
check 'the library is built' builds $library
check 'a benchmark that was asked for is not left out' \
    refuses '-Dbench=true: there is no volk.h' -Dtests=false -Dsamples=false -Dbench=true
finish
