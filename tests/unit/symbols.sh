#!/bin/sh
# SPDX-License-Identifier: MIT
#
# symbols.sh SHARED STATIC HEADER..: what the two libraries define is what the headers declare, and
# nothing that could meet an application's own symbols.
set -eu
shared=$1 static=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0 failed=0

check() { # NAME FILE: passes if FILE is empty
    tests=$((tests + 1))
    if [ -s "$2" ]; then
        failed=$((failed + 1))
        echo "not ok $tests - $1"
        sed 's/^/# /' "$2"
    else
        echo "ok $tests - $1"
    fi
}

# Names after VKR_API, on the line where the parenthesis opens.
sed -n 's/^VKR_API .*[ *]\(vkr[A-Za-z0-9_]*\)(.*/\1/p' "$@" | sort >"$work/declared"
cat "$@" | grep -c '^VKR_API ' >"$work/declarations"
nm -D --defined-only "$shared" | awk '{print $NF}' | sort >"$work/exported"
nm -g --defined-only "$static" | awk 'NF == 3 {print $3}' | sort -u >"$work/static"

echo 1..6
wc -l <"$work/declared" | diff - "$work/declarations" >"$work/unread" || true
check "all $(cat "$work/declarations") declarations of the header are read" "$work/unread"
comm -23 "$work/declared" "$work/exported" >"$work/missing"
check 'the shared library exports every function of the header' "$work/missing"
comm -13 "$work/declared" "$work/exported" >"$work/extra"
check 'it exports nothing else' "$work/extra"
comm -23 "$work/declared" "$work/static" >"$work/missing"
check 'the static library defines every function of the header' "$work/missing"
grep -v '^vkr' "$work/static" >"$work/foreign" || true
check 'its global symbols start with vkr' "$work/foreign"
# Nothing links to the Vulkan loader: it is the application's, or opened at run time.
nm -u "$static" | awk '{print $NF}' | grep '^vk[A-Z]' >"$work/loader" || true
check 'it needs no symbol of the Vulkan loader' "$work/loader"
exit $((failed != 0))
