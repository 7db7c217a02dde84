#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every workload gives the same results, byte for byte, twice in one build and in
# builds by gcc -O0, gcc -O3 and clang -O2.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # name compiler flags
	cmake -S "$top" -B "$work/$1" -DCMAKE_C_COMPILER="$2" -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS="$3" -DBUILD_TESTING=OFF >/dev/null
	cmake --build "$work/$1" --parallel 2 >/dev/null
}

results() { # name workload output
	"$work/$1/schedsim" "workloads/$2" --duration 200ms --warmup 50ms \
		--policy baseline --policy sis_short --format json >"$3"
}

build gcc-O0 gcc -O0
build gcc-O3 gcc -O3
build clang-O2 clang -O2

compared=0
for file in workloads/*.json; do
	name=$(basename "$file")
	[ "$name" = schema.json ] && continue
	results gcc-O0 "$name" "$work/first"
	for other in gcc-O0 gcc-O3 clang-O2; do
		results "$other" "$name" "$work/second"
		if ! cmp "$work/first" "$work/second"; then
			echo "$file: $other differs from gcc-O0" >&2
			exit 1
		fi
	done
	compared=$((compared + 1))
done
[ "$compared" -gt 0 ]
echo "$compared workloads: equal results twice and from gcc -O0, gcc -O3 and clang -O2"
