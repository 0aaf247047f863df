# SPDX-License-Identifier: MIT
# Sourced by samples/run.sh and tests/run.sh.

# install_packages PACKAGE...: installs those of Debian's packages that are missing, and does not
# use the network when none is.
install_packages() {
    missing=
    for package; do
        case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
        installed*) ;;
        *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        echo "These packages are missing; install them as root:$missing" >&2
        return 1
    fi
    echo "Installing:$missing"
    # The package lists may be missing or too old: then it tries once more with new ones.
    # shellcheck disable=SC2086
    apt_install $missing >/dev/null 2>&1 || {
        apt-get -qq update || true
        apt_install $missing
    }
}

apt_install() {
    DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@"
}

# use_caches: lets later builds and tests reuse what earlier ones compiled, in any folder. Other
# folders of the same sources have the same results, so gcc's notes on folders may differ.
use_caches() {
    cache=${XDG_CACHE_HOME:-${HOME:?}/.cache}/vkreduce
    mkdir -p "$cache/modules" "$cache/stamps" "$cache/turns"
    export CCACHE_NOHASHDIR=1 VKR_MODULE_CACHE="$cache/modules" VKR_TEST_STAMPS="$cache/stamps"
    export VKR_TEST_TURNS="$cache/turns"
    VKR_TEST_RUN=$(git rev-list --count HEAD 2>/dev/null) || VKR_TEST_RUN=0
    export VKR_TEST_RUN
}

# build_targets FOLDER [TARGET..]: builds these targets, or everything. On a terminal ninja's
# counter shows how far it is, elsewhere a line every ten seconds. The status is ninja's.
build_targets() {
    if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then
        NINJA_STATUS='building: %f of %t ' ninja -C "$@"
    else
        python3 samples/build.py "$@"
    fi
}
