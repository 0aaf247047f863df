#!/bin/sh
# SPDX-License-Identifier: MIT
#
# minmax.sh MPIRUN SAMPLE: checks that the sample prints the same for 1 to 4 ranks.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 1..4
for ranks in 1 2 3 4; do
    result=ok
    "$1" -n $ranks "$2" >"$work/$ranks" || result='not ok'
    [ "$(wc -l <"$work/$ranks")" -gt 4 ] && cmp "$work/1" "$work/$ranks" || result='not ok'
    echo "$result $ranks - the residuals of $ranks ranks"
done
