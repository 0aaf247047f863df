#!/bin/sh
# SPDX-License-Identifier: MIT
#
# multireduce.sh INCLUDES SHADER: checks that the unrolled forms of
# INCLUDES/vkreduce/multireduce.glsl have exactly the shuffles, selects and accesses to shared
# memory that Parker and MacKinnon count, and that a spoiled form is noticed.
set -eu
includes=$1 shader=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

build() { # LANES VALUES FORM; its text in $folder/text
    glslc -O --target-env=vulkan1.1 -I "$includes" -DLANES="$1" -DVALUES="$2" -DFORM="$3" \
        -DMERGES="${merges:-0}" -DVALUE=FLOAT -o "$folder/module" "$shader"
    # Loops are unrolled from the inside outwards.
    spirv-opt -O --loop-unroll -O --loop-unroll -O "$folder/module" -o "$folder/module"
    spirv-val --target-env vulkan1.1 "$folder/module"
    spirv-dis --no-color "$folder/module" >"$folder/text"
}

number() { # PATTERN
    grep -c "$1" "$folder/text" || true
}

# Counts the stores to, or the loads from, elements of the only shared array.
shared() { # Store|Load
    awk -v op="Op$1" '
        /OpVariable/ && / Workgroup$/ { array[$1] = 1 }
        /OpAccessChain/ && $5 in array { element[$1] = 1 }
        ($1 == op && $2 in element) || ($3 == op && $5 in element) {
            n++
        }
        END { print n + 0 }' "$folder/text"
}

count() { # what the module has: shuffles selects stores loads
    echo "$(number ShuffleXor) $(number 'OpSelect ') $(shared Store) $(shared Load)"
}

passed=0 failed=0
expect() { # NAME WANTED
    got=$(count)
    if [ "$got" = "$2" ]; then
        passed=$((passed + 1))
        echo "ok $((passed + failed)) - $1: $got"
    else
        failed=$((failed + 1))
        echo "not ok $((passed + failed)) - $1: $got, but should be $2"
    fi
}

all() {
    while read -r lanes values naive multi merges_ swap; do
        of="$values values in $lanes lanes"
        build "$lanes" "$values" NAIVE
        expect "naive, $of" "$naive 0 0 0"
        build "$lanes" "$values" MERGE
        expect "reduce, $of" "$multi $merges_ 0 0"
        build "$lanes" "$values" DOUBLED
        expect "doubled, $of" "$((2 * multi)) $((2 * merges_)) 0 0"
        build "$lanes" "$values" ONLINE
        expect "push, $of" "$multi $merges_ 0 0"
        build "$lanes" "$values" SWAP
        expect "swap, $of" "$swap $((2 * merges_)) 0 0"
    done <<END
32 2 10 6 1 5
32 4 20 9 3 6
32 8 40 16 7 9
32 16 80 31 15 16
32 32 160 62 31 31
16 16 64 30 15 15
8 8 24 14 7 7
4 4 8 6 3 3
END
    merges=4
    build 32 32 FEWER # two results of 16 values each, one after the other
    expect 'push with 5 registers' '62 32 0 0'
    # One more select for each distance, which chooses the half where the other value lies.
    build 32 32 SHARED
    expect 'shared' '0 36 62 31'
    build 32 32 SHARED_SWAP
    expect 'shared_swap' '0 62 31 31'
}

# A merge that is replaced by a shuffle must be noticed.
mkdir "$folder/vkreduce"
awk '/VKR_MULTI_SELECT\(VKR_MULTI_HAS\(mask\), v\[j\], v\[i\]\)/ && !spoiled {
         sub(/VKR_MULTI_SELECT\(.*\);/, "VKR_MULTI_SHUFFLE(v[j], mask);")
         spoiled = 1
     }
     { print }' "$includes/vkreduce/multireduce.glsl" >"$folder/vkreduce/multireduce.glsl"
right=$includes
includes=$folder
build 8 8 MERGE
includes=$right
if [ "$(count)" = '14 7 0 0' ]; then
    echo 'not ok 1 - a spoiled merge is counted as right'
    failed=1
else
    echo 'ok 1 - a spoiled merge is found'
    passed=1
fi

# Without shuffles, the module needs no capability for them.
cat >"$folder/shared.comp" <<END
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
shared uint slots[64];
#define VKR_MULTI_T uint
#define VKR_MULTI_COMBINE(a, b) max(a, b)
#define VKR_MULTI_LANES 32
#define VKR_MULTI_VALUES 2
#define VKR_MULTI_LANE gl_LocalInvocationIndex
#define VKR_MULTI_SLOT(i) slots[i]
#define VKR_MULTI_NO_SHUFFLES
#include "vkreduce/multireduce.glsl"
void main()
{
    uint i = gl_LocalInvocationIndex;
    data[i] = vkr_multi_shared(uint[2](data[i], data[i + 32u]));
}
END
glslc -O --target-env=vulkan1.1 -I "$includes" -o "$folder/module" "$folder/shared.comp"
spirv-dis --no-color "$folder/module" >"$folder/text"
if [ "$(number 'OpCapability GroupNonUniform')" = 0 ]; then
    echo 'ok 2 - without shuffles'
    passed=$((passed + 1))
else
    echo 'not ok 2 - without shuffles there are some'
    failed=$((failed + 1))
fi

all
echo "1..$((passed + failed))"
[ "$failed" = 0 ]
