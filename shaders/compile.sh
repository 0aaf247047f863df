#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh RESHAPE SPIRV-OPT DEPFILE FOLDER SOURCE.comp {-- NAME [-DNAME=VALUE]...}...: compiles
# modules of one source to FOLDER/NAME.spv, makes them small, and gives them loops that drivers
# compile quickly (reshape.c). "none" stands for a missing SPIRV-OPT. Functions that are called once
# are inlined. Other calls remain: drivers inline all functions once they know the constants, so
# inlining here would only repeat code. A test validates the modules.
#
# One process of glslc compiles all modules of a call, since it takes much longer to set up its
# tables of built-in functions than to compile one of them. Options of its command line apply to all
# of its sources, so macros are written to a copy of the source for each module.
#
# If VKR_MODULE_CACHE names a folder, modules that it holds are copied from there, and others are
# added to it. The key is a hash of all that a module may depend on: the source, every file that it
# may include, the macros, this script, the sources of RESHAPE, and the tools' versions. Paths are
# no part of it, so checkouts share a folder.
set -eu
reshape=$1 spirv_opt=$2 depfile=$3 folder=$4
source=$(cd "$(dirname "$5")" && pwd)/$(basename "$5")
shift 5
includes=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints what the modules depend on, by content. Other kernels are left out, since a kernel is never
# included.
inputs() { # MACROS...
    printf '%s\n' "${source#"$includes"/}" "$@"
    for tool in glslc "$spirv_opt"; do
        if [ "$tool" = none ]; then
            echo none
        else
            "$tool" --version 2>&1 # spirv-opt prints it as an error
        fi
    done
    # Not the program itself, since its debug information names the folder of the build.
    cat "$source" "$includes"/../src/spirv/grammar.[ch] "${reshape%/*}/../spirv_grammar.h"
    (cd "$includes" && find . -type f ! -name '*.comp' ! -name meson.build |
        LC_ALL=C sort | xargs sha256sum)
}

entry=
if [ -n "${VKR_MODULE_CACHE:-}" ]; then
    inputs "$@" >"$work/inputs"
    entry=$VKR_MODULE_CACHE/$(sha256sum <"$work/inputs" | cut -c 1-64)
    if [ -d "$entry" ]; then
        cp "$entry"/*.spv "$folder"
        # Dependencies are listed relative to this script's folder.
        printf '%s:' "$(cd "$entry" && printf "$folder/%s " *.spv)" >"$depfile"
        while read -r file; do
            printf ' %s' "$includes/$file"
        done <"$entry/dependencies" >>"$depfile"
        exit
    fi
fi

before=$(sed '/^#version/q' "$source")
after=$(sed '1,/^#version/d' "$source")
line=$(($(sed -n '/^#version/=' "$source") + 1))
names= files= modules=
while [ $# -gt 0 ]; do
    name=$2
    names="$names $name" files="$files $name.comp" modules="$modules $name.comp.spv"
    shift 2
    {
        printf '%s\n' "$before"
        while [ $# -gt 0 ] && [ "$1" != -- ]; do
            macro=${1#-D}
            printf '#define %s %s\n' "${macro%%=*}" "${macro#*=}"
            shift
        done
        printf '#extension GL_GOOGLE_cpp_style_line_directive : require\n#line %s "%s"\n' \
            "$line" "$source"
        printf '%s\n' "$after"
    } >"$work/$name.comp"
done

# Lists of names, which are rows of shaders/kernels/meson.build. shellcheck disable=SC2086
{
    (cd "$work" &&
        glslc -O0 --target-env=vulkan1.1 -I "${source%/*}" -I "$includes" -MD -c $files)
    if [ "$spirv_opt" != none ]; then
        (cd "$work" && "$reshape" functions $modules)
        for module in $modules; do
            "$spirv_opt" --eliminate-dead-functions \
                --inline-entry-points-exhaustive --eliminate-dead-functions \
                --convert-local-access-chains --eliminate-local-single-block \
                --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
                --redundancy-elimination --eliminate-dead-branches --if-conversion \
                --eliminate-dead-code-aggressive --merge-blocks \
                --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
                --redundancy-elimination --eliminate-dead-code-aggressive --merge-blocks \
                --unify-const --remove-duplicates "$work/$module" -o "$work/$module"
        done
    fi
    (cd "$work" && "$reshape" loops $modules && "$reshape" ids $modules)
    for name in $names; do
        module=$work/$name.comp.spv
        mv "$module" "$folder/$name.spv"
    done
    # All dependencies of the modules, except for the copies of the source.
    {
        printf "$folder/%s.spv " $names
        printf ':'
        sed 's/^[^ ]* [^ ]*//' "$work"/*.d | tr -d '\n'
    } >"$depfile"

    # An entry appears complete, by a rename. If another process was faster, its entry stays.
    if [ -n "$entry" ]; then
        mkdir -p "$VKR_MODULE_CACHE"
        new=$(mktemp -d "$VKR_MODULE_CACHE/new.XXXXXX")
        trap 'rm -rf "$work" "$new"' EXIT
        for name in $names; do
            cp "$folder/$name.spv" "$new"
        done
        sed 's/^[^:]*://' "$depfile" | tr ' ' '\n' | sed -n "s|^$includes/||p" | LC_ALL=C sort -u \
            >"$new/dependencies"
        if [ -s "$new/dependencies" ]; then
            mv -T "$new" "$entry" 2>/dev/null || [ -d "$entry" ]
        fi
    fi
}
