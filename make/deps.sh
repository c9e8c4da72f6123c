#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Install what is missing, by the names of Debian's packages, and say so
# first. Nothing missing: nothing happens, and apt is not called.
#
# usage: make/deps.sh [build] [papi] [demo] [sde] [check] [deep]
set -u

# Libraries are named by their -dev packages: the others change their names from
# release to release (libfoo0, libfoo0t64).
build='make gcc libc6-dev pkg-config libdrm-dev libexpat1-dev libpfm4-dev
	libproc2-dev libhsa-runtime-dev libgl-dev libegl-dev libmicrohttpd-dev
	libncurses-dev libyaml-dev libzstd-dev'
papi='dpkg-dev'
demo='umockdev libumockdev-dev'
sde='papi-tools'
# of make check: suites, PAPI, and what most scripts read results with
check="$demo g++ check jq python3 libvulkan-dev mesa-vulkan-drivers
	vulkan-validationlayers libegl-dev libgles-dev zstd"
# of make check-deep: other compilers, analyzers, programs of others, packages
deep="$sde clang clang-tools libclang-rt-dev valgrind libc6-dbg intel-gpu-tools
	radeontop libxml2-utils mandoc libgl1-mesa-dri linux-perf lm-sensors
	cppcheck gcovr xvfb mesa-utils apitrace curl prometheus openmpi-bin
	gfortran debhelper lintian debootstrap rocminfo libamdhip64-dev lld
	libomp-dev gcc-offload-amdgcn"
# of make check-deep, too, where the release has them and they can be had
layers='mangohud librenderdoc gfxreconstruct'

wanted=
offered=
for set in "$@"; do
	[ "$set" != deep ] || offered=$layers
	case $set in
	build | papi | demo | sde | check | deep) wanted="$wanted ${!set}" ;;
	*) echo "$0: unknown set '$set'" >&2; exit 2 ;;
	esac
done

if ! command -v dpkg-query > /dev/null; then
	echo "No dpkg here: please see to it that what these packages of" \
		"Debian hold is installed: "$wanted
	exit 0
fi

is_installed()
{
	case " $(dpkg-query -W -f '${db:Status-Status} ' "$1" 2> /dev/null)" in
	*' installed '*) ;;
	*) return 1 ;;
	esac
}

missing=
for package in $wanted; do
	is_installed "$package" || case " $missing " in
	*" $package "*) ;;
	*) missing="$missing $package" ;;
	esac
done
extra=
for package in $offered; do
	is_installed "$package" ||
		[ -z "$(apt-cache madison "$package" 2> /dev/null)" ] ||
		extra="$extra $package"
done
[ -z "$missing$extra" ] && exit 0

root=
if [ "$(id -u)" != 0 ]; then
	root=sudo
	if ! command -v sudo > /dev/null; then
		[ -n "$missing" ] || exit 0
		echo "These packages are missing:$missing" >&2
		echo "Install them as root: apt-get install$missing" >&2
		exit 1
	fi
fi

echo "These packages are missing and will be installed now:$missing$extra"
export DEBIAN_FRONTEND=noninteractive
install="$root apt-get install -y --no-install-recommends"
# Package lists may be absent or too old: refresh them if need be, only then.
if [ -n "$missing" ]; then
	echo "+ $install$missing"
	if ! $install$missing; then
		echo "+ $root apt-get update"
		$root apt-get update && $install$missing || exit
	fi
fi
if [ -n "$extra" ]; then
	echo "+ $install$extra"
	$install$extra || echo "Without them some checks are skipped:$extra"
fi
