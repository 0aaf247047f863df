#!/bin/sh
# SPDX-License-Identifier: MIT
#
# For machines with a GPU and without compilers or packages.
#
#     sh tests/bench/gpu.sh build [MESON-OPTION...]
#                                    on a machine with the tools: makes build-gpu/, with CUB's
#                                    program if nvcc is installed
#     sh tests/bench/gpu.sh [ARGUMENT...]
#                                    on the machine with the GPU, which needs libc, a Vulkan loader
#                                    and a driver: runs the benchmark with the arguments, CUB, both
#                                    in turns (if python3 is installed), sums of segments and of
#                                    windows, images, histograms, sorts and searches, stream
#                                    reduction, the matcher, the tuning of f32, the self-test and a
#                                    reduced set of tests, each within a time limit: 17 minutes if
#                                    all were reached
#
# The second form writes rows.json, cub.json, segments.json, cub-segments.json, match.json,
# windows.json, images.json, histograms.json, streams.json, ordered.json, cub-ordered.json, the same
# with -large, profile.txt and a .txt for each step (TAP for the tests) into $OUT, or
# tests/bench/results/. The exit status is 1 if anything failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
built=build-gpu
sizes=2^10,2^14,2^16,2^18,2^20,2^22,2^25,2^28
segment_sizes=2^24,2^28
# NAME:SECONDS; those of `rows` are operations of the program of that name.
tests='progress:35 determinism:20'
rows='reduce:50 scan:45 compact:45 sort:45 topk:35 by_key:35 bounds:15 chains:20'
programs="tests/bench/bench samples/vkreduce/vkreduce samples/match tests/rows $(echo "$tests" | sed 's,\([a-z_]*\):[0-9]*,tests/\1,g')"

build() {
    [ -f "$built-objects/build.ninja" ] ||
        meson setup "$built-objects" --buildtype=release -Dstrip=true \
            -Dpeers=disabled "$@" >/dev/null || return 1
    # shellcheck disable=SC2086
    ninja -C "$built-objects" --quiet $programs || return 1
    rm -rf "$built"
    for program in $programs; do
        install -s -D "$built-objects/$program" "$built/$program" || return 1
        ldd "$built-objects/$program" | awk '$1 ~ /^lib(cmocka|vkreduce|png|z|zstd|OpenEXR)/ { print $3 }' |
            xargs -r -I{} install -s -D -t "$built/lib" {}
    done
    sh tests/bench/peers/cub.sh "$built/cub" || echo 'CUB is left out'
    du -sh "$built"
}

# NAME SECONDS COMMAND...: writes the command's output to NAME.txt, and its exit status to stdout.
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

run_cub() {
    measured=$(sed -n 's/.*"arm":"empty".*"n":\([0-9]*\).*/\1/p' "$out/rows.json" | paste -sd, -)
    step cub 45 "$built/cub" --sizes "$measured" --json "$out/cub.json"
    step cub-segments 30 "$built/cub" --segments --sizes "$segment_sizes" \
        --json "$out/cub-segments.json"
    if command -v python3 >/dev/null; then
        # Only one round, since every start creates data and pipelines again.
        step compare 45 python3 tests/bench/compare.py --folder "$built/tests/bench" --only cub \
            --sizes 2^16,2^28 --rounds 1 --runs 9 'f32 auto' 'u32 auto' i32
        cat "$out/compare.txt"
    fi
}

has_cub() {
    [ -x "$built/cub" ] && [ -e /dev/nvidiactl ]
}

# All sorts and searches at some sizes, and few at a large one, since one core verifies them.
run_ordered() {
    step ordered 60 "$built/tests/bench/bench" --ordered --sizes 2^16,2^20,2^24 \
        --json "$out/ordered.json"
    has_cub && step cub-ordered 60 "$built/cub" --ordered --sizes 2^16,2^20,2^24 \
        --json "$out/cub-ordered.json"
    set -- --ordered --sizes 2^28 --runs 5 'sort u32' 'sort f32' 'sort u64' 'sort,payload 4 u32' \
        'topk 100 f32' 'scan sum' 'run-lengths 4' 'by-key sum 4' 'bounds random'
    step ordered-large 90 "$built/tests/bench/bench" "$@" --json "$out/ordered-large.json"
    has_cub && step cub-ordered-large 90 "$built/cub" "$@" --json "$out/cub-ordered-large.json"
}

# All at the same time, since nothing is timed.
run_tests() {
    for test in $tests $rows; do
        name=${test%:*}
        (
            failed=0
            case " $rows " in
                *" $test "*) step "$name" "${test#*:}" "$built/tests/rows" "$name" ;;
                *) step "$name" "${test#*:}" "$built/tests/$name" ;;
            esac
            [ $failed -eq 0 ] || touch "$out/failed"
        ) &
    done
    wait
    [ ! -e "$out/failed" ] || failed=1
    rm -f "$out/failed"
}

run() {
    out=${OUT:-tests/bench/results}
    failed=0
    mkdir -p "$out" || return 1
    export LD_LIBRARY_PATH="$PWD/$built/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    step bench 140 "$built/tests/bench/bench" --sizes "$sizes" --json "$out/rows.json" "$@"
    if has_cub; then
        run_cub
    else
        echo 'cub: left out'
    fi
    step segments 70 "$built/tests/bench/bench" --segments --sizes "$segment_sizes" \
        --json "$out/segments.json"
    # 288 arms have 64 runs each.
    step windows 55 "$built/tests/bench/bench" --windows --busy 1 --json "$out/windows.json"
    step images 40 "$built/tests/bench/bench" --images --json "$out/images.json"
    step histograms 40 "$built/tests/bench/bench" --histograms --sizes 2^25,2^28 \
        --json "$out/histograms.json"
    run_ordered
    step streams 90 "$built/tests/bench/bench" --streams --json "$out/streams.json"
    step match 10 "$built/samples/match" random:4096:16384 --json
    sed -n '/^{/p' "$out/match.txt" >"$out/match.json"
    # The tests run on the benchmark's device, by its name.
    VKR_TEST_DEVICE=$(sed -n '1s/.*"device":"\([^"]*\)".*/\1/p' "$out/rows.json")
    export VKR_TEST_DEVICE VKR_TEST_ROWS=25
    run_tests
    runner=$built/samples/vkreduce/vkreduce
    step selftest 10 "$runner" devices --self-test
    step tune 35 "$runner" tune --type f32 -o "$out/profile.txt"
    sed -n '/^share of/,$p' "$out/bench.txt"
    sed -n '/^share of/,$p' "$out/segments.txt"
    sed -n '/^times as fast/,$p' "$out/windows.txt"
    sed -n '/^times as fast/,$p' "$out/streams.txt"
    if command -v python3 >/dev/null; then
        rows=$out/rows.json
        for more in cub segments cub-segments match windows images histograms streams \
            ordered cub-ordered ordered-large cub-ordered-large; do
            [ -f "$out/$more.json" ] && rows="$rows $out/$more.json"
        done
        # shellcheck disable=SC2086
        python3 tests/bench/lines.py $rows
    fi
    return $failed
}

case ${1-} in
build) shift && build "$@" ;;
*) run "$@" ;;
esac
