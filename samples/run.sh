#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sh samples/run.sh: installs what is missing, builds into build/, reduces real data on a CPU
# driver, verified against a scalar reference, finds bounds and sorts keys, sums by group, stretches
# the contrast of a picture, blurs it, exposes frames, finds the hidden boxes of a city, culls a
# town, fits shadow maps, draws splats, simulates particles, and matches points of a photograph.
# It leaves out mpi_minmax, which needs an MPI.
set -eu
cd "$(dirname "$0")/.."

# shellcheck source=samples/setup.sh
. samples/setup.sh
install_packages build-essential meson ninja-build pkg-config python3 glslc spirv-tools \
    spirv-headers libvulkan-dev libvulkan-volk-dev libvulkan1 libzstd-dev libpng-dev \
    mesa-vulkan-drivers gnuplot-nox
install_packages libopenexr-dev || echo 'Without it, the reading of OpenEXR pictures is left out.'
install_packages libshaderc-dev || echo 'Without it, the runner compiles no functions from text.'

# A folder that was configured without the samples gets them, and keeps its other options.
if ! ninja -C build -t query shown-samples >/dev/null 2>&1; then
    echo 'Configuring build/'
    if [ -f build/build.ninja ]; then options=--reconfigure; else options=-Dtests=false; fi
    said=$(meson setup "$options" build -Dsamples=true) || {
        echo "$said"
        exit 1
    }
fi
grep -o -e 'the reading of .* left out.*' -e 'libvkreduce-glsl is left out.*' \
    build/meson-logs/meson-log.txt || true

echo 'Building the library and the runner into build/'
build_targets build samples/vkreduce/vkreduce

# The samples use lavapipe, unless the caller chose a driver.
if [ -z "${VK_DRIVER_FILES-}${VK_ICD_FILENAMES-}" ]; then
    for file in /usr/share/vulkan/icd.d/lvp_icd*.json; do
        export VK_DRIVER_FILES="$file"
    done
fi
export NODEVICE_SELECT=1 MESA_SHADER_CACHE_DISABLE=true

show() {
    echo
    echo "\$ $*"
    "$@"
}

runner=build/samples/vkreduce/vkreduce
show $runner devices
show $runner reduce min,max,mean,argmin,argmax samples/data/astronaut.png --verify

echo
echo 'Building the other samples'
build_targets build shown-samples

show $runner reduce min,max,mean,l2,argmax samples/data/chelsea-luma.npy --verify
show $runner reduce min,max,mean,l2,argmax samples/data/chelsea-luma.npy --verify --json
show $runner reduce sum,argmax samples/data/camera.png --segments rows:512 --verify
show $runner scan sum samples/data/chelsea-luma.npy -o build/sums.npy --verify
show $runner compact 'x>0.5' samples/data/chelsea-luma.npy -o build/bright.npy \
    --indices build/bright-indices.npy --verify
show $runner histogram samples/data/astronaut.png --bins 256 --range 0:256 \
    --quantiles 0.01,0.5,0.99 --plot build/histogram.png --verify
show $runner sort samples/data/camera.png -o build/sorted.npy --indices build/order.npy --verify
show $runner topk 10 samples/data/chelsea-luma.npy --verify
show build/samples/minimal
show build/samples/host
show build/samples/extremes
show build/samples/tasks
show build/samples/group_by
show build/samples/functions
show build/samples/recipes
show build/samples/autocontrast samples/data/chelsea.png build/autocontrast.png
show build/samples/boxblur samples/data/chelsea.png build/boxblur.png --radius 24 --focus 110 \
    --verify
show build/samples/exposure --out build/exposure
show build/samples/hiz --out build/hiz
show build/samples/culling --out build/culling
show build/samples/shadows --out build/shadows
show build/samples/splats --frames 6 --out build/splats
show build/samples/particles --particles 100000 --frames 100 --out build/particles --verify
show build/samples/match samples/data/camera-orb.npy samples/data/camera-orb-warped.npy \
    --known samples/data/camera-orb-known.npy
