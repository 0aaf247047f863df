#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh README SOURCE: the excerpt in the README between "minimal begin" and "minimal end"
# stands in SOURCE, line for line, and every file that the README links to exists.
set -eu
readme=$1 source=$2 failed=0
excerpt=$(awk '/minimal end/ {on = 0} on && !/^```/ {print} /minimal begin/ {on = 1}' "$readme")

echo 1..2
if [ -n "$excerpt" ] && EXCERPT=$excerpt awk '
    {text = text $0 "\n"}
    END {exit !index(text, ENVIRON["EXCERPT"] "\n")}' "$source"; then
    echo 'ok 1 - the embedding example is an excerpt of the sample'
else
    failed=1
    echo 'not ok 1 - the embedding example is an excerpt of the sample'
fi

lost=$(grep -o '](\([^)#:]*\))' "$readme" | tr -d '()]' | sort -u | while read -r file; do
    [ -e "$(dirname "$readme")/$file" ] || echo "$file"
done)
[ -z "$lost" ] || failed=1
# shellcheck disable=SC2086
[ -z "$lost" ] && echo 'ok 2 - links' || echo "not ok 2 - links to nothing:" $lost
exit $failed
