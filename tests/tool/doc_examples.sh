#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each command of README.md, the guides and the manual pages does what they say.
. tests/tool/lib.sh

if ! command -v python3 > /dev/null; then
	skip "commands in the documentation work as described" \
		"there is no python3"
	exit 0
fi
mkdir "$work/doc_examples"
PYTHONDONTWRITEBYTECODE=1 python3 tests/tool/doc_examples.py "$sim" "$tool" \
	"$work/doc_examples" "$BUILD_DIR" || failed=1
finish
