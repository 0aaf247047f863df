#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh tests/run.sh [--drivers | --full [--mutants K/7]]: installs what is missing, builds into build/
# and runs one of three tiers of tests. The last line is "N passed, N failed".
#
# Without an option: all tests that need no driver; all operations on the system's lavapipe, also
# under the validation layer; the runner, the samples, the package and the pages. It takes minutes.
#
# --drivers: the rest of what each change must pass, after the first tier: other drivers and widths
# of subgroups (32 and 64 lanes if tests/wide.sh has built that driver), devices with few features,
# the compilers of AMD's GPUs, MPI, programs for Windows under wine (build-windows/), and a part of
# the tests under ASan, UBSan (build-asan/) and TSan (build-tsan/). The last lines count both tiers.
#
# --full: all tests on all drivers, longer sweeps, rows of seeds that it draws anew and prints, a
# seventh of the mutants (that of the day, or K/7), and each fuzzing target for a minute if clang
# has libFuzzer (build-fuzz/); first it builds the compilers of other vendors' GPUs
# (tests/vendors.sh). Nothing comes from a cache. It takes hours.
set -eu
cd "$(dirname "$0")/.."
tier=first slower=1 part=$(date +%u)/7
while [ $# -gt 0 ]; do
    case $1 in
    --drivers) tier=drivers ;;
    --full) tier=full slower=20 ;;
    --mutants) part=${2:?--mutants needs K/7} && shift ;;
    *) echo 'usage: sh tests/run.sh [--drivers | --full [--mutants K/7]]' >&2 && exit 2 ;;
    esac
    shift
done
# shellcheck source=samples/setup.sh
. samples/setup.sh
full=false
if [ $tier = full ]; then
    full=true
    export VKR_TEST_FULL=1 CCACHE_DISABLE=1
else
    use_caches
fi

stage() {
    echo
    echo "== $* ($(date +%H:%M:%S))"
}

give_up() {
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}

# Names logs of tests. Where one is missing in the end, something failed before it.
expect() { # LOG...
    printf '%s\n' "$@" >>build/expected
}

# Configures again each time, since drivers may have been added or removed. Builds
# ${targets-everything}.
build() { # FOLDER OPTION...
    folder=$1
    shift
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$@" >"$folder.log" ||
            meson setup --wipe "$folder" "$@" >"$folder.log"
    else
        meson setup "$folder" "$@" >"$folder.log"
    fi || { cat "$folder.log" && return 1; }
    mv "$folder.log" "$folder/configure.log"
    grep -i 'left out' "$folder/configure.log" || true
    # shellcheck disable=SC2086 # a list
    build_targets "$folder" ${targets-}
}

# Runs tests; Meson first builds what they need and is missing. Their log is named LOG.json.
run() { # FOLDER LOG MESON-TEST-ARGUMENT...
    folder=$1 log=$2
    shift 2
    ${still-} meson test -C "$folder" --print-errorlogs --logbase "$log" \
        --timeout-multiplier "$slower" "$@" </dev/null || true
}

# Programs for Windows run under wine, which needs a display and is one process.
windows() {
    sh tests/windows.sh .drivers || { echo 'left out: what it needs cannot be had' && return 0; }
    expect build-windows/meson-logs/testlog.json
    export C_INCLUDE_PATH="$PWD/.drivers/windows/include" WINEDEBUG=-all
    export WINEPREFIX="$PWD/build-windows/wine" still='xvfb-run -a'
    build build-windows "$shaders" --cross-file .drivers/windows/cross.ini -Dwerror=true \
        -Dtests=true -Dsamples=true -Dexr=disabled -Dglsl=disabled -Dbench=false -Dfull=$full &&
        xvfb-run -a /usr/lib/wine/wine64 wineboot --init >/dev/null 2>&1 &&
        run build-windows testlog --num-processes 1
}

# Builds only what the tests of this suite need. There are few optimisations, since compiling takes
# longer than the tests. clang compiles if it is installed, so that both compilers see the code.
address_sanitizer() {
    if command -v clang >/dev/null; then export CC=clang; fi
    echo "compiler: ${CC:-cc}"
    if ! $full; then targets=tests/unit/libkeep_loaded.so; fi
    build build-asan "$shaders" -Dtests=true -Dfull=$full -Dsamples=false -Dbench=false \
        -Dwerror=true -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false || return 1
    export LD_PRELOAD="$PWD/build-asan/tests/unit/libkeep_loaded.so"
    export ASAN_OPTIONS=detect_leaks=1:verify_asan_link_order=0
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    run build-asan testlog --suite asan
}

