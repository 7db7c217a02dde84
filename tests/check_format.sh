#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every C file is as clang-format leaves it.
cd "$(dirname "$0")/.." || exit 2
find sim include tests -name '*.[ch]' -not -path 'tests/*/data/*' | sort |
	xargs clang-format --dry-run -Werror
