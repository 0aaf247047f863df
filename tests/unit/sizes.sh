#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh LIBRARY|none MODULE..: limits the size of the stripped library and of each of its SPIR-V
# modules, since a renderer that includes the library pays for every byte. Drivers get less of a
# module, since the library prunes it: the test prune and tests/isa limit that.
set -eu
library=$1
shift
max_library=1250000
max_module=$((104 * 1024)) # windows, whose kernels have all operators
tests=0 failed=0

check() { # NAME MOST FILE.. : passes if none is larger
    tests=$((tests + 1))
    name=$1 most=$2
    shift 2
    found=$(wc -c "$@" | awk -v most="$most" '$2 != "total" && $1 > most {print "# " $1, $2}')
    if [ -z "$found" ]; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        echo "$found"
    fi
}

if [ "$library" != none ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    strip -o "$work/library" "$library"
    echo "# $(wc -c <"$work/library") bytes, stripped"
    check "the shared library has at most $max_library bytes" "$max_library" "$work/library"
fi
if [ $# -gt 0 ]; then
    echo "# $# modules of $(cat "$@" | wc -c) bytes"
    check "no module has more than $max_module bytes" "$max_module" "$@"
fi
echo "1..$tests"
exit $((failed != 0))
