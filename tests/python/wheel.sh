#!/bin/sh
# SPDX-License-Identifier: MIT
#
# wheel.sh PYTHON SOURCES SHADERS: `pip install .` in a new virtual environment, which has neither
# numpy nor, when the package is used, a compiler. SHADERS is a shaders.c, which saves their
# compilation.
set -eu
python=$1 sources=$2 shaders=$(realpath "$3")
# shellcheck source=tests/programs/checks.sh
. "$(dirname "$0")/../programs/checks.sh"

installs() {
    "$python" -m venv "$work/v" &&
        "$work/v/bin/pip" wheel --no-deps --no-build-isolation --wheel-dir "$work" \
            --config-settings "setup-args=-Dshaders=$shaders" "$sources" &&
        "$work/v/bin/pip" install --no-index "$work"/vkreduce-*-py3-none-linux_*.whl
}

works() {
    env -i PATH=/nonexistent VK_DRIVER_FILES="$VK_DRIVER_FILES" HOME="$work" \
        "$work/v/bin/python" -c '
import importlib.util, os, vkreduce as vk
assert importlib.util.find_spec("numpy") is None
assert vk.__file__.startswith(os.environ["HOME"])
assert vk.sum([1, 2, 3]) == 6 and vk.sort([3.5, 1]).tolist() == [1, 3.5]'
}

exports() { # nothing but functions of the library, and no library outside is needed but libc
    for library in "$work"/v/lib/python3*/site-packages/vkreduce/*.so.*; do
        if nm -D --defined-only "$library" | awk '{print $NF}' | grep -v '^vkr[A-Z]'; then
            return 1
        fi
        readelf -d "$library" | grep NEEDED
        [ "$(readelf -d "$library" | grep NEEDED | grep -cv 'libc\.\|libvkreduce\|ld-linux\|libm\.')" = 0 ]
    done
}

small() { # bytes
    ls -l "$work"/*.whl
    [ "$(stat -c %s "$work"/*.whl)" -lt 1200000 ]
}

check 'pip installs it' installs
check 'it works without numpy and without a compiler' works
check 'its libraries export only their functions' exports
check 'the wheel is smaller than 1.1 MB' small
finish
