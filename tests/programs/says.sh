#!/bin/sh
# SPDX-License-Identifier: MIT
#
# says.sh PROGRAM LINE...: tests that PROGRAM succeeds and prints exactly these lines.
set -u
program=$1
shift
wanted=$(printf '%s\n' "$@")
said=$("$program" 2>&1) && [ "$said" = "$wanted" ]
status=$?
[ $status = 0 ] || printf '%s\n' "$said" | sed 's/^/# /'
[ $status = 0 ] || printf 'not '
echo "ok 1 - ${program##*/} prints what it must"
echo 1..1
exit $status
