#!/bin/sh
# SPDX-License-Identifier: MIT
#
# drivers.sh DIR: unpack, without installing, what the test matrix needs beyond the system's own
# driver and layer:
#
#     DIR/icd/{swiftshader,mock,lvp25}.json            SwiftShader, a driver that executes nothing,
#                                                      lavapipe of the backports suite
#     DIR/layer/VkLayer_khronos_validation.json        a newer validation layer
#
# The packages come from the mirror that apt already uses. A part that exists is kept, without
# network access; one that cannot be downloaded is named on stderr and left out, and the exit status
# is still 0.
set -eu
dir=${1:?usage: drivers.sh DIR}
mkdir -p "$dir/icd" "$dir/layer"
dir=$(cd "$dir" && pwd -P)
work=
trap 'rm -rf "$work"' EXIT

# Paths in a manifest are relative to it, so that the folder can be moved.
icd() { # NAME LIBRARY API_VERSION
    cat >"$dir/icd/$1.json" <<END
{"file_format_version": "1.0.1", "ICD": {"library_path": "../$2", "api_version": "$3"}}
END
}

# The manifest also names the extensions that applications look for.
layer() { # LIBRARY API_VERSION
    cat >"$dir/layer/VkLayer_khronos_validation.json" <<END
{"file_format_version": "1.2.0", "layer": {
    "name": "VK_LAYER_KHRONOS_validation", "type": "GLOBAL", "library_path": "../$1",
    "api_version": "$2", "implementation_version": "1", "description": "Khronos validation layer",
    "instance_extensions": [
        {"name": "VK_EXT_debug_report", "spec_version": "9"},
        {"name": "VK_EXT_debug_utils", "spec_version": "1"},
        {"name": "VK_EXT_validation_features", "spec_version": "2"}],
    "device_extensions": [
        {"name": "VK_EXT_tooling_info", "spec_version": "1",
         "entrypoints": ["vkGetPhysicalDeviceToolPropertiesEXT"]}]}}
END
}

# shellcheck disable=SC2086
update() {
    apt-get -qq $options update >/dev/null 2>"$work/log"
}

# shellcheck disable=SC2086
download() {
    (cd "$work" && apt-get -qq $options download "$package" >/dev/null 2>"$work/log")
}

# Downloads PACKAGE into an empty folder, and unpacks the named libraries into DIR/SUBDIR. apt's own
# user cannot write into every folder; if root runs this, apt only warns about that.
fetch() { # SUBDIR PACKAGE "APT OPTIONS" LIBRARY...
    subdir=$1 package=$2 options=$3
    shift 3
    rm -f "$work"/*.deb
    download || { update && download; } || return 1
    mkdir -p "$dir/$subdir"
    for library; do
        dpkg-deb --fsys-tarfile "$work"/*.deb |
            tar -xO --wildcards "./usr/lib/*/$library" >"$dir/$subdir/$library" || return 1
    done
}

missing() { # WHAT
    echo "drivers.sh: $1 cannot be had and is left out: $(tail -n 1 "$work/log" 2>/dev/null)" >&2
}

have() { # MANIFEST...
    for manifest; do
        [ -s "$dir/$manifest" ] || return 1
    done
}

# shellcheck disable=SC2016
find_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' |
        head -n 1
}

if have icd/swiftshader.json icd/mock.json icd/lvp25.json \
    layer/VkLayer_khronos_validation.json; then
    exit 0
fi
work=$(mktemp -d)
mkdir -p "$work/lists/partial" "$work/archives/partial"

if ! have icd/swiftshader.json icd/mock.json layer/VkLayer_khronos_validation.json; then
    if fetch chromium chromium-common '' libvk_swiftshader.so libVkICD_mock_icd.so \
        libVkLayer_khronos_validation.so; then
        icd swiftshader chromium/libvk_swiftshader.so 1.3.0
        icd mock chromium/libVkICD_mock_icd.so 1.4.0
        layer chromium/libVkLayer_khronos_validation.so 1.4.300
    else
        missing 'chromium-common (SwiftShader, the mock driver, the newer validation layer)'
    fi
fi

if ! have icd/lvp25.json; then
    mirror=$(find_mirror)
    [ -n "$mirror" ] || { options='' && update && mirror=$(find_mirror); } || true
    echo "deb $mirror bookworm-backports main" >"$work/sources.list"
    : >"$work/status"
    backports="-oDir::Etc::SourceList=$work/sources.list -oDir::Etc::SourceParts=/dev/null
        -oDir::State::Lists=$work/lists -oDir::Cache=$work -oDir::State::status=$work/status"
    if fetch mesa25 mesa-vulkan-drivers "$backports" libvulkan_lvp.so; then
        icd lvp25 mesa25/libvulkan_lvp.so 1.4.305
    else
        missing 'mesa-vulkan-drivers of bookworm-backports (lavapipe 25)'
    fi
fi
