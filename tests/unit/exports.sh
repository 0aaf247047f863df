#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exports.sh SHARED HEADER [SHARED HEADER]..: checks that each shared library exports the functions
# that its header declares, and nothing else. symbols.sh does so, and more, for the library itself.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0 failed=0
while [ $# -gt 0 ]; do
    tests=$((tests + 1))
    # Names after VKR_API, on the line where the parenthesis opens.
    sed -n 's/^VKR_API .*[ *]\(vkr[A-Za-z0-9_]*\)(.*/\1/p' "$2" | sort >"$work/declared"
    nm -D --defined-only "$1" | awk '{print $NF}' | sort >"$work/exported"
    name="$(basename "$1") exports the $(grep -c '^VKR_API ' "$2") functions of $(basename "$2")"
    if [ "$(wc -l <"$work/declared")" = "$(grep -c '^VKR_API ' "$2")" ] &&
        diff "$work/declared" "$work/exported" >"$work/log"; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$work/log"
    fi
    shift 2
done
echo "1..$tests"
exit $((failed != 0))
