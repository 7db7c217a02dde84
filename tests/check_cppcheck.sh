#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# cppcheck finds nothing to warn of.
cd "$(dirname "$0")/.." || exit 2
exec cppcheck --quiet --std=c11 "-DG_DEFINE_QUARK(a,b)=" "-DG_GNUC_PRINTF(a,b)=" --library=gtk --library=posix --enable=warning,portability \
	--inline-suppr --suppress=missingInclude --suppress=missingIncludeSystem \
	--suppress=nullPointerRedundantCheck --error-exitcode=1 -I include -I sim sim
