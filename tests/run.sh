#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh tests/run.sh [--full]: installs what is missing, builds into build/ and runs the tests on every
# driver; then a part of the tests under ASan, UBSan (build-asan/) and TSan (build-tsan/). The
# drivers include one with subgroups of 32 and 64 lanes if tests/wide.sh has built it in .drivers.
# This is the default tier: of the rows that compare with the oracle, each driver runs its share of
# one list, so that all drivers together cover every pair of choices; fixed requests run once for
# each kind of driver. --full runs all tests on all drivers, longer sweeps, rows of seeds that it
# draws anew and prints, the mutants, and each fuzzing target for a minute if clang has libFuzzer
# (build-fuzz/); first it builds the compilers of other vendors' GPUs (tests/vendors.sh). It takes
# hours. The last line is "N passed, N failed".
set -eu
cd "$(dirname "$0")/.."
case ${1-} in
--full) export VKR_TEST_FULL=1 full=true slower=20 ;;
'') full=false slower=1 ;;
*) echo 'usage: sh tests/run.sh [--full]' >&2 && exit 2 ;;
esac

stage() {
    echo
    echo "== $*"
}

give_up() {
    echo "$1"
    echo '0 passed, 1 failed'
    exit 1
}

# Configures again each time, since drivers may have been added or removed. Builds
# ${targets-everything}.
build() { # FOLDER OPTION...
    folder=$1
    shift
    rm -f "$folder"/meson-logs/testlog.json
    if [ -f "$folder/build.ninja" ]; then
        meson setup --reconfigure "$folder" "$@" >"$folder.log" ||
            meson setup --wipe "$folder" "$@" >"$folder.log"
    else
        meson setup "$folder" "$@" >"$folder.log"
    fi || { cat "$folder.log" && return 1; }
    mv "$folder.log" "$folder/configure.log"
    grep -i 'left out' "$folder/configure.log" || true
    # shellcheck disable=SC2086 # a list
    ninja -C "$folder" --quiet ${targets-}
}

# Runs tests; Meson first builds what they need and is missing.
run() { # FOLDER MESON-TEST-ARGUMENT...
    folder=$1
    shift
    ${still-} meson test -C "$folder" --print-errorlogs \
        --timeout-multiplier "$slower" "$@" </dev/null || true
}

stage 'Packages'
# shellcheck source=samples/setup.sh
. samples/setup.sh
install_packages build-essential cmake meson ninja-build pkg-config python3 python3-numpy glslc \
    spirv-cross spirv-tools spirv-headers libvulkan-dev libvulkan-volk-dev libvulkan1 libzstd-dev \
    libpng-dev libcmocka-dev mesa-vulkan-drivers vulkan-validationlayers groff-base gnuplot-nox ||
    give_up 'A package could not be installed.'
install_packages libopenexr-dev || echo 'Without it, the reading of OpenEXR pictures is left out.'
install_packages libshaderc-dev || echo 'Without it, libvkreduce-glsl is left out.'
install_packages libopenmpi-dev openmpi-bin libmpich-dev mpich ||
    echo 'Without one of them, libvkreduce-mpi is left out.'

stage 'Drivers'
sh tests/drivers.sh .drivers
ls .drivers/icd .drivers/layer
if $full; then
    sh tests/vendors.sh .drivers ||
        echo 'The compilers of some vendors are left out: they could not be built.'
fi

stage 'Build'
build build -Dtests=true -Dsamples=true -Dbench=true -Dfull=$full || give_up 'The build failed.'

stage 'Tests'
run build

shaders="-Dshaders=$PWD/build/shaders/shaders.c"
logs='build/meson-logs/testlog.json build-asan/meson-logs/testlog.json
    build-tsan/meson-logs/testlog.json'

# The library and the runner for Windows, and tests of them under wine, which needs a display.
stage 'Windows'
if sh tests/windows.sh .drivers; then
    logs="$logs build-windows/meson-logs/testlog.json"
    (
        export C_INCLUDE_PATH="$PWD/.drivers/windows/include" WINEDEBUG=-all
        export WINEPREFIX="$PWD/build-windows/wine" still='xvfb-run -a'
        build build-windows "$shaders" --cross-file .drivers/windows/cross.ini -Dwerror=true \
            -Dsamples=true -Dexr=disabled -Dglsl=disabled -Dbench=false -Dfull=$full &&
            xvfb-run -a /usr/lib/wine/wine64 wineboot --init >/dev/null 2>&1 &&
            run build-windows --num-processes 1
    )
else
    echo 'left out: what it needs cannot be had'
fi

# The default tier builds only what the tests of these suites need. There are few optimisations,
# since compiling takes longer than the tests. clang compiles if it is installed, so that both
# compilers see the code.
stage 'Address and undefined-behaviour sanitizers'
if command -v clang >/dev/null; then export CC=clang; fi
echo "compiler: ${CC:-cc}"
if ! $full; then targets=tests/unit/libkeep_loaded.so; fi
build build-asan "$shaders" -Dfull=$full -Dsamples=false -Dbench=false -Dwerror=true \
    -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false && (
    export LD_PRELOAD="$PWD/build-asan/tests/unit/libkeep_loaded.so"
    export ASAN_OPTIONS=detect_leaks=1:verify_asan_link_order=0
    export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
    run build-asan --suite asan
)
unset CC

# The thread sanitizer needs the usual layout of addresses, without randomisation.
stage 'Thread sanitizer'
if setarch "$(uname -m)" -R true 2>/dev/null; then still="setarch $(uname -m) -R"; fi
build build-tsan "$shaders" -Dfull=$full -Dsamples=false -Dbench=false -Doptimization=1 \
    -Db_sanitize=thread -Db_lundef=false && (
    export TSAN_OPTIONS="suppressions=$PWD/tests/support/tsan.supp ignore_noninstrumented_modules=1"
    run build-tsan --suite tsan
)

if $full; then
    stage 'Other processors and C libraries'
    # Without a log, which is a failure, something could not be built.
    sh tests/cross.sh .drivers || true
    logs="$logs build-i686/meson-logs/testlog.json build-aarch64/meson-logs/testlog.json"

    stage 'New seeds'
    rm -f build/meson-logs/seeds.json
    python3 tests/seeds.py build --configurations lvp22-8,lvp25-8,lvp22-32,lvp22-64 \
        --log build/meson-logs/seeds.json || true
    logs="$logs build/meson-logs/seeds.json"

    stage 'Mutants'
    rm -f build/meson-logs/mutants.json
    python3 tests/mutants/mutants.py build --log build/meson-logs/mutants.json || true
    logs="$logs build/meson-logs/mutants.json"

    # The tests above only replay the corpus. New findings lie in build-fuzz/tests/fuzz/found.
    stage 'Fuzzing'
    if echo 'int LLVMFuzzerTestOneInput(char *d, long n) { return !d && n; }' |
        clang -x c -fsanitize=fuzzer -o /dev/null - 2>/dev/null; then
        logs="$logs build-fuzz/meson-logs/testlog.json"
        CC=clang build build-fuzz "$shaders" -Dfuzz=true -Dsamples=false -Dbench=false \
            -Db_sanitize=address,undefined -Db_lundef=false &&
            run build-fuzz --suite fuzz
    else
        echo 'left out: there is no clang with libFuzzer'
    fi
fi

stage 'Summary'
# shellcheck disable=SC2086 # a list
python3 tests/summary.py $logs
