#!/bin/sh
# Builds the image of packaging/Containerfile with the Debian package in DIST, and checks a folder of programs in it.
#
# Usage: image.sh DIST. Needs buildah, and a registry with Debian's image or a mirror of Debian, from which mmdebstrap makes
# one. Where they are missing nothing is tested, and the script says so. Images are kept in a folder that is thrown away.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
base=$(sed -n 's/^FROM //p' "$root/packaging/Containerfile")
suite=$(echo "$base" | sed 's/.*:\([a-z]*\).*/\1/')

skip() {
    echo "image.sh: $1: skipped, nothing was tested"
    exit 0
}

command -v buildah > /dev/null || skip "no buildah"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
images() {
    step=$1
    shift
    buildah --root "$work/images" --runroot "$work/run" --storage-driver vfs "$step" "$@"
}

if ! images pull -q "docker.io/library/$base" > "$work/log" 2>&1; then
    mmdebstrap --variant=minbase "$suite" "$work/base.tar" ${MIRROR:+"$MIRROR"} > "$work/log" 2>&1 || {
        tail -n 3 "$work/log"
        skip "no image of Debian can be had here"
    }
    container=$(images from scratch)
    images add -q "$container" "$work/base.tar" / > "$work/log"
    images commit -q "$container" "docker.io/library/$base" > "$work/log"
    images rm "$container" > "$work/log"
fi

images bud --isolation chroot --pull-never -f "$root/packaging/Containerfile" -t threadlab "$1" > "$work/log" 2>&1 || {
    tail -n 40 "$work/log"
    echo "image.sh: the image was not built"
    exit 1
}
container=$(images from --pull-never localhost/threadlab)
# As in docs/packaging.md: in the folder that the image has for it.
images run --isolation chroot --volume "$root/scenarios/basics:/work:ro" "$container" -- threadlab check .
