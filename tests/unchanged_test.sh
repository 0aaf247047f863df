#!/bin/sh
# SPDX-License-Identifier: MIT
#
# unchanged_test.sh: tests unchanged.py, with a command that counts how often it runs.
set -eu
unchanged=$(cd "$(dirname "$0")" && pwd)/unchanged.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir stamps folder
export VKR_TEST_STAMPS="$work/stamps"
echo limit >folder/limits
printf '#!/bin/sh\necho run >>%s/runs\necho "ok 1 - it counts"\nexit ${1-0}\n' "$work" >count
chmod +x count
: >runs
tests=0 failed=0

runs() { # NAME EXPECTED ARGUMENT...: after one more call, the command has run so often
    name=$1 expected=$2
    shift 2
    tests=$((tests + 1))
    said=$(python3 "$unchanged" "$@" | tail -n 1) || true
    if [ "$(wc -l <runs)" -eq "$expected" ] && [ "$said" = 'ok 1 - it counts' ]; then
        echo "ok $tests - $name"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $name: $(wc -l <runs) runs, '$said'"
    fi
}

runs 'the first time it runs' 1 folder cat -- ./count
runs 'then its output is printed again' 1 folder cat -- ./count
runs 'from another folder too' 1 "$work/folder" cat -- "$work/count"
runs 'another tool' 2 folder ls -- ./count
echo another >folder/limits
runs 'another file of a folder' 3 folder cat -- ./count
runs 'another argument' 4 folder cat -- ./count 0
echo '# changed' >>count
runs 'another command' 5 folder cat -- ./count
runs 'a failure' 6 folder cat -- ./count 1
runs 'a failure is not remembered' 7 folder cat -- ./count 1
unset VKR_TEST_STAMPS
runs 'without a folder it always runs' 8 folder cat -- ./count
echo "1..$tests"
exit $((failed != 0))
