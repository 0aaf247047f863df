# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
#
# Functions for scripts that build from Debian's sources; such a script sources this file, and $work
# is its temporary folder. The sources come from the mirror that apt already uses. The lists of
# packages are the script's own, so that apt's configuration stays as it is.

give_up() { # SENTENCE
    [ ! -s "$work/log" ] || tail -n 20 "$work/log" >&2
    echo "$(basename "$0"): $1" >&2
    exit 1
}

# Runs one of apt's programs on these lists.
own() { # PROGRAM ARGUMENT...
    program=$1
    shift
    "$program" -oDir::Etc::SourceList=/dev/null "-oDir::Etc::SourceParts=$work/parts" \
        "-oDir::State::Lists=$work/lists" "-oDir::State::status=$work/status" \
        -oDir::Cache::pkgcache= -oDir::Cache::srcpkgcache= -oAPT::Sandbox::User=root "$@"
}

# Downloads the lists that $work/parts names; without that folder, the sources of the system's
# packages.
update_lists() {
    mkdir -p "$work/lists/partial"
    : >"$work/status"
    if [ ! -d "$work/parts" ]; then
        mkdir "$work/parts"
        for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
            /etc/apt/sources.list.d/*.list; do
            if [ -e "$file" ]; then
                sed 's/^Types:.*/Types: deb-src/; s/^deb\([[:space:]]\)/deb-src\1/' "$file" \
                    >"$work/parts/$(basename "$file" | sed 's/^sources\.list$/main.list/')"
            fi
        done
    fi
    own apt-get -qq update >"$work/log" 2>&1 || give_up 'the lists of packages cannot be had'
}

# Unpacks a package's newest source that can be had, or that of one of its versions, as
# $work/FOLDER; $version becomes its version.
unpack_source() { # PACKAGE FOLDER [VERSION]
    versions=$(own apt-cache showsrc --only-source "$1" |
        sed -n "s/^Version: \(${3+$3-}.*\)/\1/p" | sort -rVu)
    [ -n "$versions" ] || give_up "the archive has no source of $1${3+ $3}"
    mkdir "$work/$2.dsc"
    for version in $versions; do
        (cd "$work/$2.dsc" && own apt-get -qq source --download-only "$1=$version") \
            >"$work/log" 2>&1 || continue
        dpkg-source --no-check -x "$work/$2.dsc"/*.dsc "$work/$2" >"$work/log"
        return
    done
    give_up "the source of $1 cannot be had"
}
