# shellcheck shell=sh
# SPDX-License-Identifier: MIT
# What scripts of tests share, which source it: a folder $work of their own, `check` for each test,
# and `finish` at the end. They print TAP.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tests=0 failed=0

check() { # NAME COMMAND...: passes if the command succeeds
    tests=$((tests + 1))
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name"
        sed 's/^/# /' "$work/log"
    fi
}

finish() {
    echo "1..$tests"
    exit $((failed != 0))
}
