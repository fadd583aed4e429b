#!/bin/bash
# SPDX-License-Identifier: MIT
# Does a clone work on a Debian that has only git and make? Builds such a system in a folder, puts a clone of
# the last commit in, and runs `make run` and `make test` there without any of this machine's environment.
#
#     tools/try_fresh.sh [TREE.tar]     as root; needs debootstrap unless the tar of an earlier run is given
#
# The package mirror, its keys and proxies are those that this machine's apt is set to use.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "try_fresh.sh: must be root, for chroot" >&2; exit 1; }
tar=${1:-/tmp/gnd-fresh.tar}
work=$(mktemp -d /tmp/gnd-fresh.XXXXXX)
root=$work/fresh

cleanup() {
    umount "$root/proc" "$root/dev" 2> /dev/null || true
    # Nothing of this machine may be mounted inside when the folder goes.
    grep -q " $root" /proc/mounts || rm -rf "$work"
}
trap cleanup EXIT

if [ ! -e "$tar" ]; then
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $codename" | head -n 1)
    debootstrap --variant=minbase --include=git,make,ca-certificates "$codename" "$root" "$mirror"
    tar -C "$work" -cf "$tar" fresh
else
    tar -C "$work" -xf "$tar"
fi

rm -rf "$root/etc/apt"
cp -a /etc/apt "$root/etc/apt"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
# Named keys and certificates may live outside /etc/apt.
cp -a /usr/share/keyrings/. "$root/usr/share/keyrings/"
mkdir -p "$root/proc" "$root/dev"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"

git clone -q . "$root/root/gnd"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /root/gnd && $1" < /dev/null; }
echo "== make run"
inside "make run"
echo "== make test"
inside "make test"
