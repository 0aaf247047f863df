#!/bin/sh
# SPDX-License-Identifier: MIT
#
# symbols.sh SHARED STATIC SIZES TABLE HEADER..: checks that the two libraries define what the
# headers declare, and nothing that could clash with an application's symbols; and that the
# structures are those of TABLE (structs.h). SIZES (structs.c) prints the sizes of those in the
# table.
set -eu
shared=$1 static=$2 sizes=$3 table=$4
shift 4
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

# The lines that the table must have: "STRUCT(name, size, checksum of the members)".
describe_structs() {
    { cat "$@" | tr '\n' ' '; echo; } |
        sed 's:/\*[^*]*\*\**\([^/*][^*]*\*\**\)*/: :g; s/typedef/\n&/g' | tr -s ' ' |
        sed -n 's/^typedef \(struct\|union\) \(Vkr[A-Za-z0-9]*\) {\([^}]*\)}.*/\2 \3/p' |
        while read -r name members; do
            size=$(awk -v name="$name" '$1 == name {print $2}' "$work/sizes")
            printf 'STRUCT(%s, %s, %s)\n' "$name" "${size:-?}" \
                "$(printf '%s' "$members" | cksum | cut -d' ' -f1)"
        done | sort
}
"$sizes" >"$work/sizes"
describe_structs "$@" >"$work/structs"
grep '^STRUCT' "$table" | sort >"$work/table"
sed -n 's/^#define VKR_VERSION_\(MAJOR\|MINOR\) //p' "$@" | paste -s -d. >"$work/series"

echo 1..8
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
# The library does not link to the Vulkan loader: the application does, or the loader is opened at
# run time.
nm -u "$static" | awk '{print $NF}' | grep '^vk[A-Z]' >"$work/loader" || true
check 'it needs no symbol of the Vulkan loader' "$work/loader"
[ -s "$work/sizes" ] || cp "$work/table" "$work/structs"
diff "$work/table" "$work/structs" >"$work/changed" || true
check "the $(wc -l <"$work/structs") structures are those of the table" "$work/changed"
readelf -d "$shared" | grep -q "SONAME.*\[libvkreduce.so.$(cat "$work/series")\]" ||
    readelf -d "$shared" | grep SONAME >"$work/soname"
touch "$work/soname"
check "the shared library is named by $(cat "$work/series")" "$work/soname"
exit $((failed != 0))
