#!/bin/sh
# SPDX-License-Identifier: MIT
#
# group.sh PAGE FILE...: checks that the shader on PAGE needs only the installed GLSL FILEs, also on
# the other group paths and with other definitions, and that definitions which they do not support
# cause an error with a sentence.
set -eu
page=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/vkreduce"
cp "$@" "$folder/vkreduce"
awk '/shader end/ {on = 0} on && !/^```/ {print} /shader begin/ {on = 1}' "$page" \
    >"$folder/page.comp"
# The options of glslc that the page names.
flags=$(sed -n 's/.*`glslc \(.*\)-I "$(pkg-config --variable=glsl vkreduce)"`.*/\1/p' "$page")

passed=0 failed=0
result() { # STATUS NAME
    if [ "$1" = 0 ]; then
        passed=$((passed + 1))
        echo "ok $((passed + failed)) - $2"
    else
        failed=$((failed + 1))
        echo "not ok $((passed + failed)) - $2"
        sed 's/^/# /' "$folder/said"
    fi
}

# Builds the shader of the page after each SED-SCRIPT has been applied to it.
build() { # SED-SCRIPT...
    cp "$folder/page.comp" "$folder/shader.comp"
    for script in "$@"; do
        sed "$script" "$folder/shader.comp" >"$folder/next"
        mv "$folder/next" "$folder/shader.comp"
    done
    # shellcheck disable=SC2086
    glslc $flags -I "$folder" -o "$folder/module" "$folder/shader.comp" \
        >"$folder/said" 2>&1 && spirv-val --target-env vulkan1.1 "$folder/module"
}

serves() { # NAME SED-SCRIPT...
    name=$1 status=0
    shift
    build "$@" || status=1
    result "$status" "$name"
}

refuses() { # SENTENCE SED-SCRIPT...
    sentence=$1 status=0
    shift
    build "$@" && status=1
    grep -qF "$sentence" "$folder/said" || status=1
    result "$status" "$sentence"
}

serves 'the shader of the page'
serves 'by shared memory alone, without subgroups' \
    's/VKR_GROUP_BY_ARITHMETIC/VKR_GROUP_BY_SHARED/; /subgroup_/d'
serves 'by shuffles alone' 's/VKR_GROUP_BY_ARITHMETIC/VKR_GROUP_BY_SHUFFLE/; /_arithmetic/d'
serves 'sums of double without 64-bit integers' \
    's/VKR_GROUP_F32/VKR_GROUP_F64/; s/VKR_GROUP_MAX/VKR_GROUP_SUM/' \
    's/data\[i\] \/= .*/data[i] += float(vkr_group_reduce(double(data[i])));/'

# Definitions as in the library's kernels: subgroups of 32 lanes, and results of four numbers that
# only the first invocation gets.
serves 'with lanes that are known and nothing more to be done for identities' \
    's/#include "vkreduce.*/#define VKR_GROUP_WIDTH 32u\n#define VKR_GROUP_FULL\n&/' \
    's/#include "vkreduce.*/#define VKR_GROUP_NEUTRAL\n#define VKR_GROUP_ROLLED\n&/'
serves 'several values at once for one invocation' \
    's/#define VKR_GROUP_OP.*/#define VKR_GROUP_T float\n#define VKR_GROUP_LEAD_ONLY/' \
    's/#define VKR_GROUP_TYPE.*/#define VKR_GROUP_COMBINE(a, b) max(a, b)/' \
    's/#include "vkreduce.*/#define VKR_GROUP_IDENTITY 0.0\n#define VKR_GROUP_ALL vec4\n&/' \
    's/#include "vkreduce.*/#define VKR_GROUP_EACH(c) for (uint c = 0u; c < 4u; c++)\n&/' \
    's/#include "vkreduce.*/#define VKR_GROUP_PART(v, c) v[c]\nshared vec4 slots[256];\n&/' \
    's/#include "vkreduce.*/#define VKR_GROUP_PUT_PART(c, i, v) slots[i][c] = v\n&/' \
    's/#include "vkreduce.*/#define VKR_GROUP_GET_PART(c, i) slots[i][c]\n&/' \
    's/^ *data\[i\] .*/vec4 v = vec4(data[i]); vkr_group_lead(v); data[i] = v.x;/'

refuses 'VKR_GROUP_SIZE and VKR_GROUP_PATH should be defined' '/define VKR_GROUP_SIZE/d'
refuses 'VKR_GROUP_SIZE and VKR_GROUP_PATH should be defined' '/define VKR_GROUP_PATH/d'
refuses 'VKR_GROUP_PATH should be VKR_GROUP_BY_' 's/VKR_GROUP_BY_ARITHMETIC/4/'
refuses 'VKR_GROUP_OP or else VKR_GROUP_T' '/define VKR_GROUP_OP/d'
refuses 'VKR_GROUP_OP should be VKR_GROUP_SUM' 's/VKR_GROUP_MAX/10/'
refuses 'VKR_GROUP_TYPE should be VKR_GROUP_I32' '/define VKR_GROUP_TYPE/d'
refuses '_OR and _XOR are for integers' 's/VKR_GROUP_MAX/VKR_GROUP_OR/'
echo "1..$((passed + failed))"
[ "$failed" = 0 ]
