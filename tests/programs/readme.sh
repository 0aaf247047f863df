#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh README: checks that each excerpt in the README, between "NAME begin FILE" and "NAME
# end", stands in FILE, line for line, and that every file that the README links to exists.
set -eu
readme=$1 folder=$(dirname "$1") tests=0 failed=0

check() { # NAME CONDITION...
    tests=$((tests + 1))
    name=$1
    shift
    if "$@"; then
        echo "ok $tests - $name"
    else
        failed=1
        echo "not ok $tests - $name"
    fi
}

stands_in() { # NAME FILE
    excerpt=$(NAME=$1 awk '
        index($0, ENVIRON["NAME"] " end") {on = 0}
        on && !/^```/ {print}
        index($0, ENVIRON["NAME"] " begin") {on = 1}' "$readme")
    [ -n "$excerpt" ] && EXCERPT=$excerpt awk '
        {text = text $0 "\n"}
        END {exit !index(text, ENVIRON["EXCERPT"] "\n")}' "$2"
}

excerpts=$(sed -n 's/^<!-- \([a-z]*\) begin \([^ ]*\) -->$/\1 \2/p' "$readme")
check 'there are six excerpts' [ "$(echo "$excerpts" | wc -l)" -eq 6 ]
while read -r name file; do
    check "the excerpt \"$name\" stands in $file" stands_in "$name" "$folder/$file"
done <<END
$excerpts
END

lost=$(grep -o '](\([^)#:]*\))' "$readme" | tr -d '()]' | sort -u | while read -r file; do
    [ -e "$folder/$file" ] || echo "$file"
done)
check "links to nothing: ${lost:-none}" [ -z "$lost" ]
echo "1..$tests"
exit $failed
