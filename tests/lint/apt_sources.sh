#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# make/apt-sources.sh reads both forms of package sources, and leaves them alone.
. tests/papi/lib.sh

apt=$work/apt
mkdir -p "$apt/sources.list.d" "$work/out"
cat > "$apt/sources.list" << 'END'
# deb http://commented.example/debian stable main
deb http://plain.example/debian stable main contrib
	deb [signed-by=/usr/share/keyrings/x.gpg] https://options.example s main
deb-src http://already.example/debian stable main
deb cdrom:[Debian]/ stable main
END
cat > "$apt/sources.list.d/debian.sources" << 'END'
Types: deb
URIs: http://fields.example/debian
Suites: stable stable-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

types: deb deb-src
URIs: http://both.example/debian
Suites: stable
Components: main
Enabled: no
END
echo 'deb http://another.example/debian stable main' \
	> "$apt/sources.list.d/another.list"
before=$(cat "$apt/sources.list" "$apt"/sources.list.d/* | cksum)
make/apt-sources.sh "$apt" "$work/out"

cat "$work"/out/*.list > "$work/lines"
has "one-line sources" "$work/lines" \
	'^deb-src http://plain.example/debian stable main contrib$' \
	'^deb-src \[signed-by=/usr/share/keyrings/x.gpg\] https://options' \
	'^deb-src http://another.example/debian stable main$'
lacks "nothing but what is in use" "$work/lines" 'commented|cdrom|^deb '
cat "$work"/out/*.sources > "$work/fields"
has "sources in fields" "$work/fields" '^URIs: http://fields.example/debian$' \
	'^Signed-By: /usr/share/keyrings/debian-archive' '^Enabled: no$'
if [ "$(grep -ci '^types: deb-src$' "$work/fields")" = 2 ]; then
	ok "source packages only"
else
	not_ok "source packages only" "$work/fields"
fi
if [ "$before" = "$(cat "$apt/sources.list" "$apt"/sources.list.d/* |
	cksum)" ]; then
	ok "the system's files are as before"
else
	not_ok "the system's files are as before"
fi
finish
