#!/bin/sh
# SPDX-License-Identifier: MIT
# volk_names.sh COMPILER...: a header that puts vkr_volk_ before every name that volk exports.
set -eu
names=$(echo '#include <volk.h>' | "$@" -DVK_NO_PROTOTYPES -E -x c - | sed -n \
    -e 's/^extern PFN_vk[A-Za-z0-9_]* \(vk[A-Za-z0-9_]*\);.*/\1/p' \
    -e 's/^[A-Za-z][A-Za-z0-9_]* \(volk[A-Z][A-Za-z0-9]*\)(.*/\1/p')
echo "$names" | grep -q '^volkInitialize$'
echo "$names" | grep -q '^vkCreateInstance$'
echo "$names" | sed 's/.*/#define & vkr_volk_&/'
