#!/bin/sh
# SPDX-License-Identifier: MIT
#
# For machines with a GPU and without compilers or packages.
#
#     sh tests/bench/gpu.sh build    on a machine with the tools: makes build-gpu/
#     sh tests/bench/gpu.sh          on the other one, which needs libc, a Vulkan loader and a
#                                    driver: runs build-gpu/'s benchmark and a reduced set of tests
#                                    in at most 8 minutes
#
# Writes rows.json, bench.txt, and reduce.txt and determinism.txt (TAP) into $OUT, or
# tests/bench/results/. The exit status is 1 if anything failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
built=build-gpu
programs='tests/bench/bench tests/reduce tests/determinism'

build() {
    [ -f "$built/build.ninja" ] ||
        meson setup "$built" --buildtype=release -Dstrip=true -Dsamples=false >/dev/null || return 1
    # shellcheck disable=SC2086
    ninja -C "$built" --quiet $programs || return 1
    mkdir -p "$built/lib"
    ldd "$built/tests/reduce" | awk '$1 ~ /^libcmocka/ { print $3 }' |
        xargs -I{} cp -L {} "$built/lib/"
}

# NAME SECONDS COMMAND...: its output into NAME.txt, and how it ended onto stdout.
step() {
    name=$1 seconds=$2
    shift 2
    timeout "$seconds" "$@" >"$out/$name.txt" 2>&1
    status=$?
    echo "$name: exit status $status"
    if [ $status -ne 0 ]; then
        grep -v '^ok' "$out/$name.txt" | tail -n 20
        failed=1
    fi
}

run() {
    out=${OUT:-tests/bench/results}
    failed=0
    mkdir -p "$out" || return 1
    export LD_LIBRARY_PATH="$PWD/$built/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    step bench 240 "$built/tests/bench/bench" --json "$out/rows.json" "$@"
    # The tests take a part of a device's name: that of the benchmark's.
    VKR_TEST_DEVICE=$(sed -n '1s/.*"device":"\([^"]*\)".*/\1/p' "$out/rows.json")
    export VKR_TEST_DEVICE VKR_TEST_ROWS=150
    step reduce 150 "$built/tests/reduce"
    step determinism 60 "$built/tests/determinism"
    sed -n '/^share of/,$p' "$out/bench.txt"
    return $failed
}

case ${1-} in
build) build ;;
*) run "$@" ;;
esac
