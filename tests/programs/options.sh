#!/bin/sh
# SPDX-License-Identifier: MIT
#
# options.sh MESON SOURCES PACK none|zstd MODULES: tests a build of the library for f32 and u32
# without the documents' algorithms, from the modules in the folder MODULES. It must be small, work,
# and say what it lacks. The runner verifies results with its scalar reference.
set -eu
meson=$1 sources=$2 pack=$3 compression=$4 modules=$5
case $compression in zstd) feature=enabled most=1000000 ;; *) feature=disabled most=3000000 ;; esac
# shellcheck source=tests/programs/checks.sh
. "$(dirname "$0")/checks.sh"

# kernel_list.h lists the modules of such a build.
build() {
    : >"$work/shaders.c"
    "$meson" setup "$work/build" "$sources" -Dbuildtype=plain -Dtests=false -Dbench=false \
        -Dsamples=true -Dtypes=f32,u32 -Ddocuments=false -Dmpi=disabled \
        "-Dcompression=$feature" "-Dshaders=$work/shaders.c" || return
    files=$(sed -n 's/^    VKR_KERNEL_\([A-Z0-9_]*\),$/\1/p' "$work/build/shaders/kernel_list.h" |
        tr '[:upper:]' '[:lower:]' | sed "s|.*|$modules/&.spv|")
    # shellcheck disable=SC2086 # a list
    "$pack" "$compression" "$work/shaders.c" $files &&
        ninja -C "$work/build" -j2 samples/vkreduce/vkreduce src/libvkreduce.so.0.1.0 &&
        strip -o "$work/library" "$work/build/src/libvkreduce.so"
}

small() {
    [ "$(wc -c <"$work/library")" -le "$most" ]
}

runner() {
    "$work/build/samples/vkreduce/vkreduce" "$@"
}

refused() { # SENTENCE ARGUMENT..
    sentence=$1
    shift
    runner "$@" >"$work/said" 2>&1 && return 1
    cat "$work/said"
    grep -q "$sentence" "$work/said"
}

no_kernels='this build of the library has no kernels for it'
check 'a library for f32 and u32 is built' build
check "and has at most $most bytes" small
[ ! -f "$work/library" ] || echo "# $(wc -c <"$work/library") bytes, stripped"
for type in f32 u32; do
    values="random:100100:7 --type $type --verify"
    sums="$values --accumulator $type"
    # shellcheck disable=SC2086 # lists
    {
        check "a reduction of $type" runner reduce min,max,mean,argmin $values
        check "segments of $type" runner reduce sum,max $sums --segments rows:77
        check "a scan of $type" runner scan sum $sums -o "$work/sums.npy"
        check "a compaction of $type" runner compact '!nonzero' $values -o "$work/kept.npy"
    }
done
check 'reductions of u8 are refused' refused "$no_kernels" reduce min random:100:1 --type u8
check 'wide accumulators are refused' refused "and accumulator u64, but $no_kernels" \
    reduce sum random:100:1 --type u32 --accumulator u64
check 'scans of f64 are refused' refused "$no_kernels" \
    scan sum random:100:1 --type f64 -o "$work/no.npy"
check 'scans by passes are refused' refused 'has no scans by passes' \
    scan sum random:100:1 --algorithm blelloch -o "$work/no.npy"
check 'the self-test does with what there is' runner devices --self-test
finish
