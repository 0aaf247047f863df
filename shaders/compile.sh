#!/bin/sh
# SPDX-License-Identifier: MIT
# compile.sh LOOPS SPIRV-OPT SPIRV-DIS SPIRV-AS SPIRV-VAL DEPFILE OUT.spv SOURCE.comp OPTION...:
# makes one module small, gives it loops that drivers compile quickly (loops.c), and checks it by
# spirv-val; "none" stands for a tool that is missing. Functions that are called once are inlined.
# Calls of others stay calls: drivers inline all functions once they know the constants, so inlining
# here would only repeat code.
set -eu
loops=$1 spirv_opt=$2 spirv_dis=$3 spirv_as=$4 spirv_val=$5 depfile=$6 out=$7 source=$8
shift 8
folder=$(dirname "$0")
glslc -O0 --target-env=vulkan1.1 -fshader-stage=compute -I "$folder" "$@" \
    -MD -MF "$depfile" -o "$out" "$source"
case "$spirv_opt $spirv_dis $spirv_as" in
*none*) ;;
*)
    "$spirv_opt" --strip-debug --eliminate-dead-functions "$out" -o "$out"
    "$spirv_dis" --raw-id "$out" | awk -f "$folder/once.awk" |
        "$spirv_as" --preserve-numeric-ids --target-env vulkan1.1 -o "$out.once" -
    "$spirv_opt" --inline-entry-points-exhaustive --eliminate-dead-functions \
        --convert-local-access-chains --eliminate-local-single-block \
        --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
        --redundancy-elimination --eliminate-dead-branches --if-conversion \
        --eliminate-dead-code-aggressive --merge-blocks \
        --eliminate-local-single-store --ssa-rewrite --simplify-instructions \
        --redundancy-elimination --eliminate-dead-code-aggressive --merge-blocks \
        --unify-const --remove-duplicates \
        --compact-ids "$out.once" -o "$out.once"
    # The request is for spirv-opt alone: drivers do as they like.
    "$spirv_dis" --raw-id "$out.once" | sed 's/ DontInline / None /' |
        "$spirv_as" --preserve-numeric-ids --target-env vulkan1.1 -o "$out" -
    rm "$out.once"
    ;;
esac
"$loops" "$out" "$out.new"
mv "$out.new" "$out"
[ "$spirv_opt" = none ] || "$spirv_opt" --compact-ids "$out" -o "$out"
[ "$spirv_val" = none ] || "$spirv_val" --target-env vulkan1.1 "$out"