# This sanitizer needs the usual layout of addresses, without randomisation.
thread_sanitizer() {
    if setarch "$(uname -m)" -R true 2>/dev/null; then still="setarch $(uname -m) -R"; fi
    targets=src/libvkreduce.a
    build build-tsan "$shaders" -Dtests=true -Dfull=$full -Dsamples=false -Dbench=false \
        -Doptimization=1 -Db_sanitize=thread -Db_lundef=false || return 1
    export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp ignore_noninstrumented_modules=1"
    run build-tsan testlog --suite tsan
}

# Runs a function at the same time as the next ones; `wait_for` then prints what it said.
beside() { # FUNCTION
    "$1" >"build/$1.log" 2>&1 &
    eval "$1=\$!"
}

wait_for() { # FUNCTION
    eval "wait \$$1" || echo "$1 failed"
    stage "$1"
    cat "build/$1.log"
}

# Builds the fuzzing targets and runs each for a minute. The other tiers only replay the corpus. New
# findings lie in build-fuzz/tests/fuzz/found.
fuzz() {
    if echo 'int LLVMFuzzerTestOneInput(char *d, long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer -o /dev/null - 2>/dev/null; then
        expect build-fuzz/meson-logs/testlog.json
        CC=clang build build-fuzz "$shaders" -Dfuzz=true -Dsamples=false -Dbench=false \
            -Db_sanitize=address,undefined -Db_lundef=false &&
            run build-fuzz testlog --suite fuzz
    else
        echo 'left out: there is no clang with libFuzzer'
    fi
}

stage 'Packages'
install_packages build-essential cmake meson ninja-build pkg-config python3 python3-numpy python3-venv glslc \
    spirv-cross spirv-tools spirv-headers libvulkan-dev libvulkan-volk-dev libvulkan1 libzstd-dev \
    libpng-dev libcmocka-dev mesa-vulkan-drivers vulkan-validationlayers groff-base gnuplot-nox ||
    give_up 'A package could not be installed.'
install_packages ccache || echo 'Without it, compiling takes longer.'
install_packages libopenexr-dev || echo 'Without it, the reading of OpenEXR pictures is left out.'
install_packages libshaderc-dev || echo 'Without it, libvkreduce-glsl is left out.'
install_packages clang-format-14 || echo 'Without it, the test format is skipped.'
if [ $tier != first ]; then
    install_packages libopenmpi-dev openmpi-bin libmpich-dev mpich ||
        echo 'Without one of them, libvkreduce-mpi is left out.'
    install_packages python3-mpi4py || echo 'Without it, Python over ranks is not tested.'
fi

stage 'Drivers'
sh tests/drivers.sh .drivers
ls .drivers/icd .drivers/layer
if $full; then
    sh tests/vendors.sh .drivers ||
        echo 'The compilers of some vendors are left out: they could not be built.'
fi

# After the first tier, its log counts too.
mkdir -p build
kept=
if [ $tier = drivers ]; then kept=$(grep -s first.json build/expected) || true; fi
rm -f build-*/meson-logs/testlog.json
echo "$kept" >build/expected

stage 'Build'
bench=true
if [ $tier = first ]; then bench=false; fi
build build -Dtests=true -Dsamples=true -Dbench=$bench -Dfull=$full || give_up 'The build failed.'
shaders="-Dshaders=$PWD/build/shaders/shaders.c"

case $tier in
first)
    stage 'Tests'
    expect build/meson-logs/first.json
    run build first --no-suite drivers --no-suite night
    ;;
drivers)
    stage 'Tests on other drivers'
    expect build/meson-logs/drivers.json
    run build drivers --suite drivers
    ;;
full)
    stage 'Tests'
    expect build/meson-logs/full.json
    run build full
    ;;
esac

if [ $tier != first ]; then
    stage 'Windows, and sanitizers'
    expect build-asan/meson-logs/testlog.json build-tsan/meson-logs/testlog.json
    beside windows
    beside address_sanitizer
    wait_for address_sanitizer
    beside thread_sanitizer
    wait_for thread_sanitizer
    wait_for windows
fi

if $full; then
    stage 'Other processors and C libraries'
    expect build-i686/meson-logs/testlog.json build-aarch64/meson-logs/testlog.json
    sh tests/cross.sh .drivers || true

    stage 'New seeds'
    expect build/meson-logs/seeds.json build/meson-logs/mutants.json
    python3 tests/seeds.py build --configurations lvp22-8,lvp25-8,lvp22-32,lvp22-64 \
        --log build/meson-logs/seeds.json || true

    stage "Mutants, part $part"
    python3 tests/mutants/mutants.py build --part "$part" \
        --log build/meson-logs/mutants.json || true

    stage 'Fuzzing'
    fuzz
fi

stage 'Summary'
# shellcheck disable=SC2046 # a list
python3 tests/summary.py ${VKR_TEST_TURNS:+--runs "$VKR_TEST_TURNS/runs.json"} $(cat build/expected)
