#!/bin/sh
# Installs, uses and purges the Debian package on a fresh Debian, by installed.sh.
#
# Usage: deb.sh DIST. The root file system is made by mmdebstrap and thrown away; without privileges it is made in a user
# namespace. Where no mirror of Debian can be reached nothing is tested, and the script says so. MIRROR chooses one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
package=$(ls "$1"/threadlab_*.deb)
suite=${SUITE:-bookworm}

if ! answer=$(mmdebstrap --simulate --variant=minbase "$suite" /dev/null ${MIRROR:+"$MIRROR"} 2>&1); then
    echo "$answer" | tail -n 3
    echo "deb.sh: no fresh Debian can be made here: skipped, nothing was tested"
    exit 0
fi

log=$(mktemp)
# The job for GitLab in docs/ci.md, as a script.
work=$(mktemp -d)
sed -n '/^## GitLab CI/,/^## Formats/p' "$here/../../docs/ci.md" | sed -n '/^  before_script:/,/^  artifacts:/s/^    - //p' > "$work/gitlab.sh"
trap 'rm -rf "$log" "$work"' EXIT
# What a desktop has: the reader of manuals, the shells, an editor and a compiler.
mmdebstrap --variant=minbase --include=man-db,bash-completion,zsh,fish,vim,gcc,libc6-dev \
    --customize-hook='mkdir "$1/test"' \
    --customize-hook="copy-in '$package' '$here/installed.sh' '$work/gitlab.sh' /test" \
    --customize-hook='chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 sh /test/installed.sh' \
    "$suite" /dev/null ${MIRROR:+"$MIRROR"} > "$log" 2>&1 || { tail -n 40 "$log"; echo "deb.sh: failed"; exit 1; }
grep -a '^ok ' "$log"
echo "deb.sh: $(basename "$package") was installed, used and purged on a fresh $suite"
