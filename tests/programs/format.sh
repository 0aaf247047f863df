#!/bin/sh
# SPDX-License-Identifier: MIT
#
# format.sh ROOT: checks that clang-format, which follows .clang-format, changes nothing in the C
# files and headers of the source tree ROOT, nor in the public headers for C++. Versions of
# clang-format disagree, so it has to be version 14. Prints TAP.
set -eu
cd "$1"
for format in clang-format-14 clang-format none; do
    if "$format" --version 2>/dev/null | grep -q 'version 14\.'; then
        break
    fi
done
if [ "$format" = none ]; then
    echo '1..0 # SKIP there is no clang-format 14'
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find include src shaders samples tests -name '*.[ch]' >"$work/files"
find include -name '*.hpp' >>"$work/files"
xargs -P 2 -n 50 "$format" --dry-run -Werror <"$work/files" >"$work/log" 2>&1 ||
    echo 'xargs failed' >>"$work/log"
echo 1..1
if [ -s "$work/log" ]; then
    echo 'not ok 1 - clang-format changes something'
    grep 'error:\|failed' "$work/log" | sed 's/^/# /'
    exit 1
fi
echo "ok 1 - clang-format changes none of $(wc -l <"$work/files") files"
