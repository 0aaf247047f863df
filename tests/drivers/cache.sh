#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cache.sh FOLDER CONFIGURATION ICD: prints the folder for compiled pipelines of a driver, and
# creates it. Its name contains a hash of the driver's build and of the processor's features, so
# that another one starts with an empty folder. An empty FOLDER stands for vkreduce/pipelines in the
# user's cache folder.
set -eu
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/vkreduce/pipelines}
library=$(sed -n 's/.*"library_path": *"\([^"]*\)".*/\1/p' "$3")
case $library in
/*) ;;
*/*) library=$(dirname "$3")/$library ;;
*) library=$(ldconfig -p | sed -n "s/.*$library.* => //p" | head -n 1) ;;
esac
build=$({ cat "${library:-$3}" && grep -m 1 '^flags' /proc/cpuinfo || true; } |
    sha256sum | cut -c 1-12)
mkdir -p "$folder/$2-$build"
echo "$folder/$2-$build"
