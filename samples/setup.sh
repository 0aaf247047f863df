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
