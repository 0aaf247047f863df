#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exports.sh [SHARED HEADER..]..: checks that each shared library exports the functions that the
# headers after it declare, and nothing else. symbols.sh does so, and more, for the library itself.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0 failed=0
while [ $# -gt 0 ]; do
    tests=$((tests + 1)) shared=$1 names=
    shift
    : >"$work/headers"
    while [ $# -gt 0 ] && [ "${1%.h}" != "$1" ]; do
        cat "$1" >>"$work/headers"
        names="$names $(basename "$1")"
        shift
    done
    # Names after VKR_API, on the line where the parenthesis opens.
    sed -n 's/^VKR_API .*[ *]\(vkr[A-Za-z0-9_]*\)(.*/\1/p' "$work/headers" | sort >"$work/declared"
    nm -D --defined-only "$shared" | awk '{print $NF}' | sort >"$work/exported"
    number=$(grep -c '^VKR_API ' "$work/headers" || true)
    name="$(basename "$shared") exports the $number functions of$names"
    if [ "$(wc -l <"$work/declared")" = "$number" ] &&
        diff "$work/declared" "$work/exported" >"$work/log"; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$work/log"
    fi
done
echo "1..$tests"
exit $((failed != 0))
