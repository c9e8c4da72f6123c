#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# From the package sources in APT make sources of source packages in FOLDER: a
# fresh Debian has none, and its configuration is not ours to change.
#
# usage: make/apt-sources.sh APT FOLDER    APT: /etc/apt
set -eu

apt=$1
folder=$2
n=0

# deb [options] URI SUITE COMPONENT...
for file in "$apt/sources.list" "$apt"/sources.list.d/*.list; do
	[ -r "$file" ] || continue
	n=$((n + 1))
	sed -n '/cdrom:/d; s/^[[:blank:]]*deb\([[:blank:]]\)/deb-src\1/p' \
		"$file" > "$folder/$n.list"
done
# fields, a stanza for each source
for file in "$apt"/sources.list.d/*.sources; do
	[ -r "$file" ] || continue
	n=$((n + 1))
	sed 's/^Types:.*/Types: deb-src/I' "$file" > "$folder/$n.sources"
done
